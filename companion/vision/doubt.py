"""What is not taken for a die, but could be one: then a human is asked."""

from __future__ import annotations

from dataclasses import dataclass

from companion.vision.looking import STRIKING, Look
from companion.vision.ruler import Ruler

NOTHING_LIKELY = 0.5  # chance of nothing at a place without dice beside it: with less it is likelier something
NO_DIE_BESIDE = 3.2  # times larger or smaller than the dice beside it: dice in shops are 10 to 25 mm wide
TOO_HOT = 0.5  # heat of what is surely a die to the finder: asked about whatever the face network says
CLEARLY_UNREAD, WARM = 0.5, 0.2  # chance of a die that cannot be read, and heat, from which it is asked about
ALIKE, AS_HOT = 1.3, 0.85  # times larger or smaller, and of the heat of the dice beside it: what is so is asked about,
NOTHING_AT_ALL = 0.8  # unless every look finds that chance of nothing there
ONE_LOOK = 1.3  # times the likeness to a die that all looks together need, one alone needs
FACED, VALUED = 0.05, 0.5  # chance of nothing in one look, and of a value: a face so plain is asked about, however cool
USUAL_HEAT = 0.5  # of a die in a clear picture


@dataclass(frozen=True, slots=True)
class Company:
    """The dice of a picture: their usual size, and how hot the finder found them."""

    size: float
    heat: float

    def might_be(self, look: Look) -> bool:
        return self._of_size(look, NO_DIE_BESIDE)

    def matches(self, look: Look) -> bool:
        """Did the finder see it nearly as it saw them: as marbles and game pieces seldom are."""
        return self._of_size(look, ALIKE) and look.place.heat >= AS_HOT * self.heat

    def _of_size(self, look: Look, times: float) -> bool:
        return self.size / times < look.place.size < self.size * times


def doubted(look: Look, chance: float, measure: Ruler, beside: Company | None) -> bool:
    """Could this be a die after all, though it is not taken for one. An empty table must be emptier than others.

    Where even the dice that are certain were found faintly, in noise or the dark, the same is asked of the others.
    """
    faced = look.least_nothing <= FACED and look.chance >= VALUED
    if look.cut:
        return chance >= measure.die or faced
    if beside is None:
        something = look.place.heat > STRIKING or look.chance_nothing < NOTHING_LIKELY
        return something or chance >= measure.doubt
    if not beside.might_be(look):
        return False
    by_all, by_one = look.place.heat * look.chance_something, look.place.heat * (1 - look.least_nothing)
    likeness = max(by_all, by_one / ONE_LOOK)
    faint = min(1.0, beside.heat / USUAL_HEAT)
    hot = look.place.heat >= TOO_HOT or (beside.matches(look) and look.least_nothing < NOTHING_AT_ALL)
    unread = look.place.heat >= WARM and look.chance_unread >= CLEARLY_UNREAD
    return chance >= measure.doubt or likeness >= measure.likeness * faint or hot or unread or faced
