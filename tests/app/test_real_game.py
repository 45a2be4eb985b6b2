"""The main job on real input: a game refereed by the daemon, every number-dice roll a photo of real dice."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from companion.compose import house_of, rig_of, settler_of
from companion.config import load
from companion.demo.clocks import FastClock
from companion.demo.players import Players
from companion.journal import Journal
from companion.serve import Running
from companion.table.decide import Decision
from companion.vision.reader import Reader
from companion.watch import Watch
from hardware.clock import SystemClock
from tests.real_game import PhotoTray, nobody_rerolls, photos

ROOT = Path(__file__).resolve().parents[2]
DICE = Path(os.environ.get("COMPANION_DICE", ROOT.parent / "shared" / "dice"))
CONFIG = """
[table]
games = ["roll"]

[camera]
kind = "folder"
path = {dice}
order = {order}
empty_s = 0.7

[[buttons]]
kind = "none"

[[display]]
kind = "png"
folder = {screens}

[files]
journal = {journal}
"""


@pytest.mark.skipif(not (DICE / "labels.jsonl").exists(), reason=f"NO REAL DICE: no labelled photos in {DICE}")
def test_every_roll_of_a_game_of_real_photos_is_journaled_as_labelled(tmp_path: Path) -> None:
    order = list(photos(DICE))
    random.Random(1).shuffle(order)
    (tmp_path / "order.txt").write_text("".join(f"{photo.path.relative_to(DICE)}\n" for photo in order))
    paths = {
        "dice": DICE.resolve(),
        "order": tmp_path / "order.txt",
        "screens": tmp_path / "screens",
        "journal": tmp_path / "journal.db",
    }
    file = tmp_path / "companion.toml"
    file.write_text(CONFIG.format(**{name: json.dumps(str(path)) for name, path in paths.items()}))
    config, clock, tray = load(file), SystemClock(), PhotoTray(tuple(order))
    house, doubts = house_of(config), []

    def decided(decision: Decision) -> None:
        if decision.table.sighting is not None and not decision.actions:
            doubts.append(decision.table.sighting)

    with Journal.open(paths["journal"]) as journal:
        watch = Watch(Reader(), settler_of(config.settle))
        rig = rig_of(config, clock=clock, at_step=lambda _step: False, ended=lambda: None)
        running = Running(rig, house, journal, watch, clock=clock, decided=decided)
        players = Players(
            running.loop,
            house,
            tray,
            seed=1,
            wants=nobody_rerolls,
            think_s=0.0,
            clock=FastClock(2.0),
            ended=running.stop,
        )
        players.start()
        running.run()
        players.close()
        record = journal.read(journal.games()[-1].number)
    rolls = [sorted(line["dice"]) for line in map(json.loads, record.lines) if line["do"] == "roll"]
    assert record.finish is not None
    assert rolls == [sorted(photo.values) for photo in tray.thrown]
    assert len(rolls) >= 8
    print(f"{len(rolls)} rolls of real dice, {len(set(map(id, doubts)))} doubts")  # noqa: T201
