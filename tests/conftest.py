"""What every test has at hand."""

from __future__ import annotations

import os
import signal

import pytest

# Where the tests run in the background of a shell, Ctrl-C is ignored and so it would be by every program they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


os.environ["TERM"] = "xterm-256color"  # pseudo-terminals are drawn on in colour, wherever the tests run
os.environ.pop("NO_COLOR", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--real", action="store_true", help="also run the tests that need the devices of a Pi")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--real"):
        for item in items:
            if item.get_closest_marker("real"):
                item.add_marker(pytest.mark.skip(reason="needs the device itself; run with --real on a Pi"))
