"""The installer, as far as it can be tried without changing this machine; boot.py tries the rest in a real systemd."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion.devices import JUDGE_S

FOLDER = Path(__file__).parents[2] / "systemd"
INSTALL = FOLDER / "install.sh"
UNIT = FOLDER / "companion.service"


def install(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([INSTALL, *words], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="NOT TESTED: install.sh needs shellcheck")
def test_shellcheck_finds_nothing() -> None:
    judged = subprocess.run(["shellcheck", INSTALL], capture_output=True, text=True, check=False, timeout=60)
    assert judged.stdout == ""


def test_a_dry_run_says_every_step_and_does_none() -> None:
    before = {path for path in (Path("/opt"), Path("/etc"), Path("/etc/systemd/system")) for path in path.iterdir()}
    told = install("--dry-run")
    after = {path for path in (Path("/opt"), Path("/etc"), Path("/etc/systemd/system")) for path in path.iterdir()}
    assert (told.returncode, told.stderr) == (0, "")
    for step in ("-m venv --system-site-packages", "pip install", "mv -T", "systemctl restart companion.service"):
        assert step in told.stdout
    assert told.stdout.endswith("nothing was done\n")
    assert after == before


def test_help_tells_every_option() -> None:
    told = install("--help").stdout
    taken = set(re.findall(r"^\s+(--[a-z-]+)\)", INSTALL.read_text(), re.MULTILINE))
    assert {option for option in taken if option not in told} == set()


def test_help_tells_what_else_a_folder_of_wheels_must_hold() -> None:
    (builder,) = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["build-system"]["requires"]
    assert f"pip download --dest DIR . '{builder}'" in install("--help").stdout


FAILED = "install.sh: the Python packages could not be installed; the service is as it was"
MISTAKEN = "install.sh: the configuration has mistakes; mend them and run this again. The service is as it was"
DONE = "changed=('group gpio' 'user companion' '/etc/companion.toml: choose your hardware there'); "
STAYS = ". This was done and stays: group gpio, user companion, /etc/companion.toml"


@pytest.mark.parametrize(
    ("before", "words", "told"),
    [
        ("", 'give_up "the Python packages could not be installed" ""', FAILED),
        ("", 'give_up "the Python packages could not be installed" /a/8.8.8-1', f"{FAILED}, 8.8.8-1 runs on"),
        (DONE, 'give_up "the Python packages could not be installed" ""', f"{FAILED}{STAYS}"),
        (DONE, "check_config", f"{MISTAKEN}{STAYS}"),
        ("", "check_config", MISTAKEN),
    ],
)
def test_an_installation_that_is_given_up_tells_what_was_done_and_that_the_service_was_left_alone(
    before: str, words: str, told: str, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    release.mkdir()
    ran = calling(f"{before}release={release}; {words}")
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (1, told)
    assert not release.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--upgarde"], "there is no option --upgarde; see --help"),
        (["--wheels"], "--wheels needs a folder of Python packages; there is none at ''"),
        (["--wheels", "/no/such"], "there is none at '/no/such'"),
        (["--dry-run", "--upgrade"], "nothing is installed; install it without --upgrade"),
    ],
)
def test_a_wrong_call_is_told(words: list[str], told: str) -> None:
    if Path("/opt/companion/current").exists():
        pytest.skip("NOT TESTED: the companion is installed here")
    answer = install(*words)
    assert answer.returncode == 1
    assert told in answer.stderr


def test_the_installer_makes_the_user_groups_and_places_that_the_unit_names() -> None:
    script, keys = INSTALL.read_text(), dict(re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE))
    assert f'GROUPS_NEEDED="{keys["SupplementaryGroups"]}"' in script
    assert f"STATE=/var/lib/{keys['StateDirectory']}" in script
    command, _, config = keys["ExecStart"].partition(" run --config ")
    assert command == "/opt/companion/current/bin/companion"
    assert f"CONFIG={config}" in script


FIRST_PICTURE_S = 8  # until libcamera gives one at the latest


def test_a_new_version_must_stay_up_for_longer_than_the_watchdog_lets_a_stuck_one_be() -> None:
    found = re.search(r"^HEALTHY_S=\$\{COMPANION_HEALTHY_S:-(\d+)\}$", INSTALL.read_text(), re.MULTILINE)
    assert found is not None
    keys = dict(re.findall(r"^(\w+)=(\d+)$", UNIT.read_text(), re.MULTILINE))
    stuck_s = FIRST_PICTURE_S + JUDGE_S + int(keys["WatchdogSec"]) + int(keys["TimeoutAbortSec"])
    assert int(found[1]) > stuck_s


@pytest.mark.parametrize("status", [0, 1])
def test_the_drivers_of_devices_are_loaded_now_and_at_power_on_whichever_there_are(tmp_path: Path, status: int) -> None:
    modprobe, placed = tmp_path / "modprobe", tmp_path / "etc" / "companion.conf"
    modprobe.write_text(f'#!/bin/sh\necho "$*" >>"{tmp_path}/loaded"; exit {status}\n')
    modprobe.chmod(0o755)
    ran = calling(f"MODULES={placed}; PATH={tmp_path}:$PATH; load_modules")
    assert ran.returncode == 0
    listed = FOLDER / "companion-modules.conf"
    assert placed.read_bytes() == listed.read_bytes()
    wanted = [line for line in listed.read_text().splitlines() if not line.startswith("#")]
    assert (tmp_path / "loaded").read_text().splitlines() == [f"--quiet {name}" for name in wanted]


def test_the_program_is_linked_unless_something_else_has_its_name_and_the_link_alone_is_taken_away(
    tmp_path: Path,
) -> None:
    program = tmp_path / "companion"
    here = f"PROGRAM={program}; CURRENT={tmp_path}/current"
    assert calling(f"{here}; link_program; link_program").stdout == ""
    assert program.readlink() == tmp_path / "current" / "bin" / "companion"
    assert calling(f"{here}; unlink_program").returncode == 0
    assert not program.is_symlink()
    program.write_text("another")
    told = calling(f"{here}; link_program; unlink_program")
    assert told.stdout.startswith(f"note: {program} is something else and stays")
    assert (told.returncode, program.read_text()) == (0, "another")


def test_the_service_can_read_what_is_installed_whatever_umask_the_caller_has(tmp_path: Path) -> None:
    home, config = tmp_path / "opt", tmp_path / "etc" / "companion" / "companion.toml"
    home.mkdir(mode=0o700)  # as an installation with such a umask once left it
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "companion"
    program.write_text("#!/bin/sh\necho '# every key'\n")
    program.chmod(0o755)
    places = f"HOME_FOLDER={home}; RELEASES={home}/releases; CONFIG={config}; release={tmp_path}"
    ran = calling(f"{places}; make_folders; write_config", umask=0o077)
    assert (ran.returncode, config.read_text()) == (0, "# every key\n")
    modes = [path.stat().st_mode & 0o777 for path in (home, home / "releases", config.parent, config)]
    assert modes == [0o755, 0o755, 0o755, 0o644]


def test_a_configuration_that_was_closed_for_a_password_in_it_stays_so(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('camera.url = "http://us:secret@10.0.0.5/cam"\n')
    config.chmod(0o640)
    assert calling(f"CONFIG={config}; release={tmp_path}; write_config").stdout == f"kept: {config}\n"
    assert config.stat().st_mode & 0o777 == 0o640
    assert "chmod 640" in INSTALL.read_text()


@pytest.mark.parametrize(("pip", "program"), [(0, 0), (1, 0), (0, 1)])
def test_the_copy_that_a_version_is_built_from_is_taken_away_also_where_that_fails(
    tmp_path: Path, pip: int, program: int
) -> None:
    """With stand-ins for the release's pip and companion; the first tells that it was given such a copy."""
    release, copies = tmp_path / "2", tmp_path / "copies"
    copies.mkdir()
    (release / "bin").mkdir(parents=True)
    for name, words in (
        ("pip", f'for last; do :; done; ls "$last" >{tmp_path}/given; exit {pip}'),
        ("companion", f"exit {program}"),
    ):
        (release / "bin" / name).write_text(f"#!/bin/sh\n{words}\n")
        (release / "bin" / name).chmod(0o755)
    places = f"HOME_FOLDER={tmp_path}; RELEASES={tmp_path}; release={release}; export TMPDIR={copies}"
    ran = calling(f"{places}; run() {{ :; }}; make_release && echo made || echo failed")
    assert ran.stdout == ("failed\n" if pip or program else "made\n"), ran.stderr
    assert "pyproject.toml" in (tmp_path / "given").read_text().splitlines()
    assert list(copies.iterdir()) == []


def test_a_version_is_on_the_disk_before_it_is_the_one_that_runs_and_so_is_its_name_before_anything_else(
    tmp_path: Path,
) -> None:
    home, release = tmp_path / "opt", tmp_path / "opt" / "releases" / "2"
    release.mkdir(parents=True)
    (home / "current").symlink_to(home / "releases" / "1")
    done = tmp_path / "done"
    words = f"""HOME_FOLDER={home}; CURRENT={home}/current; HEALTHY_S=0
        sync() {{ echo "sync $* $(readlink {home}/current)" >>{done}; }}
        place() {{ echo place >>{done}; }}
        systemctl() {{ :; }}
        run_release {release}"""
    assert calling(words).returncode == 0
    assert done.read_text().splitlines() == [
        f"sync -f {release} {home}/releases/1",
        f"sync -f {home} {release}",
        "place",
    ]


def test_the_example_is_on_the_disk_before_it_is_the_configuration(tmp_path: Path) -> None:
    config, done = tmp_path / "companion.toml", tmp_path / "done"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "companion").write_text("#!/bin/sh\necho '# every key'\n")
    (tmp_path / "bin" / "companion").chmod(0o755)
    sync = f'sync() {{ echo "$* $(cat {config}.new)" >{done}; }}'
    assert calling(f"{sync}; CONFIG={config}; release={tmp_path}; write_config").returncode == 0
    assert done.read_text() == f"-f {config}.new # every key\n"
    assert config.read_text() == "# every key\n"


@pytest.mark.parametrize("linked", [False, True])
def test_the_running_version_and_the_one_before_it_are_kept_also_on_another_disk(tmp_path: Path, linked: bool) -> None:
    disk, releases = tmp_path / "disk", tmp_path / "opt" / "releases"
    (disk if linked else tmp_path / "opt").mkdir()
    if linked:
        (tmp_path / "opt").symlink_to(disk)
    for name in ("1.0-1", "1.0-2", "1.0-3"):
        (releases / name).mkdir(parents=True)
    current = tmp_path / "opt" / "current"
    current.symlink_to(releases / "1.0-2")
    words = f'RELEASES={releases}; CURRENT={current}; release={releases}/1.0-3; tidy "$(previous_release)"'
    assert calling(words).returncode == 0
    assert sorted(path.name for path in releases.iterdir()) == ["1.0-2", "1.0-3"]


def calling(words: str, *, umask: int = -1) -> subprocess.CompletedProcess[str]:
    """What the installer's functions say, called as in these words."""
    script = INSTALL.read_text().removesuffix('main "$@"\n') + f"SOURCE={FOLDER.parent}\n{words}\n"
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60, umask=umask)


@pytest.mark.parametrize(
    ("kernel", "bits", "told"),
    [
        ("aarch64", 64, ""),
        ("x86_64", 64, ""),
        ("aarch64", 32, "this is a 32-bit system"),
        ("armv7l", 32, "this is a 32-bit system"),
        ("riscv64", 64, "this is a riscv64 system"),
    ],
)
def test_a_32_bit_system_is_refused_whatever_kernel_runs_below_it(kernel: str, bits: int, told: str) -> None:
    """With stand-ins for the kernel's name and the system's Python; a dry run refuses, too, and changes nothing."""
    python = f'/usr/bin/python3() {{ command /usr/bin/python3 -c "import sys; sys.maxsize = 2**{bits - 1} - 1; $2"; }}'
    ran = calling(f"uname() {{ echo {kernel}; }}; {python}; dry_run=yes; check_machine")
    assert ran.returncode == (1 if told else 0), ran.stderr
    said = [line for line in ran.stderr.splitlines() if line.startswith("install.sh: ")]
    assert said == ([f"install.sh: {told}, and {ONLY}"] if told else [])


ONLY = "OpenCV comes for 64-bit ARM and x86 only; install the 64-bit Raspberry Pi OS"

APT = """#!/bin/sh
case "$(basename "$0") $*" in
    dpkg-query*python3-venv*) echo "install ok installed" ;;
    apt-get*update*) exit 0 ;;
    apt-get*install*DPkg::Lock::Timeout=300*) echo "E: Could not get lock /var/lib/dpkg/lock-frontend" >&2; exit 100 ;;
    "apt-cache show python3-lgpio") exit 0 ;;
    *) exit 100 ;;
esac
"""


def test_a_package_that_apt_could_not_install_is_not_said_to_be_missing(tmp_path: Path) -> None:
    for name in ("apt-get", "apt-cache", "dpkg-query"):
        program = tmp_path / name
        program.write_text(APT)
        program.chmod(0o755)
    ran = calling(f'PATH={tmp_path}:$PATH; APT_PACKAGES="python3-venv python3-lgpio python3-spidev"; install_packages')
    assert ran.returncode == 0
    assert ran.stderr.count("E: Could not get lock") == 2
    failed, missing = ran.stdout.splitlines()
    assert failed.startswith("note: apt could not install python3-lgpio, and says above why")
    assert missing.startswith("note: there is no apt package python3-spidev here")


STAND_IN = """#!/bin/sh
case "$0 $*" in
    *pip*uninstall*onnxruntime) touch "{folder}/without" ;;
    *trial) echo "$0" >>"{folder}/tried"; [ -e "{folder}/without" ] && exit {otherwise} || {first} ;;
    *) exit 9 ;;
esac
"""


@pytest.mark.parametrize(
    ("first", "otherwise", "told", "tries"),
    [
        ("exit 0", 0, "0\n", 1),
        ("kill -ILL $$", 0, "note: ONNX Runtime does not run on this processor; OpenCV reads dice without it", 2),
        ("kill -ILL $$", 1, "1\n", 2),
        ("exit 1", 0, "note: ONNX Runtime", 2),
    ],
)
def test_what_this_processor_cannot_run_is_taken_away_again(
    tmp_path: Path, first: str, otherwise: int, told: str, tries: int
) -> None:
    """With stand-ins for the release's own Python and pip; boot.py does it with a package that really dies."""
    for name in ("python", "pip"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(STAND_IN.format(folder=tmp_path, first=first, otherwise=otherwise))
        program.chmod(0o755)
    script = INSTALL.read_text().removesuffix('main "$@"\n') + f"release={tmp_path}\ntry_reading && echo 0 || echo 1\n"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert told in ran.stdout
    assert ran.stdout.endswith("1\n" if otherwise else "0\n")
    assert len((tmp_path / "tried").read_text().splitlines()) == tries
