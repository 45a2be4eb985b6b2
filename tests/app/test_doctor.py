"""`companion doctor`: each fault that can be made here, told with the one thing to do about it."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image
from pseudo import Line
from standins import FakeClock
from typist import Typist

from calibration.facts import CameraFacts, CheckFacts, Profile, RingFacts
from calibration.profile import FILE, save
from companion.cli import main
from companion.cli.doctor import examined, of_table, told
from companion.config import Buttons, Camera, Config, Display, Files, Ring
from companion.doctor import Finding, State, computer, devices, service, worst
from companion.doctor.calibrated import as_measured, calibrated, moved
from companion.doctor.finding import broken, degraded, ok
from companion.doctor.host import Host, answer, trial
from companion.doctor.wiring import wiring
from companion.events import Button, Fit, Press
from companion.journal import Journal
from companion.locale import LANGUAGES
from companion.ports import Colour, DeviceLost, Frame
from companion.status import Status
from hardware.buttons_gpio import GpioButtons
from hardware.sim_ring import SimReceiver


def host(root: Path, files: dict[str, str] | None = None, answers: dict[str, str] | None = None) -> Host:
    for name, content in (files or {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return Host(root, lambda command: (answers or {}).get(command[0]))


# -- the computer


def test_the_system_is_told_by_its_model_and_name(tmp_path: Path) -> None:
    pi = host(
        tmp_path,
        {"proc/device-tree/model": "Raspberry Pi 5 Model B\0", "etc/os-release": 'A=1\nPRETTY_NAME="Debian 13"\n'},
    )
    found = computer.system(pi)
    assert found.state is State.OK
    assert " on Raspberry Pi 5 Model B, Debian 13, Python 3." in found.text


def test_without_a_configuration_a_computer_that_is_no_pi_is_told_of_the_laptop(tmp_path: Path) -> None:
    pi = host(tmp_path / "pi", {"proc/device-tree/model": "Raspberry Pi 5 Model B\0"})
    users = tmp_path / "companion.toml"
    assert computer.configured(None, pi, users=users) == ok("config", "no file; the defaults hold")
    for own, named in ((users, users), (None, "/etc/companion/companion.toml")):
        assert computer.configured(None, host(tmp_path), users=own) == degraded(
            "config",
            "no file; the defaults hold, and they are for a Raspberry Pi, which this computer is not",
            f'write preset = "laptop" into {named}: camera, terminal and keyboard',
        )
    assert computer.configured(users, host(tmp_path), users=users) == ok("config", f"{users}")


SYSFS = "sys/devices/platform/soc/soc:firmware/get_throttled"  # the kernel's hwmon clears what is in it
HWMON = {"sys/class/hwmon/hwmon0/name": "cpu_thermal\n", "sys/class/hwmon/hwmon1/name": "rpi_volt\n"}
ALARM = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"


def test_texts_that_cannot_be_read_are_told_and_all_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [computer.language(language) for language in LANGUAGES] == [None] * len(LANGUAGES)
    monkeypatch.setattr("companion.locale.FOLDER", tmp_path)
    missing = tmp_path / "es" / "LC_MESSAGES" / "companion.mo"
    assert computer.language("en") is None
    assert computer.language("es") == broken(
        "language", f"there is no {missing}; the screens are in English", "install the companion anew"
    )


@pytest.mark.parametrize(("bits", "state"), [("0", "ok"), ("50000", "degraded"), ("50005", "broken"), ("20000", "ok")])
def test_a_weak_power_supply_is_told(tmp_path: Path, bits: str, state: str) -> None:
    files = {**HWMON, ALARM: "0\n", SYSFS: "0\n"}
    found = computer.power(host(tmp_path, files, {"vcgencmd": f"throttled=0x{bits}"}))
    assert found is not None
    assert found.state.value == state
    assert (found.remedy == "") == (state == "ok")


@pytest.mark.parametrize("answered", [None, "error=1 error_msg=Command not registered", "throttled=", "VCHI failed"])
@pytest.mark.parametrize(("alarm", "state"), [("0", "ok"), ("1", "broken")])
def test_where_the_firmware_does_not_answer_the_kernel_tells_of_now(
    tmp_path: Path, answered: str | None, alarm: str, state: str
) -> None:
    pi = host(tmp_path, {**HWMON, ALARM: f"{alarm}\n"}, {} if answered is None else {"vcgencmd": answered})
    found = computer.power(pi)
    assert found is not None
    assert found.state.value == state
    assert found.text.endswith("right now")


def test_power_is_not_asked_where_there_is_no_pi(tmp_path: Path) -> None:
    assert computer.power(host(tmp_path)) is None
    assert computer.power(host(tmp_path, HWMON)) is None


@pytest.mark.parametrize(("answered", "state"), [("yes", State.OK), ("no", State.DEGRADED), (None, State.OK)])
def test_an_unset_clock_is_no_more_than_degraded(tmp_path: Path, answered: str | None, state: State) -> None:
    assert computer.clock(host(tmp_path, answers={"timedatectl": answered} if answered else {})).state is state


@pytest.mark.parametrize(
    ("ended", "state", "said", "remedy"),
    [
        ((0, "ONNX Runtime 1.32.0 reads 4 dice in 18 ms"), State.OK, "ONNX Runtime 1.32.0 reads 4 dice in 18 ms", ""),
        ((0, "OpenCV 5.0.0 reads 4 dice in 64 ms"), State.DEGRADED, "a third", "pip install onnxruntime"),
        ((1, "OpenCV 5.0.0 misreads drawn dice"), State.BROKEN, "misreads", "install the companion anew"),
        ((-signal.SIGILL, ""), State.BROKEN, "was ended by SIGILL", "pip uninstall onnxruntime"),
        ((None, ""), State.BROKEN, "dice could not be read", "install the companion anew"),
    ],
)
def test_whether_dice_can_be_read_here_is_tried(
    tmp_path: Path, ended: tuple[int | None, str], state: State, said: str, remedy: str
) -> None:
    found = computer.reader(Host(tmp_path, tries=lambda _: ended))
    assert (found.part, found.state) == ("reader", state)
    assert said in found.text
    assert remedy in found.remedy


def test_a_trial_tells_the_signal_that_ended_it_and_what_it_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert trial([sys.executable, "-c", "import os; os.kill(os.getpid(), 4)"]) == (-signal.SIGILL, "")
    assert trial([sys.executable, "-c", "print('four'); raise SystemExit(1)"]) == (1, "four")
    assert trial(["/no/such/program"]) == (None, "")
    monkeypatch.setattr("companion.doctor.host.TRIAL_S", 0.1)
    assert trial(["sleep", "9"]) == (None, "")


def test_dice_are_read_where_the_tests_run() -> None:
    found = computer.reader(Host())
    assert re.fullmatch(r"(ONNX Runtime|OpenCV) [\d.]+ reads 4 dice in \d+ ms.*", found.text)
    assert found.state is (State.OK if found.text.startswith("ONNX") else State.DEGRADED)


def test_a_folder_that_cannot_be_written_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = computer.disk(tmp_path / "file" / "state")
    assert found == broken(
        "disk", f"{tmp_path}/file/state cannot be written: Not a directory", "make it writable, or free some space"
    )


def test_a_look_at_a_folder_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for folder in (tmp_path / "there", tmp_path / "there" / "$HOME" / "games"):
        assert computer.disk(folder).state is State.OK
        assert devices.pictures(folder) == ok("screen", f"png: screens can be written into {folder}")
        assert [*tmp_path.rglob("*")] == [tmp_path / "there"]


def test_a_link_to_what_is_not_there_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("unplugged")
    text = f"{tmp_path}/link cannot be written: File exists"
    assert computer.disk(tmp_path / "link") == broken("disk", text, "make it writable, or free some space")


def test_a_folder_that_screens_cannot_be_kept_in_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = f"png: pictures cannot be written to {tmp_path}/file: File exists"
    remedy = "choose a folder that can be written, with room left"
    assert devices.pictures(tmp_path / "file") == broken("screen", text, remedy)


def test_little_room_is_told_before_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for free_mb, state in ((5000, State.OK), (150, State.DEGRADED), (9, State.BROKEN)):
        usage = type("Usage", (), {"free": free_mb * 1_000_000})
        monkeypatch.setattr("shutil.disk_usage", lambda _folder, usage=usage: usage)
        assert computer.disk(tmp_path).state is state


def test_the_journal_is_read_and_its_faults_are_told(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    assert computer.journal(file) == ok("journal", f"none yet; the first game begins {file}")
    with Journal.open(file) as journal:
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
        assert computer.journal(file) == ok("journal", f"{file}: 1 game")
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
        assert computer.journal(file) == ok("journal", f"{file}: 2 games")
    newer, older = file.read_bytes().rsplit(b"Ana", 1)
    file.write_bytes(newer + b"Eve" + older)  # of the first game, which is not gone on with
    steps: list[tuple[int, int]] = []
    found = computer.journal(file, lambda *step: steps.append(step))
    assert (found.state, steps) == (State.BROKEN, [(1, 2)])
    assert "the lines of game 1 were changed" in found.text
    os.truncate(file, 3000)
    found = computer.journal(file)
    assert found.state is State.BROKEN
    assert "companion games set-aside" in found.remedy


def up(line: str, state: str = "active") -> str:
    """What systemctl says of the service."""
    return f"ActiveState={state}\nStatusText={line}"


OTHER = degraded(
    "service", "another companion holds the journal; no device was tried", "end it, then: companion doctor"
)


@pytest.mark.parametrize(
    "answered",
    [
        None,
        "",
        up("", "inactive"),
        up("roll: accept; lost: ring", "inactive"),
        up("roll: accept", "failed"),
        up(""),
        up("waiting: another companion writes it"),
        up("not begun: it is another kind of file"),
    ],
)
def test_of_a_companion_that_is_not_the_service_no_device_is_said_to_be_well(
    tmp_path: Path, answered: str | None
) -> None:
    there = host(tmp_path, answers={} if answered is None else {"systemctl": answered})
    assert service.running(there, ("camera", "ring")) == [OTHER]


UNIT = "ProtectSystem=strict\nProtectHome=yes\nReadWritePaths=/mnt/usb -/srv"


@pytest.mark.parametrize("journal", ["/var/lib/companion/journal.db", "/mnt/usb/games/journal.db", "/srv/j.db"])
def test_where_the_service_may_write_all_is_well(tmp_path: Path, journal: str) -> None:
    table = Config(files=Files(journal=Path(journal), calibration=Path("/etc/companion")))
    assert [*service.reached(table, host(tmp_path, answers={"systemctl": UNIT}))] == []
    assert [*service.reached(Config(), host(tmp_path, answers={"systemctl": UNIT}))] == []


@pytest.mark.parametrize("told", [None, "ProtectSystem=no\nProtectHome=no\nReadWritePaths="])
def test_where_no_service_is_installed_nothing_is_kept_from_it(tmp_path: Path, told: str | None) -> None:
    table = Config(files=Files(journal=Path("/home/ana/journal.db"), calibration=Path("/home/ana/calibration")))
    assert [*service.reached(table, host(tmp_path, answers={} if told is None else {"systemctl": told}))] == []


def test_each_place_that_the_unit_keeps_from_the_service_is_told_with_what_opens_it(tmp_path: Path) -> None:
    table = Config(
        camera=Camera(kind="folder", path=Path("/root/pictures")),
        display=(Display(kind="png", folder=Path("/home/ana/screens")), Display()),
        buttons=(Buttons(kind="script", script=Path("/etc/presses.txt")),),
        files=Files(journal=Path("/opt/games/journal.db")),
    )
    opens = "sudo systemctl edit companion, with the lines [Service] and ReadWritePaths=/opt/games"
    elsewhere = "the service sees nothing below {} (ProtectHome): name a place elsewhere"
    assert [*service.reached(table, host(tmp_path, answers={"systemctl": UNIT}))] == [
        broken(
            "service",
            "its unit does not let it write into /opt/games",
            f"make it writable for companion, and let the service write there: {opens}",
        ),
        broken("service", "its unit does not let it write into /home/ana/screens", elsewhere.format("/home")),
        broken("service", "its unit does not let it see /root/pictures", elsewhere.format("/root")),
    ]


@pytest.mark.parametrize(
    ("folder", "line"),
    [
        ("/opt/my games", '"/opt/my games"'),
        ("/opt/100 %", '"/opt/100 %%"'),
        ("/opt/it's", '"/opt/it\'s"'),
        ('/opt/a"b\\c', '"/opt/a\\"b\\\\c"'),
        ("/opt/50%", "/opt/50%%"),
    ],
)
def test_a_place_of_any_name_is_opened_by_the_line_that_is_told(tmp_path: Path, folder: str, line: str) -> None:
    table = Config(files=Files(journal=Path(folder, "journal.db")))
    (told,) = service.reached(table, host(tmp_path, answers={"systemctl": UNIT}))
    assert told.remedy.endswith(f" ReadWritePaths={line}")


@pytest.mark.parametrize("shown", ['/mnt/usb "/opt/my games"', "/mnt/usb /opt/it's"])
def test_a_place_that_was_opened_is_known_as_systemctl_shows_it(tmp_path: Path, shown: str) -> None:
    unit = f"ProtectSystem=strict\nProtectHome=yes\nReadWritePaths={shown}"
    folder = "/opt/my games" if '"' in shown else "/opt/it's"
    table = Config(files=Files(journal=Path(folder, "journal.db")))
    assert [*service.reached(table, host(tmp_path, answers={"systemctl": unit}))] == []


@pytest.mark.parametrize("systems", [True, False])
def test_only_of_the_services_configuration_it_is_told_what_its_unit_keeps_from_it(
    systems: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(f'camera.kind = "none"\ndisplay = []\nbuttons = []\nfiles.journal = "{tmp_path}/games/j.db"')
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr("companion.config.places.SYSTEM_FILE", config if systems else tmp_path / "other.toml")
    found = examined(config, press=False, say=str, host=host(tmp_path, answers={"systemctl": UNIT}))
    assert any(each.text == f"its unit does not let it write into {tmp_path}/games" for each in found) is systems


def test_of_a_running_companion_the_status_line_tells_what_is_lost(tmp_path: Path) -> None:
    line = str(Status("roll: accept", Fit.MOVED, ("ring", "camera", "light")))
    running = host(tmp_path, answers={"systemctl": up(line)})
    told, *roles = service.running(running, ("camera", "oled", "ring"))
    line = "a companion is running: roll: accept; calibration: moved; lost: ring, camera, light"
    assert told == ok("service", line)
    assert [(each.part, each.state) for each in roles] == [
        ("light", State.DEGRADED),
        ("profile", State.DEGRADED),
        ("camera", State.BROKEN),
        ("screen", State.OK),
        ("ring", State.BROKEN),
    ]


def test_commands_that_are_missing_fail_or_answer_are_told_apart() -> None:
    assert answer(["echo", " yes "]) == "yes"
    assert answer(["false"]) is None
    assert answer(["no-such-command-here"]) is None


# -- buses and ports

TABLE = Config(
    camera=Camera(kind="usb", device="2"),
    display=(Display(), Display(bus="spi")),
    buttons=(Buttons(),),
    ring=Ring(kind="serial", port="/dev/ttyUSB0"),
)
DEVICES = ("i2c-1", "spidev0.0", "ttyUSB0", "video2", "gpiochip0")


def test_every_bus_and_port_that_is_missing_is_told_with_its_remedy(tmp_path: Path) -> None:
    found = [each for each in wiring(TABLE, host(tmp_path)) if each.part not in ("lgpio", "spidev")]
    assert [(each.part, each.state, each.text) for each in found] == [
        ("i2c", State.BROKEN, "there is no /dev/i2c-1"),
        ("spi", State.BROKEN, "there is no /dev/spidev0.0"),
        ("serial", State.BROKEN, "there is no /dev/ttyUSB0"),
        ("video", State.BROKEN, "there is no /dev/video2"),
        ("gpio", State.BROKEN, "there is no /dev/gpiochip0"),
    ]
    assert all(each.remedy for each in found)


@pytest.mark.parametrize(
    ("files", "remedies"),
    [
        (
            {"usr/bin/raspi-config": ""},
            [f"switch it on: sudo raspi-config nonint do_{bus} 0" for bus in ("i2c", "spi")],
        ),
        (
            {},
            [f"switch {bus} on by the means of this system, or choose another display" for bus in ("I2C", "SPI")],
        ),
    ],
)
def test_a_bus_is_switched_on_by_what_there_is(tmp_path: Path, files: dict[str, str], remedies: list[str]) -> None:
    found = [each.remedy for each in wiring(TABLE, host(tmp_path, files)) if each.part in ("i2c", "spi")]
    assert found == remedies


def test_a_device_that_may_not_be_used_names_the_group(tmp_path: Path) -> None:
    there = host(tmp_path, {f"dev/{name}": "" for name in DEVICES})
    denied = Host(there.root, there.tells, can=lambda path, _mode: path.name != "ttyUSB0")
    found = {each.part: each for each in wiring(TABLE, denied)}
    assert found["serial"] == broken(
        "serial", "/dev/ttyUSB0 may not be used", "sudo usermod -aG dialout $USER, then log in again"
    )
    assert [found[part].state for part in ("i2c", "spi", "video", "gpio")] == [State.OK] * 4


def test_nothing_is_asked_of_what_is_not_configured(tmp_path: Path) -> None:
    bare = Config(camera=Camera(kind="none"), display=(Display(kind="terminal"),), buttons=(Buttons(kind="keyboard"),))
    assert wiring(bare, host(tmp_path)) == []


# -- devices


class Opened:
    """A device that notes what it was told."""

    def __init__(self, grey: float | None = 100, presses: Sequence[Button] = ()) -> None:
        self.grey, self.presses = grey, presses
        self.shown: list[Image.Image] = []
        self.lit: list[Sequence[Colour]] = []
        self.closed = False

    def frame(self, timeout_s: float) -> Frame | None:
        return None if self.grey is None else Frame(np.full((48, 64, 3), self.grey, np.uint8), 0.0)

    def rolled(self) -> None: ...

    def refresh(self) -> None: ...

    def listen(
        self, pressed: Callable[[Press], None], _ailing: Callable[[str], None], _failed: Callable[[Exception], None]
    ) -> None:
        for button in self.presses:
            pressed(Press(button))

    def down(self) -> tuple[Button, ...]:
        return ()

    def close(self) -> None:
        self.closed = True


class Panel(Opened):
    def show(self, image: Image.Image) -> None:
        self.shown.append(image)


class Lights(Opened):
    name: str | None = "WLED 2406290"

    def show(self, colours: Sequence[Colour]) -> None:
        self.lit.append(colours)

    def greeting(self, within_s: float) -> str | None:
        return self.name


class Clock:
    def __init__(self) -> None:
        self.time_s = 0.0

    def now_s(self) -> float:
        return self.time_s

    def sleep(self, seconds: float) -> None:
        self.time_s += seconds


def test_a_device_that_cannot_be_opened_is_broken_with_its_remedy() -> None:
    def missing() -> Opened:
        raise DeviceLost("ring", "no ring", "plug it in")

    assert devices.tried("ring", missing, lambda _ring: ok("ring", "")) == broken("ring", "no ring", "plug it in")


def test_a_device_that_fails_while_it_is_looked_at_is_broken_and_closed() -> None:
    opened = Opened()

    def fails(_camera: Opened) -> Finding:
        raise DeviceLost("camera", "gone", "check its cable")

    assert devices.tried("camera", lambda: opened, fails) == broken("camera", "gone", "check its cable")
    assert opened.closed


def test_whatever_a_driver_raises_is_a_finding() -> None:
    def odd() -> Opened:
        raise ZeroDivisionError("driver")

    wanted = broken(
        "ring", "it failed in an unforeseen way: ZeroDivisionError('driver')", "check its wires, and its configuration"
    )
    assert devices.tried("ring", odd, lambda _ring: ok("ring", "")) == wanted
    assert devices.tried("ring", Opened, lambda _ring: ok("ring", str(1 // 0))).state is State.BROKEN


@pytest.mark.parametrize(
    ("grey", "state"), [(100, State.OK), (5, State.DEGRADED), (250, State.DEGRADED), (None, State.BROKEN)]
)
def test_the_camera_must_give_pictures_neither_dark_nor_bright(grey: float | None, state: State) -> None:
    assert devices.camera(Opened(grey)).state is state


RESTART = "check its cable, then restart the computer"


class Single(Opened):
    """A camera that gives one picture, and then none or a fault."""

    def __init__(self, fault: DeviceLost | None) -> None:
        super().__init__()
        self.fault = fault

    def frame(self, timeout_s: float) -> Frame | None:
        frame, self.grey = super().frame(timeout_s), None
        if frame is None and self.fault is not None:
            raise self.fault
        return frame


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        (None, broken("camera", "one picture came and no other within 8 s", RESTART)),
        (
            DeviceLost("camera", "camera tray ended", "check its address"),
            broken("camera", "one picture came and no other: camera tray ended", "check its address"),
        ),
    ],
)
def test_a_camera_of_one_picture_is_none_to_play_with(fault: DeviceLost | None, wanted: Finding) -> None:
    assert devices.camera(Single(fault)) == wanted


def test_the_display_shows_a_test_picture_for_a_while() -> None:
    panel, clock = Panel(), Clock()
    assert devices.panel(panel, clock, 3.0).state is State.OK
    assert [image.size for image in panel.shown] == [(128, 64)]
    assert clock.now_s() == 3.0


def test_of_a_display_that_is_not_heard_it_is_asked_whether_the_picture_was_seen() -> None:
    panel, clock = Panel(), Clock()
    found = devices.panel(panel, clock, 3.0, heard=False)
    assert (found.state, len(panel.shown), clock.now_s()) == (State.OK, 1, 3.0)
    assert found.text.startswith("oled: the test picture was sent for 3 s (")
    assert found.text.endswith("; SPI does not tell whether a panel took it: did you see it?")


def test_the_ring_is_lit_in_each_colour_and_each_led_alone() -> None:
    lights, clock = Lights(), Clock()
    assert devices.ring(lights, clock, 3.0, leds=3) == ok(
        "ring", "WLED 2406290 answered; 3 LEDs were lit red, green, blue, and one by one"
    )
    black, green = (0, 0, 0), (0, 255, 0)
    assert lights.lit[:3] == [[(255, 0, 0)] * 3, [green] * 3, [(0, 0, 255)] * 3]
    assert lights.lit[3:] == [[green, black, black], [black, green, black], [black, black, green]]
    assert clock.now_s() == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("leds", "frames", "said"), [(32, 32, "one by one"), (33, 17, "2 by 2"), (512, 32, "16 by 16")]
)
def test_a_long_ring_is_lit_in_groups_so_that_it_takes_no_minutes(leds: int, frames: int, said: str) -> None:
    lights, clock = Lights(), Clock()
    assert devices.ring(lights, clock, 3.0, leds=leds).text.endswith(
        f"; {leds} LEDs were lit red, green, blue, and {said}"
    )
    assert len(lights.lit) == 3 + frames
    assert [sum(colours[led] != (0, 0, 0) for colours in lights.lit[3:]) for led in range(leds)] == [1] * leds
    assert {len(colours) for colours in lights.lit} == {leds}
    assert clock.now_s() == pytest.approx(3.0)


def test_a_receiver_without_a_name_is_no_more_than_degraded() -> None:
    lights = Lights()
    lights.name = None
    assert devices.ring(lights, Clock(), 1.0, leds=3).state is State.DEGRADED


PINS = {Button.BACK: (5,), Button.LESS: (6,), Button.MORE: (13,), Button.OK: (19, 26)}
FREE = ok("buttons", "gpio: their lines are free; to press each: companion doctor --press")


def buttons_found(factory: MockFactory, *grounded: int, clock: Clock | None = None, press: bool = False) -> Finding:
    """What is found where those lines are at ground once the buttons are opened."""
    clock = clock or Clock()

    def opened() -> GpioButtons:
        buttons = GpioButtons(PINS, clock=clock)
        for number in grounded:
            factory.pin(number).drive_low()
        return buttons

    def look(buttons: GpioButtons) -> Finding:
        return devices.buttons_pressed(buttons, str, 0.01) if press else devices.buttons_open(buttons, clock)

    return devices.tried("buttons", opened, look)


@pytest.mark.parametrize("press", [False, True])
def test_a_button_that_is_down_is_told_by_its_name(factory: MockFactory, press: bool) -> None:
    ground = "or look for a wire that touches ground"
    assert press or buttons_found(factory) == FREE
    assert buttons_found(factory, 26, press=press) == broken("buttons", "OK is down", f"let it go, {ground}")
    assert buttons_found(factory, 26, 5) == broken("buttons", "BACK and OK are down", f"let them go, {ground}")


def test_a_line_may_take_its_time_to_rise_before_its_button_is_told_to_be_down(factory: MockFactory) -> None:
    class Rising(Clock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            factory.pin(19).drive_high()

    assert buttons_found(factory, 19, clock=Rising()) == FREE


def test_keys_have_no_wires_to_check() -> None:
    assert devices.buttons_open(Opened(), Clock()).text.startswith("gpio: their lines are free; ")
    assert devices.buttons_open(Opened(), Clock(), "keys: a s d f").text.startswith(
        "keyboard: this terminal is heard; "
    )
    unfelt = devices.buttons_pressed(Opened(), str, 0.01, "keys: a s d f")
    assert (unfelt.state, unfelt.remedy) == (State.BROKEN, devices.KEYS)


def test_each_button_is_asked_for_and_those_not_felt_are_named() -> None:
    said: list[str] = []
    all_four = Opened(presses=list(Button))
    assert devices.buttons_pressed(all_four, said.append, 0.01).state is State.OK
    assert said[0] == "press the button back (0.01 s)"
    devices.buttons_pressed(Opened(presses=list(Button)), said.append, 0.01, "keys: a s d f")
    assert said[4:6] == ["keys: a s d f", "press the button back (0.01 s)"]
    wrong = Opened(presses=[Button.BACK, Button.MORE, Button.LESS, Button.MORE])
    unfelt = "check its wire, and its GPIO in the configuration"
    assert devices.buttons_pressed(wrong, said.append, 0.01) == broken("buttons", "not felt: ok", unfelt)
    assert "that was more" in said


def test_a_knock_is_asked_for_and_told_where_it_is_not_felt() -> None:
    said: list[str] = []
    felt: queue.SimpleQueue[None] = queue.SimpleQueue()
    assert devices.knock_open(Opened()).state is State.OK
    assert devices.knock_felt(Opened(), felt, said.append, 0.01).state is State.BROKEN
    felt.put(None)
    assert devices.knock_felt(Opened(), felt, said.append, 0.01) == ok("knock", "a knock was felt")
    assert said == ["knock on the table (0.01 s)"] * 2


def test_a_calibration_that_no_longer_holds_is_told_of_a_running_companion(tmp_path: Path) -> None:
    running = host(tmp_path, answers={"systemctl": up("roll: roll; calibration: moved; lost: ring")})
    told, profile, camera, ring = service.running(running, ("camera", "ring"))
    assert told.state is State.OK
    assert (profile.part, profile.state) == ("profile", State.DEGRADED)
    assert profile.text == "dice are read without it: the camera or the tray moved"
    assert (camera.state, ring.state) == (State.OK, State.BROKEN)


def test_a_camera_that_was_moved_is_degraded() -> None:
    found = devices.camera(Opened(90), lambda _picture: "it or the tray moved by 8 mm since then")
    assert (found.state, found.remedy) == (State.DEGRADED, "put it back, or: companion calibrate camera")
    assert found.text.endswith("; it or the tray moved by 8 mm since then")


# -- the profile

MEASURED = CheckFacts(date(2026, 1, 31), throws=20, exact=19, unsure=1, wrong=0)


def test_what_was_calibrated_is_told(tmp_path: Path) -> None:
    found = calibrated(Camera(), tmp_path)
    assert found == ok("profile", f"nothing is calibrated yet in {tmp_path}; dice are read all the same")
    save(Profile(check=MEASURED), tmp_path)
    assert calibrated(Camera(), tmp_path) == ok("profile", f"{tmp_path}: check")


def test_the_ring_is_tried_with_as_many_leds_as_were_counted(tmp_path: Path) -> None:
    assert as_measured(Config(), tmp_path) == Config()
    save(Profile(ring=RingFacts(date(2026, 1, 31), 40, 0, True)), tmp_path)
    assert as_measured(Config(), tmp_path).ring.leds == 40
    (tmp_path / FILE).write_text("version = 9\n")
    assert as_measured(Config(), tmp_path) == Config()


def by_usb(folder: Path) -> None:
    """A profile of the first USB camera is kept there."""
    Image.new("L", (640, 480)).save(folder / "empty.png")
    tray = ((0.0, 0.0), (640.0, 0.0), (640.0, 480.0), (0.0, 480.0))
    plain = (0.3, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 1.0)
    made = date(2026, 1, 31)
    measured = CameraFacts(
        made,
        "usb",
        "0",
        (640, 480),
        tray,
        (192.0, 144.0),
        plain,
        0.3,
        4.0,
        0.2,
        180.0,
        "large",
        "empty.png",
    )
    save(Profile(measured), folder)


def test_a_profile_of_another_camera_or_of_pictures_turned_otherwise_is_stale(tmp_path: Path) -> None:
    by_usb(tmp_path)
    assert calibrated(Camera(kind="usb"), tmp_path) == ok("profile", f"{tmp_path}: camera")
    found = calibrated(Camera(kind="usb", device="1"), tmp_path)
    assert (found.state, found.remedy) == (State.DEGRADED, "companion calibrate camera")
    assert moved(Camera(kind="usb"), tmp_path, np.full((480, 640, 3), 90, np.uint8)) == ""
    turned = np.full((640, 480, 3), 90, np.uint8)
    assert moved(Camera(kind="usb"), tmp_path, turned) == "pictures had 640×480 pixels when the table was calibrated"


def test_another_camera_than_the_calibrated_one_is_not_said_to_have_moved(tmp_path: Path) -> None:
    by_usb(tmp_path)
    assert moved(Camera(kind="usb", device="1"), tmp_path, np.full((640, 480, 3), 90, np.uint8)) == ""


def test_a_profile_that_cannot_be_used_is_no_more_than_degraded(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("version = ")
    found = calibrated(Camera(), tmp_path)
    assert (found.state, found.remedy) == (State.DEGRADED, "companion calibrate")


# -- the command


def test_the_worst_finding_is_the_state_of_the_table() -> None:
    assert worst([]) is State.OK
    assert worst([ok("a", ""), degraded("b", "", "x")]) is State.DEGRADED
    assert worst([broken("a", "", "x"), degraded("b", "", "x")]) is State.BROKEN


def test_a_finding_is_told_with_its_remedy_below() -> None:
    assert told(degraded("clock", "not set", "wait")) == "degraded  clock     not set\n                    → wait"


Asked = Callable[..., tuple[int, str]]


@pytest.fixture
def doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Looks at the table of a configuration, which is kept in `tmp_path`. Returns its status and what it says."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    config = tmp_path / "companion.toml"

    def looks(content: str, *words: str) -> tuple[int, str]:
        config.write_text(content)
        return main(["doctor", *words, "--config", str(config)]), capsys.readouterr().out

    return looks


WELL = """
camera.kind = "simulated"
buttons = []
display = {{kind = "png", folder = "screens"}}
files.journal = "{journal}"
"""


def test_a_table_without_faults_is_all_ok_as_json(
    doctor: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.doctor.SHOW_S", 0.0)
    status, said = doctor(WELL.format(journal=tmp_path / "state" / "journal.db"), "--json")
    assert status == 0
    assert said.isascii()  # what reads it may expect any encoding
    told = json.loads(said)
    assert "×" in "".join(finding["text"] for finding in told["findings"] if finding["part"] == "camera")
    assert [finding["part"] for finding in told["findings"] if finding["state"] == "broken"] == []
    assert {"system", "clock", "config", "disk", "journal", "reader", "profile", "camera", "screen"} <= {
        each["part"] for each in told["findings"]
    }
    assert [path.name for path in tmp_path.iterdir()] == ["companion.toml"]


def test_a_table_that_can_show_nothing_and_hears_nobody_is_broken(doctor: Asked) -> None:
    status, said = doctor('camera.kind = "none"\ndisplay.kind = "none"\nbuttons.kind = "none"\n')
    assert status == 1
    assert "such a table can show nothing and hear nobody\n" in said
    assert list(devices.any_configured(("ring", "buttons"))) == []


@pytest.mark.parametrize("content", ['preset = "laptop"\nring.leds = 0\nfoo = 1', "[ring", None])
def test_of_a_broken_configuration_only_what_needs_none_is_looked_at(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    config = tmp_path / "companion.toml"
    if content is not None:
        config.write_text(content)
    found = tuple(examined(config, press=False, say=str, host=Host(tmp_path, lambda _: None)))
    assert not state.exists()
    assert [each.part for each in found] == ["system", "clock", "config", "disk"]
    assert [each.part for each in found if each.state is not State.OK] == ["config"]


def test_each_mistake_of_a_broken_configuration_is_told_and_what_is_not_looked_at(
    doctor: Asked, tmp_path: Path
) -> None:
    status, said = doctor("ring.leds = 0\nfoo = 1")
    assert status == 1
    assert "ring.leds = 0: a whole number" in said
    assert "foo: there is no such key" in said
    mend = (
        f"→ mend it, then: companion config check {tmp_path / 'companion.toml'}; journal and devices are looked at once"
    )
    assert mend in said


def test_a_configuration_that_is_not_there_is_not_to_be_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    config = tmp_path / "my table.toml"
    found = examined(config, press=False, say=str, host=Host(tmp_path, lambda _: None))
    (told,) = (each for each in found if each.part == "config")
    assert told.text == f"{config}: it cannot be read: No such file or directory"
    assert told.remedy == (
        f"check the path, or write one: companion config example > '{config}'; "
        "journal and devices are looked at once it is right"
    )


def test_a_configuration_that_is_closed_to_this_user_is_not_to_be_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr("companion.config.reading.content_of", denied)
    monkeypatch.setattr("companion.cli.doctor.way_in", lambda file, what: f"{what}, as the owner of {file}")
    monkeypatch.setattr("companion.cli.doctor.in_use", lambda _journal: None)
    config = tmp_path / "companion.toml"
    *_, told, state = examined(config, press=False, say=str, host=Host(tmp_path, lambda _: None))
    text = f"{config}: it cannot be read: Permission denied"
    assert told == broken("config", text, f"companion doctor, as the owner of {config}")
    assert state == computer.closed(tmp_path)


def test_a_profile_that_is_closed_to_this_user_is_not_to_be_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("calibration.profile.content_of", denied)
    monkeypatch.setattr("calibration.profile.way_in", lambda file: f"ask the owner of {file}")
    file = tmp_path / FILE
    text = f"what is calibrated cannot be told: {file}: it cannot be read: Permission denied"
    assert calibrated(Camera(), tmp_path) == degraded("profile", text, f"ask the owner of {file}")


class NoPanel:
    """spidev on a bus without a panel: it sends all the same."""

    max_speed_hz = mode = 0

    def open(self, _port: int, _device: int) -> None: ...

    def writebytes(self, _data: Sequence[int]) -> None: ...

    def close(self) -> None: ...


@pytest.mark.usefixtures("factory")
def test_a_panel_on_spi_is_not_said_to_show_anything(doctor: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", type("spidev", (), {"SpiDev": NoPanel, "__spec__": None}))
    monkeypatch.setattr("companion.cli.doctor.wiring", lambda _config, _host: ())
    monkeypatch.setattr("companion.cli.doctor.SHOW_S", 0.0)
    displays = '[{kind = "none"}, {kind = "terminal"}, {kind = "png", folder = "screens"}, {bus = "spi"}]'
    status, said = doctor(f'camera.kind = "none"\nbuttons = []\ndisplay = {displays}\nfiles.journal = "journal.db"')
    assert status == 0
    panels = [line for line in said.splitlines() if " screen " in line]
    assert ["did you see it?" in line for line in panels] == [False, False, True]


@pytest.mark.parametrize(("kind", "state", "told"), [("xterm", 0, "ok        "), ("dumb", 1, "BROKEN    ")])
def test_a_terminal_is_told_as_screen_and_ring_and_not_drawn_on(
    doctor: Asked, monkeypatch: pytest.MonkeyPatch, kind: str, state: int, told: str
) -> None:
    monkeypatch.setenv("TERM", kind)
    table = 'camera.kind = "none"\nbuttons = []\ndisplay.kind = "terminal"\nring.kind = "terminal"\n'
    status, said = doctor(f'{table}files.journal = "journal.db"')
    assert status == state
    lines = [line for line in said.splitlines() if ": drawn in the one" in line or "TERM=dumb" in line]
    assert [line.split()[1] for line in lines] == ["screen", "ring"]
    assert all(line.startswith(told) for line in lines)


SCRIPTED = """
camera.kind = "none"
buttons = {kind = "script", script = "presses.txt"}
display = {kind = "png", folder = "screens"}
"""


def test_screens_that_are_files_and_a_script_are_told_as_what_they_are(doctor: Asked, tmp_path: Path) -> None:
    script = tmp_path / "presses.txt"
    script.write_text("until accept\nOK\n")
    status, said = doctor(SCRIPTED)
    assert status == 0
    assert f"screen    png: screens can be written into {tmp_path / 'screens'}\n" in said
    assert f"buttons   script: {script} has no mistakes\n" in said
    status, said = doctor(SCRIPTED, "--press")
    assert status == 0
    assert f"{script} has no mistakes; it presses by itself, and nothing is to be pressed\n" in said
    script.write_text("OK\nuntil acept\n")
    status, said = doctor(SCRIPTED)
    assert status == 1
    assert "line 2: no step is called 'acept'; did you mean accept?" in said


def test_beside_a_running_companion_no_device_is_opened(doctor: Asked, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with Journal.open(journal):
        status, said = doctor(WELL.format(journal=journal))
    assert status == 0
    assert f"{OTHER.text}\n" in said
    assert " camera " not in said
    assert not (tmp_path / "screens").exists()


@pytest.mark.parametrize(
    ("buttons", "state"),
    [("knock = 26", State.BROKEN), ("", None), ('kind = "keyboard"\nknock = 26', None)],
    ids=["felt", "none", "by key"],
)
def test_beside_a_running_companion_a_knock_sensor_is_looked_at_where_there_is_one(
    buttons: str, state: State | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.doctor.wiring", lambda _config, _host: ())
    config, journal = tmp_path / "companion.toml", tmp_path / "journal.db"
    config.write_text(f'camera.kind = "none"\nfiles.journal = "{journal}"\n[[buttons]]\n{buttons}')
    running = host(tmp_path, answers={"systemctl": up("cat: turn; lost: knock")})
    with Journal.open(journal):
        found = {each.part: each.state for each in examined(config, press=False, say=str, host=running)}
    assert (found["screen"], found.get("knock")) == (State.OK, state)


def test_where_nobody_may_look_whether_a_companion_runs_no_device_is_opened(
    doctor: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.doctor.in_use", lambda _journal: None)  # root may look everywhere
    monkeypatch.setattr("companion.doctor.computer.way_in", lambda folder, what: f"as owner of {folder}: {what}")
    status, said = doctor(WELL.format(journal=tmp_path / "state" / "journal.db"))
    assert status == 1
    assert f"state     {tmp_path / 'state'} is closed to you: whether a companion runs cannot be told" in said
    assert f"→ as owner of {tmp_path}/state: companion doctor --config {tmp_path}/companion.toml\n" in said
    assert not (tmp_path / "screens").exists()
    assert not (tmp_path / "state").exists()


class WithWled(FakeClock):
    """While anybody waits, WLED on the other end of the line takes what came and answers."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line
        self.wled = SimReceiver()

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.wled.take(self._line.received())
        if self.wled.answers:
            self._line.send(bytes(self.wled.answers))
            self.wled.answers.clear()


def test_wled_on_a_serial_port_is_found_by_its_name_and_lit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    line = Line()
    clock = WithWled(line)
    config = tmp_path / "companion.toml"
    config.write_text(
        f'display = []\nbuttons = []\n[camera]\nkind = "none"\n'
        f'[ring]\nkind = "serial"\nport = "{line.name}"\nleds = 16\nbrightness = 0.1\n'
    )
    told = {
        each.part: each for each in examined(config, press=False, say=str, host=Host(tells=lambda _: None), clock=clock)
    }
    line.close()
    assert told["serial"] == ok("serial", f"{line.name} is there")
    assert told["ring"] == ok("ring", "WLED 2406290 answered; 16 LEDs were lit red, green, blue, and one by one")
    assert clock.wled.shown[:3] == [(colour,) * 16 for colour in ((26, 0, 0), (0, 26, 0), (0, 0, 26))]
    assert clock.wled.shown[-1] == ((0, 0, 0),) * 15 + ((0, 26, 0),)
    assert (clock.wled.torn, bytes(clock.wled.obeyed)) == (0, b"")


@pytest.mark.parametrize(
    ("advised", "told_so"),
    [
        (
            "put it back, or: companion calibrate camera",
            "put it back, or: companion calibrate camera --config 'a b.toml'",
        ),
        ("companion calibrate", "companion calibrate --config 'a b.toml'"),
        ("sudo -u companion companion doctor", "sudo -u companion companion doctor --config 'a b.toml'"),
        ("to press each: companion doctor --press", "to press each: companion doctor --press --config 'a b.toml'"),
        ("companion games set-aside --journal x", "companion games set-aside --journal x"),
        ("let the companion's user into the groups i2c", "let the companion's user into the groups i2c"),
    ],
)
def test_what_is_advised_is_done_to_the_same_table(advised: str, told_so: str) -> None:
    assert of_table(degraded("part", "text", advised), Path("a b.toml")).remedy == told_so
    assert of_table(ok("part", advised), Path("a b.toml")).text == told_so


def test_the_configuration_that_was_given_is_named_in_all_that_is_advised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = degraded("profile", "dice are read without it", "companion calibrate")
    monkeypatch.setattr("companion.cli.doctor.examined", lambda *_given, **_by_name: iter([one]))
    main(["doctor", "--config", "two.toml"])
    assert "companion calibrate --config two.toml" in capsys.readouterr().out
    main(["doctor"])
    assert "--config" not in capsys.readouterr().out


@pytest.mark.parametrize("config", ['camera.kind = "none"\n', "ring.leds = 0\n"])
def test_a_user_without_a_home_is_told_to_name_one(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_uid: int) -> None:
        raise KeyError

    for name in ("HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    file = tmp_path / "companion.toml"
    file.write_text(config)
    last = tuple(examined(file, press=False, say=str, host=Host(tmp_path, lambda _: None)))[-1]
    assert (last.part, last.state) == ("disk", State.BROKEN)
    assert last.remedy.startswith("set HOME, or name journal and calibration in [files]")


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 130), (signal.SIGHUP, 130), (signal.SIGINT, 130), (signal.SIGQUIT, -signal.SIGQUIT)],
)
def test_a_doctor_that_is_ended_while_keys_are_heard_leaves_the_terminal_as_it_was(
    number: signal.Signals, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    file = tmp_path / "companion.toml"
    file.write_text(
        'camera.kind = "none"\nring.kind = "none"\n[[display]]\nkind = "none"\n[[buttons]]\nkind = "keyboard"'
    )
    typist = Typist([sys.executable, "-m", "companion", "doctor", "--press", "--config", str(file)])
    try:
        typist.reads("press the button back")
        assert not typist.modes_left()
        typist.interrupt(number)
        assert (typist.ended(), typist.modes_left()) == (status, True)
    finally:
        typist.close()
