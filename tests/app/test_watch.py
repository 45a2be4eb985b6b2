"""The watch over the tray: what becomes of a reading that was overtaken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.events import (
    DeviceChanged,
    Die,
    Fact,
    Health,
    Reading,
    Settled,
    Stilled,
    Stirred,
    Why,
    WildDie,
    WildSettled,
    WildStilled,
)
from companion.ports import Frame, Picture
from companion.vision.eyes import Eyes, Sight
from companion.vision.reader import Survey
from companion.vision.settle import Patience, Settler
from companion.vision.views import Views
from companion.watch import Watch

SURE = Reading((Die(3, (10.0, 10.0, 20.0, 20.0), 0.99),), True)


class Reader:
    """A reader that always sees the same die, `reading`; `meanwhile` happens while it looks."""

    def __init__(self, reading: Reading = SURE) -> None:
        self.reading = reading
        self.meanwhile: Callable[[], None] = lambda: None

    def survey(self, views: Views, **_how: bool) -> Survey:
        self.meanwhile()
        return Survey(views, ())

    def judged(self, _survey: Survey, **_told: object) -> Reading:
        return self.reading


def picture(die: bool) -> Picture:
    shown = np.full((72, 96, 3), 60, np.uint8)
    if die:
        shown[10:30, 10:30] = 220
    return shown


@pytest.mark.parametrize(("typed", "told"), [(False, [Stirred(), Settled(SURE, found=True)]), (True, [Stirred()])])
def test_dice_that_were_entered_by_button_while_they_were_read_are_no_other_roll(typed: bool, told: list[Fact]) -> None:
    reader = Reader()
    watch = Watch(Eyes(reader), Settler(Patience(still_s=0.1, readings=1)))  # type: ignore[arg-type]
    reader.meanwhile = watch.taken if typed else reader.meanwhile
    facts: list[Fact] = []
    for step in range(6):
        facts += watch.look(Frame(picture(step > 0), step / 10))
    assert facts == told


def test_the_watch_tells_of_each_frame_whether_its_eyes_had_to_look_at_it() -> None:
    watch = Watch(Eyes(Reader()), Settler(Patience(still_s=0.1, readings=1)))  # type: ignore[arg-type]
    assert not watch.looked
    looked = []
    for step in range(5):
        watch.look(Frame(picture(step > 0), step / 10))
        looked.append(watch.looked)
    assert looked == [False, False, True, False, False]


HASTY = Patience(still_s=0.1, readings=1, ask_after_s=0.2)
UNSURE = replace(SURE, sure=False, why=Why.FAINT)


def settled(watch: Watch, *, begins_s: float = 0.0, grey: int = 60) -> list[Reading]:
    """What a watch settles on while a picture of so much grey is still for half a second."""
    shown = np.full((72, 96, 3), grey, np.uint8)
    frames = (Frame(shown, begins_s + step / 10) for step in range(6))
    return [fact.reading for frame in frames for fact in watch.look(frame) if isinstance(fact, Settled)]


@pytest.mark.parametrize(
    ("expected", "told"),
    [((2, 2), replace(SURE, sure=False, why=Why.COUNT)), ((1, 1), SURE), ((1, 2), SURE), ((2, 3), SURE), (None, SURE)],
)
def test_only_where_one_number_of_dice_is_to_be_thrown_fewer_are_unsure(
    expected: tuple[int, int] | None, told: Reading
) -> None:
    watch = Watch(Eyes(Reader()), Settler(HASTY))  # type: ignore[arg-type]
    watch.expect(expected)
    assert settled(watch) == [told]


@pytest.mark.parametrize("due", [(0, 1), None])
def test_more_dice_than_may_be_thrown_are_unsure_also_before_they_are_due(due: tuple[int, int] | None) -> None:
    several = replace(SURE, dice=tuple(replace(SURE.dice[0], box=(x, 20.0, 20.0, 20.0)) for x in (10.0, 60.0)))
    watch = Watch(Eyes(Reader(several)), Settler(HASTY))  # type: ignore[arg-type]
    watch.expect(due, 1)
    assert settled(watch) == [several.unsure(Why.COUNT)]


@pytest.mark.parametrize(("typed", "told"), [(False, [SURE]), (True, [])])
def test_unsure_dice_that_were_entered_by_button_are_not_told_once_they_can_be_read(
    typed: bool, told: list[Reading]
) -> None:
    reader = Reader(UNSURE)
    watch = Watch(Eyes(reader), Settler(HASTY))  # type: ignore[arg-type]
    assert settled(watch) == [UNSURE]
    if typed:
        watch.taken()
    reader.reading = SURE
    assert settled(watch, begins_s=1.0, grey=200) == told
    reader.reading = replace(SURE, dice=(replace(SURE.dice[0], box=(60.0, 40.0, 20.0, 20.0)),))
    frames = (Frame(picture(True), 2 + step / 10) for step in range(6))  # but what is thrown then is
    assert Settled(reader.reading) in [fact for frame in frames for fact in watch.look(frame)]


@pytest.mark.parametrize(("values", "told"), [((3,), [Why.CHANGED]), ((4,), [])])
def test_a_die_that_shows_something_else_than_it_was_taken_as_is_asked_about(
    values: tuple[int, ...], told: list[Why]
) -> None:
    reader = Reader(UNSURE)
    watch = Watch(Eyes(reader), Settler(HASTY))  # type: ignore[arg-type]
    assert settled(watch) == [UNSURE]
    watch.taken(values)
    reader.reading = replace(SURE, dice=(replace(SURE.dice[0], value=5),))
    assert [reading.why for reading in settled(watch, begins_s=1.0, grey=200)] == told


def test_what_settled_is_shown_with_its_picture_as_it_is_told() -> None:
    shown: list[tuple[int, Fact]] = []
    watch = Watch(
        Eyes(Reader()),  # type: ignore[arg-type]
        Settler(HASTY),
        seen=lambda picture, fact: shown.append((int(picture[0, 0, 0]), fact)),
    )
    settled(watch)
    settled(watch, begins_s=1.0, grey=200)
    assert shown == [(60, Settled(SURE, found=True))]


class Both:
    """Eyes that see a number die and the Wild die, and count how often they look, but for fresh looks."""

    knows_wild = True

    def __init__(self) -> None:
        self.wild = WildDie("swap", (50.0, 50.0, 20.0, 20.0), 0.99)
        self.times = 0

    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight:
        self.times += not afresh
        return Sight(SURE, self.wild)

    def facts(self) -> tuple[Fact, ...]:
        return ()


def test_a_picture_is_looked_at_once_for_number_dice_and_the_wild_die() -> None:
    eyes = Both()
    watch = Watch(eyes, Settler(HASTY), wild=Settler(HASTY))
    assert settled(watch) == [SURE]
    assert eyes.times == 1


class Wavering(Both):
    """Eyes that see another number once they look afresh."""

    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight:
        return Sight(replace(SURE, dice=(replace(SURE.dice[0], value=4),)) if afresh else SURE)


def test_dice_that_read_otherwise_afresh_are_asked_about() -> None:
    assert [(read.sure, read.why) for read in settled(Watch(Wavering(), Settler(HASTY)))] == [(False, Why.FAINT)]


def test_a_settled_wild_die_is_shown_with_its_picture_too() -> None:
    shown: list[tuple[int, Fact]] = []
    eyes = Both()
    watch = Watch(
        eyes,
        Settler(HASTY),
        wild=Settler(HASTY),
        seen=lambda picture, fact: shown.append((int(picture[0, 0, 0]), fact)),
    )
    settled(watch)
    assert shown == [(60, Settled(SURE, found=True)), (60, WildSettled(eyes.wild, found=True))]


def test_a_wild_die_that_was_turned_over_without_a_throw_is_asked_about() -> None:
    eyes = Both()
    watch = Watch(eyes, Settler(HASTY), wild=Settler(HASTY))
    settled(watch)
    eyes.wild = replace(eyes.wild, face="lowest")
    frames = (Frame(picture(True), 1 + step / 10) for step in range(6))
    facts = [fact for frame in frames for fact in watch.look(frame) if isinstance(fact, WildSettled)]
    assert facts == [WildSettled(replace(eyes.wild, face=None, confidence=0.0, why=Why.CHANGED))]


def test_dice_and_a_wild_die_that_lie_as_they_lay_once_something_stirred_are_each_told_to() -> None:
    watch = Watch(Both(), Settler(HASTY), wild=Settler(HASTY))
    settled(watch)
    frames = (Frame(picture(True), 1 + step / 10) for step in range(6))
    assert [fact for frame in frames for fact in watch.look(frame)] == [Stirred(), Stilled(), WildStilled()]


def test_what_both_settlers_see_stir_is_told_once_and_what_one_sees_is_told() -> None:
    """The Wild die that is entered unseen is watched for anew, while the number dice's stir was told already."""
    watch = Watch(Both(), Settler(Patience(still_s=9)), wild=Settler(Patience(still_s=9)))
    assert watch.look(Frame(picture(False), 0.0)) == ()
    assert watch.look(Frame(picture(True), 0.1)) == (Stirred(),)
    watch.wild_taken()
    assert watch.look(Frame(picture(False), 0.2)) == (Stirred(),)


def test_what_is_told_of_the_light_says_what_to_do() -> None:
    watch = Watch(Eyes(Reader()), Settler())  # type: ignore[arg-type]
    facts = [
        fact
        for at_s, grey in ((0.0, 60), (1.0, 3), (3.5, 3), (4.0, 60))
        for fact in watch.look(Frame(np.full((72, 96, 3), grey, np.uint8), at_s))
        if isinstance(fact, DeviceChanged)
    ]
    assert facts == [
        DeviceChanged(
            "light", Health.LOST, "the pictures are black; light the tray, or take away what covers the lens"
        ),
        DeviceChanged("light", Health.OK, ""),
    ]


@pytest.mark.parametrize("frame", [picture(True)[:, :, 0], np.dstack([picture(True), picture(True)[:, :, :1]])])
def test_frames_of_any_kind_are_watched(frame: np.ndarray) -> None:
    watch = Watch(Eyes(Reader()), Settler(HASTY))  # type: ignore[arg-type]
    facts = [fact for step in range(5) for fact in watch.look(Frame(frame, step / 10))]
    assert facts == [Settled(SURE, found=True)]
