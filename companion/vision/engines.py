"""What runs a network: ONNX Runtime, or where that is not installed OpenCV: nearly the same answers, but slower.

One thread each: the table's other work needs the other cores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.command import whole

Floats: TypeAlias = NDArray[np.float32]  # of networks, and of what is worked out for them and beside them
Engine: TypeAlias = Callable[[Floats], list[Floats]]
"""The network's one input (n×c×h×w) to all its outputs, in the order that its file names them.

Raises BadNetwork for an input that it does not take.
"""

Inputs = TypeVar("Inputs", NDArray[Any], list[NDArray[np.uint8]])
AT_ONCE = 2  # inputs of a network
ERRORS = 3  # ONNX Runtime's severity: warnings tell of graphics cards that it looked for


class BadNetwork(ValueError):
    """A file holds no network that can be run; the text says so in one line."""


def in_parts(run: Callable[[Inputs], Sequence[Floats]], inputs: Inputs, at_once: int = AT_ONCE) -> Sequence[Floats]:
    """What a network answers, asked about so many of its inputs at a time. There must be some.

    So their values stay in the processor's cache, which is quicker, and take a few MB, however many dice lie there.
    """
    parts = [run(inputs[first : first + at_once]) for first in range(0, len(inputs), at_once)]
    return parts[0] if len(parts) == 1 else [np.concatenate(answers) for answers in zip(*parts, strict=True)]


def takes_eight_bits() -> bool:
    """Whether networks of eight bits can be run, which only ONNX Runtime does, and more than twice as fast."""
    return _onnx_runtime() is not None


def named() -> str:
    """What runs the networks here, and its version."""
    runtime = _onnx_runtime()
    return f"OpenCV {cv2.__version__}" if runtime is None else f"ONNX Runtime {runtime.__version__}"


def _onnx_runtime() -> ModuleType | None:
    """Half a second on a Pi, and not every command reads dice."""
    try:
        with whole():
            import onnxruntime as runtime
    except ImportError:
        return None
    module: ModuleType = runtime
    return module


def engine_of(weights: bytes) -> Engine:
    """A network by its ONNX file. Raises BadNetwork."""
    onnxruntime = _onnx_runtime()
    if onnxruntime is None:
        return by_opencv(weights)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # no slower here, and some 10 MB less
    options.enable_mem_pattern = False  # it keeps one for each size of picture, and the memory around it with it
    options.log_severity_level = ERRORS
    try:
        session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as fault:  # each of its errors is a class of its own, below nothing else
        raise _bad(fault) from None
    name = session.get_inputs()[0].name

    def run(planes: Floats) -> list[Floats]:
        try:
            return [np.asarray(answer, np.float32) for answer in session.run(None, {name: planes})]
        except Exception as fault:  # as above
            raise _refused(planes, fault) from None

    return run


def by_opencv(weights: bytes) -> Engine:
    """The same network in OpenCV's own engine. Raises BadNetwork."""
    try:
        net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
    except cv2.error as fault:
        raise _bad(fault) from None
    names = list(net.getUnconnectedOutLayersNames())
    one_at_a_time = Lock()  # what it was given last is what it answers

    def run(planes: Floats) -> list[Floats]:
        try:
            with one_at_a_time:
                net.setInput(planes)
                return [np.asarray(answer, np.float32) for answer in net.forward(names)]
        except cv2.error as fault:
            raise _refused(planes, fault) from None

    return run


def _bad(fault: Exception) -> BadNetwork:
    return BadNetwork(f"no network can be read from it: {' '.join(str(fault).split())}")


def _refused(planes: Floats, fault: Exception) -> BadNetwork:
    return BadNetwork(f"it takes no input of {'×'.join(map(str, planes.shape))}: {' '.join(str(fault).split())}")
