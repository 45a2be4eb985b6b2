"""What `--help` of each command tells."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from companion.cli import COMMANDS, parser

README = Path(__file__).parents[2] / "README.md"


def of(command: str) -> argparse.ArgumentParser:
    """The parser of a subcommand."""
    (commands,) = [
        action.choices
        for action in parser([command])._actions
        if isinstance(action, argparse._SubParsersAction) and isinstance(action.choices, dict)
    ]
    found: argparse.ArgumentParser = commands[command]
    return found


def test_commands_are_told_in_the_order_of_the_readme_and_last_what_only_the_system_calls() -> None:
    told = re.findall(r"^\| `companion (\w+)", README.read_text(), re.MULTILINE)
    assert [*told, "farewell"] == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_tells_its_statuses_and_what_each_option_does(command: str) -> None:
    told = of(command)
    assert "Status: 0" in told.format_help()
    assert [action.dest for action in told._actions if not action.help and action.dest != "action"] == []


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("demo", "times faster than real time, 0.1 to 100, or max"),
        ("demo", "--seed N the same seed, 0 or more,"),
        ("calibrate", "--seed N of the drawn table, 0 or more"),
    ],
)
def test_what_a_number_may_be_is_told(command: str, told: str) -> None:
    assert told in " ".join(of(command).format_help().split())


@pytest.mark.parametrize("column", ["exact", "wrong+sure", "unsure", "count", "ms"])
def test_what_each_column_of_the_bench_is_is_told(column: str) -> None:
    told = of("bench").format_help()
    assert "in percent of the photos" in told
    assert [line for line in told.splitlines() if line.startswith(f"  {column} ")]


@pytest.mark.parametrize(
    "told",
    [
        "orange box a die that is asked about",
        "with ? behind its value",
        "less than 90 % sure",
        "it may say 99% all the same",
        "the value alone where",
    ],
)
def test_what_an_overlay_shows_is_told(told: str) -> None:
    assert told in " ".join(of("read").format_help().split())


@pytest.mark.parametrize("command", ["run", "calibrate", "doctor", "demo"])
def test_the_keys_that_are_buttons_are_told(command: str) -> None:
    told = " ".join(of(command).format_help().split())
    assert "a s d f are" in told
    assert "and so are Esc" in told


@pytest.mark.parametrize("command", ["run", "calibrate", "config", "doctor", "farewell", "games", "referee"])
def test_which_configuration_is_read_is_told_alike(command: str) -> None:
    told = " ".join(of(command).format_help().split())
    if command == "config":
        (actions,) = [a.choices for a in of(command)._actions if isinstance(a, argparse._SubParsersAction)]
        told = " ".join(actions["check"].format_help().split())
    assert "else $COMPANION_CONFIG, ~/.config/companion/companion.toml or /etc/companion/companion.toml" in told
