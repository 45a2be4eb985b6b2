"""The referee over lines: one JSON object a line in, exactly one JSON object a line out, as chess engines speak UCI.

`talk` serves two byte streams; `Talk` answers single lines. Both take the clock they shall use.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO

from companion import referee
from companion.core import Audit, Illegal, Malformed, Refused
from companion.games import examples, members, roll
from companion.games.members import Message
from companion.referee import Match

LONGEST_LINE = 4 * 1024 * 1024  # bytes with its end; a longer line is answered as malformed and never held in memory
SUCH = f"an example: {examples.written(examples.STATE)}"
PIECE = 64 * 1024  # bytes of an overlong line read at a time


class Talk:
    """One conversation: the running match, and when it began."""

    def __init__(self, clock_s: Callable[[], float], *, board: roll.Board = roll.DEFAULT) -> None:
        """`clock_s`: monotonic seconds, for lines without `at`. `board`: the configured one, for Roll."""
        self._clock_s = clock_s
        self._board = board
        self._began_s = 0.0
        self._match: Match | None = None

    def answer(self, line: bytes | None) -> bytes:
        """The answer to one line, newline included. None stands for a line that was too long to read."""
        try:
            self._obey(read(line))
        except Refused as refused:
            return self._told({"ok": False, "error": _error(refused)})
        return self._told({"ok": True})

    def _obey(self, message: Message) -> None:
        do = referee.action(message)
        if do == "start":
            self._match = referee.begin(message, board=self._board)
            self._began_s = self._clock_s()
        elif self._match is None:
            _before_start(do, message)
        elif do == "state":
            referee.look(self._match, message)
        else:
            self._match = referee.play(self._match, message, self._clock_s() - self._began_s)

    def _told(self, answer: dict[str, object]) -> bytes:
        match = self._match
        ask = None if match is None else match.ask
        answer["state"] = None if match is None else match.public
        answer["ask"] = None if ask is None else {"player": ask.player, "actions": list(ask.actions)}
        return json.dumps(answer, separators=(",", ":")).encode("ascii") + b"\n"


def _before_start(do: str, message: Message) -> None:
    if do in ("state", "undo"):
        members.check(message)
    if do == "state":
        return
    if do == "undo" or do in referee.ACTIONS:
        raise Illegal(f"no game has started yet; {do} comes after start, such as {examples.of_any(do)}")
    raise Malformed(f"unknown action {members.quoted(do)}; begin with {examples.of('roll', 'start')}")


def _error(refused: Refused) -> dict[str, object]:
    told: dict[str, object] = {"code": refused.code, "message": refused.message}
    if isinstance(refused, Audit):
        told["slots"] = list(refused.slots)
    return told


def read(line: bytes | None) -> Message:
    """The object on a line, by JSON's own grammar. Raises Malformed for anything else; places count from 1."""
    if line is None:
        raise Malformed(f"the line and its end are longer than {LONGEST_LINE} bytes")
    if not line.strip():
        raise Malformed(f"the line is empty; {SUCH}")
    if line.startswith(BOM_UTF8):
        raise Malformed(f"the line begins with a byte order mark; write UTF-8 without one; {SUCH}")
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_members_once)
    except UnicodeDecodeError as wrong:
        raise Malformed(f"the line is not UTF-8 at byte {wrong.start + 1}") from None
    except json.JSONDecodeError as wrong:
        raise Malformed(f"the line is not JSON: {wrong.msg} at character {wrong.pos + 1}; {SUCH}") from None
    except RecursionError:
        raise Malformed("the line is nested too deeply to read") from None
    except Malformed:
        raise
    except ValueError:  # Python reads whole numbers of up to 4300 digits
        raise Malformed("the line holds a number too large to read") from None
    if not isinstance(found, dict):
        raise Malformed(f"the line is not a JSON object; {SUCH}")
    return found


def _no_number(name: str) -> object:
    raise Malformed(f"{name} is no JSON number")


def _members_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice, _ = counts.most_common(1)[0]
        raise Malformed(f"member {members.quoted(twice)} occurs twice")
    return found


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    r"""Each line of a stream, ended by `\n` alone or by the end of input; None for one that is too long to hold."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(PIECE)
        yield None


def talk(coming: BinaryIO, going: BinaryIO, clock_s: Callable[[], float], *, board: roll.Board = roll.DEFAULT) -> None:
    """Answers every line of `coming` on `going`, flushed each, until the end of input."""
    talking = Talk(clock_s, board=board)
    for line in lines(coming):
        going.write(talking.answer(line))
        going.flush()
