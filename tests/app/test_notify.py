"""sd_notify, on real datagram sockets."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.notify import Notifier

PID = 4711


@pytest.fixture(params=["path", "abstract"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "notify") if request.param == "path" else f"@companion-test-{os.getpid()}"


@pytest.fixture
def systemd(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.setblocking(False)
        listening.bind("\0" + address[1:] if address.startswith("@") else address)
        yield listening


def heard(systemd: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(systemd.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_a_service_says_ready_alive_status_and_stopping(systemd: socket.socket, address: str) -> None:
    with Notifier.of({"NOTIFY_SOCKET": address}, PID) as notifier:
        notifier.ready()
        notifier.alive()
        notifier.status("Roll, turn 3: Åse\nlost: ring")
        notifier.stopping()
    assert heard(systemd) == ["READY=1", "WATCHDOG=1", "STATUS=Roll, turn 3: Åse lost: ring", "STOPPING=1"]


def test_a_status_that_did_not_change_is_not_sent_again(systemd: socket.socket, address: str) -> None:
    with Notifier(address) as notifier:
        for text in ("one", "one", "two", "one"):
            notifier.status(text)
    assert heard(systemd) == ["STATUS=one", "STATUS=two", "STATUS=one"]


def test_long_work_asks_for_more_time_to_start_in_and_once_it_is_up_feeds_the_watchdog(
    systemd: socket.socket, address: str
) -> None:
    with Notifier(address) as notifier:
        notifier.busy("mending 1 of 3 games")
        notifier.busy("mending 1 of 3 games")
        notifier.ready()
        notifier.busy("mending 2 of 3 games")
    patience = "EXTEND_TIMEOUT_USEC=60000000"
    assert heard(systemd) == [
        *("STATUS=mending 1 of 3 games", patience, patience),
        *("READY=1", "STATUS=mending 2 of 3 games", "WATCHDOG=1"),
    ]


def test_without_systemd_nothing_happens() -> None:
    with Notifier.of({}, PID) as notifier:
        notifier.ready()
        notifier.alive()
        assert notifier.watchdog_s is None


def test_a_socket_that_is_gone_or_full_is_logged_and_never_blocks(
    systemd: socket.socket, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Notifier(address) as notifier, caplog.at_level(logging.WARNING):
        for _ in range(3000):  # more than any queue holds
            notifier.alive()
        assert "systemd did not take 'WATCHDOG=1'" in caplog.text
        systemd.close()
        notifier.ready()
        assert "systemd did not take 'READY=1'" in caplog.text


def test_what_a_full_socket_does_not_take_is_logged_once_and_that_it_is_ready_goes_with_the_next(
    systemd: socket.socket, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Notifier(address) as notifier, caplog.at_level(logging.WARNING):
        for _ in range(3000):
            notifier.alive()
        for _ in range(2):
            notifier.status("no game")
            notifier.ready()
            notifier.alive()
        assert [caplog.text.count(f"did not take {what}") for what in ("'WATCHDOG", "'STATUS", "'READY")] == [1, 1, 1]
        heard(systemd)
        for _ in range(2):
            notifier.alive()
            notifier.status("no game")
        assert heard(systemd) == ["READY=1\nWATCHDOG=1", "STATUS=no game", "WATCHDOG=1"]


def test_a_service_that_still_starts_is_not_said_to_be_ready_after_a_full_socket(
    systemd: socket.socket, address: str
) -> None:
    with Notifier(address) as notifier:
        for _ in range(3000):
            notifier.busy("mending 1 of 3 games")
        heard(systemd)
        notifier.busy("mending 2 of 3 games")
    assert heard(systemd) == ["STATUS=mending 2 of 3 games", "EXTEND_TIMEOUT_USEC=60000000"]


def test_a_socket_that_is_full_once_more_is_logged_once_more(
    systemd: socket.socket, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Notifier(address) as notifier, caplog.at_level(logging.WARNING):
        for _ in range(2):
            for _ in range(3000):
                notifier.alive()
            heard(systemd)
            notifier.alive()
    assert caplog.text.count("did not take 'WATCHDOG=1'") == 2


def test_an_address_where_nobody_listens_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), Notifier(str(tmp_path / "nobody")) as notifier:
        notifier.ready()
    assert "cannot be reached" in caplog.text


@pytest.mark.parametrize(
    ("environ", "watchdog_s"),
    [
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "4711"}, 20.0),
        ({"WATCHDOG_USEC": "500000"}, 0.5),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_fed_by_the_process_that_is_watched(environ: dict[str, str], watchdog_s: float | None) -> None:
    with Notifier.of(environ, PID) as notifier:
        assert notifier.watchdog_s == watchdog_s


def test_close_twice_is_harmless_and_no_call_after_it_is_a_failure(
    systemd: socket.socket, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    notifier = Notifier(address)
    notifier.close()
    notifier.close()
    notifier.ready()
    assert heard(systemd) == []
    assert caplog.text == ""
