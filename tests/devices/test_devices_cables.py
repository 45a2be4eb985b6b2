"""Every cable can be pulled at any time: real drivers under their supervisors, back within 5 s of the cable."""

from __future__ import annotations

import errno
from functools import partial
from itertools import groupby

import numpy as np
import pytest
from luma.core.interface.serial import i2c, spi
from PIL import Image
from pseudo import Line
from standins import FakeClock

from companion.devices import CameraWorker, DisplayWorker, RingWorker, Worker
from companion.events import DeviceChanged, Health
from companion.ports import DeviceLost, Frame
from companion.screen import draw
from hardware.camera_simulated import SimulatedCamera
from hardware.display_oled import OledDisplay
from hardware.oled_panel import DRIVERS, Panel
from hardware.ring_serial import SerialRing
from hardware.sim_panel import SimBus, SimPanel, SimSpi
from hardware.sim_ring import SimReceiver
from tests.app.screens import VIEWS

BACK_S = 5.0
LEDS = 16
COLOURS = tuple((led, 30, 200) for led in range(LEDS))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def said() -> list[DeviceChanged]:
    return []


def run(worker: Worker, clock: FakeClock, seconds: float) -> None:
    """Takes the worker's turns, as its thread would."""
    end_s = clock.now_s() + seconds
    while clock.now_s() < end_s:
        wait_s = worker.turn(clock.now_s())
        clock.sleep(
            min(end_s - clock.now_s(), 60 if wait_s is None else max(wait_s, 0.01)) if clock.now_s() < end_s else 0
        )


def healths(said) -> list[Health]:
    """How the health changed; a lost device may tell another reason later."""
    return [health for health, _ in groupby(fact.health for fact in said)]


FIRST, LATER, NEWEST = (draw(VIEWS[name]) for name in ("prompt_roll", "rolled_three", "rolled_unsure"))


@pytest.fixture(params=[(driver, wired) for driver in DRIVERS for wired in ("i2c", "spi")], ids="-".join)
def wires(request) -> tuple[str, SimBus | SimSpi]:
    """A panel of each kind on each kind of wires."""
    driver, wired = request.param
    return driver, SimBus(SimPanel(driver)) if wired == "i2c" else SimSpi(SimPanel(driver))


@pytest.fixture
def bus(wires) -> SimBus | SimSpi:
    return wires[1]


@pytest.fixture
def oled(wires, clock, said) -> DisplayWorker:
    driver, bus = wires
    panel = Panel(driver)
    connect = partial(i2c, bus=bus) if isinstance(bus, SimBus) else partial(spi, spi=bus, gpio=bus)
    worker = DisplayWorker(lambda: OledDisplay(panel, connect, where="here"), said.append, clock=clock)
    worker.show(FIRST)
    run(worker, clock, 1)
    return worker


def seen(bus: SimBus | SimSpi, image: Image.Image) -> bool:
    return bus.panel.glass().tobytes() == image.tobytes()


@pytest.mark.parametrize("fault", [errno.EIO, errno.ENXIO, errno.EREMOTEIO, errno.ETIMEDOUT])
@pytest.mark.parametrize("away_s", [0.5, 7.0, 1000.0])
def test_an_oled_off_its_bus_shows_the_newest_picture_within_5_s_of_its_return(bus, oled, clock, said, fault, away_s):
    bus.fail(fault)
    run(oled, clock, 4)
    oled.show(LATER)
    run(oled, clock, away_s)
    oled.show(NEWEST)
    bus.panel.power_off()
    bus.panel.power_on()
    bus.mend()
    run(oled, clock, BACK_S)
    assert seen(bus, NEWEST)
    assert healths(said) == [Health.OK, Health.LOST, Health.OK]


def test_an_oled_that_lost_power_silently_is_lit_again_within_5_s_without_anybody_noticing(bus, oled, clock, said):
    bus.panel.power_off()
    bus.panel.power_on()
    assert not bus.panel.lit
    run(oled, clock, BACK_S)
    assert seen(bus, FIRST)
    assert healths(said) == [Health.OK]


@pytest.fixture
def plugged(tmp_path):
    """Plugs a new line in at the ring's place; the old one is pulled before."""
    lines: list[Line] = []
    place = tmp_path / "ring"

    def plug() -> Line:
        pull()
        lines.append(Line())
        place.symlink_to(lines[-1].name)
        return lines[-1]

    def pull() -> None:
        if lines:
            lines[-1].close()
            lines.clear()
        place.unlink(missing_ok=True)

    yield place, plug, pull
    pull()


@pytest.mark.parametrize("away_s", [0.5, 7.0, 1000.0])
def test_a_ring_unplugged_shows_the_newest_colours_within_5_s_of_its_return(plugged, clock, said, away_s):
    place, plug, pull = plugged
    line = plug()
    worker = RingWorker(lambda: SerialRing(str(place), leds=LEDS, clock=clock), said.append, clock=clock)
    worker.show([(0, 0, 0)] * LEDS)
    run(worker, clock, 1)
    line.received()
    pull()
    run(worker, clock, away_s)
    worker.show(COLOURS)
    line = plug()
    run(worker, clock, BACK_S)
    receiver = SimReceiver()
    receiver.take(line.received())
    assert receiver.shown[-1] == COLOURS
    assert (bytes(receiver.obeyed), receiver.torn) == (b"", 0)
    assert healths(said) == [Health.OK, Health.LOST, Health.OK]
    worker.finish()


def test_a_ring_that_is_busy_is_taken_within_5_s_of_its_release(plugged, clock, said):
    place, plug, _ = plugged
    plug()
    other = SerialRing(str(place), leds=LEDS, clock=clock)
    worker = RingWorker(lambda: SerialRing(str(place), leds=LEDS, clock=clock), said.append, clock=clock)
    run(worker, clock, 20)
    other.close()
    run(worker, clock, BACK_S)
    assert healths(said) == [Health.LOST, Health.OK]
    assert "end the other program that uses it" in said[0].detail
    worker.finish()


def test_the_ring_gets_a_frame_every_second_or_more_often_while_nothing_changes(plugged, clock, said):
    place, plug, _ = plugged
    line = plug()
    worker = RingWorker(lambda: SerialRing(str(place), leds=LEDS, clock=clock), said.append, clock=clock)
    worker.show(COLOURS)
    run(worker, clock, 10)
    receiver = SimReceiver()
    receiver.take(line.received())
    assert len(receiver.shown) >= 11
    assert set(receiver.shown) == {COLOURS}
    worker.finish()


def test_a_camera_unplugged_delivers_within_5_s_of_its_return(clock, said):
    cable = [True]

    def look(now_s: float):
        if not cable[0]:
            raise DeviceLost("camera", "the camera is gone", "check its cable")
        return np.zeros((4, 4, 3), np.uint8)

    def opened() -> SimulatedCamera:
        look(0)
        return SimulatedCamera(look, clock=clock)

    frames: list[Frame] = []
    worker = CameraWorker(opened, said.append, clock=clock, deliver=frames.append)
    run(worker, clock, 1)
    cable[0] = False
    run(worker, clock, 1000)
    frames.clear()
    cable[0] = True
    run(worker, clock, BACK_S)
    assert len(frames) > 10
    assert healths(said) == [Health.OK, Health.LOST, Health.OK]
    worker.finish()
