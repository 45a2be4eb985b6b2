"""The ring: how many LEDs, which is first, which way they run, and where seats and board spaces are: a light walks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from calibration.facts import RingFacts
from calibration.steps.step import Done, Labels, Left, Next, Review, Step
from companion.config.parts import MOST_LEDS
from companion.events import Button
from companion.locale import Texts
from companion.ports import Colour
from companion.view import Page, Prompt

LIT: Colour = (200, 200, 200)
DARK: Colour = (0, 0, 0)
LONG_WALK = 10  # LEDs that a long press walks
DIM = 6  # times: what was placed already
FADE_LEDS = 6
FIRST_ASKS = ("leds", "first", "clockwise")


@dataclass(frozen=True, slots=True)
class Place:
    """A seat or a Wild space, to which the light is walked. `turn`: where it is expected, in turns clockwise."""

    name: str
    colour: Colour
    turn: float


@dataclass(frozen=True, slots=True)
class RingStep(Step):
    """`seats`: from the second one on, since the first LED is the first seat's. `wilds`: the board's Wild spaces.

    `regions`: how many spaces go from each Wild space to the next one, itself included. `walked`: LEDs of the places
    that were found so far, seats before spaces.
    """

    today: date
    leds: int = 60
    first: int = 0
    clockwise: bool = True
    seats: tuple[Place, ...] = ()
    wilds: tuple[Place, ...] = ()
    regions: tuple[int, ...] = ()
    asks: int = 0
    walked: tuple[int, ...] = ()
    light: int = 0

    @property
    def places(self) -> tuple[Place, ...]:
        return (*self.seats, *self.wilds)

    @property
    def asked(self) -> str:
        """What is asked now: one of FIRST_ASKS, or "place"."""
        return FIRST_ASKS[self.asks] if self.asks < len(FIRST_ASKS) else "place"

    @property
    def place(self) -> Place:
        return self.places[len(self.walked)]

    @property
    def lights(self) -> tuple[Colour, ...]:
        """The last LED; the first; the first and on from it fading; or dimly what was placed, and the light."""
        shown = [DARK] * max(self.leds, 1)
        match self.asked:
            case "leds":
                shown[self.leds - 1] = LIT
            case "first":
                shown[self.first] = LIT
            case "clockwise":
                for far in range(min(FADE_LEDS, self.leds)):
                    level = LIT[0] * (FADE_LEDS - far) // FADE_LEDS
                    shown[self._on(far)] = (level, level, level)
            case _:
                for place, led in zip(self.places, self.walked, strict=False):
                    shown[led] = _dimmed(place.colour)
                shown[self.light] = LIT
        return tuple(shown)

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return self._back()
            case Button.OK:
                return self._next()
        by = (1 if button is Button.MORE else -1) * (LONG_WALK if held else 1)
        match self.asked:
            case "leds":
                return replace(self, leds=min(MOST_LEDS, max(1, self.leds + by)), first=0)
            case "first":
                return replace(self, first=(self.first + by) % self.leds)
            case "clockwise":
                return replace(self, clockwise=not self.clockwise)
        return replace(self, light=(self.light + (by if self.clockwise else -by)) % self.leds)

    def _back(self) -> Next:
        if self.walked:
            return replace(self, walked=self.walked[:-1], light=self.walked[-1])
        return replace(self, asks=self.asks - 1) if self.asks else Left()

    def _next(self) -> Next:
        step = replace(self, walked=(*self.walked, self.light)) if self.asked == "place" else self
        step = step if step.asked == "place" else replace(step, asks=step.asks + 1)
        if step.asked != "place":
            return step
        return step._reviewed() if len(step.walked) == len(step.places) else replace(step, light=step._expected())

    def _expected(self) -> int:
        """As far on from where the last one of its kind was found as they should lie apart."""
        number = len(self.walked)
        beginning = number in (0, len(self.seats))
        before, place = self.places[number - 1], self.places[number]
        if beginning:
            return self._on(round(place.turn * self.leds))
        apart = round((place.turn - before.turn) * self.leds)
        return (self.walked[-1] + (apart if self.clockwise else -apart)) % self.leds

    def _on(self, leds: int) -> int:
        """So many LEDs clockwise from the first."""
        return (self.first + (leds if self.clockwise else -leds)) % self.leds

    def _reviewed(self) -> Review:
        seats = (self.first, *self.walked[: len(self.seats)])
        spaces = between(self.walked[len(self.seats) :], self.regions, self.leds, clockwise=self.clockwise)
        facts = RingFacts(self.today, self.leds, self.first, self.clockwise, seats, spaces)

        def told(_: Texts) -> Prompt:
            seated = _.ngettext("{n} seat", "{n} seats", len(seats)).format(n=len(seats))
            spaced = _.ngettext("{n} board space", "{n} board spaces", len(spaces)).format(n=len(spaces))
            return Prompt(how_many(self.leds, _), (seated, spaced) if spaces else (seated,))

        again = RingStep(self.today, self.leds, self.first, self.clockwise, self.seats, self.wilds, self.regions)
        return Review(Done(lambda profile, _names: replace(profile, ring=facts)), again, told)

    def page(self, _: Texts) -> Page:
        match self.asked:
            case "leds":
                return Prompt(_("Is the last LED lit?"), (how_many(self.leds, _), _("Hold: ten at once")))
            case "first":
                return Prompt(_("Light to the first seat"), (_("LED {n}").format(n=self.first), _("Hold: ten at once")))
            case "clockwise":
                return Prompt(_("Does it fade clockwise?"), (_("− or + turns it round"),))
        number = len(self.walked)
        if number < len(self.seats):
            title = _("Light to seat {n}: {name}").format(n=number + 2, name=self.place.name)
        else:
            title = _("Light to the Wild space before {name}").format(name=self.place.name)
        return Prompt(title, (_("LED {n}").format(n=self.light),))

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "−", "+", _("OK"))


def between(wilds: tuple[int, ...], regions: tuple[int, ...], leds: int, *, clockwise: bool) -> tuple[int, ...]:
    """The LED of every board space: those of the Wild spaces, and the others evenly between them."""
    way = 1 if clockwise else -1
    found: list[int] = []
    for number, (start, spaces) in enumerate(zip(wilds, regions, strict=True)):
        span = (way * (wilds[(number + 1) % len(wilds)] - start)) % leds or leds
        found += [(start + way * round(span * space / spaces)) % leds for space in range(spaces)]
    return tuple(found)


def _dimmed(colour: Colour) -> Colour:
    red, green, blue = colour
    return (red // DIM, green // DIM, blue // DIM)


def how_many(leds: int, _: Texts) -> str:
    return _.ngettext("{n} LED", "{n} LEDs", leds).format(n=leds)
