"""Where everything meets: each outlet of a running table, over devices that only keep what befalls them.

No thread runs but where a test needs one: `decide` lets the loop judge its inbox, `turn` a worker do its part.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from standins import FakeClock, Hung

from companion import power
from companion.devices import HANG_S, PROVEN_S, REFRESH_S, UNJUDGED
from companion.events import Button, DeviceChanged, Fact, Health, Press, Settled, Stirred
from companion.farewell import resting
from companion.journal import Journal
from companion.lights import RingLayout, colours
from companion.locale import texts
from companion.ports import Colour, DeviceLost, Frame
from companion.screen import draw
from companion.serve import ADDRESS_S, Rig, Running
from companion.table.acting import Decision
from companion.table.house import House
from companion.table.picture import expects_wild, view
from companion.waiting import cannot_save
from tests.app.household import Told, house, play, press, reading

HOME = house(games=("free",))
ROLL = (Stirred(), Settled(reading(3, 4)))
START = press(*["ok"] * 8)  # until the first roll of a free game is awaited
FAREWELL = resting(texts("en"), playing=True)
LAYOUT = RingLayout(12)


@dataclass
class Device:
    """Of any kind. `done`: what it was asked to do; `broken`: whether it refuses that."""

    done: list[object] = field(default_factory=list)
    broken: bool = False
    closed: bool = False

    def show(self, shown: Image.Image | Sequence[Colour]) -> None:
        if self.broken:
            raise DeviceLost("it", "its cable is out", "plug it in")
        self.done.append(shown.tobytes() if isinstance(shown, Image.Image) else shown)

    def refresh(self) -> None: ...

    def frame(self, _timeout_s: float) -> Frame:
        return Frame(np.zeros((2, 2, 3), np.uint8), 0.0)

    def rolled(self) -> None:
        self.done.append("rolled")

    def listen(self, *listening: Callable[..., None]) -> None:
        self.done.append(listening)

    def down(self) -> tuple[Button, ...]:
        return ()

    def looking_since_s(self) -> float | None:
        return None

    def close(self) -> None:
        self.closed = True


class Watching:
    """A watch over the tray that tells `facts` of the next frame, or raises where `blind`."""

    def __init__(self) -> None:
        self.facts: tuple[Fact, ...] = ()
        self.done: list[object] = []
        self.looked = True
        self.blind = False

    def look(self, _frame: Frame) -> tuple[Fact, ...]:
        if self.blind:
            raise ValueError("torn")
        facts, self.facts = self.facts, ()
        return facts

    def expect(self, dice: tuple[int, int] | None, most: int | None = None) -> None:
        self.done.append(dice)

    def taken(self, values: tuple[int, ...] = ()) -> None:
        self.done.append(("taken", values))

    def wild_taken(self) -> None:
        self.done.append("wild taken")

    def resumed(self) -> None:
        self.done.append("resumed")


class Household:
    """A running table with one of each device and two screens."""

    def __init__(self, journal: Journal, home: House = HOME, unseen_s: float = 0.0, **settings: Any) -> None:
        self.clock, self.notifier, self.watch = FakeClock(), Told(), Watching()
        self.camera, self.ring, self.buttons, self.knock = Device(), Device(), Device(), Device()
        self.screens = [Device(), Device()]
        self.decided: list[Decision] = []
        rig: Any = Rig(
            camera=lambda: self.camera,  # type: ignore[arg-type, return-value]
            displays=tuple(lambda shown=shown: shown for shown in self.screens),  # type: ignore[misc]
            buttons=(lambda: self.buttons,),
            knocks=(lambda: self.knock,),
            ring=lambda: self.ring,
            layout=LAYOUT,
            watching_s=0.1,
            idle_s=0.5,
            unseen_s=unseen_s,
        )
        told: dict[str, Any] = {"decided": self.decided.append, **settings}
        self.running = Running(
            rig,
            home,
            journal,
            self.watch,
            clock=self.clock,
            notifier=self.notifier,
            **told,  # type: ignore[arg-type]
        )

    def decide(self, *facts: Fact) -> None:
        for fact in facts:
            self.running.loop.put(fact)
        self.running.stop()
        self.running.loop.run()

    def turn(self, role: str) -> list[float | None]:
        """What the workers of this role would wait."""
        now_s = self.clock.now_s()
        return [worker.turn(now_s) for worker in self.running._workers() if worker.role == role]

    @property
    def seen(self) -> bytes:
        """What the screens have to show."""
        return draw(view(self.running.loop.table, HOME, self.running.loop._at_s())).tobytes()


@pytest.fixture
def table(journal: Journal) -> Household:
    return Household(journal)


def ends(table: Household) -> None:
    """Runs the table in its threads until all that was put is judged."""
    table.running.stop()
    table.running.run()


# -- from the first to the last word


@pytest.mark.parametrize("farewell", [None, FAREWELL])
def test_a_table_begins_is_told_shown_and_ends_with_all_closed(farewell: Any, journal: Journal) -> None:
    table = Household(journal, farewell=farewell and (lambda _table: farewell))
    table.running.loop.put(press("ok")[0])
    ends(table)
    assert list(dict.fromkeys(table.notifier.messages)) == ["READY=1", "WATCHDOG=1", "STATUS=no game", "STOPPING=1"]
    last = table.seen if farewell is None else draw(farewell).tobytes()
    assert [shown.done[-1] for shown in table.screens] == [last, last]
    ring = view(table.running.loop.table, HOME).ring if farewell is None else farewell.ring
    assert table.ring.done[-1] == colours(ring, LAYOUT, 0)
    devices = [table.camera, table.ring, table.buttons, table.knock, *table.screens]
    assert [device.closed for device in devices] == [True] * 6
    assert len(table.decided) == 1


def test_what_a_table_does_not_have_is_not_missed(journal: Journal) -> None:
    watch: Any = Watching()
    bare = Running(Rig(), HOME, journal, watch, clock=FakeClock(), notifier=Told())
    bare.stop()
    bare.run()
    assert (bare._workers(), bare.loop.table.lost) == ((), ())


def test_a_device_that_hangs_keeps_its_thread_and_is_named_at_the_end(
    table: Household, caplog: pytest.LogCaptureFixture
) -> None:
    hung = Hung()
    table.screens[0].show = hung.show  # type: ignore[method-assign, assignment]
    table.running._clock = _Impatient()
    ends(table)
    assert "screen did not end in time" in caplog.messages
    hung.freed.set()
    assert all(worker.join(10) for worker in table.running._workers())


class _Impatient(FakeClock):
    """A clock by which all time is over soon."""

    def now_s(self) -> float:
        self.time_s += 1.0
        return self.time_s


# -- what the loop tells


def test_every_decision_is_shown_by_screens_and_ring_and_told_to_systemd(table: Household) -> None:
    table.decide(*START)
    table.turn("oled")
    table.turn("ring")
    assert [shown.done for shown in table.screens] == [[table.seen]] * 2
    assert table.ring.done == [colours(view(table.running.loop.table, HOME).ring, LAYOUT, 0)]
    assert [line for line in table.notifier.messages if "STATUS" in line] == ["STATUS=no game", "STATUS=free: roll"]
    assert len(table.decided) == len(START)


def test_a_ring_that_holds_still_shows_one_and_the_same_beat(table: Household) -> None:
    alarm = cannot_save(texts("en"))
    still = replace(alarm, ring=replace(alarm.ring, still=True))
    for beat in (3, 4):
        table.running._show(still, beat)
        table.turn("ring")
    assert set(table.ring.done) == {colours(alarm.ring, LAYOUT, 0)}


def test_the_ring_moves_on_with_the_beat(table: Household) -> None:
    alarm = cannot_save(texts("en"))
    for beat in (3, 4):
        table.running._show(alarm, beat)
        table.turn("ring")
    assert table.ring.done == [colours(alarm.ring, LAYOUT, beat) for beat in (3, 4)]
    assert table.ring.done[0] != table.ring.done[1]


def test_an_unchanged_picture_is_not_drawn_again(table: Household) -> None:
    for _ in range(2):
        table.decide()
        table.turn("oled")
    assert len(table.screens[0].done) == 1


def test_the_camera_hurries_only_while_dice_are_awaited(table: Household) -> None:
    table.decide()
    assert table.turn("camera") == [0.5]
    table.decide(*START)
    assert table.turn("camera") == [pytest.approx(0.1)]
    assert (table.watch.done[0], table.watch.done[-1]) == (None, (1, 2))


def test_the_camera_hurries_while_the_wild_die_is_awaited(journal: Journal) -> None:
    home = house(games=("roll",), reads_wild=True)
    table = Household(journal, home)
    table.decide(*START, *press("ok"), Stirred(), Settled(reading(4)))
    assert table.turn("camera") == [0.5]
    table.decide(press("ok")[0])
    assert expects_wild(table.running.loop.table, home)
    assert table.turn("camera") == [pytest.approx(0.1)]


def test_a_roll_that_is_taken_is_told_to_the_watch_and_to_the_camera_when_the_next_is_due(table: Household) -> None:
    table.turn("camera")
    table.decide(*START, *ROLL)
    assert table.watch.done.count(("taken", (3, 4))) == 1
    assert table.camera.done == []
    table.decide(*press("ok"))
    table.decide(Stirred(), Settled(reading(3, 4, shift=80)), *press("ok"))
    assert table.watch.done.count(("taken", (3, 4))) == 2
    assert table.camera.done == ["rolled"] * 2


def test_a_wild_die_that_is_taken_is_told_to_the_watch(journal: Journal) -> None:
    home = house(reads_wild=True)
    table = Household(journal, home)
    for fact, decision in play(home, seed=1, misread=0.0):
        table.running.loop.put(fact)
        if decision.wild_rolled:
            break
    table.decide()
    assert table.watch.done.count("wild taken") == 1


# -- what devices tell


def test_presses_and_facts_of_the_watch_reach_the_table(table: Household) -> None:
    table.turn("buttons")
    ((pressed, _ailing, _failed),) = table.buttons.done  # type: ignore[misc]
    pressed(Press(Button.OK))
    table.decide(*START[1:])
    table.watch.facts = ROLL
    table.turn("camera")
    table.decide()
    assert [decision.rolled for decision in table.decided if decision.rolled is not None] == [(3, 4)]


def test_what_is_lost_is_told_whoever_of_its_role_is_well(table: Household) -> None:
    table.screens[0].broken = True
    table.watch.facts = (DeviceChanged("light", Health.LOST),)
    table.decide()
    for role in ("oled", "camera"):
        table.turn(role)
    table.decide()
    assert table.running.loop.table.lost == ("oled", "light")
    assert "STATUS=no game; lost: oled, light" in table.notifier.messages
    table.watch.facts = (DeviceChanged("light", Health.OK),)
    table.screens[0].broken = False
    table.clock.sleep(1.0)
    for role in ("oled", "camera"):
        table.turn(role)
    table.decide()
    assert table.running.loop.table.lost == ()


NOTHING = "nothing to play with is connected"


def refuse(*_: object) -> None:
    raise DeviceLost("buttons", "no GPIO", "look at it")


def begins(table: Household) -> None:
    """Each device has told how it is."""
    table.decide()
    for role in ("oled", "camera", "ring", "knock", "buttons"):
        table.turn(role)
    table.clock.sleep(PROVEN_S)
    table.turn("buttons")
    table.decide()


def test_where_neither_a_screen_nor_buttons_can_be_had_it_is_told_once(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    table = Household(journal, nothing_there=NOTHING)
    table.screens[0].broken = table.screens[1].broken = True
    table.buttons.listen = refuse  # type: ignore[method-assign]
    table.decide()
    assert NOTHING not in caplog.messages
    begins(table)
    assert caplog.messages.count(NOTHING) == 1
    assert caplog.messages[-1] == NOTHING
    begins(table)
    assert caplog.messages.count(NOTHING) == 1


@pytest.mark.parametrize("screen", [True, False])
def test_a_screen_or_buttons_alone_are_something_to_play_with_also_if_they_go(
    screen: bool, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    table = Household(journal, nothing_there=NOTHING)
    table.screens[0].broken, table.screens[1].broken = True, not screen
    if screen:
        table.buttons.listen = refuse  # type: ignore[method-assign]
    begins(table)
    table.screens[1].refresh = refuse  # type: ignore[method-assign]
    for listening in table.buttons.done:
        listening[2](OSError(5, "Input/output error"))  # type: ignore[index]
    table.clock.sleep(REFRESH_S)
    begins(table)
    worked = (*table.running._displays, *table.running._buttons)
    assert {worker.health for worker in worked} == {Health.LOST}
    assert NOTHING not in caplog.messages


def test_buttons_that_fail_are_lost_until_they_have_listened_again(table: Household) -> None:
    table.turn("buttons")
    table.buttons.done[0][2](OSError(5, "Input/output error"))  # type: ignore[index]
    table.turn("buttons")
    table.decide()
    assert table.running.loop.table.lost == ("buttons",)
    for _ in range(2):
        table.clock.sleep(PROVEN_S)
        table.turn("buttons")
    table.decide()
    assert (table.running.loop.table.lost, len(table.buttons.done)) == ((), 2)


def test_a_device_that_hangs_inside_a_call_is_told(journal: Journal) -> None:
    hung, table = Hung(), Household(journal)
    table.screens[0].show = hung.show  # type: ignore[method-assign, assignment]
    table.decide()
    worker = table.running._displays[0]
    worker.start()
    assert hung.entered.wait(10)
    table.clock.sleep(HANG_S + 1)
    table.decide()
    table.decide()
    assert table.running.loop.table.lost == ("oled",)
    hung.freed.set()
    worker.stop()
    assert worker.join(10)


def test_eyes_that_fail_are_told_as_the_camera_and_no_longer_feed_the_watchdog(table: Household) -> None:
    table.turn("camera")
    table.watch.blind = True
    for _ in range(UNJUDGED):
        table.decide()
        table.turn("camera")
    fed = table.notifier.messages.count("WATCHDOG=1")
    table.decide()
    assert table.running.loop.table.lost == ("camera",)
    assert table.notifier.messages.count("WATCHDOG=1") == fed
    table.watch.blind = False
    table.turn("camera")
    table.decide()
    assert table.running.loop.table.lost == ()


# -- the computer


def switching_off(table: Household) -> None:
    """What the players press for it, in the menu."""
    table.decide()  # the computer becomes known
    table.decide(Press(Button.BACK, held=True), *press("less", "ok", "more", "ok", "more", "ok"))


@pytest.mark.parametrize("refused", [False, True])
def test_the_computer_is_switched_and_one_that_refuses_is_told(
    refused: bool, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched = []

    def switch(how: str) -> None:
        switched.append(how)
        if refused:
            raise power.PowerRefused("the system refuses", "pull the plug")

    monkeypatch.setattr(power, "switch", switch)
    table = Household(journal, switches=True)
    switching_off(table)
    for thread in threading.enumerate():
        if thread.name == "power":
            thread.join(10)
    table.decide()
    assert switched == ["poweroff"]
    assert (table.running.loop.table.notice is not None) is refused


def test_the_computer_is_told_when_it_changes_and_asked_now_and_then(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ["", "", "192.168.1.7"]
    monkeypatch.setattr(power, "about", lambda: power.About("1.2.3", "table", addresses.pop(0)))
    table = Household(journal, switches=True)
    for _ in range(3):
        table.decide()
        table.decide()
        table.clock.sleep(ADDRESS_S)
    assert addresses == []
    assert [decision.table.computer.address for decision in table.decided if decision.table.computer] == [
        "",
        "192.168.1.7",
    ]


def test_a_table_that_may_not_switch_its_computer_does_not_know_it(table: Household) -> None:
    table.decide()
    table.decide()
    assert table.running.loop.table.computer is None
