"""The table as the players left it, from the lines of the journal."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion import words
from companion.core import Refused
from companion.journal import Journal, JournalCorrupt, JournalUnread, Kind, Record
from companion.referee import Match, begin, play
from companion.table.acting import upcoming
from companion.table.asking import Asking, Doing
from companion.table.company import Sitting, sitting
from companion.table.games import GAMES
from companion.table.house import House
from companion.table.questions import offers
from companion.table.state import Table, with_note
from companion.view import Prompt, Sign

log = logging.getLogger(__name__)

UNREADABLE = (KeyError, ValueError, TypeError, IndexError, RecursionError)  # what a line of another shape comes to


@dataclass(frozen=True, slots=True)
class Resumed:
    """`at_s`: seconds of the game that have gone by so far."""

    table: Table
    at_s: float = 0.0


def resume(journal: Journal, house: House) -> Resumed:
    """The latest sitting, to the very question it stood at. A game that the present settings do not allow is left alone
    and said so, and so is damage to the journal. Raises JournalError."""
    try:
        record = journal.latest()
    except JournalUnread as unread:
        log.error("%s", unread)
        return _left_alone(house, house.texts("another companion wrote it"))
    table = Table(last=_last(journal, record, house), notice=damage(journal, house))
    if record is None:
        return Resumed(table)
    try:
        table = _with_notes(replace(table, match=_replayed(record)), record)
    except Refused as refused:
        return _left_alone(house, refused.message)
    misfit = _misfit(table, record, house)
    if misfit:
        return _left_alone(house, misfit, _played_by(record, house))
    return Resumed(_at_rest(table, house), record.last_at_s)


def left(journal: Journal, house: House) -> Match | None:
    """The game that was left before its end and goes on at this table; None where another is set up. Raises
    JournalError, but not for what another companion wrote, which is left alone."""
    try:
        record = journal.latest()
        match = None if record is None else _replayed(record)
    except (JournalUnread, Refused):
        return None
    if record is None or match is None or match.outcome is not None:
        return None
    return None if _misfit(_with_notes(Table(match=match), record), record, house) else match


def left_in_set_up(journal: Journal) -> str | None:
    """The game that was being set up when the table was left; None where none was, or it is not told. Raises
    JournalError, but not for what another companion wrote."""
    try:
        record = journal.latest()
    except JournalUnread:
        return None
    if record is None or record.start is not None or not record.presses:
        return None
    return _game_noted(record.presses[-1].line)


def _game_noted(line: str) -> str | None:
    try:
        game = json.loads(line).get("game")
    except (AttributeError, *UNREADABLE):
        return None
    return game if game in tuple(GAMES) else None


def _misfit(table: Table, record: Record, house: House) -> str:
    """Why a game that the rules allow does not go on at this table; "" where it does."""
    if not _has_seats(house, table.seats):
        return house.texts("a seat is gone")
    if table.match is not None and table.match.game == "roll" and record.board != house.board:
        return house.texts("another board")
    return ""


def _left_alone(house: House, why: str, last: Sitting | None = None) -> Resumed:
    """`last`: who played it, as a later start will find them while the next game is set up."""
    text = house.texts("The last game does not fit the settings: ") + why
    return Resumed(Table(last=last, notice=words.attention(text, house.texts)))


def damage(journal: Journal, house: House) -> Prompt | None:
    """What the players must read where the journal took the place of a damaged one, and they do not know of it yet."""
    if journal.mended is None:
        return None
    told = words.damage(house.texts, mended=journal.mended)
    return Prompt(told.name, (told.help,), Sign.TROUBLE)


def _replayed(record: Record) -> Match | None:
    """On the board it was begun on."""
    if record.start is None:
        return None
    match = begin(json.loads(record.start), board=record.board)
    for entry in record.actions:
        match = play(match, json.loads(entry.line), entry.at_s)
    return match


def _with_notes(table: Table, record: Record) -> Table:
    """The newest note holds for the dialogue, unless it is of a set-up, which earlier versions noted beside a game that
    was left alone; seats are in every note since the start, and where no note tells them they are taken in order."""
    noted = _noted(table, record)
    if noted.match is None:
        return noted
    players = len(noted.match.public["players"])
    if _are_seats(noted.seats, players):
        return noted
    return replace(noted.anew(), seats=_seats(record, players) or tuple(range(players)))


def _noted(table: Table, record: Record) -> Table:
    """A dialogue that cannot be read, as a newer version may leave one behind, begins anew: the game is sound."""
    if not record.presses:
        return table
    try:
        return with_note(table, json.loads(record.presses[-1].line))
    except UNREADABLE as error:
        log.warning("the dialogue begins anew: %s of it cannot be read", error)
        return table


def _at_rest(table: Table, house: House) -> Table:
    """A dialogue that waits for no answer, as other versions left some behind, begins anew; nothing was done yet."""
    if table.menu:
        return _menu_at_rest(table, house)
    if table.match is None:
        table = _still_offered(table, house)
    return table if _rests(table, house) else replace(table.anew(), sighting=None, wild=None)


def _menu_at_rest(table: Table, house: House) -> Table:
    """Below the menu a dialogue may have all it needs to act, once the menu is closed."""
    below = table.without_menu()
    if below.match is None or not _rests(below, house, acts=True):
        below = _at_rest(below, house)
    over = replace(below.with_menu(), answers=table.answers, cursor=table.cursor)
    return over if _rests(over, house) else below


def _rests(table: Table, house: House, *, acts: bool = False) -> bool:
    """Whether the dialogue waits for an answer, or `acts` at once where it may."""
    try:
        match upcoming(table, house):
            case Asking(question=question):
                pointed = question.at(table.cursor)
                pointed.page(), pointed.labels(house.texts)
                return True
            case Doing():
                return acts
            case _:
                return False
    except Exception:  # whatever comes of answers that this version never gave, the game goes on
        log.warning("the dialogue begins anew: its answers lead nowhere", exc_info=True)
        return False


def _still_offered(table: Table, house: House) -> Table:
    """The set-up, back to the first answer that the present settings do not offer."""
    kept = table.anew()
    for key, value in table.answers:
        asking = upcoming(kept, house)
        if not isinstance(asking, Asking) or asking.key != key or not offers(asking.question, value):
            return kept
        kept = kept.answered(key, value)
    return replace(kept, cursor=table.cursor)


def _has_seats(house: House, seats: tuple[int, ...]) -> bool:
    return all(seat < len(house.seats) for seat in seats)


def _are_seats(seats: Sequence[object], players: int) -> bool:
    """Whether they may be those of so many players."""
    return len(seats) == players and all(isinstance(seat, int) and seat >= 0 for seat in seats)


def _last(journal: Journal, record: Record | None, house: House) -> Sitting | None:
    """Who played the game before this sitting, while this one is still being set up, if all their seats are there."""
    if record is not None and record.start is not None:
        return None
    try:
        games = [game for game in journal.games() if record is None or game.number < record.number]
        return _played_by(journal.read(games[-1].number), house) if games else None
    except (Refused, JournalCorrupt, JournalUnread):  # of other rules, or damaged: its players name themselves anew
        return None


def _played_by(record: Record, house: House) -> Sitting | None:
    """Who played a game, if all their seats are there. Raises Refused."""
    match = _replayed(record)
    if match is None:
        return None
    seats = _seats(record, len(match.public["players"]))
    return sitting(match, seats) if seats and _has_seats(house, seats) else None


def _seats(record: Record, players: int) -> tuple[int, ...]:
    """Where so many players sit, by the newest note that tells it; () where none does."""
    notes = (entry.line for entry in reversed(record.entries) if entry.kind is Kind.PRESS)
    return next((seats for seats in map(_seats_noted, notes) if _are_seats(seats, players)), ())


def _seats_noted(line: str) -> tuple[int, ...]:
    try:
        return tuple(json.loads(line)["seats"])
    except UNREADABLE:
        return ()
