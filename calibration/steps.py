"""The steps of a calibration, each a frozen value: pictures and presses in, a page out; nothing is kept before `Done`.

A step says what it needs on the table (`wants`), so that a person, or a drawn table, can lay it there. Every step takes
    seen(picture) -> Step                 a still picture, as often as one comes
    pressed(button, now_s) -> Next        the next step of the same measuring, what came of it, or Left
and shows `page(_)` and `labels(_)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Protocol, TypeAlias

import cv2
import numpy as np

from calibration.judging import Fault, Verdict, judge
from calibration.profile import (
    FACES,
    ButtonsFacts,
    CameraFacts,
    CheckFacts,
    DiceFacts,
    Example,
    Profile,
    RingFacts,
    WildFacts,
)
from calibration.tray import find_markers
from companion.events import Button, Reading
from companion.locale import N_, Texts
from companion.ports import Colour, Picture
from companion.view import Page, Prompt, Rolled, Sign
from companion.vision.wild import NUMBER, Shown, cut, least_likeness, leave_one_out, places

Labels: TypeAlias = tuple[str, str, str, str]
Read: TypeAlias = Callable[[Picture], Reading]
FACE_WORDS = {"lowest": N_("Lowest"), "highest": N_("Highest"), "swap": N_("Swap")}
FACE_SIGNS = {"lowest": Sign.LOWEST, "highest": Sign.HIGHEST, "swap": Sign.SWAP}
EXAMPLES, MORE = 4, 2  # of each face; and when faces are confused
NUMBER_THROWS, DICE_THROWS, CHECK_THROWS = 3, 3, 20
SIZES_DIFFER, COLOURS_DIFFER = 0.15, 70.0  # share of the width; distance in 0-255 levels
BOUNCE_MS = 60.0  # no finger presses twice within it
USUAL_DIE_MM = 16.0


@dataclass(frozen=True, slots=True)
class Wants:
    """What shall lie in the tray: stickers in its corners, so many number dice, a face of the Wild die; nothing else.

    `throw`: counts up whenever the dice are to be thrown anew.
    """

    stickers: bool = False
    dice: int = 0
    face: str | None = None
    throw: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """Accepted: `pictures` to keep, by a name of their own, and the profile it makes of the names they were kept by."""

    made: Callable[[Profile, Mapping[str, str]], Profile]
    pictures: Mapping[str, Picture] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Left:
    """The players turned back: everything stays as it was."""


class Step(Protocol):
    @property
    def wants(self) -> Wants: ...
    @property
    def lights(self) -> tuple[Colour, ...]: ...
    def seen(self, picture: Picture) -> Step: ...
    def pressed(self, button: Button, now_s: float) -> Step | Done | Left: ...
    def page(self, _: Texts) -> Page: ...
    def labels(self, _: Texts) -> Labels: ...


Next: TypeAlias = Step | Done | Left


@dataclass(frozen=True, slots=True, eq=False)
class CameraStep:
    """First the stickers, then the empty tray. `kind`, `device`: as the configuration names the camera.

    `locks`: what the camera fixed itself to, by libcamera's names of controls; empty where it does not tell.
    """

    kind: str
    device: str
    today: date
    locks: Mapping[str, Any] = field(default_factory=dict)
    verdict: Verdict | None = None
    accepted: Verdict | None = None
    empty: Picture | None = None
    fault: Fault | None = None

    @property
    def wants(self) -> Wants:
        return Wants(stickers=self.accepted is None)

    @property
    def lights(self) -> tuple[Colour, ...]:
        return ()

    def seen(self, picture: Picture) -> CameraStep:
        found = find_markers(picture)
        if self.accepted is None:
            return replace(self, verdict=judge(picture, found))
        return replace(self, empty=picture, fault=Fault("not_empty") if found.numbers else None)

    def pressed(self, button: Button, now_s: float) -> Next:
        match button:
            case Button.BACK:
                return Left() if self.accepted is None else replace(self, accepted=None, empty=None)
            case Button.OK if self.accepted is None and self.verdict is not None and self.verdict.good:
                return replace(self, accepted=self.verdict)
            case Button.OK if self.empty is not None and self.fault is None:
                return self._done(self.empty)
        return self

    def _done(self, empty: Picture) -> Done:
        verdict = self.accepted
        assert verdict is not None
        assert verdict.tray is not None
        assert verdict.stickers is not None
        tray, height, width = verdict.tray, empty.shape[0], empty.shape[1]
        facts = CameraFacts(
            made=self.today,
            kind=self.kind,
            device=self.device,
            size=(width, height),
            corners=tuple((round(float(x), 2), round(float(y), 2)) for x, y in tray.corners),
            tray_mm=(round(tray.size_mm[0], 2), round(tray.size_mm[1], 2)),
            to_mm=tuple(float(value) for value in (tray.to_mm / tray.to_mm[2, 2]).ravel()),
            mm_per_px=round(tray.mm_per_px, 5),
            tilt_deg=round(verdict.tilt_deg, 1),
            blur_mm=round(verdict.blur_mm, 2),
            brightness=round(verdict.brightness, 1),
            markers=verdict.stickers.name,
            empty="empty",
            exposure_us=self.locks.get("ExposureTime"),
            gain=self.locks.get("AnalogueGain"),
            white_gains=self.locks.get("ColourGains"),
            lens_dioptres=self.locks.get("LensPosition"),
        )
        return Done(
            lambda profile, names: replace(profile, camera=replace(facts, empty=names["empty"])), {"empty": empty}
        )

    def page(self, _: Texts) -> Page:
        if self.accepted is not None:
            if self.fault is not None:
                return Prompt(_("Markers out, please"), (_("The tray must be empty"),), Sign.HAND)
            return Prompt(_("Empty the tray"), (_("Take the markers out"), _("OK when it is empty")), Sign.HAND)
        if self.verdict is None:
            return Prompt(_("Markers into the corners"), (_("0 far left, then clockwise"),), Sign.DICE)
        if not self.verdict.good:
            title, remedy = self.verdict.faults[0].words(_)
            return Prompt(title, (remedy,), Sign.TROUBLE)
        tray = self.verdict.tray
        assert tray is not None
        size = _("{width} × {depth} mm").format(width=round(tray.size_mm[0]), depth=round(tray.size_mm[1]))
        tilt = _("Tilt {deg}°, sharp and bright").format(deg=round(self.verdict.tilt_deg))
        return Prompt(_("Tray found"), (size, tilt))

    def labels(self, _: Texts) -> Labels:
        good = self.accepted is not None or (self.verdict is not None and self.verdict.good)
        return (_("Back"), "", "", _("OK") if good else "")


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What one throw tells of the dice."""

    width_px: float
    body: tuple[float, ...]
    pips: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DiceStep:
    """The table's own number dice, thrown a few times. `read` reads a picture."""

    read: Read
    today: date
    mm_per_px: float
    picture: Picture | None = None
    throws: tuple[Measured, ...] = ()
    trouble: str = ""
    tried: int = 0

    @property
    def wants(self) -> Wants:
        return Wants(dice=3, throw=self.tried)

    @property
    def lights(self) -> tuple[Colour, ...]:
        return ()

    def seen(self, picture: Picture) -> DiceStep:
        return replace(self, picture=picture)

    def pressed(self, button: Button, now_s: float) -> Next:
        if button is Button.BACK:
            return Left()
        if button is not Button.OK or self.picture is None:
            return self
        again = replace(self, tried=self.tried + 1)
        reading = self.read(self.picture)
        if not reading.sure or not reading.dice:
            return replace(again, trouble=N_("I am not sure"))
        now = _measured(self.picture, reading)
        if self.throws and _contradicts(self.throws[0], now):
            return replace(again, trouble=N_("These dice differ"))
        throws = (*self.throws, now)
        return self._done(throws) if len(throws) == DICE_THROWS else replace(again, throws=throws, trouble="")

    def _done(self, throws: tuple[Measured, ...]) -> Done:
        width = float(np.median([throw.width_px for throw in throws]))
        facts = DiceFacts(
            self.today,
            round(width * self.mm_per_px, 1),
            round(width, 1),
            tuple(round(float(c)) for c in np.median([throw.body for throw in throws], axis=0)),
            tuple(round(float(c)) for c in np.median([throw.pips for throw in throws], axis=0)),
            len(throws),
        )
        return Done(lambda profile, _names: replace(profile, dice=facts))

    def page(self, _: Texts) -> Page:
        count = _("{n} of {all}").format(n=len(self.throws), all=DICE_THROWS)
        return Prompt(_(self.trouble) or _("Roll the number dice"), (_("OK when they lie still"), count), Sign.DICE)

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "", "", _("OK"))


def _measured(picture: Picture, reading: Reading) -> Measured:
    widths = [(die.box[2] + die.box[3]) / 2 for die in reading.dice]
    bodies, pips = [], []
    for die in reading.dice:
        x, y = die.centre
        patch = cv2.getRectSubPix(picture, (max(3, round(die.box[2] / 2)),) * 2, (x, y))
        bodies.append(np.median(patch.reshape(-1, 3), axis=0))
        pips += [cv2.getRectSubPix(picture, (3, 3), pip).reshape(-1, 3).mean(axis=0) for pip in die.pips]
    body = np.median(bodies, axis=0)
    ink = np.median(pips, axis=0) if pips else body
    return Measured(float(np.median(widths)), tuple(map(float, body)), tuple(map(float, ink)))


def _contradicts(one: Measured, two: Measured) -> bool:
    apart = float(np.linalg.norm(np.subtract(one.body, two.body)))
    return abs(one.width_px - two.width_px) > SIZES_DIFFER * one.width_px or apart > COLOURS_DIFFER


@dataclass(frozen=True, slots=True, eq=False)
class WildStep:
    """Each face of the Wild die a few times, turned; then number dice, to be told from it."""

    today: date
    width_px: float
    empty: Picture | None
    mask: Picture | None = None
    picture: Picture | None = None
    shown: tuple[Shown, ...] = ()
    wanted: tuple[str, ...] = tuple(face for face in FACES for _n in range(EXAMPLES))
    numbers: int = 0
    confused: tuple[str, ...] = ()
    trouble: str = ""
    asked_more: bool = False
    tried: int = 0

    @property
    def wants(self) -> Wants:
        return Wants(dice=0 if self.wanted else 3, face=self.wanted[0] if self.wanted else None, throw=self.tried)

    @property
    def lights(self) -> tuple[Colour, ...]:
        return ()

    def seen(self, picture: Picture) -> WildStep:
        return replace(self, picture=picture)

    def pressed(self, button: Button, now_s: float) -> Next:
        if button is Button.BACK:
            return Left()
        if button is not Button.OK or self.picture is None:
            return self
        again = replace(self, tried=self.tried + 1, trouble="")
        lying = places(self.picture, self.width_px, empty=self.empty, mask=self.mask)
        return again._face(lying) if self.wanted else again._numbers(lying)

    def _face(self, lying: list[tuple[float, float]]) -> Next:
        if len(lying) != 1:
            return replace(self, trouble=N_("Only the Wild die, please"))
        assert self.picture is not None
        one = Shown(self.wanted[0], cut(self.picture, lying[0], self.width_px), self.width_px)
        step = replace(self, shown=(*self.shown, one), wanted=self.wanted[1:])
        return step if step.wanted else step._judged()

    def _judged(self) -> WildStep:
        """What leaving one out confuses is asked for again, once; then it is kept as it is, and said."""
        missed = leave_one_out([one for one in self.shown if one.face != NUMBER])
        faces = tuple(face for face in FACES if any(face in pair for pair in missed))
        if faces and not self.asked_more:
            more = tuple(face for face in faces for _n in range(MORE))
            return replace(self, wanted=more, confused=faces, asked_more=True)
        return replace(self, confused=faces)

    def _numbers(self, lying: list[tuple[float, float]]) -> Next:
        if not lying:
            return replace(self, trouble=N_("I see no dice"))
        assert self.picture is not None
        more = tuple(Shown(NUMBER, cut(self.picture, place, self.width_px), self.width_px) for place in lying)
        step = replace(self, shown=(*self.shown, *more), numbers=self.numbers + 1)
        return step._done() if step.numbers == NUMBER_THROWS else step

    def _done(self) -> Done:
        pictures = {f"wild-{one.face}-{n}": one.picture for n, one in enumerate(self.shown, 1)}
        faces = [one.face for one in self.shown]
        least = least_likeness(self.shown)

        def made(profile: Profile, names: Mapping[str, str]) -> Profile:
            examples = tuple(
                Example(face, names[key], round(self.width_px, 1)) for face, key in zip(faces, pictures, strict=True)
            )
            facts = WildFacts(self.today, round(self.width_px, 1), least, examples, self.confused)
            return replace(profile, wild=facts)

        return Done(made, pictures)

    def page(self, _: Texts) -> Page:
        if not self.wanted:
            count = _("{n} of {all}").format(n=self.numbers, all=NUMBER_THROWS)
            return Prompt(_(self.trouble) or _("Now roll number dice"), (_("OK when they lie still"), count), Sign.DICE)
        face = self.wanted[0]
        title = _("Show: {face}").format(face=_(FACE_WORDS[face]))
        if self.trouble:
            title = _(self.trouble)
        elif self.asked_more:
            title = _("{face} is confused: more").format(face=_(FACE_WORDS[face]))
        left = self.wanted.count(face)
        turned = _.ngettext("{n} more time, turned", "{n} more times, turned", left).format(n=left)
        return Prompt(title, (turned, _("OK when it lies still")), FACE_SIGNS[face])

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "", "", _("OK"))


LIT: Colour = (200, 200, 200)
DARK: Colour = (0, 0, 0)
RING_ASKS = ("leds", "first", "clockwise")


@dataclass(frozen=True, slots=True)
class RingStep:
    """The number of LEDs, the first one and their direction, by walking a light with the buttons."""

    today: date
    leds: int = 60
    first: int = 0
    clockwise: bool = True
    asks: int = 0

    @property
    def wants(self) -> Wants:
        return Wants()

    @property
    def lights(self) -> tuple[Colour, ...]:
        """The last LED; the first; or the first brightly and five on from it dimly, in the direction asked about."""
        shown = [DARK] * max(self.leds, 1)
        match RING_ASKS[self.asks]:
            case "leds":
                shown[self.leds - 1] = LIT
            case "first":
                shown[self.first] = LIT
            case _:
                way = 1 if self.clockwise else -1
                for far in range(6):
                    level = 200 - 35 * far
                    shown[(self.first + way * far) % self.leds] = (level, level, level)
        return tuple(shown)

    def seen(self, picture: Picture) -> RingStep:
        return self

    def pressed(self, button: Button, now_s: float) -> Next:
        match button, RING_ASKS[self.asks]:
            case Button.BACK, _:
                return replace(self, asks=self.asks - 1) if self.asks else Left()
            case Button.OK, "clockwise":
                return self._done()
            case Button.OK, _:
                return replace(self, asks=self.asks + 1)
        by = 1 if button is Button.MORE else -1
        match RING_ASKS[self.asks]:
            case "leds":
                return replace(self, leds=min(512, max(1, self.leds + by)), first=0)
            case "first":
                return replace(self, first=(self.first + by) % self.leds)
            case _:
                return replace(self, clockwise=not self.clockwise)

    def _done(self) -> Done:
        facts = RingFacts(self.today, self.leds, self.first, self.clockwise)
        return Done(lambda profile, _names: replace(profile, ring=facts))

    def page(self, _: Texts) -> Page:
        match RING_ASKS[self.asks]:
            case "leds":
                return Prompt(_("Is the last LED lit?"), (_("{n} LEDs").format(n=self.leds),))
            case "first":
                return Prompt(_("Light to the first seat"), (_("LED {n}").format(n=self.first),))
        return Prompt(_("Does it fade clockwise?"), (_("− or + turns it round"),))

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "−", "+", _("OK"))


@dataclass(frozen=True, slots=True)
class ButtonsStep:
    """Each button as it is named; a second press faster than a finger's is a bounce."""

    today: date
    pressed_at: tuple[tuple[Button, float], ...] = ()
    told: int = 0
    wrong: bool = False

    @property
    def wants(self) -> Wants:
        return Wants()

    @property
    def lights(self) -> tuple[Colour, ...]:
        return ()

    def seen(self, picture: Picture) -> ButtonsStep:
        return self

    def pressed(self, button: Button, now_s: float) -> Next:
        step = replace(self, pressed_at=(*self.pressed_at, (button, now_s)))
        bounce = (
            bool(self.pressed_at)
            and self.pressed_at[-1][0] is button
            and 1000 * (now_s - self.pressed_at[-1][1]) < BOUNCE_MS
        )
        if bounce:
            return step
        if button is not tuple(Button)[self.told]:
            return replace(step, wrong=True)
        step = replace(step, told=self.told + 1, wrong=False)
        return step._done() if step.told == len(Button) else step

    def _done(self) -> Done:
        gaps = [
            1000 * (two[1] - one[1])
            for one, two in zip(self.pressed_at, self.pressed_at[1:], strict=False)
            if one[0] is two[0]
        ]
        bounces = [gap for gap in gaps if gap < BOUNCE_MS]
        shortest = round(min(gaps), 1) if gaps else None
        facts = ButtonsFacts(self.today, len(self.pressed_at), len(bounces), shortest)
        return Done(lambda profile, _names: replace(profile, buttons=facts))

    def page(self, _: Texts) -> Page:
        names = (_("1st button"), _("2nd button"), _("3rd button"), _("4th button"))
        title = _("Press the {button}").format(button=names[min(self.told, 3)])
        return Prompt(title, (_("That was another one"),) if self.wrong else (_("Counted from the left"),))

    def labels(self, _: Texts) -> Labels:
        marks = ["", "", "", ""]
        marks[min(self.told, 3)] = _("This")
        return (marks[0], marks[1], marks[2], marks[3])


@dataclass(frozen=True, slots=True, eq=False)
class CheckStep:
    """Throws that people confirm: OK is right, the third button is wrong."""

    read: Read
    today: date
    throws: int = CHECK_THROWS
    picture: Picture | None = None
    reading: Reading | None = None
    told: tuple[str, ...] = ()
    settle_s: tuple[float, ...] = ()
    since_s: float = 0.0

    @property
    def wants(self) -> Wants:
        return Wants(dice=3, throw=len(self.told))

    @property
    def lights(self) -> tuple[Colour, ...]:
        return ()

    def seen(self, picture: Picture) -> CheckStep:
        return replace(self, picture=picture)

    def settled(self, reading: Reading, took_s: float) -> CheckStep:
        """Dice came to lie, and were read `took_s` after they last moved."""
        return replace(self, reading=reading, settle_s=(*self.settle_s, took_s))

    def pressed(self, button: Button, now_s: float) -> Next:
        match button:
            case Button.BACK:
                return Left()
            case Button.OK | Button.MORE if self.reading is not None:
                said = "unsure" if not self.reading.sure else "exact" if button is Button.OK else "wrong"
                step = replace(self, told=(*self.told, said), reading=None)
                return step._done() if len(step.told) == self.throws else step
            case Button.OK if self.picture is not None:
                return replace(self, reading=self.read(self.picture))
        return self

    def _done(self) -> Done:
        count = self.told.count
        settle = round(float(np.median(self.settle_s)), 2) if self.settle_s else None
        facts = CheckFacts(self.today, len(self.told), count("exact"), count("unsure"), count("wrong"), settle)
        return Done(lambda profile, _names: replace(profile, check=facts))

    def page(self, _: Texts) -> Page:
        count = _("{n} of {all}").format(n=len(self.told), all=self.throws)
        if self.reading is None:
            return Prompt(_("Roll the dice"), (_("OK when they lie still"), count), Sign.DICE)
        if not self.reading.sure:
            return Rolled(self.reading.values, self.reading.total, _("I am not sure"), count)
        return Rolled(self.reading.values, self.reading.total, _("Is that right?"), count)

    def labels(self, _: Texts) -> Labels:
        asks = self.reading is not None and self.reading.sure
        return (_("Back"), "", _("Wrong") if asks else "", _("OK"))
