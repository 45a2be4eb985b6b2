"""Everything a change must pass, in the order of how soon it fails: `python -m tests`. Arguments go to pytest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent
CHECKS = (
    [str(SCRIPTS / "ruff"), "format", "--check", "--quiet", "."],
    [str(SCRIPTS / "ruff"), "check", "--quiet", "."],
    [str(SCRIPTS / "mypy")],
    [str(SCRIPTS / "lint-imports"), "--no-cache"],
)


def main(arguments: list[str]) -> int:
    """The exit status of the first check that fails, else of pytest."""
    for check in (*CHECKS, [sys.executable, "-m", "pytest", *arguments]):
        print("$", *(Path(check[0]).name, *check[1:]), flush=True)  # noqa: T201
        status = subprocess.run(check, cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
