"""The keys of what stands at the table: camera, displays, buttons and ring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.address import lacks_scheme, without_secrets
from companion.config import kinds
from companion.config.kinds import Problems, key, optional
from companion.config.lying import file_at, folder_at
from companion.paths import is_file

MOST_LEDS = 512  # of a ring: more than go around any table
LONGEST_BOUNCE_MS = 200
IDLE_FPS = 2.0  # unless told otherwise
ASK_AFTER_S = 3.0  # the same
I2C_PINS = {0: (0, 1), 1: (2, 3)}  # data and clock of each bus on the header, by its number
SPI_PINS = {0: (10, 11), 1: (20, 21)}  # the same; the panels send nothing back
SPI_SELECTS = {0: (8, 7), 1: (18, 17, 16)}  # by the number of the chip select

UART_PINS = (14, 15)  # sends and receives
UARTS = ("/dev/serial0", "/dev/ttyS0", "/dev/ttyAMA0")  # names of the header's on one Pi or another


@dataclass(frozen=True, slots=True)
class Camera:
    kind: str = key(
        kinds.one_of("picamera2", "usb", "video", "folder", "simulated", "none"),
        "picamera2",
        "picamera2: a camera module. usb: device. video: a file or stream, url. folder: pictures in path.\n"
        "simulated: drawn dice. none: dice are entered by button.",
    )
    device: str = key(
        kinds.device(),
        "0",
        "usb, picamera2: which camera.\n"
        "A USB camera may come back under another number: a name in /dev/v4l/by-id stays.",
    )
    url: str | Path | None = optional(
        kinds.film(), "http://192.168.1.20:8080/video", "video: a stream's address or a file."
    )
    path: Path | None = optional(kinds.path(), Path("pictures"), "folder: where the pictures are.")
    order: Path | None = optional(
        kinds.path(), Path("order.txt"), "folder: a text file with a picture's name a line. Left out: by name."
    )
    size: tuple[int, int] = key(kinds.size(), (640, 480), "usb, picamera2: width and height of a picture, in pixels.")
    fps: float = key(kinds.number(0.5, 60), 10.0, "Pictures a second while dice are watched.")
    idle_fps: float | None = optional(
        kinds.number(0.1, 60),
        IDLE_FPS,
        f"Pictures a second while no dice are expected; saves power. Left out: {IDLE_FPS:g}, and never more than fps.",
    )
    rotate: int = key(kinds.one_number_of(0, 90, 180, 270), 0, "Degrees by which pictures are turned, clockwise.")
    empty_s: float = key(kinds.number(0, 60), 1.0, "folder: seconds of empty tray between two pictures.")

    @property
    def source(self) -> str:
        """What tells it from other cameras of its kind: of a video its address, as far as that may be told.

        It can be kept as text: bytes of a file's name that are no UTF-8 are told by their codes.
        """
        if self.kind != "video":
            return self.device
        return without_secrets(str(self.url).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))

    @property
    def resting_fps(self) -> float:
        """While no dice are expected: as configured, else as few as do."""
        return min(IDLE_FPS, self.fps) if self.idle_fps is None else self.idle_fps

    def problems(self) -> Problems:
        if self.kind == "video" and self.url is None:
            yield "url", 'the address of a stream or the name of a file, for kind = "video"'
        if self.kind == "video" and isinstance(self.url, Path) and _is_bare(self.url):
            yield "url", "an address that begins with http:// or rtsp://, or a file that is there"
        if self.kind == "folder" and self.path is None:
            yield "path", 'a folder of pictures, for kind = "folder"'
        yield from self._lying()
        if self.kind == "picamera2" and not self.device.isdigit():
            yield "device", 'a number, for kind = "picamera2"'
        if self.idle_fps is not None and self.idle_fps > self.fps:
            yield "idle_fps", f"at most fps ({self.fps:g})"

    def _lying(self) -> Problems:
        """Where the wrong thing lies at a path that is made use of."""
        match self.kind:
            case "folder":
                expected = {"path": folder_at(self.path), "order": file_at(self.order)}
            case "video" if isinstance(self.url, Path):
                expected = {"url": file_at(self.url, "a stream's address or a file, and not a folder")}
            case "usb" if not self.device.isdigit():
                expected = {"device": file_at(Path(self.device), "a camera's device file, and not a folder")}
            case _:
                expected = {}
        yield from ((name, told) for name, told in expected.items() if told)


def _is_bare(file: Path) -> bool:
    """Whether it is no file, but may well be meant as an address."""
    return any(lacks_scheme(part) for part in file.parts) and not is_file(file, unknown=True)


@dataclass(frozen=True, slots=True)
class Display:
    kind: str = key(kinds.one_of("oled", "terminal", "png", "none"), "oled", "png writes every screen into folder.")
    driver: str = key(kinds.one_of("ssd1306", "sh1106", "ssd1309"), "ssd1306", "oled: the panel's controller chip.")
    bus: str = key(kinds.one_of("i2c", "spi"), "i2c", "oled: how it is wired.")
    port: int | None = optional(kinds.whole(0, 30), 1, "oled: number of the bus. Left out: 1 on i2c, 0 on spi.")
    address: int = key(kinds.address(), 0x3C, "oled on i2c: 0x3C or 0x3D.")
    spi_device: int = key(kinds.whole(0, 2), 0, "oled on spi: number of the chip select.")
    dc: int = key(kinds.pin(), 24, "oled on spi: GPIO of data/command.")
    rst: int = key(kinds.pin(), 25, "oled on spi: GPIO of reset.")
    rotate: int = key(kinds.one_number_of(0, 180), 0, "oled: degrees by which the picture is turned.")
    contrast: int = key(kinds.whole(0, 255), 160, "oled: brightness; less spares the panel.")
    folder: Path | None = optional(kinds.path(), Path("screens"), "png: where screens are written.")

    @property
    def bus_number(self) -> int:
        """Of the I2C or SPI bus: as configured, else the one on a Pi's header."""
        if self.port is not None:
            return self.port
        return 1 if self.bus == "i2c" else 0

    @property
    def place(self) -> str:
        """Where an oled is found: nothing else can be there."""
        if self.bus == "i2c":
            return f"{self.address:#x} on I2C bus {self.bus_number}"
        return f"SPI {self.bus_number}.{self.spi_device}"

    @property
    def bus_pins(self) -> tuple[int, ...]:
        """The GPIOs of its bus and chip select; several panels may share a bus."""
        if self.kind != "oled":
            return ()
        if self.bus == "i2c":
            return I2C_PINS.get(self.bus_number, ())
        select = SPI_SELECTS.get(self.bus_number, ())[: self.spi_device + 1]  # those below it, too
        return (*SPI_PINS.get(self.bus_number, ()), *select)

    @property
    def own_pins(self) -> Mapping[str, int]:
        """The GPIOs that it alone takes, by key."""
        return {"dc": self.dc, "rst": self.rst} if self.kind == "oled" and self.bus == "spi" else {}

    def problems(self) -> Problems:
        if self.kind == "png" and self.folder is None:
            yield "folder", 'a folder, for kind = "png"'
        if self.kind == "png" and (expected := folder_at(self.folder)):
            yield "folder", expected


@dataclass(frozen=True, slots=True)
class Buttons:
    kind: str = key(
        kinds.one_of("gpio", "keyboard", "script", "none"),
        "gpio",
        "gpio: push buttons or a joystick to ground.\n"
        "keyboard: in the terminal a s d f are back, less, more, ok, and so are Esc or Backspace, the\n"
        "arrows and Enter. Shift with a s d f is a long press, k a knock.",
    )
    back: tuple[int, ...] = key(
        kinds.list_of(kinds.pin(), 1, 4), (5,), "gpio: GPIO of the first button; several may do the same."
    )
    less: tuple[int, ...] = key(kinds.list_of(kinds.pin(), 1, 4), (6,), "gpio: of the second button.")
    more: tuple[int, ...] = key(kinds.list_of(kinds.pin(), 1, 4), (13,), "gpio: of the third button.")
    ok: tuple[int, ...] = key(kinds.list_of(kinds.pin(), 1, 4), (19,), "gpio: of the fourth button.")
    knock: int | None = optional(
        kinds.pin(), 26, "gpio: of a piezo or vibration switch that feels a knock on the table."
    )
    debounce_ms: int = key(kinds.whole(1, LONGEST_BOUNCE_MS), 25, "gpio: how long a contact must be quiet.")
    hold_s: float = key(kinds.number(0.2, 5), 0.8, "A press of this length is a long press.")
    stuck_s: float = key(kinds.number(5, 600), 20.0, "A button down for so long is reported as stuck.")
    script: Path | None = optional(kinds.path(), Path("presses.txt"), "script: a file that says what is pressed.")

    @property
    def pins(self) -> Mapping[str, Sequence[int]]:
        """The GPIOs it takes, by key."""
        knock = () if self.knock is None else (self.knock,)
        keys = {"back": self.back, "less": self.less, "more": self.more, "ok": self.ok, "knock": knock}
        return keys if self.kind == "gpio" else {}

    def problems(self) -> Problems:
        if self.kind == "script" and self.script is None:
            yield "script", 'a script file, for kind = "script"'
        if self.kind == "script" and (expected := file_at(self.script)):
            yield "script", expected
        if self.kind == "gpio" and self.hold_s * 1000 <= self.debounce_ms:
            yield "hold_s", f"more than debounce_ms ({self.debounce_ms}), or every press that counts is a long one"


@dataclass(frozen=True, slots=True)
class Ring:
    kind: str = key(
        kinds.one_of("serial", "terminal", "none"), "none", "serial: WLED or an Adalight receiver, USB or UART."
    )
    port: str = key(
        kinds.port(),
        "/dev/companion-ring",
        "serial: its port, e.g. /dev/ttyUSB0, or /dev/serial0, a UART (GPIO 14 and 15);\n"
        "on USB the installer names it as here.",
    )
    baud: int = key(
        kinds.one_number_of(9600, 57600, 115200, 230400, 460800, 500000, 921600, 1000000), 115200, "serial: speed."
    )
    leds: int = key(kinds.whole(1, MOST_LEDS), 60, "Number of LEDs.")
    first: int = key(kinds.whole(0, MOST_LEDS - 1), 0, "The LED in front of the first seat and of the board's space 0.")
    clockwise: bool = key(kinds.yes_no(), True, "Whether the LEDs run clockwise, seen from above.")
    spaces: tuple[int, ...] = key(
        kinds.list_of(kinds.whole(0, MOST_LEDS - 1), 0, 105, distinct=False),
        (),
        "The LED in front of each board space, clockwise from space 0. Empty: they lie evenly.",
    )
    brightness: float = key(kinds.number(0.01, 1), 0.4, "1 is as bright as it gets.")
    while_reading: str = key(
        kinds.one_of("dim", "dark"), "dim", "What it does while dice are thrown and read: it lights them."
    )

    @property
    def uart_pins(self) -> tuple[int, ...]:
        """The GPIOs of its UART; none on USB."""
        return UART_PINS if self.kind == "serial" and self.port in UARTS else ()

    def problems(self) -> Problems:
        if self.kind == "serial" and (expected := file_at(Path(self.port), "a port, and not a folder")):
            yield "port", expected
        if self.first >= self.leds:
            yield "first", f"less than leds ({self.leds}), since LEDs are numbered from 0"
        if any(led >= self.leds for led in self.spaces):
            yield "spaces", f"numbers less than leds ({self.leds}), since LEDs are numbered from 0"


@dataclass(frozen=True, slots=True)
class Settle:
    still_s: float = key(kinds.number(0.1, 10), 0.5, "Seconds that dice must lie still before a roll counts.")
    readings: int = key(kinds.whole(1, 20), 3, "Equal readings in a row that make a roll.")
    ask_after_s: float | None = optional(
        kinds.number(0.5, 60),
        ASK_AFTER_S,
        "Seconds of still dice without a sure reading before players are asked. "
        f"Left out: {ASK_AFTER_S:g}, and never less than still_s.",
    )

    @property
    def asking_s(self) -> float:
        """As configured, else never before dice are read."""
        return max(ASK_AFTER_S, self.still_s) if self.ask_after_s is None else self.ask_after_s

    def problems(self) -> Problems:
        if self.ask_after_s is not None and self.ask_after_s < self.still_s:
            yield "ask_after_s", f"at least still_s ({self.still_s:g}), before which no dice are read"
