"""What the rules of Cat allow now: `check` refuses one event, `events` names every one that is not refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

from companion.core import Illegal
from companion.games.cat.events import (
    Card,
    Deal,
    Discard,
    Draw,
    Draw2,
    End,
    Event,
    Knock,
    Peek,
    Replace,
    Score,
    Swap,
    Top,
)
from companion.games.cat.state import SLOTS, State

# What may be done at each step, and the rule that says so.
STEP_RULE = {
    "turn": "C4: the player draws a card",
    "replace": "C4: the card from the discard pile must replace an own card",
    "use": "C4: the drawn card is used or discarded",
    "draw": "C5: the next card of the Draw 2 is drawn from the pile",
    "end": "C6: the turn ends, or the player knocks",
    "score": "C7: the round is over and the scores are entered",
    "deal": "C3: the next dealer deals",
    "over": "C9: the game is over",
}


def actions(state: State) -> tuple[str, ...]:
    """The `do` names that are legal now, sorted."""
    match state.step:
        case "turn" if state.settings.pace == "full":
            return ("draw",)
        case "turn" | "end":
            return ("end", "knock") if state.knocked is None else ("end",)
        case "use":
            use = "replace" if state.card == "number" else str(state.card)
            return tuple(sorted(("discard", use)))
        case "over":
            return ()
        case "replace" | "draw" | "score" | "deal":
            return (state.step,)


def check(state: State, event: Event) -> None:
    """Raises Illegal where the rules forbid `event` now."""
    if event.do not in actions(state):
        raise Illegal(_why_not(state, event))
    match event:
        case Draw("discard") if state.step == "draw":
            raise Illegal("C5: the cards of a Draw 2 come from the draw pile")
        case Draw("discard") if state.discard_top == "power":
            raise Illegal("C4: a power card on the discard pile cannot be taken")
        case Swap(mine, player, theirs):
            _check_swap(state, mine, player, theirs)
        case Score(player):
            _check_score(state, player)


def _why_not(state: State, event: Event) -> str:
    match event:
        case Knock() if state.knocked is not None and state.step in ("turn", "end"):
            return "C6: nobody can knock a second time in the round"
        case Draw() | Replace() | Discard() | Peek() | Swap() | Draw2() if state.settings.pace == "light":
            return f'C4: with pace "light" the cards are not declared; {event.do} is not played'
        case _:
            rule = "C6: the turn ends, or the player knocks" if "end" in actions(state) else STEP_RULE[state.step]
            return f"{rule}; {event.do} is not played now"


def _check_swap(state: State, mine: int, player: int, theirs: int) -> None:
    if player == state.player:
        raise Illegal("C5: a swap is with another player, not with oneself")
    if state.players[player].out:
        raise Illegal(f"C10: player {player} is out and has no cards")
    for owner, slot in ((state.acting, mine), (player, theirs)):
        if slot in state.players[owner].face_up:
            raise Illegal(f"C11: slot {slot} of player {owner} lies face-up; only face-down cards are swapped")


def _check_score(state: State, player: int) -> None:
    if state.players[player].out:
        raise Illegal(f"C10: player {player} is out and scores no more")
    if state.players[player].score is not None:
        raise Illegal(f"C7: the score of player {player} is in already")


def events(state: State) -> Iterator[Event]:
    """Every legal event once."""
    for action in actions(state):
        match action:
            case "end":
                yield End()
            case "knock":
                yield Knock()
            case "draw":
                yield from _draws(state)
            case "replace":
                yield from (Replace(slot, top) for slot in range(SLOTS) for top in get_args(Top))
            case "discard":
                yield Discard()
            case "peek":
                yield from (Peek(slot) for slot in range(SLOTS))
            case "swap":
                yield from _swaps(state)
            case "draw2":
                yield Draw2()
            case "score":
                yield from _scores(state)
            case "deal":
                yield Deal()


def _draws(state: State) -> Iterator[Event]:
    if state.step == "turn" and state.discard_top == "number":
        yield Draw("discard")
    yield from (Draw("deck", card) for card in get_args(Card))


def _swaps(state: State) -> Iterator[Event]:
    for mine, player, theirs in product(range(SLOTS), state.still_in, range(SLOTS)):
        own_down = mine not in state.players[state.acting].face_up
        if player != state.player and own_down and theirs not in state.players[player].face_up:
            yield Swap(mine, player, theirs)


def _scores(state: State) -> Iterator[Event]:
    for player in state.still_in:
        if state.players[player].score is None:
            yield from (Score(player, total=total) for total in range(9 * SLOTS + 1))
            yield from (Score(player, cards=cards) for cards in product(range(10), repeat=SLOTS))
