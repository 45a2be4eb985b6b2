"""Switching the computer off and on again, and what it is called on the network. For the table's own menu."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from companion import __version__

COMMAND_S = 10.0  # systemctl only asks; the shutdown itself comes after it
NOWHERE = "192.0.2.1"  # an address for documentation (RFC 5737): nothing is sent to it


class PowerRefused(Exception):
    """The computer did not take the command. `cause`, and `remedy`: what to do instead."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(f"{cause}; {remedy}")
        self.cause = cause
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class About:
    """What the menu tells of this computer. `address` is "" without a network."""

    version: str
    name: str
    address: str


def switch(how: str) -> None:
    """Asks the system to shut down ("poweroff") or to restart ("reboot"); it stops this program in its turn.

    Raises PowerRefused.
    """
    _asked(["systemctl", how])


def about() -> About:
    """Answers at once, network or not, and raises nothing."""
    return About(__version__, socket.gethostname(), _address())


def _asked(command: Sequence[str]) -> None:
    by_hand = "shut the computer down by hand, or let systemd/install.sh allow it"
    try:
        subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=True)
    except FileNotFoundError as error:
        raise PowerRefused("systemd does not run here", by_hand) from error
    except OSError as error:
        raise PowerRefused(f"the system cannot be asked: {error.strerror}", by_hand) from error
    except subprocess.TimeoutExpired as error:
        raise PowerRefused("the system does not answer", by_hand) from error
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines()
        raise PowerRefused(f"the system refuses: {lines[-1] if lines else 'without a reason'}", by_hand) from error


def _address() -> str:
    """The address this computer would send from; asking for the way to an address sends nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unsent:
            unsent.connect((NOWHERE, 9))
            return str(unsent.getsockname()[0])
    except OSError:
        return ""
