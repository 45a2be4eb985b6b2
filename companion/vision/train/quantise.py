"""`python -m companion.vision.train.quantise WEIGHTS`: networks of eight bits beside those in a folder.

ONNX Runtime runs them in less than half of the time; OpenCV goes on with the others. The range of what flows through
them is measured on all that they are shown while drawn tables are read. The first layer and the last ones stay as they
are, which takes no longer, and a third off the error; so do the first blocks of the keen faces, which takes a quarter
longer, and two thirds off theirs. Weights take seven of the eight bits: so the sum of two products
fits into the 16 bits in which processors without VNNI keep it, and all come to the same.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from companion.vision.train.extra import run

    sys.exit(run("companion.vision.train.quantise"))

import argparse
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
from onnx import version_converter
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from companion.paths import whole
from companion.progress import bar
from companion.typed import to_type, typed_path
from companion.vision.engines import BadNetwork, Engine, Floats, engine_of
from companion.vision.networks import EIGHT_BITS, KEEN, PARTS, FaceNet, FinderNet, Networks
from companion.vision.reader import Reader
from companion.vision.train.keep import all_made, told
from companion.vision.train.pictures import drawn_example

TABLES = 60
FIRST_TABLE = 9_000_001  # no training draws it
EARLY = {KEEN: 9}  # layers that stay as they are, too: what ImageNet taught and dice did not change (`keen.KEPT`)
OPSET = 13  # the first whose weights have a scale for each of their planes


def quantise(folder: Path, only: Collection[str] = (*PARTS, KEEN)) -> None:
    """Writes finder.int8.onnx, faces.int8.onnx and, where there is one, keen.int8.onnx beside those they are made of.

    `only`: these of them. Raises FileNotFoundError where one of the pair is missing, and BadNetwork for what is no such
    network, or for a finder that finds nothing to be looked at.
    """
    shown: dict[str, list[Floats]] = {}

    def remembering(part: str) -> Callable[[bytes], Engine]:
        seen = shown[part] = []

        def engine(weights: bytes) -> Engine:
            run = engine_of(weights)

            def remember(planes: Floats) -> list[Floats]:
                seen.append(planes)
                return run(planes)

            return remember

        return engine

    pair = [folder / f"{part}.onnx" for part in PARTS]
    all_made(pair, by=to_type("python", "-m", "companion.vision.train", "--out", folder))
    finder, faces = (path.read_bytes() for path in pair)
    keen = folder / f"{KEEN}.onnx"
    networks = Networks(
        FinderNet(finder, remembering("finder")),
        FaceNet(faces, remembering("faces")),
        FaceNet(keen.read_bytes(), remembering(KEEN)) if keen.exists() else None,
    )
    for done in range(TABLES):
        reader, picture = Reader(networks=networks), drawn_example(FIRST_TABLE + done).picture
        reader.read(picture)
        reader.read(picture)
        bar(done + 1, TABLES)
    if not shown["faces"]:
        raise BadNetwork(f"{folder / 'finder.onnx'} finds nothing in drawn tables that could be looked at")
    for part in shown:
        if part in only:
            _write(folder / f"{part}.onnx", shown[part])


def eight_bits(path: Path) -> Path:
    """Where the network of eight bits lies that is made of one."""
    return path.with_name(path.stem + EIGHT_BITS)


class _Shown(CalibrationDataReader):  # type: ignore[misc]
    """All that a network is shown, one after the other."""

    def __init__(self, name: str, planes: Iterable[Floats]) -> None:
        self._left = iter([{name: some} for some in planes])

    def get_next(self) -> dict[str, Floats] | None:
        return next(self._left, None)


def _write(source: Path, shown: list[Floats]) -> None:
    model = version_converter.convert_version(onnx.load(source), OPSET)
    with TemporaryDirectory() as scratch:
        plain, folded, made = (Path(scratch) / name for name in ("plain", "folded", "made"))
        onnx.save(model, plain)
        quant_pre_process(plain, folded, skip_symbolic_shape=True)
        quantize_static(
            folded,
            made,
            _Shown(model.graph.input[0].name, shown),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            nodes_to_exclude=_left(model.graph, EARLY.get(source.stem, 0)),
        )
        with whole(eight_bits(source), durable=True) as stream:
            stream.write(with_plain_operators(onnx.load(made)).SerializeToString())


def with_plain_operators(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same, asking for ONNX's own operators alone: quantising asks for all it knows, which older engines do not."""
    others = {node.domain for node in model.graph.node} - {""}
    if others:
        raise BadNetwork(f"it was made of operators of {', '.join(sorted(others))}, which not every engine has")
    opset = next(each.version for each in model.opset_import if not each.domain)
    del model.opset_import[:]
    model.opset_import.append(onnx.helper.make_opsetid("", opset))
    return model


def _left(graph: onnx.GraphProto, early: int) -> list[str]:
    """Names of the layers that take what the network is shown, that make its answers, and of so many early ones."""
    ends = {end.name for end in (*graph.input, *graph.output)}
    layers = [node.name for node in graph.node if node.op_type == "Conv"]
    return [*layers[:early], *(node.name for node in graph.node if ends & {*node.input, *node.output})]


def main() -> int:
    """0; 2 where the folder holds no pair of networks, or a disk is full; 130 when interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.vision.train.quantise",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folders", nargs="+", type=typed_path, metavar="WEIGHTS", help="folder of finder.onnx and faces.onnx"
    )
    for folder in parser.parse_args().folders:
        try:
            quantise(folder)
        except (OSError, BadNetwork) as fault:
            sys.stderr.write(f"companion.vision.train.quantise: {told(fault)}\n")
            return 2
        except KeyboardInterrupt:
            return 130
    return 0
