"""A whole game of Roll refereed by `companion run`: its dice are photos of real ones, its buttons a script.

    python -m tests.real_run --photos ../shared/dice --collection skovy --seed 1

The script is written beforehand, from the labels and the rules of the table alone: it knows no reader. Where the table
asks about a roll, or sees no dice, the script types what the label says; where it is sure, the script only goes on. So
each roll of the journal equals its label, or the reader was wrong and sure.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from companion.compose import house_of
from companion.config import load
from companion.demo.robot import Lying, Push, Throw, due, move
from companion.events import Button, Die, Fact, Press, Reading, Settled, Stirred
from companion.journal import Journal, Kind, Record
from companion.loop import places
from companion.table.decide import decide
from companion.table.house import House
from companion.table.picture import expects_dice
from companion.table.questions import Value
from companion.table.state import Table

MOST_DICE = 3  # R8
GIVE_UP_S = 900  # of a game that neither ends nor breaks off
CONFIG = """\
[table]
games = ["roll"]

[camera]
kind = "folder"
path = {photos}
order = {order}

[[buttons]]
kind = "script"
script = {script}

[[display]]
kind = "png"
folder = {screens}

[files]
journal = {journal}
"""
# What the players do about each throw: wait until the table has read it or asks about it, and type it where it has not
ROLL = """\

# {name} shows {faces}
wait 60 until accept or doubt
if roll
  LESS
  MORE until {count}
  OK
{dice}
end
"""


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo and the faces that are up in it. `name`: relative to the folder of the labels."""

    name: str
    values: tuple[int, ...]


def photos(folder: Path, collections: Sequence[str] = ()) -> tuple[Photo, ...]:
    """The labelled photos of 1 to 3 dice, none of which is to be ignored; of all collections where none is named."""
    labels = (json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines())
    return tuple(
        Photo(label["image"], tuple(die["value"] for die in label["dice"]))
        for label in labels
        if 1 <= len(label["dice"]) <= MOST_DICE
        and not any(die.get("ignore") for die in label["dice"])
        and (not collections or label["image"].split("/")[0] in collections)
    )


# --- the script -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A game as it will be played: the presses, and the photos that are thrown, in order."""

    script: str
    thrown: tuple[Photo, ...]


def rehearse(order: Sequence[Photo], house: House, seed: int) -> Rehearsed:
    """Plays a game at a table without devices, each throw of number dice the next photo of `order`, and notes down what
    was pressed. The Wild die and all cards are left to chance."""
    left, chance = iter(order), random.Random(seed)
    table, lying, goal, thrown = Table(), Lying(), None, None
    lines: list[str] = []
    used: list[Photo] = []

    def judge(*facts: Fact) -> None:
        nonlocal table
        for fact in facts:
            table = decide(table, fact, house, 0.0).table

    while table.match is None or table.match.outcome is None:
        now_due = due(table, house)
        made, goal = move(table, house, lying, goal or _no_reroll(table), chance, thrown=thrown == now_due)
        match made:
            case Push(button):
                lines += [f"until {places(table, house)[0]}", button.name]
                judge(Press(button))
            case Throw(Lying(face=face)) if expects_dice(table) is None:  # the Wild die alone
                lying, thrown = Lying((), face), now_due
            case Throw():
                used.append(next(left))
                lying, thrown = Lying(used[-1].values), now_due
                lines.append(_roll_lines(used[-1]))
                judge(Stirred(), Settled(_seen(used[-1].values)))
    return Rehearsed("\n".join([*_short(lines), "until over", "wait 1", ""]), tuple(used))


def _no_reroll(table: Table) -> Value:
    """The dice that stay would have to lie in the next photo, too."""
    return "move" if table.match is not None and table.match.ask.step == "accept" else None


def _seen(values: tuple[int, ...]) -> Reading:
    return Reading(tuple(Die(value, (50.0 * at, 20.0, 30.0, 30.0), 0.99) for at, value in enumerate(values)), True)


def _roll_lines(photo: Photo) -> str:
    return ROLL.format(
        name=photo.name,
        faces=_told(photo.values),
        count=len(photo.values),
        dice="\n".join(f"  MORE until {value}\n  OK" for value in photo.values),
    )


def _short(lines: Sequence[str]) -> Iterator[str]:
    """The same without waiting twice at one step; the presses of one button in a row as one line."""
    waited = ""
    needed = []
    for line in lines:
        if line not in Button.__members__ and line == waited:
            continue
        waited = line if line not in Button.__members__ else waited
        needed.append(line)
    for line, group in groupby(needed):
        times = len(list(group))
        yield line if times == 1 else f"{line} {times}"


# --- the game ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """One roll of the journal. `how`: "read", "asked" (a reading waited for the players' word) or "typed" (they entered
    what nobody had read)."""

    values: tuple[int, ...]
    how: str


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a game. `said`: the daemon's own words."""

    status: int
    photos: tuple[Photo, ...]
    rolls: tuple[Taken, ...]
    finish: dict[str, Any] | None
    said: str
    exported: tuple[str, ...] = field(repr=False, default=())

    @property
    def faults(self) -> tuple[str, ...]:
        """What must not be: a roll that is not as labelled, a photo that gave none or two, a game without a winner."""
        wrong = tuple(
            f"roll {number}, {photo.name}: "
            f"the journal has {_told(roll.values)} ({roll.how}), there lie {_told(photo.values)}"
            for number, (photo, roll) in enumerate(zip(self.photos, self.rolls, strict=False), start=1)
            if sorted(photo.values) != sorted(roll.values)
        )
        count = (f"{len(self.rolls)} rolls of {len(self.photos)} photos",) * (len(self.rolls) != len(self.photos))
        winner = ("no winner",) * (self.finish is None or not self.finish["winners"])
        status = (f"companion run ended with {self.status}",) * (self.status != 0)
        return (*wrong, *count, *winner, *status)

    def __str__(self) -> str:
        ways = [roll.how for roll in self.rolls]
        told = ", ".join(f"{ways.count(how)} {how}" for how in ("read", "asked", "typed"))
        return (
            f"{len(self.rolls)} rolls of real dice: {told}; {'; '.join(self.faults) or 'all as labelled, and a winner'}"
        )


def play(folder: Path, order: Sequence[Photo], at: Path, seed: int) -> Played:
    """Lets `companion run` referee a game of the photos in `folder`, with all that it reads and writes in `at`."""
    files = {"photos": folder.resolve(), "order": at / "order.txt", "script": at / "presses.txt"}
    files |= {"screens": at / "screens", "journal": at / "journal.db"}
    config = at / "companion.toml"
    config.write_text(CONFIG.format(**{name: json.dumps(str(path)) for name, path in files.items()}))
    rehearsed = rehearse(order, house_of(load(config)), seed)
    files["script"].write_text(rehearsed.script)
    files["order"].write_text("".join(f"{photo.name}\n" for photo in rehearsed.thrown))
    ran = _companion("run", "--config", str(config), "--exit-at-end")
    exported = _companion("games", "--config", str(config), "export")
    with Journal.look(files["journal"]) as journal:
        record = journal.read(journal.games()[-1].number)
    if exported.returncode == 0:
        assert tuple(exported.stdout.splitlines()) == record.lines
    finish = json.loads(record.finish) if record.finish else None
    return Played(ran.returncode, rehearsed.thrown, taken(record), finish, ran.stderr + exported.stderr, record.lines)


def _companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=GIVE_UP_S)


def taken(record: Record) -> tuple[Taken, ...]:
    """Each roll of number dice, and how it came into the journal, as the notes between it and the line before tell."""
    rolls: list[Taken] = []
    asked = typed = False
    for entry in record.entries:
        line = json.loads(entry.line)
        if entry.kind is Kind.PRESS:
            asked |= line["sighting"] is not None
            typed |= bool(line["answers"])
            continue
        if line.get("do") == "roll":
            rolls.append(Taken(tuple(line["dice"]), "asked" if asked else "typed" if typed else "read"))
        asked = typed = False
    return tuple(rolls)


def _told(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def main(argv: Sequence[str] | None = None) -> int:
    """Status 0 where every roll is as labelled and somebody won."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.real_run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="labelled photos, with labels.jsonl")
    parser.add_argument("--collection", action="append", default=[], metavar="NAME", help="only these; may be repeated")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the order of the photos, and of what the players choose"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep configuration, script, screens and journal here")
    options = parser.parse_args(argv)
    order = shuffled(options.photos, options.collection, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        at = options.keep or Path(folder)
        at.mkdir(parents=True, exist_ok=True)
        played = play(options.photos, order, at, options.seed)
    print(played)  # noqa: T201
    if played.faults:
        print(played.said, file=sys.stderr)  # noqa: T201
    return int(bool(played.faults))


def shuffled(folder: Path, collections: Sequence[str], seed: int) -> tuple[Photo, ...]:
    """The photos that a game may throw, in an order of chance."""
    order = list(photos(folder, collections))
    random.Random(seed).shuffle(order)
    return tuple(order)


if __name__ == "__main__":
    sys.exit(main())
