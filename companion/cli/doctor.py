"""`companion doctor`: looks at every part of the table, and says what is well and what to do about the rest."""

from __future__ import annotations

import argparse
import json
import os
import queue
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from companion.cli import KEYBOARD, config_option
from companion.cli.ends import each_as_ctrl_c
from companion.compose import rig_of
from companion.config import (
    Buttons,
    Config,
    ConfigClosed,
    ConfigError,
    ConfigMissing,
    Display,
    Homeless,
    calibration_folder,
    find,
    is_systems,
    journal_file,
    load,
    state_folder,
    users_file,
)
from companion.doctor import Finding, State, computer, devices, service, worst
from companion.doctor.calibrated import as_measured, calibrated, moved
from companion.doctor.finding import broken
from companion.doctor.host import Host
from companion.doctor.wiring import wiring
from companion.journal import in_use
from companion.paths import way_in
from companion.ports import Buttons as OpenedButtons
from companion.ports import Clock
from companion.ports import Display as OpenedDisplay
from companion.progress import bar_of_many
from companion.serve import Rig
from companion.typed import to_type
from hardware.clock import SystemClock
from hardware.job_control import gives_way
from hardware.keys import LEGEND
from hardware.terminal import dumb

SHOW_S = 3.0
PRESS_S = 10.0
ADVISED = re.compile(r"companion (?:doctor(?: --press)?|calibrate(?: camera)?)(?= |$)")
MARKS = {State.OK: "ok      ", State.DEGRADED: "degraded", State.BROKEN: "BROKEN  "}


def arguments(parser: argparse.ArgumentParser) -> None:
    config_option(parser)
    parser.epilog = f"Status: 0; 1 when something is broken. {KEYBOARD}"
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--press", action="store_true", help="ask for each button to be pressed")


def run(options: argparse.Namespace) -> int:
    """Status 1 where something is broken."""
    found = []
    with each_as_ctrl_c(), gives_way(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what drivers warn of, a finding says in plain words
        for finding in examined(options.config, press=options.press, say=partial(print, file=sys.stderr)):
            finding = finding if options.config is None else of_table(finding, options.config)
            found.append(finding)
            if not options.json:
                print(told(finding), flush=True)
    if options.json:
        listed = [{**asdict(finding), "state": finding.state.value} for finding in found]
        print(json.dumps({"state": worst(found).value, "findings": listed}, indent=2))
    return 1 if worst(found) is State.BROKEN else 0


def of_table(finding: Finding, config: Path) -> Finding:
    """The same; commands that it advises are for the table of that configuration, and not for the usual one."""
    given = to_type("--config", config)
    text, remedy = (
        ADVISED.sub(lambda advised: f"{advised[0]} {given}", words) for words in (finding.text, finding.remedy)
    )
    return replace(finding, text=text, remedy=remedy)


def told(finding: Finding) -> str:
    remedy = f"\n          {'':9} → {finding.remedy}" if finding.remedy else ""
    return f"{MARKS[finding.state]}  {finding.part:9} {finding.text}{remedy}"


def examined(
    file: Path | None, *, press: bool, say: Callable[[str], None], host: Host | None = None, clock: Clock | None = None
) -> Iterator[Finding]:
    """Every finding, as soon as it is made. Without a configuration nobody knows which devices there should be."""
    host, clock = host or Host(), clock or SystemClock()
    yield computer.system(host)
    if (power := computer.power(host)) is not None:
        yield power
    yield computer.clock(host)
    file = find(file, os.environ)
    try:
        config = load(file)
    except ConfigError as error:
        yield _not_loaded(error)
        yield _of_state(file)
        return
    yield computer.configured(file, host, users=users_file(os.environ))
    if (language := computer.language(config.table.language)) is not None:
        yield language
    try:
        journal, folder = journal_file(config, os.environ, file), calibration_folder(config, os.environ, file)
    except Homeless:
        yield _homeless()
        return
    running = in_use(journal)
    yield from _kept(journal, told=running is not None)
    if is_systems(file):
        yield from service.reached(config, host)
    yield from _needed(config, folder, host)
    if running:
        yield from service.running(host, _roles(config))
    elif running is not None:
        yield from _tried(config, folder, clock, press=press, say=say)


def _not_loaded(error: ConfigError) -> Finding:
    assert error.file is not None  # the defaults hold without one
    text = "; ".join(str(problem) for problem in error.problems)
    if isinstance(error, ConfigClosed):
        return broken("config", f"{error.file}: {error.why}", way_in(error.file, "companion doctor"))
    if isinstance(error, ConfigMissing):
        mend = f"check the path, or write one: companion config example > {to_type(error.file)}"
    else:
        mend = f"mend it, then: {to_type('companion', 'config', 'check', error.file)}"
    remedy = f"{mend}; journal and devices are looked at once it is right"
    return broken("config", f"{error.file}: {text}", remedy)


def _of_state(file: Path | None) -> Finding:
    """The disk of the state folder, where no configuration says otherwise."""
    try:
        folder = state_folder(os.environ, file)
    except Homeless:
        return _homeless()
    return computer.closed(folder) if in_use(folder / "journal.db") is None else computer.disk(folder)


def _homeless() -> Finding:
    remedy = "set HOME, or name journal and calibration in [files]; devices are looked at once it is known"
    return broken("disk", "this user has no home folder to keep things in", remedy)


def _kept(journal: Path, *, told: bool) -> Iterator[Finding]:
    """Where things are kept, if this user is told what lies there."""
    if told:
        yield computer.disk(journal.parent)
        yield computer.journal(journal, bar_of_many)
    else:
        yield computer.closed(journal.parent)


def _needed(config: Config, folder: Path, host: Host) -> Iterator[Finding]:
    """What the configured devices need, and whether there are any."""
    yield from devices.any_configured(_roles(config))
    if config.camera.kind != "none":
        yield computer.reader(host)
        yield calibrated(config.camera, folder)
    yield from wiring(config, host)


def _roles(config: Config) -> tuple[str, ...]:
    """The devices that are configured, by the names the running companion gives them."""
    there = {
        "camera": config.camera.kind != "none",
        "oled": any(display.kind != "none" for display in config.display),
        "ring": config.ring.kind != "none",
        "buttons": any(buttons.kind != "none" for buttons in config.buttons),
        "knock": any(buttons.kind == "gpio" and buttons.knock is not None for buttons in config.buttons),
    }
    return tuple(role for role, wanted in there.items() if wanted)


def _tried(config: Config, folder: Path, clock: Clock, *, press: bool, say: Callable[[str], None]) -> Iterator[Finding]:
    """Each device, as it was measured."""
    yield from _in_terminal(config)
    config = _without_terminal(as_measured(config, folder))
    shown = [display for display in config.display if display.kind != "none"]
    felt: queue.SimpleQueue[None] = queue.SimpleQueue()
    rig = rig_of(config, clock=clock, knocked=partial(felt.put, None))
    if rig.camera:
        yield devices.tried("camera", rig.camera, partial(devices.camera, moved=partial(moved, config.camera, folder)))
    for opened, display in zip(rig.displays, shown, strict=True):
        yield _screen(opened, display, clock)
    if rig.ring:
        leds, brightness = config.ring.leds, config.ring.brightness
        lit = partial(devices.ring, clock=clock, seconds=SHOW_S, leds=leds, brightness=brightness)
        yield devices.tried("ring", rig.ring, lit)
    yield from _buttons(rig, config, clock, press=press, say=say)
    knock = partial(devices.knock_felt, felt=felt, say=say, seconds=PRESS_S) if press else devices.knock_open
    yield from (devices.tried("knock", opened, knock) for opened in rig.knocks)


def _buttons(rig: Rig, config: Config, clock: Clock, *, press: bool, say: Callable[[str], None]) -> Iterator[Finding]:
    there = [buttons for buttons in config.buttons if buttons.kind != "none"]
    for opened, buttons in zip(rig.buttons, there, strict=True):
        yield devices.tried("buttons", opened, _buttons_look(buttons, clock, press=press, say=say))


def _buttons_look(
    buttons: Buttons, clock: Clock, *, press: bool, say: Callable[[str], None]
) -> Callable[[OpenedButtons], Finding]:
    """How buttons of that kind are looked at."""
    if buttons.kind == "script":
        assert buttons.script is not None
        return partial(devices.script, file=buttons.script, press=press)
    keys = LEGEND if buttons.kind == "keyboard" else ""
    if press:
        return partial(devices.buttons_pressed, say=say, seconds=PRESS_S, keys=keys)
    return partial(devices.buttons_open, clock=clock, keys=keys)


def _screen(open_: Callable[[], OpenedDisplay], display: Display, clock: Clock) -> Finding:
    """A panel shows a picture; of a folder, which keeps what it is given, it is only told whether it could."""
    if display.kind == "png":
        assert display.folder is not None
        return devices.pictures(display.folder)
    look = partial(devices.panel, clock=clock, seconds=SHOW_S, heard=display.bus != "spi")
    return devices.tried("screen", open_, look)


def _in_terminal(config: Config) -> Iterator[Finding]:
    """What a terminal shows is not tried: the doctor's own words stand there."""
    if any(display.kind == "terminal" for display in config.display):
        yield devices.in_terminal("screen", dumb=dumb())
    if config.ring.kind == "terminal":
        yield devices.in_terminal("ring", dumb=dumb())


def _without_terminal(config: Config) -> Config:
    """The doctor's own words go to the terminal: it is no display and no ring meanwhile."""
    displays = tuple(display for display in config.display if display.kind != "terminal")
    return replace(
        config,
        display=displays,
        ring=replace(config.ring, kind="none") if config.ring.kind == "terminal" else config.ring,
    )
