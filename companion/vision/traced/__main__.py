"""`python -m companion.vision.traced FOLDER`: labelled pictures of dice scenes, traced by Blender's Cycles.

The folder gets a `labels.jsonl` as collections of photos have it, so that `companion bench FOLDER` measures a reader on
it, kind by kind. Signs and dice that lean have a word for a value; dice whose tops are hidden, or whose pips glare,
shade or blur have taken away, are to be ignored. A second run goes on where the first one stopped. On two cores a
picture takes some 4 s.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from companion.vision.command import run

    sys.exit(run("companion.vision.traced.__main__"))

import argparse
import json
import zlib
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from companion.paths import put_whole
from companion.ports import Picture
from companion.progress import bar
from companion.typed import typed_path, whole_number
from companion.vision.command import loading, undisturbed
from companion.vision.labels import UNREADABLE
from companion.vision.traced.chance import KINDS, TEACHING, random_scene
from companion.vision.traced.exposure import exposed
from companion.vision.traced.legible import BLANK, contrasts
from companion.vision.traced.model import Scene, Seen
from companion.vision.traced.prints import MissingFonts, check_fonts

HIDDEN = 0.4  # of a top: from there on its die is to be ignored
SMALLEST, LARGEST = 64, 4096  # pixels of a side


def main(arguments: list[str] | None = None) -> int:
    """0; 2 when Blender, a font or the folder is no use; 130 when interrupted, which a second run makes good."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.vision.traced",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=typed_path, metavar="FOLDER", help="for pictures and labels.jsonl")
    judging = [name for name in KINDS if name not in TEACHING]
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=judging, help=f"default: {' '.join(judging)}")
    parser.add_argument("--count", type=whole_number(1), default=40, help="pictures of each kind")
    parser.add_argument(
        "--first", type=whole_number(0), default=0, help="number of the first one: others have other numbers"
    )
    parser.add_argument("--size", type=_size, default=(640, 480), metavar="WxH")
    parser.add_argument("--samples", type=whole_number(1), default=8, help="paths of light a pixel; more take longer")
    options = parser.parse_args(arguments)
    try:
        with loading():
            from companion.vision.traced.blender import trace
    except ImportError as fault:
        return _fail(f"Blender is missing ({fault}): pip install '.[traced]' in a checkout")
    numbers = range(options.first, options.first + options.count)
    wanted = [f"{kind}/{number:05d}.png" for number in numbers for kind in options.kinds]
    try:
        if any(KINDS[kind].pips < 1 for kind in options.kinds):
            check_fonts()
        there = set(_labelled(options.folder))
        for done, name in enumerate(wanted, 1):
            if name not in there:
                scene, rng = by_name(name, options.size)
                with undisturbed():
                    light, seen = trace(scene, samples=options.samples)
                    _keep(options.folder, name, exposed(light, scene.exposure, rng), scene, seen)
            bar(done, len(wanted))
    except MissingFonts as fault:
        return _fail(str(fault))
    except (OSError, ValueError) as fault:
        return _fail(f"{options.folder}: {fault}")
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return 130
    return 0


def _fail(text: str) -> int:
    sys.stderr.write(f"companion.vision.traced: {text}\n")
    return 2


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and all(SMALLEST <= int(n) <= LARGEST for n in (width, height))):
        raise argparse.ArgumentTypeError(f"expected a width and a height of {SMALLEST} to {LARGEST}, as 640x480")
    return int(width), int(height)


def by_name(name: str, size: tuple[int, int]) -> tuple[Scene, np.random.Generator]:
    """The scene of a picture's name, and the chance that its noise is drawn from."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return random_scene(rng, name.split("/")[0], size), rng


def _labelled(folder: Path) -> list[str]:
    """The pictures that a folder has already. A line that a kill left torn is cut off, its picture made again; one that
    lacks nothing but its end gets that.

    Raises ValueError, and leaves all as it is, for a label that this command did not write.
    """
    path = folder / "labels.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    whole = [line for line in lines if line.endswith("\n") or _is_json(line)]
    names = [_traced(line, number) for number, line in enumerate(whole, 1)]
    if lines and not lines[-1].endswith("\n"):
        put_whole(path, "".join(f"{line.rstrip()}\n" for line in whole).encode())
    return names


def _traced(line: str, number: int) -> str:
    """The picture of which a label tells. Raises ValueError where this command makes none of that name."""
    with suppress(ValueError, KeyError, TypeError, AttributeError):
        name: str = json.loads(line)["image"]
        if name.split("/")[0] in KINDS:
            return name
    raise ValueError(f"line {number} of labels.jsonl is no label of this command; name another folder")


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _keep(folder: Path, name: str, picture: Picture, scene: Scene, seen: tuple[Seen, ...]) -> None:
    """The picture first: a label without one would be worse than a picture without a label."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    _, code = cv2.imencode(".png", picture)
    (folder / name).write_bytes(code.tobytes())
    dice = [label(die, contrast) for die, contrast in zip(seen, contrasts(picture, seen), strict=True)]
    row: dict[str, object] = {"image": name, "dice": dice, "w": picture.shape[1], "h": picture.shape[0]}
    row["conditions"] = {
        "ground": scene.ground.kind,
        "bodies": [cube.look.body for cube in scene.dice],
        "things": [thing.kind for thing in scene.things],
        **{key: round(value, 3) for key, value in asdict(scene.camera).items()},
    }
    with (folder / "labels.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")


def label(die: Seen, contrast: float) -> dict[str, object]:
    """A die as labels have it; `pips`, their middles, and `contrast` (see `legible.py`) are for those who teach."""
    told: dict[str, object] = {"value": die.value or UNREADABLE, "box": [round(side, 1) for side in die.box]}
    if die.pips:
        told["pips"] = [[round(x, 2), round(y, 2)] for x, y in die.pips]
        told["contrast"] = round(contrast, 1)
    told["hidden"] = round(die.hidden, 2)
    if die.hidden >= HIDDEN or (die.pips and contrast < BLANK):
        told["ignore"] = True
    return told
