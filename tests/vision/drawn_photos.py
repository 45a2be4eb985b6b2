"""Drawn tables as a folder of labelled photos, whose labels have no boxes."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from companion.vision.scene import Cube, Scene, draw


def two_dice(values: tuple[int, int]) -> Scene:
    """The table of a picture: its dice, one left and one right of the middle."""
    return Scene(tuple(Cube(value, x, 1.0, 25.0) for value, x in zip(values, (-4.0, 4.0), strict=True)))


def add_collection(folder: Path, name: str, *tables: tuple[int, int]) -> None:
    """A collection of pictures `name`/0.png and so on, with two dice each; its labels join those in the folder."""
    (folder / name).mkdir()
    rows = []
    for number, values in enumerate(tables):
        picture = draw(two_dice(values), np.random.default_rng(number)).picture
        cv2.imwrite(str(folder / name / f"{number}.png"), picture)
        rows.append({"image": f"{name}/{number}.png", "dice": [{"value": value, "box": None} for value in values]})
    with (folder / "labels.jsonl").open("a", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)


WHOLE, PIPS = (1.0, 1.0), (0.2, 0.6)  # of the dice: boxes of these, and such as hold the pips of a one and another


def add_large(
    folder: Path, name: str, values: tuple[int, int], *, width: int, shares: tuple[float, float] = WHOLE
) -> None:
    """A photo `name`/0.png so wide, whose label has boxes around its two dice, of such shares of their sizes."""
    drawn = draw(two_dice(values), np.random.default_rng(0))
    factor = width / drawn.picture.shape[1]
    (folder / name).mkdir()
    cv2.imwrite(str(folder / name / "0.png"), cv2.resize(drawn.picture, None, fx=factor, fy=factor))
    dice = []
    for seen, share in zip(drawn.truth, shares, strict=True):
        x, y, w, h = (side * factor for side in seen.box)
        box = [x + (1 - share) / 2 * w, y + (1 - share) / 2 * h, share * w, share * h]
        dice.append({"value": seen.value, "box": box})
    (folder / "labels.jsonl").write_text(json.dumps({"image": f"{name}/0.png", "dice": dice}) + "\n", encoding="utf-8")
