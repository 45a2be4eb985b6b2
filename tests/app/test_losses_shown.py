"""What is lost shows on what is left: in words for a moment, by a pictogram and the ring for as long as it lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.compose import house_of
from companion.config import Camera, Config
from companion.events import Button, DeviceChanged, Fact, Health, Knocked, Press, Reading, Settled, Stirred, Why
from companion.ports import Frame
from companion.screen import draw
from companion.screen.art import pictures
from companion.screen.frame import ROLES
from companion.table.decide import decide
from companion.table.picture import view
from companion.table.state import ASIDE_S, Table
from companion.view import Choose, Mood, Prompt, Rolled, Sign
from companion.vision.eyes import Eyes
from companion.vision.reader import Survey
from companion.vision.settle import Settler
from companion.vision.views import Views
from companion.watch import Watch
from companion.words import DEVICES
from tests.app.household import after, house, press, reading, wild

HOME = house(games=("free",))


def lost(role: str) -> DeviceChanged:
    return DeviceChanged(role, Health.LOST, "for the log")


def back(role: str) -> DeviceChanged:
    return DeviceChanged(role, Health.OK)


def playing() -> Table:
    """A free game of two; the first roll is awaited."""
    table = after(Table(), HOME, *press("ok", "more", "ok"))
    while table.match is None:
        table = after(table, HOME, *press("ok"))
    return table


def page(table: Table, at_s: float = 0.0) -> Any:
    return view(table, HOME, at_s).page


@pytest.mark.parametrize("role", DEVICES)
def test_a_loss_is_said_in_words_for_a_moment_and_by_a_pictogram_until_it_is_back(role: str) -> None:
    before = playing()
    table = after(before, HOME, lost(role))
    blind = role in ("camera", "light")
    later = replace(page(before), lines=(*page(before).lines, "Then press Type")) if blind else page(before)
    assert page(table) == Prompt(DEVICES[role].name, (DEVICES[role].help,), Sign.TROUBLE)
    assert page(table, ASIDE_S) == later
    assert view(table, HOME, ASIDE_S).lost == (role,)
    assert draw(view(table, HOME, ASIDE_S)).tobytes() != draw(view(before, HOME, ASIDE_S)).tobytes()
    assert view(after(table, HOME, back(role)), HOME) == view(before, HOME)


def test_every_role_has_a_pictogram_of_its_own() -> None:
    assert set(ROLES) == set(DEVICES)
    assert len({pictures("icons")[role].tobytes() for role in ROLES}) == len(ROLES)


def test_a_loss_that_is_told_again_is_not_said_again() -> None:
    table = after(playing(), HOME, lost("ring"), *press("less"))
    assert page(after(table, HOME, lost("ring"))) == page(table)


def test_a_loss_is_said_to_its_end_though_another_device_is_back_meanwhile() -> None:
    table = after(playing(), HOME, lost("buttons"), lost("ring"))
    assert page(after(table, HOME, back("buttons"))) == page(after(playing(), HOME, lost("ring")))


def test_a_press_or_a_roll_ends_the_words() -> None:
    table = after(playing(), HOME, lost("ring"))
    assert page(after(table, HOME, *press("less"))) == page(after(playing(), HOME, *press("less")))
    rolled = page(after(table, HOME, Stirred(), Settled(reading(3, 4))))
    assert isinstance(rolled, Rolled)
    assert rolled.total == 7


def decided(table: Table, at_s: float, *facts: Fact) -> Table:
    for fact in facts:
        table = decide(table, fact, HOME, at_s).table
    return table


@pytest.mark.parametrize("name", ["back", "less", "more", "ok"])
def test_a_press_under_words_that_hide_a_question_takes_them_away_and_answers_nothing(name: str) -> None:
    asked = after(playing(), HOME, *press("less", "more"))  # so many dice
    told = after(asked, HOME, lost("ring"))
    assert view(told, HOME).labels == ("", "", "", "OK")
    pressed = decide(told, *press(name), HOME, 0.0)
    assert (pressed.actions, pressed.noted) == ((), None)  # so a restart knows nothing of the words, nor of the press
    assert view(pressed.table, HOME) == replace(view(asked, HOME), lost=("ring",), ring=view(told, HOME).ring)
    assert page(after(pressed.table, HOME, *press(name))) == page(after(asked, HOME, *press(name)))


def test_words_are_taken_away_for_as_long_as_a_screen_may_still_show_them() -> None:
    asked = after(playing(), HOME, *press("less", "more"))
    told = after(asked, HOME, lost("ring"))
    assert decided(told, ASIDE_S + 0.25, *press("ok")).answers == asked.answers
    assert decided(told, ASIDE_S + 0.5, *press("ok")).answers != asked.answers


def test_a_held_button_opens_the_menu_from_under_words_too() -> None:
    asked = after(playing(), HOME, *press("less"), lost("ring"))
    assert after(asked, HOME, Press(Button.BACK, held=True)).menu


def test_under_words_a_button_that_is_named_by_what_it_does_does_it_and_one_that_says_yes_does_not() -> None:
    thrown = after(playing(), HOME, Stirred(), Settled(reading(4)), lost("ring"))
    assert view(thrown, HOME).labels[1:] == ("Fix", "Re-roll", "Next")
    assert after(thrown, HOME, *press("ok")).match != thrown.match
    cat = house(6, games=("cat",))
    summed = after(Table(), cat, *press(*["ok"] * 8), Knocked(), *press(*["ok"] * 6), lost("ring"))
    assert view(summed, cat).labels == ("Back", "", "", "OK")
    assert view(summed, cat, ASIDE_S).labels == ("Back", "", "", "Right")
    assert after(summed, cat, *press("ok")).match == summed.match


def test_dice_that_are_asked_about_are_not_hidden_by_words_about_a_device() -> None:
    asked = after(playing(), HOME, Stirred(), Settled(reading(3, None, sure=False)))
    assert page(after(asked, HOME, lost("ring"))) == page(asked)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (Why.DARK, ("It is too dark", "More light, please")),
        (Why.GLARE, ("It dazzles me", "Move the lamp a little")),
        (None, ("I see no dice", "Roll into the tray")),
    ],
)
def test_where_no_die_is_seen_it_is_said_why_instead_of_counting_none(why: Why | None, said: tuple[str, str]) -> None:
    table = after(playing(), HOME, Stirred(), Settled(Reading((), False, why)))
    shown = page(table)
    assert isinstance(shown, Rolled)
    assert (shown.text, shown.note, shown.total) == (*said, None)


def mood(*facts: Fact, table: Table | None = None) -> Mood:
    return view(after(table or playing(), HOME, *facts), HOME).ring.mood


def test_the_ring_alarms_but_not_while_a_camera_reads_dice_in_its_light() -> None:
    assert mood() is Mood.READING
    assert mood(lost("oled")) is Mood.READING
    assert mood(lost("camera")) is Mood.TROUBLE
    assert mood(Stirred(), Settled(reading(3, 4)), lost("oled")) is Mood.TROUBLE
    assert mood(lost("oled"), table=Table()) is Mood.TROUBLE


def test_a_table_without_a_camera_says_how_dice_are_entered_and_its_ring_plays() -> None:
    home = replace(HOME, has_camera=False)
    shown, usual = view(playing(), home), view(playing(), HOME)
    assert shown.page == replace(usual.page, lines=(*usual.page.lines, "Then press Type"))  # type: ignore[union-attr]
    assert (usual.ring.mood, shown.ring.mood) == (Mood.READING, Mood.TURN)
    assert not house_of(replace(Config(), camera=Camera(kind="none"))).has_camera
    assert house_of(Config()).has_camera


def test_a_wild_die_that_is_asked_about_is_answered_without_a_camera_as_well() -> None:
    home = house(reads_wild=True)
    table = after(Table(), home, *press(*["ok"] * 8), Stirred(), Settled(reading(4)), *press("ok"))
    asked = after(replace(table, fresh=False), home, wild("swap"))
    assert view(after(asked, home, lost("camera")), home, ASIDE_S).page == view(asked, home).page
    assert view(asked, home).labels[3] == "Yes"


def test_the_ring_alarms_before_a_game_too_where_it_cannot_be_saved() -> None:
    assert mood(table=replace(Table(), trouble="The game cannot be saved!")) is Mood.TROUBLE


def test_in_a_room_that_went_dark_for_the_night_nothing_blinks() -> None:
    assert mood(lost("light"), table=Table()) is Mood.IDLE
    assert mood(Stirred(), Settled(reading(3, 4)), lost("light")) is Mood.TROUBLE


def test_the_menu_tells_what_is_lost_for_as_long_as_anything_is() -> None:
    menu = Press(Button.BACK, held=True)
    assert "What is lost?" not in page(after(playing(), HOME, menu)).options
    opened = after(playing(), HOME, lost("camera"), lost("ring"), menu, *press("less"))
    assert page(opened, ASIDE_S).options[-1] == "What is lost?"
    told = after(opened, HOME, *press("ok"))
    assert page(told, ASIDE_S) == Choose(
        "What is lost?", ("Camera lost", "Type the dice", "Light ring lost", "Check its cable")
    )
    mended = after(told, HOME, *press("more", "more", "more"), back("ring"), back("camera"))
    assert page(mended, ASIDE_S) == Choose("What is lost?", ("All is well",))
    assert page(after(mended, HOME, *press("ok")), ASIDE_S) == page(playing())


# -- light


class Blind:
    """A reader that finds nothing."""

    def survey(self, views: Views, **_how: bool) -> Survey:
        return Survey(views, ())

    def judged(self, _survey: Survey, **_told: object) -> Reading:
        return Reading((), True)


def watched(greys: Sequence[tuple[float, int]]) -> list[tuple[float, str]]:
    """When the watch told what about the light, given (time, grey) of each picture."""
    watch = Watch(Eyes(Blind()), Settler())  # type: ignore[arg-type]
    return light(watch, greys)


def light(watch: Watch, greys: Sequence[tuple[float, int]]) -> list[tuple[float, str]]:
    return [
        (at_s, fact.health.value)
        for at_s, grey in greys
        for fact in watch.look(Frame(np.full((48, 64, 3), grey, np.uint8), at_s))
        if isinstance(fact, DeviceChanged) and fact.device == "light"
    ]


def test_a_covered_lens_is_told_after_three_seconds_whatever_is_expected_and_light_at_once() -> None:
    covered = [(0.0, 120), *((0.5 * step, 3) for step in range(1, 20)), (10.0, 120), (10.5, 120)]
    assert watched(covered) == [(3.0, "lost"), (10.0, "ok")]


def test_a_table_that_is_switched_on_in_the_dark_says_so() -> None:
    assert watched([(0.5 * step, 3) for step in range(10)]) == [(3.0, "lost")]


def test_a_hand_close_to_the_lens_is_no_loss() -> None:
    assert watched([(0.5 * step, 3 if step % 6 else 120) for step in range(40)]) == []


def test_what_a_camera_shows_first_that_was_away_is_not_dark_for_long() -> None:
    """Its first pictures often are."""
    watch = Watch(Eyes(Blind()), Settler(), wild=Settler())  # type: ignore[arg-type]
    assert light(watch, [(0.0, 120), (0.1, 120)]) == []
    watch.resumed()
    assert light(watch, [(10.0, 3), (10.5, 3), (11.0, 120)]) == []
    watch.resumed()
    assert light(watch, [(20.0 + 0.5 * step, 3) for step in range(8)]) == [(23.0, "lost")]
    watch.resumed()
    assert light(watch, [(30.0, 3), (30.5, 3), (31.0, 120)]) == [(31.0, "ok")]
