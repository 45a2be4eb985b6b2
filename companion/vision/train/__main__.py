"""`python -m companion.vision.train`: draws scenes, trains the networks, and writes their weights.

Without photos it learns from drawn scenes alone. With `--photos DIR` (a folder with labels.jsonl) it goes on with them.
With `--plain DIR` it learns from any pictures in which no die lies, too, and with `--traced DIR` from traced scenes.
Keen faces, which are asked where the pair is in doubt, learn from photos, too; `--from` networks made before, the pair
goes on, and `--only keen` begins keen faces anew beside it. `--without-each` teaches further networks by the same
batches, each without one collection of the photos, for figures that say something about dice never seen
(`python -m companion.vision.train.folds`). Scenes, photos and what has seen none are kept in `--work`, as is a run that
is cut off: the same command goes on there. Drawn scenes take 8 GB of memory, and all that is learned from some 15.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from companion.vision.train.extra import run

    sys.exit(run("companion.vision.train.__main__"))

import argparse
import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from companion.pictures import BadPicture
from companion.typed import typed_path, whole_number
from companion.vision.engines import BadNetwork
from companion.vision.labels import BadLabels
from companion.vision.networks import KEEN, PARTS
from companion.vision.train.crops import face_batch, finder_batch
from companion.vision.train.fit import BadRun, Net, fit_faces, fit_finder
from companion.vision.train.keen import MissingWeights, export_keen, from_imagenet, imagenet_weights
from companion.vision.train.keep import told
from companion.vision.train.material import (
    drawn_scenes,
    first_faces,
    first_finder,
    labelled_photos,
    other_pictures,
    pool_of,
)
from companion.vision.train.nets import export_faces, export_finder, own_norms
from companion.vision.train.options import Options
from companion.vision.train.pools import face_draw, finder_draw
from companion.vision.train.quantise import eight_bits, quantise
from companion.vision.train.runs import FIRST_SEED, NETWORKS, SEEDS_APART, Run, folder_of, learners, pupils, runs_of

NORMED = 60  # batches: of the statistics of a network to go on from


def main() -> int:
    """0; 2 when the photos, their labels or a kept run are no use, or a disk is full; 130 when interrupted."""
    options = _asked()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        options.work.mkdir(parents=True, exist_ok=True)
        runs = runs_of(options)
        trunk = imagenet_weights() if KEEN in runs else {}  # missing, they are missed before anything else
        if "finder" in runs:
            _train_finder(options, runs["finder"])
            runs = runs_of(options)  # the others learn from what this one takes for dice
        if "faces" in runs or KEEN in runs:
            _train_on_crops(options, runs, trunk)
        for held_out in learners(options):
            _quantise(folder_of(options, held_out))
    except (OSError, BadLabels, BadPicture, BadRun, BadNetwork, MissingWeights) as fault:
        sys.stderr.write(f"companion.vision.train: {told(fault)}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    for kept in (run.kept for some in runs.values() for run in some):
        kept.unlink(missing_ok=True)
    return 0


def _asked() -> Options:
    """What the command line asks for; it ends the process where that cannot be."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.vision.train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--out", type=typed_path, required=True, help="folder for finder.onnx, faces.onnx and keen.onnx"
    )
    parser.add_argument("--work", type=typed_path, required=True, help="folder for scenes and checkpoints (some 10 GB)")
    parser.add_argument("--photos", type=typed_path, help="folder of labelled photos, with labels.jsonl")
    parser.add_argument(
        "--plain", type=typed_path, help="folder of pictures without dice, of anything, with folders in it"
    )
    parser.add_argument("--traced", type=typed_path, help="folder of scenes, made by python -m companion.vision.traced")
    parser.add_argument(
        "--without-each", action="store_true", help="networks without each collection, too, into OUT/without-SET"
    )
    parser.add_argument(
        "--from",
        type=typed_path,
        dest="start",
        metavar="WEIGHTS",
        help="folder of finder.onnx and faces.onnx to go on from",
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, help="another number teaches other networks by other batches"
    )
    parser.add_argument("--only", choices=(*PARTS, KEEN), help="train one of them; with --from, keen faces only so")
    parser.add_argument("--share", type=_share, default=1.0, help="of the steps on photos, as 0.1 for a quick try")
    parser.add_argument(
        "--threads", type=whole_number(1), default=max(1, (os.cpu_count() or 2) // 2), help="that learn"
    )
    parser.add_argument(
        "--processes", type=whole_number(1), default=1, help="that make batches; default: one thread does"
    )
    parser.add_argument("--device", default="cpu", help="of PyTorch, as cuda")
    options = Options(**vars(parser.parse_args()))
    if options.only == KEEN and options.photos is None:
        parser.error("--only keen: keen faces learn from --photos, of which none are given")
    if options.without_each and (options.photos is None or options.start is not None):
        parser.error("--without-each keeps collections of --photos out, and begins anew, not --from networks of all")
    if options.start is not None and options.photos is None:
        parser.error("--from goes on with --photos, of which none are given")
    if (
        options.only in ("faces", KEEN)
        and options.photos
        and options.mines_anew
        and not options.trained_finder.exists()
    ):
        parser.error(
            "the faces learn from what the finder takes for dice and is none: train it first, into the same --out"
        )
    try:
        torch.zeros(1, device=options.device)
    except (RuntimeError, AssertionError) as fault:
        parser.error(f"--device {options.device}: {str(fault).splitlines()[0]}")
    return options


def _share(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (share := float(text)) <= 1:
            return share
    raise argparse.ArgumentTypeError(f"{text!r} is no share: above 0, and 1 at most")


def _train_finder(options: Options, runs: list[Run]) -> None:
    net, _ = first_finder(options)
    if options.photos is None:
        _export(export_finder, net, options.trained_finder)
        return
    draw = finder_draw(drawn_scenes(options) + labelled_photos(options) + other_pictures(options))
    if options.start is not None:
        own_norms(net, _inputs(lambda rng: finder_batch(draw(rng, runs[0].plan.batch), rng).windows))
    _teach("finder", options, net, functools.partial(fit_finder, draw_examples=draw), runs, export_finder)


def _train_on_crops(options: Options, runs: dict[str, list[Run]], trunk: Mapping[str, Tensor]) -> None:
    """The faces, and the keen ones on ImageNet's trunk, from one pool."""
    net, weights = first_faces(options)
    if options.photos is None:
        _export(export_faces, net, options.out / "faces.onnx")
        return
    draw = face_draw(pool_of(options, net, weights))
    fit = functools.partial(fit_faces, draw_patches=draw)
    if "faces" in runs:
        if options.start is not None:
            own_norms(net, _inputs(lambda rng: face_batch(draw(rng, runs["faces"][0].plan.batch), rng).crops))
        _teach("faces", options, net, fit, runs["faces"], export_faces)
    if KEEN in runs:
        torch.manual_seed(FIRST_SEED + SEEDS_APART * options.seed)
        _teach(KEEN, options, from_imagenet(trunk), fit, runs[KEEN], export_keen)


def _teach(
    name: str,
    options: Options,
    first: Net,
    fit: Callable[..., dict[str | None, Net]],
    runs: Sequence[Run],
    export: Callable[[Net, Path], None],
) -> None:
    """A network goes through its runs, beside those that do without a collection; each becomes NAME.onnx."""
    nets = pupils(options, first)
    for run in runs:
        nets = fit(nets, plan=run.plan, kept=run.kept, hardware=options.hardware)
    for held_out, trained in nets.items():
        _export(export, trained, folder_of(options, held_out) / f"{name}.onnx")


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
