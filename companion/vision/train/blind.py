"""`python -m companion.vision.train.blind`: how a face network that has seen no photo reads the dice in photos.

What it misreads shows what drawn scenes lack. One crop a die and no second opinion: this measures the network alone, as
`--work` of training keeps it after its first stage. Where a label has no box of the whole die, the package's networks
say where it lies.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from companion.vision.command import run

    sys.exit(run("companion.vision.train.blind"))

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.paths import put_whole
from companion.pictures import BadPicture
from companion.ports import Picture
from companion.typed import file_ending_in, typed_path
from companion.vision.engines import BadNetwork
from companion.vision.labels import BadLabels, labels_file
from companion.vision.networks import CROP_PX, UNREAD, CropReader, FaceNet, packed, softmax
from companion.vision.pip_map import pip_peaks
from companion.vision.train.crops import answers, plain_crop
from companion.vision.train.keep import all_made, can_be_written, told
from companion.vision.train.learned import labelled
from companion.vision.train.photos import photo_examples, used_of
from companion.vision.train.pools import Patches, patches

GROUND_SEED = 5
TILE_PX, TILES = 128, 12  # side of a misread die in the picture of them, and how many in a row
RED = (0, 0, 255)


@dataclass(frozen=True, slots=True, eq=False)
class Misread:
    """A die as the network saw it, 64×64; its value, and that which the network found likeliest (0: no die, 7: odd)."""

    crop: Picture
    value: int
    taken_for: int


@dataclass(frozen=True, slots=True, eq=False)
class Blind:
    """One collection. `right`: dice whose value is the likeliest of six; `loss`: mean of -log its chance, natural.

    `counted`: dice whose pips, as the network places them, are as many as their value: the second opinion. `taken`: of
    `grounds`, places without a die, those that the network thinks a die.
    """

    source: str
    dice: int
    right: int
    counted: int
    loss: float
    grounds: int
    taken: int
    misread: tuple[Misread, ...]


def judged(pool: Patches, faces: CropReader) -> Iterator[Blind]:
    """Each collection of a pool, read crop by crop. Raises ValueError where one has no die."""
    for source, kinds in sorted(pool.of.items()):
        crops = [(value, plain_crop(patch)) for value in range(7) for patch in kinds[value]]
        values = np.array([value for value, _ in crops], np.int64)
        if not (values > 0).any():
            raise ValueError(f"{source} shows no die that could be judged")
        logits, planes = answers(np.stack([crop for _, crop in crops]), faces)
        chances, pips = softmax(logits), np.array([len(some) for some in pip_peaks(planes)])
        best, dice = chances[:, 1:UNREAD].argmax(axis=1) + 1, values > 0
        its = chances[np.arange(len(crops)), values][dice]
        likeliest = chances.argmax(axis=1)
        yield Blind(
            source,
            dice=int(dice.sum()),
            right=int((best == values)[dice].sum()),
            counted=int((pips == values)[dice].sum()),
            loss=float(-np.log(np.maximum(its, 1e-6)).mean()),
            grounds=int((~dice).sum()),
            taken=int((chances[~dice, 1:UNREAD].sum(axis=1) > 0.5).sum()),
            misread=tuple(
                Misread(crops[i][1], int(values[i]), int(likeliest[i]))
                for i in np.flatnonzero(dice & (likeliest != values))
            ),
        )


def plot(rows: list[Blind]) -> Picture:
    """Every misread die, its value and what it was taken for; collections one after the other."""
    tiles = []
    for misread in (each for row in rows for each in row.misread):
        tile = cv2.resize(misread.crop, (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC)
        text = f"{misread.value} > {misread.taken_for}"
        tiles.append(cv2.putText(tile, text, (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, RED, 1, cv2.LINE_AA))
    lines = max(1, -(-len(tiles) // TILES))
    sheet = np.zeros((lines * TILE_PX, TILES * TILE_PX, 3), np.uint8)
    for i, tile in enumerate(tiles):
        top, left = i // TILES * TILE_PX, i % TILES * TILE_PX
        sheet[top : top + TILE_PX, left : left + TILE_PX] = tile
    return sheet


def main(arguments: list[str] | None = None) -> int:
    """0; 2 when the photos or the network cannot be read, or the plot cannot be written; 130 when interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.vision.train.blind",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--photos", type=typed_path, required=True, help="folder of labelled photos, with labels.jsonl")
    parser.add_argument(
        "--faces", type=typed_path, required=True, help="the network: faces0.onnx in --work of training"
    )
    png = file_ending_in("a plot", ".png")
    parser.add_argument("--plot", type=png, metavar="PNG", help="show every misread die here")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        all_made([options.faces], by="python -m companion.vision.train")
        photos = [label.path for label in labelled(options.photos)]
        if options.plot is not None:
            can_be_written(options.plot, read=[labels_file(options.photos), options.faces, *photos])
        faces = FaceNet(options.faces.read_bytes())
        faces(np.zeros((1, CROP_PX, CROP_PX, 3), np.uint8))  # another network is told before photos are looked at
        made = photo_examples(options.photos, packed().finder, packed().faces)
        pool = patches(used_of(made, options.photos), GROUND_SEED)
        rows = list(judged(pool, faces))
        _tell(rows)
        if options.plot is not None:
            put_whole(options.plot, cv2.imencode(".png", plot(rows))[1].tobytes())
    except (OSError, ValueError, BadLabels, BadPicture) as fault:
        of = f"{options.faces}: " if isinstance(fault, BadNetwork) else ""
        sys.stderr.write(f"companion.vision.train.blind: {of}{told(fault)}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _tell(rows: list[Blind]) -> None:
    print("collection       dice  right  counted   loss  ground taken for a die")
    for row in rows:
        right, counted = (100 * dice / row.dice for dice in (row.right, row.counted))
        taken = f"{100 * row.taken / max(1, row.grounds):5.1f} % of {row.grounds}"
        print(f"{row.source:14s} {row.dice:6d}  {right:5.1f}    {counted:5.1f}  {row.loss:5.3f}  {taken}")
