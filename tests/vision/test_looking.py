"""From places to dice: what is a die, a pip, a heap; and what is looked at again."""

import cv2
import numpy as np
import pytest

from companion.vision import looking
from companion.vision.looking import look
from companion.vision.networks import CLASSES, NOTHING, UNREAD
from companion.vision.pip_map import PIP_CHANCE, pip_peaks
from companion.vision.views import Place, Views

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


def row(value, chance, nothing=0.0):
    """Chances of the classes: of a value (or UNREAD), of nothing, and the rest of all others alike."""
    chances = np.full(CLASSES, (1 - chance - nothing) / (CLASSES - 2))
    chances[NOTHING], chances[value] = nothing, chance
    return chances


class Seen:
    """A face network that is told the chances of all places, then of those looked at again, each time as rows.

    Without a row for it, a further look sees what the first did. It sees as many pips as the likeliest value has.
    """

    def __init__(self, *looks):
        self._looks, self.times = [np.array(rows) for rows in looks], 0

    def __call__(self, crops):
        rows = self._looks[min(self.times, len(self._looks) - 1)]
        self.times += 1
        assert len(rows) == len(crops)
        planes = np.zeros((len(crops), 32, 32), np.float32)
        for plane, value in zip(planes, rows[:, 1:UNREAD].argmax(axis=1) + 1, strict=True):
            for pip in range(value):
                plane[10 + 4 * (pip // 3), 8 + 5 * (pip % 3)] = 0.9
        return np.log(np.maximum(rows, 1e-6)).astype(np.float32), planes


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


def test_a_heap_of_small_dice_and_specks_is_no_die_though_it_is_hotter_than_each():
    heap, speck, die = Place(130, 100, 140, 0.6), Place(150, 100, 30, 0.3), Place(115, 100, 40, 0.5)
    assert (130, 140) not in values(look(Views(TABLE), [heap, speck, die], Told(6, 1, 2)))
    assert (115, 40) in values(look(Views(TABLE), [heap, speck, die], Told(6, 1, 2)))


def test_one_thing_seen_twice_in_quite_different_sizes_is_one():
    twice = [Place(100, 100, 96, 0.7), Place(100, 100, 40, 0.5)]
    assert values(look(Views(TABLE), twice, Told(3, 2))) == {(100, 96): 3}


def test_a_pip_that_is_likelier_a_die_than_its_own_die_is_still_a_pip():
    die, pip = Place(100, 100, 80, 0.5), Place(100, 100, 16, 0.7)
    assert values(look(Views(TABLE), [die, pip], Told(5, 1))) == {(100, 80): 5}


def test_what_is_hardly_a_die_beside_what_it_holds_is_none():
    small, speck = Place(110, 100, 24, 0.8), Place(80, 90, 24, 0.2)
    for heat, held in ((0.2, {(110, 24): 1, (80, 24): 1}), (0.36, {(100, 100): 5})):
        assert values(look(Views(TABLE), [Place(100, 100, 100, heat), small, speck], Told(5, 1, 1))) == held


@pytest.mark.parametrize(
    ("chance", "heat", "kept"), [(0.7, 0.5, (110, 24)), (0.55, 0.5, (100, 100)), (0.7, 0.3, (100, 100))]
)
def test_only_a_likely_die_of_two_or_more_makes_a_heap_of_what_holds_it(chance, heat, kept):
    """The finder and the faces must both see it; else it is a pip, or two side by side, of a larger die."""
    places = [Place(100, 100, 100, 0.8), Place(110, 100, 24, heat)]
    rows = [row(6, 0.95), row(3, chance)]
    assert list(values(look(Views(TABLE), places, Seen(rows, rows[1:] if kept == (110, 24) else rows[:1])))) == [kept]


def test_a_small_die_beside_a_large_one_is_no_part_of_it():
    large, pip, small = Place(100, 100, 90, 0.7), Place(145, 100, 28, 0.5), Place(168, 100, 28, 0.5)
    assert values(look(Views(TABLE), [large, pip, small], Told(4, 1, 1))) == {(100, 90): 4, (168, 28): 1}


def test_two_dice_of_no_more_than_usual_difference_may_touch_and_quite_different_places_show_one_thing():
    die = Place(100, 100, 80, 0.7)
    assert len(look(Views(TABLE), [die, Place(140, 100, 50, 0.5)], Told(3, 4))) == 2
    assert len(look(Views(TABLE), [die, Place(140, 100, 40, 0.5)], Told(3, 4))) == 1


def test_a_place_where_the_face_network_sees_nothing_is_kept_in_mind_where_the_finder_is_struck_by_it():
    def kept(heat, nothing):
        return len(look(Views(TABLE), [Place(100, 100, 60, heat)], Seen([row(1, 0.99 - nothing, nothing)])))

    assert (kept(0.2, 0.95), kept(0.14, 0.95), kept(0.14, 0.85)) == (1, 0, 1)


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
    faint = Place(142, 142, 76, 0.5)
    for across in (130, 140):
        beside = Place(across, 100, 80, 0.5)
        assert values(look(Views(TABLE), [Place(100, 100, 80, 0.7), beside], Told(3, 3))) == {(100, 80): 3}
    assert values(look(Views(TABLE), [Place(100, 100, 80, 0.7), faint], Told(3, 0))) == {(100, 80): 3}
    assert len(look(Views(TABLE), [Place(100, 100, 80, 0.9), faint], Told(UNREAD, 3))) == 1
    hardly = [row(3, 0.8), row(4, 0.8)]
    assert len(look(Views(TABLE), [Place(100, 100, 80, 0.7), faint], Seen(hardly, hardly[:1]))) == 1


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


@pytest.mark.parametrize(("heat", "nothing"), [(0.3, 0.8), (0.2, 0.6)])
def test_what_may_be_a_die_beside_others_is_looked_at_again(heat, nothing):
    places = [Place(100, 100, 60, 0.7), Place(200, 100, 60, heat)]
    perhaps = row(2, 0.95 - nothing, nothing)
    _, beside = look(Views(TABLE), places, Seen([row(4, 0.99), perhaps], [perhaps]))
    assert len(beside.recounts) == 2


def test_what_is_plainly_nothing_is_not_looked_at_again_though_the_finder_is_struck_by_it():
    net = Seen([row(1, 0.03, 0.95)])
    (struck,) = look(Views(TABLE), [Place(100, 100, 60, 0.3)], net)
    assert (struck.recounts, net.times) == ((), 1)


def seen(*looks):
    (one,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], Seen(*([row] for row in looks)))
    return one


def test_a_likely_value_is_looked_at_again_until_it_is_certain_and_at_most_twice():
    assert len(seen(row(4, 0.95)).recounts) == 0
    assert len(seen(row(4, 0.8), row(4, 0.995)).recounts) == 1
    assert len(seen(row(4, 0.8)).recounts) == 2


@pytest.mark.parametrize(("spotted", "further"), [(4, 0), (None, 0), (2, 1)])
def test_where_geometry_sees_another_number_a_value_must_be_more_certain_at_first(spotted, further, monkeypatch):
    """Else as many would speak for it as against it, and a plain die be asked about."""
    monkeypatch.setattr(looking, "values_near", lambda crops, middles: [spotted])
    assert len(seen(row(4, 0.94), row(4, 0.995)).recounts) == further
    assert len(seen(row(4, 0.96), row(4, 0.995)).recounts) == 0


def test_the_second_look_is_mirrored_and_both_further_ones_are_turned():
    """What was misread once shall not be misread alike again."""
    crops = []

    class Watching(Seen):
        def __call__(self, shown):
            crops.extend(shown.astype(int))
            return super().__call__(shown)

    half = TABLE.copy()
    half[:, 100:] = 220
    look(Views(half), [Place(100, 100, 60, 0.7)], Watching([row(4, 0.8)]))
    light = [[crop[y, :32].mean() < crop[y, 32:].mean() for y in (20, 44)] for crop in crops]
    edges = [[int(np.argmax(np.abs(np.diff(crop[y].mean(axis=1))))) for y in (8, 56)] for crop in crops]
    assert light == [[True, True], [False, False], [True, True]]
    assert [abs(upper - lower) > 4 for upper, lower in edges] == [False, True, True]


def test_where_the_first_look_is_in_doubt_keen_ones_are_taken_and_then_the_first_networks_once_more():
    net, keen = Seen([row(4, 0.8)], [row(4, 0.8)]), Seen([row(5, 0.8)], [row(5, 0.8)])
    (one,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], net, [keen])
    assert (keen.times, net.times, one.recounts) == (3, 2, (5, 5, 4)), "the second one in either of two ways"
    assert one.chances[5] / one.chances[4] == pytest.approx((0.8 / 0.025) ** ((4 - 2) / 6), rel=0.2)


PIPS = ((85.0, 85.0), (115.0, 85.0), (100.0, 100.0), (85.0, 115.0), (115.0, 118.0))


class Dots:
    """A face network that sees a five, hardly, and as its pips the dark dots of a crop, so many at most each time."""

    def __init__(self, *most):
        self._most = list(most)

    def __call__(self, crops):
        most = self._most.pop(0)
        planes = np.zeros((len(crops), 32, 32), np.float32)
        for plane, crop in zip(planes, crops, strict=True):
            _, _, _, middles = cv2.connectedComponentsWithStats((crop[..., 0] < 60).astype(np.uint8))
            for x, y in middles[1 : 1 + most]:
                plane[int((y + 0.5) / 2), int((x + 0.5) / 2)] = 0.9
        return np.log(np.tile(row(5, 0.8, 0.01), (len(crops), 1))).astype(np.float32), planes


@pytest.mark.parametrize(
    ("net", "keen", "explained"),
    [
        (Dots(4, 5, 0), [], True),
        (Dots(4, 0), [Dots(3, 5, 0)], True),
        (Dots(4, 0), [Dots(5, 3, 0)], True),
        (Dots(4, 0), [Dots(3, 4, 5)], False),
        (Dots(5, 5, 5), [], False),
    ],
    ids=["by a mirrored look", "by a mirrored keen one", "by an upright keen one", "by none", "by the first, plainly"],
)
def test_the_pips_that_explain_a_value_are_those_of_a_look_that_counts_as_many(net, keen, explained):
    table = TABLE.copy()
    for x, y in PIPS:
        cv2.circle(table, (int(x), int(y)), 3, (0, 0, 0), cv2.FILLED)
    (one,) = look(Views(table), [Place(100, 100, 60, 0.7)], net, keen)
    assert (one.value, one.explained is not None) == (5, explained)
    told = one.explained or one.pips
    assert len(told) == (5 if explained or len(one.pips) == 5 else 4)
    for seen in told:
        assert min(np.hypot(seen[0] - x, seen[1] - y) for x, y in PIPS) < 3  # one cell of what it answers


def test_of_two_keen_networks_each_takes_one_look():
    net, keen = Seen([row(4, 0.8)]), (Seen([row(5, 0.8)]), Seen([row(6, 0.8)]))
    (one,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], net, keen)
    assert ([some.times for some in keen], net.times, one.recounts) == ([1, 2], 2, (5, 6, 4))


@pytest.mark.parametrize(("steeply", "told"), [(0.97, (6, 4)), (0.6, (2, 3))])
def test_the_second_keen_look_is_taken_at_all_dice_alike_in_the_way_that_shows_their_values_plainest(steeply, told):
    places = [Place(100, 100, 60, 0.7), Place(200, 100, 60, 0.7)]
    net = Seen([row(5, 0.4)] * 2)
    keen = Seen([row(5, 0.4)] * 2), Seen([row(2, 0.95), row(3, 0.9)], [row(6, steeply), row(4, steeply)])
    assert tuple(one.recounts[1] for one in look(Views(TABLE), places, net, keen)) == told


def test_a_plainer_way_counts_beside_the_usual_one():
    net, keen = Seen([row(4, 0.4)]), (Seen([row(4, 0.4)]), Seen([row(4, 0.5)], [row(6, 0.98)]))
    (one,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], net, keen)
    assert one.chances[4] == pytest.approx(one.chances[6], rel=0.5), "alone it would be hundreds of times likelier"


def test_a_way_that_makes_a_thing_more_like_a_die_is_no_plainer_for_that():
    net = Seen([row(5, 0.3, 0.45)])
    keen = Seen([row(5, 0.3, 0.45)]), Seen([row(3, 0.35, 0.6)], [row(2, 0.5, 0.2)])
    (one,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], net, keen)
    assert one.recounts[1] == 3


def test_only_what_is_likely_a_die_is_seen_in_another_way():
    places = [Place(100, 100, 60, 0.7), Place(200, 100, 60, 0.7)]
    net = Seen([row(5, 0.4), row(1, 0.2, 0.7)])
    keen = Seen([row(5, 0.4), row(1, 0.2, 0.7)]), Seen([row(2, 0.6), row(3, 0.6)], [row(6, 0.97)])
    die, thing = look(Views(TABLE), places, net, keen)
    assert (die.recounts[1], thing.recounts[1]) == (6, 3)


def test_the_keen_network_alone_is_asked_where_it_is_certain():
    net, keen = Seen([row(4, 0.8)]), Seen([row(4, 0.995)])
    (one,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], net, [keen])
    assert (keen.times, net.times, one.value, one.recounts) == (1, 1, 4, (4,))


def test_the_keen_network_is_not_asked_about_what_is_plain_or_plainly_nothing():
    net, keen = Seen([row(4, 0.95), row(1, 0.03, 0.95)]), Seen()
    look(Views(TABLE), [Place(100, 100, 60, 0.7), Place(200, 100, 60, 0.3)], net, [keen])
    assert (keen.times, net.times) == (0, 1)


def test_a_keen_network_is_asked_once_about_each_one_however_plain_it_is():
    net, keen = Seen([row(1, 0.99), row(4, 0.99)]), Seen([row(1, 0.995)])
    one, four = look(Views(TABLE), [Place(100, 100, 60, 0.7), Place(200, 100, 60, 0.7)], net, [keen])
    assert (keen.times, one.value, one.recounts, four.recounts) == (1, 1, (1,), ())


def test_what_looks_like_a_one_and_is_none_to_keen_networks_is_none():
    small, keen = row(1, 0.98, 0.01), row(1, 0.01, 0.97)
    nets = Seen([small], [small]), (Seen([keen]), Seen([keen]))
    (flower,) = look(Views(TABLE), [Place(100, 100, 60, 0.7)], *nets)
    assert flower.chances[0] > 0.7


def test_the_keen_network_sees_at_first_what_the_first_look_saw():
    crops = []

    class Watching(Seen):
        def __call__(self, shown):
            crops.append(shown.copy())
            return super().__call__(shown)

    half = TABLE.copy()
    half[:, 100:] = 220
    look(Views(half), [Place(100, 100, 60, 0.7)], Watching([row(4, 0.8)]), [Watching([row(4, 0.8)])])
    assert len(crops) == 5
    assert [np.array_equal(crops[0], crop) for crop in crops] == [True, True, False, False, False]


def test_the_chances_of_all_looks_count_alike_and_agreeing_makes_none_surer():
    agreed = seen(row(4, 0.8))
    assert (agreed.chance, agreed.apart) == (pytest.approx(0.8, abs=0.01), pytest.approx(0, abs=0.01))
    outvoted = seen(row(4, 0.8), row(5, 0.8), row(5, 0.8))
    assert (outvoted.value, outvoted.recounts) == (5, (5, 5))


def test_how_far_looks_differ_and_that_one_saw_a_die_is_kept_in_mind():
    doubtful = seen(row(4, 0.3, 0.6), row(4, 0.8, 0.1), row(4, 0.3, 0.6))
    assert doubtful.apart == pytest.approx(0.5, abs=0.02)
    assert doubtful.least_nothing == pytest.approx(0.1, abs=0.02)
    assert seen(row(4, 0.95, 0.02)).least_nothing == pytest.approx(0.02, abs=0.01)


@pytest.mark.parametrize(
    ("chances", "pips"),
    [
        ((), 0),
        ((0.09,), 0),
        ((0.13,), 1),
        ((0.3,), 1),
        ((0.9, 0.8, 0.4, 0.3), 2),
        ((0.5, 0.48, 0.4, 0.12), 3),
        ((0.95, 0.9, 0.9, 0.85, 0.3, 0.2), 4),
        ((0.95,) * 6 + (0.9,) * 2, 6),
        ((0.95, 0.94, 0.93, 0.92, 0.91, 0.9, 0.5, 0.4), 6),
    ],
)
def test_pips_before_the_largest_fall_of_chance_are_counted(chances: tuple[float, ...], pips: int) -> None:
    """The others are those of faces that are not up; and there are six at most."""
    plane = np.zeros((32, 32), np.float32)
    plane[4 : 4 + 3 * len(chances) : 3, 10] = chances
    assert pip_peaks(plane[None])[0].tolist() == [[21, 9 + 6 * pip] for pip in range(pips)]


def test_two_pips_side_by_side_are_two_a_wide_one_is_one_and_a_faint_one_is_none():
    beside, wide, none = planes = np.zeros((3, 32, 32), np.float32)
    beside[10, 10], beside[10, 12] = 0.9, 0.85
    wide[9:12, 9:12] = 0.8
    wide[10, 10] = 0.9
    none[20, 20] = PIP_CHANCE
    assert [len(pips) for pips in pip_peaks(planes)] == [2, 1, 0]
    assert [len(pips) for pips in pip_peaks(np.tile(planes, (200, 1, 1)))] == 200 * [2, 1, 0]
    assert pip_peaks(planes)[1].tolist() == [[21, 21]]


def test_a_pip_at_the_rim_of_one_crop_hides_none_at_that_of_the_next():
    planes = np.zeros((2, 32, 32), np.float32)
    planes[0, 31, 5], planes[1, 0, 5] = 0.8, 0.9
    assert [pips.tolist() for pips in pip_peaks(planes)] == [[[11, 63]], [[11, 1]]]
