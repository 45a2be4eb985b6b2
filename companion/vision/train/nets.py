"""The two networks, and their way into ONNX files of plain operations that OpenCV from 4.10 on can run, and back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from companion.paths import whole
from companion.vision.networks import CLASSES, CROP_PX, HEAT_PLANES, PIP_PLANES

OPSET = 11  # Conv, ConvTranspose, Relu, Clip, Add, Concat and GlobalAveragePool have not changed since


class Finder(nn.Module):
    """Where dice lie. 3×H×W in (BGR, 0–1, less 0.5) -> 5×H/4×W/4: logits of a die's centre, log of its size / 24 px.

    The first four planes are the quarters of H/2×W/2.
    """

    def __init__(self) -> None:
        super().__init__()
        self.early = nn.Sequential(conv_norm(3, 12, 2), conv_norm(12, 24, 2), conv_norm(24, 24))
        self.deep = nn.Sequential(
            conv_norm(24, 48, 2), conv_norm(48, 48), conv_norm(48, 48, dilation=2), conv_norm(48, 48)
        )
        self.up = nn.ConvTranspose2d(48, 24, 2, 2)
        self.join = nn.Sequential(conv_norm(48, 24), conv_norm(24, 24))
        self.out = nn.Conv2d(24, HEAT_PLANES + 1, 1)

    def forward(self, picture: Tensor) -> Tensor:
        early = self.early(picture)
        up = torch.relu(self.up(self.deep(early)))
        return self.out(self.join(torch.cat([early, up], 1)))


class Faces(nn.Module):
    """What a die shows. 3×64×64 in (BGR, each crop less its mean, over its deviation) -> 8 logits, 4×16×16 pip logits.

    Classes: 0 no die, 1–6, 7 a die that cannot be read (cocked, no pips). The four planes are the quarters of 32×32.
    """

    def __init__(self) -> None:
        super().__init__()
        self.early = nn.Sequential(conv_norm(3, 16, 2), conv_norm(16, 16), conv_norm(16, 32, 2), conv_norm(32, 32))
        self.deep = nn.Sequential(conv_norm(32, 64, 2), conv_norm(64, 64), conv_norm(64, 64))
        self.up = nn.ConvTranspose2d(64, 32, 2, 2)
        self.join = nn.Sequential(conv_norm(64, 32), conv_norm(32, 32))
        self.pips = nn.Conv2d(32, PIP_PLANES, 1)
        self.late = nn.Sequential(conv_norm(32, 64, 2), conv_norm(64, 96, 2))
        self.value = nn.Conv2d(96, CLASSES, 1)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        early = self.early(crops)
        up = torch.relu(self.up(self.deep(early)))
        joined = self.join(torch.cat([early, up], 1))
        late = self.late(joined).mean((2, 3), keepdim=True)
        return self.value(late).flatten(1), self.pips(joined)


def conv_norm(inward: int, outward: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outward), nn.ReLU(True)
    )


class Graph:
    """An ONNX graph that grows by one operation at a time, batch norms folded into the convolutions before them."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(self, kind: str, inputs: list[str], *tensors: Tensor, **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        stored = []
        for tensor in tensors:
            label = f"w{len(self.weights)}"
            self.weights.append(numpy_helper.from_array(tensor.detach().numpy().astype(np.float32), label))
            stored.append(label)
        self.nodes.append(helper.make_node(kind, inputs + stored, [name], name=name, **attributes))
        return name

    def conv(
        self, name: str, layer: nn.Conv2d, norm: nn.BatchNorm2d | None = None, pads: list[int] | None = None
    ) -> str:
        """`pads`: above, left, below and right, where they are not the layer's own."""
        weight = layer.weight
        bias = layer.bias if layer.bias is not None else torch.zeros(layer.out_channels)
        if norm is not None:
            assert norm.running_var is not None
            assert norm.running_mean is not None
            gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = weight * gain[:, None, None, None]
            bias = norm.bias + (bias - norm.running_mean) * gain
        pad, step, reach = int(layer.padding[0]), layer.stride[0], layer.dilation[0]
        return self.add(
            "Conv",
            [name],
            weight,
            bias,
            kernel_shape=list(layer.kernel_size),
            pads=[pad] * 4 if pads is None else pads,
            strides=[step] * 2,
            dilations=[reach] * 2,
            group=layer.groups,
        )

    def normed(self, name: str, layers: nn.Module, pads: list[int] | None = None) -> str:
        """A convolution and the norm after it."""
        conv, norm = layers.children()
        assert isinstance(conv, nn.Conv2d)
        assert isinstance(norm, nn.BatchNorm2d)
        return self.conv(name, conv, norm, pads)

    def clip(self, name: str) -> str:
        """What ReLU6 does."""
        return self.add("Clip", [name], torch.tensor(0.0), torch.tensor(6.0))

    def run(self, name: str, layers: nn.Module) -> str:
        """A (nested) sequence of convolution, norm, ReLU."""
        flat = [layer for layer in layers.modules() if isinstance(layer, nn.Conv2d | nn.BatchNorm2d)]
        for conv, norm in zip(flat[::2], flat[1::2], strict=True):
            assert isinstance(conv, nn.Conv2d)
            assert isinstance(norm, nn.BatchNorm2d)
            name = self.add("Relu", [self.conv(name, conv, norm)])
        return name

    def up(self, name: str, layer: nn.ConvTranspose2d) -> str:
        assert layer.bias is not None
        grown = self.add("ConvTranspose", [name], layer.weight, layer.bias, kernel_shape=[2, 2], strides=[2, 2])
        return self.add("Relu", [grown])

    def write(self, path: Path, *, shape: list[Any], outputs: dict[str, list[Any]], name: str) -> None:
        model = helper.make_model(
            helper.make_graph(
                self.nodes,
                path.stem,
                [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)],
                [helper.make_tensor_value_info(out, TensorProto.FLOAT, size) for out, size in outputs.items()],
                self.weights,
            ),
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=6,
            producer_name="companion",
        )
        onnx.checker.check_model(model)
        with whole(path, durable=True) as stream:
            stream.write(model.SerializeToString())


def export_finder(net: Finder, path: Path) -> None:
    net.eval()
    graph = Graph()
    early = graph.run("picture", net.early)
    joined = graph.run(graph.add("Concat", [early, graph.up(graph.run(early, net.deep), net.up)], axis=1), net.join)
    outputs = {graph.conv(joined, net.out): ["n", HEAT_PLANES + 1, "rows", "columns"]}
    graph.write(path, shape=["n", 3, "height", "width"], outputs=outputs, name="picture")


def export_faces(net: Faces, path: Path) -> None:
    net.eval()
    graph = Graph()
    early = graph.run("crops", net.early)
    joined = graph.run(graph.add("Concat", [early, graph.up(graph.run(early, net.deep), net.up)], axis=1), net.join)
    pips = graph.conv(joined, net.pips)
    value = graph.conv(graph.add("GlobalAveragePool", [graph.run(joined, net.late)]), net.value)
    outputs = {value: ["n", CLASSES, 1, 1], pips: ["n", PIP_PLANES, CROP_PX // 4, CROP_PX // 4]}
    graph.write(path, shape=["n", 3, CROP_PX, CROP_PX], outputs=outputs, name="crops")


def teach(net: nn.Module, weights: bytes) -> None:
    """Gives a network the weights of a file that `export_finder` or `export_faces` wrote.

    The norms, folded there into the convolutions before them, then change nothing but add what a convolution adds:
    `own_norms` gives them statistics of their own. Raises ValueError where the file keeps another network.
    """
    try:
        stored = [numpy_helper.to_array(tensor) for tensor in onnx.load_from_string(weights).graph.initializer]
    except Exception as fault:  # protobuf's own error is below nothing else
        raise ValueError(f"no network can be read from it: {fault}") from None
    layers = [part for part in net.modules() if isinstance(part, nn.Conv2d | nn.ConvTranspose2d | nn.BatchNorm2d)]
    wanted = [part for part in layers if not isinstance(part, nn.BatchNorm2d)]
    if [tuple(part.weight.shape) for part in wanted] != [tensor.shape for tensor in stored[::2]]:
        raise ValueError("it keeps another network")
    coming = iter(zip(stored[::2], stored[1::2], strict=True))
    with torch.no_grad():
        for part, after in zip(layers, [*layers[1:], None], strict=True):
            if isinstance(part, nn.BatchNorm2d):
                continue
            weight, bias = (torch.from_numpy(tensor.copy()) for tensor in next(coming))
            part.weight.copy_(weight)
            if isinstance(after, nn.BatchNorm2d):
                _change_nothing(after)
                after.bias.copy_(bias)
            else:
                assert part.bias is not None
                part.bias.copy_(bias)


def _change_nothing(norm: nn.BatchNorm2d) -> None:
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.weight.fill_(1)
    norm.running_mean.fill_(0)
    norm.running_var.fill_(1 - norm.eps)


def own_norms(net: nn.Module, inputs: Iterable[Tensor]) -> None:
    """Norms that change nothing (`teach`) get statistics of what comes to them, and undo what these do.

    The network says what it said before, and can be trained. `inputs`: some batches.
    """
    sums: dict[nn.BatchNorm2d, list[Tensor]] = {
        part: [torch.zeros(part.num_features, dtype=torch.float64) for _ in range(2)]
        for part in net.modules()
        if isinstance(part, nn.BatchNorm2d)
    }
    counts = dict.fromkeys(sums, 0)

    def see(norm: nn.Module, coming: tuple[Tensor]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        planes = coming[0].double()
        sums[norm][0] += planes.sum((0, 2, 3))
        sums[norm][1] += (planes**2).sum((0, 2, 3))
        counts[norm] += planes.numel() // planes.shape[1]

    watched = [norm.register_forward_pre_hook(see) for norm in sums]
    net.eval()
    with torch.no_grad():
        for batch in inputs:
            net(batch)
        for norm, (total, squares) in sums.items():
            assert norm.running_mean is not None
            assert norm.running_var is not None
            norm.running_mean.copy_(total / counts[norm])
            norm.running_var.copy_((squares / counts[norm] - (total / counts[norm]) ** 2).clamp(min=0))
            norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
            norm.bias += norm.running_mean
    for watch in watched:
        watch.remove()
