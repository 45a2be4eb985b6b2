"""Commands that are advised: copied into a shell they name the files that were meant, whatever those are called."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import demo, main
from companion.cli.demo import how_to_go_on
from companion.cli.doctor import of_table
from companion.cli.run import nothing_there
from companion.config import parse
from companion.doctor.finding import degraded
from companion.journal import Journal
from companion.typed import to_type

NAMES = ("plain.db", "a b.db", "-x.db", "--json", "it's.db", "$HOME `id`.db", "a\\b.db", "Å.db", "~.db", "*.db", "")


def by_a_shell(command: str) -> list[bytes]:
    """The words that bash makes of a command."""
    told = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True).stdout
    return told.split(b"\0")[:-1]


@pytest.mark.parametrize("name", [*NAMES, "two\nlines' .db", "red\x1b[31m.db", os.fsdecode(b"\xe9.db"), "\u202eltr.db"])
def test_a_file_of_any_name_is_the_same_file_to_a_shell_and_never_an_option(name: str) -> None:
    file = Path("folder") / name
    advised = to_type("companion", "--journal", file, Path(name or "x"))
    assert advised.isprintable()
    told = [os.fsdecode(word) for word in by_a_shell(advised)]
    assert [Path(word) for word in told[1:]] == [Path("--journal"), file, Path(name or "x")]
    assert not told[3].startswith("-")


def going_on(file: Path) -> str:
    parser = argparse.ArgumentParser()
    demo.arguments(parser)
    return how_to_go_on(parser.parse_args([f"--journal={file}"]), None)


@pytest.mark.parametrize(
    "advised",
    [
        going_on,
        lambda file: nothing_there(parse(b"", file), file),
        lambda file: of_table(degraded("part", "text", "companion calibrate"), file).remedy,
    ],
)
def test_a_file_whose_name_looks_like_an_option_is_advised_as_a_file(advised: Callable[[Path], str]) -> None:
    assert " ./-x.db" in advised(Path("./-x.db"))


def test_a_journal_and_a_configuration_whose_names_look_like_options_are_advised_as_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.open(Path("-x.db")) as journal:
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
    assert main(["games", "show", "7", "--journal", "./-x.db"]) == 1
    assert "; companion games list --journal ./-x.db shows those there are\n" in capsys.readouterr().err
    Path("-c.toml").write_text("x = 1")
    assert main(["doctor", "--config", "./-c.toml"]) == 1
    assert "then: companion config check ./-c.toml;" in capsys.readouterr().out
    Path("-$x.toml").write_text("")
    with pytest.raises(SystemExit):
        main(["games", "--config", "-$x.toml"])
    assert capsys.readouterr().err.endswith("; -$x.toml is a file: write './-$x.toml'\n")
