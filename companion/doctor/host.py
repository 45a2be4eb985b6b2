"""The computer as the doctor sees it: its files below `root`, and the commands it answers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

COMMAND_S = 5.0  # none of the commands asked takes as long
TRIAL_S = 120.0  # reading drawn dice takes a Pi some ten seconds, most of them for drawing


def answer(command: Sequence[str]) -> str | None:
    """What a command prints, without blanks around it; None where it is missing, fails or hangs."""
    status, told = _ended(command, COMMAND_S)
    return told if status == 0 else None


def trial(command: Sequence[str]) -> tuple[int | None, str]:
    """How a command ended, below 0 by that signal, None where it hangs or cannot be begun, and what it printed."""
    return _ended(command, TRIAL_S)


def _ended(command: Sequence[str], within_s: float) -> tuple[int | None, str]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=within_s, check=False)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None, ""
    return done.returncode, done.stdout.strip()


@dataclass(frozen=True, slots=True)
class Host:
    """`root`: "/" but for tests. `tells`, `tries`: run a command. `can`: os.access."""

    root: Path = Path("/")
    tells: Callable[[Sequence[str]], str | None] = answer
    tries: Callable[[Sequence[str]], tuple[int | None, str]] = trial
    can: Callable[[Path, int], bool] = os.access

    def at(self, path: str | Path) -> Path:
        return self.root / str(path).lstrip("/")

    def reads(self, path: str) -> str | None:
        """A small text file of the kernel's; None where it is missing. The device tree ends its texts with a zero."""
        try:
            return self.at(path).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return None
