"""The questions before a game: which game, who plays where, who starts, and the settings that differ from the usual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.events import Button
from companion.locale import Texts
from companion.table.asking import Asking, Given, Next, Starting
from companion.table.house import House
from companion.table.questions import Keys, Name, Number, Pick
from companion.table.roll import market
from companion.view import Prompt

NEW_NAME = "…"
PLAYERS = {"roll": (2, 5), "cat": (2, 6), "free": (1, 8)}


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who played last, so that the same people need not name themselves again."""

    message: Mapping[str, Any]
    seats: tuple[int, ...]


def dialogue(house: House, last: Sitting | None, given: Given, _: Texts) -> Next:
    """The next question before the game, or its start."""
    game = _game(house, given, _)
    if isinstance(game, Asking):
        return game
    if last is not None and last.message["game"] == game:
        if "again" not in given:
            return Asking("again", Pick(_("Same players?"), ((True, _("Yes")), (False, _("No")))))
        if given["again"]:
            return _settings(house, given, game, tuple(last.message["players"]), last.seats, _)
    return _company(house, given, game, _)


def _game(house: House, given: Given, _: Texts) -> str | Asking:
    if "welcome" not in given:
        page = Prompt(_("Hello!"), (_("Press Start"),))
        return Asking("welcome", Keys(page, {Button.OK: (True, _("Start"))}))
    if len(house.games) == 1:
        return house.games[0]
    if "game" not in given:
        return Asking("game", Pick(_("Which game?"), tuple((game, game_name(game, _)) for game in house.games)))
    return str(given["game"])


def game_name(game: str, _: Texts) -> str:
    """A game's name as players know it."""
    return {"roll": "Rat-a-Tat Roll", "cat": "Rat-a-Tat Cat", "free": _("Free table")}[game]


def _company(house: House, given: Given, game: str, _: Texts) -> Next:
    least, most = PLAYERS[game]
    if "players" not in given:
        return Asking("players", Number(_("How many players?"), least, min(most, len(house.seats)), max(least, 2)))
    count = given["players"]
    assert isinstance(count, int)
    names: list[str] = []
    seats: list[int] = []
    for player in range(count):
        asking = _name(house, given, player, names, _) or _seat(house, given, player, names, seats, _)
        if asking:
            return asking
    return _settings(house, given, game, tuple(names), tuple(seats), _)


def _name(house: House, given: Given, player: int, names: list[str], _: Texts) -> Asking | None:
    """Appends the player's name to `names`, or asks for it: one already known, or a new one letter by letter."""
    offered = tuple(name for name in _offered(house) if name not in names)
    key, spelled = f"name {player}", f"spelled {player}"
    if key not in given:
        options = (*((name, name) for name in offered), (NEW_NAME, _("New name")))
        return Asking(key, Pick(_("Player {n}: name?").format(n=player + 1), options))
    name = str(given[key])
    if name == NEW_NAME:
        if spelled not in given or given[spelled] in names:
            return Asking(spelled, Name(_("Name?")))
        name = str(given[spelled])
    names.append(name)
    return None


def _offered(house: House) -> tuple[str, ...]:
    """Remembered names; a table that knows nobody offers its seats' colours."""
    return (*house.names, *(seat.name for seat in house.seats if seat.name not in house.names))


def _seat(house: House, given: Given, player: int, names: list[str], seats: list[int], _: Texts) -> Asking | None:
    free = tuple(seat for seat in range(len(house.seats)) if seat not in seats)
    key = f"seat {player}"
    if key not in given:
        options = tuple((seat, house.seats[seat].name) for seat in free)
        return Asking(key, Pick(_("{name}: seat?").replace("{name}", names[player]), options))
    seat = given[key]
    assert isinstance(seat, int)
    seats.append(seat)
    return None


def _settings(house: House, given: Given, game: str, names: tuple[str, ...], seats: tuple[int, ...], _: Texts) -> Next:
    # Clockwise round the table is the order of play (R6), whoever was named first.
    order = sorted(range(len(names)), key=lambda player: house.seats[seats[player]].place)
    names = tuple(names[player] for player in order)
    seats = tuple(seats[player] for player in order)
    if "first" not in given:
        return Asking("first", Pick(_("Who starts?"), tuple(enumerate(names))))
    if "usual" not in given:
        return Asking("usual", Pick(_("Usual settings?"), ((True, _("Yes")), (False, _("Change")))))
    message: dict[str, Any] = {"do": "start", "game": game, "players": list(names), "first": given["first"]}
    return _roll_settings(house, given, message, seats, _)


def _roll_settings(house: House, given: Given, message: dict[str, Any], seats: tuple[int, ...], _: Texts) -> Next:
    usual = {"cards": "ask", "pool": 20, **house.usual.get("roll", {})}
    if not given["usual"]:
        asking = _changed(house, given, usual, _)
        if asking:
            return asking
        usual |= {key: given[key] for key in ("cards", "pool", "pawn")}
    if usual["cards"] == "track":
        cards = market(given, _("Face-up card {n}"))
        if isinstance(cards, Asking):
            return cards
        usual["market"] = list(cards)
    return Starting({**message, **usual}, seats)


def _changed(house: House, given: Given, usual: dict[str, Any], _: Texts) -> Asking | None:
    if "cards" not in given:
        ways = {"ask": _("No, just ask"), "track": _("Yes, by value")}
        return Asking("cards", Pick(_("Follow the cards?"), tuple(ways.items())))
    if "pool" not in given:
        return Asking("pool", Number(_("Tokens in the pool"), 0, 40, usual["pool"]))
    if "pawn" not in given:
        spaces = tuple((space, _("Wild space {n}").format(n=nth + 1)) for nth, space in enumerate(house.wild_spaces))
        return Asking("pawn", Pick(_("Where is the pawn?"), spaces))
    return None
