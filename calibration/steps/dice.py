"""The table's own number dice, thrown a few times: how large they are, and their colours."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

import cv2
import numpy as np

from calibration.facts import DiceFacts
from calibration.judging import DARKEST_LIGHT, DARKEST_WHITE, light_of
from calibration.steps.step import Done, Labels, Left, Next, Review, Step, Wants
from companion import words
from companion.events import Button, Die, Reading, Why
from companion.locale import N_, Texts
from companion.ports import Picture
from companion.view import Page, Prompt, Sign
from companion.vision.colours import LEAST_STEP, Kind, alike, kinds_of
from companion.vision.ruler import ruler
from companion.vision.stillness import Change, Glance, change, glance

Read: TypeAlias = Callable[[Picture], Reading]
THROWS, USUAL_DICE = 3, 3
SIZES_DIFFER = 0.15  # share of a throw's usual width by which another throw's differs
# where each colour's hue ends, of OpenCV's 180
HUES = ((8, "red"), (20, "orange"), (36, "yellow"), (86, "green"), (130, "blue"), (165, "purple"), (181, "red"))
ODD_SIZE = 0.3  # and one die's within a throw: turned by 45 degrees, a die looks up to a fifth wider than usual
SMALLEST_MM, LARGEST_MM = 8.0, 30.0  # of dice that people play with
# Of a square's edge to the mean width of its upright box, over all rotations. As wide as that box the networks see dice
EDGE_SHARE = math.pi / 4  # of drawn tables: 1.003 times, at 30 of them; other networks may not


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What one throw tells of the dice. `widths_px`: of each die's upright box, as the reader sees it.

    `colours`: of each die whose pips were seen.
    """

    widths_px: tuple[float, ...]
    colours: tuple[Kind, ...]

    @property
    def width_px(self) -> float:
        return float(np.median(self.widths_px))


@dataclass(frozen=True, slots=True, eq=False)
class DiceStep(Step):
    """`read` reads a picture. `focal_px`: about how long the lens is, for dice are nearer to it than the floor.

    `lay`: what was seen when the last throw was taken. `rolled`: whether anything but the light was other since then.
    """

    read: Read
    today: date
    mm_per_px: float
    focal_px: float
    picture: Picture | None = None
    throws: tuple[Measured, ...] = ()
    trouble: str = ""
    tried: int = 0
    lay: Glance | None = None
    rolled: bool = True

    @property
    def wants(self) -> Wants:
        return Wants(dice=USUAL_DICE, throw=self.tried)

    @property
    def refused(self) -> bool:
        return bool(self.trouble)

    def seen(self, picture: Picture, now_s: float) -> DiceStep:
        moved = self.lay is not None and change(self.lay, glance(picture)) in (Change.MOTION, Change.HAND)
        return replace(self, picture=picture, rolled=self.rolled or moved)

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return replace(self, throws=self.throws[:-1], trouble="", rolled=True) if self.throws else Left()
            case Button.OK if self.picture is not None:
                return replace(self, tried=self.tried + 1)._thrown(self.picture)
        return self

    def _thrown(self, picture: Picture) -> Next:
        if not self.rolled:
            return replace(self, trouble=N_("The dice lie as before"))
        reading = self.read(picture)
        if not reading.dice:
            return replace(self, trouble=N_("I see no dice"))
        if not (reading.sure or _each_certain(reading)):
            return replace(self, trouble=N_("I am not sure"))
        now = measured(picture, reading)
        if _in_the_dark(picture, now):
            return replace(self, trouble=N_("Too dark"))
        if contradicts(self.throws, now):
            return replace(self, trouble=N_("These dice differ"))
        if not all(map(_told_apart, kinds_of(now.colours))):
            return replace(self, trouble=N_("I am not sure"))
        step = replace(self, throws=(*self.throws, now), trouble="", lay=glance(picture), rolled=False)
        return step if len(step.throws) < THROWS else step._reviewed()

    def _reviewed(self) -> Next:
        facts = self._facts()
        if not SMALLEST_MM <= facts.edge_mm <= LARGEST_MM:
            again = N_("Too small for dice") if facts.edge_mm < SMALLEST_MM else N_("Too large for dice")
            return replace(self, throws=(), trouble=again, rolled=True)

        def told(_: Texts) -> Prompt:
            size = _("Dice of {mm} mm").format(mm=round(facts.edge_mm))
            return Prompt(size, (self._colours(facts, _), _("Is that right?")), Sign.DICE)

        again_from = DiceStep(self.read, self.today, self.mm_per_px, self.focal_px)
        return Review(Done(lambda profile, _names: replace(profile, dice=facts)), again_from, told)

    def _colours(self, facts: DiceFacts, _: Texts) -> str:
        if len(facts.kinds) != 1:
            return _("of several colors")
        (kind,) = facts.kinds
        return _("{body} with {pips} pips").format(body=colour_word(kind.body, _), pips=colour_word(kind.pips, _))

    def _facts(self) -> DiceFacts:
        """A die's top is nearer to the lens than the floor by the die's height, and so looks larger."""
        whole_px = float(np.median([width for throw in self.throws for width in throw.widths_px]))
        width_px = EDGE_SHARE * whole_px
        return DiceFacts(
            self.today,
            round(self.mm_per_px * width_px / (1 + width_px / self.focal_px), 1),
            round(width_px, 1),
            round(whole_px, 1),
            len(self.throws[0].widths_px),
            len(self.throws),
            kinds_of([die for throw in self.throws for die in throw.colours]),
        )

    def page(self, _: Texts) -> Page:
        count = _("{n} of {all}").format(n=len(self.throws), all=THROWS)
        if self.trouble:
            return Prompt(_(self.trouble), (_(REMEDIES[self.trouble]),), Sign.TROUBLE)
        return Prompt(_("Roll the number dice"), (_("OK when they lie still"), count), Sign.DICE)

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "", "", _("OK") if self.picture is not None else "")


REMEDIES = {
    "The dice lie as before": N_("Roll them, then OK"),
    "I see no dice": N_("Roll them, then OK"),
    "I am not sure": N_("Roll again, then OK"),
    "Too dark": N_("More light, please"),
    "These dice differ": N_("Roll the same ones, or go back"),
    "Too small for dice": N_("Roll number dice, then OK"),
    "Too large for dice": N_("Roll number dice, then OK"),
}


def _each_certain(reading: Reading) -> bool:
    """Is it doubted only whether another die lies there, unseen in blur or dim light: further throws tell that."""
    unseen = reading.why in (Why.BLURRED, Why.DARK)
    return unseen and all(die.confidence >= ruler().sure_die for die in reading.dice)


def measured(picture: Picture, reading: Reading) -> Measured:
    widths = [(die.box[2] + die.box[3]) / 2 for die in reading.dice]
    return Measured(tuple(widths), tuple(_colours_of(picture, die) for die in reading.dice if die.pips))


def _in_the_dark(picture: Picture, now: Measured) -> bool:
    """Is there too little light for colours: nothing is bright, neither in the picture nor of the dice.

    Dark dice in a bright picture are dark dice; and white pips are bright on a table that is all black.
    """
    brightest = max((max(*die.body, *die.pips) for die in now.colours), default=0.0)
    return brightest < DARKEST_WHITE and light_of(picture) < DARKEST_LIGHT


def _told_apart(kind: Kind) -> bool:
    """Have body and pips two colours. With one, what was taken for pips were none, and nothing can be counted by it."""
    return float(np.linalg.norm(np.subtract(kind.body, kind.pips))) >= LEAST_STEP


def _colours_of(picture: Picture, die: Die) -> Kind:
    """Of the body where most of the die is body, and of its pips in their middles."""
    patch = cv2.getRectSubPix(picture, (max(3, round(die.box[2] / 2)),) * 2, die.centre).reshape(-1, 3)
    pips = np.median([cv2.getRectSubPix(picture, (3, 3), pip).reshape(-1, 3).mean(axis=0) for pip in die.pips], axis=0)
    order = patch[np.argsort(patch @ (pips - np.median(patch, axis=0)))]
    body = order[: max(1, len(order) // 2)].mean(axis=0)
    return Kind(tuple(map(float, body)), tuple(map(float, pips)))


def contradicts(before: tuple[Measured, ...], now: Measured) -> bool:
    """Dice of one throw that differ in size, or that are not those of the throws before: more, fewer, or others.

    What is taken for a die in one throw of three is a token that lay there, and must not be learned as one of the dice.
    """
    if any(abs(width - now.width_px) > ODD_SIZE * now.width_px for width in now.widths_px):
        return True
    if not before:
        return False
    if len(now.widths_px) != len(before[0].widths_px):
        return True
    usual = float(np.median([throw.width_px for throw in before]))
    return abs(now.width_px - usual) > SIZES_DIFFER * usual or _other_colour(before, now)


def _other_colour(before: tuple[Measured, ...], now: Measured) -> bool:
    """Dice of one kind, after dice of one other kind; of mixed dice, others may be taken for each throw."""
    kinds, others = kinds_of([die for throw in before for die in throw.colours]), kinds_of(now.colours)
    return len(kinds) == len(others) == 1 and not alike(kinds[0], others[0])


def colour_word(colour: tuple[float, ...], _: Texts) -> str:
    """What people call a colour (blue, green, red, 0-255)."""
    hue, saturation, value = cv2.cvtColor(np.array([[colour]], np.uint8), cv2.COLOR_BGR2HSV)[0, 0]
    if value < 60:
        return words.colour("black", _)
    if saturation < 70:
        return words.colour("white" if value > 150 else "gray", _)
    return words.colour(next(name for end, name in HUES if hue < end), _)
