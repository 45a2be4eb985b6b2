"""What training needs beyond reading: the extra `table-companion[train]`."""

from __future__ import annotations

import sys
from typing import NoReturn


def missing(fault: ModuleNotFoundError, name: str) -> NoReturn:
    """Ends the module that is run as a command with 2 and a line; what is imported by another raises `fault`."""
    if name != "__main__":
        raise fault
    sys.stderr.write(f"what trains networks is missing ({fault}): pip install 'table-companion[train]'\n")
    sys.exit(2)
