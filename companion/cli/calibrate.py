"""`companion calibrate`: camera, tray, dice, Wild die, ring and buttons measured, each step repeatable alone."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration import use
from calibration.facts import Profile
from calibration.given import Misgiven, require_fit, require_inside
from calibration.guide import LOST_S, Guide
from calibration.kept import kept, kept_anew, tidied, tried
from calibration.overlay import gridded
from calibration.parsed import ProfileClosed, ProfileError
from calibration.profile import FILE, load, of_drawn, written
from calibration.sheet import PAPERS, sheet
from calibration.simulated import WRONGS
from calibration.tray import Found, Tray, by_hand, find_markers, measure, set_in
from companion import config as settings
from companion.cli import config_option, is_of_output
from companion.cli.calibrate_steps import ON_THE_TRAY, begun
from companion.cli.calibrate_table import table_of
from companion.cli.ends import each_as_ctrl_c
from companion.compose import layout_of
from companion.demo.clocks import FastClock
from companion.lights import colours
from companion.locale import N_, texts
from companion.paths import first_among, put_whole
from companion.ports import Camera, Clock, Colour, DeviceLost
from companion.typed import file_ending_in, to_type, typed_path, whole_number
from companion.view import Mood, RingView
from hardware.clock import SystemClock

STEPS = ("camera", "dice", "wild", "ring", "buttons", "check")
NAMES = {
    "camera": N_("Camera"),
    "dice": N_("Dice"),
    "wild": N_("Wild die"),
    "ring": N_("Ring"),
    "buttons": N_("Buttons"),
    "check": N_("Check"),
}
MAYBE_REAL = "it may be a real table's, which is put aside only without --simulated"
ELSEWHERE = "name another --folder, or none"
PAPER, SHEET = "a4", "markers.pdf"
ONLY_OF = {"--paper": "sheet", "--out": "sheet", "--corners": "camera", "--tray": "camera", "--grid": "camera"}
"""Options that one step alone takes."""
NOT_OF = {
    "sheet": ("--config", "--folder", "--simulated", "--seed", "--wrong", "--auto"),
    "show": ("--seed", "--wrong", "--auto"),
    "ring": ("--wrong",),
    "buttons": ("--wrong",),
    "wild": ("--wrong",),
    "check": ("--wrong",),
}
"""Options of all steps but these."""
WRONG_WITH_DICE = ("dark", "far")
"""What is wrong with the dice step, too: of the rest only the camera's judges."""
DESCRIPTION = """\
Measures one table, guided step by step on its screen (or in the terminal) and answered with its four buttons.
Each step can be repeated alone; what it measured before stays until the new is accepted, and Ctrl-C changes nothing.
Status: 0 when every step was accepted; 1 when something is lost or broken; 2 when you turned back, or for options that
make no sense. On a keyboard a s d f are the four buttons, and so are Esc, the arrows and Enter.

  sheet    writes a page with markers for the tray's corners: print it at 100 %
  camera   finds the tray by the markers; says what is wrong with light, focus or view
  dice     the table's own number dice, thrown three times: size and colours
  wild     each face of the Wild die, shown a few times
  ring     number of LEDs, first LED, direction, seats and board spaces: a light walks, a button stops it
  buttons  each pressed as it is named; how long the contacts bounce
  check    twenty throws that you confirm: how often right, unsure, wrong, and how quickly
  show     prints what is known
"""
BY_HAND = """\
Without markers, the tray's corners can be given by hand:
  1. companion calibrate camera --grid tray.png      writes the camera's picture with a grid over it
  2. open tray.png and read off where the corners of the tray's floor are, in pixels from the left and the top
  3. measure the floor with a ruler, and give both, the far left corner first, then clockwise:
     companion calibrate camera --corners 74,66 565,66 583,425 56,425 --tray 180x130
     (with --grid PNG beside them, the corners are drawn into the picture, to be looked at first)
Focus is judged by the markers only, so look at the picture yourself.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description, parser.epilog = DESCRIPTION, BY_HAND
    parser.add_argument(
        "step",
        nargs="?",
        choices=("all", "sheet", "show", *STEPS),
        default="all",
        help="one step alone; all by default",
    )
    config_option(parser)
    parser.add_argument("--folder", type=typed_path, help="where the profile is kept; the configuration's by default")
    parser.add_argument("--paper", choices=sorted(PAPERS), help=f"sheet: its size (default: {PAPER})")
    pdf, png = file_ending_in("a sheet", ".pdf"), file_ending_in("a grid", ".png")
    parser.add_argument("--out", type=pdf, metavar="PDF", help=f"sheet: where to write it (default: {SHEET})")
    parser.add_argument(
        "--corners", type=_point, nargs=4, metavar="X,Y", help="camera: the tray's corners, as told below"
    )
    parser.add_argument("--tray", type=_millimetres, metavar="WxD", help="with --corners: width and depth in mm")
    parser.add_argument(
        "--grid", type=png, metavar="PNG", help="camera: only write its picture with a grid into this file"
    )
    parser.add_argument(
        "--simulated", action="store_true", help="calibrate a drawn table: no hardware needed, the real one untouched"
    )
    parser.add_argument("--seed", type=whole_number(0), metavar="N", help="of the drawn table, 0 or more (default: 0)")
    parser.add_argument(
        "--wrong",
        choices=sorted(WRONGS),
        help=f"camera: what is wrong with the drawn table; dice: {' or '.join(WRONG_WITH_DICE)}",
    )
    parser.add_argument("--auto", action="store_true", help="with --simulated: press the buttons by itself")


def _point(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)", text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text.strip()!r}: a corner is two numbers of pixels such as 74,66")
    return float(found[1]), float(found[2])


def _millimetres(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
    if found is None or not all(20 <= float(side) <= 2000 for side in found.groups()):
        raise argparse.ArgumentTypeError(f"{text!r}: a tray is so many millimetres wide and deep, such as 180x130")
    return float(found[1]), float(found[2])


def run(options: argparse.Namespace) -> int:
    """0 when every step was accepted, 1 when something is lost or broken, 2 when the players turned back,
    or for options that make no sense."""
    try:
        _require_sense(options)
    except ValueError as error:
        return _failed(error, 2)
    try:
        if options.step == "sheet":
            return _sheet(options.paper or PAPER, options.out or Path(SHEET))
        file = settings.find(options.config, os.environ)
        config = _config(file, simulated=options.simulated)
        folder = options.folder or settings.calibration_folder(config, os.environ, file)
        if options.grid is not None:
            _require_elsewhere(options.grid, config.camera)
        elif options.step != "show":
            tried(folder)
        profile, broken = _known(options, folder)
        if options.simulated and options.folder is not None:
            _require_drawn(profile, folder)
        if options.step == "show":
            print(written(profile) if (folder / FILE).exists() else f"nothing is calibrated yet in {folder}")
            return 0
        with each_as_ctrl_c():
            return _calibrate(config, options, folder, profile, broken=broken)
    except Misgiven as error:
        return _failed(error, 2)
    except (settings.ConfigError, ProfileError, DeviceLost, OSError, ValueError) as error:
        if isinstance(error, OSError) and is_of_output(error):
            raise
        return _failed(error, 1)


def _known(options: argparse.Namespace, folder: Path) -> tuple[Profile, bool]:
    """What was measured so far, and whether it is broken: then the camera begins anew, as at a new table.

    Raises ProfileError for the other steps, and where a drawn table would take the place of what may be a real one's.
    """
    try:
        return load(folder), False
    except ProfileError as error:
        if options.step == "show" or (isinstance(error, ProfileClosed) and options.grid is None):
            raise
        if options.simulated and options.folder is not None and not of_drawn(folder):
            raise ProfileError(error.file, error.where, error.expected, f"{MAYBE_REAL}; {ELSEWHERE}") from None
        if options.step not in ("all", "camera"):
            first = f"first run {_camera_first(options)}, which puts it aside"
            raise ProfileError(error.file, error.where, error.expected, first) from None
        if options.grid is None:
            print(f"{error.wrong}; it is put aside once the camera is measured anew", file=sys.stderr)
        return Profile(), True


def _failed(error: Exception, status: int) -> int:
    print(f"companion calibrate: {error}", file=sys.stderr)
    return status


def _require_sense(options: argparse.Namespace) -> None:
    """Raises ValueError for options that do not go together, or of another step."""
    given = [f"--{name}" for name, value in vars(options).items() if value is not None and value is not False]
    for flag in given:
        if options.step != ONLY_OF.get(flag, options.step):
            raise ValueError(f"{flag} belongs to companion calibrate {ONLY_OF[flag]}")
        if flag in NOT_OF.get(options.step, ()):
            raise ValueError(f"companion calibrate {options.step} takes no {flag}")
    if options.auto and not options.simulated:
        raise ValueError("--auto needs --simulated; at a real table people press")
    if options.wrong and not options.simulated:
        raise ValueError("--wrong needs --simulated; of a real table the camera tells what is wrong")
    if options.wrong and options.step == "dice" and options.wrong not in WRONG_WITH_DICE:
        raise ValueError(f"dice takes no --wrong {options.wrong}, but {' or '.join(WRONG_WITH_DICE)}; camera takes all")
    if (options.corners is None) != (options.tray is None):
        raise ValueError("--corners and --tray go together: where the corners are seen, and how large the tray is")
    if options.seed is not None and not options.simulated:
        raise ValueError("--seed needs --simulated; a real table has none")


def _require_elsewhere(grid: Path, camera: settings.Camera) -> None:
    """Raises ValueError for a grid that would lie among the photos that the camera shows, or in the place of one."""
    if camera.kind == "folder" and camera.path is not None and first_among([grid.parent], [camera.path]) is not None:
        raise ValueError(f"{grid} would be shown by the camera as a photo the next time; name a file elsewhere")


def _require_drawn(profile: Profile, folder: Path) -> None:
    """Raises ValueError where a real table's profile may lie in a folder that was named: nothing drawn goes there."""
    drawn = profile.camera.kind == "simulated" if profile.camera is not None else profile == Profile()
    if not drawn:
        found = "no camera is kept there" if profile.camera is None else f'camera.kind = "{profile.camera.kind}"'
        raise ValueError(
            f'{folder / FILE}: {found}, but "simulated" was expected, since a drawn table must not take a real one\'s '
            f"place; {ELSEWHERE}"
        )


def _sheet(paper: str, out: Path) -> int:
    _put(out, sheet(paper))
    print(f"{out}: print it at 100 % on {paper.upper() if paper == 'a4' else paper.capitalize()}")
    return 0


def _put(file: Path, content: bytes) -> None:
    """Raises ValueError, which names the file."""
    try:
        put_whole(file, content)
    except OSError as error:
        raise ValueError(f"cannot write {file}: {error.strerror}") from None


def _config(file: Path | None, *, simulated: bool) -> settings.Config:
    """That of a drawn table has a drawn camera; without one of its own it is led in the terminal."""
    if not simulated:
        return settings.load(file)
    config = settings.parse(b'preset = "laptop"\n', Path("companion.toml")) if file is None else settings.load(file)
    return replace(config, camera=replace(config.camera, kind="simulated"))


def _calibrate(
    config: settings.Config, options: argparse.Namespace, folder: Path, profile: Profile, *, broken: bool
) -> int:
    """What was kept is told when the screen in the terminal is gone, even after Ctrl-C."""
    wanted = _wanted(config, options)
    told: list[str] = []
    status = 0
    with ExitStack() as opened:
        opened.callback(_tell, told)
        clock: Clock = FastClock(None) if options.auto else SystemClock()
        table = table_of(config, options, clock, opened)
        tray = _tray(options, table.camera)
        if options.grid is not None:
            return _grid(table.camera, tray, options.grid)
        if tray is not None and (size := _size(table.camera)) is not None:
            require_fit(tray, size)
        guide = Guide(table, clock=clock, texts=texts(config.table.language), say=_say)
        for number, name in enumerate(wanted, 1):
            size = _size(table.camera) if name in ON_THE_TRAY else None
            first = _camera_first(options)
            step = begun(name, profile, config, folder, tray=tray, size=size, first=first)
            title = texts(config.table.language)(NAMES[name])
            title = title if len(wanted) == 1 else f"{title} {number}/{len(wanted)}"
            try:
                done = guide.through(step, title, reading=_reading_light(use.in_place(config, profile).ring))
            except DeviceLost as lost:
                if lost.device != "ring" or len(wanted) == 1:
                    raise
                told.append(f"{name}: left as it was, since {lost}")
                status = 1
                continue
            if done is None:
                told.append(f"{name}: left as it was")
                return 2
            if broken:
                profile, aside = kept_anew(done, folder)
                told.append(f"what was broken is kept as {aside}")
                broken = False
            else:
                profile = kept(done, profile, folder)
            told.append(f"{name}: kept in {folder / FILE}")
            told += [left] if (left := tidied(profile, folder)) else []
    return status


def _tell(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)


def _reading_light(ring: settings.Ring) -> tuple[Colour, ...]:
    """What the ring shows in play while dice are read."""
    return colours(RingView(Mood.READING), layout_of(ring), 0)


def _say(line: str) -> None:
    print(line, flush=True)


def _wanted(config: settings.Config, options: argparse.Namespace) -> tuple[str, ...]:
    """Raises ValueError for a step alone that has nothing to measure."""
    if options.step != "all":
        if options.step == "ring" and config.ring.kind == "none" and not options.simulated:
            raise ValueError("the configuration has no ring; ring.kind says what it is")
        return (options.step,)
    missing = {
        "ring" if config.ring.kind == "none" and not options.simulated else "",
        "wild" if "roll" not in config.table.games else "",
    }
    return tuple(name for name in STEPS if name not in missing)


def _tray(options: argparse.Namespace, camera: Camera) -> Tray | None:
    """The one whose corners were given. Raises Misgiven for those that are no tray's: first of all for one that lies
    outside the picture, beside which the others seem to cross."""
    if options.corners is None:
        return None
    corners = np.array(options.corners)
    try:
        return by_hand(corners, options.tray)
    except ValueError as crossed:
        if (size := _size(camera)) is not None:
            require_inside(corners, size)
        raise Misgiven(str(crossed)) from None


def _size(camera: Camera) -> tuple[int, int] | None:
    """Of its pictures; None where it gives none, which is told while it is watched. The first may be long in coming."""
    frame = camera.frame(LOST_S)
    return None if frame is None else (frame.picture.shape[1], frame.picture.shape[0])


def _grid(camera: Camera, tray: Tray | None, file: Path) -> int:
    """The newest of a few pictures, since a camera's first ones are often dark."""
    picture = None
    for _n in range(10):
        frame = camera.frame(1.0)
        picture = frame.picture if frame is not None else picture
    if picture is None:
        raise DeviceLost("camera", "the camera gives no pictures", camera.remedy)
    found = find_markers(picture)
    shown = _by_markers(found) if tray is None else tray
    good, coded = cv2.imencode(".png", gridded(picture, found, shown))
    assert good
    _put(file, coded.tobytes())
    print(f"{file}: open it, and read off the tray's corners; companion calibrate --help tells how to give them")
    if tray is not None:
        require_fit(tray, (picture.shape[1], picture.shape[0]))
    return 0


def _by_markers(found: Found) -> Tray | None:
    """The tray whose markers are seen; None where they tell none, for which a grid is drawn all the same."""
    stickers = set_in(found)
    try:
        return None if stickers is None else measure(found, stickers)
    except ValueError:
        return None


def _camera_first(options: argparse.Namespace) -> str:
    """The command that measures the camera of the same table."""
    table = {"--config": options.config, "--folder": options.folder, "--seed": options.seed}
    named = [word for flag, value in table.items() if value is not None for word in (flag, value)]
    return to_type("companion", "calibrate", "camera", *(["--simulated"] if options.simulated else []), *named)
