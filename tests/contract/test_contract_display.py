"""What every Display does, whatever it is made of."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from luma.core.interface.serial import i2c, spi
from PIL import Image
from pseudo import Line

from companion.ports import DeviceLost, Display
from hardware.ansi import image_lines
from hardware.display_oled import OledDisplay, on_i2c
from hardware.display_png import PngDisplay
from hardware.oled_panel import DRIVERS, Panel
from hardware.sim_panel import SimBus, SimPanel, SimSpi
from hardware.terminal import Terminal, TerminalDisplay


@dataclass
class Bench:
    """A display with its surroundings: `shows` tells whether that picture is seen, `sent` how much reached it so far,
    `pull` pulls its cable. What cannot be told of a real device is None."""

    display: Display
    shows: Callable[[Image.Image], bool] | None = None
    sent: Callable[[], int] | None = None
    pull: Callable[[], None] | None = None


def on_modelled_bus(driver: str) -> Callable[[object], Iterator[Bench]]:
    def make(tmp_path) -> Iterator[Bench]:
        bus = SimBus(SimPanel(driver))
        yield Bench(
            OledDisplay(Panel(driver), lambda: i2c(bus=bus), where="0x3C on I2C bus 1"),
            lambda image: bus.panel.glass().tobytes() == image.tobytes(),
            lambda: bus.transfers,
            lambda: bus.fail(errno.EREMOTEIO),
        )

    return make


def on_modelled_spi(tmp_path) -> Iterator[Bench]:
    wires = SimSpi(SimPanel("sh1106"))
    yield Bench(
        OledDisplay(Panel("sh1106"), lambda: spi(spi=wires, gpio=wires), where="SPI 0.0"),
        lambda image: wires.panel.glass().tobytes() == image.tobytes(),
        None,
        lambda: wires.fail(errno.EIO),
    )


def in_a_terminal(tmp_path) -> Iterator[Bench]:
    line = Line(140, 50)
    rows: dict[int, str] = {}
    sent = 0

    def read() -> int:
        nonlocal sent
        for part in line.received().decode().split("\x1b[0m\x1b[K"):
            sent += len(part)
            place, found, text = part.rpartition("\x1b[")[2].partition(";1H")
            if found:
                rows[int(place)] = text
        return sent

    def shows(image: Image.Image) -> bool:
        read()
        return [rows[row] for row in sorted(rows)] == image_lines(image)

    yield Bench(TerminalDisplay(Terminal(line.slave)), shows, read, line.unplug)
    line.close()


def as_png(tmp_path) -> Iterator[Bench]:
    folder = tmp_path / "screens"

    def shows(image: Image.Image) -> bool:
        with Image.open(max(folder.iterdir())) as last:
            return last.tobytes() == image.tobytes()

    yield Bench(PngDisplay(folder), shows, lambda: len(list(folder.iterdir())), lambda: shutil.rmtree(folder))


def on_the_real_bus(tmp_path) -> Iterator[Bench]:
    yield Bench(OledDisplay(Panel("ssd1306"), on_i2c(), where="0x3C on I2C bus 1"))


@pytest.fixture(
    params=[
        *(pytest.param(on_modelled_bus(driver), id=driver) for driver in DRIVERS),
        pytest.param(on_modelled_spi, id="spi"),
        pytest.param(in_a_terminal, id="terminal"),
        pytest.param(as_png, id="png"),
        pytest.param(on_the_real_bus, id="real", marks=pytest.mark.real),
    ]
)
def bench(request, tmp_path):
    making = request.param(tmp_path)
    bench = next(making)
    yield bench
    bench.display.close()
    assert next(making, None) is None


def screen(x: int) -> Image.Image:
    image = Image.new("1", (128, 64))
    for y in range(64):
        image.putpixel(((x + y) % 128, y), 1)
    return image


def test_a_picture_is_seen_as_it_was_given(bench):
    for x in (0, 17, 127):
        bench.display.show(screen(x))
        assert bench.shows is None or bench.shows(screen(x))


def test_an_equal_picture_is_not_sent_again(bench):
    bench.display.show(screen(3))
    before = bench.sent and bench.sent()
    bench.display.show(screen(3))
    assert (bench.sent and bench.sent()) == before


def test_a_picture_that_is_drawn_on_is_another_one(bench):
    image = screen(3)
    bench.display.show(image)
    image.putpixel((0, 0), 1)
    bench.display.show(image)
    assert bench.shows is None or bench.shows(image)


def test_a_refresh_leaves_the_picture(bench):
    bench.display.refresh()
    bench.display.show(screen(5))
    bench.display.refresh()
    assert bench.shows is None or bench.shows(screen(5))


@pytest.mark.parametrize(
    "picture", [Image.new("1", (64, 128)), Image.new("L", (128, 64)), Image.new("1", (128, 65))], ids=str
)
def test_a_picture_of_another_kind_is_refused(bench, picture):
    with pytest.raises(ValueError, match="128×64 pixels of mode"):
        bench.display.show(picture)


def test_a_pulled_cable_is_a_lost_display_that_still_closes(bench):
    if bench.pull is None:
        pytest.skip("pull the cable of the real one yourself")
    bench.display.show(screen(7))
    bench.pull()
    with pytest.raises(DeviceLost) as lost:
        bench.display.show(screen(8))
    assert lost.value.device == "oled"
    assert lost.value.remedy
    bench.display.close()


def test_closing_twice_is_harmless_and_a_closed_display_shows_nothing(bench):
    bench.display.close()
    bench.display.close()
    with pytest.raises(DeviceLost):
        bench.display.show(screen(9))
