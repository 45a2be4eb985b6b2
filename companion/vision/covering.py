"""What lies over dice, or beside them, and was not there before: told by how the tray looks and looked. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.events import Reading
from companion.vision.stillness import Glance, Share, differs, reached_into, unlike, veiled


@dataclass(frozen=True, slots=True)
class Told:
    """How the tray looked when dice were told, or taken, and where these lay."""

    glance: Glance
    boxes: Sequence[Share]


@dataclass(frozen=True, slots=True)
class Looks:
    """How the tray looks now, and looked when it was found empty last; until it was nobody can tell what is a hand.

    `sides`: of the pictures, width and height in pixels.
    """

    now: Glance | None = None
    sides: tuple[int, int] = (1, 1)
    bare: Glance | None = None

    def places(self, reading: Reading) -> list[Share]:
        """Where its dice lie."""
        width, height = self.sides
        return [(x / width, y / height, w / width, h / height) for x, y, w, h in (die.box for die in reading.dice)]

    def handed(self, dice: Sequence[Share]) -> bool:
        """Whether a hand rests in view beside these dice that was not there when the tray was empty."""
        return self.bare is not None and self.now is not None and reached_into(self.bare, self.now, dice)

    def newly_handed(self, dice: Sequence[Share], taken: Told | None) -> bool:
        """Whether it was not there either when dice were taken last, as a cup at the rim may be."""
        handed = self.handed(dice)
        if not handed or taken is None or self.now is None:
            return handed
        return reached_into(taken.glance, self.now, [*dice, *taken.boxes])

    def covered(self, dice: Sequence[Share]) -> list[Share]:
        """Of places where dice were told those that do not look as they did when the tray was empty."""
        return [] if self.bare is None or self.now is None else unlike(self.bare, self.now, dice)

    def hidden(self, told: Told | None) -> bool:
        """Whether a die that was told is not seen because something lies over it, such as a hand, which need not move.

        It does not where the tray looks as it did when it was empty: then a hand lay beside the dice that were told.
        """
        return told is not None and self.now is not None and veiled(told.glance, self.now, self.covered(told.boxes))

    def overlooked(self, told: Told | None) -> bool:
        """Whether a die that was told looks as it did then, and only was not seen: a hand that touches it does that."""
        if told is None or self.now is None:
            return False
        return any(not differs(told.glance, self.now, place) for place in self.covered(told.boxes))
