"""Every device by the name it has in the configuration.

Each function returns what opens the device, again and again if need be: it takes no argument, gives the adapter, and
raises DeviceLost. Drivers are imported only once they are asked for, so a table without a ring needs no pyserial.
Keyword arguments have the names and units of the configuration's keys. Raises ValueError for what cannot be at all.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.events import Button
from companion.ports import Buttons, Camera, Clock, Display, Picture, Ring
from hardware.terminal import Terminal


def picamera2(
    *,
    clock: Clock,
    device: str = "0",
    size: tuple[int, int] = (640, 480),
    fps: float = 10.0,
    rotate: int = 0,
    lens_position: float | None = None,
) -> Callable[[], Camera]:
    from hardware.camera_picamera2 import Picamera2Camera

    if not device.isdecimal():
        raise ValueError(f'camera modules are numbered from 0; "{device}" is not a number')
    return _turned(
        rotate,
        lambda: Picamera2Camera(clock=clock, device=int(device), size=size, fps=fps, lens_position=lens_position),
    )


def usb(
    *, clock: Clock, device: str = "0", size: tuple[int, int] = (640, 480), fps: float = 10.0, rotate: int = 0
) -> Callable[[], Camera]:
    from hardware.camera_capture import usb_camera

    return _turned(rotate, lambda: usb_camera(device, size=size, fps=fps, clock=clock))


def video(*, clock: Clock, url: str, rotate: int = 0, again: bool = False) -> Callable[[], Camera]:
    """`url`: a stream's address, or a file."""
    from hardware.camera_capture import stream_camera
    from hardware.camera_video import VideoCamera

    if "://" in url:
        return _turned(rotate, lambda: stream_camera(url, clock=clock))
    return _turned(rotate, lambda: VideoCamera(Path(url), clock=clock, again=again))


def folder(
    *,
    clock: Clock,
    path: Path,
    order: Path | None = None,
    empty_s: float = 1.0,
    fps: float = 10.0,
    rotate: int = 0,
    warn: Callable[[str], None] | None = None,
) -> Callable[[], Camera]:
    """`warn` is told of files that are no pictures."""
    from hardware.camera_folder import FolderCamera

    return _turned(rotate, lambda: FolderCamera(path, clock=clock, order=order, empty_s=empty_s, fps=fps, warn=warn))


def simulated(
    *,
    clock: Clock,
    picture: Callable[[float], Picture],
    fps: float = 10.0,
    taken: Callable[[], None] | None = None,
) -> Callable[[], Camera]:
    """`picture(now_s)` draws what the camera sees; `taken` hears that the roll was taken."""
    from hardware.camera_simulated import SimulatedCamera

    return lambda: SimulatedCamera(picture, clock=clock, fps=fps, taken=taken)


def oled(
    *,
    driver: str = "ssd1306",
    bus: str = "i2c",
    port: int = 1,
    address: int = 0x3C,
    spi_device: int = 0,
    dc: int = 24,
    rst: int = 25,
    rotate: int = 0,
    contrast: int = 160,
) -> Callable[[], Display]:
    """`bus`: "i2c" or "spi"; `rotate`: 0 or 180 degrees."""
    from hardware.display_oled import OledDisplay, on_i2c, on_spi
    from hardware.oled_panel import DRIVERS, Panel

    if driver not in DRIVERS:
        raise ValueError(f'"{driver}" is not one of {", ".join(DRIVERS)}')
    panel = Panel(driver, rotate_deg=rotate, contrast=contrast)
    if bus == "i2c":
        return lambda: OledDisplay(panel, on_i2c(port=port, address=address), where=f"{address:#04x} on I2C bus {port}")
    return lambda: OledDisplay(
        panel, on_spi(port=port, device=spi_device, dc=dc, rst=rst), where=f"SPI {port}.{spi_device}"
    )


def terminal_display(terminal: Terminal, *, place: int = 0) -> Callable[[], Display]:
    """One Terminal is shared by all that draw on it; `place` is the order from the top."""
    from hardware.terminal import TerminalDisplay

    return lambda: TerminalDisplay(terminal, place=place)


def png(*, folder: Path, scale: int = 4) -> Callable[[], Display]:
    from hardware.display_png import PngDisplay

    return lambda: PngDisplay(folder, scale=scale)


def serial_ring(
    *, clock: Clock, port: str, leds: int, baud: int = 115200, brightness: float = 1.0
) -> Callable[[], Ring]:
    """`port`: a device file, or a pattern such as "/dev/ttyACM*"; `brightness`: 0-1, a limit on what is sent."""
    from hardware.ring_serial import SerialRing

    return lambda: SerialRing(port, leds=leds, clock=clock, baud=baud, brightness=brightness)


def terminal_ring(terminal: Terminal, *, place: int = 1) -> Callable[[], Ring]:
    from hardware.terminal import TerminalRing

    return lambda: TerminalRing(terminal, place=place)


def gpio(
    *,
    clock: Clock,
    back: tuple[int, ...],
    less: tuple[int, ...],
    more: tuple[int, ...],
    ok: tuple[int, ...],
    debounce_ms: float = 25,
    hold_s: float = 1.0,
    stuck_s: float = 20.0,
) -> Callable[[], Buttons]:
    """Lines to ground by BCM number; several on one button do the same."""
    from hardware.buttons_gpio import GpioButtons

    pins = {Button.BACK: back, Button.LESS: less, Button.MORE: more, Button.OK: ok}
    return lambda: GpioButtons(pins, clock=clock, settle_s=debounce_ms / 1000, hold_s=hold_s, stuck_s=stuck_s)


def keyboard(*, other: Callable[[str], None] | None = None) -> Callable[[], Buttons]:
    """`other` gets the keys that are no buttons, e.g. " "."""
    from hardware.buttons_keyboard import Keyboard

    return lambda: Keyboard(other=other)


def script(
    *,
    clock: Clock,
    script: Path,
    at_step: Callable[[str], bool],
    other: Callable[[str], None] | None = None,
    ended: Callable[[], None] | None = None,
) -> Callable[[], Buttons]:
    """`at_step(step)`: whether the table waits for `step` now, every press delivered so far judged."""
    from hardware.buttons_script import ScriptButtons

    return lambda: ScriptButtons(script, clock=clock, at_step=at_step, other=other, ended=ended)


def _turned(degrees: int, open_: Callable[[], Camera]) -> Callable[[], Camera]:
    from hardware.camera_turned import TurnedCamera

    return (lambda: TurnedCamera(open_(), degrees)) if degrees else open_
