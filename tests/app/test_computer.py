"""The menu's part about the computer: switched only where that is allowed, only when sure, and never twice."""

from __future__ import annotations

from dataclasses import replace

from companion.events import ComputerTold, NotSwitched, Settled, Stilled, Stirred
from companion.table.acting import Decision
from companion.table.computer import Computer
from companion.table.decide import decide
from companion.table.picture import view
from companion.table.state import Table, to_note, with_note
from companion.view import Choose, Prompt, Sign
from tests.app.household import after, house, press, reading, started

HOME = house()
TOLD = ComputerTold("1.2.3", "table", "192.168.1.7")
MENU = (press("back")[0].__class__(press("back")[0].button, held=True),)


def at_computer() -> Table:
    """The menu is open, and the computer chosen from it."""
    return after(Table(), HOME, TOLD, *MENU, *press("less", "ok"))


def decided(table: Table, *names: str) -> Decision:
    *first, last = press(*names)
    return decide(after(table, HOME, *first), last, HOME, 0.0)


def title(table: Table) -> str:
    page = view(table, HOME).page
    assert isinstance(page, Choose)
    return page.title


def options(table: Table) -> tuple[str, ...]:
    page = view(table, HOME).page
    assert isinstance(page, Choose)
    return page.options


def test_the_menu_offers_it_only_where_the_computer_may_be_switched() -> None:
    assert "Switch off …" not in options(after(Table(), HOME, *MENU))
    assert "Switch off …" in options(after(Table(), HOME, TOLD, *MENU))


def test_switching_off_is_asked_about_once_more_and_then_done() -> None:
    assert options(at_computer()) == ("Go on", "Switch off", "Restart computer", "Version, address")
    assert title(after(at_computer(), HOME, *press("more", "ok"))) == "Switch off now?"
    assert decided(at_computer(), "more", "ok").switch == ""
    switched = decided(at_computer(), "more", "ok", "more", "ok")
    assert switched.switch == "poweroff"
    assert switched.table == replace(Table(), computer=Computer("1.2.3", "table", "192.168.1.7"))


def test_who_goes_on_instead_leaves_the_menu() -> None:
    left = decided(at_computer(), "ok")
    assert (left.switch, left.table.menu) == ("", False)


def test_starting_again_is_the_third_entry_and_asked_about_in_its_own_words() -> None:
    assert title(after(at_computer(), HOME, *press("more", "more", "ok"))) == "Restart computer now?"
    assert decided(at_computer(), "more", "more", "ok", "more", "ok").switch == "reboot"


def test_who_is_not_sure_goes_on() -> None:
    left = decided(at_computer(), "more", "ok", "ok")
    assert (left.switch, left.table.menu) == ("", False)


def test_after_the_restart_nothing_is_switched_again() -> None:
    switched = decided(at_computer(), "more", "ok", "more", "ok")
    assert switched.noted is not None
    assert not with_note(Table(), switched.noted).menu


def test_a_set_up_that_the_switch_interrupted_goes_on_afterwards() -> None:
    named = after(Table(), HOME, TOLD, *press("ok", "ok", "less", "ok", "ok"))
    switched = decided(after(named, HOME, *MENU), "less", "ok", "more", "ok", "more", "ok")
    assert (switched.switch, switched.noted) == ("poweroff", to_note(named) | {"game": "roll"})


def test_version_name_and_address_are_shown_and_change_with_the_network() -> None:
    shown = after(at_computer(), HOME, *press("less", "ok"))
    assert options(shown) == ("Version 1.2.3", "table", "192.168.1.7")
    assert options(after(shown, HOME, ComputerTold("1.2.3", "table", ""))) == ("Version 1.2.3", "table", "no network")
    assert not after(shown, HOME, *press("ok")).menu


def test_a_dialogue_resumed_before_the_computer_is_known_waits_in_the_menu() -> None:
    resumed = with_note(Table(), to_note(at_computer()))
    assert options(resumed) == ("Go on",)


def test_a_computer_that_does_not_obey_is_told() -> None:
    table = after(Table(), HOME, NotSwitched())
    told = Prompt("It stays on", ("Pull the plug:", "your game is kept"), Sign.TROUBLE)
    assert (view(table, HOME).page, view(table, HOME).labels) == (told, ("", "", "", "OK"))


def test_what_is_told_of_the_computer_stands_until_it_is_read_and_hides_no_button() -> None:
    rolled = after(started(), HOME, Stirred(), Settled(reading(2, 4)))
    told = after(rolled, HOME, NotSwitched(), Stilled(), ComputerTold("1.2.3", "table", ""))
    assert view(told, HOME).labels == ("", "", "", "OK")
    assert view(after(told, HOME, *press("ok")), HOME) == view(rolled, HOME)
