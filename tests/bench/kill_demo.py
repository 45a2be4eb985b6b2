"""Kills a running demo at random moments and looks whether the same game goes on: `python -m tests.bench.kill_demo`.

After each kill the journal must replay to what it was, nothing lost or twice; the last life plays to the winner.
Several games (`--game roll cat`) are played one after the other in one journal, in which the earlier ones stay.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from companion.journal import Journal, Record
from companion.referee import Match, begin, play

DEMO = [sys.executable, "-m", "companion", "demo", "--untaught", "--speed", "max", "--game"]


def replayed(record: Record) -> Match:
    """The match that the lines of a record tell. Raises Refused where one of them is not lawful after those before."""
    assert record.start is not None
    match = begin(json.loads(record.start))
    for entry in record.actions:
        match = play(match, json.loads(entry.line), entry.at_s)
    return match


Lines = tuple[str, ...]


def lives(
    game: str, journal: Path, seed: int, kills: int, chance: random.Random, longest_s: float, earlier: tuple[Lines, ...]
) -> Lines:
    """Starts and kills the demo `kills` times, then lets it play on. Returns the lines of the whole game.

    `earlier`: those of the games that were played in this journal before.
    """
    before: Lines = ()
    for life in range(kills):
        demo = subprocess.Popen(
            [*DEMO, game, "--seed", str(seed + life), "--journal", str(journal), "--players", "3"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert demo.stdout is not None
        demo.stdout.readline()  # it is up: the next moment is as good as any
        time.sleep(chance.uniform(0, longest_s))
        demo.send_signal(signal.SIGKILL)
        demo.communicate()
        before = _goes_on(journal, before, earlier)
    subprocess.run([*DEMO, game, "--seed", str(seed), "--journal", str(journal), "--players", "3"], check=True)
    return _goes_on(journal, before, earlier)


def _goes_on(journal: Path, before: Lines, earlier: tuple[Lines, ...]) -> Lines:
    """The lines now there; those known before must be their beginning, and all of them must be lawful."""
    if not journal.exists():
        return ()
    with Journal.look(journal) as opened:
        records = [opened.read(game.number) for game in opened.games()]
    past, now = records[: len(earlier)], records[len(earlier) :]
    for record in now:
        replayed(record)
    lines = now[0].lines if now else ()
    if len(now) > 1 or lines[: len(before)] != before or tuple(record.lines for record in past) != earlier:
        raise SystemExit(f"the game did not go on: {len(records)} games, {len(before)} lines before, {len(lines)} now")
    print(f"killed after {len(lines)} lines")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kill_demo", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--game", nargs="+", default=["roll"], choices=("roll", "cat", "free"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=1.5, help="seconds a life lasts at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        chance = random.Random(options.seed)
        played: tuple[Lines, ...] = ()
        for game in options.game:
            lines = lives(game, journal, options.seed, options.kills, chance, options.longest, played)
            print(f"{game}: {options.kills} kills, one game of {len(lines)} lines, played to its end")
            played = (*played, lines)


if __name__ == "__main__":
    main()
