"""A whole game of Cat through the configured devices: presses from a script, screens as pictures."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from companion.compose import house_of, knock_key, rig_of, settler_of
from companion.config import load
from companion.events import Fact, Knocked
from companion.journal import Journal
from companion.serve import Running
from companion.vision.eyes import Eyes
from companion.vision.reader import Reader
from companion.watch import Watch
from hardware.clock import SystemClock

CONFIG = """
preset = "custom"
[table]
games = ["cat"]
names = ["Ana", "Bo"]
[camera]
kind = "none"
[[buttons]]
kind = "script"
script = "{folder}/presses.txt"
[[display]]
kind = "png"
folder = "{folder}/screens"
"""

# Ana deals, Bo starts and knocks on the table, Ana has the last turn; Ana has 36 points, Bo the cards 1 2 3 4
ROUND = """
until turn
{turns}
until score
MORE
LESS 11
OK
OK
MORE
OK
MORE 2
OK
MORE 3
OK
MORE 4
OK
OK
"""
SIT_DOWN = "until setup\nOK 2\nOK 4\nOK 2\n"
SCRIPT = "\n".join(
    [
        SIT_DOWN,
        ROUND.format(turns="key k\nkey k\nOK"),  # the second knock is refused
        "until deal\nLESS\nMORE\nBACK\nOK",  # a look at the sheet, then the next deal
        ROUND.format(turns="OK\nMORE\nOK"),
        "until deal\nOK",
        ROUND.format(turns="LESS\nMORE\nBACK\nOK 2\nkey k\nOK"),
        "until over",
        "LESS",
        "OK",
    ]
)

GIVE_UP_S = 50.0  # for a script that stands still


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The folder of a table on which the script was played to its end."""
    (tmp_path / "presses.txt").write_text(SCRIPT)
    (tmp_path / "companion.toml").write_text(CONFIG.format(folder=tmp_path))
    config, clock, running = load(tmp_path / "companion.toml"), SystemClock(), []
    with Journal.open(tmp_path / "journal.db") as journal:
        rig = rig_of(
            config,
            clock=clock,
            stands=lambda: running[0].loop.stands(),
            ended=lambda _whole: running[0].stop(),
            knocked=lambda: running[0].loop.put(Knocked()),
        )
        watch = Watch(Eyes(Reader()), settler_of(config.settle))
        running.append(Running(rig, house_of(config), journal, watch, clock=clock))
        given_up = threading.Timer(GIVE_UP_S, running[0].stop)
        given_up.start()
        running[0].run()
        given_up.cancel()
    return tmp_path


def test_a_game_of_cat_to_100_points_is_played_by_a_script(played: Path) -> None:
    with Journal.look(played / "journal.db") as journal:
        (game,) = journal.games()
        record = journal.read(game.number)
    assert json.loads(game.finish or "") == {"winners": [1], "totals": [108, 30]}
    actions = [json.loads(entry.line) for entry in record.actions]
    scores = [{"do": "score", "player": 0, "total": 36}, {"do": "score", "player": 1, "cards": [1, 2, 3, 4]}]
    light = [{"do": "knock"}, {"do": "end"}, *scores, {"do": "deal"}]
    longer = [{"do": "end"}, *light]
    assert actions == [*light, *longer, {"do": "end"}, *longer[:-1]]
    screens = sorted((played / "screens").glob("*.png"))
    assert len(screens) > 20
    with Image.open(screens[-1]) as last:
        assert last.size == (512, 256)


def test_a_knock_is_felt_on_its_pin_while_the_game_runs(tmp_path: Path, factory: MockFactory) -> None:
    (tmp_path / "companion.toml").write_text('preset = "plain"\n[camera]\nkind = "none"\n[[buttons]]\nknock = 21\n')
    felt: list[Fact] = []
    rig = rig_of(
        load(tmp_path / "companion.toml"),
        clock=SystemClock(),
        knocked=lambda: felt.append(Knocked()),
    )
    (opened,) = rig.knocks
    knock = opened()
    for _shake in range(5):
        factory.pin(21).drive_low()
        factory.pin(21).drive_high()
    knock.close()
    assert felt == [Knocked()]


def test_the_key_k_knocks_and_the_others_go_on() -> None:
    told: list[str] = []
    hear = knock_key(lambda: told.append("knock"), told.append)
    for key in ("k", " ", "K", "3"):
        hear(key)
    assert told == ["knock", " ", "K", "3"]
