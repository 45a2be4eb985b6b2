"""How far the reader bears pictures to change: labelled photos made darker, farther, slanted, squeezed, noisier.

    python -m tests.bench.bench_changed FOLDER [--photos N] [--changes NAME,NAME] [--work WORK]

What a reader makes of one collection tells little of the next. The same photos under changes of which the truth is
known tell where it would fail. For each collection: exact, wrong and sure, sure, and dice read right, in percent.
With --work each collection is read by the networks of its own fold (`companion.vision.train.folds`), which have
never seen it; else by those of the package, which have.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Reading
from companion.pictures import load
from companion.ports import Picture
from companion.vision.bench.accuracy import Label, Wanted, judge, labels_in, total
from companion.vision.networks import FaceNet, FinderNet
from companion.vision.reader import Reader

Floats = NDArray[np.float64]
AROUND = (120, 110, 90)  # BGR of what lies outside a picture that was made farther


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to a picture. `move`: width and height to a homography and the size of what it makes."""

    name: str
    move: Callable[[int, int], tuple[Floats, tuple[int, int]]] | None = None
    tint: Callable[[Picture, np.random.Generator], NDArray[np.generic]] | None = None

    def of(self, picture: Picture, label: Label, rng: np.random.Generator) -> tuple[Picture, Label]:
        """The picture and its label, changed alike."""
        if self.move is not None:
            matrix, size = self.move(picture.shape[1], picture.shape[0])
            picture = _warped(picture, matrix, size)
            label = replace(label, dice=tuple(_moved(die, matrix) for die in label.dice))
        if self.tint is not None:
            picture = np.asarray(np.clip(self.tint(picture, rng), 0, 255), np.uint8)
        return picture, label


def _warped(picture: Picture, matrix: Floats, size: tuple[int, int]) -> Picture:
    shrink = 1 / np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.45 * shrink) if shrink > 1.2 else picture
    return np.asarray(cv2.warpPerspective(smooth, matrix, size, borderValue=AROUND), np.uint8)


def _moved(die: Wanted, matrix: Floats) -> Wanted:
    if die.box is None:
        return die
    x, y, w, h = die.box
    corners = np.array([[[x, y], [x + w, y], [x + w, y + h], [x, y + h]]])
    at = cv2.perspectiveTransform(corners, matrix)[0]
    (left, top), (right, low) = at.min(axis=0), at.max(axis=0)
    return replace(die, box=(float(left), float(top), float(right - left), float(low - top)))


def squeezed(ratio: float) -> Change:
    """Pressed into a picture so many times as wide for its height."""
    wide, high = ratio**0.5, ratio**-0.5

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        return np.diag([wide, high, 1.0]), (round(width * wide), round(height * high))

    return Change(f"squeezed {ratio:.3g}", move)


def slanted(share: float) -> Change:
    """The far side that share of the width shorter at both ends, and as much lower."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        far = np.array([[width * share, height * share], [width * (1 - share), height * share]], np.float32)
        return cv2.getPerspectiveTransform(whole, np.vstack([far, whole[2:]])), (width, height)

    return Change(f"slanted {share:g}", move)


def turned(degrees: float) -> Change:
    """Turned about the middle; nothing is cut off."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0), [0, 0, 1]])
        across, up = np.abs(turn[0, :2]) @ (width, height), np.abs(turn[1, :2]) @ (width, height)
        turn[0, 2] += (across - width) / 2
        turn[1, 2] += (up - height) / 2
        return turn, (round(across), round(up))

    return Change(f"turned {degrees:g}", move)


def far(times: int) -> Change:
    """In the middle of a picture so many times as wide and high."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        aside = np.array([[1, 0, (times - 1) * width / 2], [0, 1, (times - 1) * height / 2], [0, 0, 1]])
        return aside, (times * width, times * height)

    return Change(f"far {times}", move)


def coarse(longer_px: int) -> Change:
    """Shrunk to so many pixels."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        factor = min(1.0, longer_px / max(width, height))
        return np.diag([factor, factor, 1.0]), (round(width * factor), round(height * factor))

    return Change(f"coarse {longer_px}", move)


def dark(light: float) -> Change:
    """So much of the light, and a camera's noise."""
    return Change(f"dark {light:g}", tint=lambda picture, rng: light * picture + rng.normal(0, 3, picture.shape))


def noisy(levels: float) -> Change:
    return Change(f"noisy {levels:g}", tint=lambda picture, rng: picture + rng.normal(0, levels, picture.shape))


def blurred(share: float) -> Change:
    """By so many thousandths of the longer side."""
    return Change(
        f"blurred {share:g}",
        tint=lambda picture, rng: cv2.GaussianBlur(picture, (0, 0), share / 1000 * max(picture.shape)),
    )


def packed(quality: int) -> Change:
    def tint(picture: Picture, rng: np.random.Generator) -> NDArray[np.generic]:
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return cv2.imdecode(coded, cv2.IMREAD_COLOR)

    return Change(f"packed {quality}", tint=tint)


def lit(name: str, *gains: float) -> Change:
    """`gains`: of blue, green, red."""
    return Change(name, tint=lambda picture, rng: picture * np.array(gains, np.float32))


def bent(gamma: float) -> Change:
    return Change(f"gamma {gamma:g}", tint=lambda picture, rng: 255 * (picture / 255) ** gamma)


CHANGES = (
    Change("as it is"),
    *(squeezed(ratio) for ratio in (9 / 16, 3 / 4, 4 / 3, 16 / 9)),
    *(slanted(share) for share in (0.15, 0.25)),
    *(turned(degrees) for degrees in (30, 90, 180)),
    far(2),
    coarse(400),
    *(dark(light) for light in (0.35, 0.15, 0.08)),
    *(noisy(levels) for levels in (12, 25)),
    *(blurred(share) for share in (1.5, 3)),
    packed(20),
    lit("warm", 0.45, 0.8, 1.15),
    lit("cold", 1.2, 0.85, 0.5),
    bent(2),
    bent(0.5),
    Change("negative", tint=lambda picture, rng: 255 - picture),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="labelled photos, each collection in a folder of its own")
    parser.add_argument("--photos", type=int, default=40, help="of each collection, evenly chosen; 40 unless told")
    parser.add_argument("--changes", metavar="NAME,NAME", help=", ".join(change.name for change in CHANGES))
    parser.add_argument("--work", type=Path, help="where the folds' networks lie, WORK/without-COLLECTION")
    options = parser.parse_args()
    wanted = options.changes.split(",") if options.changes else [change.name for change in CHANGES]
    cv2.setNumThreads(1)
    groups: dict[str, list[Label]] = {}
    for label in labels_in(options.folder):
        groups.setdefault(label.group, []).append(label)
    print(f"{'exact / wrong+sure / sure / dice':34}{'':14}")
    for group, labels in groups.items():
        networks = None if options.work is None else _fold(options.work, group)
        if options.work is not None and networks is None:
            continue
        chosen = labels[:: max(1, len(labels) // options.photos)]
        for change in CHANGES:
            if change.name in wanted:
                print(f"{group:14}{change.name:16}{_told(chosen, change, networks)}", flush=True)


def _fold(work: Path, group: str) -> tuple[FinderNet, FaceNet] | None:
    finder, faces = (work / f"without-{group}" / f"{name}.onnx" for name in ("finder", "faces"))
    if not finder.exists() or not faces.exists():
        return None
    return FinderNet(finder.read_bytes()), FaceNet(faces.read_bytes())


def _told(labels: list[Label], change: Change, networks: tuple[FinderNet, FaceNet] | None) -> str:
    rows, right, dice = [], 0, 0
    for number, label in enumerate(labels):
        picture, moved = change.of(load(label.path), label, np.random.default_rng(number))
        reading = Reader(networks=networks).read(picture)
        rows.append(judge(moved, reading, 0.0))
        values = Counter(die.value for die in label.dice if not die.ignore)
        right += sum((values & _values(reading)).values())
        dice += sum(values.values())
    whole = total(rows)
    shares = (whole.exact, whole.wrong_and_sure, 1 - whole.unsure, right / max(1, dice))
    return " / ".join(f"{100 * share:5.1f}" for share in shares)


def _values(reading: Reading) -> Mapping[int | str | None, int]:
    return Counter(reading.values)


if __name__ == "__main__":
    main()
