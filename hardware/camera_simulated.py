"""A camera whose pictures are drawn."""

from __future__ import annotations

from collections.abc import Callable

from companion.ports import Clock, DeviceLost, Frame, Locks, Picture
from hardware.pace import Pace


class SimulatedCamera:
    """Asks `picture(now_s)` for each frame, at most `fps` of them a second.

    `picture` may raise DeviceLost, as a camera does that is unplugged.
    """

    remedy = "open it again"

    def __init__(
        self,
        picture: Callable[[float], Picture],
        *,
        clock: Clock,
        fps: float = 10.0,
    ) -> None:
        self._picture = picture
        self._pace = Pace(clock, fps)
        self._closed = False

    def frame(self, timeout_s: float) -> Frame | None:
        if self._closed:
            raise DeviceLost("camera", "the simulated camera is closed", self.remedy)
        now_s = self._pace.wait(timeout_s)
        return None if now_s is None else Frame(self._picture(now_s), now_s)

    def rolled(self) -> None:
        """Whoever draws sees to the next roll."""

    def locks(self) -> Locks:
        """Drawn pictures need none."""
        return Locks()

    def close(self) -> None:
        self._closed = True
