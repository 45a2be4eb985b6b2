"""The dialogue of Rat-a-Tat Cat: what is asked at each step, and what the answers make (rules C1-C12)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.events import Button
from companion.games import members
from companion.games.cat import HIGHEST_SCORE, Limit, Minutes, Rounds, Settings
from companion.locale import Texts
from companion.table.asking import Asking, Doing, Given, Message, Narrowing, Next, Words
from companion.table.ending import over, winner_page
from companion.table.moment import Moment
from companion.table.questions import Keys, Leaves, Meanings, Number, Pick
from companion.table.sheets import paged
from companion.view import Prompt, Row, Sheet, Sign

USUAL_TOTAL = 10  # where the entry of a total begins
CARDS = range(10)  # C1
HAND = range(4)  # C2
MISSING = "+?"


def dialogue(now: Moment, given: Given, _: Texts) -> Next:
    """The next question of the present step, or the actions that the answers make."""
    match now.state["step"]:
        case "turn":
            return _turn(now, given, _)
        case "replace":
            return _narrowed(now, given, _)
        case "use":
            return _use(now, given, _)
        case "draw":
            return _draw_again(now, given, _)
        case "end":
            return _end(now, given, _)
        case "score":
            return _score(now, given, _)
        case "deal":
            return _deal(now, given, _)
        case "over":
            return _over(now, given, _)
        case step:
            raise AssertionError(f"no dialogue for step {step!r}")


def settings_of(now: Moment) -> Settings:
    """What was agreed before the game."""
    assert isinstance(now.match.settings, Settings)
    return now.match.settings


# --- a turn -----------------------------------------------------------------------------------------------------------


def _turn(now: Moment, given: Given, _: Texts) -> Next:
    """C4: light, the turn is only ended; full, a card is drawn."""
    match given.get("how"):
        case "help":
            return Asking("help", Leaves(help_pages(_, younger=settings_of(now).younger)))
        case "take":
            return Doing(({"do": "draw", "from": "discard"},))
        case "draw":
            return _drawn(now, given, _)
        case "end" | "knock" as action:
            return Doing(({"do": action},))
    meanings: Meanings = {Button.LESS: ("help", _("Help"))}
    if settings_of(now).pace == "light":
        return Asking("how", Keys(_turn_page(now, _), meanings | _ending_keys(now, _)))
    if now.state["discard_top"] == "number":
        meanings[Button.MORE] = ("take", _("Take"))
    return Asking("how", Keys(_turn_page(now, _), meanings | {Button.OK: ("draw", _("Draw"))}))


def _ending_keys(now: Moment, _: Texts) -> Meanings:
    """C6: a turn ends, or with a knock unless somebody has knocked."""
    keys: Meanings = {Button.OK: ("end", _("Done"))}
    return keys | {Button.MORE: ("knock", _("Knock"))} if now.state["knocked"] is None else keys


def _turn_page(now: Moment, _: Texts) -> Prompt:
    """What to do, who deals, the round, and how long the game still goes."""
    knocked = now.state["knocked"]
    names = [player["name"] for player in now.state["players"]]
    if knocked is not None:
        who = _("{name} knocked").format(name=names[knocked])
        return Prompt(_("Last turn!"), (_round_line(now, _), who), Sign.KNOCK)
    dealer = _("{name} deals").format(name=names[now.state["dealer"]])
    return Prompt(_("Your turn"), (_round_line(now, _), dealer), Sign.CAT)


def _round_line(now: Moment, _: Texts) -> str:
    round_ = now.state["round"]
    match settings_of(now).end:
        case Rounds(count):
            return _("Round {n} of {count}").format(n=round_, count=count)
        case Minutes() as minutes if minutes.are_up(now.at_s):
            return _("Time up: last round")
        case Minutes() as minutes:
            return _("Round {n}, {left} min left").format(n=round_, left=_left(minutes, now.at_s))
        case Limit():
            return _("Round {n}").format(n=round_)


def minutes_left(agreed: Any, at_s: float) -> int | None:
    """C9: as the round's line shows them; None where the game has another end."""
    assert isinstance(agreed, Settings)
    return _left(agreed.end, at_s) if isinstance(agreed.end, Minutes) else None


def _left(minutes: Minutes, at_s: float) -> int:
    return 0 if minutes.are_up(at_s) else math.ceil((60 * minutes.count - at_s) / 60)


def help_pages(_: Texts, *, younger: bool) -> tuple[Prompt, ...]:
    """C5, C6, C11: what the power cards and a knock allow."""
    swap = _("Only face-down cards, unseen") if younger else _("Swap a card with a player, unseen")
    return (
        Prompt(_("Peek"), (_("Look at one of your own cards"),), Sign.PEEK),
        Prompt(_("Swap"), (swap,), Sign.SWAP),
        Prompt(_("Draw 2"), (_("Draw one: use it or draw one more"),), Sign.CARD),
        Prompt(_("Draw 2"), (_("Another Draw 2: two new chances"),), Sign.CARD),
        Prompt(_("Knock"), (_("One more turn for all others"),), Sign.KNOCK),
    )


def card_help(card: str, _: Texts, *, younger: bool) -> Prompt:
    """What a drawn card allows."""
    if card == "number":
        return Prompt(_("Number card"), (_("Replace one of your cards, or discard it"),), Sign.CARD)
    return help_pages(_, younger=younger)[("peek", "swap", "draw2").index(card)]


# --- full pace: every draw is declared --------------------------------------------------------------------------------


def _drawn(now: Moment, given: Given, _: Texts) -> Next:
    from_deck = tuple(message for message in now.legal if message.get("from") == "deck")
    return Narrowing(from_deck, _words(now, _)).next(given)


def _draw_again(now: Moment, given: Given, _: Texts) -> Next:
    """C5: inside a Draw 2."""
    if given.get("how") == "draw":
        return _drawn(now, given, _)
    chances = now.state["chances"]
    left = _.ngettext("{n} chance left", "{n} chances left", chances).format(n=chances)
    return Asking("how", Keys(Prompt(_("Draw a card"), (left,), Sign.CARD), {Button.OK: ("draw", _("Draw"))}))


def _use(now: Moment, given: Given, _: Texts) -> Next:
    """C4, C5: the drawn card is used or discarded; the page tells what it allows."""
    if "do" not in given:
        card = now.state["card"]
        use = {"number": "replace"}.get(card, card)
        keys: Meanings = {Button.MORE: ("discard", _("Discard")), Button.OK: (use, _use_label(card, _))}
        return Asking("do", Keys(card_help(card, _, younger=settings_of(now).younger), keys))
    return _narrowed(now, given, _)


def _use_label(card: str, _: Texts) -> str:
    return {"number": _("Replace"), "peek": _("Peek"), "swap": _("Swap"), "draw2": _("Use it")}[card]


def _narrowed(now: Moment, given: Given, _: Texts) -> Next:
    return Narrowing(tuple(now.legal), _words(now, _)).next(given)


def _words(now: Moment, _: Texts) -> Mapping[str, Words]:
    """The words for every field of a declared draw, in the order in which they are decided."""
    names = [player["name"] for player in now.state["players"]]
    card = _("Card {n}")

    def slot_label(slot: int, _given: Given) -> str:
        return card.format(n=slot + 1)

    def slot_title(_given: Given) -> str:
        return _("Look at which?") if now.state["card"] == "peek" else _("Replace which?")

    return {
        "do": Words(lambda _given: "", lambda action, _given: str(action)),  # asked before, by the drawn card's page
        "card": Words(lambda _given: _("What did you draw?"), lambda kind, _given: _card_text(kind, _)),
        "slot": Words(slot_title, slot_label),
        "discarded": Words(lambda _given: _("What lay there?"), lambda top, _given: _top_text(top, _)),
        "mine": Words(lambda _given: _("Which of yours?"), slot_label),
        "player": Words(lambda _given: _("Swap with whom?"), lambda player, _given: names[player]),
        "theirs": Words(lambda _given: _("For which of theirs?"), slot_label),
    }


def _card_text(card: str, _: Texts) -> str:
    return {"number": _("Number"), "peek": _("Peek"), "swap": _("Swap"), "draw2": _("Draw 2")}[card]


def _top_text(top: str, _: Texts) -> str:
    return {"number": _("A number card"), "power": _("A power card")}[top]


def _end(now: Moment, given: Given, _: Texts) -> Next:
    match given.get("how"):
        case "end" | "knock" as action:
            return Doing(({"do": action},))
    return Asking("how", Keys(Prompt(_("End of the turn"), (_round_line(now, _),), Sign.CAT), _ending_keys(now, _)))


# --- a knock on the table ---------------------------------------------------------------------------------------------


def knock(now: Moment, _: Texts) -> Doing | str:
    """C6: what the knock button does, where it is allowed; else why it is not, or "" where no round is played."""
    if "knock" in now.match.ask.actions:
        return Doing(({"do": "knock"},))
    if now.state["step"] in ("score", "deal", "over"):
        return ""
    if now.state["knocked"] is not None:
        return _("Somebody knocked already")
    return _("Knock at the end of your turn")


# --- the scores -------------------------------------------------------------------------------------------------------


def _score(now: Moment, given: Given, _: Texts) -> Next:
    """C7: each player's hand once, card by card or as a total."""
    players = now.state["players"]
    waiting = tuple((n, each["name"]) for n, each in enumerate(players) if not each["out"] and not each["scored"])
    if given.get("how") == "other" and "player" not in given:
        return Asking("player", Pick(_("Whose cards?"), waiting))
    player = given.get("player", waiting[0][0])
    assert isinstance(player, int)
    match given.get("how"):
        case "cards":
            return _hand(player, players[player]["name"], given, _)
        case "total":
            return _total(player, players[player]["name"], given, _)
    meanings: Meanings = {Button.MORE: ("total", _("Sum")), Button.OK: ("cards", _("Cards"))}
    if len(waiting) > 1 and "player" not in given:
        meanings[Button.LESS] = ("other", _("Other"))
    reminder = _("Instead of a power card draw a number card")
    page = Prompt(_("{name}: cards up!").format(name=players[player]["name"]), (reminder,))
    return Asking("how", Keys(page, meanings, turns_back="player" in given))


def _hand(player: int, name: str, given: Given, _: Texts) -> Next:
    cards: list[int] = []
    for slot in HAND:
        value = given.get(f"card {slot}")
        if value is None:
            title = _("{name}: card {n}").format(name=name, n=slot + 1)
            return Asking(f"card {slot}", Number(title, min(CARDS), max(CARDS), 0, tuple(cards)))
        assert isinstance(value, int)
        cards.append(value)
    if "sure" in given:
        return Doing(({"do": "score", "player": player, "cards": cards},))
    points = _.ngettext("{n} point", "{n} points", sum(cards)).format(n=sum(cards))
    page = Prompt(points, (name, " + ".join(str(card) for card in cards)))
    return Asking("sure", Keys(page, {Button.OK: (True, _("Right"))}, turns_back=True))


def _total(player: int, name: str, given: Given, _: Texts) -> Next:
    if "points" not in given:
        title = _("{name}: sum").format(name=name)
        return Asking("points", Number(title, 0, HIGHEST_SCORE, USUAL_TOTAL))
    return Doing(({"do": "score", "player": player, "total": given["points"]},))


def _deal(now: Moment, given: Given, _: Texts) -> Next:
    """C3: the next dealer has dealt, as soon as the button says so; C9: the time may be up by then. Where everybody
    stands is shown meanwhile, if one page holds it."""
    match given.get("how"):
        case "deal":
            return Doing(({"do": "deal"},))
        case "sheet":
            return Asking("sheet", Leaves(tuple(sheets(now, _))))
    end = settings_of(now).end
    if isinstance(end, Minutes) and end.are_up(now.at_s):
        title, label = _("The time is up"), _("End")
    else:
        # Translators: the name comes last, since what is lost may leave too little room for the end of this line
        title, label = _("Deal, {name}!").format(name=now.name), _("Dealt")
    keys: Meanings = {Button.LESS: ("sheet", _("Scores")), Button.OK: ("deal", label)}
    stands, *more = paged(title, _rows(now))
    page = Prompt(title, (), Sign.CAT) if more else stands
    return Asking("how", Keys(page, keys))


def _over(now: Moment, given: Given, _: Texts) -> Next:
    return over(given, winner_page(now.state, _ranked(now), _), _("Scores"), sheets(now, _), _)


def _ranked(now: Moment) -> tuple[Row, ...]:
    """The winners first: of those who went out together the lowest total wins, whatever those before them had (C9)."""
    scores, rows = settings_of(now).scores, _rows(now)

    def place(number: int) -> tuple[bool, int]:
        player = now.state["players"][number]
        return number not in now.state["winners"], player["total"] if scores else -player["wins"]

    return tuple(rows[number] for number in sorted(range(len(rows)), key=place))


# --- the score sheet --------------------------------------------------------------------------------------------------


def sheets(now: Moment, _: Texts) -> Iterator[Sheet]:
    """Where everybody stands, then every round, the latest first."""
    yield from paged(_("Points") if settings_of(now).scores else _("Rounds won"), _rows(now))
    rounds = rounds_of(reversed(tuple(now.standing)))
    names = [player["name"] for player in now.state["players"]]
    for number, points in reversed(tuple(enumerate(rounds, 1))):
        if points:
            rows = tuple(Row(name, str(points.get(player, "–"))) for player, name in enumerate(names))
            yield from paged(_("Round {n}").format(n=number), rows)


def _rows(now: Moment) -> tuple[Row, ...]:
    return tuple(
        Row(player["name"], _standing(now, player), _mark(now.state, number))
        for number, player in enumerate(now.state["players"])
    )


def _standing(now: Moment, player: Any) -> str:
    """Points of the round that are still to be entered are seen to be missing: few of them would look like a lead."""
    if not settings_of(now).scores:
        return str(player["wins"])
    missing = now.state["step"] == "score" and not player["out"] and not player["scored"]
    return f"{player['total']}{MISSING if missing else ''}"


def _mark(state: Any, player: int) -> str:
    if player in (state["winners"] or ()):
        return "winner"
    if state["players"][player]["out"]:
        return "out"
    return "turn" if player == state["player"] else ""


def rounds_of(actions: Iterable[Message]) -> tuple[dict[int, int], ...]:
    """The points of each round so far, by player."""
    rounds: list[dict[int, int]] = [{}]
    for action in actions:
        match action["do"]:
            case "deal":
                rounds.append({})
            case "score":
                rounds[-1][action["player"]] = members.points(action)
    return tuple(rounds)
