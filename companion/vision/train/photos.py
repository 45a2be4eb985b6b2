"""Labelled photos as examples. Where a label has no box of the whole die, the trained finder says where the dice are.

`matteop65` boxes hold only the pips, `damiantab` has none. The finder's places are taken where they fit the label: one
place to each box; or as many places as dice, the values given to them in the order that the face network finds
likeliest. Photos that do not fit are left out.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.events import Box, middle_of
from companion.progress import bar
from companion.vision.finding import find_at_all_scales
from companion.vision.labels import Label, Wanted, labels_in
from companion.vision.networks import NOTHING, UNREAD, FaceNet, FinderNet, softmax
from companion.vision.train.pictures import Example, Truth, load_labelled
from companion.vision.train.spread import spread
from companion.vision.views import Place, Views

WHOLE_DIE = {"nellbyler": 0.83, "skovy": 1.0, "rune55_pxl": 0.92}
"""Collections whose boxes hold whole dice, most of them loosely: a die's usual size over its box's."""
LEAST_SURE = 0.2
CLEAR = 0.75  # the next best place must score so much less than the last die
MOST_PERMUTED = 6
NEAR_PIPS, AS_LARGE_AS_PIPS = 0.45, 0.9  # of a die: pips so near its middle, of a box no larger, may be its own
LEAST_LIKELY = 0.02  # a network of drawn dice gives each value at its place so much of a chance


def photo_examples(
    folder: Path, finder: FinderNet, faces: FaceNet, *, found: float = 1.0, processes: int = 1
) -> list[Example]:
    """Every photo of labels.jsonl that could be made into an example, in the file's order.

    `found`: a die's size over that which the finder sees. Raises BadLabels or BadPicture, whose text names the file.
    """
    labels, examples = labels_in(folder), []
    made = spread(lambda label: _example(label, finder, faces, found), labels, processes)
    for done, example in enumerate(made, 1):
        examples += [example] if example is not None else []
        bar(done, len(labels))
    return examples


def _example(label: Label, finder: FinderNet, faces: FaceNet, found: float) -> Example | None:
    picture, label = load_labelled(label)
    source, boxes = label.group, [die.box for die in label.dice if die.box is not None]
    if source in WHOLE_DIE and len(boxes) == len(label.dice):
        return Example(
            picture,
            [
                Truth(_tight(box, WHOLE_DIE[source]), _class(die), skip=die.ignore)
                for die, box in zip(label.dice, boxes, strict=True)
            ],
            source,
            label.image,
        )
    views = Views(picture)
    places = [place for place in find_at_all_scales(views, finder) if place.heat > LEAST_SURE]
    values = [_class(die) for die in label.dice]
    chosen = _by_boxes(places, boxes) if len(boxes) == len(values) else _by_values(views, places, values, faces)
    if chosen is None:
        return None
    dice = [
        Truth(_tight(place.box, found), _class(die), skip=die.ignore)
        for place, die in zip(chosen, label.dice, strict=True)
    ]
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
