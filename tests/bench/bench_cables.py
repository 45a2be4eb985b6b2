"""Every cable pulled by the wall clock, of a real `companion run`: `python -m tests.bench.bench_cables [FAULT …]`.

The daemon is a process of its own. Its panel is luma's driver on a modelled SSD1306 that takes as long as a bus of
400 kHz, its ring a pseudo-terminal, its camera a network stream over the loopback, its buttons gpiozero's mock pins,
its disk a small tmpfs (needs root). Told are the times until the loss was told to systemd, and from the cable's return
until the newest picture, colours or reading are there again. Also how long a start, a new start after `kill -9` and a
stop take. Some minutes, nearly all of them waiting; the README's fault table has its figures from here.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
from PIL import Image

from companion.demo.robot import Lying
from companion.demo.tray import DrawnTray
from companion.journal import Journal
from companion.ports import SCREEN_SIZE, Picture
from companion.status import Status
from companion.table.state import Table as TableState
from companion.table.state import to_note
from hardware.sim_panel import SimBus, SimPanel
from hardware.sim_ring import SimReceiver
from tests.bench.modelled_wires import Wires
from tests.pseudo import Line

LEDS = 16
PINS = {"back": 5, "less": 6, "more": 13, "ok": 19}
AWAY_S = (0.4, 3.1, 6.2, 7.4, 8.6)  # short, and at several moments of the longest wait between two tries
COVERED = 0.01  # exposure: a lens under a cloth
TRIES_S = 40.0  # by then it is not coming back
POLL_S = 0.005
START = '{"do":"start","game":"free","players":["Ana","Bo"]}'
CONFIG = """\
[camera]
kind = "video"
url = "http://127.0.0.1:{port}/tray"
[[display]]
kind = "oled"
[[display]]
kind = "png"
folder = "{folder}/screens"
[[buttons]]
kind = "gpio"
[ring]
kind = "serial"
port = "{folder}/ring*"
leds = 16
[files]
journal = "{folder}/disk/journal.db"
calibration = "{folder}/calibration"
"""


# --- the far ends -----------------------------------------------------------------------------------------------------


class Stream:
    """A network camera above a drawn tray. `cable`: "in", "out" (nobody answers) or "stalled" (answers no more)."""

    def __init__(self) -> None:
        self.cable, self.exposure = "in", 1.0
        self.tray = DrawnTray(3)
        self._asked = self._listening(0)
        self.port: int = self._asked.getsockname()[1]
        self._open = True
        threading.Thread(target=self._serve, daemon=True).start()

    def pull(self, cable: str) -> None:
        self.cable = cable
        if cable == "out":
            self._asked.close()

    def plug(self) -> None:
        if self.cable == "out":
            self._asked = self._listening(self.port)
        self.cable = "in"

    def close(self) -> None:
        self._open, self.cable = False, "out"
        self._asked.close()

    def _listening(self, port: int) -> socket.socket:
        asked = socket.socket()
        asked.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        asked.bind(("127.0.0.1", port))
        asked.listen()
        asked.settimeout(0.1)
        return asked

    def _serve(self) -> None:
        while self._open:
            try:
                wire, _address = self._asked.accept()
            except OSError:  # nobody asked, or the cable is out
                time.sleep(POLL_S)
                continue
            threading.Thread(target=self._answer, args=(wire,), daemon=True).start()

    def _answer(self, wire: socket.socket) -> None:
        head = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n"
        with wire:
            try:
                wire.recv(4096)
                if self.cable == "in":
                    wire.sendall(head)
                while self._open and self.cable != "out":
                    if self.cable == "in":
                        wire.sendall(b"--next\r\nContent-Type: image/jpeg\r\n\r\n" + self._jpeg() + b"\r\n")
                    time.sleep(0.1)
            except OSError:  # it went away
                return

    def _jpeg(self) -> bytes:
        seen: Picture = self.tray.picture(time.monotonic())
        good, coded = cv2.imencode(".jpg", cv2.convertScaleAbs(seen, alpha=self.exposure))
        assert good
        return coded.tobytes()


class Receiver:
    """What hangs on the ring's port: reads all the time. `deaf_until_s`: it starts after a reset, and hears nothing."""

    def __init__(self, link: Path) -> None:
        self.link, self.line = link, Line()
        self.model, self.deaf_until_s, self.last_s = SimReceiver(), 0.0, 0.0
        self._open = True
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        link.symlink_to(self.line.name)

    def pull(self) -> None:
        self.link.unlink(missing_ok=True)
        self._open = False
        self._thread.join()
        self.line.close()

    def reset(self, deaf_s: float) -> None:
        self.model, self.deaf_until_s = SimReceiver(), time.monotonic() + deaf_s

    def _listen(self) -> None:
        os.set_blocking(self.line.master, False)
        while self._open:
            try:
                heard = os.read(self.line.master, 4096)
            except BlockingIOError:
                time.sleep(POLL_S)
                continue
            now_s = time.monotonic()
            shown = len(self.model.shown)
            if now_s >= self.deaf_until_s:
                self.model.take(heard)
            if len(self.model.shown) > shown:
                self.last_s = now_s


@dataclass
class Told:
    """What the daemon tells systemd, and when."""

    asked: socket.socket
    lines: list[tuple[float, str]] = field(default_factory=list)

    def listen(self) -> None:
        while True:
            try:
                message = self.asked.recv(4096).decode()
            except OSError:
                return
            if message != "WATCHDOG=1":
                self.lines.append((time.monotonic(), message))

    def since(self, began_s: float, what: Callable[[str], bool]) -> float | None:
        return next((at_s for at_s, line in self.lines if at_s >= began_s and what(line)), None)

    @property
    def lost(self) -> str:
        status = next((line for _, line in reversed(self.lines) if line.startswith("STATUS=")), "")
        return ", ".join(Status.of(status.removeprefix("STATUS=")).lost)


# --- the table --------------------------------------------------------------------------------------------------------


class Table:
    """A daemon with all its cables in hand."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self.folder = folder
        self.panel = SimPanel()
        self.bus = SimBus(self.panel)
        self.wires = Wires(folder, self.bus)
        opened.callback(self.wires.close)
        self.camera = Stream()
        opened.callback(self.camera.close)
        self.ring = Receiver(folder / "ring0")
        opened.callback(lambda: self.ring.pull())
        asked = opened.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        asked.bind(str(folder / "notify"))
        self.told = Told(asked)
        threading.Thread(target=self.told.listen, daemon=True).start()
        (folder / "companion.toml").write_text(CONFIG.format(folder=folder, port=self.camera.port))
        with Journal.open(folder / "disk/journal.db") as journal:
            journal.begin(START)
            journal.note(json.dumps(to_note(TableState(seats=(0, 1)))))
        self._log = opened.enter_context((folder / "log").open("wb"))
        self.at_sums = False
        self.daemon: subprocess.Popen[bytes] | None = None
        opened.callback(self.kill)

    def start(self) -> float:
        """Starts the daemon; when."""
        (self.folder / "pins").unlink(missing_ok=True)
        began_s = time.monotonic()
        command = [sys.executable, "-m", "tests.bench.modelled_wires", self.folder, "run"]
        environment = {
            **os.environ,
            "GPIOZERO_PIN_FACTORY": "mock",
            "NOTIFY_SOCKET": str(self.folder / "notify"),
        }
        self.daemon = subprocess.Popen(
            [*command, "--config", self.folder / "companion.toml"], env=environment, stdout=self._log, stderr=self._log
        )
        return began_s

    def kill(self) -> None:
        if self.daemon is not None:
            self.daemon.kill()
            self.daemon.wait()
            self.daemon = None

    def press(self, name: str, seconds: float = 0.1) -> None:
        self.wires.move(PINS[name], "down")
        time.sleep(seconds)
        self.wires.move(PINS[name], "up")

    def turn_page(self) -> None:
        """To the sheet of sums, or back from it."""
        before = self.newest()
        self.press("back" if self.at_sums else "more")
        self.at_sums = not self.at_sums
        until("another page", lambda: self.newest() not in (b"", before))

    def newest(self) -> bytes:
        """The picture that was shown last, as a file tells it."""
        files = sorted((self.folder / "screens").glob("*.png"))
        if not files:
            return b""
        try:
            with Image.open(files[-1]) as picture:
                return picture.resize(SCREEN_SIZE, Image.Resampling.NEAREST).convert("1").tobytes()
        except OSError:  # it is being written
            return b""

    def number(self) -> int:
        """Of pictures shown so far."""
        return len(list((self.folder / "screens").glob("*.png")))

    def on_glass(self) -> bool:
        """Whether the panel shows the newest picture."""
        glass = self.panel.glass().tobytes()
        return any(glass) and glass == self.newest()

    def ready(self) -> bool:
        return self.on_glass() and not self.told.lost and bool(self.ring.last_s)


def until(what: str, holds: Callable[[], bool], within_s: float = TRIES_S) -> float:
    """The seconds until it holds. Raises TimeoutError."""
    began_s = time.monotonic()
    while not holds():
        if time.monotonic() - began_s > within_s:
            raise TimeoutError(f"{what} did not come within {within_s:g} s")
        time.sleep(POLL_S)
    return time.monotonic() - began_s


@contextmanager
def table() -> Iterator[Table]:
    """A table that is well, at the first roll of a free game."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="cables-")))
        (folder / "disk").mkdir()
        if os.geteuid() == 0:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder / "disk"], check=True)
            opened.callback(subprocess.run, ["umount", folder / "disk"], check=False)
        made = Table(folder, opened)
        made.start()
        try:
            until("a table that is well", made.ready)
            yield made
        except TimeoutError:
            print((folder / "log").read_text(), file=sys.stderr)
            raise


# --- the faults -------------------------------------------------------------------------------------------------------

Times = tuple[float | None, float]  # until it was told, None where nobody is; and from the end of the fault


def lost_after(made: Table, role: str) -> float:
    return until(f"word that {role} is lost", lambda: role in made.told.lost)


def well_again(made: Table, role: str, shows: Callable[[], bool]) -> float:
    return until(f"{role} back", lambda: shows() and role not in made.told.lost)


def oled_unplugged(made: Table, away_s: float) -> Times:
    made.bus.fail(errno.ENXIO)
    made.panel.power_off()
    told_s = lost_after(made, "oled")
    made.turn_page()  # there is something new to show
    time.sleep(away_s)
    made.bus.mend()
    made.panel.power_on()
    return told_s, well_again(made, "oled", made.on_glass)


def oled_fails_with(number: int, made: Table, away_s: float) -> Times:
    made.bus.fail(number)
    told_s = lost_after(made, "oled")
    time.sleep(away_s)
    made.bus.mend()
    return told_s, well_again(made, "oled", made.on_glass)


def oled_without_power(made: Table, away_s: float) -> Times:
    time.sleep(away_s)
    made.panel.power_off()
    made.panel.power_on()
    return None, until("the picture", made.on_glass)


def lit_again(made: Table) -> Callable[[], bool]:
    back_s = time.monotonic()
    return lambda: made.ring.last_s > back_s


def ring_unplugged(made: Table, away_s: float, *, renamed: bool = False) -> Times:
    link = made.ring.link
    made.ring.pull()
    told_s = lost_after(made, "ring")
    time.sleep(away_s)
    made.ring = Receiver(made.folder / ("ring1" if renamed and link.name == "ring0" else "ring0"))
    return told_s, well_again(made, "ring", lit_again(made))


def ring_busy(made: Table, away_s: float) -> Times:
    """Another program had the port when it came back."""
    made.ring.pull()
    line = made.ring.line = Line()
    with Path(line.name).open("rb", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        made.ring.link.symlink_to(line.name)
        told_s = lost_after(made, "ring")
        time.sleep(away_s)
    line.close()
    made.ring.link.unlink()
    made.ring = Receiver(made.ring.link)
    return told_s, well_again(made, "ring", lit_again(made))


def ring_torn(made: Table, away_s: float) -> Times:
    """The receiver sees the head of a frame whose rest never comes."""
    time.sleep(away_s)
    made.ring.reset(0)
    made.ring.model.take(b"Ada\x00\x0f\x5a\x00\x00")
    return None, until("the colours", lambda: bool(made.ring.model.shown) and not made.ring.model.obeyed)


def ring_reset(made: Table, away_s: float) -> Times:
    """It starts anew and hears nothing for two seconds, as an Uno does; counted from when it hears."""
    time.sleep(away_s)
    made.ring.reset(2)
    return None, until("the colours", lambda: bool(made.ring.model.shown) and not made.ring.model.obeyed) - 2


def camera_gone(cable: str, made: Table, away_s: float) -> Times:
    made.camera.pull(cable)
    told_s = lost_after(made, "camera")
    time.sleep(away_s)
    made.camera.plug()
    return told_s, until("the camera", lambda: "camera" not in made.told.lost)


def roll_taken(made: Table) -> None:
    """The roll that lies there is read and accepted: the next player's is awaited."""
    until("a roll", lambda: "accept" in made.told.lines[-1][1])
    made.press("ok")
    until("the next player", lambda: "roll" in made.told.lines[-1][1])


def lens_covered(made: Table, away_s: float) -> Times:
    """While dice are awaited: they lie there when the light comes back."""
    made.camera.tray.throw(Lying(()))  # what lay there is taken up
    time.sleep(3)
    made.camera.exposure = COVERED
    told_s = lost_after(made, "light")
    made.camera.tray.throw(Lying((2, 5)))
    time.sleep(away_s)
    made.camera.exposure = 1.0
    back_s = until("the roll", lambda: "accept" in made.told.lines[-1][1])
    roll_taken(made)
    return told_s, back_s


def exposure_jumps(made: Table, away_s: float) -> Times:
    """With the last dice still there: no roll. Then a throw in the new light, timed from the hand to the page."""
    made.camera.tray.throw(Lying((3, 4)))
    until("a roll", lambda: "accept" in made.told.lines[-1][1])
    roll_taken(made)
    lines = len(made.told.lines)
    for exposure in (1.7, 0.6, 1.0, 1.7):
        made.camera.exposure = exposure
        time.sleep(1 + away_s)
        assert made.told.lines[lines:] == [], "a jump of the exposure was taken for a throw"
    made.camera.tray.throw(Lying((1, 6)))
    back_s = until("the roll", lambda: "accept" in made.told.lines[-1][1])
    roll_taken(made)
    made.camera.exposure = 1.0
    time.sleep(1)
    return None, back_s


def button_bounces(made: Table, away_s: float) -> Times:
    """40 edges at either end are one press. The time is that from the last edge to the page that the press leads to."""
    before = made.newest()
    for button in ("back", "more") if made.at_sums else ("more", "back"):
        for levels in (("down", "up") * 20 + ("down",), ("up", "down") * 20 + ("up",)):
            for level in levels:
                made.wires.move(PINS[button], level)
            rested_s = time.monotonic()
            time.sleep(0.1)
        until("another page", lambda: made.newest() not in (b"", before))  # noqa: B023
        before, took_s = made.newest(), time.monotonic() - rested_s
    return None, took_s


def button_stuck(made: Table, away_s: float) -> Times:
    made.wires.move(PINS["less"], "down")
    told_s = lost_after(made, "buttons")
    made.turn_page()  # the others work
    made.turn_page()
    made.wires.move(PINS["less"], "up")
    return told_s, until("word that the buttons are well", lambda: "buttons" not in made.told.lost)


def disk_refuses(made: Table, refuse: Callable[[Path], None], allow: Callable[[Path], None], away_s: float) -> Times:
    """From the press that cannot be kept to the warning, and from the room to the page that the press leads to."""

    def refused() -> int:
        return (made.folder / "log").read_text().count("the disk is")

    refused_before = refused()
    refuse(made.folder / "disk")
    while refused() == refused_before:  # a full disk has some room in what is its own already
        pressed_s = time.monotonic()
        made.turn_page()
        told_s = time.monotonic() - pressed_s
    time.sleep(away_s)
    warning = made.newest()
    allow(made.folder / "disk")
    return told_s, until("the game", lambda: made.newest() not in (b"", warning))


def fill(disk: Path) -> None:
    with (disk / "photos").open("wb", buffering=0) as photos:
        try:
            while True:
                photos.write(bytes(1024))
        except OSError:
            return


def disk_full(made: Table, away_s: float) -> Times:
    return disk_refuses(made, fill, lambda disk: (disk / "photos").unlink(), away_s)


def disk_read_only(made: Table, away_s: float) -> Times:
    """When it is switched on: from the start to the warning, and from the mending of the disk to the game."""
    disk = made.folder / "disk"
    before, warned = made.newest(), made.number()
    made.kill()
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    made.start()
    told_s = until("a warning", lambda: made.number() > warned and made.on_glass())
    time.sleep(away_s)
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
    back_s = until("the game", lambda: made.panel.glass().tobytes() == before)
    until("a table that is well", made.ready)
    return told_s, back_s


def killed(made: Table, away_s: float) -> Times:
    """Until it says that it is ready; and until the glass shows the same question again."""
    before = made.newest()
    made.kill()
    made.panel.power_off()
    made.panel.power_on()
    began_s = made.start()
    until("ready", lambda: made.told.since(began_s, lambda line: line == "READY=1") is not None)
    ready_s = time.monotonic() - began_s
    until("the same picture", lambda: made.panel.glass().tobytes() == before)
    back_s = time.monotonic() - began_s
    until("a table that is well", made.ready)
    return ready_s, back_s


def stopped(made: Table, away_s: float) -> Times:
    """Told is nothing; the time is that to the end of the process, with OLED, ring and camera just pulled."""
    made.bus.fail(errno.ETIMEDOUT)
    made.camera.pull("stalled")
    time.sleep(away_s)
    assert made.daemon is not None
    began_s = time.monotonic()
    made.daemon.send_signal(signal.SIGTERM)
    status = made.daemon.wait(10)
    took_s = time.monotonic() - began_s
    assert status == 0, f"it ended with {status}"
    made.bus.mend()
    made.camera.plug()
    made.start()
    until("a table that is well", made.ready)
    return None, took_s


FAULTS: dict[str, tuple[Callable[[Table, float], Times], tuple[float, ...]]] = {
    "OLED unplugged": (oled_unplugged, AWAY_S),
    "OLED fails with EIO": (lambda made, away_s: oled_fails_with(errno.EIO, made, away_s), AWAY_S),
    "OLED fails with ETIMEDOUT": (lambda made, away_s: oled_fails_with(errno.ETIMEDOUT, made, away_s), AWAY_S),
    "OLED without power": (oled_without_power, AWAY_S),
    "ring unplugged": (ring_unplugged, AWAY_S),
    "ring renamed": (lambda made, away_s: ring_unplugged(made, away_s, renamed=True), AWAY_S),
    "ring busy": (ring_busy, AWAY_S),
    "ring torn frame": (ring_torn, AWAY_S),
    "ring reset": (ring_reset, AWAY_S),
    "camera unplugged": (lambda made, away_s: camera_gone("out", made, away_s), AWAY_S),
    "camera stalled": (lambda made, away_s: camera_gone("stalled", made, away_s), AWAY_S),
    "lens covered": (lens_covered, AWAY_S),
    "exposure jumps": (exposure_jumps, AWAY_S[:2]),
    "button bounces": (button_bounces, AWAY_S[:1]),
    "button stuck": (button_stuck, AWAY_S[:1]),
    "disk full": (disk_full, AWAY_S),
    "disk read-only": (disk_read_only, AWAY_S),
    "kill -9 (ready; back)": (killed, AWAY_S),
    "stop": (stopped, AWAY_S),
}


def _fault(name: str) -> str:
    if name not in FAULTS:
        raise argparse.ArgumentTypeError(f"{name!r} is none; there are {', '.join(FAULTS)}")
    return name


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_cables",
        description="Pulls every cable of a running companion, by the wall clock.",
    )
    parser.add_argument("fault", nargs="*", type=_fault, help=f"only these; there are {', '.join(FAULTS)}")
    wanted = parser.parse_args().fault or list(FAULTS)
    print(f"{'fault':28} {'told after':>12} {'back after, at most':>20} {'usually':>9}", flush=True)
    failed = 0
    with table() as made:
        for name in wanted:
            if name.startswith("disk") and os.geteuid() != 0:
                print(f"{name:28} NOT MEASURED: needs root", flush=True)
                continue
            fault, lengths = FAULTS[name]
            try:
                times = [fault(made, away_s) for away_s in lengths]
            except TimeoutError as late:
                print(f"{name:28} FAILED: {late}", flush=True)
                failed += 1
                continue
            told = [told_s for told_s, _ in times if told_s is not None]
            back = [back_s for _, back_s in times]
            said = f"{max(told):10.2f} s" if told else f"{'–':>12}"
            print(f"{name:28} {said} {max(back):18.2f} s {statistics.median(back):7.2f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
