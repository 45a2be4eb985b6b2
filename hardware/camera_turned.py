"""A camera that is mounted turned."""

from __future__ import annotations

from companion.ports import Camera, Frame, Locks
from hardware.pixels import turned


class TurnedCamera:
    """Turns every picture of `camera` clockwise by `degrees`: 0, 90, 180 or 270."""

    def __init__(self, camera: Camera, degrees: int) -> None:
        if degrees % 90:
            raise ValueError(f"pictures can be turned by 0, 90, 180 or 270 degrees, not {degrees}")
        self._camera = camera
        self._degrees = degrees

    @property
    def remedy(self) -> str:
        return self._camera.remedy

    def frame(self, timeout_s: float) -> Frame | None:
        frame = self._camera.frame(timeout_s)
        return frame and Frame(turned(frame.picture, self._degrees), frame.taken_s)

    def locks(self) -> Locks:
        return self._camera.locks()

    def rolled(self) -> None:
        self._camera.rolled()

    def close(self) -> None:
        self._camera.close()
