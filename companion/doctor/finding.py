"""A finding: one part of the table and how it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    OK = "ok"
    DEGRADED = "degraded"  # the table works, with less
    BROKEN = "broken"  # it does not do what it was configured for


@dataclass(frozen=True, slots=True)
class Finding:
    """`part`: what was looked at. `text`: what was found. `remedy`: the one thing to do; "" where all is well."""

    part: str
    state: State
    text: str
    remedy: str = ""


def ok(part: str, text: str) -> Finding:
    return Finding(part, State.OK, text)


def degraded(part: str, text: str, remedy: str) -> Finding:
    return Finding(part, State.DEGRADED, text, remedy)


def broken(part: str, text: str, remedy: str) -> Finding:
    return Finding(part, State.BROKEN, text, remedy)


def worst(findings: Iterable[Finding]) -> State:
    """The state of the table as a whole."""
    order = list(State)
    return max((finding.state for finding in findings), key=order.index, default=State.OK)
