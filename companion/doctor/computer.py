"""The computer itself: system, power, clock, language, disk, journal, reader."""

from __future__ import annotations

import platform
import re
import shutil
import signal
import sys
from pathlib import Path

from companion import __version__
from companion.config.places import SYSTEM_FILE
from companion.doctor.finding import Finding, broken, degraded, ok
from companion.doctor.host import Host
from companion.journal import Journal, JournalError, JournalLocked, Progress
from companion.locale import Unread, translated
from companion.paths import keeps_files, there_for_a_while, way_in

# Bits of vcgencmd get_throttled (https://www.raspberrypi.com/documentation/computers/os.html#get_throttled)
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE_START = 1 << 0, 1 << 16
SENSORS, VOLTAGE_SENSOR = "/sys/class/hwmon", "rpi_volt"  # of the kernel's raspberrypi-hwmon
WEAK = "use the power supply made for this Pi"
MODEL, PI = "/proc/device-tree/model", "Raspberry Pi"  # as the firmware names each of them
TRIAL = "companion.vision.bench.trial"
QUICK = "ONNX Runtime"  # as the trial names what runs the networks
LITTLE_MB, LEAST_MB = 200, 10  # a year of games takes a few MB; logs and updates need more
MB = 1_000_000


def system(host: Host) -> Finding:
    """Which computer, system and Python this is."""
    model = host.reads(MODEL) or platform.machine()
    release = host.reads("/etc/os-release") or ""
    name = next((line[13:].strip('"') for line in release.splitlines() if line.startswith("PRETTY_NAME=")), "Linux")
    text = f"companion {__version__} on {model}, {name}, Python {platform.python_version()}"
    if sys.maxsize < 2**32:
        return degraded("system", f"{text}, 32-bit", "install the 64-bit system: OpenCV comes for that one only")
    return ok("system", text)


def configured(file: Path | None, host: Host, *, users: Path | None) -> Finding:
    """Where the configuration is. The defaults, which hold without one, are those of a Pi.

    `users`: where this user's would lie.
    """
    if file is not None:
        return ok("config", f"{file}")
    if PI in (host.reads(MODEL) or ""):
        return ok("config", "no file; the defaults hold")
    text = "no file; the defaults hold, and they are for a Raspberry Pi, which this computer is not"
    return degraded(
        "config", text, f'write preset = "laptop" into {users or SYSTEM_FILE}: camera, terminal and keyboard'
    )


def language(chosen: str) -> Finding | None:
    """What is wrong with the texts of the screens; None where they can be read."""
    try:
        translated(chosen)
    except Unread as fault:
        return broken("language", f"{fault}; the screens are in English", "install the companion anew")
    return None


def power(host: Host) -> Finding | None:
    """Whether the power supply of a Pi is strong enough; None on other computers.

    The firmware knows how it was since power-on. Where it cannot be asked, the kernel knows how it is.
    """
    told = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", host.tells(["vcgencmd", "get_throttled"]) or "")
    if told is None:
        return _power_now(host)
    bits = int(told[1], 16)
    if bits & UNDER_VOLTAGE_NOW:
        return broken("power", "the voltage is too low right now", WEAK)
    if bits & UNDER_VOLTAGE_SINCE_START:
        return degraded("power", "the voltage was too low since power-on", WEAK)
    return ok("power", "the voltage was never too low")


def _power_now(host: Host) -> Finding | None:
    """By the kernel's alarm, which looks back two seconds."""
    for sensor in sorted(host.at(SENSORS).glob("*")):
        if host.reads(f"{SENSORS}/{sensor.name}/name") == VOLTAGE_SENSOR:
            match host.reads(f"{SENSORS}/{sensor.name}/in0_lcrit_alarm"):
                case "0":
                    return ok("power", "the voltage is high enough right now")
                case "1":
                    return broken("power", "the voltage is too low right now", WEAK)
    return None


def clock(host: Host) -> Finding:
    """Games need no right clock; only the dates in their list come from it."""
    match host.tells(["timedatectl", "show", "--property=NTPSynchronized", "--value"]):
        case "yes":
            return ok("clock", "set by the network")
        case "no":
            return degraded(
                "clock", "not set by the network; only dates of games may be wrong", "connect it to a network once"
            )
        case _:
            return ok("clock", "not asked: there is no timedatectl")


def disk(folder: Path) -> Finding:
    """Whether what must last can be written; the folder, if it is not there yet, is left to be made by what writes."""
    try:
        with there_for_a_while(folder):
            keeps_files(folder)
            free_mb = shutil.disk_usage(folder).free // MB
    except OSError as error:
        return broken("disk", f"{folder} cannot be written: {error.strerror}", "make it writable, or free some space")
    if free_mb < LEAST_MB:
        return broken("disk", f"{free_mb} MB are free for {folder}", "free some space")
    if free_mb < LITTLE_MB:
        return degraded("disk", f"only {free_mb} MB are free for {folder}", "free some space")
    return ok("disk", f"{free_mb} MB are free for {folder}")


def closed(folder: Path) -> Finding:
    """A folder that this user may not look into: devices that a companion uses must not be opened beside it."""
    text = f"{folder} is closed to you: whether a companion runs cannot be told, and no device was tried"
    return broken("state", text, way_in(folder, "companion doctor"))


def journal(file: Path, progress: Progress = lambda _done, _whole: None) -> Finding:
    """Whether past games can be read, each of them, and the running one continued. `progress`: how far that has come,
    which takes a while after years of play."""
    if not file.exists():
        return ok("journal", f"none yet; the first game begins {file}")
    try:
        with Journal.look(file) as opened:
            games = opened.games()
            opened.latest()
            opened.read_through(progress)
    except JournalLocked as locked:
        return degraded("journal", f"{file}: {locked.cause}", locked.remedy)
    except JournalError as error:
        return broken("journal", f"{file}: {error.cause}", error.remedy)
    return ok("journal", f"{file}: {len(games)} {'game' if len(games) == 1 else 'games'}")


def reader(host: Host) -> Finding:
    """Whether this computer reads dice, by what and how quickly; tried apart, as a wrong package ends who loads it."""
    status, told = host.tries([sys.executable, "-m", TRIAL])
    pip = Path(sys.prefix) / "bin" / "pip"
    if status == 0:
        if told.startswith(QUICK):
            return ok("reader", told)
        return degraded("reader", f"{told}; with {QUICK} it takes a third", f"{pip} install onnxruntime")
    if status is not None and status < 0:
        text = f"what reads dice was ended by {signal.Signals(-status).name}: a package is not for this processor"
        return broken("reader", text, f"{pip} uninstall onnxruntime; OpenCV reads dice then, in three times the time")
    return broken("reader", told or "dice could not be read", "install the companion anew")
