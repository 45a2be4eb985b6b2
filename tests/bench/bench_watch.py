"""How well throws of number dice and of the Wild die are told apart and told once, at tables where it was taught.

    python -m tests.bench.bench_watch --throws 100

Each table is calibrated and its Wild die taught as people do it. Then number dice, the Wild die, or both are thrown,
while the others lie where they lay or are taken away first. What was told is taken. After that something happens, as in
`bench_settle`: to a number die or to the Wild die.

early      told before the dice lay still
double     a second sure one of one throw, or of dice that nobody threw
missed     nothing told within five seconds of rest; `asked`: an unsure one was
wrong      a sure one with another value or face than lies there
noticed    dice turned over that were said to have changed; `unnoticed`: the others
false alarm  such words although none was turned
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from calibration.simulated import DrawnHands
from calibration.taught import taught
from calibration.use import reader_of, wild_of
from companion.events import Fact, Settled, Why, WildSettled
from companion.ports import Frame, Picture
from companion.vision.eyes import Eyes
from companion.vision.scene import WILD_FACES, Cube, Moment, moment, scatter, throw
from companion.vision.settle import Settler
from companion.watch import Watch
from tests.bench.bench_settle import Tally, passing, report_counts, resting

PER_TABLE = 12  # throws before another table
WAIT_S = 5.0
HAPPENINGS = ("nothing", "hand", "rests", "lamp", "dark", "shoved", "turned")
FACES = tuple(dict.fromkeys(WILD_FACES))
KINDS = ("numbers", "wild", "both")
HAND = 3  # the seed of its looks


@dataclass
class Bench:
    """One table: what lies in its tray, and the watch over it."""

    hands: DrawnHands
    watch: Watch
    rng: np.random.Generator
    fps: float
    now_s: float = 100.0
    numbers: tuple[Cube, ...] = ()
    wild: tuple[Cube, ...] = ()
    light: float = 1.0
    lamp: float = 0.0

    @property
    def lying(self) -> tuple[Cube, ...]:
        return (*self.numbers, *self.wild)

    def show(self, now: Moment) -> tuple[Fact, ...]:
        """One frame; what is told is taken, as the table takes it."""
        picture = lit(self.hands.setup.picture(self.rng, stickers=None, now=now), self.light, self.lamp)
        self.now_s += 1 / self.fps
        facts = self.watch.look(Frame(picture, self.now_s))
        for fact in facts:
            if isinstance(fact, Settled) and fact.reading.why is not Why.CHANGED and self.numbers:
                self.watch.taken(tuple(die.value for die in self.numbers))
            if isinstance(fact, WildSettled) and fact.die.why is not Why.CHANGED and self.wild:
                self.watch.wild_taken()
        return facts

    def hold(self, seconds: float) -> list[Fact]:
        return [fact for _ in range(round(seconds * self.fps)) for fact in self.show(Moment(self.lying))]


def lit(picture: Picture, light: float, lamp: float) -> Picture:
    """In so many times the light, and with a lamp on the left."""
    if light == 1.0 and lamp == 0.0:
        return picture
    ramp = np.linspace(light * (1 + lamp), light, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(picture * ramp, 0, 255), np.uint8)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_watch",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--throws", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    tally, began = Tally(), time.perf_counter()
    try:
        for first in range(0, options.throws, PER_TABLE):
            play(options.seed * 1000 + first // PER_TABLE, min(PER_TABLE, options.throws - first), tally)
            print(f"\r{first + PER_TABLE} throws, {time.perf_counter() - began:.0f} s", end="", flush=True)
    except KeyboardInterrupt:
        pass  # what was counted so far is worth telling
    print()
    report(tally)


def play(seed: int, throws: int, tally: Tally) -> None:
    hands, rng = DrawnHands(seed), np.random.default_rng(seed + 5)
    with TemporaryDirectory() as folder:
        profile = taught(hands, Path(folder), date.today())
        eyes = Eyes(reader_of(profile, Path(folder)), wild_of(profile, Path(folder)))
    bench = Bench(hands, Watch(eyes, Settler(), wild=Settler()), rng, float(rng.choice([5, 8, 12])))
    bench.hold(2)
    for number in range(throws):
        one_throw(bench, tally, f"table {seed}, throw {number}")


def one_throw(bench: Bench, tally: Tally, name: str) -> None:
    rng = bench.rng
    kind = str(rng.choice(KINDS))
    name = f"{name}, {kind}"
    tally.counts["throws"] += 1
    tally.counts[kind] += 1
    if kind != "both" and rng.random() < 0.4:
        take_away(bench, kind)
    before = bench.lying
    thrown(bench, kind)
    way = throw(before, bench.lying, rng)
    facts: list[Fact] = []
    for at_s in np.arange(0, way.lasts_s, 1 / bench.fps):
        facts += bench.show(moment(way, float(at_s)))
    early = told(facts)
    if early:
        tally.blame("early", f"{name}: {early}")
    since = bench.now_s
    wanted = {"numbers": (Settled,), "wild": (WildSettled,), "both": (Settled, WildSettled)}[kind]
    while bench.now_s < since + WAIT_S and not all(any(isinstance(f, one) for f in facts) for one in wanted):
        facts += bench.show(Moment(bench.lying))
    facts += bench.hold(1.5)
    judge(bench, facts, kind, tally, name)
    after(bench, tally, name)


def take_away(bench: Bench, kind: str) -> None:
    """What is not thrown leaves the tray by a hand."""
    before = bench.lying
    bench.numbers, bench.wild = (bench.numbers, ()) if kind == "numbers" else ((), bench.wild)
    way = throw(before, bench.lying, bench.rng)
    for at_s in np.arange(0, way.lasts_s, 1 / bench.fps):
        bench.show(moment(way, float(at_s)))
    bench.hold(1.5)


def thrown(bench: Bench, kind: str) -> None:
    """Where the dice lie once they are thrown; those of the other kind stay."""
    rng, table = bench.rng, bench.hands.table
    numbers = [int(value) for value in rng.integers(1, 7, int(rng.integers(1, 5)))] if kind != "wild" else None
    face = str(rng.choice(FACES)) if kind != "numbers" else None
    for _ in range(100):
        values = [die.value for die in bench.numbers] if numbers is None else numbers
        shown = face or (table.wild.faces[bench.wild[0].value - 1] if bench.wild else None)
        kept = dict(enumerate(bench.numbers)) if numbers is None else {}
        if face is None and bench.wild:
            kept[len(values)] = bench.wild[0]
        try:
            lying = scatter(table, values, rng, wild=shown, kept=kept)
        except ValueError:
            continue
        bench.numbers, bench.wild = lying[: len(values)], lying[len(values) :]
        return
    raise ValueError("no room in the tray")


def told(facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if isinstance(fact, Settled | WildSettled)]


def sure(fact: Fact) -> bool:
    return (isinstance(fact, Settled) and fact.reading.sure) or (isinstance(fact, WildSettled) and bool(fact.die.face))


def judge(bench: Bench, facts: Sequence[Fact], kind: str, tally: Tally, name: str) -> None:
    for one, expected in ((Settled, kind != "wild"), (WildSettled, kind != "numbers")):
        some = [fact for fact in facts if isinstance(fact, one)]
        which = "wild" if one is WildSettled else "numbers"
        if not expected:
            for fact in some:
                tally.blame("double" if sure(fact) else "asked of what nobody threw", f"{name}: {fact}")
            continue
        certain = [fact for fact in some if sure(fact)]
        if not some:
            tally.blame("missed", f"{name}: {which}")
        elif not certain:
            tally.blame("asked", f"{name}: {which}: {some[-1]}")
        elif len(certain) > 1:
            tally.blame("double", f"{name}: {which}: {certain}")
        elif not right(bench, certain[0]):
            tally.blame("wrong", f"{name}: {which}: {certain[0]}")


def right(bench: Bench, fact: Fact) -> bool:
    if isinstance(fact, WildSettled):
        return bool(bench.wild) and fact.die.face == bench.hands.table.wild.faces[bench.wild[0].value - 1]
    assert isinstance(fact, Settled)
    return sorted(v or 0 for v in fact.reading.values) == sorted(die.value for die in bench.numbers)


def after(bench: Bench, tally: Tally, name: str) -> None:
    """Something happens to what lies there, for some three seconds."""
    rng = bench.rng
    what = str(rng.choice(HAPPENINGS))
    to_wild = bool(bench.wild) and (not bench.numbers or rng.random() < 0.5)
    name = f"{name}; {what}{' (wild)' if to_wild else ''}"
    tally.counts[what] += 1
    facts = list(happen(bench, what, to_wild=to_wild))
    facts += bench.hold(3.0 if what == "turned" else 1.5)
    bench.light, bench.lamp = 1.0, 0.0
    facts += bench.hold(1.2)
    for fact in told(facts):
        if sure(fact):
            tally.blame("double", f"{name}: {fact}")
    changed = [fact for fact in told(facts) if why_of(fact) is Why.CHANGED]
    if what == "turned":
        kinds = [fact for fact in changed if isinstance(fact, WildSettled) is to_wild]
        tally.counts["noticed"] += bool(kinds)
        if not kinds:
            tally.blame("unnoticed", f"{name}: {told(facts)}")
    elif changed:
        tally.blame("false alarm", f"{name}: {changed}")
    others = [fact for fact in told(facts) if not sure(fact) and why_of(fact) is not Why.CHANGED]
    if others:
        tally.blame("asked of what nobody threw", f"{name}: {others}")


def why_of(fact: Fact) -> Why | None:
    return fact.reading.why if isinstance(fact, Settled) else fact.die.why if isinstance(fact, WildSettled) else None


def happen(bench: Bench, what: str, *, to_wild: bool) -> Iterable[Fact]:
    rng, frames = bench.rng, round(1.2 * bench.fps)
    die = bench.wild[0] if to_wild else bench.numbers[0]
    match what:
        case "hand":
            for hand in passing(rng, frames, HAND):
                yield from bench.show(Moment(bench.lying, hand))
        case "rests":
            for hand in resting(rng, die, frames, bench.fps, HAND):
                yield from bench.show(Moment(bench.lying, hand))
        case "lamp":
            bench.lamp = float(rng.uniform(0.1, 0.5))
        case "dark":
            bench.light = float(rng.uniform(0.3, 0.7))
        case "shoved":
            place(bench, replace(die, x=die.x + float(rng.uniform(-0.7, 0.7))), to_wild=to_wild)
        case "turned" if to_wild:
            faces = bench.hands.table.wild.faces
            other = [i + 1 for i, face in enumerate(faces) if face != faces[die.value - 1]]
            place(bench, replace(die, value=int(rng.choice(other))), to_wild=True)
        case "turned":
            place(bench, replace(die, value=int(rng.choice([v for v in range(1, 7) if v != die.value]))), to_wild=False)


def place(bench: Bench, die: Cube, *, to_wild: bool) -> None:
    if to_wild:
        bench.wild = (die,)
    else:
        bench.numbers = (die, *bench.numbers[1:])


def report(tally: Tally) -> None:
    report_counts(tally, ("throws", *KINDS, *HAPPENINGS))
    for line in tally.bad[:60]:
        print(line)


if __name__ == "__main__":
    main()
