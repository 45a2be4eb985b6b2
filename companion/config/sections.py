"""Every key of the configuration, with its meaning, its default and what it may be.

This is the only place that knows a key: the reader, the checker and the commented example are all made from it.
A section's `problems` tells what is wrong between its keys, as (key, what was expected).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.address import without_secrets
from companion.config import kinds
from companion.config.kinds import Colour, key, optional, section, sections
from companion.games.roll.board import REGIONS
from companion.locale import LANGUAGES, SOURCE_LANGUAGE
from companion.paths import is_file, is_folder

Problems = Iterator[tuple[str, str]]
NAME_LONGEST = 12  # letters of usual width: what the screen's top line holds beside tokens and the last round's flag
MOST_LEDS = 512  # of a ring: more than go around any table
LONGEST_BOUNCE_MS = 200
IDLE_FPS = 2.0  # unless told otherwise
I2C_PINS = {0: (0, 1), 1: (2, 3)}  # data and clock of each bus on the header, by its number
SPI_PINS = {0: (10, 11), 1: (20, 21)}  # the same; the panels send nothing back
SPI_SELECTS = {0: (8, 7), 1: (18, 17, 16)}  # by the number of the chip select


@dataclass(frozen=True, slots=True)
class Seat:
    name: str = key(kinds.text(NAME_LONGEST), "seat", "What players call it, usually its colour.")
    colour: Colour = key(kinds.colour(), (255, 255, 255), "Its colour on the ring.")
    place: float | None = optional(
        kinds.number(0, 0.999),
        0.25,
        "Where it lies around the ring, clockwise from the first LED: 0.25 is a quarter turn. Left out: evenly spaced.",
    )

    def problems(self) -> Problems:
        yield from _undrawn("name", self.name)


# colours that neighbours can be told apart by, whatever colours one sees
COLOURS: Mapping[str, Colour] = {
    "red": (255, 0, 0),
    "yellow": (255, 160, 0),
    "green": (0, 200, 80),
    "cyan": (0, 170, 170),
    "blue": (0, 40, 255),
    "purple": (140, 0, 255),
    "pink": (255, 40, 120),
    "white": (160, 160, 160),
}
SEATS = tuple(Seat(name, colour) for name, colour in COLOURS.items())


@dataclass(frozen=True, slots=True)
class Table:
    language: str = key(kinds.one_of(*LANGUAGES), SOURCE_LANGUAGE, "Language of screens, as far as it is translated.")
    games: tuple[str, ...] = key(
        kinds.list_of(kinds.one_of("roll", "cat", "free"), 1, 3),
        ("roll", "cat", "free"),
        "Games offered, the usual one first.",
    )
    names: tuple[str, ...] = key(
        kinds.list_of(kinds.text(NAME_LONGEST), 0, 20),
        (),
        "Names offered when players are named, so that nobody has to spell. In Latin letters.",
    )
    seat: tuple[Seat, ...] = sections(
        Seat,
        SEATS,
        "The seats, clockwise, one table each. They go together: with one, all of these are replaced.",
        low=1,
        high=8,
    )

    @property
    def places(self) -> tuple[float, ...]:
        """Where each seat lies around the ring, in turns: as configured, else evenly spaced."""
        even = (number / len(self.seat) for number in range(len(self.seat)))
        return tuple(
            seat.place if seat.place is not None else place for seat, place in zip(self.seat, even, strict=True)
        )

    def problems(self) -> Problems:
        yield from _undrawn("names", *self.names)
        yield from _named_alike("seat", self.seat)
        many = [game for game in self.games if game != "free"]
        if many and len(self.seat) < 2:
            yield "seat", f"a second seat for {' and '.join(many)}, or nothing but free in games,"


@dataclass(frozen=True, slots=True)
class Roll:
    cards: str = key(
        kinds.one_of("ask", "track"), "ask", "How closely cards are followed: ask if rat or not, or track values."
    )
    pool: int = key(kinds.whole(0, 1000), 20, "Re-roll tokens left in the centre after dealing.")

    @property
    def usual(self) -> dict[str, Any]:
        """Members of a `start` line that hold unless the players change them."""
        return {"cards": self.cards, "pool": self.pool}


@dataclass(frozen=True, slots=True)
class Cat:
    end: str = key(
        kinds.one_of("limit", "rounds", "minutes"), "limit", "What ends the game; the key of that name says when."
    )
    limit: int = key(kinds.whole(1, 10_000), 100, "Points that put a player out.")
    rounds: int = key(kinds.whole(1, 1000), 5, "Number of rounds.")
    minutes: float = key(kinds.number(1, 1440), 30.0, "Minutes after which no new round starts.")
    scores: bool = key(kinds.yes_no(), True, "Whether points are written down; without them rounds won are counted.")
    younger: bool = key(kinds.yes_no(), False, "The variant for younger players.")
    pace: str = key(
        kinds.one_of("light", "full"), "light", "light: a turn is just ended. full: every draw is declared."
    )

    @property
    def usual(self) -> dict[str, Any]:
        """Members of a `start` line that hold unless the players change them."""
        end = {self.end: self.ends[self.end]}
        return {"end": end, "scores": self.scores, "younger": self.younger, "pace": self.pace}

    @property
    def ends(self) -> dict[str, Any]:
        """When each way to end a game ends it, unless the players change that."""
        return {"limit": self.limit, "rounds": self.rounds, "minutes": self.minutes}

    def problems(self) -> Problems:
        if not self.scores and self.end == "limit":
            yield "end", '"rounds" or "minutes", since without scores there are no points to limit'


@dataclass(frozen=True, slots=True)
class Free:
    dice: int = key(kinds.whole(1, 6), 2, "Number of dice at most.")

    @property
    def usual(self) -> dict[str, Any]:
        """Members of a `start` line that hold unless the players change them."""
        return {"dice": self.dice}


UNNAMED = "region"


@dataclass(frozen=True, slots=True)
class Region:
    name: str = key(kinds.text(NAME_LONGEST), UNNAMED, "Its colour's name; without one it is told by its number.")
    colour: Colour = key(kinds.colour(), (255, 255, 255), "Its colour on the ring.")
    spaces: tuple[str, ...] = key(
        kinds.list_of(kinds.one_of("choice", "token", "peek"), 1, 20, distinct=False),
        ("choice", "token", "peek"),
        "Its spaces, clockwise. The Wild space before it is always there and not written.",
    )

    def problems(self) -> Problems:
        yield from _undrawn("name", self.name)


BOARD_REGIONS = tuple(Region(name, COLOURS[name]) for name in ("red", "yellow", "green", "blue", "purple"))


@dataclass(frozen=True, slots=True)
class Board:
    region: tuple[Region, ...] = sections(
        Region,
        BOARD_REGIONS,
        "The colour regions of the Roll board, clockwise from space 0: five tables, or none for these.",
        low=REGIONS,
        high=REGIONS,
    )

    def problems(self) -> Problems:
        yield from _named_alike("region", [one for one in self.region if one.name != UNNAMED])


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
    size: tuple[int, int] = key(kinds.size(), (640, 480), "Width and height of a picture, in pixels.")
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
        """What tells it from other cameras of its kind: of a video its address, as far as that may be told."""
        return without_secrets(str(self.url)) if self.kind == "video" and self.url else self.device

    @property
    def resting_fps(self) -> float:
        """While no dice are expected: as configured, else as few as do."""
        return min(IDLE_FPS, self.fps) if self.idle_fps is None else self.idle_fps

    def problems(self) -> Problems:
        if self.kind == "video" and self.url is None:
            yield "url", 'the address of a stream or the name of a file, for kind = "video"'
        if self.kind == "folder" and self.path is None:
            yield "path", 'a folder of pictures, for kind = "folder"'
        if self.kind == "picamera2" and not self.device.isdigit():
            yield "device", 'a number, for kind = "picamera2"'
        if self.idle_fps is not None and self.idle_fps > self.fps:
            yield "idle_fps", f"at most fps ({self.fps:g})"


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
    def own_pins(self) -> tuple[int, ...]:
        """The GPIOs that it alone takes."""
        return (self.dc, self.rst) if self.kind == "oled" and self.bus == "spi" else ()

    def problems(self) -> Problems:
        if self.kind == "png" and self.folder is None:
            yield "folder", 'a folder, for kind = "png"'


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
    def pins(self) -> tuple[int, ...]:
        """The GPIOs it takes."""
        knock = () if self.knock is None else (self.knock,)
        return (*self.back, *self.less, *self.more, *self.ok, *knock) if self.kind == "gpio" else ()

    def problems(self) -> Problems:
        if self.kind == "script" and self.script is None:
            yield "script", 'a script file, for kind = "script"'


@dataclass(frozen=True, slots=True)
class Ring:
    kind: str = key(
        kinds.one_of("serial", "terminal", "none"), "none", "serial: WLED or an Adalight receiver, USB or UART."
    )
    port: str = key(
        kinds.text(),
        "/dev/companion-ring",
        "serial: its port, e.g. /dev/ttyUSB0, or /dev/serial0, a UART; on USB the installer names it as here.",
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

    def problems(self) -> Problems:
        if self.first >= self.leds:
            yield "first", f"less than leds ({self.leds}), since LEDs are numbered from 0"
        if any(led >= self.leds for led in self.spaces):
            yield "spaces", f"numbers less than leds ({self.leds}), since LEDs are numbered from 0"


@dataclass(frozen=True, slots=True)
class Settle:
    still_s: float = key(kinds.number(0.1, 10), 0.5, "Seconds that dice must lie still before a roll counts.")
    readings: int = key(kinds.whole(1, 20), 3, "Equal readings in a row that make a roll.")
    ask_after_s: float = key(
        kinds.number(0.5, 60), 3.0, "Seconds of still dice without a sure reading before players are asked."
    )


@dataclass(frozen=True, slots=True)
class Files:
    journal: Path | None = optional(
        kinds.path(), Path("/var/lib/companion/journal.db"), "The journal of all games. Left out: in the state folder."
    )
    calibration: Path | None = optional(
        kinds.path(), Path("/var/lib/companion/calibration"), "Folder of calibrations. Left out: in the state folder."
    )

    def problems(self) -> Problems:
        """A path where nothing is yet is none: it is made. One where the wrong thing is never comes right."""
        if self.journal is not None and is_folder(self.journal):
            yield "journal", "a file, such as journal.db in this folder, and not the folder"
        if self.calibration is not None and is_file(self.calibration):
            yield "calibration", "a folder, and not a file"


@dataclass(frozen=True, slots=True)
class Service:
    log: str = key(kinds.one_of("debug", "info", "warning", "error"), "info", "How much is written to the log.")
    power_menu: bool = key(
        kinds.yes_no(), True, "Whether the menu of a service may shut down and restart the computer."
    )


@dataclass(frozen=True, slots=True)
class Config:
    preset: str = key(
        kinds.one_of("plain", "adafruit-bonnet", "waveshare-hat", "laptop", "custom"),
        "plain",
        "Hardware that fills in display and buttons; keys below go before it.\n"
        "Of several [[display]] or [[buttons]] the first without a kind is that hardware.\n"
        "plain: an I2C panel and four push buttons. adafruit-bonnet, waveshare-hat: panels that bring buttons along.\n"
        "laptop: USB camera, terminal and keyboard. custom: nothing is filled in but the defaults below.",
    )
    table: Table = section(Table, "The table and its players.")
    roll: Roll = section(Roll, "Usual settings of Rat-a-Tat Roll.")
    cat: Cat = section(Cat, "Usual settings of Rat-a-Tat Cat.")
    free: Free = section(Free, "Usual settings of the free table.")
    board: Board = section(Board, "The board of Rat-a-Tat Roll.")
    camera: Camera = section(Camera, "The camera above the tray.")
    display: tuple[Display, ...] = sections(
        Display, (Display(),), "Where the players look. Several displays: one table [[display]] each.", low=0, high=8
    )
    buttons: tuple[Buttons, ...] = sections(
        Buttons, (Buttons(),), "What the players press. Several kinds: one table [[buttons]] each.", low=0, high=8
    )
    ring: Ring = section(Ring, "The ring of LEDs around the table or board.")
    settle: Settle = section(Settle, "When dice count as rolled.")
    files: Files = section(Files, "Where things are kept.")
    service: Service = section(Service, "The daemon.")

    def problems(self) -> Problems:
        for place, times in Counter(display.place for display in self.display if display.kind == "oled").items():
            if times > 1:
                yield "display", f"a place of its own for each oled ({place} is there {times} times)"
        for folder, times in Counter(display.folder for display in self.display if display.kind == "png").items():
            if times > 1:
                yield "display", f"a folder of its own for each png ({folder} is there {times} times)"
        for name, kind, devices in (("display", "terminal", self.display), ("buttons", "keyboard", self.buttons)):
            times = sum(device.kind == kind for device in devices)
            if times > 1:
                yield name, f"at most one {kind} ({times} are there)"
        spaces = REGIONS + sum(len(region.spaces) for region in self.board.region)  # each has its Wild space, R2
        if self.ring.spaces and len(self.ring.spaces) != spaces:
            told = f"{len(self.ring.spaces)} are there"
            yield "ring.spaces", f"one LED for each of the {spaces} board spaces, or none at all ({told})"
        yield from self._pins_taken_twice()

    def _pins_taken_twice(self) -> Problems:
        panels = Counter({pin for display in self.display for pin in display.bus_pins})
        panels.update(pin for display in self.display for pin in display.own_pins)
        buttons = Counter(pin for buttons in self.buttons for pin in buttons.pins)
        for pin, times in (panels + buttons).items():
            key, users = ("buttons", "buttons and display") if pin in buttons else ("display", "display")
            if times > 1:
                yield key, f"each GPIO for one thing (GPIO {pin} is used {times} times by {users})"


def _named_alike(key: str, sections: Sequence[Seat] | Sequence[Region]) -> Problems:
    """Names that players cannot tell apart, who see the first letter large."""
    names = [unicodedata.normalize("NFC", each.name).casefold() for each in sections]
    for name, times in Counter(names).items():
        if times > 1:
            shown = sections[names.index(name)].name
            yield key, f'a name of its own for each {key} ("{shown}" is there {times} times)'


def _undrawn(key: str, *names: str) -> Problems:
    """Names that the screen would show as boxes, one like the other."""
    text = "".join(names)
    if text.isascii():  # every font has these
        return
    from companion.screen.font import SIZES, font  # what draws takes long to load, and few names need it

    lacking = font(SIZES[0]).lacking(text)
    if lacking:
        yield key, f"a spelling in Latin letters (the screen cannot draw {', '.join(lacking)})"
