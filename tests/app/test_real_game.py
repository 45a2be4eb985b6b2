"""The main job on real input: `companion run` referees a whole game whose dice are photos of real ones."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal import Entry, Kind, Record
from tests.app.household import house
from tests.real_run import Photo, Played, Taken, play, rehearse, shuffled, taken

ROOT = Path(__file__).resolve().parents[2]
DICE = Path(os.environ.get("COMPANION_DICE", ROOT.parent / "shared" / "dice"))


@pytest.mark.skipif(not (DICE / "labels.jsonl").exists(), reason=f"NO REAL DICE: no labelled photos in {DICE}")
def test_every_roll_of_a_game_of_real_photos_is_journaled_as_labelled(tmp_path: Path) -> None:
    played = play(DICE, shuffled(DICE, ["matteop65"], seed=1), tmp_path, seed=1)
    assert played.faults == (), played.said
    assert len(played.rolls) >= 8
    assert (tmp_path / "screens" / "0020.png").exists()
    print(played)  # noqa: T201


# --- what a game is judged by -----------------------------------------------------------------------------------------

PHOTOS = (Photo("a/1.jpg", (3, 5)), Photo("a/2.jpg", (6,)))
FAIR = Played(0, PHOTOS, (Taken((5, 3), "read"), Taken((6,), "asked")), {"winners": [1], "totals": [9, 4]}, "")


def test_a_game_is_without_fault_where_all_rolls_are_as_labelled_and_somebody_won() -> None:
    assert FAIR.faults == ()
    assert str(FAIR) == "2 rolls of real dice: 1 read, 1 asked, 0 typed; all as labelled, and a winner"


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        (
            {"rolls": (Taken((5, 3), "read"), Taken((5,), "read"))},
            ("roll 2, a/2.jpg: the journal has 5 (read), there lie 6",),
        ),
        ({"rolls": (Taken((3, 5), "read"),)}, ("1 rolls of 2 photos",)),
        ({"rolls": (*FAIR.rolls, Taken((6,), "read"))}, ("3 rolls of 2 photos",)),
        ({"finish": None}, ("no winner",)),
        ({"status": 1}, ("companion run ended with 1",)),
    ],
)
def test_a_wrong_a_missed_or_a_double_roll_and_a_game_without_end_are_faults(changed: dict, faults: tuple) -> None:
    assert replace(FAIR, **changed).faults == faults


def test_the_journal_tells_which_rolls_were_read_asked_about_and_typed() -> None:
    def note(sighting: object = None, answers: object = ()) -> tuple[Kind, dict[str, object]]:
        return Kind.PRESS, {"sighting": sighting, "answers": answers}

    accept = Kind.ACTION, {"do": "accept"}
    lines = (
        (Kind.START, {"do": "start"}),
        note({"dice": []}),  # lies there when the game begins
        (Kind.ACTION, {"do": "roll", "dice": [1]}),
        note(),
        accept,
        (Kind.ACTION, {"do": "roll", "dice": [2, 2]}),
        accept,
        note(answers=[["how", "enter"]]),
        (Kind.ACTION, {"do": "roll", "dice": [3]}),
        (Kind.FINISH, {"winners": [0]}),
    )
    record = Record(1, "", 1, tuple(Entry(at, kind, 0.0, json.dumps(line)) for at, (kind, line) in enumerate(lines)))
    assert taken(record) == (Taken((1,), "asked"), Taken((2, 2), "read"), Taken((3,), "typed"))


def test_a_rehearsed_game_throws_the_photos_in_their_order_and_says_what_to_type() -> None:
    order = [Photo(f"a/{number}.jpg", (number % 6 + 1, 2)) for number in range(60)]
    rehearsed = rehearse(order, house(), seed=3)
    assert rehearsed.thrown == tuple(order[: len(rehearsed.thrown)])
    assert len(rehearsed.thrown) >= 8
    assert rehearsed.script.startswith("until setup\nOK")
    assert rehearsed.script.count("if roll\n  LESS\n  MORE until 2\n  OK\n") == len(rehearsed.thrown)
    assert rehearsed.script.endswith("until over\nwait 1\n")
