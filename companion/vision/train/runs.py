"""The runs of a training: their plans, the files that keep them, and the networks that go through them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from pathlib import Path

from companion.paths import is_file
from companion.typed import to_type
from companion.vision.labels import Label
from companion.vision.networks import KEEN, PARTS
from companion.vision.train.fit import Net, Plan
from companion.vision.train.keep import all_made, checksum, without
from companion.vision.train.learned import labelled, learned_from
from companion.vision.train.options import Options

FIRST_SEED = 1
FIRST_FINDER = Plan(steps=2500, batch=12, rate=2e-3, seed=FIRST_SEED)
FIRST_FACES = Plan(steps=4000, batch=128, rate=2e-3, seed=FIRST_SEED)
FINDER = (
    Plan(steps=14000, batch=12, rate=1.5e-3, seed=11),
    Plan(steps=6000, batch=12, rate=7e-4, seed=62, steady=True),
)
FACES = (
    Plan(steps=24000, batch=128, rate=1.2e-3, seed=11),
    Plan(steps=8000, batch=128, rate=7e-4, seed=51, steady=True),
)
KEEN_FACES = (Plan(steps=39000, batch=128, rate=1e-3, seed=31),)  # always from ImageNet's weights
FURTHER_FINDER = (Plan(steps=4000, batch=12, rate=6e-4, seed=81, steady=True),)  # from networks made before
FURTHER_FACES = (Plan(steps=18000, batch=128, rate=6e-4, seed=82, steady=True),)
NETWORKS = tuple(f"{part}.onnx" for part in PARTS)
SEEDS_APART = 1000


@dataclass(frozen=True, slots=True)
class Run:
    """One plan, and the file that keeps what it has come to: another plan, or other data, and it is another file."""

    plan: Plan
    kept: Path


def runs_of(options: Options) -> dict[str, list[Run]]:
    """What is to be trained once drawn scenes have taught both networks, in this order. Raises BadLabels."""
    plans: dict[str, tuple[Plan, ...]] = {"finder": FINDER, "faces": FACES, KEEN: KEEN_FACES}
    wanted = PARTS if options.start is not None or options.photos is None else (*PARTS, KEEN)
    if options.start is not None:
        plans |= {"finder": FURTHER_FINDER, "faces": FURTHER_FACES}
    plans = {
        part: tuple(seeded(_shortened(plan, options.share), options) for plan in some) for part, some in plans.items()
    }
    data = learned_from(_labels(options), plain=options.plain, traced=options.traced)
    data += (*begun_from(options), options.without_each)
    by_part = {"finder": data, "faces": (*data, *_mined_by(options)), KEEN: (*data, *_mined_by(options))}
    return {
        part: [Run(plan, options.work / f"{part}-{checksum((plan, by_part[part]))}.run") for plan in plans[part]]
        for part in ([options.only] if options.only is not None else wanted)
    }


def _shortened(plan: Plan, share: float) -> Plan:
    return replace(plan, steps=max(1, round(share * plan.steps)))


def seeded(plan: Plan, options: Options) -> Plan:
    """The plan by other batches, where another number is given for them."""
    return replace(plan, seed=plan.seed + SEEDS_APART * options.seed)


def begun_from(options: Options) -> tuple[bytes, ...]:
    """The networks to go on from; nothing where none are asked for. Raises FileNotFoundError where they are not."""
    if options.start is None:
        return ()
    begun = [options.start / name for name in NETWORKS]
    pairs = sorted(str(path.parent) for path in options.start.glob(f"*/{NETWORKS[0]}"))
    if pairs and not any(map(is_file, begun)):
        raise FileNotFoundError(f"{options.start} holds no networks, but folders of them; name {' or '.join(pairs)}")
    all_made(begun, by=to_type("python", "-m", "companion.vision.train", "--out", options.start))
    return tuple(path.read_bytes() for path in begun)


def _mined_by(options: Options) -> tuple[bytes, ...]:
    """The finder whose false alarms are learned from, once it is there."""
    trained = options.trained_finder
    return (trained.read_bytes(),) if options.mines_anew and trained.exists() else ()


def pupils(options: Options, first: Net) -> dict[str | None, Net]:
    """A network that learns from everything, and for `--without-each` one that does without each collection."""
    return {held_out: first if held_out is None else copy.deepcopy(first) for held_out in learners(options)}


def learners(options: Options) -> list[str | None]:
    """What is held out of each pair of networks."""
    return [None, *sorted({label.group for label in _labels(options)})] if options.without_each else [None]


def _labels(options: Options) -> list[Label]:
    """Those of the photos; none where there are no photos. Raises BadLabels."""
    return labelled(options.photos) if options.photos is not None else []


def folder_of(options: Options, held_out: str | None) -> Path:
    """Where networks go that do without a collection, or without none; made, if it is not there."""
    folder = options.out if held_out is None else without(held_out, options.out)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
