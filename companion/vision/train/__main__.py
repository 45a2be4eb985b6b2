"""`python -m companion.vision.train`: draws scenes, trains both networks, and writes their weights.

Without photos it learns from drawn scenes alone. With `--photos DIR` (a folder with labels.jsonl) it goes on with them,
and with `--hold-out SET` it keeps one collection out, for a figure that says something about dice never seen.
Every stage leaves a file in `--work`; a second run goes on from there.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from pathlib import Path

import cv2
import torch

from companion.vision.networks import FaceNet, FinderNet
from companion.vision.train.fit import Plan, fit_faces, fit_finder
from companion.vision.train.nets import Faces, Finder, export_faces, export_finder
from companion.vision.train.photos import photo_examples
from companion.vision.train.pictures import Example, drawn_examples
from companion.vision.train.pools import face_draw, finder_draw, patches

SCENES = 4750
FIRST_FACES = Plan(steps=4000, batch=128, rate=2e-3, seed=1)
FIRST_FINDER = Plan(steps=3500, batch=12, rate=2e-3, seed=1)
PHOTO_FACES = Plan(steps=1500, batch=128, rate=1e-3, seed=2)
PHOTO_FINDER = Plan(steps=800, batch=12, rate=8e-4, seed=2)
POOL_SEED = 5
MINED = 1500  # drawn scenes searched for false alarms of the finder


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m companion.vision.train", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for finder.onnx and faces.onnx")
    parser.add_argument("--work", type=Path, required=True, help="folder for scenes and checkpoints (some 6 GB)")
    parser.add_argument("--photos", type=Path, help="folder of labelled photos, with labels.jsonl")
    parser.add_argument("--hold-out", metavar="SET", help="a collection not to learn from")
    parser.add_argument("--only", choices=("faces", "finder"), help="train one of the two")
    parser.add_argument("--longer", type=float, default=1.0, help="times the usual number of steps on photos")
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    options.work.mkdir(parents=True, exist_ok=True)
    if options.only != "faces":
        _train_finder(options)
    if options.only != "finder":
        _train_faces(options)
    return 0


def _plan(plan: Plan, longer: float) -> Plan:
    return Plan(round(plan.steps * longer), plan.batch, plan.rate, plan.seed, plan.say_every)


def _scenes(options: argparse.Namespace) -> list[Example]:
    return drawn_examples(SCENES, folder=options.work / "scenes")


def _first_finder(options: argparse.Namespace) -> Finder:
    """The finder that has only seen drawn scenes."""
    net, kept = Finder(), options.work / "finder0.pt"
    if not kept.exists():
        torch.manual_seed(FIRST_FINDER.seed)
        trained = fit_finder(Finder(), finder_draw(_scenes(options)), FIRST_FINDER)
        torch.save(trained.state_dict(), kept)
        export_finder(trained, options.work / "finder0.onnx")
    net.load_state_dict(torch.load(kept))
    return net


def _first_faces(options: argparse.Namespace) -> Faces:
    """The face network that has only seen drawn scenes."""
    net, kept = Faces(), options.work / "faces0.pt"
    if not kept.exists():
        torch.manual_seed(FIRST_FACES.seed)
        trained = fit_faces(Faces(), face_draw(patches(_scenes(options), POOL_SEED)), FIRST_FACES)
        torch.save(trained.state_dict(), kept)
        export_faces(trained, options.work / "faces0.onnx")
    net.load_state_dict(torch.load(kept))
    return net


def _photos(options: argparse.Namespace) -> list[Example]:
    """Photos with boxes of whole dice; those without get them from the networks that have seen no photo."""
    kept = options.work / "photos.pickle"
    if not kept.exists():
        _first_finder(options), _first_faces(options)
        finder = FinderNet((options.work / "finder0.onnx").read_bytes())
        faces = FaceNet((options.work / "faces0.onnx").read_bytes())
        with kept.open("wb") as stream:
            pickle.dump(photo_examples(options.photos, finder, faces), stream, protocol=5)
    with kept.open("rb") as stream:
        examples: list[Example] = pickle.load(stream)
    counts = {name: sum(e.source == name for e in examples) for name in sorted({e.source for e in examples})}
    print("photos", counts, "held out", options.hold_out, file=sys.stderr)
    return [example for example in examples if example.source != options.hold_out]


def _train_finder(options: argparse.Namespace) -> None:
    net = _first_finder(options)
    if options.photos is not None:
        examples = _scenes(options) + _photos(options)
        net = fit_finder(net, finder_draw(examples), _plan(PHOTO_FINDER, options.longer))
    export_finder(net, options.out / "finder.onnx")


def _train_faces(options: argparse.Namespace) -> None:
    net = _first_faces(options)
    if options.photos is not None:
        finder = FinderNet((options.work / "finder0.onnx").read_bytes())
        scenes = _scenes(options)
        pool = patches(scenes[:MINED], POOL_SEED, finder)
        pool.take(patches(scenes[MINED:], POOL_SEED + 1))
        pool.take(patches(_photos(options), POOL_SEED, finder))
        net = fit_faces(net, face_draw(pool), _plan(PHOTO_FACES, options.longer))
    export_faces(net, options.out / "faces.onnx")


if __name__ == "__main__":
    sys.exit(main())
