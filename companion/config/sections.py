"""Every section of the configuration. Its keys, here and in `games` and `parts`, tell meaning, default and what may be.

No other place knows a key: the reader, the checker and the commented example are all made from these.
A section's `problems` tells what is wrong between its keys, as (key, what was expected).
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from companion.config import kinds
from companion.config.games import Board, Cat, Free, Roll, Table
from companion.config.kinds import Problems, key, optional, section, sections
from companion.config.lying import file_at, folder_at
from companion.config.parts import Buttons, Camera, Display, Ring, Settle
from companion.config.pins import taken_twice
from companion.games.roll.board import REGIONS
from companion.paths import first_among


@dataclass(frozen=True, slots=True)
class Files:
    journal: Path | None = optional(
        kinds.path(),
        Path("/var/lib/companion/journal.db"),
        "The journal of all games. Left out: in the state folder.\n"
        "The service may write into no other folder. For one such as /mnt/usb/games, make it companion's own,\n"
        "then: sudo systemctl edit companion, with the lines [Service] and ReadWritePaths=/mnt/usb/games\n"
        "Below /home it sees nothing (ProtectHome).",
    )
    calibration: Path | None = optional(
        kinds.path(), Path("/var/lib/companion/calibration"), "Folder of calibrations. Left out: in the state folder."
    )

    def problems(self) -> Problems:
        if expected := file_at(self.journal, "a file, such as journal.db in this folder, and not the folder"):
            yield "journal", expected
        if expected := folder_at(self.calibration):
            yield "calibration", expected


@dataclass(frozen=True, slots=True)
class Service:
    log: str = key(kinds.one_of("debug", "info", "warning", "error"), "info", "How much is written to the log.")
    power_menu: bool = key(
        kinds.yes_no(), True, "Whether the menu of a service may shut down and restart the computer."
    )


@dataclass(frozen=True, slots=True)
class Config:
    preset: str = key(
        kinds.one_of("plain", "adafruit-bonnet", "waveshare-hat", "laptop", "custom"),
        "plain",
        "Hardware that fills in display and buttons; keys below go before it.\n"
        "The first [[display]] and the first [[buttons]] without a kind is that hardware.\n"
        "plain: an I2C panel and four push buttons. adafruit-bonnet, waveshare-hat: panels that bring buttons along.\n"
        "laptop: USB camera, terminal and keyboard. custom: nothing is filled in but the defaults below.",
    )
    table: Table = section(Table, "The table and its players.")
    roll: Roll = section(Roll, "Usual settings of Rat-a-Tat Roll.")
    cat: Cat = section(Cat, "Usual settings of Rat-a-Tat Cat.")
    free: Free = section(Free, "Usual settings of the free table.")
    board: Board = section(Board, "The board of Rat-a-Tat Roll.")
    camera: Camera = section(Camera, "The camera above the tray.")
    display: tuple[Display, ...] = sections(
        Display, (Display(),), "Where the players look. Several displays: one table [[display]] each.", low=0, high=8
    )
    buttons: tuple[Buttons, ...] = sections(
        Buttons, (Buttons(),), "What the players press. Several kinds: one table [[buttons]] each.", low=0, high=8
    )
    ring: Ring = section(
        Ring,
        "The ring of LEDs around the table or board.\n"
        "What companion calibrate ring measured goes before leds, first, clockwise, spaces and the seats' places.",
    )
    settle: Settle = section(Settle, "When dice count as rolled.")
    files: Files = section(Files, "Where things are kept.")
    service: Service = section(Service, "The daemon.")

    def problems(self) -> Problems:
        for place, times in Counter(display.place for display in self.display if display.kind == "oled").items():
            if times > 1:
                yield "display", f"a place of its own for each oled ({place} is there {times} times)"
        folders = [display.folder for display in self.display if display.kind == "png" and display.folder is not None]
        for folder, times in Counter(map(os.path.realpath, folders)).items():
            if times > 1:
                yield "display", f"a folder of its own for each png ({folder} is there {times} times)"
        if self.camera.kind == "folder" and self.camera.path is not None and first_among(folders, [self.camera.path]):
            told = f"camera.path is {self.camera.path}, and pictures of dice are read there"
            yield "display", f"a folder of its own for each png ({told})"
        for name, kind, devices in (("display", "terminal", self.display), ("buttons", "keyboard", self.buttons)):
            times = sum(device.kind == kind for device in devices)
            if times > 1:
                yield name, f"at most one {kind} ({times} are there)"
        spaces = REGIONS + sum(len(region.spaces) for region in self.board.region)  # each has its Wild space, R2
        if self.ring.spaces and len(self.ring.spaces) != spaces:
            told = f"{len(self.ring.spaces)} are there"
            yield "ring.spaces", f"one LED for each of the {spaces} board spaces, or none at all ({told})"
        yield from taken_twice(self.buttons, self.display, self.ring)
