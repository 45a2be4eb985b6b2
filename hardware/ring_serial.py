"""The LED ring: WLED on USB, or any other Adalight receiver on a serial port."""

from __future__ import annotations

import errno
import glob
import os
import re
import termios
from collections.abc import Callable, Sequence

import serial

from companion.ports import Clock, Colour, DeviceLost
from hardware.adalight import HELLO, MAGIC, frame, pause_s, resync

WRITE_S = 1.0  # a frame takes 16 ms; a port that does not take it in so long is stuck
SILENCE_S = 2.0  # what a board that was reset by the opening of its port takes until it listens
# WLED and the firmware beside this file answer the hello, Adalight sketches call out on their own
GREETING = re.compile(rb"WLED \d+|companion ring \d+|" + MAGIC)
HEARD_MOST = 256  # bytes kept of what the receiver says
POLL_S = 0.02


class SerialRing:
    """Sends frames of `leds` colours to the receiver at `port`, a device file or a pattern such as "/dev/ttyACM*".

    Of several ports that match, the first one that can be had is taken.
    """

    def __init__(
        self,
        port: str,
        *,
        leds: int,
        clock: Clock,
        baud: int = 115200,
        write_s: float = WRITE_S,
    ) -> None:
        self._leds = leds
        self._clock = clock
        self._free_s = clock.now_s()
        self._heard = b""
        self._serial, self.port = _first(port, lambda name: _opened(name, baud, write_s))
        self._send(resync(leds))  # what it shows is black at most, and only if a frame was cut off
        self._send(HELLO)

    def show(self, colours: Sequence[Colour]) -> None:
        if len(colours) != self._leds:
            raise ValueError(f"the ring has {self._leds} LEDs, not {len(colours)}")
        self._send(frame(colours))

    def greeting(self, within_s: float = SILENCE_S) -> str | None:
        """What the receiver calls itself, e.g. "WLED 2406290" or "Ada"; None if it stays silent, as many may."""
        end_s = self._clock.now_s() + within_s
        while (found := GREETING.search(self._heard)) is None and self._clock.now_s() < end_s:
            self._clock.sleep(POLL_S)
            self._try(self._listen)
        return found[0].decode() if found else None

    def close(self) -> None:
        self._serial.close()

    def _send(self, message: bytes) -> None:
        self._clock.sleep(max(0.0, self._free_s - self._clock.now_s()))
        self._free_s = self._clock.now_s() + pause_s(len(message), self._leds, self._serial.baudrate)
        self._try(lambda: self._exchange(message))

    def _exchange(self, message: bytes) -> None:
        self._listen()
        self._serial.write(message)

    def _listen(self) -> None:
        """Takes what the receiver said, so that it does not pile up."""
        heard = self._serial.read(self._serial.in_waiting)
        self._heard = (self._heard + heard)[-HEARD_MOST:]

    def _try(self, what: Callable[[], None]) -> None:
        """Raises DeviceLost, with the port closed."""
        if not self._serial.is_open:
            raise DeviceLost("ring", f"the ring on {self.port} is closed", "open it again")
        try:
            what()
        except serial.SerialTimeoutException as error:
            self.close()
            raise DeviceLost(
                "ring", f"the ring on {self.port} takes no more data", "unplug it and plug it in"
            ) from error
        except OSError as error:  # pyserial's errors are OSErrors
            self.close()
            raise DeviceLost(
                "ring", f"the ring on {self.port} is gone: {_said(error)}", "check the USB cable"
            ) from error


def _first(port: str, open_: Callable[[str], serial.Serial]) -> tuple[serial.Serial, str]:
    lost = DeviceLost(
        "ring", f"there is no serial port {port}", "plug the ring in, or name its port in the configuration"
    )
    for name in _ports(port):
        try:
            return open_(name), name
        except DeviceLost as error:
            lost = error
    raise lost


def _ports(port: str) -> list[str]:
    return sorted(glob.glob(port)) if glob.has_magic(port) else [port]  # noqa: PTH207  pathlib cannot start at the root


def _opened(name: str, baud: int, write_s: float) -> serial.Serial:
    """Opens a port without resetting the board behind it, if that can be helped.

    DTR and RTS both stay on, as the kernel sets them when it opens a port. An ESP32's reset circuit is idle then;
    dropping them one after the other, as pyserial would, passes through the state that resets it. They are not dropped
    on closing either, so that an Uno, which is reset when DTR comes on, is so only once.
    """
    port = serial.Serial(baudrate=baud, timeout=0, write_timeout=write_s, exclusive=True)
    port.port = name
    port.dtr = True
    port.rts = True
    try:
        port.open()
        _keep_lines_on_closing(port.fileno())
    except (OSError, termios.error) as error:
        port.close()
        raise DeviceLost("ring", f"the ring's port {name} cannot be opened: {_said(error)}", _remedy(error)) from error
    return port


def _keep_lines_on_closing(fd: int) -> None:
    settings = termios.tcgetattr(fd)
    settings[2] &= ~termios.HUPCL
    termios.tcsetattr(fd, termios.TCSANOW, settings)


def _said(error: Exception) -> str:
    """The system's words: pyserial's own repeat the port and the error's number."""
    number = getattr(error, "errno", None)
    return str(error) if number is None else os.strerror(number)


def _remedy(error: BaseException) -> str:
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return "plug the ring in, or name its port in the configuration"
        case errno.EPERM:  # of systemd, which knew no such class of devices when the service started, or allows none
            return (
                "name a port that the service may use (ttyUSB, ttyACM, ttyAMA, ttyS); if it is one, start the service "
                "again, which saw none yet: sudo systemctl restart companion"
            )
        case errno.EACCES:
            return "let the companion's user into the group dialout"
        case errno.EBUSY | errno.EWOULDBLOCK:
            return "end the other program that uses it"
    return "check the USB cable, and the port in the configuration"
