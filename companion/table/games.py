"""What each game brings to the table: a dialogue, its settings, and what screens and lights want to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games import cat as cat_rules
from companion.games import free as free_rules
from companion.games import roll as roll_rules
from companion.locale import Texts
from companion.referee import Match
from companion.table import cat, cat_setup, free, roll, roll_setup
from companion.table.asking import Doing, Given, Next
from companion.table.company import Company
from companion.table.house import House
from companion.table.moment import Moment
from companion.view import RingView, Sheet


@dataclass(frozen=True, slots=True)
class Game:
    """One game.

    `name`: as players know it. `players`: fewest and most. `settings`: the questions before it, ending in its start.
    `dialogue`: the questions while it is played. `most_dice`: number dice of one throw by the settings agreed on, 0
    where a camera has nothing to read. `final`: whether the turns that are left are counted, by the public state.
    `ring`: what the ring shows beside the seats. `sheets`: score sheets to page through, none where there are none; an
    iterator makes each as it is come to, so that whether there are any is told at once.
    `knock`: what a knock on the table does, or why it is not allowed, or "" where none is expected; None where it means
    nothing. `minutes_left`: by the settings agreed on and the seconds since the start, never less than 0; None where
    time plays no part.
    """

    name: Callable[[Texts], str]
    players: tuple[int, int]
    settings: Callable[[House, Company, Given, Texts], Next]
    dialogue: Callable[[Moment, Given, Texts], Next]
    most_dice: Callable[[Any], int]
    final: Callable[[Any], bool]
    ring: Callable[[RingView, Any, House], RingView] = lambda ring, _state, _house: ring
    sheets: Callable[[Moment, Texts], Iterable[Sheet]] = lambda _now, _: ()
    knock: Callable[[Moment, Texts], Doing | str] | None = None
    minutes_left: Callable[[Any, float], int | None] = lambda _settings, _at_s: None


GAMES: Mapping[str, Game] = {
    "roll": Game(
        name=lambda _: "Rat-a-Tat Roll",
        players=roll_rules.PLAYERS,
        settings=roll_setup.settings,
        dialogue=roll.dialogue,
        most_dice=lambda _settings: roll_rules.MOST_DICE,
        final=lambda state: bool(state["final_round"]),
        ring=roll.ring,
        sheets=roll.sheets,
    ),
    "cat": Game(
        name=lambda _: "Rat-a-Tat Cat",
        players=cat_rules.PLAYERS,
        settings=cat_setup.settings,
        dialogue=cat.dialogue,
        most_dice=lambda _settings: 0,
        final=lambda state: state["turns_left"] is not None,
        sheets=cat.sheets,
        knock=cat.knock,
        minutes_left=cat.minutes_left,
    ),
    "free": Game(
        name=lambda _: _("Free table"),
        players=free_rules.PLAYERS,
        settings=free.settings,
        dialogue=free.dialogue,
        most_dice=free.most_dice,
        final=lambda _state: False,
        sheets=free.sheets,
    ),
}


def most_dice(match: Match) -> int:
    """As many number dice as may be thrown at once in this game; 0 where a camera has none to read."""
    return GAMES[match.game].most_dice(match.settings)


def throws_dice(match: Match) -> bool:
    """Whether a camera has anything to read in this game."""
    return most_dice(match) > 0
