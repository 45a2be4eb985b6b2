"""Labelled photos as examples. Where a label has no box of the whole die, the trained finder says where the dice are.

Boxes are taken as they are labelled; of a collection of the package's own training, as much as is known to be loose is
taken off. Boxes that hold pips alone, as those of `matteop65`, are told by a one's, which is far smaller than others';
`damiantab` has none. There the finder's places are taken where they fit the label: one place to each box; or as many
places as dice, the values given to them in the order that the face network finds likeliest. Photos that do not fit are
left out.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.events import Box, middle_of
from companion.progress import bar
from companion.vision.finding import find_at_all_scales
from companion.vision.labels import BadLabels, Label, Wanted, labels_in
from companion.vision.networks import NOTHING, UNREAD, FaceNet, FinderNet, softmax
from companion.vision.train.pictures import Example, Truth, load_labelled
from companion.vision.train.spread import spread
from companion.vision.views import Place, Views

WHOLE_DIE = {"nellbyler": 0.83, "skovy": 1.0, "rune55_pxl": 0.92}
"""Collections whose boxes are known to hold whole dice, most of them loosely: a die's usual size over its box's."""
PIPS_ALONE = 0.7  # a one's box over others' in its photo: less in boxes of pips, as 0.5 in matteop65; of dice 1.0
LEAST_SURE = 0.2
CLEAR = 0.75  # the next best place must score so much less than the last die
MOST_PERMUTED = 6
NEAR_PIPS, AS_LARGE_AS_PIPS = 0.45, 0.9  # of a die: pips so near its middle, of a box no larger, may be its own
LEAST_LIKELY = 0.02  # a network of drawn dice gives each value at its place so much of a chance
UNSEEN = "no die of its own is seen at each box of pips"
TOO_MANY = f"more than {MOST_PERMUTED} dice, and not all have boxes"
DOUBTFUL = "not all dice have boxes, and what is seen does not fit their values"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A photo that could not be made into an example. `source`: its collection."""

    source: str
    why: str


def used_of(made: Sequence[Example | LeftOut], folder: Path) -> list[Example]:
    """The examples among what photos were made into; of each collection a line on stderr tells how many there are, and
    why others are left out. Raises BadLabels where there is none."""
    for source in sorted({one.source for one in made}):
        of_it = [one for one in made if one.source == source]
        why = Counter(one.why for one in of_it if isinstance(one, LeftOut))
        told = [f"{len(of_it) - why.total()} of {len(of_it)} photos are used"]
        told += [f"{count} left out: {reason}" for reason, count in why.most_common()]
        sys.stderr.write(f"{source}: {'; '.join(told)}\n")
    examples = [one for one in made if isinstance(one, Example)]
    if not examples:
        raise BadLabels(f"of the photos of {folder} none can be used; give each die a box around all of it")
    return examples


def photo_examples(
    folder: Path, finder: FinderNet, faces: FaceNet, *, found: float = 1.0, processes: int = 1
) -> list[Example | LeftOut]:
    """What every photo of labels.jsonl is made into, in the file's order.

    `found`: a die's size over that which the finder sees. Raises BadLabels or BadPicture, whose text names the file.
    """
    labels = labels_in(folder)
    of_pips = _of_pips(labels)
    made: list[Example | LeftOut] = []

    def one(label: Label) -> Example | LeftOut:
        return _example(label, finder, faces, found, whole_dice=label.group not in of_pips)

    for done, example in enumerate(spread(one, labels, processes), 1):
        made.append(example)
        bar(done, len(labels))
    return made


def _of_pips(labels: Sequence[Label]) -> set[str]:
    """The collections whose boxes hold pips alone: where both lie, a one's is far smaller than others'."""
    shares: dict[str, list[float]] = defaultdict(list)
    for label in labels:
        ones, others = (
            [max(die.box[2:]) for die in label.dice if die.box and (die.value == 1) == one] for one in (True, False)
        )
        if ones and others and label.group not in WHOLE_DIE:
            shares[label.group].append(float(np.median(ones) / np.median(others)))
    return {group for group, some in shares.items() if np.median(some) < PIPS_ALONE}


def _example(label: Label, finder: FinderNet, faces: FaceNet, found: float, *, whole_dice: bool) -> Example | LeftOut:
    picture, label = load_labelled(label)
    source, boxes = label.group, [die.box for die in label.dice if die.box is not None]
    if len(boxes) == len(label.dice) and whole_dice:
        share = WHOLE_DIE.get(source, 1.0)
    else:
        views, share = Views(picture), found
        places = [place for place in find_at_all_scales(views, finder) if place.heat > LEAST_SURE]
        values = [_class(die) for die in label.dice]
        by_boxes = len(boxes) == len(values)
        chosen = _by_boxes(places, boxes) if by_boxes else _by_values(views, places, values, faces)
        if chosen is None:
            return LeftOut(source, UNSEEN if by_boxes else TOO_MANY if len(values) > MOST_PERMUTED else DOUBTFUL)
        boxes = [place.box for place in chosen]
    dice = [Truth(_tight(box, share), _class(die), skip=die.ignore) for box, die in zip(boxes, label.dice, strict=True)]
    return Example(picture, dice, source, label.image)


def _class(die: Wanted) -> int:
    """Of a die with signs, or with more than six faces, the one of dice that cannot be read."""
    return die.value if isinstance(die.value, int) and 1 <= die.value <= 6 else UNREAD


def _tight(box: Box, share: float) -> NDArray[np.float32]:
    """A box of the same middle, so much as large."""
    x, y, w, h = box
    return np.array([x + (1 - share) / 2 * w, y + (1 - share) / 2 * h, share * w, share * h], np.float32)


def _by_boxes(places: list[Place], boxes: list[Box]) -> list[Place] | None:
    """The place around each box of pips; None unless every box has one of its own."""
    chosen = []
    for box in boxes:
        near = [p for p in places if _around(p, box)]
        if not near:
            return None
        chosen.append(max(near, key=lambda place: place.heat))
    return chosen if len({(p.x, p.y) for p in chosen}) == len(chosen) else None


def _around(place: Place, box: Box) -> bool:
    """Could the die at a place show these pips."""
    x, y = middle_of(box)
    near = np.hypot(place.x - x, place.y - y) < NEAR_PIPS * place.size
    return bool(near) and place.size > AS_LARGE_AS_PIPS * max(box[2:])


def _by_values(views: Views, places: list[Place], values: list[int], faces: FaceNet) -> list[Place] | None:
    """As many places as there are dice, in the order of the values that suits the face network best."""
    if len(values) > MOST_PERMUTED or len(places) < len(values):
        return None
    seen = softmax(faces(np.stack([views.crop(place) for place in places]))[0])
    usual = float(np.median([place.size for place in sorted(places, key=lambda p: -p.heat)[: len(values)]]))
    scores_of = [
        place.heat * float(1 - chances[NOTHING] - chances[UNREAD]) * (0.5 < place.size / usual < 2)
        for place, chances in zip(places, seen, strict=True)
    ]
    order = np.argsort(scores_of)[::-1]
    if len(places) > len(values) and scores_of[order[len(values)]] > CLEAR * scores_of[order[len(values) - 1]]:
        return None
    best = [places[i] for i in order[: len(values)]]
    chances = seen[order[: len(values)]]
    orders = list(permutations(range(len(values))))
    each = [np.array([chances[place, values[i]] for i, place in enumerate(chosen)]) for chosen in orders]
    likeliest = int(np.argmax([np.log(some + 1e-4).sum() for some in each]))
    if each[likeliest].min(initial=1.0) < LEAST_LIKELY:
        return None
    return [best[place] for place in orders[likeliest]]
