"""Files and libraries that the configured devices need, before any of them is opened."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from companion.config import Config
from companion.doctor.finding import Finding, broken, ok
from companion.doctor.host import Host

RASPI_CONFIG = "/usr/bin/raspi-config"  # of Raspberry Pi OS
GPIO_CHIPS = ("/dev/gpiochip0", "/dev/gpiochip4")  # a Pi 5 has its header on 4 with older kernels


def wiring(config: Config, host: Host) -> list[Finding]:
    """Each bus, port and library that the configuration asks for."""
    return [*_files(config, host), *_libraries(config)]


def _files(config: Config, host: Host) -> Iterator[Finding]:
    panels = [display for display in config.display if display.kind == "oled"]
    for bus in sorted({panel.bus_number for panel in panels if panel.bus == "i2c"}):
        yield _device(host, "i2c", f"/dev/i2c-{bus}", _on(host, "i2c"), group="i2c")
    for panel in panels:
        if panel.bus == "spi":
            file = f"/dev/spidev{panel.bus_number}.{panel.spi_device}"
            yield _device(host, "spi", file, _on(host, "spi"), group="spi")
    if config.ring.kind == "serial" and not any(sign in config.ring.port for sign in "*?["):
        remedy = "plug the ring in, or name its port in the configuration (ring.port)"
        yield _device(host, "serial", config.ring.port, remedy, group="dialout")
    if config.camera.kind == "usb":
        number = config.camera.device
        file = f"/dev/video{number}" if number.isdigit() else number
        yield _device(host, "video", file, "plug the camera in, or name it in the configuration", group="video")
    if any(buttons.kind == "gpio" for buttons in config.buttons):
        chip = next((name for name in GPIO_CHIPS if host.at(name).exists()), GPIO_CHIPS[0])
        yield _device(host, "gpio", chip, 'use a computer with GPIO, or kind = "keyboard"', group="gpio")


def _on(host: Host, bus: str) -> str:
    """How a bus is switched on here."""
    if host.at(RASPI_CONFIG).exists():
        return f"switch it on: sudo raspi-config nonint do_{bus} 0"
    return f"switch {bus.upper()} on by the means of this system, or choose another display"


def _device(host: Host, part: str, name: str, remedy: str, *, group: str) -> Finding:
    path: Path = host.at(name)
    if not path.exists():
        return broken(part, f"there is no {name}", remedy)
    if not host.can(path, os.R_OK | os.W_OK):
        return broken(part, f"{name} may not be used", f"sudo usermod -aG {group} $USER, then log in again")
    return ok(part, f"{name} is there")


def _libraries(config: Config) -> Iterator[Finding]:
    needed = {
        "lgpio": any(buttons.kind == "gpio" for buttons in config.buttons),
        "spidev": any(display.kind == "oled" and display.bus == "spi" for display in config.display),
    }
    for name, wanted in needed.items():
        if wanted and importlib.util.find_spec(name) is None:
            yield broken(name, f"the library {name} is missing", f"sudo apt install python3-{name}")
