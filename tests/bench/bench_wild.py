"""How well the Wild die is told: on photos of symbol dice, and on rendered trays with number dice beside it.

    python tests/bench/bench_wild.py [SYMBOLS_FOLDER] [--tables N]

Each photo of a face is seen under other turns, slants, light, blur and noise; a face is shown four times and read
from views that were not shown. Wrong and sure is counted apart. Dice that were never shown must not be told as a face.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.scene import WILD_FACES, Moment, Painter, new_table, scatter
from companion.vision.wild import NUMBER, Shown, WildReader, cut, least_likeness, leave_one_out, places

SHOWN, READ = 4, 40
PHOTO_DIE_PX = 118.0  # in the photos, which are 756 pixels wide
FACES = tuple(dict.fromkeys(WILD_FACES))


@dataclass(frozen=True)
class Cut:
    face: str
    picture: Picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("symbols", nargs="?", type=Path)
    parser.add_argument("--tables", type=int, default=12)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.symbols:
        _photos(options.symbols, np.random.default_rng(5))
    _rendered(options.tables)


def _photos(folder: Path, rng: np.random.Generator) -> None:
    known: list[Cut] = []
    strange: list[Picture] = []
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        picture = np.asarray(cv2.imread(str(folder / Path(label["image"]).name)), np.uint8)
        if len(label["dice"]) == 1:
            known.append(Cut(label["dice"][0]["value"], picture))
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


def _rendered(tables: int) -> None:
    print(f"\nrendered trays, {tables} tables")
    counts: Counter[str] = Counter()
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        table = new_table(rng)
        painter = Painter(table)
        empty = painter.picture(Moment(), rng).picture
        width = 50.0
        pictures = [(f, painter.picture(Moment(scatter(table, (), rng, wild=f)), rng)) for f in FACES for _ in range(4)]
        pictures += [(NUMBER, painter.picture(Moment(scatter(table, (v,), rng)), rng)) for v in range(1, 7)]
        examples = [
            Shown(face, cut(drawn.picture, place, width), width)
            for face, drawn in pictures
            for place in places(drawn.picture, width, empty=empty)
        ]
        reader = WildReader(examples, empty=empty, least=least_likeness(examples))
        for turn in range(READ):
            face = FACES[turn % 3] if turn % 4 else None
            values = tuple(int(v) for v in rng.integers(1, 7, int(rng.integers(0, 4))))
            told = _told(reader, painter.picture(Moment(scatter(table, values, rng, wild=face)), rng).picture)
            truth = face or "nothing"
            counts["right" if told == truth else "unsure" if told in ("unsure", "nothing") else "wrong and sure"] += 1
    print(f"  {dict(counts)}")


if __name__ == "__main__":
    main()
