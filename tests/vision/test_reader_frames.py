"""What the reader keeps from frame to frame, where it looks, and which looks it leaves out: by plain networks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.events import Why
from companion.ports import Picture
from companion.vision.emptiness import EmptyTray
from companion.vision.engines import Floats
from companion.vision.known import Known
from companion.vision.looking import Look
from companion.vision.networks import CELL_PX, CLASSES, FaceNet, FinderNet, Networks
from companion.vision.reader import Reader, Survey
from companion.vision.views import Views
from tests.vision.plain_looks import look

LIGHT, DARK, PALE = 200, 20, 100  # a table; a thing that is surely a die; one that is hardly one
SEEN_WELL_PX = (15.0, 42.0)  # dice so wide, in the searched picture
ALIKE, OTHERS = (48, 34), (24, 64, 96)  # sizes of dice, where dice of 40 pixels were seen before


class DarkThings(FinderNet):
    """Finds whatever is dark; hotter where it has a size that is seen well."""

    def __init__(self) -> None:
        pass

    def windows(self, pictures: list[Picture]) -> tuple[Floats, Floats]:
        heats, sizes = zip(*map(self, pictures), strict=True)
        return np.stack(heats), np.stack(sizes)

    def __call__(self, picture: Picture) -> tuple[Floats, Floats]:
        cells = tuple(-(-side // CELL_PX) for side in picture.shape[:2])
        heat, sizes = np.zeros(cells, np.float32), np.full(cells, 20, np.float32)
        dark = np.asarray(picture[..., 0] < (LIGHT + PALE) / 2, np.uint8)
        _, _, things, middles = cv2.connectedComponentsWithStats(dark)
        for thing, (x, y) in zip(things[1:], middles[1:], strict=True):
            wide = math.sqrt(4 / math.pi * thing[cv2.CC_STAT_AREA])
            at = round(y) // CELL_PX, round(x) // CELL_PX
            heat[at], sizes[at] = 0.8 if SEEN_WELL_PX[0] < wide < SEEN_WELL_PX[1] else 0.3, wide
        return heat, sizes


class Threes(FaceNet):
    """Takes what is in a crop's middle for a three, and surely so where it is dark."""

    def __init__(self) -> None:
        pass

    def __call__(self, crops: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        chances = np.full((len(crops), CLASSES), 0.001, np.float32)
        chances[:, 3] = [0.98 if crop[32, 32, 0] < (DARK + PALE) / 2 else 0.8 for crop in crops]
        chances[:, 0] = 0.99 - chances[:, 3]
        planes = np.zeros((len(crops), 32, 32), np.float32)
        planes[:, 16, 10:24:6] = 0.9
        return np.log(chances), planes


def table(*dice: tuple[int, int, int], level: int = DARK, wide: int = 640, high: int = 480) -> Picture:
    """Round things: middle and width of each."""
    picture = np.full((high, wide, 3), LIGHT, np.uint8)
    for x, y, px in dice:
        cv2.circle(picture, (x, y), px // 2, (level,) * 3, cv2.FILLED, cv2.LINE_AA)
    return picture


def plain_reader(scale_px: float | None = None, *, mask: Picture | None = None, known: Known | None = None) -> Reader:
    return Reader(scale_px=scale_px, mask=mask, known=known, networks=Networks(DarkThings(), Threes()))


def looks(reader: Reader, picture: Picture) -> Sequence[Look]:
    return reader.survey(Views(picture)).looks


@pytest.mark.parametrize(("px", "shown"), [(26, 1), (22, 0)])
def test_no_picture_is_too_small_for_dice_but_the_smallest(px: int, shown: int) -> None:
    assert len(looks(plain_reader(), table((13, 13, 14), wide=40, high=px))) == shown
    small = table((13, 11, 14), wide=px, high=40)
    assert len(looks(plain_reader(), small)) == shown
    second = plain_reader(14.0).at_scale(Survey(Views(small), []))
    assert second is not None
    assert len(second.looks) == shown


# --- scale ------------------------------------------------------------------------------------------------------------


def test_only_what_is_surely_a_die_tells_the_scale() -> None:
    reader, die = plain_reader(), (200, 200, 40)
    assert len(looks(reader, table(die, level=PALE))) == 1
    assert reader.scale_px is None
    (sure,) = looks(reader, table(die))
    assert reader.scale_px == sure.place.size == pytest.approx(40, rel=0.1)


def test_the_scale_is_that_of_most_dice() -> None:
    reader = plain_reader()
    sizes = sorted(one.place.size for one in looks(reader, table((100, 200, 36), (300, 200, 40), (500, 200, 52))))
    assert len(sizes) == 3
    assert reader.scale_px == sizes[1]


@pytest.mark.parametrize("px", ALIKE)
def test_the_scale_follows_the_dice_slowly(px: int) -> None:
    reader = plain_reader(40.0)
    (die,) = looks(reader, table((200, 200, px)))
    assert reader.scale_px == pytest.approx(40 + 0.2 * (die.place.size - 40))
    before = reader.scale_px
    looks(reader, table())
    assert reader.scale_px == before


@pytest.mark.parametrize("px", OTHERS)
def test_dice_of_plainly_another_size_are_looked_for_at_their_own_scale_which_is_the_new_one(px: int) -> None:
    reader = plain_reader(40.0)
    (die,) = looks(reader, table((200, 200, px)))
    assert die.place.heat == pytest.approx(0.8), "seen well"
    assert reader.scale_px == die.place.size


@pytest.mark.parametrize(("known", "odd"), [(40, 96), (80, 48)])
def test_one_die_of_another_size_does_not_tell_that_all_are(known: int, odd: int) -> None:
    seen = looks(plain_reader(float(known)), table((100, 200, known), (300, 200, known), (500, 200, odd)))
    usual = [one.place for one in seen if one.place.size == pytest.approx(known, rel=0.1)]
    assert [place.heat for place in usual] == pytest.approx([0.8, 0.8]), "seen well"


def test_where_no_die_of_the_known_size_lies_dice_of_any_are_looked_for() -> None:
    reader = plain_reader(40.0)
    (die,) = looks(reader, table((200, 200, 200)))
    assert reader.scale_px == die.place.size == pytest.approx(200, rel=0.1)


def test_where_nothing_is_surely_a_die_at_any_size_what_was_seen_at_the_known_one_stays() -> None:
    picture = table((200, 200, 18), level=PALE)
    assert len(looks(plain_reader(24.0), picture)) == 1
    assert looks(plain_reader(200.0), picture) == []


def test_what_first_sight_thinks_likely_counts_where_the_known_scale_shows_nothing() -> None:
    """A table is called empty by no scale of other dice, that were taken away."""
    (hardly,) = looks(plain_reader(200.0), table((200, 200, 40), level=PALE))
    assert (hardly.value, hardly.place.x) == (3, pytest.approx(200, abs=5))


def test_a_look_at_the_scale_shows_what_lies_there_though_none_of_it_is_beyond_doubt() -> None:
    """A frame falls back on first sight then, which is no second opinion of a picture that was seen so."""
    reader, first = plain_reader(40.0), Survey(Views(table((200, 200, 40), level=PALE)), [])
    second = reader.at_scale(first)
    assert second is not None
    assert [one.value for one in second.looks] == [3]
    assert (second.first, second.plainest, reader.scale_px) == (False, pytest.approx(0.8, rel=0.01), 40.0)
    nothing = plain_reader(40.0).at_scale(Survey(Views(table()), []))
    assert nothing is not None
    assert (nothing.looks, nothing.plainest) == ([], 0.0)


def test_there_is_none_where_no_scale_is_known() -> None:
    assert plain_reader().at_scale(Survey(Views(table((200, 200, 40))), [])) is None


@pytest.mark.parametrize(
    ("px", "share"), [(44, 0.2), (200, 1.0)], ids=["it follows the dice", "that of the first look is taken over"]
)
def test_what_is_seen_at_the_scale_tells_it_for_the_next_picture(px: int, share: float) -> None:
    """Dice of plainly another size, which only the first look finds, are looked at by the second one, too."""
    reader, views = plain_reader(40.0), Views(table((200, 200, px)))
    (die,) = (first := reader.survey(views, afresh=True)).looks
    second = reader.at_scale(first)
    assert second is not None
    assert len(second.looks) == 1
    assert reader.scale_px == pytest.approx(40 + share * (die.place.size - 40), rel=0.01)


def test_where_nothing_is_seen_at_the_scale_first_sight_tells_it() -> None:
    reader = plain_reader(40.0)
    first = reader.survey(Views(table((200, 200, 200))), afresh=True)
    second = reader.at_scale(replace(first, views=Views(table())))
    assert second is not None
    assert reader.scale_px == pytest.approx(first.looks[0].place.size)


def test_tiny_dice_are_looked_for_at_first_sight_alone() -> None:
    """On an empty table, frame after frame, that would take several times as long."""
    tiny = table((200, 200, 18))
    assert len(looks(plain_reader(), tiny)) == 1
    assert looks(plain_reader(200.0), tiny) == []


# --- where dice can lie -----------------------------------------------------------------------------------------------


def test_only_dice_where_the_mask_lets_them_lie_are_looked_at() -> None:
    mask = np.zeros((48, 32), np.uint8)
    mask[:24, :16] = 1
    (die,) = looks(plain_reader(mask=mask), table((290, 200, 40), (370, 200, 40), (290, 290, 40)))
    assert (die.place.x, die.place.y) == pytest.approx((290, 200), abs=5)


@pytest.mark.parametrize("turned", [False, True], ids=["bottom", "right"])
def test_what_seems_to_lie_just_outside_the_picture_is_where_the_mask_ends(turned: bool) -> None:
    """The finder's last cell may have its middle there."""
    picture = table(high=483)
    picture[-2:, 200:440] = DARK
    picture = np.ascontiguousarray(picture.transpose(1, 0, 2)) if turned else picture
    (place,) = (one.place for one in looks(plain_reader(mask=np.full((483, 483), 255, np.uint8)), picture))
    assert max(place.x, place.y) == 483


def test_what_looks_as_the_empty_tray_did_is_not_looked_at_and_tells_no_scale() -> None:
    picture = table((200, 200, 40))
    reader = plain_reader(known=Known(EmptyTray(picture)))
    assert looks(reader, picture) == []
    assert reader.scale_px is None


# --- readings ---------------------------------------------------------------------------------------------------------

HARDLY = replace(look(3), spotted=None, pips=((1.0, 1.0),))  # a three that nothing else names


class Counted(Known):
    """Each die has three pips by its colours."""

    def counted(self, picture: Picture, looks: Sequence[Look]) -> Mapping[Look, int]:
        return dict.fromkeys(looks, 3)


def lamp(px: int) -> Picture:
    return cv2.circle(np.full((240, 320, 3), 120, np.uint8), (200, 120), px // 2, (255, 255, 255), cv2.FILLED)


def test_the_pips_that_the_tables_own_colours_tell_are_one_more_opinion() -> None:
    assert plain_reader().judged(Survey(Views(table()), [HARDLY])).why is Why.FAINT
    assert plain_reader(known=Counted()).judged(Survey(Views(table()), [HARDLY])).why is None


def test_a_reading_that_is_unsure_keeps_its_reason_beside_a_lamp() -> None:
    assert plain_reader().judged(Survey(Views(lamp(50)), [HARDLY])).why is Why.FAINT
    assert plain_reader().judged(Survey(Views(lamp(50)), [look(3)])).why is Why.GLARE


def test_in_the_dark_a_known_table_needs_no_number() -> None:
    """What its empty tray and its dice look like is known: what lies there is told apart from them."""
    dim, known = np.full((480, 640, 3), 15, np.uint8), Known(EmptyTray(table()))
    assert (
        plain_reader().judged(Survey(Views(dim), [look(3)])).why,
        plain_reader().judged(Survey(Views(dim), [look(3)]), count=1).why,
    ) == (
        Why.DARK,
        None,
    )
    assert plain_reader(known=known).judged(Survey(Views(dim), [look(3)])).sure


def test_what_is_sure_only_if_seen_twice_is_asked_about_beside_a_lamp_and_in_the_dark() -> None:
    at_rim = replace(look(3), at_rim=True)
    assert plain_reader().judged(Survey(Views(table()), [at_rim])).if_twice
    beside_lamp, dim = Views(lamp(50)), Views(np.full((480, 640, 3), 15, np.uint8))
    for views, why in ((beside_lamp, Why.GLARE), (dim, Why.DARK)):
        reading = plain_reader().judged(Survey(views, [at_rim]))
        assert (reading.why, reading.if_twice) == (why, False)


@pytest.mark.parametrize(("sizes", "why"), [((30, 30, 50), Why.GLARE), ((30, 50, 50), None)])
def test_a_die_of_the_usual_size_must_fit_where_a_lamp_has_burnt_out_the_picture(
    sizes: tuple[int, ...], why: Why | None
) -> None:
    dice = [look(3, x=50.0 + 80 * number, size=size) for number, size in enumerate(sizes)]
    assert plain_reader().judged(Survey(Views(lamp(38)), dice)).why is why
