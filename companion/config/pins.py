"""What takes each GPIO of the header: no two things may."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from companion.config.kinds import Problems
from companion.config.parts import Buttons, Display

S = TypeVar("S")


def taken_twice(buttons: Sequence[Buttons], displays: Sequence[Display]) -> Problems:
    """Each GPIO that several things take, and which. A bus is one thing, however many panels share it."""
    takers: defaultdict[int, dict[str, str]] = defaultdict(dict)  # by name, with the section that is at fault
    for pin, name in _taken_by_buttons(buttons):
        takers[pin][name] = "buttons"
    for pin, name in _taken_by_displays(displays):
        takers[pin][name] = "display"
    for pin, sections in takers.items():
        if len(sections) > 1:
            key = next(iter(sections.values()))
            yield key, f"each GPIO for one thing (GPIO {pin} is taken by {' and '.join(sections)})"


def _taken_by_buttons(buttons: Sequence[Buttons]) -> Iterator[tuple[int, str]]:
    for where, section in _named("buttons", buttons):
        for key, pins in section.pins.items():
            yield from ((pin, f"{where}.{key}") for pin in pins)


def _taken_by_displays(displays: Sequence[Display]) -> Iterator[tuple[int, str]]:
    for where, section in _named("display", displays):
        for key, pin in section.own_pins.items():
            yield pin, f"{where}.{key}"
        yield from ((pin, f"{section.bus.upper()} bus {section.bus_number} of the display") for pin in section.bus_pins)


def _named(key: str, sections: Sequence[S]) -> Iterator[tuple[str, S]]:
    """Each by its key, with its number where there are several."""
    for number, section in enumerate(sections, 1):
        yield (key if len(sections) == 1 else f"{key}[{number}]"), section
