"""How well the Wild die is told: on photos of symbol dice, and on rendered trays with number dice beside it.

    python -m tests.bench.bench_wild [SYMBOLS_FOLDER] [--tables N] [--throws N] [--light TIMES]

Each photo of a face is seen under other turns, slants, light, blur and noise; a face is shown four times and read
from views that were not shown. Wrong and sure is counted apart. Dice that were never shown must not be told as a face.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from calibration.simulated import DrawnHands
from calibration.steps import Wants
from calibration.taught import taught
from calibration.use import reader_of, wild_of
from companion.pictures import BadPicture
from companion.ports import Picture
from companion.vision.eyes import Eyes
from companion.vision.labels import BadLabels, labels_in
from companion.vision.scene import WILD_FACES
from companion.vision.train.pictures import load_named
from companion.vision.wild import Shown, WildReader, cut, least_likeness, leave_one_out, places

SHOWN, READ = 4, 40
PHOTO_DIE_PX = 118.0  # in the photos, which are 756 pixels wide
FACES = tuple(dict.fromkeys(WILD_FACES))
LIGHT, DARK = (0.92, 0.94, 0.95), (0.06, 0.06, 0.06)
DICE = (  # body and icons
    (LIGHT, DARK),
    (DARK, LIGHT),
    ((0.12, 0.78, 0.93), DARK),
    ((0.65, 0.28, 0.1), LIGHT),
    ((0.72, 0.88, 0.95), DARK),
    ((0.14, 0.1, 0.72), LIGHT),
    ((0.7, 0.9, 0.75), (0.3, 0.1, 0.5)),
    ((0.18, 0.5, 0.1), LIGHT),
)


@dataclass(frozen=True)
class Cut:
    face: str
    picture: Picture


def main(arguments: Sequence[str] | None = None) -> None:
    """Ends the process with 2 and a line where there are no photos of symbols."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_wild",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("symbols", nargs="?", type=Path)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--throws", type=int, default=80)
    parser.add_argument("--light", type=float, default=1.0, metavar="TIMES", help="in play, of that of the calibration")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if options.symbols:
        try:
            _photos(options.symbols, np.random.default_rng(5))
        except (BadLabels, BadPicture) as fault:
            parser.error(str(fault))
    _rendered(options.tables, options.throws, options.light)


def _photos(folder: Path, rng: np.random.Generator) -> None:
    known: list[Cut] = []
    strange: list[Picture] = []
    for label in labels_in(folder):
        picture = load_named(label.path)
        if len(label.dice) == 1:
            known.append(Cut(str(label.dice[0].value), picture))
        else:
            width = 155.0
            for place in places(picture, width):
                strange.append(cut(picture, place, 2 * width))
    for dark in (False, True):
        _one_set(known, strange, rng, dark=dark)


def _one_set(known: list[Cut], strange: list[Picture], rng: np.random.Generator, *, dark: bool) -> None:
    print("\nphotos of symbol dice" + (", light and dark exchanged" if dark else ""))
    width = PHOTO_DIE_PX / 2
    examples = [_shown(_seen(one.picture, rng, dark=dark), one.face, width) for one in known for _ in range(SHOWN)]
    print(f"  leave one out of {len(examples)} examples: {leave_one_out(examples) or 'none confused'}")
    reader = WildReader(examples, least=least_likeness(examples))
    for one in known:
        counts = Counter(_told(reader, _seen(one.picture, rng, dark=dark)) for _ in range(READ))
        print(f"  {one.face:8} {_row(counts, one.face)}")
    never = Counter(_told(reader, _seen(picture, rng, dark=dark)) for picture in strange for _ in range(READ // 4))
    print(f"  never shown (ornate numerals): {dict(never)}")
    for left in known:  # a face that was not shown is an unknown one
        few = [shown for shown in examples if shown.face != left.face]
        rest = WildReader(few, least=least_likeness(few))
        counts = Counter(_told(rest, _seen(left.picture, rng, dark=dark)) for _ in range(READ // 2))
        print(f"  {left.face:8} when it was not shown: {dict(counts)}")


def _seen(picture: Picture, rng: np.random.Generator, *, dark: bool) -> Picture:
    """The photo from elsewhere: turned, slanted, nearer or farther, in other light, blurred and noisy."""
    height, width = picture.shape[:2]
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    corners = whole + rng.normal(0, 0.012 * width, (4, 2)).astype(np.float32)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), float(rng.uniform(0.46, 0.54)))
    matrix = np.vstack([turn, [0, 0, 1]]) @ cv2.getPerspectiveTransform(whole, corners)
    ground = tuple(float(c) for c in np.median(picture[:20].reshape(-1, 3), axis=0))
    seen = cv2.warpPerspective(picture, matrix, (width, height), borderMode=cv2.BORDER_CONSTANT, borderValue=ground)
    light = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.1))).astype(np.float32)
    if dark:
        light = 255 - light
    light = light * rng.uniform(0.75, 1.1) * rng.uniform(0.95, 1.05, 3) + rng.normal(0, rng.uniform(1, 5), seen.shape)
    return np.asarray(np.clip(light, 0, 255), np.uint8)


def _shown(picture: Picture, face: str, width: float) -> Shown:
    (place,) = places(picture, width)
    return Shown(face, cut(picture, place, width), width)


def _told(reader: WildReader, picture: Picture) -> str:
    wild = reader.read(picture)
    return "nothing" if wild is None else wild.face or "unsure"


def _row(counts: Counter[str], truth: str) -> str:
    asked = counts["unsure"] + counts["nothing"]
    total = sum(counts.values())
    return f"right {counts[truth]:3}/{total}  unsure {asked:3}  wrong and sure {total - asked - counts[truth]:3}"


def _rendered(tables: int, throws: int, light: float) -> None:
    """Each table is calibrated and taught as people do it; then it is read as in play, the Wild die alone or not."""
    print(f"\nrendered throws on {tables} tables")
    told: dict[str, Counter[str]] = defaultdict(Counter)
    chances: list[tuple[float, bool]] = []
    for seed in range(tables):
        body, ink = DICE[seed % len(DICE)]
        hands = DrawnHands(seed, wild=(body, ink))
        with TemporaryDirectory() as folder:
            profile = taught(hands, Path(folder), date.today())
            eyes = Eyes(reader_of(profile, Path(folder)), wild_of(profile, Path(folder)))
        kind = "light body" if sum(body) > sum(ink) else "dark body"
        for throw in range(throws):
            _thrown(hands, eyes, throw, light, kind, told, chances)
        print(seed, kind, {name: dict(counts) for name, counts in sorted(told.items())}, flush=True)
    for low, high in ((0.0, 0.98), (0.98, 0.99), (0.99, 0.999), (0.999, 1.01)):
        inside = [right for chance, right in chances if low <= chance < high]
        if inside:
            print(f"confidence {low}-{min(high, 1)}: {len(inside)} faces told, {sum(inside)} right")


def _thrown(
    hands: DrawnHands,
    eyes: Eyes,
    throw: int,
    light: float,
    kind: str,
    told: dict[str, Counter[str]],
    chances: list[tuple[float, bool]],
) -> None:
    face = None if throw % 8 == 7 else FACES[throw % 3]
    count = 1 + throw % 3 if face is None else throw % 4
    hands.lay(Wants(dice=count, face=face, throw=throw))
    leans = face is not None and throw % 10 == 9
    if leans:
        hands.tilt(20.0 + throw % 25, 37.0 * throw)
    sight = eyes.see(cv2.convertScaleAbs(hands.picture(0.0), alpha=light))
    wild = sight.wild
    said = "nothing" if wild is None else wild.face or "unsure"
    where = "leaning" if leans else "no Wild die" if face is None else f"{kind}, {'among dice' if count else 'alone'}"
    told[where][_verdict(said, face or "nothing")] += 1
    if wild is not None and wild.face is not None:
        chances.append((wild.confidence, wild.face == face))
    if not leans:
        right = sorted(v or 0 for v in sight.reading.values) == sorted(hands.values)
        told["number dice"]["unsure" if not sight.reading.sure else "right" if right else "wrong and sure"] += 1


def _verdict(said: str, truth: str) -> str:
    if said == truth:
        return "right"
    return "unsure" if said in ("unsure", "nothing") else "wrong and sure"


if __name__ == "__main__":
    main()
