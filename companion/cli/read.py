"""`companion read`: reads dice in picture files."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import time
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import cv2

from companion.events import Box, Die, Reading, WildDie, box_times
from companion.paths import is_file, is_folder, put_whole
from companion.pictures import HIDDEN, SUFFIXES, BadPicture, is_taken, open_photo
from companion.ports import Picture
from companion.typed import typed_name, typed_path
from companion.vision.eyes import alone
from companion.vision.networks import load_packed
from companion.vision.overlay import MOST_PERCENT, headline, overlay
from companion.vision.twice import CERTAIN
from companion.vision.wild import WildReader
from companion.vision.words import WORDS, in_words

DRAWN = f"""\
Pictures of --overlay have the verdict above, green if sure and orange if not:
  green box   a die whose value is not in doubt
  orange box  a die that is asked about, with ? behind its value: it is less than
              {100 * CERTAIN:.0f} % sure, touches another one, lies in glare, or two looks do not
              both read it surely and alike; so it may say {MOST_PERCENT}% all the same
  red box, ?  a die that was found and not read
  corners     no box, and "a die?": what may be a die, or hide one
  dots        the pips that tell the value
  5 98%       the value, and how sure it is, never more than {MOST_PERCENT} %; the value
              alone where the rest would be written over another die or its name
All dice may be green and the verdict orange, as where one more must lie there.
"""
JSON = """\
Boxes of --json are x, y, width and height in the file's pixels, turned upright;
doubts are those of what is asked about, dice or not. All but "wild" is of number
dice; the Wild die's face is null where it is not sure of it, and "why" tells why.
"""
STATUSES = """\
Status: 0 when every picture was read, surely or not; 1 when one could not be
opened or an overlay not be written; 2 when the folder of --overlay cannot be
made or lies in one that is read, or when PROFILE knows no Wild die.
"""
MOST_COUNT = 60
MOST_NAME_BYTES = 200  # of an overlay, its number and ending not counted: file systems take 255


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{DRAWN}\n{JSON}\n{STATUSES}"
    parser.add_argument(
        "paths",
        nargs="+",
        type=typed_name,
        metavar="PATH",
        help="a picture, or a folder: all pictures in it and in folders below it, but not in folders that are only "
        "linked there; of a file that holds several, as one that moves or has pages, the first",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a picture and line")
    parser.add_argument(
        "--overlay",
        type=typed_path,
        metavar="DIR",
        help="write pictures of what was seen into this folder, in which no photo that is read lies",
    )
    parser.add_argument(
        "--wild",
        type=typed_path,
        metavar="PROFILE",
        help="also read the Wild die, as calibrated there: a folder with profile.toml, or such a file",
    )
    parser.add_argument(
        "--count", type=_count, metavar="N", help="how many dice must lie there, the Wild die not counted"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_COUNT:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of dice; 0 to {MOST_COUNT} are")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """0 when every picture was read (surely or not), 1 when one could not be opened or written.

    2 when the folder for overlays cannot be made or lies in one that is read, or a profile knows no Wild die.
    """
    if options.overlay is not None:
        try:
            among = _read_again(options.overlay, options.paths)
            if not among:
                options.overlay.mkdir(parents=True, exist_ok=True)
        except OSError as fault:  # also where the folder that this runs in is gone
            print(_shown(f"companion read: cannot make folder {options.overlay}: {fault.strerror}"), file=sys.stderr)
            return 2
        if among:
            told = f"overlays in {options.overlay} would be read as photos of {among} the next time"
            print(_shown(f"companion read: {told}; name a folder beside it"), file=sys.stderr)
            return 2
    try:
        wild = None if options.wild is None else taught(options.wild)
    except ValueError as fault:
        print(f"companion read: {fault}", file=sys.stderr)
        return 2
    failed = drawn = False
    names: set[str] = set()
    for path in _pictures(options.paths):
        name = _own_name(path, names)
        names.add(name)
        row = _read(path, options, wild, name)
        failed = failed or "error" in row
        drawn = drawn or (options.overlay is not None and "error" not in row)
        _tell(row, as_json=options.json)
    for link in _passed_over(options.paths):
        print(
            _shown(f"{link} links to a folder elsewhere, and is not followed; name it to read it, too"), file=sys.stderr
        )
    if drawn:
        print(_shown(f"the overlays are in {options.overlay}"), file=sys.stderr)
    return 1 if failed else 0


def _pictures(paths: list[str]) -> Iterator[str]:
    """Files as they were given; a folder gives the pictures in and below it, by name, or itself if there are none."""
    for path in paths:
        below = _below(Path(path)) if is_folder(Path(path)) else []
        yield from [str(file) for file in below] or [path]


def _below(folder: Path) -> list[Path]:
    """The pictures in and below a folder, and folders below it that may not be looked into, by name; nothing hidden.

    Among them are those of which the system does not tell what they are, and links that lead nowhere: opening them will
    say why.
    """
    shut: list[Path] = []
    files: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=lambda fault: shut.append(Path(fault.filename or folder))):
        folders[:] = _shown_among(folders)
        files += filter(is_taken, (Path(place, name) for name in names))
    pictures = [file for file in files if is_file(file, unknown=True) or _leads_nowhere(file)]
    return sorted([*pictures, *shut])


def _passed_over(paths: list[str]) -> list[Path]:
    """The links in and below folders that lead to one which lies in none of those that are read, by name.

    They are not followed, for they may lead in circles, or to all that the computer holds.
    """
    tops = [path for path in paths if is_folder(Path(path))]
    read = [os.path.realpath(top) for top in tops]
    links: set[Path] = set()
    for place, folders, _ in itertools.chain.from_iterable(map(os.walk, tops)):
        folders[:] = _shown_among(folders)
        links.update(link for name in folders if (link := Path(place, name)).is_symlink())
    return sorted(link for link in links if not any(Path(os.path.realpath(link)).is_relative_to(top) for top in read))


def _shown_among(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith(HIDDEN)]


def _read_again(overlays: Path, paths: list[str]) -> str | None:
    """The folder among `paths` in or below which the overlays would lie, or that of a file among them in which they
    would; None where they lie beside all."""
    place = Path(os.path.realpath(overlays))
    folders = [path for path in paths if is_folder(Path(path))]
    beside = [str(Path(path).parent) for path in paths if path not in folders]
    around = (path for path in folders if place.is_relative_to(os.path.realpath(path)))
    among = (path for path in beside if place == Path(os.path.realpath(path)))
    return next(itertools.chain(around, among), None)


def _leads_nowhere(file: Path) -> bool:
    return file.is_symlink() and not os.path.exists(file)  # noqa: PTH110  (which raises nothing)


def taught(place: Path) -> WildReader:
    """The Wild die of a profile, given by its folder or its file. Raises ValueError for none, or one that is torn.

    Calibration knows the configuration and so every game: 7 MB that number dice alone do without.
    """
    from calibration.parsed import ProfileError
    from calibration.profile import FILE, load
    from calibration.use import wild_of

    if is_file(place) and place.name != FILE:
        raise ValueError(f"{place} is no {FILE}; give that, or the folder that it lies in")
    folder = place.parent if place.name == FILE else place
    try:
        wild = wild_of(load(folder), folder)
    except ProfileError as fault:
        raise ValueError(str(fault)) from fault
    if wild is None and not is_folder(folder):
        raise ValueError(f"there is no folder or profile {place}; check the path")
    if wild is None:
        raise ValueError(f"no Wild die was shown in {folder}; run companion calibrate wild")
    return wild


def _read(path: str, options: argparse.Namespace, wild: WildReader | None, name: str) -> dict[str, Any]:
    """One output object; `name`: its overlay's. Each picture is read alone: files need not come from one camera."""
    if is_folder(Path(path)):
        return _unread(path, _pictureless(path))
    try:
        photo = open_photo(path)
        load_packed()  # no part of the first picture's time
        began = time.perf_counter()
        sight = alone(photo.picture, count=options.count, wild=wild)
        took_ms = 1000 * (time.perf_counter() - began)
    except BadPicture as fault:
        return _unread(path, str(fault))
    row = _row(path, sight.reading.times(photo.shrunk), options.count, took_ms=took_ms)
    row["text"] = headline(sight.reading, count=options.count, wild=sight.wild)
    if wild is not None:
        row["wild"] = _wild(sight.wild, photo.shrunk)
    if options.overlay is not None:
        try:
            drawn = overlay(photo.picture, sight.reading, count=options.count, wild=sight.wild)
            put_whole(options.overlay / name, _png(drawn))
        except OSError as fault:
            row["error"] = f"cannot write {options.overlay / name}: {fault.strerror}"
    return row


def _pictureless(folder: str) -> str:
    try:
        next(Path(folder).iterdir(), None)
    except OSError as fault:
        return f"this folder cannot be looked into ({fault.strerror}); check its permissions"
    return f"this folder holds no picture ({', '.join(sorted(SUFFIXES))})"


def _unread(path: str, error: str) -> dict[str, Any]:
    """Unsure, as no answer is: a scorer takes one that does not say so for sure."""
    return {"image": path, "dice": [], "sure": False, "error": error}


def _wild(found: WildDie | None, shrunk: float) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "face": found.face,
        "box": _rounded(box_times(found.box, shrunk)),
        "confidence": found.confidence,
        "why": None if found.why is None else WORDS[found.why],
        "reason": None if found.why is None else found.why.value,
    }


def _rounded(box: Box) -> list[float]:
    return [round(side, 1) for side in box]


def _row(path: str, reading: Reading, count: int | None, *, took_ms: float) -> dict[str, Any]:
    """`reading`: by the file's pixels. `count`: how many dice must lie there, where that is known."""
    return {
        "image": path,
        "dice": [_die(die) for die in reading.dice],
        "doubts": [_rounded(box) for box in reading.doubts],
        "total": reading.total,
        "sure": reading.sure,
        "why": in_words(reading, count=count),
        "reason": None if reading.why is None else reading.why.value,
        "ms": round(took_ms, 1),
    }


def _die(die: Die) -> dict[str, Any]:
    return {
        "value": die.value,
        "box": _rounded(die.box),
        "confidence": round(die.confidence, 4),
        "pips": [[round(x, 1), round(y, 1)] for x, y in die.pips],
    }


def _tell(row: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({key: value for key, value in row.items() if key != "text"}), flush=True)
        return
    if "text" in row:
        print(_shown(f"{row['image']}: {row['text']}"), flush=True)
    if "error" in row:
        print(_shown(f"{row['image']}: {row['error']}"), file=sys.stderr, flush=True)


def _shown(text: str) -> str:
    """Signs that can move a terminal's cursor, or that it has not, are told by their code."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _own_name(path: str, taken: Container[str]) -> str:
    """A file name of its own for each path: the end of its last parts, and a number where that is `taken`."""
    parts = [part for part in Path(path).parts if part not in ("/", "\\", "..", ".")]
    plain = "__".join(parts[-4:])
    if len(whole := os.fsencode(plain)) > MOST_NAME_BYTES:
        plain = whole[-MOST_NAME_BYTES:].decode("utf-8", errors="ignore")
    names = itertools.chain([f"{plain}.png"], (f"{plain}-{number}.png" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _png(drawn: Picture) -> bytes:
    _done, coded = cv2.imencode(".png", drawn)
    return coded.tobytes()
