"""From places to dice: what is a die, a pip, a heap; and what is looked at again."""

import numpy as np
import pytest

from companion.vision.finding import Place, Views
from companion.vision.looking import look, pip_peaks
from companion.vision.networks import CLASSES

TABLE = np.full((240, 320, 3), 120, np.uint8)


class Told:
    """A face network that is told what it sees, place by place, and how many pips; further looks are counted."""

    def __init__(self, *kinds: int, pips: int | None = None) -> None:
        self._kinds, self._pips, self.again = kinds, pips, 0

    def __call__(self, crops):
        first = len(crops) == len(self._kinds) and not self.again
        self.again += 0 if first else len(crops)
        kinds = self._kinds if first else self._kinds[:1] * len(crops)
        logits = np.full((len(crops), CLASSES), -5.0, np.float32)
        logits[range(len(crops)), kinds] = 5.0
        planes = np.zeros((len(crops), 32, 32), np.float32)
        for plane, kind in zip(planes, kinds, strict=True):
            for pip in range(self._pips if self._pips is not None else kind):
                plane[10 + 4 * (pip // 3), 8 + 5 * (pip % 3)] = 0.9
        return logits, planes


def values(looks):
    return {(round(seen.place.x), seen.place.size): seen.value for seen in looks}


def test_a_die_that_a_heap_is_taken_for_is_still_looked_at():
    """Three dice close together are as hot as one large die; the third alone is found faintly."""
    dice = Place(80, 80, 40, 0.7), Place(180, 80, 40, 0.7), Place(130, 130, 60, 0.33)
    heap = Place(130, 100, 160, 0.6)
    seen = values(look(Views(TABLE), [*dice, heap], Told(3, 5, 6, 1)))
    assert seen == {(80, 40): 3, (180, 40): 5, (130, 60): 6}


def test_a_pip_of_a_die_is_no_die():
    die, pip = Place(100, 100, 80, 0.7), Place(90, 100, 16, 0.5)
    assert values(look(Views(TABLE), [die, pip], Told(4, 1))) == {(100, 80): 4}


def test_a_certain_value_that_its_pips_confirm_is_looked_at_once():
    net = Told(4)
    (seen,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], net)
    assert (seen.value, len(seen.pips), seen.recounts, net.again) == (4, 4, (), 0)


def test_a_certain_value_that_its_pips_do_not_confirm_is_looked_at_again():
    (seen,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], Told(2, pips=4))
    assert (seen.value, len(seen.pips), seen.recounts) == (2, 4, (4, 4))


def test_two_dice_that_touch_at_a_corner_are_two():
    """Their middles are no further apart, across or down, than two looks at one die may be."""
    seen = values(look(Views(TABLE), [Place(100, 100, 80, 0.7), Place(142, 142, 76, 0.5)], Told(3, 4)))
    assert seen == {(100, 80): 3, (142, 76): 4}


def test_a_die_found_twice_is_one():
    beside, faint = Place(130, 100, 80, 0.5), Place(142, 142, 76, 0.5)
    assert values(look(Views(TABLE), [Place(100, 100, 80, 0.7), beside], Told(3, 3))) == {(100, 80): 3}
    assert values(look(Views(TABLE), [Place(100, 100, 80, 0.7), faint], Told(3, 0))) == {(100, 80): 3}


def test_what_is_faint_and_hardly_a_die_is_looked_at_again_only_where_no_plain_die_lies():
    class Doubting(Told):
        def __call__(self, crops):
            logits, planes = super().__call__(crops)
            logits[logits.argmax(axis=1) == 0, 1] = 3.6  # a chance of 0.8 of no die
            return logits, planes

    faint = Place(200, 100, 60, 0.2)
    (alone,) = look(Views(TABLE), [faint], Doubting(0))
    _, beside = look(Views(TABLE), [Place(100, 100, 60, 0.7), faint], Doubting(4, 0))
    assert (len(alone.recounts), len(beside.recounts)) == (2, 0)


@pytest.mark.parametrize(
    ("chances", "pips"),
    [
        ((), 0),
        ((0.09,), 0),
        ((0.3,), 1),
        ((0.9, 0.8, 0.4, 0.3), 2),
        ((0.5, 0.48, 0.4, 0.12), 3),
        ((0.95, 0.9, 0.9, 0.85, 0.3, 0.2), 4),
        ((0.95,) * 6 + (0.9,) * 2, 6),
    ],
)
def test_pips_before_the_largest_fall_of_chance_are_counted(chances: tuple[float, ...], pips: int) -> None:
    """The others are those of faces that are not up; and there are six at most."""
    plane = np.zeros((32, 32), np.float32)
    plane[4 : 4 + 3 * len(chances) : 3, 10] = chances
    assert pip_peaks(plane).tolist() == [[21, 9 + 6 * pip] for pip in range(pips)]
