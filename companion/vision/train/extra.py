"""What training needs beyond reading: the extra `train` of the package."""

from __future__ import annotations

import sys

from companion.vision import command

NEEDED = ("onnx", "torch")


def run(module: str) -> int:
    """As `command.run`; 2 and a line where what training needs is not installed."""
    try:
        return command.run(module)
    except ModuleNotFoundError as fault:
        if fault.name not in NEEDED:
            raise
        sys.stderr.write(f"what trains networks is missing ({fault}): pip install '.[train]' in a checkout\n")
        return 2
