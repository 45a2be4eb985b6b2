from __future__ import annotations

import atexit
import errno
import sys

import gpiozero
import pytest
import smbus2
from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import i2c, spi
from PIL import Image, ImageDraw

from companion.ports import DeviceLost
from hardware.display_oled import OledDisplay, on_i2c, on_spi
from hardware.oled_panel import DRIVERS, Panel
from hardware.sim_panel import SimBus, SimPanel, SimSpi

FAULTS = [errno.EIO, errno.ENXIO, errno.EREMOTEIO, errno.ETIMEDOUT]
DARK = Image.new("1", (128, 64))


def picture(text: str) -> Image.Image:
    """Unlike under any mirroring, turning or shifting, up to the last row and column."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.text((3, 2), text, fill=1)
    draw.line((0, 63, 90, 40), fill=1)
    draw.point([(0, 0), (127, 0), (127, 63), (125, 62)], fill=1)
    return image


ANA, BO = picture("Ana rolls"), picture("Bo rolls")


def bus_display(driver="ssd1306", **settings):
    """A display on a modelled bus; both."""
    bus = SimBus(SimPanel(driver))
    panel = Panel(driver, **settings)
    return bus, OledDisplay(panel, lambda: i2c(bus=bus), where="0x3C on I2C bus 1")


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_glass_shows_the_picture_to_the_pixel(driver):
    bus, display = bus_display(driver)
    assert bus.panel.lit
    assert same(bus.panel.glass(), DARK)
    for image in (ANA, BO, DARK):
        display.show(image)
        assert same(bus.panel.glass(), image)


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_panel_mounted_upside_down_is_turned(driver):
    bus, display = bus_display(driver, rotate_deg=180)
    display.show(ANA)
    assert same(bus.panel.glass(), ANA.transpose(Image.Transpose.ROTATE_180))


def test_the_contrast_reaches_the_panel_and_survives_a_refresh():
    bus, display = bus_display(contrast=33)
    display.show(ANA)
    display.refresh()
    assert bus.panel.registers.contrast == 33


def test_an_equal_picture_is_not_sent_again():
    bus, display = bus_display()
    display.show(ANA)
    sent = bus.transfers
    display.show(ANA.copy())
    assert bus.transfers == sent


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_at_any_transfer_is_a_lost_display_that_comes_back(driver, fault):
    bus, display = bus_display(driver)
    before = bus.transfers
    display.show(ANA)
    transfers = bus.transfers - before
    assert transfers > 8
    for number in range(0, transfers, 3):
        display.show(BO)
        bus.fail(fault, after=number)
        with pytest.raises(DeviceLost, match=r"the OLED at 0x3C on I2C bus 1 failed: .*check its wires"):
            display.show(ANA)
        bus.mend()
        display.show(ANA)
        assert same(bus.panel.glass(), ANA)


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_panel_that_lost_power_silently_is_dark_until_refreshed(driver):
    bus, display = bus_display(driver)
    display.show(ANA)
    bus.panel.power_off()
    bus.panel.power_on()
    display.show(ANA)
    assert same(bus.panel.glass(), DARK)
    display.refresh()
    assert same(bus.panel.glass(), ANA)


def test_a_refresh_never_switches_a_healthy_panel_off():
    bus, display = bus_display()
    display.show(ANA)
    seen = []
    command = bus.panel.command
    bus.panel.command = lambda data: (command(data), seen.append(bus.panel.lit))
    display.refresh()
    assert len(seen) >= 3
    assert all(seen)


@pytest.mark.parametrize("driver", DRIVERS)
def test_what_its_memory_held_is_never_seen(driver):
    bus = SimBus(SimPanel(driver, contents=7))
    seen = []
    transfer = bus._transfer
    bus._transfer = lambda *args: (transfer(*args), seen.append(bus.panel.glass()))
    display = OledDisplay(Panel(driver), lambda: i2c(bus=bus), where="here")
    display.show(DARK)
    display.refresh()
    assert len(seen) > 40
    assert all(same(glass, DARK) for glass in seen)


@pytest.mark.parametrize("cut", [[0x21, 0], [0x26]])
def test_a_command_cut_off_by_an_error_does_not_swallow_the_next_set_up(cut):
    bus, display = bus_display()
    display.show(ANA)
    bus.panel.command(cut)
    seen, command = [], bus.panel.command
    bus.panel.command = lambda data: (command(data), seen.append(bus.panel.lit))
    OledDisplay(Panel("ssd1306"), lambda: i2c(bus=bus), where="here")
    assert False in seen, "switched off while it is set up"
    assert same(bus.panel.glass(), DARK)


def test_no_panel_at_the_address_is_a_lost_display():
    with pytest.raises(DeviceLost, match="I2C device not found on address: 0x3C; check its wires, and address"):
        OledDisplay(Panel("ssd1306"), lambda: i2c(bus=SimBus(SimPanel(), address=0x3D)), where="here")


def test_opening_again_and_again_piles_up_no_exit_hooks():
    bus = SimBus(SimPanel())
    panel = Panel("ssd1306")
    before = atexit._ncallbacks()
    for _ in range(20):
        bus.fail(errno.EIO)
        with pytest.raises(DeviceLost):
            OledDisplay(panel, lambda: i2c(bus=bus), where="here")
        bus.mend()
        OledDisplay(panel, lambda: i2c(bus=bus), where="here").close()
    assert atexit._ncallbacks() == before


def test_the_picture_stays_when_the_display_is_closed_and_the_program_ends():
    bus = SimBus(SimPanel())
    panel = Panel("ssd1306")
    display = OledDisplay(panel, lambda: i2c(bus=bus), where="here")
    display.show(ANA)
    panel._driver.cleanup()  # what luma's exit hook calls
    display.close()
    display.close()
    assert same(bus.panel.glass(), ANA)
    with pytest.raises(DeviceLost, match="closed"):
        display.show(BO)


@pytest.fixture
def buses(monkeypatch):
    """Every I2C bus that luma opens by itself."""
    opened: list[SimBus] = []

    def smbus(port):
        if port != 1:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{port}")
        opened.append(SimBus(SimPanel()))
        return opened[-1]

    monkeypatch.setattr(smbus2, "SMBus", smbus)
    return opened


def test_on_a_bus_of_its_own_a_frame_is_one_long_write(buses):
    display = OledDisplay(Panel("ssd1306"), on_i2c(port=1, address=0x3C), where="here")
    before = buses[0].transfers
    display.show(ANA)
    assert buses[0].transfers - before == 2
    assert same(buses[0].panel.glass(), ANA)
    display.close()
    assert buses[0].closed


@pytest.mark.parametrize(
    ("there", "by"), [("/usr/bin/raspi-config", "with raspi-config"), (None, "by the means of this system")]
)
def test_a_bus_that_is_switched_off_tells_how_to_switch_it_on(buses, monkeypatch, there, by):
    monkeypatch.setattr("hardware.display_oled.which", lambda _command: there)
    with pytest.raises(DeviceLost, match=f"/dev/i2c-9; switch the bus on {by}"):
        OledDisplay(Panel("ssd1306"), on_i2c(port=9), where="here")


def test_a_bus_without_permission_tells_the_groups(monkeypatch):
    def denied(port):
        raise PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1")

    monkeypatch.setattr(smbus2, "SMBus", denied)
    with pytest.raises(DeviceLost, match="permission denied: /dev/i2c-1; let the companion's user into the groups"):
        OledDisplay(Panel("ssd1306"), on_i2c(), where="here")


def test_a_bus_opened_in_vain_is_closed_again(buses):
    with pytest.raises(DeviceLost):
        OledDisplay(Panel("ssd1306"), on_i2c(address=0x3D), where="here")
    assert buses[0].closed


def spi_display(driver="sh1106"):
    wires = SimSpi(SimPanel(driver))
    return wires, OledDisplay(Panel(driver), lambda: spi(spi=wires, gpio=wires), where="SPI 0.0")


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_glass_shows_the_picture_over_spi(driver):
    wires, display = spi_display(driver)
    display.show(ANA)
    assert same(wires.panel.glass(), ANA)
    wires.panel.power_off()
    display.show(BO)
    wires.panel.power_on()
    display.refresh()
    assert same(wires.panel.glass(), BO)


def test_an_error_on_spi_is_a_lost_display_that_comes_back():
    wires, display = spi_display()
    wires.fail(errno.EIO)
    with pytest.raises(DeviceLost, match=r"SPI 0\.0"):
        display.show(ANA)
    wires.mend()
    display.show(ANA)
    assert same(wires.panel.glass(), ANA)


class SpiBehindLines(SimSpi):
    """spidev alone: data/command and reset arrive on mock GPIO pins."""

    def __init__(self, panel, factory):
        super().__init__(panel)
        self._factory = factory

    def writebytes(self, data):
        self._levels = {pin: self._factory.pin(pin).state for pin in (24, 25)}
        super().writebytes(data)


def test_spi_takes_its_lines_from_gpiozero_and_gives_them_back(factory, monkeypatch):
    wires = SpiBehindLines(SimPanel("sh1106"), factory)
    monkeypatch.setitem(sys.modules, "spidev", type("spidev", (), {"SpiDev": lambda: wires}))
    display = OledDisplay(Panel("sh1106"), on_spi(), where="SPI 0.0")
    display.show(ANA)
    assert same(wires.panel.glass(), ANA)
    assert wires.max_speed_hz == 8_000_000
    display.close()
    assert not wires._opened
    gpiozero.OutputDevice(24).close()


def test_spi_without_its_package_tells_which_and_gives_the_lines_back(factory, monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceLost, match="install the system package python3-spidev"):
        OledDisplay(Panel("sh1106"), on_spi(), where="SPI 0.0")
    gpiozero.OutputDevice(24).close()


def test_spi_without_a_driver_for_its_lines_tells_which_to_install(monkeypatch):
    def none():
        raise gpiozero.exc.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", staticmethod(none))
    with pytest.raises(DeviceLost, match="any default pin factory!; install the system package python3-lgpio"):
        OledDisplay(Panel("sh1106"), on_spi(), where="SPI 0.0")


def test_a_line_that_is_taken_is_a_lost_display(factory):
    with gpiozero.OutputDevice(25), pytest.raises(DeviceLost, match="GPIO 25 cannot be used"):
        OledDisplay(Panel("sh1106"), on_spi(), where="SPI 0.0")


def test_any_error_of_a_driver_is_a_lost_display():
    class Odd(Exception):
        """Neither the system's nor luma's."""

    def failing():
        raise Odd("no answer")

    with pytest.raises(DeviceLost, match="the OLED at here failed: no answer; check its wires"):
        OledDisplay(Panel("sh1106"), failing, where="here")
    wires, display = spi_display()
    wires.writebytes = lambda _sent: failing()
    with pytest.raises(DeviceLost, match=r"SPI 0\.0 failed: no answer"):
        display.show(ANA)


def test_luma_still_words_errors_as_this_adapter_expects():
    assert not issubclass(DeviceNotFoundError, OSError)
