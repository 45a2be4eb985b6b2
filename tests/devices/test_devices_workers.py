from __future__ import annotations

import logging
import queue
import threading

import numpy as np
import pytest
from standins import Bench, FakeClock, Hung, Overtaken

from companion.devices import (
    BLIND,
    HANG_S,
    JUDGE_S,
    PROVEN_S,
    REFRESH_S,
    RESEND_S,
    STALE_S,
    UNJUDGED,
    ButtonsWorker,
    CameraWorker,
    DisplayWorker,
    KnockWorker,
    RingWorker,
    close_all,
)
from companion.events import Button, DeviceChanged, Health, Press
from companion.ports import DeviceLost, Frame
from companion.supervised import STEADY_S, Backoff, Roles
from hardware.clock import SystemClock

OUT = "the cable is out; plug it in"
RED = ((255, 0, 0),)
BLUE = ((0, 0, 255),)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def bench(clock: FakeClock) -> Bench:
    return Bench(clock)


def waits(worker, clock, turns):
    """How long it waits after each of so many turns."""
    told = []
    for _ in range(turns):
        told.append(worker.turn(clock.now_s()))
        clock.sleep(told[-1])
    return told


def ring(bench: Bench, clock: FakeClock) -> RingWorker:
    return RingWorker(bench.open, bench.said.append, clock=clock)


def test_the_wait_before_the_next_try_doubles_and_stays_short_enough_to_be_back_within_5_s():
    assert [Backoff().after(n) for n in range(1, 8)] == [0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0]
    assert Backoff().after(1_000_000) == 3.0


def test_an_output_draws_the_newest_value_and_skips_stale_ones(bench, clock):
    worker = ring(bench, clock)
    worker.show(RED)
    worker.show(BLUE)
    worker.turn(clock.now_s())
    assert bench.done == [BLUE]


def test_an_output_rests_once_the_newest_value_is_drawn_or_its_device_is_lost(bench, clock):
    worker = ring(bench, clock)
    rested = [worker.rests()]
    for after in (lambda: worker.show(RED), lambda: worker.turn(clock.now_s()), lambda: worker.show(RED)):
        after()
        rested.append(worker.rests())
    bench.plugged = False
    worker.turn(clock.now_s())
    assert [*rested, worker.rests()] == [False, False, True, False, True]


def test_the_ring_is_sent_again_before_its_receiver_forgets(bench, clock):
    worker = ring(bench, clock)
    worker.show(RED)
    for _ in range(3):
        wait_s = worker.turn(clock.now_s())
        assert wait_s == pytest.approx(RESEND_S)
        assert wait_s < 1
        clock.sleep(wait_s)
    assert bench.done == [RED, RED, RED]


def test_the_oled_is_refreshed_every_few_seconds(bench, clock):
    worker = DisplayWorker(bench.open, bench.said.append, clock=clock)
    worker.show("picture")
    clock.sleep(worker.turn(clock.now_s()))
    assert worker.turn(clock.now_s()) == REFRESH_S
    assert bench.done == ["picture", "refresh"]


def test_the_oled_is_refreshed_as_often_where_new_pictures_come(bench, clock):
    worker = DisplayWorker(bench.open, bench.said.append, clock=clock)
    for number in range(9):
        worker.show(number)
        assert worker.turn(clock.now_s()) == REFRESH_S - number % 3
        clock.sleep(1)
    assert bench.done == [0, 1, 2, "refresh", 3, 4, 5, "refresh", 6, 7, 8]


def test_a_new_colour_puts_off_the_next_frame_of_the_ring_and_an_early_turn_does_not(bench, clock):
    worker = ring(bench, clock)
    waits = []
    for new in ((RED,), (BLUE,), (), ()):
        for colours in new:
            worker.show(colours)
        waits.append(worker.turn(clock.now_s()))
        clock.sleep(RESEND_S / 2)
    assert waits == pytest.approx([RESEND_S, RESEND_S, RESEND_S / 2, RESEND_S])
    assert bench.done == [RED, BLUE, BLUE]


def test_nothing_is_drawn_before_there_is_something_to_draw(bench, clock):
    worker = ring(bench, clock)
    assert worker.turn(clock.now_s()) is None
    assert (bench.opened, bench.done) == (1, [])


def test_a_missing_device_is_retried_and_its_health_told_only_when_it_changes(bench, clock):
    worker = ring(bench, clock)
    bench.plugged = False
    worker.show(RED)
    assert waits(worker, clock, 6) == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.0, 3.0])
    bench.plugged = True
    worker.turn(clock.now_s())
    assert bench.done == [RED]
    assert bench.said == [DeviceChanged("ring", Health.LOST, OUT), DeviceChanged("ring", Health.OK)]


def test_a_device_that_was_back_for_a_while_is_tried_as_soon_when_it_is_lost_again(bench, clock, caplog):
    worker = ring(bench, clock)
    worker.show(RED)
    waits = []
    for plugged in (False, False, False, True, False):
        bench.plugged = plugged
        waits.append(worker.turn(clock.now_s()))
        clock.sleep(STEADY_S if plugged else waits[-1])
    assert waits == pytest.approx([0.2, 0.4, 0.8, RESEND_S, 0.2])
    assert caplog.records == []  # of losses that are foreseen, which the report tells of


def test_a_device_that_is_lost_is_tried_no_sooner_though_there_is_something_new_to_draw(bench, clock):
    worker = ring(bench, clock)
    bench.plugged = False
    worker.turn(clock.now_s())
    bench.plugged = True
    clock.sleep(0.125)
    worker.show(RED)
    clock.sleep(worker.turn(clock.now_s()))
    assert bench.opened == 0
    worker.turn(clock.now_s())
    assert (bench.opened, bench.done) == (1, [RED])


def test_a_device_unplugged_while_drawing_is_closed_reopened_and_drawn_anew(bench, clock):
    worker = ring(bench, clock)
    worker.show(RED)
    worker.turn(clock.now_s())
    bench.plugged = False
    worker.show(BLUE)
    clock.sleep(worker.turn(clock.now_s()))
    assert bench.open_now == 0
    bench.plugged = True
    worker.turn(clock.now_s())
    assert (bench.opened, bench.open_now, bench.done) == (2, 1, [RED, BLUE])
    assert [fact.health for fact in bench.said] == [Health.OK, Health.LOST, Health.OK]


def test_a_value_that_was_shown_is_drawn_again_on_a_device_that_came_back(bench, clock):
    worker = DisplayWorker(bench.open, bench.said.append, clock=clock)
    worker.show("picture")
    clock.sleep(worker.turn(clock.now_s()))
    bench.plugged = False
    clock.sleep(worker.turn(clock.now_s()))
    bench.plugged = True
    worker.turn(clock.now_s())
    assert bench.done == ["picture", "picture"]


def test_at_the_end_nothing_is_drawn_once_more_and_no_lost_device_is_opened(bench, clock):
    worker = ring(bench, clock)
    worker.show(RED)
    worker.turn(clock.now_s())
    clock.sleep(RESEND_S)
    worker.finish()
    assert bench.done == [RED]
    bench.plugged = False
    lost = ring(bench, clock)
    lost.show(BLUE)
    lost.turn(clock.now_s())
    bench.plugged = True
    clock.sleep(1)
    lost.finish()
    assert (bench.opened, bench.open_now, bench.done) == (1, 0, [RED])


def test_an_unforeseen_error_of_a_driver_is_not_fatal(bench, clock, caplog):
    def explode() -> object:
        raise ZeroDivisionError("driver")

    worker = RingWorker(explode, bench.said.append, clock=clock)
    with caplog.at_level(logging.ERROR):
        assert worker.turn(clock.now_s()) == pytest.approx(0.2)
    assert bench.said == [DeviceChanged("ring", Health.LOST, "driver")]
    assert "unforeseen" in caplog.text


def test_an_error_without_words_is_told_by_its_name_though_the_device_does_not_even_close(bench, clock, caplog):
    class Broken:
        def show(self, colours):
            raise TimeoutError

        def close(self):
            raise OSError("stuck")

    worker = RingWorker(Broken, bench.said.append, clock=clock)
    worker.show(RED)
    worker.turn(clock.now_s())
    assert bench.said == [DeviceChanged("ring", Health.LOST, "TimeoutError")]
    assert caplog.messages == ["ring failed in an unforeseen way", "ring did not close: stuck"]


def test_an_unforeseen_error_that_comes_again_and_again_fills_no_log(bench, clock, caplog):
    causes = iter(["driver"] * 5 + ["another"] * 5)

    def explode() -> object:
        raise ZeroDivisionError(next(causes))

    worker = RingWorker(explode, bench.said.append, clock=clock)
    for _ in range(10):
        clock.sleep(worker.turn(clock.now_s()))
    assert [str(record.exc_info[1]) for record in caplog.records] == ["driver", "another"]


def picture(clock: FakeClock) -> Frame:
    return Frame(np.zeros((2, 2, 3), np.uint8), clock.now_s())


def camera(bench: Bench, clock: FakeClock, got: list[Frame], every_s: float = 0.0) -> CameraWorker:
    return CameraWorker(bench.open, bench.said.append, clock=clock, deliver=got.append, every_s=every_s)


def test_the_camera_hands_each_picture_on_and_keeps_its_pace(bench, clock):
    got: list[Frame] = []
    worker = camera(bench, clock, got, every_s=0.5)
    bench.frames = [picture(clock)]
    assert worker.turn(clock.now_s()) == 0.5
    worker.pace(0.0)
    bench.frames = [picture(clock)]
    assert worker.turn(clock.now_s()) == 0.0
    assert len(got) == 2
    assert bench.said == [DeviceChanged("camera", Health.OK)]


def test_a_camera_that_stops_delivering_is_lost_with_its_remedy_and_opened_anew(bench, clock):
    got: list[Frame] = []
    worker = camera(bench, clock, got)
    bench.frames = [picture(clock)]
    worker.turn(clock.now_s())
    stopped_s = clock.now_s()
    while bench.open_now:
        worker.turn(clock.now_s())
    assert STALE_S < clock.now_s() - stopped_s < STALE_S + 1
    assert bench.said[-1] == DeviceChanged("camera", Health.LOST, "the camera gave no picture for 3 s; look after it")
    clock.sleep(1)
    bench.frames = [picture(clock)]
    worker.turn(clock.now_s())
    assert (bench.opened, len(got), bench.said[-1].health) == (2, 2, Health.OK)


def test_a_camera_that_cannot_be_opened_is_tried_more_and_more_rarely_until_it_can(bench, clock):
    got: list[Frame] = []
    worker = camera(bench, clock, got)
    bench.plugged = False
    assert waits(worker, clock, 3) == pytest.approx([0.2, 0.4, 0.8])
    bench.plugged, bench.frames = True, [picture(clock)]
    worker.turn(clock.now_s())
    assert len(got) == 1
    assert bench.said == [DeviceChanged("camera", Health.LOST, OUT), DeviceChanged("camera", Health.OK)]


def test_a_camera_that_gives_one_picture_each_time_it_is_opened_is_opened_more_and_more_rarely(bench, clock):
    worker = camera(bench, clock, [])
    waits = []
    for _ in range(6):
        bench.plugged, bench.frames = True, [picture(clock)]
        worker.turn(clock.now_s())
        bench.plugged = False
        waits.append(worker.turn(clock.now_s()))
        clock.sleep(waits[-1])
    assert waits == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.0, 3.0])
    bench.plugged, bench.frames = True, [picture(clock), None, picture(clock)]
    for _ in range(3):
        worker.turn(clock.now_s())
    clock.sleep(STEADY_S)
    bench.plugged = False
    assert worker.turn(clock.now_s()) == pytest.approx(0.2)


def test_that_nobody_looked_for_a_while_is_told_before_the_next_picture(bench, clock):
    """As after Ctrl-Z, or while a cable was pulled; not while a picture takes long to judge."""
    heard: list[str] = []
    takes_s = [0.0, 60.0, 0.0, 0.0, 0.0]

    def judge(_frame: Frame) -> bool:
        heard.append("picture")
        clock.sleep(takes_s.pop(0))
        return False

    worker = CameraWorker(
        bench.open, bench.said.append, clock=clock, deliver=judge, resumed=lambda: heard.append("resumed")
    )
    for away_s in (0.0, 1.0, 1.0, 100.0):
        clock.sleep(away_s)
        bench.frames = [picture(clock)]
        worker.turn(clock.now_s())
    assert heard == ["resumed", "picture", "picture", "picture", "resumed", "picture"]
    bench.plugged = False
    worker.turn(clock.now_s())
    bench.plugged = True
    clock.sleep(1)
    bench.frames = [picture(clock)]
    worker.turn(clock.now_s())
    assert heard[-2:] == ["resumed", "picture"]


def test_a_slow_reader_or_a_long_pause_is_not_taken_for_a_stalled_camera(bench, clock):
    worker = CameraWorker(
        bench.open, bench.said.append, clock=clock, deliver=lambda frame: clock.sleep(60), every_s=0.5
    )
    for _ in range(5):
        bench.frames = [picture(clock), None]
        worker.turn(clock.now_s())
        worker.turn(clock.now_s())
        clock.sleep(60)
    assert [fact.health for fact in bench.said] == [Health.OK]
    assert bench.opened == 1


def test_a_long_reading_is_not_told_as_a_camera_that_hangs(bench, clock):
    worker = CameraWorker(
        bench.open, bench.said.append, clock=clock, deliver=lambda frame: worker.check(clock.now_s() + 60)
    )
    bench.frames = [picture(clock)]
    worker._busy_since_s = clock.now_s()
    worker.turn(clock.now_s())
    assert [fact.health for fact in bench.said] == [Health.OK]


def test_a_camera_works_unless_one_picture_is_judged_for_ever(bench, clock):
    works: list[bool] = []

    def judge(frame: Frame) -> None:
        works.append(worker.works(clock.now_s()))
        clock.sleep(JUDGE_S)
        works.append(worker.works(clock.now_s()))
        clock.sleep(1)
        works.append(worker.works(clock.now_s()))

    worker = CameraWorker(bench.open, bench.said.append, clock=clock, deliver=judge)
    bench.frames = [picture(clock)]
    worker.turn(clock.now_s())
    works.append(worker.works(clock.now_s()))
    assert works == [True, True, False, True]


def test_a_lost_device_does_not_keep_its_worker_from_working(bench, clock):
    bench.plugged = False
    worker = camera(bench, clock, [])
    worker.turn(clock.now_s())
    clock.sleep(1000)
    assert worker.works(clock.now_s())


def test_a_worker_whose_thread_died_does_not_work(bench, clock):
    for worker in (ring(bench, clock), camera(bench, clock, [])):
        worker.start()
        close_all([worker], clock=SystemClock())
        assert not worker.works(clock.now_s())


def test_a_camera_that_opens_but_never_delivers_is_said_lost_once_and_never_ok(bench, clock):
    worker = camera(bench, clock, [])
    for _ in range(200):
        clock.sleep(worker.turn(clock.now_s()))
    assert bench.opened > 3
    assert [fact.health for fact in bench.said] == [Health.LOST]


def test_a_picture_that_cannot_be_judged_does_not_end_the_watch(bench, clock, caplog):
    def judge(frame: Frame) -> None:
        raise ValueError("torn")

    worker = CameraWorker(bench.open, bench.said.append, clock=clock, deliver=judge)
    bench.frames = [picture(clock), picture(clock)]
    with caplog.at_level(logging.ERROR):
        worker.turn(clock.now_s())
        worker.turn(clock.now_s())
    assert (bench.frames, bench.open_now) == ([], 1)
    assert "torn" in caplog.text


def unreadable(bench, clock, judgements: list[bool | None]) -> CameraWorker:
    """A camera whose pictures are judged one after the other: True when looked at closely, None when that fails."""

    def judge(frame: Frame) -> bool:
        if (saw := judgements.pop(0)) is None:
            raise ValueError("torn")
        return saw

    bench.frames = [picture(clock)] * len(judgements)
    return CameraWorker(bench.open, bench.said.append, clock=clock, deliver=judge)


def works(worker: CameraWorker, bench: Bench, clock: FakeClock) -> list[bool]:
    """After each of the pictures."""
    worked = []
    while bench.frames:
        worker.turn(clock.now_s())
        worked.append(worker.works(clock.now_s()))
    return worked


def test_pictures_that_cannot_be_judged_any_more_are_told_logged_once_and_left_to_the_watchdog(bench, clock, caplog):
    stir = [False] * 3
    worker = unreadable(bench, clock, [True, *[None] * 8, *stir, *[None] * 12, *stir, True])
    assert works(worker, bench, clock) == [*[True] * 13, *[False] * 14, True]
    assert bench.said == [
        DeviceChanged("camera", Health.OK),
        DeviceChanged("camera", Health.LOST, BLIND),
        DeviceChanged("camera", Health.OK),
    ]
    assert [record.exc_info is not None for record in caplog.records] == [True, False, False, False, False]
    assert [record.getMessage()[:2] for record in caplog.records] == ["a ", "2 ", "4 ", "8 ", "16"]
    assert bench.opened == 1


def test_a_camera_is_not_told_to_be_lost_for_a_few_pictures_that_cannot_be_judged(bench, clock):
    worker = unreadable(bench, clock, [True, *[None] * (UNJUDGED - 1)])
    works(worker, bench, clock)
    assert bench.said == [DeviceChanged("camera", Health.OK)]


def test_where_no_picture_ever_could_be_judged_it_is_told_and_the_game_goes_on_without_a_restart(bench, clock):
    worker = unreadable(bench, clock, [False, *[None] * 50, False])
    assert all(works(worker, bench, clock))
    assert [fact.detail for fact in bench.said] == ["", BLIND]


def test_rolled_reaches_the_open_camera_and_is_harmless_without_one(bench, clock):
    worker = camera(bench, clock, [])
    worker.rolled()
    bench.frames = [picture(clock)]
    worker.turn(clock.now_s())
    worker.rolled()
    bench.plugged = False
    worker.turn(clock.now_s())
    worker.rolled()
    assert bench.done == ["rolled"]


def test_presses_and_ailments_pass_through(bench, clock):
    got: list[Press] = []
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=got.append)
    assert worker.turn(clock.now_s()) == PROVEN_S
    assert worker.turn(clock.now_s()) is None
    ((pressed, ailing, _failed),) = bench.listeners
    pressed(Press(Button.OK))
    ailing("OK is stuck")
    ailing("OK is stuck")
    ailing("")
    assert got == [Press(Button.OK)]
    assert bench.said == [
        DeviceChanged("buttons", Health.OK),
        DeviceChanged("buttons", Health.LOST, "OK is stuck"),
        DeviceChanged("buttons", Health.OK),
    ]


def test_buttons_that_fail_while_they_listen_are_told_closed_and_opened_anew(bench, clock):
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=lambda press: None)
    worker.turn(clock.now_s())
    worker.turn(clock.now_s())
    (_pressed, ailing, failed) = bench.listeners[0]
    failed(DeviceLost("buttons", "OK cannot be read", "check its wire"))
    clock.sleep(worker.turn(clock.now_s()))
    assert bench.open_now == 0
    for _ in range(2):
        worker.turn(clock.now_s())
    ailing("of buttons that are closed")
    failed(ValueError("too late"))
    assert worker.turn(clock.now_s()) is None
    assert (bench.opened, bench.open_now, len(bench.listeners)) == (2, 1, 2)
    assert bench.said == [
        DeviceChanged("buttons", Health.OK),
        DeviceChanged("buttons", Health.LOST, "OK cannot be read; check its wire"),
        DeviceChanged("buttons", Health.OK),
    ]


def test_buttons_that_fail_as_soon_as_they_listen_are_told_once_and_tried_more_and_more_rarely(bench, clock):
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=lambda press: None)
    waits = []
    for _ in range(6):
        worker.turn(clock.now_s())
        bench.listeners[-1][2](DeviceLost("buttons", "the terminal is gone", "run it in a terminal"))
        waits.append(worker.turn(clock.now_s()))
        clock.sleep(waits[-1])
    assert waits == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.0, 3.0])
    assert bench.said == [DeviceChanged("buttons", Health.LOST, "the terminal is gone; run it in a terminal")]


def test_buttons_that_cannot_be_opened_are_told_once_and_tried_until_they_can(bench, clock):
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=lambda press: None)
    bench.plugged = False
    assert waits(worker, clock, 3) == pytest.approx([0.2, 0.4, 0.8])
    bench.plugged = True
    for _ in range(2):
        worker.turn(clock.now_s())
    assert bench.said == [DeviceChanged("buttons", Health.LOST, OUT), DeviceChanged("buttons", Health.OK)]


def test_buttons_whose_driver_hangs_while_they_are_looked_at_are_told_until_it_answers(bench, clock):
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=lambda press: None)
    worker.check(clock.now_s())
    for _ in range(2):
        worker.turn(clock.now_s())
    (_pressed, ailing, _failed) = bench.listeners[0]
    bench.looking_since_s = clock.now_s()
    for _ in range(3):
        worker.check(clock.now_s())
        clock.sleep(HANG_S - 1)
    ailing("")
    bench.looking_since_s = None
    worker.check(clock.now_s())
    assert bench.said == [
        DeviceChanged("buttons", Health.OK),
        DeviceChanged("buttons", Health.LOST, "buttons do not answer; check their cable or restart the companion"),
        DeviceChanged("buttons", Health.OK),
    ]


def test_buttons_that_are_looked_at_before_they_have_proven_themselves_are_not_told_to_be_well(bench, clock):
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=lambda press: None)
    worker.turn(clock.now_s())
    worker.check(clock.now_s())
    assert bench.said == []


def test_what_ails_buttons_at_once_is_not_taken_back_when_they_have_proven_themselves(bench, clock):
    worker = ButtonsWorker(bench.open, bench.said.append, clock=clock, pressed=lambda press: None)
    worker.turn(clock.now_s())
    bench.listeners[0][1]("line 1 of the script")
    worker.turn(clock.now_s())
    assert bench.said == [DeviceChanged("buttons", Health.LOST, "line 1 of the script")]


def test_a_role_is_lost_while_any_of_its_devices_is_whatever_the_others_tell(caplog):
    told: list[DeviceChanged] = []
    roles = Roles(told.append)
    one, other, ring = roles.one(), roles.one(), roles.one()
    lost, well = DeviceChanged("oled", Health.LOST, "its cable is out"), DeviceChanged("oled", Health.OK)
    ring_lost = DeviceChanged("ring", Health.LOST)
    with caplog.at_level(logging.INFO):
        for report, fact in (
            (one, lost),
            (other, well),
            (ring, ring_lost),
            (other, lost),
            (one, well),
            (other, lost),
            (other, well),
        ):
            report(fact)
    assert told == [lost, ring_lost, well]
    assert len(caplog.records) == 7
    assert caplog.messages[:3] == ["screen: lost: its cable is out", "screen: ok", "ring: lost"]
    assert [record.levelno for record in caplog.records[:3]] == [logging.WARNING, logging.INFO, logging.WARNING]


def test_a_worker_draws_in_its_own_thread_ends_with_the_last_value_and_leaves_none():
    clock = FakeClock()
    bench = Bench(clock)
    said: queue.SimpleQueue[DeviceChanged] = queue.SimpleQueue()
    worker = RingWorker(bench.open, said.put, clock=SystemClock())
    worker.start()
    assert said.get(timeout=10) == DeviceChanged("ring", Health.OK)
    worker.show(RED)
    assert close_all([worker], clock=SystemClock()) == ()
    assert (bench.done[-1], bench.open_now) == (RED, 0)
    assert "ring" not in {thread.name for thread in threading.enumerate()}
    assert close_all([worker], clock=SystemClock()) == ()


def test_a_stop_that_overtakes_the_worker_is_not_lost(bench, clock):
    worker = ring(bench, clock)
    worker._wake = Overtaken(worker.stop)
    worker.start()
    assert worker.join(10)


def test_a_device_that_hangs_is_told_and_does_not_hold_up_the_end():
    clock = FakeClock()
    hung = Hung()
    said: list[DeviceChanged] = []
    worker = DisplayWorker(lambda: hung, said.append, clock=clock)
    worker.show("picture")
    worker.start()
    assert hung.entered.wait(10)
    worker.check(clock.now_s() + HANG_S)
    assert said == []
    worker.check(clock.now_s() + HANG_S + 1)
    assert said == [
        DeviceChanged("oled", Health.LOST, "screen does not answer; check its cable or restart the companion")
    ]
    assert close_all([worker], clock=SystemClock(), within_s=0.01) == ("oled",)
    hung.freed.set()
    assert worker.join(10)


def test_a_device_that_answers_while_it_is_said_to_hang_is_told_to_be_well(bench, clock):
    class Late(threading.Event):
        """Only after the first turn another thread says what it saw during that: that the device hangs."""

        saw = True

        def wait(self, timeout=None):
            if self.saw:
                self.saw = False
                worker._busy_since_s = clock.now_s()
                worker.check(clock.now_s() + HANG_S + 1)
                worker._busy_since_s = None
            return super().wait(timeout)

    said: queue.Queue[DeviceChanged] = queue.Queue()
    worker = KnockWorker(bench.open, said.put, clock=clock)
    worker._wake = Late()
    worker.start()
    try:
        assert [said.get(timeout=10).health for _ in range(3)] == [Health.OK, Health.LOST, Health.OK]
    finally:
        close_all([worker], clock=SystemClock())


class Slow:
    """A worker that takes some time to end."""

    def __init__(self, role, takes_s, clock):
        self.role = role
        self.takes_s = takes_s
        self.clock = clock

    def stop(self): ...

    def join(self, within_s):
        self.clock.sleep(min(self.takes_s, within_s))
        return self.takes_s <= within_s


def test_all_workers_are_waited_for_together_and_the_last_one_first(clock):
    began_s = clock.now_s()
    workers = [Slow("oled", 1.0, clock), Slow("ring", 0.25, clock), Slow("camera", 0.5, clock)]
    assert close_all(workers, clock=clock, within_s=1.0) == ("oled",)
    assert clock.now_s() - began_s == 1.0


def test_workers_that_were_never_started_close_quietly(bench, clock):
    worker = ring(bench, clock)
    assert close_all([worker], clock=clock) == ()


def test_what_feels_knocks_is_optional_retried_and_closed(bench, clock):
    bench.plugged = False
    worker = KnockWorker(bench.open, bench.said.append, clock=clock)
    clock.sleep(worker.turn(clock.now_s()) or 0.0)
    assert [(fact.device, fact.health) for fact in bench.said] == [("knock", Health.LOST)]
    bench.plugged = True
    clock.sleep(1.0)
    assert worker.turn(clock.now_s()) is None
    assert [(fact.device, fact.health) for fact in bench.said][1:] == [("knock", Health.OK)]
    worker.finish()
    assert bench.open_now == 0
