"""The configuration: one TOML file, read once into frozen values."""

from companion.config.example import example
from companion.config.games import Board, Cat, Free, Region, Roll, Seat, Table
from companion.config.parts import Buttons, Camera, Display, Ring, Settle
from companion.config.places import (
    Homeless,
    calibration_folder,
    find,
    is_systems,
    journal_file,
    state_folder,
    users_file,
)
from companion.config.reading import ConfigClosed, ConfigError, ConfigMissing, ConfigUnread, Problem, load, parse
from companion.config.sections import Config, Files, Service

__all__ = [
    "Board",
    "Buttons",
    "Camera",
    "Cat",
    "Config",
    "ConfigClosed",
    "ConfigError",
    "ConfigMissing",
    "ConfigUnread",
    "Display",
    "Files",
    "Free",
    "Homeless",
    "Problem",
    "Region",
    "Ring",
    "Roll",
    "Seat",
    "Service",
    "Settle",
    "Table",
    "calibration_folder",
    "example",
    "find",
    "is_systems",
    "journal_file",
    "load",
    "parse",
    "state_folder",
    "users_file",
]
