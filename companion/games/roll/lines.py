"""The protocol's lines of Roll, read and written. Malformed depends on the line and the settings alone."""

from __future__ import annotations

from typing import Literal, cast

from companion.core import Malformed
from companion.games import members
from companion.games.members import Message
from companion.games.roll.board import REGIONS, Board
from companion.games.roll.events import (
    FACES,
    Accept,
    Decline,
    Discard,
    Event,
    Face,
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
from companion.games.roll.state import Settings

PLAYERS = 2, 5  # how many
MOST_DICE = 3  # R8
HIGHEST_CARD = 9  # R3


def settings(message: Message, board: Board) -> Settings:
    """What a `start` line agrees on. Raises Malformed."""
    members.check(message, "game", "players", optional=("first", "pawn", "pool", "cards", "market"))
    names = members.names(message["players"], *PLAYERS)
    pawn = members.whole(message.get("pawn", 0), "pawn", 0, len(board.spaces) - 1)
    if not board.is_wild(pawn):
        raise Malformed(f"R6: the pawn starts on a Wild space, and space {pawn} is none")
    depth = members.one_of(message.get("cards", "ask"), "cards", "ask", "track")
    return Settings(
        players=names,
        first=members.whole(message.get("first", 0), "first", 0, len(names) - 1),
        pawn=pawn,
        pool=members.whole(message.get("pool", 20), "pool", 0),
        cards=cast(Literal["ask", "track"], depth),
        market=_first_market(message, depth),
        board=board,
    )


def _first_market(message: Message, depth: str) -> tuple[int, ...] | None:
    if depth == "track":
        if "market" not in message:
            raise Malformed('R23: with cards "track" the five market cards must be given')
        return members.cards(message["market"], "market", REGIONS)
    if "market" in message:
        raise Malformed('R22: with cards "ask" the market is not entered')
    return None


def parse(message: Message, settings: Settings) -> Event:
    """The event that an action's line means. Raises Malformed; whether it is allowed now is not asked here."""
    match message["do"]:
        case "roll":
            members.check(message, "dice")
            return Roll(members.dice(message["dice"], MOST_DICE))
        case "accept":
            members.check(message)
            return Accept()
        case "reroll":
            return _reroll(message)
        case "wild":
            members.check(message, "face")
            return Wild(_face(message))
        case "skip":
            members.check(message)
            return Skip()
        case "take":
            return _take(message, settings)
        case "peek":
            members.check(message, "player", optional=("slot",))
            slot = _slot(message, "slot", settings) if "slot" in message else None
            return Peek(members.player(message, settings.players), slot)
        case "decline":
            members.check(message)
            return Decline()
        case "swap":
            members.check(message, "mine", "player", "theirs")
            mine, theirs = _slot(message, "mine", settings), _slot(message, "theirs", settings)
            return Swap(mine, members.player(message, settings.players), theirs)
        case "discard":
            members.check(message, "slot")
            return Discard(_slot(message, "slot", settings))
        case "refill":
            members.check(message, "value")
            return Refill(members.whole(message["value"], "value", 0, HIGHEST_CARD))
        case "redeal":
            members.check(message, "market")
            return Redeal(members.cards(message["market"], "market", REGIONS))
        case "reveal":
            return _reveal(message, settings)
        case unknown:
            raise Malformed(f"unknown action {members.quoted(unknown)}")


def _face(message: Message) -> Face:
    return cast(Face, members.one_of(message["face"], "face", *FACES))


def _slot(message: Message, member: str, settings: Settings) -> int:
    return members.whole(message[member], member, 0, settings.needed - 1)


def _reroll(message: Message) -> Reroll | RerollWild:
    if "face" in message:
        if "which" in message or "dice" in message:
            raise members.Misshapen("R9, R12: a re-roll is either which and dice, or face")
        members.check(message, "face")
        return RerollWild(_face(message))
    return Reroll(*members.rerolled(message, MOST_DICE))


def _take(message: Message, settings: Settings) -> Take:
    members.check(message, "from", optional=("rat", "region"))
    source = cast(Literal["market", "deck"], members.one_of(message["from"], "from", "market", "deck"))
    seen = source == "market" and settings.cards == "track"
    if not seen:
        if "region" in message:
            raise Malformed("R22: region is given only for a market card that the referee knows")
        members.check(message, "from", "rat")
        return Take(source, rat=members.flag(message["rat"], "rat"))
    if "rat" in message:
        raise Malformed("R23: the referee knows whether this market card is a rat; rat is not given")
    region = members.whole(message["region"], "region", 0, REGIONS - 1) if "region" in message else None
    return Take(source, region=region)


def _reveal(message: Message, settings: Settings) -> Reveal:
    members.check(message, "player", optional=("cards", "total", "force"))
    player = members.player(message, settings.players)
    force = members.flag(message.get("force", False), "force")
    match "cards" in message, "total" in message:
        case True, False:
            return Reveal(player, cards=members.cards(message["cards"], "cards", settings.needed), force=force)
        case False, True:
            most = HIGHEST_CARD * settings.needed
            return Reveal(player, total=members.whole(message["total"], "total", 0, most), force=force)
    raise members.Misshapen("a reveal has either cards or total")


def to_message(event: Event) -> dict[str, object]:
    """The line that means `event`; `parse` gives the same event back."""
    return {"do": event.do, **_members(event)}


def _members(event: Event) -> dict[str, object]:
    match event:
        case Roll(dice):
            return {"dice": list(dice)}
        case Reroll(which, dice):
            return {"which": list(which), "dice": list(dice)}
        case RerollWild(face) | Wild(face):
            return {"face": face}
        case Take(source, rat, region):
            return _given({"from": source, "rat": rat, "region": region})
        case Peek(player, slot):
            return _given({"player": player, "slot": slot})
        case Swap(mine, player, theirs):
            return {"mine": mine, "player": player, "theirs": theirs}
        case Discard(slot):
            return {"slot": slot}
        case Refill(value):
            return {"value": value}
        case Redeal(market):
            return {"market": list(market)}
        case Reveal(player, cards, total, force):
            hand = None if cards is None else list(cards)
            return _given({"player": player, "cards": hand, "total": total, "force": force or None})
        case Accept() | Skip() | Decline():
            return {}


def _given(found: dict[str, object]) -> dict[str, object]:
    """Without the members that are not there; null is never a member's value."""
    return {name: value for name, value in found.items() if value is not None}
