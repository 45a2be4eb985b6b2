"""What networks learn from, made once and kept: scenes, photos, other pictures, pools, and the first networks."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from pathlib import Path

import torch

from companion.paths import whole
from companion.vision.labels import labels_in
from companion.vision.networks import FaceNet, FinderNet
from companion.vision.train.fit import BadRun, Net, fit_faces, fit_finder
from companion.vision.train.keep import checksum
from companion.vision.train.learned import stamps
from companion.vision.train.nets import Faces, Finder, export_faces, export_finder, teach
from companion.vision.train.options import Options
from companion.vision.train.photos import LeftOut, photo_examples, used_of
from companion.vision.train.pictures import DRAWN, Example, drawn_examples
from companion.vision.train.placed import place_pips
from companion.vision.train.plain import plain_examples
from companion.vision.train.pools import CLUTTER, Patches, clutter, face_draw, finder_draw, mined, patches
from companion.vision.train.printed import printed_examples
from companion.vision.train.runs import FIRST_FACES, FIRST_FINDER, FIRST_SEED, SEEDS_APART, begun_from, seeded
from companion.vision.train.traced import traced_examples
from companion.vision.train.unreadable import leave_out_unreadable

SCENES = 4750
STEEP_SCENES, FIRST_STEEP = 4000, 20001  # from a slant, as somebody at the table sees it
POOL_SEED = 5
FIRST_FOUND = 0.9  # a photographed die's size over that which a finder of drawn ones sees
PHOTOS_MADE = 3
"""How photos become examples; those kept of another way are made anew. 1: large ones' boxes lay elsewhere. 2: boxes of
whole dice were known by their collections' names alone, and dice to be ignored were not where the finder had placed
them."""
SHEETS = 400  # printed ones, on which no die lies but those that are laid there
MINED = 1500  # drawn scenes searched for false alarms of the finder


def drawn_scenes(options: Options) -> list[Example]:
    """Those seen as by a camera above the table, then those from a slant."""
    return _scenes_in(options.work / "scenes", SCENES, STEEP_SCENES, max(2, options.processes))


@functools.lru_cache(1)
def _scenes_in(folder: Path, usual: int, steep: int, processes: int) -> list[Example]:
    """Some 8 GB of them: forgotten before the last and longest part."""
    slanted = drawn_examples(steep, folder=folder, first_seed=FIRST_STEEP, steep=True, processes=processes)
    return drawn_examples(usual, folder=folder, processes=processes) + slanted


def first_finder(options: Options) -> tuple[Finder, bytes]:
    """The finder that has only seen drawn scenes, or that to go on from; and its file."""
    if options.start is not None:
        return _made_before(options.start / "finder.onnx", Finder())

    def fit(kept: Path) -> Finder:
        draw = finder_draw(drawn_scenes(options))
        return fit_finder({None: Finder()}, draw, seeded(FIRST_FINDER, options), kept, options.hardware)[None]

    return _once("finder0", options, Finder(), fit, export_finder)


def first_faces(options: Options) -> tuple[Faces, bytes]:
    """The face network that has only seen drawn scenes, or that to go on from; and its file."""
    if options.start is not None:
        return _made_before(options.start / "faces.onnx", Faces())

    def fit(kept: Path) -> Faces:
        draw = face_draw(patches(drawn_scenes(options), POOL_SEED, processes=options.processes))
        return fit_faces({None: Faces()}, draw, seeded(FIRST_FACES, options), kept, options.hardware)[None]

    return _once("faces0", options, Faces(), fit, export_faces)


def _once(
    name: str, options: Options, net: Net, fit: Callable[[Path], Net], export: Callable[[Net, Path], None]
) -> tuple[Net, bytes]:
    """A network fitted once for each seed: NAME.pt and, as it runs, NAME.onnx; while it is fitted, NAME.run."""
    path = options.work / (name if options.seed == 0 else f"{name}-{options.seed}")
    trained, kept = path.with_suffix(".pt"), path.with_suffix(".run")
    if not trained.exists():
        torch.manual_seed(FIRST_SEED + SEEDS_APART * options.seed)
        fitted = fit(kept)
        export(fitted, path.with_suffix(".onnx"))
        with whole(trained, durable=True) as stream:
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


def labelled_photos(options: Options) -> list[Example]:
    """Photos with boxes of whole dice; those without get them from the networks that have seen no photo.

    `--photos` must be given. Kept for these labels and files: photos that are labelled or taken anew are looked at
    anew. Raises BadLabels where none of them can be used.
    """
    assert options.photos is not None
    labels = labels_in(options.photos)
    facts = PHOTOS_MADE, labels, stamps(label.path for label in labels), begun_from(options), options.seed
    kept = options.work / f"photos-{checksum(facts)}.pickle"
    if not kept.exists():
        finder, faces = FinderNet(first_finder(options)[1]), FaceNet(first_faces(options)[1])
        found = FIRST_FOUND if options.start is None else 1.0
        with whole(kept, durable=True) as stream:
            fresh = photo_examples(options.photos, finder, faces, found=found, processes=options.processes)
            pickle.dump(fresh, stream, protocol=5)
    with kept.open("rb") as stream:
        made: list[Example | LeftOut] = pickle.load(stream)
    return used_of(made, options.photos)


def other_pictures(options: Options) -> list[Example]:
    """Pictures without dice, printed sheets among them, and traced ones."""
    processes = options.processes
    plain = plain_examples(options.plain, processes=processes) if options.plain is not None else []
    traced = traced_examples(options.traced, processes=processes) if options.traced is not None else []
    return plain + printed_examples(SHEETS, processes=processes) + traced


def pool_of(options: Options, first: Faces, weights: bytes) -> Patches:
    """Dice, ground, flat things, and what the finders take for dice and is none: the first one, and the one trained."""
    processes = options.processes
    pool, photos = _drawn_pool(options, first, weights), labelled_photos(options) + other_pictures(options)
    pool.take(patches(photos, POOL_SEED, FinderNet(first_finder(options)[1]), processes=processes))
    place_pips(pool, FaceNet(weights))
    pool.take(clutter(pool, CLUTTER, POOL_SEED, processes=processes))
    if options.mines_anew:
        trained = FinderNet(options.trained_finder.read_bytes())
        pool.take(mined(drawn_scenes(options)[MINED : 2 * MINED] + photos, trained, processes=processes))
    _scenes_in.cache_clear()
    return pool


def _drawn_pool(options: Options, first: Faces, weights: bytes) -> Patches:
    """What drawn scenes give to a pool; kept for these networks and scenes: it is the same whatever is held out."""
    found_by = first_finder(options)[1]
    kept = options.work / f"drawn-{checksum((found_by, weights, SCENES, STEEP_SCENES, MINED))}.pickle"
    if not kept.exists():
        scenes, processes = drawn_scenes(options), options.processes
        pool = patches(scenes[:MINED], POOL_SEED, FinderNet(found_by), processes=processes)
        pool.take(patches(scenes[MINED:], POOL_SEED + 1, processes=processes))
        leave_out_unreadable(pool, first, options.hardware)
        with whole(kept, durable=True) as stream:
            pickle.dump(dict(pool.of[DRAWN]), stream, protocol=5)
    pool = Patches()
    with kept.open("rb") as stream:
        pool.of[DRAWN].update(pickle.load(stream))
    return pool
