"""The main job on real input: a game refereed by the daemon itself, every number-dice roll a photo of real dice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal import Journal
from tests.real_game import photos, plan

ROOT = Path(__file__).resolve().parents[2]
DICE = Path(os.environ.get("COMPANION_DICE", ROOT.parent / "shared" / "dice"))
CONFIG = """
[camera]
kind = "folder"
path = {dice}
order = {order}
empty_s = 1.0

[[buttons]]
kind = "script"
script = {script}

[[display]]
kind = "png"
folder = {screens}

[files]
journal = {journal}
"""
LONGEST_S = 500


@pytest.mark.skipif(not (DICE / "labels.jsonl").exists(), reason=f"NO REAL DICE: no labelled photos in {DICE}")
def test_every_roll_of_a_game_of_real_photos_is_journaled_as_labelled(tmp_path: Path) -> None:
    game = plan(photos(DICE), seed=1)
    (tmp_path / "presses.txt").write_text(game.script)
    (tmp_path / "order.txt").write_text("".join(f"{photo.path.relative_to(DICE)}\n" for photo in game.order))
    named = {
        name: json.dumps(str(path))
        for name, path in {
            "dice": DICE.resolve(),
            "order": tmp_path / "order.txt",
            "script": tmp_path / "presses.txt",
            "screens": tmp_path / "screens",
            "journal": tmp_path / "journal.db",
        }.items()
    }
    (tmp_path / "companion.toml").write_text(CONFIG.format(**named))
    done = subprocess.run(
        [sys.executable, "-m", "companion", "run", "--config", str(tmp_path / "companion.toml"), "--exit-at-end"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with Journal.look(tmp_path / "journal.db") as journal:
        record = journal.read(journal.games()[-1].number)
    lines = [json.loads(entry.line) for entry in record.actions]
    rolls = [tuple(sorted(line["dice"])) for line in lines if line["do"] == "roll"]
    assert rolls == [tuple(sorted(values)) for values in game.rolls]
    assert record.finish is not None
    print(f"{len(rolls)} rolls of real dice, {sum(game.asked)} asked about")  # noqa: T201
