"""From the table to the View that every output is drawn from. Pure, and blind to what lies face-down (R21)."""

from __future__ import annotations

from typing import Any

from companion.table.asking import Asking
from companion.table.decide import upcoming
from companion.table.house import House
from companion.table.roll import landing_space, rerolling
from companion.table.state import Table
from companion.view import Header, Mood, Page, Prompt, RingView, Seat, View

WILD_COLOUR = (255, 255, 255)  # black spaces cannot be lit: Wild spaces shine white


def view(table: Table, house: House) -> View:
    """The one picture of the table."""
    asking = upcoming(table, house)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    question = asking.question.at(table.cursor)
    return View(
        header=_header(table),
        page=_trouble(table, house) or question.page(),
        labels=question.labels(house.texts),
        ring=_ring(table, house),
        lost=table.lost,
    )


def _trouble(table: Table, house: House) -> Page | None:
    return Prompt(house.texts("Attention!"), (table.trouble,)) if table.trouble else None


def _header(table: Table) -> Header:
    if table.match is None:
        return Header()
    state: Any = table.match.public
    player = state["player"]
    if player is None:
        return Header(final=state["final_round"], left=state["turns_left"])
    acting = state["players"][player]
    return Header(acting["name"], acting["tokens"], state["final_round"], state["turns_left"])


def _ring(table: Table, house: House) -> RingView:
    if table.match is None:
        return RingView(Mood.SETUP if table.answers else Mood.IDLE)
    state: Any = table.match.public
    return RingView(
        mood=_mood(table, state),
        seats=tuple(_seat(house, seat, player) for seat, player in zip(table.seats, state["players"], strict=True)),
        active=state["player"],
        spaces=len(house.board.spaces),
        space_colours=tuple(
            WILD_COLOUR if space.region is None else house.regions[space.region].colour for space in house.board.spaces
        ),
        pawn=state["pawn"],
        landing=landing_space(state, house.board) if state["step"] == "accept" else None,
        winners=tuple(state["winners"] or ()),
        countdown=state["turns_left"],
    )


def _seat(house: House, seat: int, player: Any) -> Seat:
    return Seat(house.seats[seat].colour, house.seats[seat].place, player["tokens"])


def _mood(table: Table, state: Any) -> Mood:
    """The ring lights the dice: whatever else there is to say, it waits until they are read."""
    if expects_dice(table) is not None:
        return Mood.READING
    if state["step"] == "over":
        return Mood.WINNER
    if table.trouble or table.lost:
        return Mood.TROUBLE
    return Mood.FINAL if state["final_round"] else Mood.TURN


def expects_dice(table: Table) -> tuple[int, int] | None:
    """Fewest and most number dice that are to be thrown now; None where none are."""
    if table.match is None or table.menu:
        return None
    state: Any = table.match.public
    match state["step"]:
        case "roll":
            return (1, 3)
        case "accept" if rerolling(table.given):
            return (len(state["dice"]), len(state["dice"]))
        case _:
            return None
