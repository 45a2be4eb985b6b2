"""`companion farewell`: the last word on the screen, said by the system itself when nothing is written any more."""

from __future__ import annotations

import argparse
import logging
import os
from pathlib import Path

from companion.cli import config_option
from companion.compose import rig_of
from companion.config import Config, ConfigError, find, load
from companion.farewell import again, unplug
from companion.locale import texts
from companion.ports import DeviceLost
from companion.screen import draw
from hardware.clock import SystemClock

log = logging.getLogger(__name__)

WORDS = {"poweroff": unplug, "halt": unplug, "reboot": again}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("how", choices=sorted(WORDS), help="what the computer does next")
    config_option(parser)
    parser.epilog = "Status: 0, also without a screen: a shutdown must not be held up."


def run(options: argparse.Namespace) -> int:
    """Status 0, also without a screen: a shutdown must not be held up."""
    config = _config(options.config)
    rig = rig_of(config, clock=SystemClock())
    image = draw(WORDS[options.how](texts(config.table.language)))
    for opened in rig.displays:
        try:
            display = opened()
            display.show(image)
            display.close()  # leaves the picture on the panel
        except DeviceLost as lost:
            log.warning("%s", lost)
    return 0


def _config(file: Path | None) -> Config:
    try:
        return load(find(file, os.environ))
    except ConfigError:
        return Config()
