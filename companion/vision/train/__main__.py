"""`python -m companion.vision.train`: draws scenes, trains the networks, and writes their weights.

Without photos it learns from drawn scenes alone. With `--photos DIR` (a folder with labels.jsonl) it goes on with them.
With `--plain DIR` it learns from any pictures in which no die lies, too, and with `--traced DIR` from traced scenes.
Keen faces, which are asked where the pair is in doubt, learn from photos, too; `--from` networks made before, the pair
goes on, and `--only keen` begins keen faces anew beside it. `--without-each` teaches further networks by the same
batches, each without one collection of the photos, for figures that say something about dice never seen
(`python -m companion.vision.train.folds`). Scenes, photos and what has seen none are kept in `--work`, as is a run that
is cut off: the same command goes on there.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from companion.vision.train.extra import run

    sys.exit(run("companion.vision.train.__main__"))

import argparse
import contextlib
import copy
import functools
import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from companion.pictures import BadPicture
from companion.vision.engines import BadNetwork
from companion.vision.labels import BadLabels, labels_in
from companion.vision.networks import KEEN, PARTS, FaceNet, FinderNet
from companion.vision.train.crops import face_batch, finder_batch
from companion.vision.train.fit import BadRun, Net, Plan, fit_faces, fit_finder
from companion.vision.train.hardware import Hardware
from companion.vision.train.keen import MissingWeights, export_keen, from_imagenet, imagenet_weights
from companion.vision.train.keep import all_made, checksum, told, whole, without
from companion.vision.train.learned import learned_from
from companion.vision.train.nets import Faces, Finder, export_faces, export_finder, own_norms, teach
from companion.vision.train.photos import photo_examples
from companion.vision.train.pictures import DRAWN, Example, drawn_examples
from companion.vision.train.placed import place_pips
from companion.vision.train.plain import plain_examples
from companion.vision.train.pools import CLUTTER, Patches, clutter, face_draw, finder_draw, mined, patches
from companion.vision.train.printed import printed_examples
from companion.vision.train.quantise import eight_bits, quantise
from companion.vision.train.traced import traced_examples
from companion.vision.train.unreadable import leave_out_unreadable

SCENES = 4750
STEEP_SCENES, FIRST_STEEP = 4000, 20001  # from a slant, as somebody at the table sees it
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
POOL_SEED = 5
FIRST_FOUND = 0.9  # a photographed die's size over that which a finder of drawn ones sees
SEEDS_APART = 1000
NORMED = 60  # batches: of the statistics of a network to go on from
PHOTOS_MADE = (
    2  # how photos become examples; those kept of another way are made anew. 1: large ones' boxes lay elsewhere
)
SHEETS = 400  # printed ones, on which no die lies but those that are laid there
MINED = 1500  # drawn scenes searched for false alarms of the finder


def main() -> int:
    """0; 2 when the photos, their labels or a kept run are no use, or a disk is full; 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="python -m companion.vision.train", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for finder.onnx, faces.onnx and keen.onnx")
    parser.add_argument("--work", type=Path, required=True, help="folder for scenes and checkpoints (some 10 GB)")
    parser.add_argument("--photos", type=Path, help="folder of labelled photos, with labels.jsonl")
    parser.add_argument("--plain", type=Path, help="folder of pictures without dice, of anything, with folders in it")
    parser.add_argument("--traced", type=Path, help="folder of scenes, made by python -m companion.vision.traced")
    parser.add_argument(
        "--without-each", action="store_true", help="networks without each collection, too, into OUT/without-SET"
    )
    parser.add_argument(
        "--from", type=Path, dest="start", metavar="WEIGHTS", help="folder of finder.onnx and faces.onnx to go on from"
    )
    parser.add_argument(
        "--seed", type=_whole(0), default=0, help="another number teaches other networks by other batches"
    )
    parser.add_argument("--only", choices=(*PARTS, KEEN), help="train one of them; with --from, keen faces only so")
    parser.add_argument("--share", type=_share, default=1.0, help="of the steps on photos, as 0.1 for a quick try")
    parser.add_argument("--threads", type=_whole(1), default=max(1, (os.cpu_count() or 2) // 2), help="that learn")
    parser.add_argument("--processes", type=_whole(1), default=1, help="that make batches; default: one thread does")
    parser.add_argument("--device", default="cpu", help="of PyTorch, as cuda")
    options = parser.parse_args()
    if options.only == KEEN and options.photos is None:
        parser.error("--only keen: keen faces learn from --photos, of which none are given")
    if options.without_each and (options.photos is None or options.start is not None):
        parser.error("--without-each keeps collections of --photos out, and begins anew, not --from networks of all")
    if options.start is not None and options.photos is None:
        parser.error("--from goes on with --photos, of which none are given")
    if (
        options.only in ("faces", KEEN)
        and options.photos
        and _mines_anew(options)
        and not _trained_finder(options).exists()
    ):
        parser.error(
            "the faces learn from what the finder takes for dice and is none: train it first, into the same --out"
        )
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    try:
        torch.zeros(1, device=options.device)
    except (RuntimeError, AssertionError) as fault:
        parser.error(f"--device {options.device}: {str(fault).splitlines()[0]}")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        options.work.mkdir(parents=True, exist_ok=True)
        runs = _runs(options)
        trunk = imagenet_weights() if KEEN in runs else {}  # missing, they are missed before anything else
        if "finder" in runs:
            _train_finder(options, runs["finder"])
            runs = _runs(options)  # the others learn from what this one takes for dice
        if "faces" in runs or KEEN in runs:
            _train_on_crops(options, runs, trunk)
        for held_out in _learners(options):
            _quantise(_folder(options, held_out))
    except (OSError, BadLabels, BadPicture, BadRun, BadNetwork, MissingWeights) as fault:
        sys.stderr.write(f"companion.vision.train: {told(fault)}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    for kept in (run.kept for some in runs.values() for run in some):
        kept.unlink(missing_ok=True)
    return 0


def _share(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (share := float(text)) <= 1:
            return share
    raise argparse.ArgumentTypeError(f"{text!r} is no share: above 0, and 1 at most")


def _whole(least: int) -> Callable[[str], int]:
    """Takes whole numbers from `least` on."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number, {least} or more")
        return int(text)

    return number


def _mines_anew(options: argparse.Namespace) -> bool:
    """Do the faces learn from what the finder just trained takes for dice, not from the first one's dice alone."""
    return options.start is None


def _trained_finder(options: argparse.Namespace) -> Path:
    return Path(options.out / "finder.onnx")


def _hardware(options: argparse.Namespace) -> Hardware:
    return Hardware(options.device, options.processes)


def _scenes(options: argparse.Namespace) -> list[Example]:
    return _scenes_in(options.work / "scenes", SCENES, STEEP_SCENES, max(2, options.processes))


@functools.lru_cache(1)
def _scenes_in(folder: Path, usual: int, steep: int, processes: int) -> list[Example]:
    """Some 8 GB of them: forgotten before the last and longest part."""
    slanted = drawn_examples(steep, folder=folder, first_seed=FIRST_STEEP, steep=True, processes=processes)
    return drawn_examples(usual, folder=folder, processes=processes) + slanted


@dataclass(frozen=True, slots=True)
class _Run:
    """One plan, and the file that keeps what it has come to: another plan, or other data, and it is another file."""

    plan: Plan
    kept: Path


def _runs(options: argparse.Namespace) -> dict[str, list[_Run]]:
    """What is to be trained once drawn scenes have taught both networks, in this order. Raises BadLabels."""
    plans: dict[str, tuple[Plan, ...]] = {"finder": FINDER, "faces": FACES, KEEN: KEEN_FACES}
    wanted = PARTS if options.start is not None or options.photos is None else (*PARTS, KEEN)
    if options.start is not None:
        plans |= {"finder": FURTHER_FINDER, "faces": FURTHER_FACES}
    plans = {
        part: tuple(_seeded(_shortened(plan, options.share), options) for plan in some) for part, some in plans.items()
    }
    labels = labels_in(options.photos) if options.photos is not None else []
    data = learned_from(labels, plain=options.plain, traced=options.traced)
    data += (*_begun_from(options), options.without_each)
    by_part = {"finder": data, "faces": (*data, *_mined_by(options)), KEEN: (*data, *_mined_by(options))}
    return {
        part: [_Run(plan, options.work / f"{part}-{checksum((plan, by_part[part]))}.run") for plan in plans[part]]
        for part in ([options.only] if options.only is not None else wanted)
    }


def _shortened(plan: Plan, share: float) -> Plan:
    return replace(plan, steps=max(1, round(share * plan.steps)))


def _seeded(plan: Plan, options: argparse.Namespace) -> Plan:
    return replace(plan, seed=plan.seed + SEEDS_APART * options.seed)


def _begun_from(options: argparse.Namespace) -> tuple[bytes, ...]:
    """The networks to go on from; nothing where there are none."""
    if options.start is None:
        return ()
    begun = [options.start / name for name in NETWORKS]
    all_made(begun, by=f"python -m companion.vision.train --out {options.start}")
    return tuple(path.read_bytes() for path in begun)


def _mined_by(options: argparse.Namespace) -> tuple[bytes, ...]:
    """The finder whose false alarms are learned from, once it is there."""
    trained = _trained_finder(options)
    return (trained.read_bytes(),) if _mines_anew(options) and trained.exists() else ()


def _pupils(options: argparse.Namespace, first: Net) -> dict[str | None, Net]:
    """A network that learns from everything, and for `--without-each` one that does without each collection."""
    return {held_out: first if held_out is None else copy.deepcopy(first) for held_out in _learners(options)}


def _learners(options: argparse.Namespace) -> list[str | None]:
    """What is held out of each pair of networks."""
    return [None, *sorted({label.group for label in labels_in(options.photos)})] if options.without_each else [None]


def _folder(options: argparse.Namespace, held_out: str | None) -> Path:
    folder = options.out if held_out is None else without(held_out, options.out)
    folder.mkdir(parents=True, exist_ok=True)
    return Path(folder)


def _first_finder(options: argparse.Namespace) -> tuple[Finder, bytes]:
    """The finder that has only seen drawn scenes, or that to go on from; and its file."""
    if options.start is not None:
        return _made_before(options.start / "finder.onnx", Finder())

    def fit(kept: Path) -> Finder:
        draw = finder_draw(_scenes(options))
        return fit_finder({None: Finder()}, draw, _seeded(FIRST_FINDER, options), kept, _hardware(options))[None]

    return _once("finder0", options, Finder(), fit, export_finder)


def _first_faces(options: argparse.Namespace) -> tuple[Faces, bytes]:
    """The face network that has only seen drawn scenes, or that to go on from; and its file."""
    if options.start is not None:
        return _made_before(options.start / "faces.onnx", Faces())

    def fit(kept: Path) -> Faces:
        draw = face_draw(patches(_scenes(options), POOL_SEED, processes=options.processes))
        return fit_faces({None: Faces()}, draw, _seeded(FIRST_FACES, options), kept, _hardware(options))[None]

    return _once("faces0", options, Faces(), fit, export_faces)


def _once(
    name: str, options: argparse.Namespace, net: Net, fit: Callable[[Path], Net], export: Callable[[Net, Path], None]
) -> tuple[Net, bytes]:
    """A network fitted once for each seed: NAME.pt and, as it runs, NAME.onnx; while it is fitted, NAME.run."""
    path = options.work / (name if options.seed == 0 else f"{name}-{options.seed}")
    trained, kept = path.with_suffix(".pt"), path.with_suffix(".run")
    if not trained.exists():
        torch.manual_seed(FIRST_SEED + SEEDS_APART * options.seed)
        fitted = fit(kept)
        export(fitted, path.with_suffix(".onnx"))
        with whole(trained) as stream:
            torch.save(fitted.state_dict(), stream)
        kept.unlink()
    net.load_state_dict(torch.load(trained))
    return net, path.with_suffix(".onnx").read_bytes()


def _made_before(path: Path, net: Net) -> tuple[Net, bytes]:
    """A network by its ONNX file; its norms are to be given statistics before it learns. Raises BadRun."""
    weights = path.read_bytes()
    try:
        teach(net, weights)
    except ValueError as fault:
        raise BadRun(f"{path} is no network to go on from: {fault}") from None
    return net, weights


def _photos(options: argparse.Namespace) -> list[Example]:
    """Photos with boxes of whole dice; those without get them from the networks that have seen no photo.

    Kept for these labels: photos labelled anew are looked at anew.
    """
    facts = PHOTOS_MADE, labels_in(options.photos), _begun_from(options), options.seed
    kept = options.work / f"photos-{checksum(facts)}.pickle"
    if not kept.exists():
        finder, faces = FinderNet(_first_finder(options)[1]), FaceNet(_first_faces(options)[1])
        found = FIRST_FOUND if options.start is None else 1.0
        with whole(kept) as stream:
            examples = photo_examples(options.photos, finder, faces, found=found, processes=options.processes)
            pickle.dump(examples, stream, protocol=5)
    with kept.open("rb") as stream:
        made: list[Example] = pickle.load(stream)
    print("photos", dict(sorted(Counter(example.source for example in made).items())), file=sys.stderr)
    return made


def _others(options: argparse.Namespace) -> list[Example]:
    """Pictures without dice, printed sheets among them, and traced ones."""
    processes = options.processes
    plain = plain_examples(options.plain, processes=processes) if options.plain is not None else []
    traced = traced_examples(options.traced, processes=processes) if options.traced is not None else []
    return plain + printed_examples(SHEETS, processes=processes) + traced


def _train_finder(options: argparse.Namespace, runs: list[_Run]) -> None:
    net, _ = _first_finder(options)
    if options.photos is None:
        _export(export_finder, net, _trained_finder(options))
        return
    draw = finder_draw(_scenes(options) + _photos(options) + _others(options))
    if options.start is not None:
        own_norms(net, _inputs(lambda rng: finder_batch(draw(rng, FINDER[0].batch), rng).windows))
    _teach("finder", options, net, functools.partial(fit_finder, draw_examples=draw), runs, export_finder)


def _train_on_crops(options: argparse.Namespace, runs: dict[str, list[_Run]], trunk: Mapping[str, Tensor]) -> None:
    """The faces, and the keen ones on ImageNet's trunk, from one pool."""
    net, weights = _first_faces(options)
    if options.photos is None:
        _export(export_faces, net, options.out / "faces.onnx")
        return
    draw = face_draw(_pool(options, net, weights))
    fit = functools.partial(fit_faces, draw_patches=draw)
    if "faces" in runs:
        if options.start is not None:
            own_norms(net, _inputs(lambda rng: face_batch(draw(rng, FACES[0].batch), rng).crops))
        _teach("faces", options, net, fit, runs["faces"], export_faces)
    if KEEN in runs:
        torch.manual_seed(FIRST_SEED + SEEDS_APART * options.seed)
        _teach(KEEN, options, from_imagenet(trunk), fit, runs[KEEN], export_keen)


def _teach(
    name: str,
    options: argparse.Namespace,
    first: Net,
    fit: Callable[..., dict[str | None, Net]],
    runs: Sequence[_Run],
    export: Callable[[Net, Path], None],
) -> None:
    """A network goes through its runs, beside those that do without a collection; each becomes NAME.onnx."""
    nets = _pupils(options, first)
    for run in runs:
        nets = fit(nets, plan=run.plan, kept=run.kept, hardware=_hardware(options))
    for held_out, trained in nets.items():
        _export(export, trained, _folder(options, held_out) / f"{name}.onnx")


def _export(export: Callable[[Net, Path], None], net: Net, path: Path) -> None:
    """A network, without the one of eight bits that was made of the one before."""
    eight_bits(path).unlink(missing_ok=True)
    export(net, path)


def _quantise(folder: Path) -> None:
    """What was trained, once the pair is there."""
    made = [folder / f"{part}.onnx" for part in (*PARTS, KEEN)]
    fresh = [path.stem for path in made if path.exists() and not eight_bits(path).exists()]
    if all((folder / name).exists() for name in NETWORKS):
        quantise(folder, fresh)


def _inputs(make: Callable[[np.random.Generator], NDArray[np.float32]]) -> Iterator[torch.Tensor]:
    """NORMED batches."""
    return (torch.from_numpy(make(np.random.default_rng([FIRST_SEED, number]))) for number in range(NORMED))


def _pool(options: argparse.Namespace, first: Faces, weights: bytes) -> Patches:
    """Dice, ground, flat things, and what the finders take for dice and is none: the first one, and the one trained."""
    processes = options.processes
    pool, photos = _drawn_pool(options, first, weights), _photos(options) + _others(options)
    pool.take(patches(photos, POOL_SEED, FinderNet(_first_finder(options)[1]), processes=processes))
    place_pips(pool, FaceNet(weights))
    pool.take(clutter(pool, CLUTTER, POOL_SEED, processes=processes))
    if _mines_anew(options):
        trained = FinderNet(_trained_finder(options).read_bytes())
        pool.take(mined(_scenes(options)[MINED : 2 * MINED] + photos, trained, processes=processes))
    _scenes_in.cache_clear()
    return pool


def _drawn_pool(options: argparse.Namespace, first: Faces, weights: bytes) -> Patches:
    """What drawn scenes give to a pool; kept for these networks and scenes: it is the same whatever is held out."""
    found_by = _first_finder(options)[1]
    kept = options.work / f"drawn-{checksum((found_by, weights, SCENES, STEEP_SCENES, MINED))}.pickle"
    if not kept.exists():
        scenes, processes = _scenes(options), options.processes
        pool = patches(scenes[:MINED], POOL_SEED, FinderNet(found_by), processes=processes)
        pool.take(patches(scenes[MINED:], POOL_SEED + 1, processes=processes))
        leave_out_unreadable(pool, first, _hardware(options))
        with whole(kept) as stream:
            pickle.dump(dict(pool.of[DRAWN]), stream, protocol=5)
    pool = Patches()
    with kept.open("rb") as stream:
        pool.of[DRAWN].update(pickle.load(stream))
    return pool
