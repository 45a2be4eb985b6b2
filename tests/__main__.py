"""Everything a change must pass, in the order of how soon it fails, up to the first check that does."""

from __future__ import annotations

import argparse
import shlex
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
PYTEST = [sys.executable, "-m", "pytest"]


def main(arguments: list[str]) -> int:
    """The exit status of the first check that fails, else of pytest."""
    parser = argparse.ArgumentParser(
        prog="python -m tests",
        description=__doc__,
        epilog="Runs:\n" + "\n".join(f"  {_told(check)}" for check in (*CHECKS, PYTEST)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [-h] [ARGUMENT …]",
        allow_abbrev=False,
    )
    parser.add_argument(
        "arguments", nargs="*", metavar="ARGUMENT", help="for pytest, options too: a file, -k WORD, --real"
    )
    parser.parse_known_args(arguments)
    for check in (*CHECKS, [*PYTEST, *arguments]):
        print("$", _told(check), flush=True)  # noqa: T201
        status = subprocess.run(check, cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


def _told(check: list[str]) -> str:
    return shlex.join((Path(check[0]).name, *check[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
