"""The judges of the README's table: made once, read, and told kind by kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.vision.bench.accuracy import judge
from companion.vision.eyes import alone
from companion.vision.labels import labels_in
from companion.vision.train.pictures import load_labelled
from tests.bench.drawn import render
from tests.bench.judges import RUNS, Run, made, tell

pytestmark = pytest.mark.once

CARDS = Run("dotted", ("cards", "keys"), first=1, count=1, told="things")
TABLES = Run("drawn", ("drawn", "steep"), first=300_001, count=2)


def test_a_drawn_judge_tells_what_nobody_can_read_by_a_word_and_what_is_hidden_as_ignored() -> None:
    shown = [render("drawn", number) for number in (300_002, 300_007, 300_011)]
    values = [value for one in shown for value in one.values]
    assert {value for value in values if not isinstance(value, str)} == {1, 2, 3, 4, 5, 6}
    assert "unreadable" in values
    assert any(one.ignored for one in shown)


def test_steep_tables_are_others_than_drawn_ones_of_the_same_number() -> None:
    drawn, again, steep = render("drawn", 300_002), render("drawn", 300_002), render("steep", 300_002)
    assert (drawn.picture == again.picture).all()
    assert drawn.boxes != steep.boxes


def test_what_is_there_is_not_made_again_but_what_is_not_all_there_is(tmp_path: Path) -> None:
    first = made(CARDS, tmp_path)
    assert sorted(label.group for label in first) == ["cards", "keys"]
    written = [label.path.stat().st_mtime_ns for label in first]
    assert [label.path.stat().st_mtime_ns for label in made(CARDS, tmp_path)] == written
    (labels,) = tmp_path.glob("*/labels.jsonl")
    whole = labels.read_text()
    for left in (whole.splitlines(keepends=True)[0], whole[:-9]):
        labels.write_text(left)
        assert len(made(CARDS, tmp_path)) == 2


def test_each_kind_is_told_or_all_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tell([TABLES, CARDS], tmp_path)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[:2] for row in rows] == [["drawn: drawn", "2"], ["drawn: steep", "2"], ["things", "2"]]
    (folder,) = tmp_path.glob("drawn-*")
    drawn = [load_labelled(label) for label in labels_in(folder) if label.group == "drawn"]
    judged = [judge(label, alone(picture).reading, None) for picture, label in drawn]
    right = sum(row.exact and row.sure for row in judged)
    assert rows[0][2] == f"{sum(row.exact for row in judged)}; {right}; {sum(row.sure for row in judged) - right}"
    assert rows[2][3:] == ["0", "0; 0; 0"]  # no die lies there whose number could be told


def test_no_two_runs_share_a_folder() -> None:
    assert len({run.folder for run in RUNS}) == len(RUNS)
