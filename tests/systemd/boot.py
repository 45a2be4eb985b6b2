"""Installs and runs the service in a real systemd, booted in a container over Debian 12 and 13.

    sudo python tests/systemd/boot.py [bookworm] [trixie]

Needs root, systemd-nspawn and debootstrap (apt install systemd-container debootstrap); where they are missing it says
so and exits 77. The systems and the Python packages are fetched once and kept in /var/tmp/companion-roots; the
container itself has no network. Every step prints a line; exit status 1 where one fails.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from wheels import download, needed

SOURCE = Path(__file__).resolve().parents[2]
ROOTS = Path(os.environ.get("COMPANION_ROOTS", "/var/tmp/companion-roots"))
PACKAGES = "systemd,systemd-sysv,dbus,udev,passwd,python3,python3-venv"
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
NEEDED = ("systemd-nspawn", "debootstrap", "nsenter")
NOT_TESTED = 77
BOOT_S, STEP_S = 120, 900  # a busy machine takes its time
# Compiling every package anew for each of the four installations would take most of the time.
# No version that is tried here gets stuck: each need not stay up as long as on a Pi.
ENVIRONMENT = ("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "PIP_NO_COMPILE=1", "COMPANION_HEALTHY_S=15")
PARTS = ("pyproject.toml", "README.md", "LICENSE", "companion", "hardware", "calibration", "systemd")
SKIPPED = shutil.ignore_patterns("__pycache__")
FAST_WATCHDOG = "[Service]\nWatchdogSec=4\n"
TABLE = """\
[camera]
kind = "none"
[ring]
kind = "serial"
[[display]]
kind = "oled"
[[display]]
kind = "png"
folder = "/run/last-word"
"""


class Failed(Exception):
    """A step did not go as it must."""


class Unable(Exception):
    """This machine cannot boot a container: nothing was tested."""


# -- what is fetched once


def root(suite: str) -> Path:
    """A Debian of that name."""
    folder = ROOTS / suite
    if not (folder / "usr/bin/python3").exists():
        say(f"fetching Debian {suite} into {folder}")
        debian(folder, suite, f"--include={PACKAGES}")
    return folder


def debian(folder: Path, suite: str, *options: str) -> None:
    """A small Debian of that name, made anew in a folder. Raises Unable."""
    shutil.rmtree(folder, ignore_errors=True)
    command = ["debootstrap", "--variant=minbase", *options, suite, str(folder)]
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise Unable(f"Debian {suite} could not be fetched")


def wheels(python: str) -> Path:
    """The Python packages that the companion needs, for that Python on this machine."""
    folder = ROOTS / f"wheels-{python}"
    if not any(folder.glob("opencv*")):
        say(f"fetching Python packages for {python} into {folder}")
        here = [f"manylinux_2_{version}_x86_64" for version in (28, 27, 17)]
        download(folder, python, here, [*needed(python), "setuptools>=77", "wheel"])
    return folder


FOR_A_PI = ("python3-venv", "python3-spidev")  # python3-lgpio and python3-picamera2 are in Raspberry Pi's own archive


def asked_for_a_pi(base: Path) -> None:
    """Asks this Debian's index whether a Pi gets from it what no wheel brings. Raises Failed."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("lists/partial", "cache/archives/partial"):
            (Path(folder) / name).mkdir(parents=True)
        places = {
            "APT::Architecture": "arm64",
            "APT::Architectures": "arm64",
            "Dir::State::Lists": f"{folder}/lists",
            "Dir::State::status": "/dev/null",
            "Dir::Cache": f"{folder}/cache",
            "Dir::Etc::sourcelist": str(base / "etc/apt/sources.list"),
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::trustedparts": str(base / "etc/apt/trusted.gpg.d"),
        }
        options = [f"-o{key}={value}" for key, value in places.items()]
        updated = subprocess.run(["apt-get", *options, "-qq", "update"], capture_output=True, text=True, check=False)
        if updated.returncode or "Failed to fetch" in updated.stderr:
            say(f"!! NOT ASKED: whether a Pi gets {' and '.join(FOR_A_PI)}: {updated.stderr.strip()}")
            return
        for package in FOR_A_PI:
            found = subprocess.run(
                ["apt-cache", *options, "policy", package], capture_output=True, text=True, check=True
            ).stdout
            version = re.search(r"Candidate: (\d\S*)", found)
            expect(version is not None, f"a Pi gets {package} {version and version[1]}", found)


# -- the container


class Machine:
    """A booted container; `leader` is the process on this side that is its PID 1."""

    def __init__(self, leader: int) -> None:
        self.leader = leader

    def does(self, *command: str, status: int | None = 0) -> str:
        """Runs a command inside; its whole output. Raises Failed for another status than that (None: any)."""
        inside = ["nsenter", "--all", f"--target={self.leader}", "--", "/usr/bin/env", "-i", *ENVIRONMENT, *command]
        try:
            done = subprocess.run(inside, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=STEP_S)
        except subprocess.TimeoutExpired as slow:
            raise Failed(f"{' '.join(command)} took longer than {STEP_S} s:\n{slow.output}") from slow
        if status is not None and done.returncode != status:
            raise Failed(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def shows(self, what: str) -> str:
        """A property of the service."""
        return self.does("systemctl", "show", "--value", f"--property={what}", "companion.service").strip()

    def comes(self, what: str, holds: Callable[[], bool], within_s: float = 30) -> float:
        """Waits until something holds; the seconds that took. Raises Failed."""
        began_s = time.monotonic()
        while not holds():
            if time.monotonic() - began_s > within_s:
                raise Failed(f"{what} did not come within {within_s:g} s:\n{self.log()}")
            time.sleep(0.1)
        return time.monotonic() - began_s

    def log(self) -> str:
        return self.does("journalctl", "--unit=companion.service", "--no-pager", "--lines=30", status=None)


@contextmanager
def booted(base: Path, packages: Path, new: Path) -> Iterator[Machine]:
    """The system on `base`, untouched by what happens in it. This checkout is /src inside, `new` /new."""
    with ExitStack() as opened:
        top = opened.enter_context(overlaid(base))
        binds = [f"--bind-ro={SOURCE}:/src", f"--bind-ro={packages}:/wheels", f"--bind-ro={new}:/new"]
        quiet = ["--quiet", "--register=no", "--keep-unit", "--private-network", "--console=pipe", "--timezone=off"]
        command = ["systemd-nspawn", f"--directory={top}", *quiet, *binds, "--boot"]
        console = opened.enter_context((ROOTS / "console.log").open("wb"))
        nspawn = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        opened.callback(ended, nspawn)
        machine = Machine(leader_of(nspawn))
        machine.comes("systemd", lambda: "running" in running(machine) or "degraded" in running(machine), BOOT_S)
        yield machine


def running(machine: Machine) -> str:
    try:
        return machine.does("systemctl", "is-system-running", status=None)
    except (OSError, subprocess.SubprocessError):
        return ""


def leader_of(nspawn: subprocess.Popen[bytes]) -> int:
    children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
    for _ in range(BOOT_S * 10):
        if nspawn.poll() is not None:
            raise Unable(f"systemd-nspawn ended with {nspawn.returncode}; see {ROOTS / 'console.log'}")
        # nspawn's child is a stub until it has become the container's PID 1
        for child in children.read_text().split():
            if Path(f"/proc/{child}/comm").read_text().strip() in ("systemd", "init"):
                return int(child)
        time.sleep(0.1)
    raise Failed("the container did not start")


def ended(nspawn: subprocess.Popen[bytes]) -> None:
    """SIGTERM is an orderly shutdown; a killed nspawn would leave its PID 1 running."""
    nspawn.send_signal(signal.SIGTERM)
    try:
        nspawn.wait(BOOT_S)
    except subprocess.TimeoutExpired:
        for child in Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        nspawn.kill()
        nspawn.wait()


@contextmanager
def overlaid(base: Path) -> Iterator[Path]:
    """A folder like `base`; what is written there is thrown away."""
    scratch = ROOTS / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    upper, work, top = (scratch / name for name in ("upper", "work", "top"))
    for folder in (upper, work, top):
        folder.mkdir(parents=True)
    layers = f"lowerdir={base},upperdir={upper},workdir={work}"
    if subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, str(top)], check=False).returncode != 0:
        raise Unable("an overlay file system could not be mounted")
    try:
        yield top
    finally:
        subprocess.run(["umount", str(top)], check=True)
        shutil.rmtree(scratch, ignore_errors=True)


def changed_copy(folder: Path, version: str, *, broken: bool) -> Path:
    """This checkout as another version; a broken one starts, and dies before it is ready."""
    folder.mkdir(parents=True)
    for part in PARTS:
        copy = shutil.copy if (SOURCE / part).is_file() else lambda a, b: shutil.copytree(a, b, ignore=SKIPPED)
        copy(SOURCE / part, folder / part)
    about = folder / "companion/__init__.py"
    about.write_text(re.sub(r'__version__ = ".*"', f'__version__ = "{version}"', about.read_text()))
    if broken:
        run = folder / "companion/cli/run.py"
        run.write_text(run.read_text() + "\n\ndef run(options: object) -> int:\n    raise SystemExit(3)\n")
    return folder


def deadly(packages: Path, folder: Path) -> None:
    """The same packages, but for an ONNX Runtime that ends who loads it, as an instruction does that is not known."""
    folder.mkdir(parents=True)
    for wheel in packages.glob("*.whl"):
        if not wheel.name.startswith("onnxruntime-"):
            shutil.copy(wheel, folder)
    about = "onnxruntime-99.0.dist-info"
    parts = {
        "onnxruntime/__init__.py": "import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n",
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: onnxruntime\nVersion: 99.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: boot\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    parts[f"{about}/RECORD"] = "".join(f"{part},,\n" for part in (*parts, f"{about}/RECORD"))
    with zipfile.ZipFile(folder / "onnxruntime-99.0-py3-none-any.whl", "w") as wheel:
        for part, text in parts.items():
            wheel.writestr(part, text)


# -- the steps, in order; each leaves the machine as the next one needs it


def installs(machine: Machine) -> None:
    machine.does("mkdir", "-p", "/etc/companion")
    machine.does("sh", "-c", f"cat > /etc/companion/companion.toml <<'END'\n{TABLE}END")
    told = machine.does("/src/systemd/install.sh", "--wheels", "/wheels")
    expect("kept: /etc/companion/companion.toml" in told, "the user's configuration is left alone", told)
    expect(machine.shows("ActiveState") == "active", "the service said that it is ready", machine.log())


def runs_as_its_own_user(machine: Machine) -> None:
    pid = machine.shows("MainPID")
    status = machine.does("cat", f"/proc/{pid}/status")
    uid = machine.does("id", "-u", "companion").strip()
    expect(re.search(rf"^Uid:\t{uid}\t", status, re.MULTILINE) is not None, "it runs as its own user", status)
    expect("NoNewPrivs:\t1" in status, "it can gain no privileges", status)
    expect("CapEff:\t0000000000000000" in status, "it has no capabilities", status)
    kept = machine.does("stat", "--format=%U %a", "/var/lib/companion")
    expect(kept == "companion 750\n", "its state folder is its own", kept)
    expect(machine.does("test", "-s", "/var/lib/companion/journal.db") == "", "its journal is there", "")


def finds_its_own_by_hand(machine: Machine) -> None:
    told = machine.does("/usr/local/bin/companion", "doctor", status=None)
    expect("/var/lib/companion/journal.db" in told, "by hand the service's journal is looked at", told)
    expect("a companion is running" in told, "and no device that the service uses is opened", told)


def has_a_status_line(machine: Machine) -> None:
    def tells() -> bool:
        return all(role in machine.shows("StatusText") for role in ("lost", "oled", "ring", "buttons"))

    machine.comes("a status line that names what is lost", tells)
    say(f"  its status line: {machine.shows('StatusText')}")


def is_harmless_twice(machine: Machine) -> None:
    machine.does("/src/systemd/install.sh", "--wheels", "/wheels")
    expect(machine.shows("ActiveState") == "active", "a second installation changes nothing", machine.log())
    count = machine.does("sh", "-c", "ls /opt/companion/releases | wc -l").strip()
    expect(count == "2", "the version before is kept to return to", count)


def is_restarted_by_the_watchdog(machine: Machine) -> None:
    # as pip does where it may take its time: what follows is timed
    machine.does("/opt/companion/current/bin/python", "-m", "compileall", "-q", "-j2", "/opt/companion/current/lib")
    machine.does("mkdir", "-p", "/etc/systemd/system/companion.service.d")
    machine.does("sh", "-c", f"printf '{FAST_WATCHDOG!s}' > /etc/systemd/system/companion.service.d/fast.conf")
    machine.does("systemctl", "daemon-reload")
    machine.does("systemctl", "restart", "companion.service")
    pid = machine.shows("MainPID")
    time.sleep(6)  # longer than the watchdog's patience: it is fed
    expect(machine.shows("MainPID") == pid, "the watchdog is fed", machine.log())
    machine.does("sh", "-c", f"kill -STOP {pid}")
    took_s = machine.comes(
        "a restart by the watchdog",
        lambda: machine.shows("MainPID") not in (pid, "0") and machine.shows("ActiveState") == "active",
    )
    say(f"  hung, and up again after {took_s:.1f} s (watchdog 4 s)")
    expect("watchdog" in machine.log().lower(), "the log says why", machine.log())


def is_restarted_after_a_kill(machine: Machine) -> None:
    pid = machine.shows("MainPID")
    machine.does("sh", "-c", f"kill -KILL {pid}")
    took_s = machine.comes(
        "a restart",
        lambda: machine.shows("MainPID") not in (pid, "0") and machine.shows("ActiveState") == "active",
    )
    say(f"  killed, and up again after {took_s:.1f} s")


def stops_cleanly(machine: Machine) -> None:
    began_s = time.monotonic()
    machine.does("systemctl", "stop", "companion.service")
    took_s = time.monotonic() - began_s
    expect(machine.shows("Result") == "success", "it stops by itself, not by a kill", machine.log())
    expect(took_s < 2, f"it stops within 2 s ({took_s:.2f} s)", machine.log())
    machine.does("systemctl", "start", "companion.service")


def finds_all_but_its_folders_read_only(machine: Machine) -> None:
    """As the service sees it, the root is a read-only file system already."""
    inside = ("nsenter", "--mount", f"--target={machine.shows('MainPID')}")
    for place in ("/etc", "/opt/companion", "/var/lib", "/usr/lib"):
        told = machine.does(*inside, "touch", f"{place}/trial", status=1)
        expect("Read-only file system" in told, f"it finds {place} read-only", told)
    machine.does(*inside, "touch", "/var/lib/companion/trial", "/run/companion/trial")


def upgrades(machine: Machine) -> None:
    """To packages of which one holds what this processor lacks."""
    told = machine.does("/new/good/systemd/install.sh", "--upgrade", "--wheels", "/new/wheels")
    expect("note: ONNX Runtime does not run on this processor" in told, "what ends who loads it is taken away", told)
    told = machine.does("/opt/companion/current/bin/python", "-m", "companion.vision.bench.trial")
    expect(told.startswith("OpenCV "), "dice are read without it", told)
    version = machine.does("/opt/companion/current/bin/companion", "--version")
    expect(version == "companion 8.8.8\n", "an upgrade runs the new version", told)
    expect(machine.shows("ActiveState") == "active", "it is up", machine.log())


def returns_from_a_failed_upgrade(machine: Machine) -> None:
    began_s = time.monotonic()
    told = machine.does("/new/bad/systemd/install.sh", "--upgrade", "--wheels", "/wheels", status=1)
    say(f"  tried and taken back in {time.monotonic() - began_s:.0f} s")
    expect("went back to 8.8.8-" in told, "a version that does not come up is taken away", told)
    version = machine.does("/opt/companion/current/bin/companion", "--version")
    expect(version == "companion 8.8.8\n", "the one before is back", told)
    expect(machine.shows("ActiveState") == "active", "it is up", machine.log())


def refuses_a_wrong_configuration(machine: Machine) -> None:
    machine.does("sed", "-i", r"s/^\[ring\]$/&\nleds = 0/", "/etc/companion/companion.toml")
    told = machine.does("/src/systemd/install.sh", "--wheels", "/wheels", status=1)
    expect("ring.leds = 0: a whole number from 1" in told, "mistakes in the configuration are told", told)
    version = machine.does("/opt/companion/current/bin/companion", "--version")
    expect(version == "companion 8.8.8\n", "the version before runs on", version)
    expect("The service is as it was" in told, "that is told", told)


def says_when_the_plug_may_be_pulled(machine: Machine) -> None:
    machine.does("/usr/lib/systemd/system-shutdown/companion", "poweroff")
    kept = machine.does("ls", "/run/last-word").split()
    expect(len(kept) == 1, "the last word of a shutdown reaches the screen", str(kept))


def uninstalls(machine: Machine) -> None:
    machine.does("/src/systemd/install.sh", "--uninstall")
    machine.does("test", "!", "-e", "/opt/companion", "-a", "!", "-e", "/etc/systemd/system/companion.service")
    machine.does("test", "!", "-L", "/usr/local/bin/companion")
    machine.does("test", "-s", "/var/lib/companion/journal.db", "-a", "-s", "/etc/companion/companion.toml")
    expect(machine.shows("ActiveState") == "inactive", "the service is gone, games and configuration stay", "")


STEPS = (
    installs,
    runs_as_its_own_user,
    has_a_status_line,
    finds_its_own_by_hand,
    is_harmless_twice,
    is_restarted_by_the_watchdog,
    is_restarted_after_a_kill,
    stops_cleanly,
    finds_all_but_its_folders_read_only,
    upgrades,
    returns_from_a_failed_upgrade,
    says_when_the_plug_may_be_pulled,
    refuses_a_wrong_configuration,
    uninstalls,
)


def expect(holds: bool, what: str, otherwise: str) -> None:
    if not holds:
        raise Failed(f"NOT SO: {what}\n{otherwise}")
    say(f"  {what}")


def say(text: str) -> None:
    print(text, flush=True)


def tried(suite: str) -> bool:
    """Whether every step went well."""
    began_s = time.monotonic()
    base, new = root(suite), ROOTS / "new"
    shutil.rmtree(new, ignore_errors=True)
    changed_copy(new / "good", "8.8.8", broken=False)
    changed_copy(new / "bad", "9.9.9", broken=True)
    deadly(wheels(PYTHONS[suite]), new / "wheels")
    try:
        asked_for_a_pi(base)
        with booted(base, wheels(PYTHONS[suite]), new) as machine:
            for step in STEPS:
                say(f"{suite}: {step.__name__.replace('_', ' ')}")
                step(machine)
    except Failed as failed:
        say(f"{suite}: FAILED: {failed}")
        return False
    say(f"{suite}: all went well, in {time.monotonic() - began_s:.0f} s")
    return True


def main() -> int:
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing or os.geteuid() != 0:
        say(f"!! NOT TESTED: the service in a real systemd needs root and {', '.join(missing or NEEDED)}")
        return NOT_TESTED
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no container runs on
    ROOTS.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or list(PYTHONS)
    try:
        failed = [suite for suite in wanted if not tried(suite)]
    except Unable as unable:
        say(f"!! NOT TESTED: the service in a real systemd: {unable}")
        return NOT_TESTED
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
