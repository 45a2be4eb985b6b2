"""Cat as three pure functions: whose move it is (`ask`), what a move does (`apply`), how the game ended (`outcome`).

A round: turns until somebody knocks, one more for every other player, the scores, and the next dealer's deal.
"""

from __future__ import annotations

from dataclasses import replace

from companion.core import Ask, Illegal, Outcome
from companion.games.cat import legal
from companion.games.cat.events import (
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
from companion.games.cat.state import NONE_UP, OUTER, Limit, Minutes, Player, Rounds, Settings, State


def start(settings: Settings) -> State:
    """C2, C3: the first round is dealt, a number card is up, and the player to the dealer's left starts."""
    players = tuple(Player(name) for name in settings.players)
    blank = State(settings=settings, players=players, dealer=settings.dealer, player=None)
    return _dealt(blank, settings.dealer)


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
    except Illegal:
        return False
    return True


def outcome(state: State) -> Outcome | None:
    """C9: who won, once the game is over. Totals are points, or rounds won (C12)."""
    if state.winners is None:
        return None
    scores = state.settings.scores
    return Outcome(state.winners, tuple(player.total if scores else player.wins for player in state.players))


def apply(state: State, event: Event, at_s: float) -> State:
    """What holds after `event`, which happens `at_s` seconds after the start. Raises Illegal."""
    legal.check(state, event)
    match event:
        case End():
            return _pass_turn(state)
        case Knock():
            return _pass_turn(replace(state, knocked=state.player, turns_left=len(state.still_in)))
        case Draw("discard"):
            return replace(state, card="number", step="replace")
        case Draw(_, card):
            chances = None if state.chances is None else state.chances - 1
            return replace(state, card=card, chances=chances, step="use")
        case Replace(slot, discarded):
            return _played(_turn_down(state, slot), discarded)
        case Discard():
            return _discard(state)
        case Peek() | Swap():
            return _played(state, "power")
        case Draw2():
            return replace(state, card=None, chances=2, discard_top="power", step="draw")
        case Score():
            return _score(state, event, at_s)
        case Deal():
            return _deal(state, at_s)


def _pass_turn(state: State) -> State:
    """C3, C6: the player to the left is next; after the last turn that a knock leaves, the scores."""
    turns_left = None if state.turns_left is None else state.turns_left - 1
    if turns_left == 0:
        return replace(state, step="score", player=None, turns_left=None)
    return replace(state, step="turn", player=state.left_of(state.acting), turns_left=turns_left)


def _turn_down(state: State, slot: int) -> State:
    """C11: a replaced outer card goes back face-down."""
    player = state.players[state.acting]
    return state.with_player(state.acting, replace(player, face_up=player.face_up - {slot}))


def _played(state: State, top: Top) -> State:
    """C5: a card was used, which ends a Draw 2 as well; `top` now lies on the discard pile."""
    return replace(state, card=None, chances=None, discard_top=top, step="end")


def _discard(state: State) -> State:
    """C4, C5: the drawn card is not used; with a chance of a Draw 2 left, the next is drawn."""
    top: Top = "number" if state.card == "number" else "power"
    if state.chances:
        return replace(state, card=None, discard_top=top, step="draw")
    return _played(state, top)


def _score(state: State, event: Score, at_s: float) -> State:
    """C7: one more score of the round; the last one ends it."""
    points = sum(event.cards) if event.cards is not None else event.total or 0
    player = state.players[event.player]
    total = player.total + points if state.settings.scores else player.total
    entered = state.with_player(event.player, replace(player, score=points, total=total))
    if any(entered.players[number].score is None for number in entered.still_in):
        return entered
    return _end_round(entered, at_s)


def _end_round(state: State, at_s: float) -> State:
    """C9, C12: what the finished round changes, and whether it was the last one."""
    scored = _count_outs(_count_wins(state))
    winners = _winners(scored, state.still_in, at_s)
    if winners is None:
        return replace(scored, step="deal", player=scored.left_of(scored.dealer))
    return replace(scored, step="over", winners=winners)


def _count_wins(state: State) -> State:
    """C12: a round's lowest total wins it."""
    if state.settings.scores:
        return state
    scores = [player.score for player in state.players if player.score is not None]
    players = (replace(player, wins=player.wins + (player.score == min(scores))) for player in state.players)
    return replace(state, players=tuple(players))


def _count_outs(state: State) -> State:
    """C9: a player whose total reaches the limit is out."""
    match state.settings.end:
        case Limit(points):
            players = (replace(player, out=player.total >= points) for player in state.players)
            return replace(state, players=tuple(players))
    return state


def _winners(state: State, played: tuple[int, ...], at_s: float) -> tuple[int, ...] | None:
    """C9: who wins the game with this round; None while it goes on. `played`: who played the round."""
    match state.settings.end:
        case Limit():
            if len(state.still_in) > 1:
                return None
            return state.still_in or _lowest(state, played)
        case Rounds(count):
            return _best(state) if state.round >= count else None
        case Minutes() as minutes:
            return _best(state) if minutes.are_up(at_s) else None


def _best(state: State) -> tuple[int, ...]:
    """C9, C12: the lowest total wins, or who won most rounds; equal ones share the win."""
    everybody = tuple(range(len(state.players)))
    if state.settings.scores:
        return _lowest(state, everybody)
    most = max(player.wins for player in state.players)
    return tuple(number for number in everybody if state.players[number].wins == most)


def _lowest(state: State, among: tuple[int, ...]) -> tuple[int, ...]:
    low = min(state.players[number].total for number in among)
    return tuple(number for number in among if state.players[number].total == low)


def _deal(state: State, at_s: float) -> State:
    """C3, C9: the next round, unless the time is up."""
    match state.settings.end:
        case Minutes() as minutes if minutes.are_up(at_s):
            return replace(state, step="over", player=None, winners=_best(state))
    return replace(_dealt(state, state.left_of(state.dealer)), round=state.round + 1)


def _dealt(state: State, dealer: int) -> State:
    """C2, C3, C11: four cards each and a number card turned up."""
    full = state.settings.pace == "full"
    face_up = OUTER if full and state.settings.younger else NONE_UP
    return replace(
        state,
        players=tuple(replace(player, score=None, face_up=face_up) for player in state.players),
        dealer=dealer,
        player=state.left_of(dealer),
        step="turn",
        knocked=None,
        discard_top="number" if full else None,
    )
