"""What takes each GPIO of the header: no two things may."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.config.kinds import Problems
from companion.config.parts import Buttons, Display, Ring

S = TypeVar("S")
OF_A_BUS = ("port", "spi_device", "bus")  # the keys that choose it


@dataclass(frozen=True, slots=True)
class Taker:
    """By its name; a bus is one thing, however many panels share it. `keys`: those of its `section` that say so."""

    name: str
    section: str
    keys: tuple[str, ...]


def taken_twice(buttons: Sequence[Buttons], displays: Sequence[Display], ring: Ring) -> Problems:
    """Each GPIO that several things take, and which."""
    takers: defaultdict[int, list[Taker]] = defaultdict(list)
    for pin, taker in (*_taken_by_buttons(buttons), *_taken_by_displays(displays), *_taken_by_ring(ring)):
        takers[pin].append(taker)
    for pin, them in takers.items():
        names = dict.fromkeys(taker.name for taker in them)
        if len(names) > 1:
            keys = [f"{taker.section}.{key}" for taker in them for key in taker.keys]
            sections = [taker.section for taker in reversed(them)]
            yield (*keys, *sections), f"each GPIO for one thing (GPIO {pin} is taken by {' and '.join(names)})"


def _taken_by_buttons(buttons: Sequence[Buttons]) -> Iterator[tuple[int, Taker]]:
    for where, path, section in _named("buttons", buttons):
        for key, pins in section.pins.items():
            yield from ((pin, Taker(f"{where}.{key}", path, (key,))) for pin in pins)


def _taken_by_displays(displays: Sequence[Display]) -> Iterator[tuple[int, Taker]]:
    for where, path, section in _named("display", displays):
        for key, pin in section.own_pins.items():
            yield pin, Taker(f"{where}.{key}", path, (key,))
        name = f"{section.bus.upper()} bus {section.bus_number} of the display"
        bus = Taker(name, path, OF_A_BUS)
        yield from ((pin, bus) for pin in section.bus_pins)


def _taken_by_ring(ring: Ring) -> Iterator[tuple[int, Taker]]:
    yield from ((pin, Taker("the UART of the ring", "ring", ("port",))) for pin in ring.uart_pins)


def _named(key: str, sections: Sequence[S]) -> Iterator[tuple[str, str, S]]:
    """Each by what it is called, which has a number only where there are several, and by its place in the file."""
    for number, section in enumerate(sections, 1):
        path = f"{key}[{number}]"
        yield (key if len(sections) == 1 else path), path, section
