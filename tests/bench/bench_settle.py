"""How often is a roll taken early, twice or not at all? Over rendered throws; run by hand.

    python -m tests.bench.bench_settle --throws 1000
    python -m tests.bench.bench_settle --throws 200 --reader real
    python -m tests.bench.bench_settle --throws 200 --reader real --hands

Every throw has its own number of dice, noise and frame rate; two in five are re-rolls of some of the dice. A player
answers what is asked, truly. After the roll was taken, one of these happens: nothing, a hand passes, one rests over a
die for one to three seconds, a lamp is switched on (with its own shadows) or off, the exposure drifts, a die is shoved,
a die is turned over. Three in ten throws end with a die that stands on its edge for a moment; over a quarter of the
tables the light flickers. With `--hands` each throw ends under a hand that rests, over one of its dice or beside it,
until a roll is told, for four seconds at most.

early      a roll told before its dice lay still
double     a second sure roll of one throw, be it that the first one was asked about and answered
missed     no roll told within four seconds of rest; `asked`: an unsure one was
wrong      a sure roll with other values than lie there
noticed    dice turned over that were said to have changed; `unnoticed`: the others, four seconds later still
false alarm  such words although none was turned
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.events import Fact, Why
from companion.vision.reader import Reader
from companion.vision.scene import Cube, Lamp, Moment, Painter, Thing, moment, scatter, throw
from tests.vision.tape import Tape, told

PER_TABLE = 20  # throws before another tray, light and set of dice
WAIT_S = 4.0
HAPPENINGS = ("nothing", "hand", "rests", "lamp", "dark", "drift", "shoved", "turned")
FLICKERS, FLICKER = 0.25, 0.12  # of the tables: every other picture is so much brighter


@dataclass
class Tally:
    counts: Counter[str] = field(default_factory=Counter)
    late_s: list[float] = field(default_factory=list)
    feed_s: list[float] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)

    def blame(self, what: str, which: str) -> None:
        self.counts[what] += 1
        self.bad.append(f"{what}: {which}")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_settle",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--throws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", choices=("truth", "real"), default="truth")
    parser.add_argument("--hands", action="store_true", help="that rest in view until a roll is told")
    options = parser.parse_args(argv)
    if options.hands and options.reader != "real":
        parser.error("--hands needs --reader real: the other one knows of every hand")
    tally = Tally()
    began = time.perf_counter()
    try:
        for first in range(0, options.throws, PER_TABLE):
            some = min(PER_TABLE, options.throws - first)
            play(options.seed * 100_000 + first, some, tally, real=options.reader == "real", hands=options.hands)
            print(f"\r{first + some} throws, {time.perf_counter() - began:.0f} s", end="", flush=True)
    except KeyboardInterrupt:
        pass  # what was counted so far is worth telling
    print()
    report(tally)


def play(seed: int, throws: int, tally: Tally, *, real: bool, hands: bool = False) -> None:
    """A table on which dice are thrown again and again."""
    fps = float(np.random.default_rng(seed).choice([5, 8, 12]))
    tape = Tape(seed, size=(640, 480) if real else (240, 180), fps=fps)
    finish = replace(tape.table.scene.finish, noise=float(tape.rng.uniform(0.004, 0.04)))
    tape.table = replace(tape.table, scene=replace(tape.table.scene, finish=finish))
    tape.painter = Painter(tape.table)
    tape.reader = Reader().read if real else None
    tape.flicker = FLICKER if tape.rng.random() < FLICKERS else 0.0
    tape.hold((), 2)
    dice: tuple[Cube, ...] = ()
    for number in range(throws):
        dice = one_throw(tape, dice, tally, f"table {seed}, throw {number}", hands=hands)


def one_throw(
    tape: Tape, before: tuple[Cube, ...], tally: Tally, name: str, *, hands: bool = False
) -> tuple[Cube, ...]:
    rng = tape.rng
    after = next_dice(tape, before)
    tally.counts["throws"] += 1
    tally.counts["re-rolls"] += any(die in before for die in after)
    early = [fact for now in way(tape, before, after) for fact in shown(tape, now, tally)]
    if told(early):
        tally.blame("early", name)
    rest_s, facts = tape.now_s, list(early)
    reach = list(reaching(rng, after[0], tape.seed)) if hands else [None]
    for hand in reach[:-1]:
        facts += shown(tape, Moment(after, hand), tally)
    facts += waited(tape, after, facts, tape.now_s, tally, reach[-1])
    if hands:
        facts += waited(tape, after, facts, tape.now_s, tally)
    judge(facts, after, tally, name)
    tally.late_s.append(tape.now_s - rest_s)
    tape.settler.taken([die.value for die in after])
    happening = str(rng.choice(HAPPENINGS))
    tally.counts[happening] += 1
    after, later = happen(tape, after, happening, tally)
    if any(fact.reading.sure for fact in told(later)):
        tally.blame("double", f"{name}, {happening}")
    if happening == "turned":
        later += waited(tape, after, later, tape.now_s, tally)
    changed = any(fact.reading.why is Why.CHANGED for fact in told(later))
    if happening == "turned":
        tally.counts["noticed"] += changed
        if not changed:
            tally.blame("unnoticed", f"{name}: {[(fact.reading.values, fact.reading.why) for fact in told(later)]}")
    elif changed:
        tally.blame("false alarm", f"{name}, {happening}")
    return after


def waited(
    tape: Tape,
    dice: tuple[Cube, ...],
    facts: Sequence[Fact],
    since_s: float,
    tally: Tally,
    hand: Thing | None = None,
) -> list[Fact]:
    """What is told of dice that lie still until a roll is, for four seconds at most; nothing where one was.

    `hand`: one that rests over them meanwhile.
    """
    more: list[Fact] = []
    while not told([*facts, *more]) and tape.now_s < since_s + WAIT_S:
        more += shown(tape, Moment(dice, hand), tally)
    return more


def next_dice(tape: Tape, before: tuple[Cube, ...]) -> tuple[Cube, ...]:
    """A new throw of 1–5 dice, or of some of those that lie there."""
    rng = tape.rng
    if len(before) > 1 and rng.random() < 0.4:
        staying = {int(i): before[i] for i in rng.permutation(len(before))[: int(rng.integers(1, len(before)))]}
        values = [staying[i].value if i in staying else int(rng.integers(1, 7)) for i in range(len(before))]
        return scatter(tape.table, values, rng, kept=staying)
    return scatter(tape.table, [int(v) for v in rng.integers(1, 7, int(rng.integers(1, 6)))], rng)


def way(tape: Tape, before: tuple[Cube, ...], after: tuple[Cube, ...]) -> list[Moment]:
    """The throw, with a shake of up to two seconds, and at times a die that stands on its edge before it falls."""
    rng = tape.rng
    thrown = throw(before, after, rng)
    moments = [moment(thrown, at_s) for at_s in np.arange(0, thrown.lasts_s, 1 / tape.fps)]
    away = sum(1 for at_s in np.arange(0, thrown.rolls_at_s - 0.1, 1 / tape.fps))
    shake = [moment(thrown, thrown.rolls_at_s - 0.1)] * int(rng.uniform(0, 2) * tape.fps)
    moments = moments[:away] + shake + moments[away:]
    if rng.random() < 0.3 and thrown.rolled:
        edge = replace(thrown.rolled[0], lean_deg=float(rng.uniform(25, 44)), value=int(rng.integers(1, 7)))
        stand = tuple(edge if die is thrown.rolled[0] else die for die in after)
        moments += [Moment(stand)] * max(int(rng.uniform(0.1, 0.45) * tape.fps), 1)
    return moments


def happen(tape: Tape, dice: tuple[Cube, ...], what: str, tally: Tally) -> tuple[tuple[Cube, ...], list[Fact]]:
    """What becomes of dice that were taken, for some three seconds; where they lie afterwards, and what was told."""
    rng, steady = tape.rng, tape.painter
    frames = round(1.2 * tape.fps)
    facts: list[Fact] = []
    match what:
        case "hand":
            for hand in passing(rng, frames, tape.seed):
                facts += shown(tape, Moment(dice, hand), tally)
        case "rests":
            for hand in resting(rng, dice[0], frames, tape.fps, tape.seed):
                facts += shown(tape, Moment(dice, hand), tally)
        case "lamp":
            tape.painter = Painter(replace(tape.table, scene=with_lamp(tape)))
        case "dark":
            for _ in range(frames):
                facts += shown(tape, Moment(dice), tally, brightness=0.35)
        case "drift":
            for step in range(frames):
                facts += shown(tape, Moment(dice), tally, brightness=1 + 0.4 * step / frames)
        case "shoved":
            dice = (replace(dice[0], x=dice[0].x + float(rng.uniform(-0.7, 0.7))), *dice[1:])
        case "turned":
            value = int(rng.choice([v for v in range(1, 7) if v != dice[0].value]))
            dice = (replace(dice[0], value=value, y=dice[0].y + float(rng.uniform(-0.9, 0.9))), *dice[1:])
        case _:
            pass
    for _ in range(frames):
        facts += shown(tape, Moment(dice), tally)
    tape.painter = steady
    for _ in range(frames):
        facts += shown(tape, Moment(dice), tally)
    return dice, facts


def passing(rng: np.random.Generator, frames: int, seed: int) -> Iterator[Thing]:
    """A hand that reaches into the tray and away, in so many frames."""
    deep = float(rng.uniform(2, 7))
    for step in range(frames):
        reach = -13 + deep * np.sin(np.pi * step / (frames - 1))
        yield Thing("hand", float(rng.uniform(-0.2, 0.2)), float(reach), 90, 9, seed)


def reaching(rng: np.random.Generator, die: Cube, seed: int) -> Iterator[Thing]:
    """A hand that comes to rest over a die, or beside it, within six frames."""
    x, y = (die.x + 1.1, die.y + 2) if rng.random() < 0.5 else (die.x + 4.5, die.y - 2)
    yield from (Thing("hand", x, float(far), 90, 9, seed) for far in np.linspace(-14, y, 6))


def resting(rng: np.random.Generator, die: Cube, frames: int, fps: float, seed: int) -> Iterator[Thing]:
    """One that comes and goes in so many frames, and rests over a die for one to three seconds between."""
    over = die.x + 1.1, die.y + 2
    way_in = [Thing("hand", over[0], float(y), 90, 9, seed) for y in np.linspace(-14, over[1], frames // 2)]
    rest = [way_in[-1]] * round(float(rng.uniform(1, 3)) * fps)
    yield from (*way_in, *rest, *reversed(way_in))


def with_lamp(tape: Tape):  # type: ignore[no-untyped-def]
    """The tray with one lamp more, which throws its own shadows."""
    scene, rng = tape.table.scene, tape.rng
    lamp = Lamp(float(rng.uniform(0, 360)), float(rng.uniform(30, 75)), float(rng.uniform(0.15, 0.7)), (0.8, 0.95, 1.0))
    return replace(scene, light=replace(scene.light, lamps=(*scene.light.lamps, lamp)))


def shown(tape: Tape, now: Moment, tally: Tally, *, brightness: float = 1.0) -> tuple[Fact, ...]:
    brighter = 1 + tape.flicker * (round(tape.now_s * tape.fps) % 2)
    drawn = tape.painter.picture(now, tape.rng, brightness=brightness * brighter)
    tape.truth, tape.hand = drawn.truth, now.hand is not None
    tape.now_s += 1 / tape.fps
    reads, began = tape.reads, time.process_time()
    facts = tape.settler.feed(drawn.picture, tape.now_s, tape.read)
    if tape.reads == reads:
        tally.feed_s.append(time.process_time() - began)
    return facts


def judge(facts: Sequence[Fact], dice: tuple[Cube, ...], tally: Tally, name: str) -> None:
    rolls = told(facts)
    values = sorted(die.value for die in dice)
    if not rolls:
        tally.blame("missed", name)
    elif not rolls[-1].reading.sure:
        tally.counts[f"asked ({rolls[-1].reading.why.value if rolls[-1].reading.why else '?'})"] += 1
    elif sorted(value or 0 for value in rolls[-1].reading.values) != values:
        tally.blame("wrong", f"{name}: {rolls[-1].reading.values} for {values}")


def report(tally: Tally) -> None:
    report_counts(tally, ("throws", "re-rolls", *HAPPENINGS))
    late, feed = np.array(tally.late_s), np.array(tally.feed_s) * 1000
    print(f"from rest to roll: median {np.median(late):.2f} s, longest {late.max():.2f} s")
    print(
        f"a frame that is not read: median {np.median(feed):.2f} ms, 99 % below {np.percentile(feed, 99):.2f} ms of CPU"
    )
    for line in tally.bad[:40]:
        print(line)


def report_counts(tally: Tally, happened: Sequence[str]) -> None:
    """What `happened`, and below it what was told of that."""
    for name in happened:
        print(f"{name:12} {tally.counts.pop(name, 0):6}")
    noticed = tally.counts.pop("noticed", 0)
    print("-" * 19)
    for name in ("early", "double", "missed", "wrong", "false alarm", "unnoticed"):
        print(f"{name:12} {tally.counts.pop(name, 0):6}")
    print(f"{'noticed':12} {noticed:6}")
    for name, count in sorted(tally.counts.items()):
        print(f"{name:12} {count:6}")


if __name__ == "__main__":
    main()
