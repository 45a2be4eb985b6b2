"""From examples to what each training step draws: balanced by value, by collection, by drawn and real.

What takes long is told on stderr, with a bar.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.progress import bar
from companion.vision.finding import find_at_all_scales
from companion.vision.networks import UNREAD, FinderNet
from companion.vision.train.clutter import lay
from companion.vision.train.crops import PATCH_FILL, PATCH_PX, Patch, die_patch, ground_patch, shows
from companion.vision.train.pictures import DRAWN, NOT_PHOTOS, PLAIN, TRACED, Example, Truth
from companion.vision.train.spread import spread
from companion.vision.views import Views

SMALLEST_PX = 12.0  # smaller dice teach nothing
GROUNDS_EACH = 4  # places without a die taken from each drawn or traced scene: its things are to count,
REAL_GROUNDS_EACH = 20  # and from each photo, of which there are few
FALSE_ALARM = 0.12  # heat from which a place without a die is a false alarm worth learning
CLASS_SHARES = np.array([0.34, *[0.1] * 6, 0.06])
REAL_SHARES = {"nellbyler": 0.32, "rune55_pxl": 0.2, "skovy": 0.14, "matteop65": 0.18, "damiantab": 0.16}
CLUTTER = 9000  # patches with a thing, most of them flat, laid on some ground
CLUTTER_SIZES = (-0.5, 0.8)  # logarithm of a thing's width in a die's
PLAIN_GROUNDS = 0.35  # of the patches without a die are from pictures without dice, where there are such
PLAIN_WINDOWS = 0.15  # of the finder's windows, likewise
TRACED_SHARE = 0.25  # of a fine-tuning step is traced, where there are such scenes
REAL_SHARE = 0.5  # of the rest of it is photographed, where photos are given

R = TypeVar("R")


@dataclass(slots=True)
class Patches:
    """Patches by source and class."""

    of: dict[str, dict[int, list[Patch]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))

    def add(self, patch: Patch) -> None:
        self.of[patch.source][patch.value].append(patch)

    def take(self, other: Patches) -> None:
        for source, kinds in other.of.items():
            for value, found in kinds.items():
                self.of[source][value] += found


def patches(examples: Sequence[Example], seed: int, finder: FinderNet | None = None, *, processes: int = 1) -> Patches:
    """Every die, some ground, and the false alarms of a finder if one is given."""

    def of_one(number: int) -> list[Patch]:
        example, rng = examples[number], np.random.default_rng([seed, number])
        dice = [die for die in example.dice if not die.skip and die.size >= SMALLEST_PX]
        grounds = GROUNDS_EACH if example.source in (DRAWN, TRACED) else REAL_GROUNDS_EACH
        found = [die_patch(example.picture, die, example.source) for die in dice]
        found += [ground for _ in range(grounds) if (ground := ground_patch(example, rng)) is not None]
        return found + (false_alarms(example, finder) if finder is not None else [])

    cut = spread(of_one, range(len(examples)), processes)
    told = f"cutting dice and ground out of {len(examples)} pictures"
    return _pooled(chain.from_iterable(_shown(cut, len(examples), told)))


def mined(examples: Sequence[Example], finder: FinderNet, *, processes: int = 1) -> Patches:
    """The false alarms of a finder that has learned from all collections."""
    alarms = spread(lambda example: false_alarms(example, finder), examples, processes)
    told = f"searching {len(examples)} pictures for what is taken for dice and is none"
    found = chain.from_iterable(_shown(alarms, len(examples), told))
    return _pooled(replace(alarm, mined=True) for alarm in found)


def _shown(made: Iterable[R], whole: int, told: str) -> Iterator[R]:
    """The same, each as it comes, while stderr tells how far it is."""
    sys.stderr.write(f"{told}\n")
    for done, each in enumerate(made, 1):
        yield each
        bar(done, whole)


def _pooled(found: Iterable[Patch]) -> Patches:
    pool = Patches()
    for patch in found:
        pool.add(patch)
    return pool


def false_alarms(example: Example, finder: FinderNet) -> list[Patch]:
    """Where the finder takes something for a die that is none."""
    found = []
    for place in find_at_all_scales(Views(example.picture), finder):
        box = np.array(place.box, np.float32)
        if place.heat > FALSE_ALARM and not any(
            shows(np.array([place.x, place.y], np.float32), place.size, die) for die in example.dice
        ):
            found.append(die_patch(example.picture, Truth(box, 0), example.source))
    return found


def clutter(pool: Patches, count: int, seed: int, *, processes: int = 1) -> Patches:
    """Ground of a pool, with one flat thing each laid on it: of no photo, as it belongs to no collection."""
    grounds = [patch for source in NOT_PHOTOS if source in pool.of for patch in pool.of[source][0]]

    def one(number: int) -> Patch:
        rng = np.random.default_rng([seed, number])
        picture = grounds[int(rng.integers(len(grounds)))].picture.copy()
        lay(
            picture,
            rng,
            at=(PATCH_PX / 2, PATCH_PX / 2),
            size_px=PATCH_FILL * float(np.exp(rng.uniform(*CLUTTER_SIZES))),
            of_part=True,
        )
        return Patch(picture, 0, None, DRAWN)

    return _pooled(_shown(spread(one, range(count), processes), count, f"laying {count} things on ground"))


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where examples come from. `real`: the collections of photos, drawn by their `weights`."""

    real: tuple[str, ...]
    weights: NDArray[np.float64]
    has_plain: bool
    has_traced: bool

    @classmethod
    def among(cls, names: Iterable[str]) -> _Sources:
        there = tuple(names)
        real = tuple(name for name in there if name not in NOT_PHOTOS)
        weights = np.array([REAL_SHARES.get(name, 0.15) for name in real])
        return cls(real, weights / weights.sum() if real else weights, PLAIN in there, TRACED in there)

    def draw(self, rng: np.random.Generator, *, plain: float, photographed: bool = True) -> str:
        """PLAIN for a share `plain`, TRACED for its share of the rest, DRAWN or a collection; where there are such."""
        if self.has_plain and plain and rng.random() < plain:
            return PLAIN
        if self.has_traced and rng.random() < TRACED_SHARE:
            return TRACED
        if self.real and rng.random() < REAL_SHARE and photographed:
            return self.real[int(rng.choice(len(self.real), p=self.weights))]
        return DRAWN


def face_draw(pool: Patches) -> Callable[[np.random.Generator, int], list[Patch]]:
    """Draws patches: half photographed where there are photos, the classes by CLASS_SHARES."""
    sources = _Sources.among(pool.of)
    shares = CLASS_SHARES / CLASS_SHARES.sum()

    def draw(rng: np.random.Generator, count: int) -> list[Patch]:
        drawn = []
        for value in rng.choice(len(shares), count, p=shares):
            plain = PLAIN_GROUNDS if value == 0 else 0.0
            source = sources.draw(rng, plain=plain, photographed=value != UNREAD)
            kinds = pool.of[source].get(int(value)) or pool.of[DRAWN][int(value)]
            drawn.append(kinds[int(rng.integers(len(kinds)))])
        return drawn

    return draw


def finder_draw(examples: Sequence[Example]) -> Callable[[np.random.Generator, int], list[Example]]:
    """Draws pictures: half photographed where there are photos, the collections by REAL_SHARES."""
    by_source: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        by_source[example.source].append(example)
    sources = _Sources.among(by_source)

    def draw(rng: np.random.Generator, count: int) -> list[Example]:
        chosen = []
        for _ in range(count):
            some = by_source[sources.draw(rng, plain=PLAIN_WINDOWS)]
            chosen.append(some[int(rng.integers(len(some)))])
        return chosen

    return draw
