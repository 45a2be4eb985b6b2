"""The watch over the tray: frame by frame, facts about dice. Runs in the camera's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.events import DeviceChanged, Fact, Health, Reading, Settled
from companion.ports import Frame, Picture
from companion.vision.reader import Reader
from companion.vision.settle import Settler

DARK_S = 3.0  # a hand close to the lens is gone by then


class Watch:
    """Feeds frames to the settler, and reads where it wants. `seen` hears each settled reading with its picture."""

    def __init__(
        self,
        reader: Reader,
        settler: Settler,
        *,
        seen: Callable[[Picture, Reading], None] = lambda _picture, _read: None,
    ) -> None:
        self._reader = reader
        self._settler = settler
        self._seen = seen
        self._count: int | None = None
        self._taken = threading.Event()
        self._lit_s: float | None = None  # when something was seen last
        self._blind = False

    def expect(self, dice: tuple[int, int] | None) -> None:
        """From now on so many dice (fewest, most) are to be thrown; None where none are. From any thread."""
        self._count = dice[0] if dice is not None and dice[0] == dice[1] else None

    def taken(self) -> None:
        """The dice in view became a roll, be it by button. From any thread."""
        self._taken.set()

    def look(self, frame: Frame) -> tuple[Fact, ...]:
        """What this frame tells that was not known before."""
        if self._taken.is_set():
            self._taken.clear()
            self._settler.taken()
        facts = self._settler.feed(frame.picture, frame.taken_s, self._read, count=self._count)
        if self._taken.is_set():  # while they were read: they became a roll already
            facts = tuple(fact for fact in facts if not isinstance(fact, Settled))
        for fact in facts:
            if isinstance(fact, Settled):
                self._seen(frame.picture, fact.reading)
        return (*self._light(frame.taken_s), *facts)

    def _light(self, now_s: float) -> tuple[Fact, ...]:
        """That a covered lens, or a dark room, leaves nothing to see, and that there is light again."""
        if not self._settler.dark or self._lit_s is None:
            self._lit_s = now_s
        blind = now_s - self._lit_s >= DARK_S
        if blind == self._blind:
            return ()
        self._blind = blind
        detail = "the pictures are black; light the tray, or take away what covers the lens" if blind else ""
        return (DeviceChanged("light", Health.LOST if blind else Health.OK, detail),)

    def _read(self, picture: Picture) -> Reading:
        return self._reader.read(picture, count=self._count)
