"""Pictures with their truth, drawn or photographed, in one shape for both networks."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.paths import whole
from companion.pictures import BadPicture, Photo, open_photo
from companion.ports import Picture
from companion.progress import bar
from companion.vision.labels import Label
from companion.vision.networks import UNREAD
from companion.vision.scene import Scene, Seen, draw, random_scene
from companion.vision.scene.looks import rare_pips
from companion.vision.train.spread import spread

DRAWN, PLAIN, TRACED = NOT_PHOTOS = "drawn", "plain", "traced"
"""Sources: drawn scenes, pictures without dice, traced scenes; all others are collections of photos."""
SIZES = ((640, 480), (640, 480), (480, 480), (800, 600), (480, 640))
HIDDEN = 0.5  # less of a die in view: neither wanted nor forbidden
SEED_STEP = 1_000_003
SHARD = 50  # scenes kept in one file
STEEP_SEED, STEEP_DEG = 9, (28.0, 58.0)
MOST_ONE = 0.25  # radius of a single pip, in the edge
RARE_SEED, RARE = 10, 0.35  # of the looks of dice have pips of any size and nearly any place


@dataclass(slots=True, eq=False)
class Truth:
    """One die: `box` x, y, w, h of the whole die; `value` 1–7 (UNREAD); `pips` n×2, None where they are not known.

    `skip`: neither wanted nor forbidden (hidden, cut off, ignored by the label).
    """

    box: NDArray[np.float32]
    value: int
    pips: NDArray[np.float32] | None = None
    skip: bool = False

    @property
    def centre(self) -> NDArray[np.float32]:
        return np.asarray(self.box[:2] + self.box[2:] / 2, np.float32)

    @property
    def size(self) -> float:
        return float(self.box[2] + self.box[3]) / 2


@dataclass(slots=True, eq=False)
class Example:
    """A picture and all its dice. `source`: DRAWN, PLAIN, or the collection it is from."""

    picture: Picture
    dice: list[Truth]
    source: str
    name: str = ""


def load_named(path: Path) -> Picture:
    """A picture of a folder. Raises BadPicture, whose text names the file."""
    return _opened(path).picture


def load_labelled(label: Label) -> tuple[Picture, Label]:
    """A photo, and its label by the pixels of that picture. Raises BadPicture, whose text names the file."""
    photo = _opened(label.path)
    return photo.picture, label.times(1 / photo.shrunk)


def _opened(path: Path) -> Photo:
    try:
        return open_photo(path)
    except BadPicture as fault:
        raise BadPicture(f"{path}: {fault}") from None


def drawn_example(seed: int, *, steep: bool = False) -> Example:
    """One scene, at times from a slant, or always if it is to be `steep`; the same seed gives the same picture."""
    rng = np.random.default_rng(seed * SEED_STEP)
    hardness = float(rng.uniform(0, 1))
    scene = random_scene(rng, hardness=hardness, size=SIZES[int(rng.integers(len(SIZES)))], die_px=(20, 150))
    scene = _with_rare_pips(scene, seed)
    drawn = draw(_slanted(scene, seed) if steep else scene, rng)
    return Example(drawn.picture, [_truth(seen) for seen in drawn.truth], DRAWN, f"seed {seed}")


def _with_rare_pips(scene: Scene, seed: int) -> Scene:
    """The same table; some of its dice have pips as few moulds have them. What looked alike still does."""
    rng = np.random.default_rng([RARE_SEED, seed])
    looks = {cube.look: cube.look for cube in scene.dice}
    for look in looks:
        radius, spreads = rare_pips(rng)
        if rng.random() < RARE:
            one = look.one_radius * radius / look.pip_radius
            looks[look] = replace(look, pip_radius=radius, one_radius=min(one, MOST_ONE), spreads=spreads)
    return replace(scene, dice=tuple(replace(cube, look=looks[cube.look]) for cube in scene.dice))


def _slanted(scene: Scene, seed: int) -> Scene:
    """The same table as somebody sees it who sits there: the dice show one or two of their sides, too."""
    tilt_deg = float(np.random.default_rng([STEEP_SEED, seed]).uniform(*STEEP_DEG))
    return replace(scene, camera=replace(scene.camera, tilt_deg=max(scene.camera.tilt_deg, tilt_deg)))


def _truth(seen: Seen) -> Truth:
    unread = seen.value is None
    pips = np.array(seen.pips, np.float32).reshape(-1, 2)
    return Truth(
        np.array(seen.box, np.float32),
        UNREAD if seen.value is None else seen.value,
        None if unread else pips,
        skip=seen.visible < HIDDEN or "moving" in seen.tags,
    )


def drawn_examples(
    count: int, *, folder: Path, processes: int = 2, first_seed: int = 1, steep: bool = False
) -> list[Example]:
    """Scenes by seed, kept in `folder` so that a second run need not draw them again; stderr tells how far it is."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = "steep" if steep else "scenes"
    starts = range(first_seed, first_seed + count, SHARD)
    wanted = [(start, folder / f"{kind}-{start}.pickle") for start in starts]
    missing = [(start, SHARD, path, steep) for start, path in wanted if not path.exists()]
    if missing:
        sys.stderr.write(f"drawing {SHARD * len(missing)} scenes, which are kept in {folder}\n")
    for done, _ in enumerate(spread(_draw_shard, missing, processes), 1):
        bar(SHARD * done, SHARD * len(missing))
    return [example for _, path in wanted for example in _load(path)][:count]


def _draw_shard(job: tuple[int, int, Path, bool]) -> None:
    start, count, path, steep = job
    examples = [drawn_example(seed, steep=steep) for seed in range(start, start + count)]
    with whole(path, durable=True) as stream:
        pickle.dump(examples, stream, protocol=5)


def _load(path: Path) -> Iterable[Example]:
    with path.open("rb") as stream:
        return pickle.load(stream)  # type: ignore[no-any-return]
