"""From looks to a reading: which places are dice, how certain each is, and whether a human must be asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median
from types import MappingProxyType

from companion.events import Die, Reading, Why
from companion.vision.again import DISPUTED
from companion.vision.doubt import TOO_HOT, Company, doubted
from companion.vision.looking import Look
from companion.vision.ruler import Ruler, die_features, logistic, usual_px, value_features
from companion.vision.slant import ALIKE, ALL_ALIKE, APART, aside
from companion.vision.views import apart

TOO_DARK = 45.0  # grey levels: where even a die's brightest tenth is darker, light is what is missing
BLURRED = 0.12  # sharpness below which no value is sure: edges are wider than some 8 of the die's 44 pixels
SOFT = 0.16  # and below which blur is why a value is not; sharp photos have 0.2–0.48;
SOFTER = 0.14  # less will do where two looks see the same dice
COARSE_PX = 30.0  # a die less wide in the picture is coarse rather than blurred, as sharp as it may be
GLARING = 0.12  # share of a face's pixels that are burnt out beside pips that do not add up
TOUCHING = 0.86  # of the mean size: centres closer than that are dice that touch or overlap
INTO_EACH_OTHER = 0.84  # nearer still, one may be the other's side face, or lie on it; hardly any two dice come so near
AGREES, DIFFERS = 3.0, 1 / 3  # times the odds of a value, where pips counted by colours name it, or another one
NOT_COUNTED: Mapping[Look, int] = MappingProxyType({})
LIKELIEST = 0.7  # least chance of a sure value, whatever others say: glare that joins two pips deceives all of them;
AGAINST = 0.8  # where geometry sees another number, as it does on marble at times;
TIED = DISPUTED  # and where other opinions name another number as often: those of a side face, say
AT_ODDS = 4  # opinions that each name another number say nothing, though one of them may name the class's;
IN_THE_DARK = 60.0  # grey levels: where even a die's brightest tenth has fewer, noise may hide a pip of it,
PLAINER = 0.9  # and this is the least chance of its value;
NOT_NOTHING = 0.06  # most chance of no die at a sure one: a dark thing with one gleam is much like a one;
KNOWN_BY_MORE = 0.2  # where the table's own colours name its value, or other plain dice lie that the finder saw alike:
# so like nothing are many ones never seen, and dice in dim light;
ALONE = 0.03  # and where ones lie alone, or one thing does in which geometry sees another number
READABLE = 0.08  # most chance of a die that cannot be read at a sure one: cocked, or held in a hand
MAYBE_READABLE = 0.2  # and at one whose face is seen where those of the other dice are, by two looks;
A_TRAY = 0.33  # of the picture's shorter side: a one so large may be a white tray, and its pip a die;
LARGEST = 0.75  # and whatever is larger, one in which several lie
SHORT = 0.01  # of the least sure confidence: as much as a die is given whose value is asked about for another reason
PLAINLY_ODD = 0.5  # chance of being unreadable from which no value is named, unless it has so much of one,
NAMED = 0.05  # and another opinion names it: a pip in a lamp's ring has, few signs have
HARDLY = 0.3  # chance of a value below which a thing unlike the dice beside it is asked about, and not taken for one
ONE_AT_LEAST = 0.5  # confidence, or chance of being unreadable: what has neither may be another thing;
ODD_AT_LEAST = 0.7  # and where no die has that confidence, or this chance of being unreadable, all may be other things
A_DIE_AT_ALL = 0.01  # most chance of no die at one that cannot be read: blocks, tokens and rubbers mostly have more
PLAIN = 0.8  # chance of a value that another opinion names too, from which it is a die
FAINTLY = 0.25  # heat: where a die was found no better, another one may not have been found at all
UNLIKE = 1.75  # times larger or smaller than the usual die of the roll
MENDED = (
    Why.TOUCHING,
    Why.DARK,
    Why.BLURRED,
    Why.GLARE,
    Why.COCKED,
    Why.NOT_PIPS,
    Why.FAINT,
)  # the sooner, the earlier


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """A look, its chance of being at a die, the confidence in its value, and whether that is beyond question.

    `likely`: it may be taken for a die, by that chance or because it is plainly read, and is not cut off.
    `told`: pips counted by the colours of the table's own dice; None for a thing of other colours. `aside`: how far its
    face is seen from where those of the other dice are; None where nothing tells. `if_flat`: it is certain if that, and
    a second look, show that it lies flat.
    """

    look: Look
    chance: float
    likely: bool
    confidence: float
    certain: bool
    told: int | None
    if_flat: bool
    aside: float | None = None

    @property
    def leans(self) -> bool:
        return self.aside is not None and self.aside > APART

    @property
    def certain_if_twice(self) -> bool:
        return self.certain or (self.if_flat and self.aside is not None and self.aside <= ALIKE)

    @property
    def unread(self) -> bool:
        """Is it likeliest a die that cannot be read, and does no other opinion name a value that the class may see."""
        odd = self.look.chance_unread >= max(self.look.chance, PLAINLY_ODD)
        named = self.look.chance >= NAMED and _votes(self.look, self.told)[self.look.value] > 0
        return odd and not named

    @property
    def a_thing(self) -> bool:
        """Is it likeliest unreadable, and not plainly a die: it is asked about, and not counted as one."""
        return self.unread and self.look.chance_nothing > A_DIE_AT_ALL

    @property
    def confirmed(self) -> bool:
        return self.certain and self.told == self.look.value

    @property
    def vague(self) -> bool:
        """Is it no likelier to be read right, or to be a die that cannot be read, than not."""
        return max(self.confidence, self.look.chance_unread) < ONE_AT_LEAST

    @property
    def telling(self) -> bool:
        """Does it show that there are dice at all: read rather right than wrong, or plainly one that cannot be read."""
        return self.confidence >= ONE_AT_LEAST or self.look.chance_unread >= ODD_AT_LEAST


def verdict(
    looks: Sequence[Look], measure: Ruler, *, count: int | None, counted: Mapping[Look, int] = NOT_COUNTED
) -> Reading:
    """The dice among the looks, and whether all of them, and their number, are certain.

    `count`: how many there must be; where fewer are likely to be dice, the likeliest doubts are shown as dice, too, and
    the reading is unsure. `counted`: pips of dice by the colours of the table's own, one more opinion where they are
    known. Where as many must lie there as they confirm, what has other colours and no certain value is none of them.
    """
    usual = usual_px(looks)
    company = _company(looks)
    judged = [_judge(look, usual, measure, counted, company) for look in looks]
    dice = _dice(judged, company)
    beside = Company(usual, _usual_heat([die.look for die in dice])) if dice else None
    others = [one for one in judged if one not in dice]
    doubts = [one for one in others if (one.a_thing and one.likely) or doubted(one.look, one.chance, measure, beside)]
    dice = _leaning(dice)
    if _all_there(dice, count):
        dice = [die for die in dice if die.told is not None or not die.vague]
        doubts = [one for one in doubts if one.told is not None or one.look.cut]
    if count is not None:
        whole = [one for one in doubts if not one.look.cut]
        dice += sorted(whole, key=lambda one: -one.chance)[: max(0, count - len(dice))]
    why = _why(dice, doubts, measure, count)
    if_twice = why is not None and _why(dice, doubts, measure, count, twice=True) is None
    left = tuple(one.look.place.box for one in doubts if one not in dice)
    dazzled = any(_dazzled(die.look) for die in dice)
    return Reading(tuple(_die(die, measure) for die in dice), why is None, why, left, if_twice, dazzled)


def _company(looks: Sequence[Look]) -> Company | None:
    """What are plainly dice, of two to six pips; None where nothing is."""
    plain = [look for look in looks if look.value > 1 and _plain(look) and look.chance_nothing <= NOT_NOTHING]
    if not plain:
        return None
    return Company(median(look.place.size for look in plain), _usual_heat(plain))


def _usual_heat(looks: Sequence[Look]) -> float:
    return median(look.place.heat for look in looks)


def _judge(look: Look, usual: float, measure: Ruler, counted: Mapping[Look, int], company: Company | None) -> _Judged:
    told = counted.get(look)
    chance = logistic(measure.die_weights, die_features(look, usual))
    confidence = _with_colours(logistic(measure.value_weights, value_features(look, usual)), look, told)
    likely = (chance >= measure.die or _plain(look)) and not look.cut
    sure = confidence >= measure.sure_die and look.chance >= _least_chance(look, told)
    gleams = look.gleam.likely or _dazzled(look)
    read = sure and look.sharp >= BLURRED and not gleams and _opinions_agree(look, told)
    certain = read and _lies_plainly(look, company, told)
    return _Judged(look, chance, likely, confidence, certain, told, read and _may_lie_plainly(look, company))


def _dice(judged: Sequence[_Judged], company: Company | None) -> list[_Judged]:
    """What is likely to be a die, or plainly read, and no stranger; but none where nothing of it is telling."""
    dice = [one for one in judged if one.likely and not (one.a_thing or _stranger(one.look, company))]
    return dice if any(die.telling for die in dice) else []


def _leaning(dice: Sequence[_Judged]) -> list[_Judged]:
    """The same, those that lean, or are another thing, not certain: all that lies flat shows its face alike.

    Nor is any die certain for where its face lies, if another one's face is somewhat aside.
    """
    far = aside([die.look for die in dice])
    alike = max((each for each in far if each is not None), default=0.0) <= ALL_ALIKE
    seen = [replace(die, aside=each, if_flat=die.if_flat and alike) for die, each in zip(dice, far, strict=True)]
    return [replace(die, certain=False) if die.leans else die for die in seen]


def _stranger(look: Look, company: Company | None) -> bool:
    """Is it unlike the plain dice beside it, and no value likely, nor plainly a sign: a marble, a block of wood."""
    unlike = company is not None and not company.matches(look) and look.place.heat < TOO_HOT
    a_sign = look.chance_unread >= PLAINLY_ODD and look.chance_nothing <= A_DIE_AT_ALL
    return unlike and look.chance < HARDLY and not a_sign


def _plain(look: Look) -> bool:
    """A face that is plainly read, however faintly the finder saw a die there: on ground strewn with spots, say."""
    return look.chance >= PLAIN and _opinions_agree(look)


def _opinions_agree(look: Look, counted: int | None = None) -> bool:
    """Do other opinions name the class's value: one at least, no other number more often, and not each another one.

    They are the network's pips, counted in each look, the spots that geometry finds, and the pips `counted` by the
    colours of the table's dice, which are enough alone.
    """
    votes = _votes(look, counted)
    named = 0 < votes[look.value] == max(votes.values()) and (votes[look.value] > 1 or len(votes) < AT_ODDS)
    return counted == look.value or (named and not _lacks_middle(look))


def _votes(look: Look, counted: int | None) -> Counter[int]:
    """How many other opinions name each number."""
    return Counter(told for told in (len(look.pips), *look.recounts, look.spotted, counted) if told is not None)


def _least_chance(look: Look, counted: int | None) -> float:
    """How likely a value must be to the class itself, whatever others say, to be sure; more in the dark."""
    least = _least_in_light(look, counted)
    return max(least, PLAINER) if look.bright < IN_THE_DARK else least


def _least_in_light(look: Look, counted: int | None) -> float:
    votes = _votes(look, counted)
    own = votes.pop(look.value, 0)
    if counted != look.value and max(votes.values(), default=0) >= own > 0:
        return TIED
    return LIKELIEST if look.spotted in (None, look.value) else AGAINST


def _lies_plainly(look: Look, company: Company | None, told: int | None) -> bool:
    """Is it plainly a die that lies flat: no other thing with one spot, not held, no tray in which a die lies."""
    known = told == look.value or (company is not None and company.matches(look))
    most = KNOWN_BY_MORE if known else NOT_NOTHING
    return look.chance_nothing <= most and look.chance_unread <= READABLE and not _a_tray(look)


def _may_lie_plainly(look: Look, company: Company | None) -> bool:
    """Might it, though somewhat like a die that leans, or, beside dice, like no die: but many things have one spot."""
    most = NOT_NOTHING if look.value == 1 or company is None else KNOWN_BY_MORE
    return look.chance_nothing <= most and look.chance_unread <= MAYBE_READABLE and not _a_tray(look)


def _a_tray(look: Look) -> bool:
    return look.filling > (A_TRAY if look.value == 1 else LARGEST)


def _lacks_middle(look: Look) -> bool:
    """A two or four, not read at first glance, in which geometry sees one pip more: glare hides one in the middle."""
    return bool(look.recounts) and look.value in (2, 4) and look.spotted == look.value + 1


def _with_colours(chance: float, look: Look, counted: int | None) -> float:
    """The chance of the value, once pips were counted by colours too; as it was where they were not."""
    if counted is None:
        return chance
    odds = chance / (1 - chance) * (AGREES if counted == look.value else DIFFERS)
    return odds / (1 + odds)


def _die(die: _Judged, measure: Ruler) -> Die:
    """As a reading tells it: without a value if it cannot be read, less sure than a sure one if it is asked about, even
    if two looks see the same."""
    look, box = die.look, die.look.place.box
    if die.unread:
        return Die(None, box, 0.0, ())
    most = 1.0 if die.certain_if_twice else measure.sure_die - SHORT
    return Die(look.value, box, round(min(die.confidence, most), 4), look.shown)


def _all_there(dice: Sequence[_Judged], count: int | None) -> bool:
    """Must as many lie there as are beyond question, by the colours of the table's own dice too."""
    return bool(count) and count == sum(die.confirmed for die in dice)


def _why(
    dice: Sequence[_Judged], doubts: Sequence[_Judged], measure: Ruler, count: int | None, *, twice: bool = False
) -> Why | None:
    """The reason to ask a human, None for none; what a player can mend first comes first.

    `twice`: if two looks see the same. Then none of these is another one's side, or half of what the rim cuts, and none
    was overlooked beside them, though they were found faintly, or are somewhat blurred.
    """
    if count is not None and len(dice) != count:
        return Why.COUNT if dice else Why.STRAY if doubts else Why.EMPTY
    looks = [die.look for die in dice]
    weak = [die for die in dice if not (die.certain_if_twice if twice else die.certain)]
    if weak:
        return min((_why_weak(die, looks) for die in weak), key=MENDED.index)
    if not twice and _into_each_other(looks):
        return Why.TOUCHING
    if doubts:
        return Why.CUT if all(one.look.cut for one in doubts) else Why.STRAY
    if count is None and any(die.told is None and _soft(die.look, SOFTER if twice else SOFT) for die in dice):
        return Why.BLURRED  # another die, smaller or paler, may not be seen at all
    all_right = math.prod(die.confidence for die in dice)
    faint = not twice and any(look.place.heat < FAINTLY for look in looks)
    guessed = all_right < measure.sure_roll or faint or _maybe_none(looks)
    at_rim = not twice and any(look.at_rim for look in looks)
    return Why.FAINT if (guessed and not _all_there(dice, count)) or at_rim or _unlike(looks) else None


def _dazzled(look: Look) -> bool:
    """Does it show what a lamp plainly makes of it, and not the one pip less that is seen without that."""
    return look.gleam.plain and look.value >= len(look.pips)


def _soft(look: Look, least: float) -> bool:
    return look.sharp < least and look.place.size >= COARSE_PX


def _why_weak(die: _Judged, dice: Sequence[Look]) -> Why:
    look = die.look
    if any(apart(look.place, other.place) < TOUCHING for other in dice if other is not look):
        return Why.TOUCHING
    if look.bright < TOO_DARK:
        return Why.DARK
    if look.sharp < SOFT:
        return Why.BLURRED
    if any(look.gleam) or (look.glare > GLARING and len(look.pips) != look.value):
        return Why.GLARE
    if die.leans:
        return Why.COCKED
    if look.chance_unread > 0.25:
        return Why.COCKED if len(look.pips) > 1 else Why.NOT_PIPS
    return Why.FAINT


def _maybe_none(dice: Sequence[Look]) -> bool:
    """Do ones lie alone, or one thing in which geometry sees another number: a marble with a gleam, a button."""
    ones = all(look.value == 1 for look in dice)
    contradicted = len(dice) == 1 and dice[0].spotted not in (None, dice[0].value)
    return (ones or contradicted) and any(look.chance_nothing > ALONE for look in dice)


def _into_each_other(dice: Sequence[Look]) -> bool:
    return any(apart(one.place, two.place) < INTO_EACH_OTHER for one, two in combinations(dice, 2))


def _unlike(dice: Sequence[Look]) -> bool:
    """Is one much larger or smaller than the usual die, or of two, than the other: held up, say, or two seen as one."""
    if len(dice) < 2:
        return False
    sizes = sorted(look.place.size for look in dice)
    lower, upper = sizes[(len(sizes) - 1) // 2], sizes[len(sizes) // 2]
    return sizes[-1] > lower * UNLIKE or sizes[0] < upper / UNLIKE
