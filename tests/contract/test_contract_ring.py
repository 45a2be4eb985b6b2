"""What every Ring does, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from pseudo import Line
from standins import FakeClock

from companion.ports import Colour, DeviceLost, Ring
from hardware.ansi import ring_lines
from hardware.clock import SystemClock
from hardware.ring_serial import SerialRing
from hardware.sim_ring import SimReceiver
from hardware.terminal import Terminal, TerminalRing

LEDS = 24


@dataclass
class Bench:
    """A ring with its surroundings: `shows` tells whether these colours are seen, `pull` pulls its cable."""

    ring: Ring
    shows: Callable[[tuple[Colour, ...]], bool] | None = None
    pull: Callable[[], None] | None = None


def on_a_serial_line() -> Iterator[Bench]:
    line, receiver = Line(), SimReceiver()

    def shows(colours: tuple[Colour, ...]) -> bool:
        receiver.take(line.received())
        assert (receiver.torn, receiver.waiting, bytes(receiver.obeyed)) == (0, 0, b"")
        return receiver.shown[-1] == colours

    yield Bench(SerialRing(line.name, leds=LEDS, clock=FakeClock()), shows, line.unplug)
    line.close()


def in_a_terminal() -> Iterator[Bench]:
    line = Line(80, 24)

    def shows(colours: tuple[Colour, ...]) -> bool:
        return ring_lines(colours)[0] in line.received().decode()

    yield Bench(TerminalRing(Terminal(line.slave)), shows, line.unplug)
    line.close()


def really() -> Iterator[Bench]:
    yield Bench(SerialRing("/dev/companion-ring", leds=LEDS, clock=SystemClock()))


@pytest.fixture(
    params=[
        pytest.param(on_a_serial_line, id="serial"),
        pytest.param(in_a_terminal, id="terminal"),
        pytest.param(really, id="real", marks=pytest.mark.real),
    ]
)
def bench(request):
    making = request.param()
    bench = next(making)
    yield bench
    bench.ring.close()
    assert next(making, None) is None


def colours(first: int) -> tuple[Colour, ...]:
    """Values that no receiver takes for a command, and dim: the port of a real ring may not carry more."""
    return tuple((first + led, 2 * led, 50 - led) for led in range(LEDS))


def test_the_colours_are_seen_first_led_first_as_often_as_they_are_sent(bench):
    for first in (0, 10, 10):
        bench.ring.show(colours(first))
        assert bench.shows is None or first == 10 or bench.shows(colours(first))
    bench.ring.show(colours(20))
    assert bench.shows is None or bench.shows(colours(20))


def test_dark_is_a_colour(bench):
    bench.ring.show(colours(0))
    bench.ring.show([(0, 0, 0)] * LEDS)
    assert bench.shows is None or bench.shows(((0, 0, 0),) * LEDS)


def test_a_pulled_cable_is_a_lost_ring_that_still_closes(bench):
    if bench.pull is None:
        pytest.skip("pull the cable of the real one yourself")
    bench.ring.show(colours(0))
    bench.pull()
    with pytest.raises(DeviceLost) as lost:
        bench.ring.show(colours(1))
    assert lost.value.device == "ring"
    assert lost.value.remedy
    bench.ring.close()


def test_closing_twice_is_harmless_and_a_closed_ring_shows_nothing(bench):
    bench.ring.close()
    bench.ring.close()
    with pytest.raises(DeviceLost):
        bench.ring.show(colours(0))
