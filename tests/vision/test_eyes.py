"""Number dice and the Wild die in one picture: what lies where the Wild die does is one of them, or asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.events import Reading, Why, WildDie
from companion.pictures import BadPicture
from companion.ports import Picture
from companion.vision import eyes
from companion.vision import reader as reading
from companion.vision.eyes import Eyes, Sight, alone
from companion.vision.gleam import Gleam
from companion.vision.looking import Look
from companion.vision.reader import Reader, Survey
from companion.vision.views import Views
from companion.vision.wild import Found
from tests.vision.plain_looks import WIDTH, look

PICTURE = np.full((120, 400, 3), 120, np.uint8)
SWAP = WildDie("swap", (280.0, 30.0, WIDTH, WIDTH), 0.99)  # its middle at 300, 50
FAINT = replace(SWAP, face=None, confidence=0.0, why=Why.FAINT)
AT_RIM = replace(look(4), at_rim=True)
HARDLY = replace(look(3, x=300), spotted=None, pips=((1.0, 1.0),))  # a three that nothing else names


class Looking(Reader):
    """A reader that looks at no picture, but judges these looks."""

    def __init__(self, looks: Sequence[Look]) -> None:
        super().__init__()
        self._seen = list(looks)
        self.given: list[Picture] = []

    def survey(self, views: Views, **_how: bool) -> Survey:
        self.given.append(views.taken)
        return Survey(views, self._seen, first=True)


class Finding:
    """What finds the Wild die, or not, as it is told."""

    def __init__(self, found: Found | None) -> None:
        self._found = found
        self.given: list[Picture] = []

    def find(self, picture: Picture) -> Found | None:
        self.given.append(picture)
        return self._found


def see(*looks: Look, found: Found | None, picture: Picture = PICTURE, count: int | None = None) -> Sight:
    return Eyes(Looking(looks), Finding(found)).see(picture, count=count)  # type: ignore[arg-type]


def told(sight: Sight) -> tuple[tuple[int | None, ...], Why | None, WildDie | None]:
    return sight.reading.values, sight.reading.why, sight.wild


@pytest.mark.parametrize("seen", [HARDLY, look(3, x=300, nothing=0.98, heat=0.1)], ids=["hardly a three", "nothing"])
def test_what_lies_where_the_wild_die_surely_does_is_no_number_die(seen: Look) -> None:
    assert told(see(look(4), seen, found=Found(SWAP, certain=True))) == ((4,), None, SWAP)


@pytest.mark.parametrize(("across", "down"), [(0.5, 0.0), (-0.5, 0.5), (0.0, -0.5)])
def test_a_part_of_the_wild_die_is_no_number_die(across: float, down: float) -> None:
    part = replace(HARDLY.place, x=300 + across * WIDTH, y=50 + down * WIDTH)
    assert told(see(look(4), replace(HARDLY, place=part), found=Found(SWAP, certain=True))) == ((4,), None, SWAP)


@pytest.mark.parametrize(("across", "down"), [(0.85, 0.0), (0.3, -0.85)])
def test_a_die_that_touches_the_wild_die_is_read(across: float, down: float) -> None:
    beside = look(5, x=300 + across * WIDTH)
    pips = tuple((x, y + down * WIDTH) for x, y in beside.pips)
    beside = replace(beside, place=replace(beside.place, y=50 + down * WIDTH), pips=pips)
    assert told(see(look(4), beside, found=Found(SWAP, certain=True))) == ((4, 5), None, SWAP)


def test_one_thing_that_is_surely_a_number_and_surely_the_wild_die_is_asked_about_as_both() -> None:
    number, both = look(3, x=300), Found(SWAP, certain=True)
    assert told(see(look(4), number, found=both)) == ((4, 3), Why.FAINT, FAINT)
    assert not see(look(4), number, found=both).reading.sure
    assert told(see(look(4), number, HARDLY, found=both))[1:] == (Why.TOUCHING, FAINT)


def test_what_may_be_the_wild_die_is_asked_about_beside_all_number_dice() -> None:
    assert told(see(look(4), HARDLY, found=Found(FAINT, certain=False))) == ((4, 3), Why.FAINT, FAINT)


def test_what_may_be_the_wild_die_but_is_surely_a_number_is_a_number() -> None:
    assert told(see(look(4), look(3, x=300), found=Found(SWAP, certain=False))) == ((4, 3), None, None)


class Glancing(Reader):
    """A reader that sees these looks in turn, in the kinds of look that `asked` tells.

    It knows a scale from the first on that holds a die beyond doubt.
    """

    def __init__(self, *seen: Sequence[Look]) -> None:
        super().__init__()
        self.left = list(seen)
        self.asked: list[str] = []
        self.judging = 0

    def judged(self, survey: Survey, **how: Any) -> Reading:
        self.judging += 1
        return super().judged(survey, **how)

    def survey(self, views: Views, *, afresh: bool = False) -> Survey:
        self.asked.append("afresh" if afresh else "a frame")
        survey = Survey(views, self.left.pop(0), first=afresh or self.scale_px is None)
        if not afresh:
            self._remember([one.place.size for one in survey.looks])
        return survey

    def at_scale(self, first: Survey) -> Survey | None:
        if self.scale_px is None:
            return None
        self.asked.append("at the scale")
        return Survey(first.views, self.left.pop(0))


@pytest.mark.parametrize(
    ("seen", "values", "why"),
    [
        (([look(4)], [look(4)]), (4,), None),
        (([look(4)], [look(4), look(3, x=300)]), (4, 3), Why.STRAY),
        (([look(4)], [look(3)]), (4,), Why.FAINT),
        (([look(4)], []), (4,), Why.FAINT),
        (([replace(look(4), spotted=None, pips=((1.0, 1.0),))], [look(4)]), (4,), None),
        (([AT_RIM], [AT_RIM]), (4,), None),
        (([AT_RIM], [replace(AT_RIM, gleam=Gleam(likely=True))]), (4,), Why.FAINT),
        (([],), (), Why.FAINT),
    ],
    ids=["the same", "one more", "another value", "nothing", "now plain", "sure twice", "once", "no die"],
)
def test_a_picture_that_no_other_one_precedes_is_looked_at_twice(
    seen: tuple[list[Look], ...], values: tuple[int, ...], why: Why | None
) -> None:
    reader = Glancing(*seen)
    reading = Eyes(reader).see_twice(PICTURE).reading
    assert (reading.values, reading.why, reader.left) == (values, why, [])


@pytest.mark.parametrize(
    ("wild", "shapes"), [(None, 3), (Finding(None), 1)], ids=["any", "where the Wild die is known"]
)
def test_a_picture_alone_that_leaves_something_to_ask_is_looked_at_in_other_shapes(
    wild: Finding | None, shapes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[Glancing] = []

    def reader(**_given: object) -> Glancing:
        readers.append(Glancing([look(4)], [look(3)]))
        return readers[-1]

    monkeypatch.setattr(eyes, "Reader", reader)
    reading = alone(PICTURE, wild=wild).reading  # type: ignore[arg-type]
    assert (reading.values, reading.why, len(readers)) == ((4,), Why.FAINT, shapes)
    assert all(reader.left == [] for reader in readers)


@pytest.mark.parametrize(("count", "why"), [(1, None), (None, Why.FAINT)])
def test_a_value_that_one_look_doubts_and_the_other_reads_is_sure_where_the_number_of_dice_is_told(
    count: int | None, why: Why | None
) -> None:
    doubted = replace(look(4), spotted=None, pips=((1.0, 1.0),))
    for seen in (([AT_RIM], [doubted]), ([doubted], [AT_RIM])):
        reading = Eyes(Glancing(*seen)).see_twice(PICTURE, count=count).reading
        assert (reading.values, reading.why) == ((4,), why)


FAR_AT_RIM = replace(look(4, x=300), at_rim=True)


def paler(seen: Look, chance: float = 0.89) -> Look:
    """A die that is read, but not beyond doubt."""
    chances = seen.chances.copy()
    chances[seen.value] = chance
    return replace(seen, chances=chances)


@pytest.mark.parametrize(
    ("seen", "count", "why"),
    [
        (([look(4)], [paler(look(4))]), None, None),
        (([look(4)], [paler(look(4), 0.84)]), None, Why.FAINT),
        (([AT_RIM], [paler(look(4))]), None, Why.FAINT),
        (([look(4)], [paler(AT_RIM)]), None, Why.FAINT),
        (([AT_RIM], [paler(AT_RIM)]), None, Why.FAINT),
        (([look(4)], [paler(AT_RIM)]), 1, None),
        (([look(4), FAR_AT_RIM], [look(4), paler(FAR_AT_RIM)]), None, None),
    ],
    ids=[
        "both sure",
        "hardly",
        "the first unsure",
        "the second unsure",
        "sure if twice",
        "of a number",
        "another beyond doubt",
    ],
)
def test_a_second_look_without_a_die_beyond_doubt_bears_out_what_both_are_sure_of(
    seen: tuple[list[Look], ...], count: int | None, why: Why | None
) -> None:
    reading = Eyes(Glancing(*seen)).see_twice(PICTURE, count=count).reading
    assert (set(reading.values), reading.why) == ({4}, why)


def test_the_wild_die_is_seen_in_a_picture_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes, "Reader", lambda **given: Glancing([look(4), HARDLY], [look(4), HARDLY]))
    wild = Finding(Found(SWAP, certain=True))
    assert told(alone(PICTURE, wild=wild)) == ((4,), None, SWAP)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "found", [None, Found(SWAP, certain=True)], ids=["the Wild die is not there", "the Wild die is there"]
)
def test_of_two_looks_one_tells_the_scale_and_the_wild_die_is_looked_for_once(found: Found | None) -> None:
    reader, wild = Glancing([look(4)], [look(4)], [look(4)]), Finding(found)
    seeing = Eyes(reader, wild)  # type: ignore[arg-type]
    assert seeing.see_twice(PICTURE).reading.values == (4,)
    assert (reader.asked, len(wild.given)) == (["a frame", "at the scale"], 1)
    seeing.see(PICTURE)
    assert reader.asked[2:] == ["a frame"]


def test_where_a_scale_is_known_the_look_at_it_comes_first_and_first_sight_bears_it_out() -> None:
    """Places are told, and dice measured, as frames of that table show them."""
    aside = replace(look(4).place, x=52.0, size=0.96 * WIDTH)
    reader = Glancing([look(4)], [replace(look(4), place=aside)], [look(4)])
    seeing = Eyes(reader)
    seeing.see(PICTURE)
    (die,) = seeing.see_twice(PICTURE).reading.dice
    assert (die.box, reader.asked) == (look(4).place.box, ["a frame", "afresh", "at the scale"])


def test_what_first_sight_alone_sees_at_a_table_is_asked_about_unless_its_number_is_told() -> None:
    for count, why in ((None, Why.FAINT), (1, Why.FAINT)):
        reader = Glancing([look(4)], [look(4)], [])
        seeing = Eyes(reader)
        seeing.see(PICTURE)
        reading = seeing.see_twice(PICTURE, count=count).reading
        assert (reading.values, reading.sure, reading.why) == ((4,), False, why)


@pytest.mark.parametrize(
    ("seen", "searched"),
    [
        (([look(4)], [look(4)]), ["first look: beside dice", "first look: rim"]),
        (([HARDLY], [look(3, x=300)]), ["second look: beside dice"]),
        (([AT_RIM], [AT_RIM]), ["first look: beside dice", "first look: rim"]),
        (([HARDLY], [HARDLY]), []),
    ],
    ids=["after a sure look", "after an unsure one", "after one that is sure if it is seen twice", "never sure"],
)
def test_beside_the_dice_a_picture_is_searched_once(
    seen: tuple[list[Look], ...], searched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, told = Glancing(*seen), []
    for name, what in (("like_dice", "beside dice"), ("cut_off", "rim")):
        monkeypatch.setattr(reading, name, lambda *_, what=what: told.append((reader.judging, what)) or [])
    Eyes(reader).see_twice(PICTURE)
    assert [f"{('first', 'second')[number - 1]} look: {what}" for number, what in told] == searched


def test_at_a_table_the_rim_is_searched_though_the_look_before_was_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, at_rim = Glancing([look(4)], [look(4)]), (380.0, 30.0, 20.0, WIDTH)
    Eyes(reader).see(PICTURE)
    monkeypatch.setattr(reading, "cut_off", lambda *_: [at_rim])
    seen = Eyes(reader).see(PICTURE, afresh=True).reading
    assert (seen.values, seen.sure, seen.why, seen.doubts) == ((4,), False, Why.CUT, (at_rim,))


@pytest.mark.parametrize("found", [Found(SWAP, certain=True), None], ids=["with the Wild die", "without it"])
def test_a_burnt_out_place_may_hide_a_number_die_beside_the_wild_die_as_without_it(found: Found | None) -> None:
    lamp = cv2.circle(PICTURE.copy(), (170, 60), 30, (255, 255, 255), cv2.FILLED)
    wild = None if found is None else found.die
    assert told(see(look(4), found=found, picture=lamp)) == ((4,), Why.GLARE, wild)
    assert not see(look(4), found=found, picture=lamp).reading.sure
    assert told(see(look(4), found=found, picture=lamp, count=1)) == ((4,), None, wild)


@pytest.mark.parametrize("found", [Found(SWAP, certain=True), None], ids=["with the Wild die", "without it"])
def test_a_picture_that_can_show_no_number_die_is_no_empty_tray_beside_the_wild_die_either(found: Found | None) -> None:
    wild = None if found is None else found.die
    grain = np.random.default_rng(1).normal(120, 2, PICTURE.shape).astype(np.uint8)
    for picture, why in ((PICTURE, Why.FAINT), (PICTURE // 12, Why.DARK), (grain, None)):
        sight = see(found=found, picture=picture)
        assert (told(sight), sight.reading.sure) == (((), why, wild), why is None)


def test_without_a_wild_die_in_the_picture_only_number_dice_are_told() -> None:
    assert told(see(look(4), look(3, x=300), found=None)) == ((4, 3), None, None)
    assert not see(look(4), found=None).blind
    untaught = Eyes(Looking([look(4)]))
    assert told(untaught.see(PICTURE)) == ((4,), None, None)


def frames(picture: Picture) -> dict[str, NDArray[Any]]:
    """A grey picture as cameras and files may deliver it."""
    grey = picture[..., 0]
    alpha = np.full((*grey.shape, 1), 255, np.uint8)
    return {
        "BGR": picture,
        "grey": grey,
        "grey, one channel": grey[..., None],
        "16 bits": picture.astype(np.uint16) * 257,
        "grey of 16 bits": grey.astype(np.uint16) * 257,
        "floats": picture.astype(np.float32) / 255,
        "BGRA": np.dstack([picture, alpha]),
    }


SHADED = np.dstack([np.tile(np.linspace(0, 255, 400).astype(np.uint8), (120, 1))] * 3)


@pytest.mark.parametrize("frame", frames(SHADED).values(), ids=frames(SHADED).keys())
@pytest.mark.parametrize("found", [Found(SWAP, certain=True), Found(FAINT, certain=False), None])
def test_number_dice_and_the_wild_die_are_looked_for_in_one_picture_of_a_frame_of_any_kind(
    frame: NDArray[Any], found: Found | None
) -> None:
    reader, wild = Looking([look(4)]), Finding(found)
    Eyes(reader, wild).see(frame)  # type: ignore[arg-type]
    (read,), (searched,) = reader.given, wild.given
    assert read is searched
    np.testing.assert_allclose(read, SHADED, atol=1)


@pytest.mark.parametrize("wild", [None, Finding(None)], ids=["untaught", "taught"])
def test_what_is_no_picture_is_refused(wild: Finding | None) -> None:
    with pytest.raises(BadPicture):
        Eyes(Looking([]), wild).see(np.zeros((0, 5, 3), np.uint8))  # type: ignore[arg-type]
