"""Roll as three pure functions: whose move it is (`ask`), what a move does (`apply`), how the game ended (`outcome`).

A turn: roll, accept, (Wild die, accept,) take or swap, discard, peek, refill, redeal; then the next player's.
"""

from __future__ import annotations

from dataclasses import replace

from companion.core import Ask, Outcome, Refused
from companion.games.roll import legal
from companion.games.roll.events import (
    Accept,
    Decline,
    Discard,
    Event,
    Peek,
    Redeal,
    Refill,
    Reroll,
    RerollWild,
    Reveal,
    Roll,
    Skip,
    Swap,
    Take,
    Wild,
)
from companion.games.roll.state import Player, Settings, State, is_rat, totals, winners


def start(settings: Settings) -> State:
    """R4–R6: everybody has one face-down card and two tokens. More than three rats are dealt anew at once (R14)."""
    state = State(
        settings=settings,
        players=tuple(Player(name) for name in settings.players),
        pawn=settings.pawn,
        pool=settings.pool,
        market=settings.market,
        step="roll",
        player=settings.first,
    )
    return replace(state, step="redeal") if state.too_many_rats else state


def ask(state: State) -> Ask[Event]:
    """Who must act, and what is legal now."""
    return Ask(
        player=state.player,
        step=state.step,
        actions=legal.actions(state),
        permits=lambda event: _permits(state, event),
        events=lambda: legal.events(state),
    )


def _permits(state: State, event: Event) -> bool:
    try:
        legal.check(state, event)
    except Refused:
        return False
    return True


def outcome(state: State) -> Outcome | None:
    """R19: who won, once all cards are revealed."""
    return Outcome(winners(state), totals(state)) if state.step == "over" else None


def apply(state: State, event: Event, at_s: float = 0) -> State:
    """What lies on the table after `event`. Raises Illegal or Audit; `state` itself never changes."""
    legal.check(state, event)
    match event:
        case Roll(dice):
            return replace(state, dice=dice, step="accept")
        case Reroll(which, dice):
            return _spend_token(replace(state, dice=_with_dice(state.dice or (), which, dice)))
        case Accept() if state.step == "accept":
            return _move_pawn(state)
        case Wild(face):
            return replace(state, wild=face, step="wild_accept")
        case RerollWild(face):
            return _spend_token(replace(state, wild=face))
        case Accept():
            return replace(state, step="swap" if state.wild == "swap" else "take")
        case Take():
            return _take(state, event)
        case Swap(mine, player, theirs):
            return _pass_turn(_swap(state, mine, player, theirs))
        case Decline() if state.step == "swap":
            return _pass_turn(state)
        case Skip():
            return _pass_turn(state)
        case Discard(slot):
            return _discard(state, slot)
        case Peek() | Decline():
            return _then_refill(state)
        case Refill(value):
            return _then_redeal(_fill_gap(state, value))
        case Redeal(market):
            return _redeal(state, market)
        case Reveal():
            return _reveal(state, event)


def _with_dice(old: tuple[int, ...], which: tuple[int, ...], thrown: tuple[int, ...]) -> tuple[int, ...]:
    new = dict(zip(which, thrown, strict=True))
    return tuple(new.get(index, pips) for index, pips in enumerate(old))


def _spend_token(state: State) -> State:
    """R9: spent tokens go back to the pool at once."""
    poorer = replace(state.mover, tokens=state.mover.tokens - 1)
    return replace(state.with_player(state.acting, poorer), pool=state.pool + 1)


def _earn_tokens(state: State, earned: int) -> State:
    """R11: the pool pays what it holds, and the rest is not paid."""
    paid = min(earned, state.pool)
    richer = replace(state.mover, tokens=state.mover.tokens + paid)
    return replace(state.with_player(state.acting, richer), pool=state.pool - paid)


def _move_pawn(state: State) -> State:
    """R10: the pawn moves by the total, and its space decides."""
    moved = replace(state, pawn=state.settings.board.move(state.pawn, sum(state.dice or ())))
    return replace(moved, step="wild" if moved.space == "wild" else "take")


def _take(state: State, event: Take) -> State:
    """R10–R13: pays the tokens, empties the market's place, and puts the card into the row where there is room."""
    card, left = _lift(state, event)
    rat = is_rat(card) if card is not None else bool(event.rat)
    paid = _earn_tokens(left, int(rat) + int(state.space == "token"))
    if state.was_complete:
        return replace(paid, held=card, step="discard")
    row = paid.mover.row
    taken = paid.with_player(state.acting, replace(paid.mover, row=(*row, card)))
    return replace(taken, step="peek") if state.space == "peek" else _then_refill(taken)


def _lift(state: State, event: Take) -> tuple[int | None, State]:
    """The card's value, where the referee knows it, and the table without that card."""
    if event.source == "deck" or state.market is None:
        return None, state
    region = event.region if event.region is not None else legal.regions(state)[0]
    market = (*state.market[:region], None, *state.market[region + 1 :])
    return state.market[region], replace(state, market=market)


def _swap(state: State, mine: int, player: int, theirs: int) -> State:
    """R12, R13: two slots change places, and what the referee knows of them goes along."""
    own, other = state.mover, state.players[player]
    given = state.with_player(state.acting, own.with_card(mine, other.row[theirs]))
    return given.with_player(player, other.with_card(theirs, own.row[mine]))


def _discard(state: State, slot: int) -> State:
    """R17: the new card takes the place of the older one."""
    kept = state.with_player(state.acting, state.mover.with_card(slot, state.held))
    return _then_refill(replace(kept, held=None))


def _then_refill(state: State) -> State:
    gap = state.market is not None and None in state.market
    return replace(state, step="refill") if gap else _then_redeal(state)


def _fill_gap(state: State, value: int) -> State:
    return replace(state, market=tuple(value if card is None else card for card in state.market or ()))


def _then_redeal(state: State) -> State:
    return replace(state, step="redeal") if state.too_many_rats else _pass_turn(state)


def _redeal(state: State, market: tuple[int, ...]) -> State:
    """R14: again if need be. Before the first roll no turn has been played that could pass."""
    dealt = replace(state, market=market)
    before_first_roll = state.dice is None and state.wild is None
    if before_first_roll and not dealt.too_many_rats:
        return replace(dealt, step="roll")
    return _then_redeal(dealt)


def _pass_turn(state: State) -> State:
    """R6, R18: the next player's turn; the final round begins after the turn that triggered it, and then all reveal."""
    turns_left = _turns_left(state)
    final = turns_left is not None
    if turns_left == 0:
        return replace(state, player=None, step="reveal", wild=None, was_complete=False, turns_left=None)
    player = (state.acting + 1) % len(state.players)
    complete = state.is_complete(player)
    return replace(
        state,
        turn=state.turn + 1,
        player=player,
        step="wild" if complete else "roll",
        dice=None,
        wild=None,
        was_complete=complete,
        final_round=final,
        turns_left=turns_left,
    )


def _turns_left(state: State) -> int | None:
    """R18: how many turns follow this one; None while the final round is not triggered."""
    if state.turns_left is not None:
        return state.turns_left - 1
    return len(state.players) if state.all_complete else None


def _reveal(state: State, event: Reveal) -> State:
    """R19: one more player's total; with the last one the game is over."""
    total = sum(event.cards) if event.cards is not None else event.total
    shown = state.with_player(event.player, replace(state.players[event.player], total=total))
    missing = any(player.total is None for player in shown.players)
    return shown if missing else replace(shown, step="over")
