"""Tells systemd how the service is: ready, alive, its status line, stopping. Without systemd every call does nothing.

The protocol is sd_notify's (https://www.freedesktop.org/software/systemd/man/sd_notify.html): a datagram of
assignments to the socket that $NOTIFY_SOCKET names.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)

READY = "READY=1"
PATIENCE = "EXTEND_TIMEOUT_USEC=60000000"  # counted from now, and as long as the unit gives the whole start


class Notifier:
    """`watchdog_s`: seconds within which `alive` must be called again and again, None where nobody watches.

    No call blocks or raises: a message that systemd does not take is lost, and the next one may not be. That the
    service is ready goes with each until one is taken.
    """

    def __init__(self, address: str = "", watchdog_s: float | None = None) -> None:
        self.watchdog_s = watchdog_s
        self._socket = _connected(address) if address else None
        self._status = ""
        self._is_up = False
        self._owed: tuple[str, ...] = ()
        self._refused: set[str] = set()  # since the last one that was taken

    @classmethod
    def of(cls, environ: Mapping[str, str], pid: int) -> Notifier:
        """The notifier that systemd asked process `pid` to use, by its environment."""
        watched = environ.get("WATCHDOG_PID", str(pid)) == str(pid)
        usec = environ.get("WATCHDOG_USEC", "")
        watchdog_s = int(usec) / 1e6 if watched and usec.isdigit() and int(usec) > 0 else None
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog_s)

    def ready(self) -> None:
        """The service is up."""
        self._is_up = True
        self._send(READY)

    def alive(self) -> None:
        """Feeds the watchdog."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """The line that `systemctl status` shows; sent only when it changes."""
        line = " ".join(text.split())
        if line != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def busy(self, text: str) -> None:
        """In the midst of long work, which is no hang: to be called again and again while it lasts.

        A service that is not up yet is given more time to start; its watchdog is asleep, and would be woken.
        """
        self.status(text)
        if self._is_up:
            self.alive()
        else:
            self._send(PATIENCE)

    def stopping(self) -> None:
        """The service is on its way down."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Twice is harmless."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Notifier:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        messages = dict.fromkeys((*self._owed, message))
        try:
            self._socket.send("\n".join(messages).encode("utf-8", "replace"))
        except OSError as error:
            self._owed = (READY,) if READY in messages else ()
            self._refuse(message, error)
        else:
            self._owed = ()
            self._refused.clear()

    def _refuse(self, message: str, error: OSError) -> None:
        """The log is told once of each in a row."""
        self._status = ""  # the same one may be sent again
        if message not in self._refused:
            self._refused.add(message)
            log.warning("systemd did not take %r: %s", message, error)


def _connected(address: str) -> socket.socket | None:
    """A socket to systemd's; a leading @ means an abstract one."""
    to = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        to.setblocking(False)
        to.connect("\0" + address[1:] if address.startswith("@") else address)
    except OSError as error:
        log.warning("systemd's socket %s cannot be reached: %s", address, error)
        to.close()
        return None
    return to
