"""The Wild die: each face a few times, turned; then number dice, to be told from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from calibration.facts import Example, Profile, WildFacts
from calibration.steps.step import Done, Labels, Left, Next, Review, Step, Wants
from companion.events import Button
from companion.games.roll import FACES
from companion.locale import N_, Texts
from companion.ports import Mask, Picture
from companion.view import Page, Prompt, Sign
from companion.vision.wild import (
    NUMBER,
    Level,
    Shown,
    Top,
    WildReader,
    as_seen,
    cut,
    here,
    least_likeness,
    leave_one_out,
    places,
)

FACE_WORDS = {"lowest": N_("Lowest"), "highest": N_("Highest"), "swap": N_("Swap")}
FACE_SIGNS = {"lowest": Sign.LOWEST, "highest": Sign.HIGHEST, "swap": Sign.SWAP}
EXAMPLES, MORE, ROUNDS = 4, 2, 2  # of each face; when faces are confused; and how often that is asked for
SELDOM = 0.2  # share of a face's examples that may only be unsure: one in many was a little askew
NUMBER_THROWS, USUAL_DICE = 3, 3
LEFT_THERE = N_("Take the Wild die out")  # said once: a number die that looks so shall be told from it, too

Confused = tuple[tuple[str, str], ...]  # a face, and the one it is taken for; "" where it is only not sure


@dataclass(frozen=True, slots=True, eq=False)
class WildStep(Step):
    """`width_px`: of a die's top. `wanted`: the faces still to be shown. `rounds`: how often more were asked for.

    `top`, `level`: see WildReader.
    """

    today: date
    width_px: float
    empty: Picture | None
    mask: Mask | None = None
    top: Top = here
    level: Level = as_seen
    picture: Picture | None = None
    shown: tuple[Shown, ...] = ()
    wanted: tuple[str, ...] = tuple(face for face in FACES for _n in range(EXAMPLES))
    numbers: int = 0
    confused: Confused = ()
    trouble: str = ""
    rounds: int = 0
    tried: int = 0

    @property
    def wants(self) -> Wants:
        face = self.wanted[0] if self.wanted else None
        return Wants(dice=0 if self.wanted else USUAL_DICE, face=face, throw=self.tried)

    @property
    def refused(self) -> bool:
        return bool(self.trouble)

    def seen(self, picture: Picture, now_s: float) -> WildStep:
        return replace(self, picture=picture)

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return self._back()
            case Button.OK if self.picture is not None:
                again = replace(self, tried=self.tried + 1, trouble="")
                seen = places(self.picture, self.width_px, empty=self.empty, mask=self.mask)
                lying = [self.top(place) for place in seen]
                if self.wanted:
                    return again._face(self.picture, lying)
                if self.trouble != LEFT_THERE and self._wild_among(self.picture, lying):
                    return replace(again, trouble=LEFT_THERE)
                return again._numbers(self.picture, lying)
        return self

    def _back(self) -> Next:
        """The example shown last is taken back, or all throws of number dice; before any, people leave."""
        if self.numbers:
            faces = tuple(one for one in self.shown if one.face != NUMBER)
            return replace(self, shown=faces, numbers=0, trouble="")
        if not self.shown:
            return Left()
        *kept, last = self.shown
        return replace(self, shown=tuple(kept), wanted=(last.face, *self.wanted), trouble="")

    def _face(self, picture: Picture, lying: list[tuple[float, float]]) -> Next:
        if len(lying) != 1:
            return replace(self, trouble=N_("Only the Wild die, please") if lying else N_("I see no die"))
        one = self._cut(self.wanted[0], picture, lying[0])
        step = replace(self, shown=(*self.shown, one), wanted=self.wanted[1:])
        return step if step.wanted else step._judged()

    def _cut(self, face: str, picture: Picture, place: tuple[float, float]) -> Shown:
        return Shown(face, cut(picture, place, self.width_px, self.level(place)), self.width_px)

    def _judged(self) -> WildStep:
        """What leaving one out confuses is asked for again, a few times; then it is kept as it is, and said."""
        confused = confusing(leave_one_out(self.shown), [one.face for one in self.shown])
        step = replace(self, confused=confused)
        if not confused or self.rounds == ROUNDS:
            return step
        more = tuple(face for face in confused_faces(confused) for _n in range(MORE))
        return replace(step, wanted=more, rounds=self.rounds + 1)

    def _wild_among(self, picture: Picture, lying: list[tuple[float, float]]) -> bool:
        """Is the Wild die surely there, by its faces alone: it would be learned as a number die."""
        faces = [one for one in self.shown if one.face != NUMBER]
        reader = WildReader(faces, width_px=self.width_px, level=self.level)
        return any(reader.like(picture, place).sure for place in lying)

    def _numbers(self, picture: Picture, lying: list[tuple[float, float]]) -> Next:
        if not lying:
            return replace(self, trouble=N_("I see no dice"))
        more = tuple(self._cut(NUMBER, picture, place) for place in lying)
        step = replace(self, shown=(*self.shown, *more), numbers=self.numbers + 1)
        return step if step.numbers < NUMBER_THROWS else step._reviewed()

    def _reviewed(self) -> Review:
        pictures = {f"wild-{one.face}-{n}": one.picture for n, one in enumerate(self.shown, 1)}
        faces = [one.face for one in self.shown]
        least = least_likeness(self.shown)
        confused = confused_faces(self.confused)

        def made(profile: Profile, names: Mapping[str, str]) -> Profile:
            examples = tuple(
                Example(face, names[key], round(self.width_px, 1)) for face, key in zip(faces, pictures, strict=True)
            )
            return replace(profile, wild=WildFacts(self.today, round(self.width_px, 1), least, examples, confused))

        def told(_: Texts) -> Prompt:
            count = _.ngettext("{n} example", "{n} examples", len(faces)).format(n=len(faces))
            if not self.confused:
                return Prompt(_("I know all faces"), (count,), Sign.WILD)
            return Prompt(confusion(self.confused[0], _), (_("I will often ask"), count), Sign.TROUBLE)

        again_from = WildStep(self.today, self.width_px, self.empty, self.mask, self.top, self.level)
        return Review(Done(made, pictures), again_from, told)

    def page(self, _: Texts) -> Page:
        if not self.wanted:
            count = _("{n} of {all}").format(n=self.numbers, all=NUMBER_THROWS)
            if self.trouble == LEFT_THERE:
                return Prompt(_(LEFT_THERE), (_("OK if it is out"), count), Sign.TROUBLE)
            return Prompt(_(self.trouble) or _("Now roll number dice"), (_("OK when they lie still"), count), Sign.DICE)
        face = self.wanted[0]
        lines = (how_often(self.wanted.count(face), _), _("OK when it lies still"))
        if self.trouble:
            return Prompt(_(self.trouble), (shown_face(face, _), lines[1]), Sign.TROUBLE)
        if pair := next((pair for pair in self.confused if face in pair), None):
            lines = (confusion(pair, _), lines[0])
        return Prompt(shown_face(face, _), lines, FACE_SIGNS[face])

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "", "", _("OK") if self.picture is not None else "")


def confusing(missed: Confused, faces: Sequence[str]) -> Confused:
    """Of the examples that the others do not tell: those taken for another face, then those of faces often missed."""
    often = {face for face in faces if missed.count((face, "")) > SELDOM * faces.count(face)}
    told = dict.fromkeys(pair for pair in missed if pair[1] or pair[0] in often)
    return tuple(sorted(told, key=lambda pair: not pair[1]))


def confused_faces(confused: Confused) -> tuple[str, ...]:
    """The faces of which more examples may help."""
    return tuple(face for face in FACES if any(face in pair for pair in confused))


def shown_face(face: str, _: Texts) -> str:
    return _("Show: {face}").format(face=_(FACE_WORDS[face]))


def how_often(left: int, _: Texts) -> str:
    return _.ngettext("{n} more time, turned", "{n} more times, turned", left).format(n=left)


def confusion(pair: tuple[str, str], _: Texts) -> str:
    face, other = pair
    if not other:
        return _("{face} is not sure yet").format(face=_(FACE_WORDS[face]))
    return _("{face} looks like {other}").format(face=_(FACE_WORDS[face]), other=_(FACE_WORDS[other]))
