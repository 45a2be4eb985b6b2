"""What every test has at hand."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from companion.journal import Journal

# Where the tests run in the background of a shell, Ctrl-C and Ctrl-\ are ignored, under nohup the end of a terminal is,
# and so they would be by every program that they start.
for number, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


os.environ["TERM"] = "xterm-256color"  # pseudo-terminals are drawn on in colour, wherever the tests run
os.environ.pop("NO_COLOR", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--real", action="store_true", help="also run the tests that need the devices of a Pi")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--real"):
        for item in items:
            if item.get_closest_marker("real"):
                item.add_marker(pytest.mark.skip(reason="needs the device itself; run with --real on a Pi"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    """Its pins are the computer's."""
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    yield factory
    factory.close()


@pytest.fixture
def blender() -> None:
    pytest.importorskip("bpy", reason="Blender is not installed: pip install '.[traced]'")
