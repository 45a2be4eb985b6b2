"""The protocol's lines of Cat, read and written. Malformed depends on the line and the settings alone."""

from __future__ import annotations

from typing import Literal, cast

from companion.core import Malformed
from companion.games import members
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
from companion.games.cat.state import DEFAULT_END, SLOTS, Ending, Limit, Minutes, Rounds, Settings
from companion.games.members import Message

PLAYERS = 2, 6  # how many
HIGHEST_SCORE = 9 * SLOTS  # C7


def settings(message: Message) -> Settings:
    """What a `start` line agrees on. Raises Malformed."""
    members.check(message, "game", "players", optional=("dealer", "end", "scores", "younger", "pace"))
    names = members.names(message["players"], *PLAYERS)
    scores = members.flag(message.get("scores", True), "scores")
    pace = members.one_of(message.get("pace", "light"), "pace", "light", "full")
    return Settings(
        players=names,
        dealer=members.whole(message.get("dealer", 0), "dealer", 0, len(names) - 1),
        end=_ending(message, scores=scores),
        scores=scores,
        younger=members.flag(message.get("younger", False), "younger"),
        pace=cast(Literal["light", "full"], pace),
    )


def _ending(message: Message, *, scores: bool) -> Ending:
    if "end" not in message:
        if not scores:
            raise Malformed("C12: without scores there is no points limit; end must say rounds or minutes")
        return DEFAULT_END
    ending = _read_ending(members.inside(message["end"], "end"))
    if isinstance(ending, Limit) and not scores:
        raise Malformed("C12: without scores there are no points for a limit")
    return ending


def _read_ending(end: Message) -> Ending:
    match list(end.items()):
        case [("rounds", count)]:
            return Rounds(members.whole(count, "rounds", 1))
        case [("minutes", count)]:
            minutes = members.number(count, "minutes")
            if minutes <= 0:
                raise Malformed("minutes must be more than 0")
            return Minutes(minutes)
        case [("limit", points)]:
            return Limit(members.whole(points, "limit", 1))
    raise Malformed("C9: end must be exactly one of rounds, minutes and limit")


def parse(message: Message, settings: Settings) -> Event:
    """The event that an action's line means. Raises Malformed; whether it is allowed now is not asked here."""
    match message["do"]:
        case "end":
            members.check(message)
            return End()
        case "knock":
            members.check(message)
            return Knock()
        case "draw":
            return _draw(message)
        case "replace":
            members.check(message, "slot", "discarded")
            discarded = members.one_of(message["discarded"], "discarded", "number", "power")
            return Replace(_slot(message, "slot"), cast(Top, discarded))
        case "discard":
            members.check(message)
            return Discard()
        case "peek":
            members.check(message, "slot")
            return Peek(_slot(message, "slot"))
        case "swap":
            members.check(message, "mine", "player", "theirs")
            return Swap(_slot(message, "mine"), members.player(message, settings.players), _slot(message, "theirs"))
        case "draw2":
            members.check(message)
            return Draw2()
        case "score":
            return _score(message, settings)
        case "deal":
            members.check(message)
            return Deal()
        case unknown:
            raise Malformed(f"unknown action {members.quoted(unknown)}")


def _slot(message: Message, member: str) -> int:
    return members.whole(message[member], member, 0, SLOTS - 1)


def _draw(message: Message) -> Draw:
    members.check(message, "from", optional=("card",))
    if members.one_of(message["from"], "from", "discard", "deck") == "discard":
        if "card" in message:
            raise members.Misshapen("C4: card is given only with from deck")
        return Draw("discard")
    members.check(message, "from", "card")
    return Draw("deck", cast(Card, members.one_of(message["card"], "card", "number", "peek", "swap", "draw2")))


def _score(message: Message, settings: Settings) -> Score:
    members.check(message, "player", optional=("cards", "total"))
    player = members.player(message, settings.players)
    match "cards" in message, "total" in message:
        case True, False:
            return Score(player, cards=members.cards(message["cards"], "cards", SLOTS))
        case False, True:
            return Score(player, total=members.whole(message["total"], "total", 0, HIGHEST_SCORE))
    raise members.Misshapen("C7: a score is either cards or total")


def to_message(event: Event) -> dict[str, object]:
    """The line that means `event`; `parse` gives the same event back."""
    return {"do": event.do, **_members(event)}


def _members(event: Event) -> dict[str, object]:
    match event:
        case Draw(source, None):
            return {"from": source}
        case Draw(source, card):
            return {"from": source, "card": card}
        case Replace(slot, discarded):
            return {"slot": slot, "discarded": discarded}
        case Peek(slot):
            return {"slot": slot}
        case Swap(mine, player, theirs):
            return {"mine": mine, "player": player, "theirs": theirs}
        case Score(player, None, total):
            return {"player": player, "total": total}
        case Score(player, cards):
            return {"player": player, "cards": list(cards or ())}
        case End() | Knock() | Discard() | Draw2() | Deal():
            return {}
