"""The deciding loop: one inbox, one thread. A fact is judged, made durable, and only then shown."""

from __future__ import annotations

import json
import logging
import queue
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import get_args

from companion.events import Button, Fact, Knocked, Press, TimePassed
from companion.games import cat, free, roll
from companion.journal import Journal, JournalCorrupt, JournalError
from companion.ports import Clock
from companion.table.acting import Decision, upcoming
from companion.table.asking import Asking
from companion.table.decide import decide, hides, minutes_left
from companion.table.house import House
from companion.table.picture import expects_dice, expects_wild, most_dice, view
from companion.table.resume import Resumed, damage
from companion.table.state import Table
from companion.view import View, at_cursor

log = logging.getLogger(__name__)

STEPS = frozenset(("setup", "menu", "notice", "doubt")).union(*map(get_args, (roll.Step, cat.Step, free.Step)))
"""Where a table may stand, whatever the cursor stands at."""
BEAT_S = 0.25  # how often the lights move on and the watchdog is fed while nothing happens


class Stop:
    """Ends the loop after the facts that came in before it."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """What the loop tells the rest of the house. None of these blocks.

    `show`: the newest view, and the beat of the lights. `expect`: how many number dice are to be thrown now, or None,
    whether the Wild die is, and how many number dice may ever be thrown at once in this game. `rolled`: the dice in
    view were taken, and as what; `wild_rolled`: the Wild die was. `alive`: the loop decides. `decided`: a decision
    became durable.
    """

    show: Callable[[View, int], None]
    expect: Callable[[tuple[int, int] | None, bool, int | None], None] = lambda _count, _wild, _most: None
    rolled: Callable[[tuple[int, ...]], None] = lambda _dice: None
    alive: Callable[[], None] = lambda: None
    decided: Callable[[Decision], None] = lambda _decision: None
    wild_rolled: Callable[[], None] = lambda: None


class Loop:
    """`put` facts from any thread; `run` decides them in one, until `stop`."""

    def __init__(
        self,
        resumed: Resumed,
        *,
        house: House,
        journal: Journal,
        clock: Clock,
        outlets: Outlets,
        unseen_s: float = 0.0,
    ) -> None:
        """`unseen_s`: for so long nobody has seen what neither a press nor a knock brought: what is pressed meanwhile
        was meant for what was asked before, and answers nothing."""
        self._table = resumed.table
        self._house = house
        self._journal = journal
        self._clock = clock
        self._outlets = outlets
        self._zero_s = clock.now_s() - resumed.at_s
        self._kept_at_s = resumed.at_s  # the time that a restart would go on from
        self._inbox: queue.SimpleQueue[Fact | Stop] = queue.SimpleQueue()
        self._waiting: Fact | None = None  # could not be made durable yet
        self._backlog: deque[Fact | Stop] = deque()  # came meanwhile
        self._stopping = False
        self._beat = 0
        self._put = 0
        self._judged = 0
        self._unseen_s = unseen_s
        self._brought_s = float("-inf")  # when neither a press nor a knock changed what is asked

    @property
    def table(self) -> Table:
        """As last shown. Frozen, so any thread may look at it."""
        return self._table

    def put(self, fact: Fact) -> None:
        self._put += 1
        self._inbox.put(fact)

    def rests(self) -> bool:
        """Whether every fact put so far is judged, and shown."""
        return self._judged == self._put

    def stands(self) -> tuple[str, ...] | None:
        """Where the table stands, by the names of `places`; None while a fact put so far is not judged, or OK would not
        answer: a short word keeps it from that, or nobody has seen yet what is asked."""
        hidden = self._unseen() or hides(self._table, Button.OK, self._house, self._at_s())
        return places(self._table, self._house) if self.rests() and not hidden else None

    def stop(self) -> None:
        """From any thread or a signal: ends `run` once the facts put before it are judged."""
        self._stopping = True
        self._inbox.put(Stop())

    def run(self) -> None:
        """Decides until `stop`. A fact that cannot be made durable is kept and tried again; later ones wait for it, but
        for presses and knocks: they would answer pages that nobody saw.

        Raises JournalCorrupt, which no waiting mends but the next start; what is shown last is that nothing is saved.
        """
        self._publish()
        while True:
            fact = self._waiting if self._waiting is not None else self._next()
            self._outlets.alive()
            if isinstance(fact, Stop):
                self._keep_time()
                return
            if fact is not None:
                self._take(fact)
            if self._waiting is not None:
                if self._stopping:
                    return
                self._clock.sleep(BEAT_S)
                self._beat += 1

    def _next(self) -> Fact | Stop | None:
        if self._backlog:
            return self._backlog.popleft()
        try:
            return self._inbox.get(timeout=BEAT_S)
        except queue.Empty:
            self._beat += 1
            if self._lost_minute():
                self.put(TimePassed())
            else:
                self._show()
            return None

    def _keep_time(self) -> None:
        """Where time counts, none of it comes back by switching the table off (C9)."""
        if minutes_left(self._table, self._at_s()) is not None:
            self._put += 1
            self._take(TimePassed())

    def _lost_minute(self) -> bool:
        """Whether a restart would give players a minute back that the screen no longer shows (C9)."""
        return minutes_left(self._table, self._kept_at_s) != minutes_left(self._table, self._at_s())

    def _unseen(self) -> bool:
        return self._clock.now_s() - self._brought_s < self._unseen_s

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, Press) and not fact.held and self._unseen():
            self._judged += 1
            return
        brings = not isinstance(fact, Press | Knocked)
        asked = _asked(self._table, self._house) if brings else None
        at_s = self._at_s()
        decision = decide(self._table, fact, self._house, at_s)
        try:
            self._keep(decision, 0.0 if decision.started else at_s)
        except JournalCorrupt:
            self._say_unsaved()
            raise
        except JournalError as error:
            if self._waiting is None:
                log.error("%s", error)
            self._waiting = fact
            self._say_unsaved()
            return
        if self._waiting is not None:
            self._waiting = None
            self._forget_presses()
        if decision.started:
            self._zero_s = self._clock.now_s()
        self._table = decision.table
        if brings and _asked(self._table, self._house) != asked:
            self._brought_s = self._clock.now_s()
        if decision.rolled is not None:
            self._outlets.rolled(decision.rolled)
        if decision.wild_rolled:
            self._outlets.wild_rolled()
        self._publish()
        self._outlets.decided(decision)
        self._judged += 1

    def _say_unsaved(self) -> None:
        self._table = replace(self._table, trouble=self._house.texts("The game cannot be saved!"), deaf=True)
        self._publish()

    def _forget_presses(self) -> None:
        with suppress(queue.Empty):
            while True:
                fact = self._inbox.get_nowait()
                if isinstance(fact, Press | Knocked):
                    self._judged += 1
                else:
                    self._backlog.append(fact)

    def _publish(self) -> None:
        table = self._table
        self._outlets.expect(expects_dice(table), expects_wild(table, self._house), most_dice(table))
        self._show()

    def _show(self) -> None:
        self._outlets.show(view(self._table, self._house, self._at_s()), self._beat)

    def _at_s(self) -> float:
        """Seconds since the start of the game, of this daemon's life and those before; no wall clock has a say (C9)."""
        return self._clock.now_s() - self._zero_s

    def _keep(self, decision: Decision, at_s: float) -> None:
        """All lines of one decision, or none; and that the players read of damage, or it is told again."""
        if decision.table.notice is None and self._table.notice == damage(self._journal, self._house):
            self._journal.mend_told()
        if not (decision.started or decision.actions or decision.noted):
            return
        journal, before, after = self._journal, self._table.match, decision.table.match
        with journal.together():
            if decision.started:
                journal.begin(json.dumps(decision.started.message))
            elif after is None and not journal.sets_up():
                if before is None and not decision.table.played:
                    return  # a game that was left alone may go on yet, until another one is set up
                journal.new_sitting()  # a game of before, be it left or left alone, has the latest one
            for action in decision.actions:
                journal.append(json.dumps(action), at_s)
            if decision.actions and after is not None and after.outcome is not None:
                journal.finish(json.dumps({"winners": after.outcome.winners, "totals": after.outcome.totals}), at_s)
            if decision.noted is not None:
                journal.note(json.dumps(decision.noted), at_s)
        self._kept_at_s = at_s


def _asked(table: Table, house: House) -> object:
    """What the buttons answer."""
    return table.notice or upcoming(table, house)


def places(table: Table, house: House) -> tuple[str, ...]:
    """Where the table stands, by the names that a script of presses may wait for: the step of the game, or "setup" or
    "menu"; "doubt" where what the camera saw waits for the players' word; and what the cursor stands at, as shown. Or
    "notice" alone, where there is something to be read and put away first."""
    if table.notice is not None:
        return ("notice",)
    asking = upcoming(table, house)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    cursor = at_cursor(asking.question.at(table.cursor).page())
    return (*_steps(table), *cursor)


def _steps(table: Table) -> tuple[str, ...]:
    if table.menu:
        return ("menu",)
    if table.match is None:
        return ("setup",)
    step = table.match.ask.step
    return (step, "doubt") if table.sighting is not None or table.wild is not None else (step,)
