"""From the table to the View that every output is drawn from. Pure, and blind to what lies face-down (R21)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.events import Button, Fit
from companion.table import games
from companion.table.acting import upcoming
from companion.table.asking import Asking
from companion.table.decide import leads_to_menu
from companion.table.dice import rerolling
from companion.table.games import GAMES, Game
from companion.table.house import House
from companion.table.losses import missed
from companion.table.questions import Labels, Left, Question, speaks
from companion.table.setup import asked_seat, asked_space, seats_taken
from companion.table.state import Table
from companion.view import NO_LABELS, Header, Mood, Page, Prompt, RingView, Seat, Sign, View
from companion.words import attention, fit


def view(table: Table, house: House, at_s: float = 0.0) -> View:
    """The one picture of the table, `at_s` seconds after the start of its game; it changes with the minutes only."""
    asking = upcoming(table, house, at_s)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    question = asking.question.at(table.cursor)
    return View(
        header=_header(table),
        page=_trouble(table, house) or table.notice or table.word(at_s) or _unseen(table, house, question.page()),
        labels=_labels(table, question, house, at_s),
        ring=_ring(table, house, asking.key, question),
        lost=table.lost,
        fit=table.fit,
    )


def _labels(table: Table, question: Question, house: House, at_s: float) -> Labels:
    if table.deaf:
        return NO_LABELS
    if table.notice is not None:
        return ("", "", "", house.texts("OK"))
    back, less, more, ok = question.labels(house.texts)
    to_menu = leads_to_menu(table) and isinstance(question.pressed(Button.BACK), Left)
    labels = (house.texts("Menu") if to_menu else back, less, more, ok)
    return labels if table.word(at_s) is None else _beside_a_word(labels, question, house)


def _beside_a_word(labels: Labels, question: Question, house: House) -> Labels:
    """What the buttons do while a short word hides the question; those that would answer it take the word away."""
    back, less, more, ok = (
        label if speaks(question, button, house.texts) else "" for button, label in zip(Button, labels, strict=True)
    )
    return (back, less, more, ok or house.texts("OK"))


def _trouble(table: Table, house: House) -> Page | None:
    return attention(table.trouble, house.texts) if table.trouble else None


def _unseen(table: Table, house: House, page: Page) -> Page:
    """Where no camera can see the dice, players would wait for it in vain; and where it was moved, they put it back."""
    if not isinstance(page, Prompt) or page.sign not in (Sign.DICE, Sign.WILD) or not _awaited(table, house):
        return page
    if not house.has_camera or {"camera", "light"} & set(table.lost):
        return replace(page, lines=(*page.lines[:2], house.texts("Then press Type")))
    if table.fit is not Fit.HOLDS:
        return replace(page, lines=(*page.lines[:1], fit(table.fit, house.texts)))
    return page


def _awaited(table: Table, house: House) -> bool:
    """Whether dice of any kind are to be thrown now."""
    return expects_dice(table) is not None or expects_wild(table, house)


def _header(table: Table) -> Header:
    if table.match is None:
        return Header()
    state: Any = table.match.public
    if state["step"] == "over":
        return Header()
    player = state["player"]
    final = GAMES[table.match.game].final(state)
    if player is None:
        return Header(final=final, left=state.get("turns_left"))
    acting = state["players"][player]
    return Header(acting["name"], acting.get("tokens"), final, state.get("turns_left"))


def _ring(table: Table, house: House, key: str, question: Question) -> RingView:
    if table.match is None:
        return _ring_before_a_game(table, house, asked_seat(key, question), asked_space(key, question))
    game = GAMES[table.match.game]
    state: Any = table.match.public
    seats = RingView(
        mood=_mood(table, house, game, state),
        seats=tuple(_seat(house, seat, player) for seat, player in zip(table.seats, state["players"], strict=True)),
        active=state["player"],
        winners=tuple(state.get("winners") or ()),
        countdown=state.get("turns_left"),
    )
    ring = game.ring(seats, state, house)
    return replace(ring, still=_sees(table, house) and _may_be_thrown(table, house, ring))


def _sees(table: Table, house: House) -> bool:
    return house.has_camera and "camera" not in table.lost


def _may_be_thrown(table: Table, house: House, ring: RingView) -> bool:
    """Whether dice that are not due are touched, or the Wild die may be thrown before the pawn is moved."""
    assert table.match is not None
    match table.match.ask.step:
        case "accept" if house.reads_wild and ring.landing in house.wild_spaces:
            return True
        case "accept" | "wild_accept":
            return table.stirred
        case _:
            return False


def _ring_before_a_game(table: Table, house: House, asked: int | None, pawn: int | None) -> RingView:
    """The seats that are taken, and what is under the cursor: a seat, or the pawn's space."""
    taken = {*seats_taken(table.last, table.played), asked}
    seats = tuple(Seat(seat.colour, seat.place, dark=n not in taken) for n, seat in enumerate(house.seats))
    return RingView(_mood_before_a_game(table), seats, asked, spaces=len(house.board.spaces), pawn=pawn)


def _seat(house: House, seat: int, player: Any) -> Seat:
    place = house.seats[seat]
    return Seat(place.colour, place.place, player.get("tokens", 0), player.get("out", False))


def _mood_before_a_game(table: Table) -> Mood:
    """In a room that went dark for the night nothing blinks."""
    if table.trouble or table.notice or set(table.lost) - {"light"}:
        return Mood.TROUBLE
    return Mood.SETUP if table.played else Mood.IDLE


def _mood(table: Table, house: House, game: Game, state: Any) -> Mood:
    """The ring lights the dice: whatever else there is to say, it waits until a camera has read them."""
    if _awaited(table, house) and _sees(table, house):
        return Mood.READING
    if state["step"] == "over":
        return Mood.WINNER
    if table.trouble or table.notice or missed(table):
        return Mood.TROUBLE
    return Mood.FINAL if game.final(state) else Mood.TURN


def expects_dice(table: Table) -> tuple[int, int] | None:
    """Fewest and most number dice that are to be thrown now; None where none are."""
    if table.match is None or table.menu:
        return None
    state: Any = table.match.public
    match state["step"]:
        case "roll":
            return (1, games.most_dice(table.match))
        case "accept" if rerolling(table.given):
            return (len(state["dice"]), len(state["dice"]))
        case _:
            return None


def most_dice(table: Table) -> int | None:
    """As many number dice as may ever be thrown at once in this game; None without one that throws any."""
    return None if table.match is None else games.most_dice(table.match) or None


def expects_wild(table: Table, house: House) -> bool:
    """Whether the Wild die is to be thrown now, and read by the camera."""
    if table.match is None or table.menu or not house.reads_wild:
        return False
    match table.match.ask.step:
        case "wild":
            return True
        case "wild_accept":
            return rerolling(table.given)
        case _:
            return False
