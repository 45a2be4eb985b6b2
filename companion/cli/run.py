"""`companion run`: the daemon, from power-on to power-off."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from calibration.facts import Profile
from calibration.parsed import ProfileError
from calibration.play import CalibratedEyes
from calibration.profile import load as load_profile
from calibration.use import in_place, locks_of
from companion import reach
from companion.cli import KEYBOARD, config_option
from companion.cli.ends import heeded
from companion.compose import house_of, known_places, legend_of, rig_of, settler_of
from companion.config import Config, ConfigError, ConfigUnread, Problem, calibration_folder, find, journal_file, load
from companion.events import Fit, Knocked
from companion.farewell import resting
from companion.journal import Journal, JournalError, JournalReadOnly, open_telling
from companion.notify import Notifier
from companion.paths import first_missing
from companion.ports import Clock, DeviceLost
from companion.serve import Rig, Running
from companion.status import NOT_BEGUN
from companion.table.house import House
from companion.typed import to_type
from companion.waiting import (
    LASTING,
    Screens,
    cannot_open,
    cannot_save,
    show_long_enough,
    telling_of_a_mend,
    when_writable,
)
from companion.watch import Watch
from hardware.buttons_script import read
from hardware.clock import SystemClock
from hardware.job_control import gives_way

log = logging.getLogger(__name__)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "`companion config example` prints a configuration. Status: 0 after SIGTERM, SIGHUP or Ctrl-C, or at the end "
        "of a script; 1 when the configuration cannot be read or the journal not be used, or the script stood still; "
        f"78 when the configuration has mistakes, or its journal is none, or of another version. {KEYBOARD}"
    )
    config_option(parser)
    parser.add_argument(
        "--exit-at-end",
        action="store_true",
        help="end when the script of the buttons ends; status 1 where it stood still, has mistakes, is empty or "
        "missing",
    )


def run(options: argparse.Namespace) -> int:
    """Status 0 after SIGTERM, SIGHUP or Ctrl-C, or at the end of a script; 78 when the configuration has mistakes, or
    its journal is none, or of another version, with which no service need be started again; 1 when it cannot be read or
    the journal not be used, the script stood still, or there is none to end with."""
    file = find(options.config, os.environ)
    try:
        config = load(file)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, ConfigUnread) else os.EX_CONFIG
    try:
        if options.exit_at_end:
            require_script(config, file)
        logging.basicConfig(level=config.service.log.upper(), format="%(levelname)s %(name)s: %(message)s")
        return _run(config, file, exit_at_end=options.exit_at_end)
    except (ConfigError, JournalError, DeviceLost) as error:
        print(error, file=sys.stderr)
        return os.EX_CONFIG if isinstance(error, LASTING) else 1


def _run(config: Config, file: Path | None, *, exit_at_end: bool) -> int:
    """Status 0, or 1 where the script stood still. Raises JournalError."""
    evening, clock = Evening(), SystemClock()
    for number in heeded():
        signal.signal(number, lambda *_: evening.end())
    folder = calibration_folder(config, os.environ, file)
    profile, eyes = calibration_of(config, folder)
    config = in_place(config, profile)
    house = house_of(config)
    house = replace(house, reads_wild=house.has_camera and eyes.knows_wild)
    with ExitStack() as opened:
        opened.enter_context(gives_way())
        notifier = opened.enter_context(Notifier.of(os.environ, os.getpid()))
        rig = rig_of(
            config,
            clock=clock,
            stands=evening.stands,
            ended=evening.script_ended if exit_at_end else lambda _whole: None,
            knocked=evening.knocked,
            locks=locks_of(profile, folder),
        )
        kept = journal_file(config, os.environ, file)
        new = first_missing(kept.parent)
        journal = _journal(kept, house, rig, clock, notifier, evening)
        if journal is None:
            return 0
        opened.enter_context(journal)
        if new is not None:
            log.info("%s is a new folder, made for the journal", new)
        running = Running(
            rig,
            house,
            journal,
            Watch(eyes, settler_of(config.settle), wild=settler_of(config.settle)),
            clock=clock,
            notifier=notifier,
            farewell=lambda table: resting(house.texts, playing=table.match is not None),
            switches=config.service.power_menu and _is_service(),
            nothing_there=nothing_there(config, file),
        )
        if legend := legend_of(config, knocks=True):
            print(legend, file=sys.stderr)
        evening.begin(running)
        running.run()
    return int(evening.broken_off)


def nothing_there(config: Config, file: Path | None) -> str:
    """What the log is told where neither a screen nor buttons can be had."""
    doctor = to_type("companion", "doctor", *(("--config", file) if file is not None else ()))
    laptop = "" if config.preset == "laptop" else '; a laptop needs no more than preset = "laptop" in its configuration'
    return f"nothing to play with is connected, neither a screen nor buttons: {doctor} tells what is missing{laptop}"


def _is_service() -> bool:
    """Whether it is the table's own, and no trial by hand."""
    return "NOTIFY_SOCKET" in os.environ


def _journal(file: Path, house: House, rig: Rig, clock: Clock, notifier: Notifier, evening: Evening) -> Journal | None:
    """The table's journal; None where a service, which waits until it can be written, or says why it does not, is
    ended before that.

    Raises JournalError for what no waiting mends; for a trial by hand that is a full disk or another companion, too.
    """
    _, over = house.texts, evening.is_over
    with Screens(rig, clock) as screens:
        progress = telling_of_a_mend(notifier, clock, screens, _)
        opening = partial(open_telling, file, log.error, board=house.board, progress=progress)
        if not _is_service():
            return opening()
        opening = partial(_by_service, opening, file)
        try:
            return when_writable(opening, screens, said=cannot_save(_), clock=clock, notifier=notifier, stopped=over)
        except JournalError as fault:
            notifier.status(f"{NOT_BEGUN}{fault.cause}")
            show_long_enough(screens, cannot_open(_), clock=clock, stopped=over)
            if not over():
                raise
            notifier.stopping()
            return None


def _by_service(opening: Callable[[], Journal], file: Path) -> Journal:
    """What `opening` opens. Raises JournalError, which tells where the unit keeps a service from writing the file."""
    try:
        return opening()
    except JournalReadOnly as fault:
        if reach.may_write(file):
            raise
        raise JournalReadOnly(fault.path, fault.cause, reach.remedy(file.parent)) from fault


def require_script(config: Config, file: Path | None) -> None:
    """Raises ConfigError where no buttons are pressed by a script, and DeviceLost for one that cannot be done."""
    scripts = [section.script for section in config.buttons if section.script is not None and section.kind == "script"]
    if not scripts:
        expected = 'one with kind = "script" was expected, since --exit-at-end ends with it'
        raise ConfigError(file, (Problem("buttons", "", expected),))
    for script in scripts:
        read(script, known_places(config))


class Evening:
    """One run of the companion, which may be asked to end before its table stands.

    What presses buttons or knocks looks at the table, and is opened only once it stands. `broken_off`: whether a script
    stood still.
    """

    def __init__(self) -> None:
        self._over = False
        self._running: Running | None = None
        self.broken_off = False

    def is_over(self) -> bool:
        return self._over

    def end(self) -> None:
        """From any thread or a signal."""
        self._over = True
        if self._running is not None:
            self._running.stop()

    def begin(self, running: Running) -> None:
        """The table stands, and ends at once where it is over already."""
        self._running = running
        if self._over:
            running.stop()

    def stands(self) -> tuple[str, ...] | None:
        return self._running.loop.stands() if self._running is not None else None

    def knocked(self) -> None:
        if self._running is not None:
            self._running.loop.put(Knocked())

    def script_ended(self, whole: bool) -> None:
        self.broken_off = not whole
        self.end()


def calibration_of(config: Config, folder: Path) -> tuple[Profile, CalibratedEyes]:
    """What is known of this table, and eyes that use it.

    Of tray and dice nothing is known where they were measured by another camera.
    """
    try:
        profile = load_profile(folder)
        stale = profile.stale(config.camera)
        if not stale:
            return profile, CalibratedEyes(profile, folder)
    except (ProfileError, ValueError) as error:
        log.error("dice are read without calibration: %s", error)
        return Profile(), CalibratedEyes(Profile(), folder, fit=Fit.BROKEN)
    log.warning("%s; run companion calibrate camera. Dice are read without calibration", stale)
    return Profile(ring=profile.ring, buttons=profile.buttons), CalibratedEyes(Profile(), folder, fit=Fit.OTHER)
