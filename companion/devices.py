"""Supervised devices: each has its own thread, is opened in the background, and may come and go while the game goes on.

A worker tells the inbox when its device's health changes, and only then. Whatever a device raises, the worker lives on:
it closes the device, waits a little longer each time, and opens it anew.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from PIL import Image

from companion.events import Health, Press
from companion.ports import Buttons, Camera, Clock, Colour, DeviceLost, Display, Frame, Ring
from companion.supervised import Closable, D, Report, Supervised, spoken

log = logging.getLogger(__name__)

HANG_S = 5.0  # a call that takes longer than the slowest device needs: it does not answer any more
STALE_S = 3.0  # a camera without a new picture for so long is lost; the slowest mode gives one every 0.2 s
FRAME_S = 0.4  # how long one wait for a picture lasts, and so how soon a camera's worker notices that it must stop
RESEND_S = 0.8  # WLED falls back to its own effect 2.5 s after the last frame; two may get lost
REFRESH_S = 3.0  # how long a panel stays dark that lost power and came back
JUDGE_S = 10.0  # a picture takes a fraction of a second to read, also on the slowest Pi
UNJUDGED = 10  # pictures, and none well judged among them: no odd one any more, and no play by camera
BLIND = "pictures come, but they cannot be judged; the log tells why, restart the companion"
PROVEN_S = 0.5  # buttons that failed are well again once they have listened for so long
STOP_S = 1.2  # within which all workers end; the service is killed 2 s after it was asked to stop

V = TypeVar("V")


class Worker(ABC, Generic[D]):
    """A thread around one supervised device. `turn` is all it does, so that tests can take turns without the thread."""

    def __init__(self, role: str, open_: Callable[[], D], report: Report, *, clock: Clock) -> None:
        self.role = role
        self._clock = clock
        self._supervised: Supervised[D] = Supervised(role, open_, report)
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._busy_since_s: float | None = None
        self._thread = threading.Thread(target=self._run, name=role, daemon=True)

    @property
    def health(self) -> Health | None:
        """As last told, from any thread; None before it was."""
        return self._supervised.health

    @abstractmethod
    def turn(self, now_s: float) -> float | None:
        """One look at what there is to do. Returns the seconds until the next, None for: when woken."""

    def finish(self) -> None:
        """The last turn: closes the device."""
        self._supervised.close()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Asks the worker to end; `join` waits for it."""
        self._stopping.set()
        self._wake.set()

    def join(self, within_s: float = STOP_S) -> bool:
        """Whether the worker has ended, at the latest after `within_s`; a device that hangs keeps its thread."""
        if self._thread.ident is not None:
            self._thread.join(within_s)
        return not self._thread.is_alive()

    def check(self, now_s: float) -> None:
        """Reports a device that hangs inside a call. To be called now and then by a thread that does not.

        The call may end before that is said: so the worker is asked to take one more turn, and tells how the device is.
        """
        since_s = self._busy_since_s
        if since_s is not None and now_s - since_s > HANG_S:
            self._supervised.say(Health.LOST, self._hanging())
            self._wake.set()

    def _hanging(self) -> str:
        do, its = ("do", "their") if self.role == "buttons" else ("does", "its")
        return f"{spoken(self.role)} {do} not answer; check {its} cable or restart the companion"

    def works(self, now_s: float) -> bool:
        """Whether the worker does its part, which is all that a lost device needs to come back."""
        return self._thread.ident is None or self._thread.is_alive()

    def _run(self) -> None:
        while self._goes_on():
            now_s = self._clock.now_s()
            self._busy_since_s = now_s
            wait_s = self.turn(now_s)
            self._busy_since_s = None
            self._wake.wait(wait_s)
        self.finish()

    def _goes_on(self) -> bool:
        """Looks after clearing: what is asked for from here on wakes the next wait."""
        self._wake.clear()
        return not self._stopping.is_set()


class OutputWorker(Worker[D], Generic[D, V]):
    """Draws the newest value and skips those that came and went meanwhile.

    Every `again_s` seconds it calls `refresh`, whatever is drawn meanwhile; without one, what was drawn is drawn again
    when nothing else was for so long. What was given last is still drawn when the worker ends.
    """

    def __init__(
        self,
        role: str,
        open_: Callable[[], D],
        report: Report,
        *,
        clock: Clock,
        draw: Callable[[D, V], None],
        again_s: float,
        refresh: Callable[[D], None] | None = None,
    ) -> None:
        super().__init__(role, open_, report, clock=clock)
        self._draw = draw
        self._refresh = refresh
        self._again_s = again_s
        self._again_due_s = float("-inf")
        self._newest: tuple[V] | None = None
        self._drawn: tuple[V] | None = None

    def show(self, value: V) -> None:
        """From any thread, never blocks."""
        self._newest = (value,)
        self._wake.set()

    def rests(self) -> bool:
        """Whether what was given last is drawn, or cannot be, the device being lost. From any thread."""
        drawn = self._drawn
        return self.health is Health.LOST or (drawn is not None and drawn is self._newest)

    def turn(self, now_s: float) -> float | None:
        device = self._supervised.ready(now_s)
        if device is None:
            self._drawn = None
            return self._supervised.wait_s(now_s)
        try:
            self._serve(device, now_s)
        except Exception as error:  # whatever a driver raises, the game goes on
            self._supervised.failed(error, now_s)
            self._drawn = None
            return self._supervised.wait_s(now_s)
        self._supervised.worked()
        return None if self._drawn is None else max(0.0, self._again_due_s - now_s)

    def finish(self) -> None:
        if self._supervised.device is not None and self._newest is not self._drawn:
            self.turn(self._clock.now_s())
        super().finish()

    def _serve(self, device: D, now_s: float) -> None:
        newest = self._newest
        if newest is None:
            return
        first, fresh, due = self._drawn is None, newest is not self._drawn, now_s >= self._again_due_s
        if due and not first and self._refresh is not None:
            self._refresh(device)
        if fresh or (due and self._refresh is None):
            self._draw(device, newest[0])
        if first or due or (fresh and self._refresh is None):
            self._again_due_s = now_s + self._again_s
        self._drawn = newest


class DisplayWorker(OutputWorker[Display, Image.Image]):
    """The OLED, or what stands for it; refreshed every few seconds in case it lost power silently."""

    def __init__(
        self,
        open_: Callable[[], Display],
        report: Report,
        *,
        clock: Clock,
    ) -> None:
        super().__init__(
            "oled",
            open_,
            report,
            clock=clock,
            draw=lambda display, image: display.show(image),
            again_s=REFRESH_S,
            refresh=lambda display: display.refresh(),
        )


class RingWorker(OutputWorker[Ring, Sequence[Colour]]):
    """The ring; its colours are sent again and again, since a receiver forgets them."""

    def __init__(self, open_: Callable[[], Ring], report: Report, *, clock: Clock) -> None:
        super().__init__(
            "ring",
            open_,
            report,
            clock=clock,
            draw=lambda ring, colours: ring.show(colours),
            again_s=RESEND_S,
        )


class CameraWorker(Worker[Camera]):
    """Gives the newest picture to `deliver`, in its own thread, and watches that there are new ones.

    `deliver` judges a picture; whether there was anything in it that had to be looked at closely. `resumed` hears, in
    that thread, that nobody looked before the next one: the camera was opened, or the program was stopped a while.
    """

    def __init__(
        self,
        open_: Callable[[], Camera],
        report: Report,
        *,
        clock: Clock,
        deliver: Callable[[Frame], bool],
        resumed: Callable[[], None] = lambda: None,
        every_s: float = 0.0,
    ) -> None:
        super().__init__("camera", open_, report, clock=clock)
        self._deliver = deliver
        self._resumed = resumed
        self._looked_s: float | None = None  # until when, since the camera was opened
        self._every_s = every_s
        self._camera: Camera | None = None
        self._blind_s = 0.0  # spent waiting for the next picture in vain
        self._judging_since_s: float | None = None
        self._saw = False  # ever closely
        self._unjudged = 0  # pictures since it last did

    def pace(self, every_s: float) -> None:
        """From now on at least `every_s` seconds between pictures; 0 for all that come. From any thread."""
        self._every_s = every_s
        self._wake.set()

    def rolled(self) -> None:
        """The roll in view was taken. From any thread."""
        if (camera := self._camera) is not None:
            camera.rolled()

    def works(self, now_s: float) -> bool:
        """Not while one picture takes for ever, nor while no picture can be judged any more: nobody looks at the fresh
        ones then, and no cable is to blame. Where none ever could, a restart would mend nothing and end the game."""
        since_s = self._judging_since_s
        stuck = since_s is not None and now_s - since_s > JUDGE_S
        fell_blind = self._saw and self._unjudged >= UNJUDGED
        return super().works(now_s) and not stuck and not fell_blind

    def turn(self, now_s: float) -> float | None:
        camera = self._supervised.ready(now_s)
        if camera is None:
            return self._supervised.wait_s(now_s)
        if camera is not self._camera:
            self._camera, self._blind_s, self._looked_s = camera, 0.0, None
        try:
            frame = self._next(camera)
        except Exception as error:  # whatever a driver raises, the game goes on
            self._camera = None
            self._supervised.failed(error, self._clock.now_s())
            return self._supervised.wait_s(self._clock.now_s())
        if frame is None:
            return 0.0
        self._hand_on(frame)
        return max(0.0, self._every_s - (self._clock.now_s() - now_s))

    def _next(self, camera: Camera) -> Frame | None:
        asked_s = self._clock.now_s()
        frame = camera.frame(FRAME_S)
        self._blind_s = 0.0 if frame is not None else self._blind_s + self._clock.now_s() - asked_s
        if self._blind_s > STALE_S:
            raise DeviceLost("camera", f"the camera gave no picture for {STALE_S:.0f} s", camera.remedy)
        return frame

    def _hand_on(self, frame: Frame) -> None:
        self._busy_since_s = None  # what takes long now is the reading, not the camera
        self._judging_since_s = self._clock.now_s()
        try:
            if self._looked_s is None or frame.taken_s - self._looked_s > STALE_S + self._every_s:
                self._resumed()
            saw = self._deliver(frame)
        except Exception as error:  # a picture that cannot be read must not end the watch over the tray
            self._not_judged(error)
        else:
            self._well_judged(saw=saw)
        finally:
            self._judging_since_s, self._looked_s = None, self._clock.now_s()

    def _well_judged(self, *, saw: bool) -> None:
        """A picture in which nothing had to be looked at does not show that it could have been."""
        if saw:
            self._saw, self._unjudged = True, 0
        if not self._unjudged:
            self._supervised.worked()

    def _not_judged(self, error: Exception) -> None:
        """The log gets the first trace, and then counts that double."""
        self._unjudged += 1
        if self._unjudged == 1:
            log.error("a picture could not be judged", exc_info=error)
        elif self._unjudged.bit_count() == 1:
            log.error("%d pictures could not be judged: %r", self._unjudged, error)
        if self._unjudged >= UNJUDGED:
            self._supervised.say(Health.LOST, BLIND)


class ButtonsWorker(Worker[Buttons]):
    """Opens the buttons and passes their presses on."""

    def __init__(
        self,
        open_: Callable[[], Buttons],
        report: Report,
        *,
        clock: Clock,
        pressed: Callable[[Press], None],
    ) -> None:
        super().__init__("buttons", open_, report, clock=clock)
        self._pressed = pressed
        self._listened: Buttons | None = None
        self._ailment = ""
        self._hangs = False
        self._failure: Exception | None = None
        self._telling = threading.Lock()

    def check(self, now_s: float) -> None:
        """Buttons are looked at in a thread of their own, and a driver that holds it makes them deaf without a word."""
        super().check(now_s)
        if (buttons := self._listened) is None:
            return
        since_s = buttons.looking_since_s()
        hangs = since_s is not None and now_s - since_s > HANG_S
        if hangs != self._hangs:
            self._hangs = hangs
            self._tell()

    def turn(self, now_s: float) -> float | None:
        buttons = self._supervised.ready(now_s)
        if buttons is None:
            return self._supervised.wait_s(now_s)
        try:
            return self._attend(buttons)
        except Exception as error:  # whatever a driver raises, the game goes on
            self._listened = None
            self._supervised.failed(error, now_s)
            return self._supervised.wait_s(now_s)

    def _attend(self, buttons: Buttons) -> float | None:
        """Listens, and some time later, unless that failed, tells how they are. Raises what they failed with."""
        if buttons is not self._listened:
            self._listened, self._ailment, self._hangs, self._failure = buttons, "", False, None
            buttons.listen(self._pressed, partial(self._ailing, buttons), partial(self._failed, buttons))
            return PROVEN_S
        if self._failure is not None:
            raise self._failure
        self._tell()
        return None

    def _ailing(self, buttons: Buttons, text: str) -> None:
        if buttons is self._listened:
            self._ailment = text
            self._tell()

    def _failed(self, buttons: Buttons, error: Exception) -> None:
        if buttons is self._listened:
            self._failure = error
            self._wake.set()

    def _tell(self) -> None:
        """Whoever comes last tells what holds by then."""
        with self._telling:
            self._supervised.worked(self._hanging() if self._hangs else self._ailment)


class KnockWorker(Worker[Closable]):
    """Opens what feels a knock on the table; it tells of knocks by itself."""

    def __init__(self, open_: Callable[[], Closable], report: Report, *, clock: Clock) -> None:
        super().__init__("knock", open_, report, clock=clock)

    def turn(self, now_s: float) -> float | None:
        if self._supervised.ready(now_s) is None:
            return self._supervised.wait_s(now_s)
        self._supervised.worked()
        return None


def close_all(workers: Sequence[Worker[D]], *, clock: Clock, within_s: float = STOP_S) -> tuple[str, ...]:
    """Ends all workers, the last one first, together within `within_s`. Returns the roles of those that hang."""
    for worker in reversed(workers):
        worker.stop()
    end_s = clock.now_s() + within_s
    return tuple(worker.role for worker in reversed(workers) if not worker.join(max(0.0, end_s - clock.now_s())))
