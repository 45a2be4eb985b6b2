"""What the rules of Roll allow now: `check` refuses one event, `events` names every one that is not refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.core import Audit, Illegal
from companion.games import members
from companion.games.number_dice import PIPS, rerolls
from companion.games.roll.board import REGIONS
from companion.games.roll.events import (
    FACES,
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
from companion.games.roll.state import State

VALUES = range(10)

# What may be done at each step, and the rule that says so.
STEP_RULE = {
    "roll": "R8: the player rolls 1 to 3 number dice",
    "accept": "R9: the player re-rolls for a token, or accepts and moves the pawn",
    "wild": "R12: the player rolls the Wild die",
    "wild_accept": "R12: the player re-rolls the Wild die for a token, or accepts it",
    "take": "R10: the player takes a card",
    "peek": "R10: the player looks at cards or declines",
    "swap": "R12: the player swaps or declines",
    "discard": "R17: the player discards an older card",
    "refill": "R14: the card taken from the market is replaced",
    "redeal": "R14: more than 3 of the market are rats; five new cards are dealt",
    "reveal": "R19: all cards are revealed",
    "over": "R19: the game is over",
}


def actions(state: State) -> tuple[str, ...]:
    """The `do` names that are legal now, sorted."""
    match state.step:
        case "accept" | "wild_accept":
            return ("accept", "reroll") if state.mover.tokens else ("accept",)
        case "wild":
            return ("skip", "wild") if state.was_complete else ("wild",)
        case "peek" | "swap":
            return ("decline", state.step)
        case "over":
            return ()
        case "roll" | "take" | "discard" | "refill" | "redeal" | "reveal":
            return (state.step,)


def check(state: State, event: Event) -> None:
    """Raises Illegal where the rules forbid `event` now, and Audit where a revealed hand contradicts R20."""
    if event.do not in actions(state):
        raise Illegal(_why_not(state, event))
    match event:
        case Reroll() | RerollWild():
            _check_reroll(state, event)
        case Take():
            _check_take(state, event)
        case Peek(player, slot):
            _check_peek(state, player, slot)
        case Swap(mine, player, theirs):
            _check_swap(state, mine, player, theirs)
        case Reveal():
            _check_reveal(state, event)
        case Roll() | Accept() | Wild() | Skip() | Decline() | Discard() | Refill() | Redeal():
            pass


def _why_not(state: State, event: Event) -> str:
    match event:
        case Reroll() | RerollWild() if state.step in ("accept", "wild_accept"):
            return "R9: a re-roll costs a token, and the player has none left"
        case Skip() if state.step == "wild":
            return "R16: only a player who has all cards needed may skip"
        case Roll() if state.step == "wild" and state.was_complete:
            return "R16: a player who has all cards needed does not roll number dice"
        case Refill() | Redeal() if state.market is None:
            return f'R22: with cards "ask" the referee does not know the market; {event.do} is not played'
        case _:
            return f"{STEP_RULE[state.step]}; {event.do} is not played now"


def _check_reroll(state: State, event: Reroll | RerollWild) -> None:
    match event:
        case Reroll() if state.step == "wild_accept":
            raise Illegal("R12: the Wild die lies there; it is re-rolled by its face")
        case RerollWild() if state.step == "accept":
            raise Illegal("R9: number dice lie there; they are re-rolled by which and dice")
        case Reroll(which) if state.dice is not None and which[-1] >= len(state.dice):
            raise Illegal(
                f"R9: only the {members.counted(len(state.dice), 'die', 'dice')} rolled this turn may be re-rolled"
            )


def regions(state: State) -> tuple[int, ...]:
    """R10, R12: the regions whose market card may be taken now. Empty where the referee does not know (R22)."""
    if state.market is None:
        return ()
    if state.space != "wild":
        region = state.settings.board.spaces[state.pawn].region
        assert region is not None, "a coloured space lies in a region"
        return (region,)
    cards = [card for card in state.market if card is not None]
    wanted = min(cards) if state.wild == "lowest" else max(cards)
    return tuple(region for region, card in enumerate(state.market) if card == wanted)


def _check_take(state: State, event: Take) -> None:
    if event.source == "deck":
        if state.was_complete:
            raise Illegal("R16: a player who has all cards needed takes from the market, wherever the pawn stands")
        if state.space != "choice":
            raise Illegal("R10: only a choice space lets the player take from the draw pile")
        return
    allowed = regions(state)
    if not allowed:
        return
    rule = f"R12: the {state.wild} market card" if state.space == "wild" else "R10: the card of the pawn's region"
    places = " or ".join(str(region) for region in allowed)
    if event.region is None and len(allowed) > 1:
        raise Illegal(f"{rule} lies in more than one region; name {places}")
    if event.region is not None and event.region not in allowed:
        raise Illegal(f"{rule} must be taken; it lies in region {places}")


def _check_slot(state: State, player: int, slot: int, rule: str) -> None:
    if slot >= len(state.players[player].row):
        raise Illegal(f"{rule}: player {player} has no card in slot {slot} yet")


def _check_peek(state: State, player: int, slot: int | None) -> None:
    if player == state.player:
        if slot is not None:
            raise Illegal("R10: a player looks at all own cards; no slot is named")
        return
    if slot is None:
        raise Illegal("R10: of an opponent one card is looked at; name its slot")
    _check_slot(state, player, slot, "R10")


def _check_swap(state: State, mine: int, player: int, theirs: int) -> None:
    if player == state.player:
        raise Illegal("R12: a swap is with an opponent, not with oneself")
    _check_slot(state, state.acting, mine, "R12")
    _check_slot(state, player, theirs, "R12")


def contradictions(state: State, event: Reveal) -> tuple[int, ...]:
    """R20: the slots of a revealed hand that do not hold what was public when it was taken."""
    row = state.players[event.player].row
    return tuple(
        slot
        for slot, (known, shown) in enumerate(zip(row, event.cards or (), strict=False))
        if known is not None and known != shown
    )


def _check_reveal(state: State, event: Reveal) -> None:
    if state.players[event.player].total is not None:
        raise Illegal(f"R19: the cards of player {event.player} are revealed already")
    if event.force:
        return
    if slots := contradictions(state, event):
        places = ", ".join(str(slot) for slot in slots)
        raise Audit(f"R20: not the market card that was taken: slot {places}; enter the hand again or force it", slots)


def events(state: State) -> Iterator[Event]:
    """Every legal event once, in its plainest form: no region where there is no choice, `force` only where needed."""
    match state.step:
        case "roll":
            yield from (Roll(dice) for count in (1, 2, 3) for dice in product(PIPS, repeat=count))
        case "accept":
            yield Accept()
            if state.mover.tokens:
                yield from (Reroll(*one) for one in rerolls(len(state.dice or ())))
        case "wild":
            if state.was_complete:
                yield Skip()
            yield from (Wild(face) for face in FACES)
        case "wild_accept":
            yield Accept()
            if state.mover.tokens:
                yield from (RerollWild(face) for face in FACES)
        case "take":
            yield from _takes(state)
        case "peek":
            yield Decline()
            yield from _peeks(state)
        case "swap":
            yield Decline()
            yield from _swaps(state)
        case "discard":
            yield from (Discard(slot) for slot in range(len(state.mover.row)))
        case "refill":
            yield from (Refill(value) for value in VALUES)
        case "redeal":
            yield from (Redeal(market) for market in product(VALUES, repeat=REGIONS))
        case "reveal":
            yield from _reveals(state)
        case "over":
            return


def _takes(state: State) -> Iterator[Event]:
    allowed = regions(state)
    match allowed:
        case ():
            yield from (Take("market", rat=rat) for rat in (False, True))
        case (_,):
            yield Take("market")
        case _:
            yield from (Take("market", region=region) for region in allowed)
    if state.space == "choice":
        yield from (Take("deck", rat=rat) for rat in (False, True))


def _peeks(state: State) -> Iterator[Event]:
    for number, player in enumerate(state.players):
        if number == state.player:
            yield Peek(number)
        else:
            yield from (Peek(number, slot) for slot in range(len(player.row)))


def _swaps(state: State) -> Iterator[Event]:
    for mine in range(len(state.mover.row)):
        for number, player in enumerate(state.players):
            if number != state.player:
                yield from (Swap(mine, number, theirs) for theirs in range(len(player.row)))


def _reveals(state: State) -> Iterator[Event]:
    needed = state.settings.needed
    for number, player in enumerate(state.players):
        if player.total is None:
            yield from (Reveal(number, total=total) for total in range(9 * needed + 1))
            for cards in product(VALUES, repeat=needed):
                plain = Reveal(number, cards=cards)
                contradicts = bool(contradictions(state, plain))
                yield Reveal(number, cards=cards, force=True) if contradicts else plain
