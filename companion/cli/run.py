"""`companion run`: the daemon, from power-on to power-off."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from calibration.play import CalibratedEyes
from calibration.profile import Profile, ProfileError
from calibration.profile import load as load_profile
from calibration.use import in_place, locks_of
from companion.compose import house_of, rig_of, settler_of
from companion.config import Config, ConfigError, calibration_folder, find, journal_file, load
from companion.events import Fit, Knocked
from companion.farewell import resting
from companion.journal import JournalError, open_telling
from companion.notify import Notifier
from companion.serve import Running
from companion.waiting import cannot_save, when_writable
from companion.watch import Watch
from hardware.clock import SystemClock

log = logging.getLogger(__name__)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration; `companion config example` prints one"
    )
    parser.add_argument(
        "--exit-at-end",
        action="store_true",
        help="end when the script of the buttons ends; status 1 where it stood still",
    )


def run(options: argparse.Namespace) -> int:
    """Status 0 after SIGTERM or Ctrl-C, or at the end of a script; 1 when the configuration or the journal cannot be
    used, or the script stood still."""
    try:
        config = load(find(options.config, os.environ))
        logging.basicConfig(level=config.service.log.upper(), format="%(levelname)s %(name)s: %(message)s")
        return _run(config, exit_at_end=options.exit_at_end)
    except (ConfigError, JournalError) as error:
        print(error, file=sys.stderr)
        return 1


def _run(config: Config, *, exit_at_end: bool) -> int:
    is_service = "NOTIFY_SOCKET" in os.environ  # the table's own, no trial by hand
    clock = SystemClock()
    folder = calibration_folder(config, os.environ)
    profile, eyes = calibration_of(config, folder)
    config = in_place(config, profile)
    house = replace(house_of(config), reads_wild=eyes.knows_wild)
    with ExitStack() as opened:
        notifier = opened.enter_context(Notifier.of(os.environ, os.getpid()))
        running: list[Running] = []
        broken_off = False

        def ended(whole: bool) -> None:
            nonlocal broken_off
            if exit_at_end:
                broken_off = not whole
                running[0].stop()

        rig = rig_of(
            config,
            clock=clock,
            stands=lambda: running[0].loop.stands(),
            ended=ended,
            knocked=lambda: running[0].loop.put(Knocked()),
            locks=locks_of(profile, folder),
        )
        opening = partial(open_telling, journal_file(config, os.environ), log.error, board=house.board)
        said = cannot_save(house.texts)
        journal = opened.enter_context(
            when_writable(opening, rig, said=said, clock=clock, notifier=notifier) if is_service else opening()
        )
        watch = Watch(eyes, settler_of(config.settle), wild=settler_of(config.settle))
        running.append(
            Running(
                rig,
                house,
                journal,
                watch,
                clock=clock,
                notifier=notifier,
                farewell=resting(house.texts),
                switches=config.service.power_menu and is_service,
            )
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: running[0].stop())
        running[0].run()
    return int(broken_off)


def calibration_of(config: Config, folder: Path) -> tuple[Profile, CalibratedEyes]:
    """What is known of this table, and eyes that use it.

    Of tray and dice nothing is known where they were measured by another camera.
    """
    try:
        profile = load_profile(folder)
        stale = profile.stale(config.camera.kind, config.camera.device, config.camera.turned_size)
        if not stale:
            return profile, CalibratedEyes(profile, folder)
    except (ProfileError, ValueError) as error:
        log.error("dice are read without calibration: %s", error)
        return Profile(), CalibratedEyes(Profile(), folder, fit=Fit.BROKEN)
    log.warning("%s; run companion calibrate camera. Dice are read without calibration", stale)
    return Profile(ring=profile.ring, buttons=profile.buttons), CalibratedEyes(Profile(), folder, fit=Fit.OTHER)
