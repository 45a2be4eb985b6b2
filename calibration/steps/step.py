"""What every step of a calibration is: a frozen value; pictures, presses and edges in, a page out.

A step says what it needs on the table (`wants`), so that a person, or a drawn table, can lay it there. Nothing is kept
before `Done`, and before that people have seen what was measured, in a `Review`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from calibration.facts import Profile
from companion.events import Button
from companion.locale import Texts
from companion.ports import Colour, Picture
from companion.view import Page, Prompt

Labels: TypeAlias = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Wants:
    """What shall lie in the tray: stickers in its corners, so many number dice, a face of the Wild die; nothing else.

    `throw`: counts up whenever the dice are to be thrown anew. `rolling`: they are watched while they roll.
    """

    stickers: bool = False
    dice: int = 0
    face: str | None = None
    throw: int = 0
    rolling: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """Accepted: `pictures` to keep, by a name of their own, and the profile it makes of the names they were kept by."""

    made: Callable[[Profile, Mapping[str, str]], Profile]
    pictures: Mapping[str, Picture] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Left:
    """The players turned back: everything stays as it was."""


class Step(ABC):
    """One step, or what has become of it so far."""

    __slots__ = ()

    @property
    def wants(self) -> Wants:
        return Wants()

    @property
    def lights(self) -> tuple[Colour, ...]:
        """What the ring shows, first LED first; () for nothing of this step's own."""
        return ()

    @property
    def refused(self) -> bool:
        """Whether what was shown with the last press could not be taken, as the page tells."""
        return False

    def seen(self, picture: Picture, now_s: float) -> Step:
        """A picture, as often as one comes."""
        return self

    def edge(self, button: Button, at_s: float) -> Step:
        """A button's contact opened or closed, bounces and all."""
        return self

    @abstractmethod
    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        """The next step of the same measuring, what came of it, or Left."""

    @abstractmethod
    def page(self, _: Texts) -> Page: ...

    @abstractmethod
    def labels(self, _: Texts) -> Labels: ...


Next: TypeAlias = Step | Done | Left


@dataclass(frozen=True, slots=True, eq=False)
class Review(Step):
    """What was measured, and whether it is good, before it is kept. `again`: the step as it began."""

    done: Done
    again: Step
    told: Callable[[Texts], Prompt]

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return self.again
            case Button.OK:
                return self.done
        return self

    def page(self, _: Texts) -> Page:
        return self.told(_)

    def labels(self, _: Texts) -> Labels:
        return (_("Again"), "", "", _("Keep"))
