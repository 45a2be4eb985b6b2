"""A running table: workers around the devices, the watch over the tray, and the one deciding loop between them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion import power
from companion.devices import (
    ButtonsWorker,
    CameraWorker,
    DisplayWorker,
    KnockWorker,
    RingWorker,
    Worker,
    close_all,
)
from companion.events import ComputerTold, DeviceChanged, Health, NotSwitched
from companion.journal import Journal
from companion.lights import RingLayout, colours
from companion.loop import Loop, Outlets
from companion.notify import Notifier
from companion.ports import Buttons, Camera, Clock, Display, Frame, Ring
from companion.screen import draw
from companion.status import Status
from companion.supervised import Closable, Roles, spoken
from companion.table.acting import Decision
from companion.table.house import House
from companion.table.resume import resume
from companion.table.state import Table
from companion.view import View
from companion.watch import Watch

log = logging.getLogger(__name__)

ADDRESS_S = 10.0  # a network may come and go at any time; nothing but the menu looks at the address
UNSEEN_S = 0.4  # a picture goes to the panel in 0.1, and eye and finger take 0.25


@dataclass(frozen=True, slots=True)
class Rig:
    """How each device is opened. What is None or empty is not there and not missed.

    `watching_s`, `idle_s`: seconds between two pictures while dice are expected, and while none are. `unseen_s`: so
    long it takes until anybody has seen what is new on the screen.
    """

    camera: Callable[[], Camera] | None = None
    displays: tuple[Callable[[], Display], ...] = ()
    buttons: tuple[Callable[[], Buttons], ...] = ()
    knocks: tuple[Callable[[], Closable], ...] = ()
    ring: Callable[[], Ring] | None = None
    layout: RingLayout | None = None
    watching_s: float = 0.1
    idle_s: float = 0.5
    unseen_s: float = UNSEEN_S


class Running:
    """One table in play. `run` decides in the calling thread until `stop`; `close` ends every worker."""

    def __init__(
        self,
        rig: Rig,
        house: House,
        journal: Journal,
        watch: Watch,
        *,
        clock: Clock,
        notifier: Notifier | None = None,
        decided: Callable[[Decision], None] = lambda _decision: None,
        farewell: Callable[[Table], View] | None = None,
        switches: bool = False,
        nothing_there: str = "",
    ) -> None:
        """`farewell`: what is shown last of a table, unless the game cannot be saved; else the last picture stays.
        `switches`: whether the players may switch the computer off. `nothing_there`: what the log is told where neither
        a screen nor buttons can be had at the start.
        Raises JournalError when the journal cannot tell how the table was left."""
        self._rig = rig
        self._clock = clock
        self._notifier = notifier or Notifier()
        self._decided = decided
        self._farewell = farewell
        self._switches = switches
        self._nothing_there = nothing_there
        self._computer: power.About | None = None
        self._computer_due_s = float("-inf")
        self._drawn: View | None = None
        self._taken = False  # the dice in view are a roll, and the next one is not due yet
        outlets = Outlets(self._show, self._expect, self._rolled, self._alive, self._told, watch.wild_taken)
        self.loop = Loop(
            resume(journal, house),
            house=house,
            journal=journal,
            clock=clock,
            outlets=outlets,
            unseen_s=rig.unseen_s,
        )
        self._watch = watch
        roles = Roles(self.loop.put)
        self._watch_reports = roles.one()
        self._camera = (
            CameraWorker(rig.camera, roles.one(), clock=clock, deliver=self._look, resumed=watch.resumed)
            if rig.camera
            else None
        )
        self._displays = tuple(DisplayWorker(opened, roles.one(), clock=clock) for opened in rig.displays)
        self._ring = RingWorker(rig.ring, roles.one(), clock=clock) if rig.ring else None
        self._buttons = tuple(
            ButtonsWorker(opened, roles.one(), clock=clock, pressed=self.loop.put) for opened in rig.buttons
        )
        self._knocks = tuple(KnockWorker(opened, roles.one(), clock=clock) for opened in rig.knocks)

    def run(self) -> None:
        """Starts the workers, decides until `stop`, and closes. Raises JournalCorrupt as `Loop.run`, once closed."""
        try:
            for worker in self._workers():
                worker.start()
            self._notifier.ready()
            self.loop.run()
        finally:
            self._notifier.stopping()
            if self._farewell is not None and not self.loop.table.deaf:  # else nobody may read that the game is kept
                self._show(self._farewell(self.loop.table), 0)
            self.close()

    def stop(self) -> None:
        """From any thread or a signal."""
        self.loop.stop()

    def rests(self) -> bool:
        """Whether every fact put so far is judged, and each screen that is not lost shows it. From any thread."""
        return self.loop.rests() and all(display.rests() for display in self._displays)

    def close(self) -> None:
        """Twice is harmless. A device that hangs keeps its thread, and is named."""
        for role in close_all(self._workers(), clock=self._clock):
            log.warning("%s did not end in time", spoken(role))

    def _workers(self) -> tuple[Worker[Any], ...]:
        """In the order in which they start; they end in reverse."""
        found = (*self._displays, self._ring, self._camera, *self._buttons, *self._knocks)
        return tuple(worker for worker in found if worker is not None)

    def _look(self, frame: Frame) -> bool:
        for fact in self._watch.look(frame):
            if isinstance(fact, DeviceChanged):
                self._watch_reports(fact)
            else:
                self.loop.put(fact)
        return self._watch.looked

    # --- what the loop tells ------------------------------------------------------------------------------------------

    def _show(self, view: View, beat: int) -> None:
        if view != self._drawn:
            self._drawn = view
            image = draw(view)
            for display in self._displays:
                display.show(image)
        if self._ring is not None and self._rig.layout is not None:
            self._ring.show(colours(view.ring, self._rig.layout, 0 if view.ring.still else beat))

    def _expect(self, dice: tuple[int, int] | None, wild: bool, most: int | None) -> None:
        self._watch.expect(dice, most)
        if dice is not None and self._taken:
            self._taken = False
            if self._camera is not None:
                self._camera.rolled()
        if self._camera is not None:
            self._camera.pace(self._rig.watching_s if dice is not None or wild else self._rig.idle_s)

    def _rolled(self, dice: tuple[int, ...]) -> None:
        self._watch.taken(dice)
        self._taken = True

    def _alive(self) -> None:
        """The watchdog is fed while the loop decides, and pictures are judged as they come, or never could be, or the
        camera is known to be lost: one that hangs is told by `check`."""
        now_s = self._clock.now_s()
        for worker in self._workers():
            worker.check(now_s)
        if all(worker.works(now_s) for worker in self._workers()):
            self._notifier.alive()
        self._tell_if_nothing_is_there()
        if self._switches and now_s >= self._computer_due_s:
            self._computer_due_s = now_s + ADDRESS_S
            self._tell_computer(power.about())

    def _tell_if_nothing_is_there(self) -> None:
        """Once, as soon as each device has told how it is; what is lost later is none of this."""
        if not self._nothing_there:
            return
        played_with: tuple[Worker[Any], ...] = (*self._displays, *self._buttons)
        if any(worker.health is Health.OK for worker in played_with):
            self._nothing_there = ""
        elif all(worker.health is not None for worker in self._workers()):
            log.warning("%s", self._nothing_there)
            self._nothing_there = ""

    def _told(self, decision: Decision) -> None:
        self._notifier.status(status_line(decision))
        if decision.switch:
            threading.Thread(target=self._switch, args=(decision.switch,), name="power", daemon=True).start()
        self._decided(decision)

    # --- the computer -------------------------------------------------------------------------------------------------

    def _tell_computer(self, known: power.About) -> None:
        if known != self._computer:
            self._computer = known
            self.loop.put(ComputerTold(known.version, known.name, known.address))

    def _switch(self, how: str) -> None:
        """The game is on the disk by now."""
        try:
            power.switch(how)
        except power.PowerRefused as refused:
            log.error("%s", refused)
            self.loop.put(NotSwitched())


def status_line(decision: Decision) -> str:
    """What `systemctl status` shows: the game, and what is lost."""
    table = decision.table
    match = table.match
    game = "no game" if match is None else f"{match.game}: {match.ask.step}"
    return str(Status(game, table.fit, tuple(table.lost)))
