from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import gpiozero
import numpy as np
import pytest
import smbus2
from gpiozero.pins.mock import MockFactory
from pseudo import Line
from standins import FakeClock

from companion.ports import DeviceLost
from hardware import catalogue
from hardware.sim_panel import SimBus, SimPanel
from hardware.terminal import Terminal


@pytest.fixture
def line():
    line = Line(140, 50)
    yield line
    line.close()


def picture(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((20, 30, 3), np.uint8))
    return tmp_path


def test_what_was_opened_and_closed_can_be_opened_again(tmp_path, line, monkeypatch):
    monkeypatch.setattr(smbus2, "SMBus", lambda port: SimBus(SimPanel()))
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory())
    script = tmp_path / "presses.txt"
    script.write_text("OK")
    clock, terminal = FakeClock(), Terminal(line.slave)
    openers = [
        catalogue.folder(clock=clock, path=picture(tmp_path)),
        catalogue.simulated(clock=clock, picture=lambda now_s: np.zeros((2, 2, 3), np.uint8)),
        catalogue.oled(),
        catalogue.png(folder=tmp_path / "screens"),
        catalogue.terminal_display(terminal),
        catalogue.terminal_ring(terminal),
        catalogue.serial_ring(clock=clock, port=line.name, leds=12),
        catalogue.gpio(clock=clock, back=(5,), less=(6,), more=(13,), ok=(19, 26)),
        catalogue.script(clock=clock, script=script, at_step=bool),
    ]
    for open_ in openers:
        for _ in range(2):
            open_().close()


def test_a_turned_camera_turns(tmp_path):
    camera = catalogue.folder(clock=FakeClock(), path=picture(tmp_path), rotate=90)()
    assert camera.frame(1).picture.shape == (30, 20, 3)


@pytest.mark.parametrize(
    ("open_", "message"),
    [
        (lambda clock: catalogue.picamera2(clock=clock), "picamera2 is not installed"),
        (lambda clock: catalogue.usb(clock=clock, device="97"), "there is no camera /dev/video97"),
        (lambda clock: catalogue.video(clock=clock, url="/nowhere/tray.avi"), "there is no video /nowhere/tray.avi"),
        (lambda clock: catalogue.oled(port=97), "the OLED at 0x3c on I2C bus 97 failed"),
        (
            lambda clock: catalogue.serial_ring(clock=clock, port="/dev/nowhere", leds=9),
            "/dev/nowhere cannot be opened",
        ),
    ],
)
def test_what_is_not_there_is_lost_when_it_is_opened_and_not_before(open_, message, monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    opener = open_(FakeClock())
    for _ in range(2):
        with pytest.raises(DeviceLost, match=message):
            opener()


def test_what_cannot_be_at_all_is_refused_at_once():
    with pytest.raises(ValueError, match='"ssd9999" is not one of ssd1306, sh1106, ssd1309'):
        catalogue.oled(driver="ssd9999")
    with pytest.raises(ValueError, match="0 or 180 degrees, not 90"):
        catalogue.oled(rotate=90)
    with pytest.raises(ValueError, match='"/dev/video0" is not a number'):
        catalogue.picamera2(clock=FakeClock(), device="/dev/video0")


def test_no_driver_is_imported_before_it_is_asked_for():
    found = subprocess.run(
        [sys.executable, "-c", "import sys, hardware.catalogue; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert not {"serial", "gpiozero", "luma.oled", "cv2", "picamera2"} & set(found.stdout.split())
