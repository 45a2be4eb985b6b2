"""The composition root: from the configuration to a table's devices. Only here is it known which of them is real."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import cast

from companion import config as settings
from companion.config.games import BOARD_REGIONS, SEATS, UNNAMED
from companion.demo.tray import DrawnTray
from companion.events import Button
from companion.games.roll import Board, Kind
from companion.lights import RingLayout
from companion.locale import Texts, texts
from companion.loop import STEPS
from companion.ports import Buttons, Camera, Clock, Display, Locks, Picture, Ring
from companion.serve import Rig
from companion.table.house import House, HouseSeat, Region
from companion.vision.settle import Patience, Settler
from companion.words import colour
from hardware.buttons_gpio import GpioButtons, GpioKnock
from hardware.buttons_keyboard import Keyboard
from hardware.buttons_script import ScriptButtons
from hardware.camera_capture import stream_camera, usb_camera
from hardware.camera_folder import FolderCamera
from hardware.camera_picamera2 import Picamera2Camera
from hardware.camera_simulated import SimulatedCamera
from hardware.camera_turned import TurnedCamera
from hardware.camera_video import VideoCamera
from hardware.display_oled import OledDisplay, on_i2c, on_spi
from hardware.display_png import PngDisplay
from hardware.keys import legend
from hardware.oled_panel import Panel
from hardware.ring_serial import SerialRing
from hardware.terminal import Terminal, TerminalDisplay, TerminalRing, can_be_drawn_on

log = logging.getLogger(__name__)

SCREEN_SCALE = 4  # of screens kept as files, so that people can look at them
READING_LIGHT = 0.2  # of the ring, while dice are thrown and read: seen, and no shadow of it on the dice


def _regions(board: settings.Board, _: Texts) -> tuple[Region, ...]:
    """Each told from the others, also where they have no names."""
    usual = enumerate(_names(board.region, BOARD_REGIONS, _), 1)
    names = (_("Region {n}").format(n=n) if name == UNNAMED else name for n, name in usual)
    return tuple(Region(_begun_large(name), region.colour) for name, region in zip(names, board.region, strict=True))


def _names(
    own: Sequence[settings.Seat] | Sequence[settings.Region],
    usual: Sequence[settings.Seat] | Sequence[settings.Region],
    _: Texts,
) -> tuple[str, ...]:
    """As they are configured; where they are the usual ones, which are named for colours, in the players' language."""
    names = tuple(one.name for one in own)
    return tuple(colour(name, _) for name in names) if names == tuple(one.name for one in usual) else names


def _begun_large(name: str) -> str:
    """As it is written at the beginning of a line."""
    return name[:1].upper() + name[1:]


def house_of(config: settings.Config) -> House:
    """The household that a configuration describes."""
    table, _ = config.table, texts(config.table.language)
    return House(
        seats=tuple(
            HouseSeat(_begun_large(name), colour, place)
            for name, colour, place in zip(_names(table.seat, SEATS, _), table.colours, table.places, strict=True)
        ),
        regions=_regions(config.board, _),
        names=table.names,
        games=table.games,
        usual={"roll": config.roll.usual, "cat": config.cat.usual, "free": config.free.usual},
        ends=config.cat.ends,
        board=Board(tuple(cast(tuple[Kind, ...], region.spaces) for region in config.board.region)),
        texts=_,
        has_camera=config.camera.kind != "none",
    )


def rig_of(
    config: settings.Config,
    *,
    clock: Clock,
    stands: Callable[[], tuple[str, ...] | None] = lambda: (),
    ended: Callable[[bool], None] = lambda _whole: None,
    knocked: Callable[[], None] | None = None,
    locks: Locks | None = None,
) -> Rig:
    """How the configured devices are opened. `stands`, `ended`: what a script of presses looks at and tells.

    `knocked` hears of a knock on the table, be it felt, or the key "k" of a keyboard or a script. `locks`: what the
    camera was fixed to when it was calibrated.
    """
    terminal = Terminal()
    below = (legend(knocks=knocked is not None),) if _has_keyboard(config) else ()
    below_ring = () if _has_terminal(config) else below
    knocked = knocked or (lambda: None)
    displays = tuple(_display(display, terminal, below) for display in config.display)
    known = known_places(config)
    buttons = tuple(_buttons(section, clock, stands, ended, knocked, known) for section in config.buttons)
    return Rig(
        camera=camera_of(config.camera, clock=clock, locks=locks),
        displays=tuple(opened for opened in displays if opened is not None),
        buttons=tuple(opened for opened in buttons if opened is not None),
        knocks=tuple(
            partial(GpioKnock, section.knock, clock=clock, knocked=knocked)
            for section in config.buttons
            if section.kind == "gpio" and section.knock is not None
        ),
        ring=_ring(config.ring, terminal, below_ring, clock),
        layout=layout_of(config.ring),
        watching_s=1 / config.camera.fps,
        idle_s=1 / config.camera.resting_fps,
    )


def known_places(config: settings.Config) -> frozenset[str]:
    """Where a script of presses may find the table, as far as that is known before anybody plays."""
    return STEPS.union(config.table.names)


def legend_of(config: settings.Config, *, knocks: bool) -> str:
    """What the keys of the keyboard do, where it is buttons and no screen in the terminal says so; else "".

    `knocks`: whether a knock is heard.
    """
    said = _has_terminal(config) and can_be_drawn_on(sys.stdout)
    heard = _has_keyboard(config) and sys.stdin is not None and sys.stdin.isatty()
    return legend(knocks=knocks) if heard and not said else ""


def _has_terminal(config: settings.Config) -> bool:
    """Whether its screen is one."""
    return any(display.kind == "terminal" for display in config.display)


def _has_keyboard(config: settings.Config) -> bool:
    return any(buttons.kind == "keyboard" for buttons in config.buttons)


def settler_of(settle: settings.Settle) -> Settler:
    return Settler(Patience(settle.still_s, settle.readings, settle.asking_s))


def layout_of(ring: settings.Ring) -> RingLayout:
    dim = READING_LIGHT if ring.while_reading == "dim" else 0.0
    return RingLayout(ring.leds, ring.first, ring.clockwise, ring.brightness, reading=dim, spaces=ring.spaces)


def camera_of(
    camera: settings.Camera,
    *,
    clock: Clock,
    locks: Locks | None = None,
    drawn: Callable[[float], Picture] | None = None,
) -> Callable[[], Camera] | None:
    """How the configured camera is opened. `drawn`: what a simulated one sees at a time; else a tray of its own."""
    match camera.kind:
        case "none":
            return None
        case "simulated":
            return partial(SimulatedCamera, drawn or DrawnTray(seed=0).picture, clock=clock, fps=camera.fps)
        case "video" | "usb" | "picamera2" | "folder":
            warn = cache(log.warning)  # once of each picture, however often the camera is opened anew
            return lambda: TurnedCamera(_opened_camera(camera, clock, locks, warn), camera.rotate)
        case kind:
            raise AssertionError(f"no camera of kind {kind!r}")


def _opened_camera(camera: settings.Camera, clock: Clock, locks: Locks | None, warn: Callable[[str], None]) -> Camera:
    """A camera that looks at a real tray, or at the recording of one."""
    match camera.kind:
        case "usb":
            return usb_camera(camera.device, size=camera.size, fps=camera.fps, clock=clock, locks=locks)
        case "picamera2":
            return Picamera2Camera(clock=clock, device=camera.device, size=camera.size, fps=camera.fps, locks=locks)
        case "folder":
            assert camera.path is not None
            return FolderCamera(
                camera.path,
                clock=clock,
                order=camera.order,
                empty_s=camera.empty_s,
                fps=camera.fps,
                warn=warn,
            )
        case _:
            assert camera.url is not None
            return (
                VideoCamera(camera.url, clock=clock)
                if isinstance(camera.url, Path)
                else stream_camera(camera.url, clock=clock)
            )


def _display(display: settings.Display, terminal: Terminal, below: tuple[str, ...]) -> Callable[[], Display] | None:
    match display.kind:
        case "none":
            return None
        case "terminal":
            return partial(TerminalDisplay, terminal, below=below)
        case "png":
            assert display.folder is not None
            return partial(PngDisplay, display.folder, scale=SCREEN_SCALE)
        case _:
            return _oled(display)


def _oled(display: settings.Display) -> Callable[[], Display]:
    """A panel keeps its driver over every loss of its connection."""
    panel = Panel(display.driver, rotate_deg=display.rotate, contrast=display.contrast)
    if display.bus == "i2c":
        connect = on_i2c(port=display.bus_number, address=display.address)
    else:
        connect = on_spi(port=display.bus_number, device=display.spi_device, dc=display.dc, rst=display.rst)
    return partial(OledDisplay, panel, connect, where=display.place)


def _buttons(
    section: settings.Buttons,
    clock: Clock,
    stands: Callable[[], tuple[str, ...] | None],
    ended: Callable[[bool], None],
    knocked: Callable[[], None],
    known: frozenset[str],
) -> Callable[[], Buttons] | None:
    match section.kind:
        case "none":
            return None
        case "keyboard":
            return partial(Keyboard, other=knock_key(knocked))
        case "script":
            assert section.script is not None
            return partial(
                ScriptButtons,
                section.script,
                clock=clock,
                stands=stands,
                known=known,
                other=knock_key(knocked),
                ended=ended,
            )
        case _:
            pins = {
                Button.BACK: section.back,
                Button.LESS: section.less,
                Button.MORE: section.more,
                Button.OK: section.ok,
            }
            return partial(
                GpioButtons,
                pins,
                clock=clock,
                settle_s=section.debounce_ms / 1000,
                hold_s=section.hold_s,
                stuck_s=section.stuck_s,
            )


def knock_key(knocked: Callable[[], None], other: Callable[[str], None] = lambda _key: None) -> Callable[[str], None]:
    """Hears the keys that are no buttons: "k" knocks on the table, the others go on to `other`."""
    return lambda key: knocked() if key == "k" else other(key)


def _ring(ring: settings.Ring, terminal: Terminal, below: tuple[str, ...], clock: Clock) -> Callable[[], Ring] | None:
    match ring.kind:
        case "none":
            return None
        case "terminal":
            return partial(TerminalRing, terminal, below=below)
        case _:
            return partial(SerialRing, ring.port, leds=ring.leds, clock=clock, baud=ring.baud)
