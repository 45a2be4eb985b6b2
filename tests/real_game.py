"""Photos of real dice as the throws of a game: which ones can be, and a tray into which they are thrown in order."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from companion.demo.robot import Lying
from companion.table.questions import Value
from companion.table.state import Table


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo and the faces that are up in it."""

    path: Path
    values: tuple[int, ...]


def photos(folder: Path, most: int = 3) -> tuple[Photo, ...]:
    """The labelled photos of at most `most` dice, none of which is to be ignored."""
    lines = (json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines())
    return tuple(
        Photo(folder / label["image"], tuple(die["value"] for die in label["dice"]))
        for label in lines
        if 1 <= len(label["dice"]) <= most and not any(die.get("ignore") for die in label["dice"])
    )


class PhotoTray:
    """The dice come to lie as in the next photo, whatever was wished for; `thrown` holds those that were."""

    def __init__(self, order: tuple[Photo, ...]) -> None:
        self._left = iter(order)
        self.thrown: list[Photo] = []

    def throw(self, lying: Lying, kept: int = 0) -> Lying:
        if not lying.dice:  # the Wild die is entered by button
            return lying
        photo = next(self._left)
        self.thrown.append(photo)
        return Lying(photo.values)


def nobody_rerolls(table: Table) -> Value:
    """The dice that stay would have to lie in the next photo, too."""
    at_accept = table.match is not None and table.match.ask.step == "accept" and not table.menu
    return "move" if at_accept and table.sighting is None else None
