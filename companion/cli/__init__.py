"""The console command `companion`: one module a subcommand, found here by name, imported only when it is called."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn, TextIO

from companion import __version__
from companion.paths import is_file
from companion.typed import to_type, typed_path

STUCK = frozenset({errno.EPIPE, errno.EBADF, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What comes of saying something where nobody reads, the output is closed, or a disk is full."""
OUTPUT = 1  # the number of standard output

# name -> what `companion --help` says of it; each lives in companion/cli/<name>.py and has
#   def arguments(parser: argparse.ArgumentParser) -> None
#   def run(options: argparse.Namespace) -> int            the exit status
COMMANDS: dict[str, str] = {
    "demo": "Play a whole game at a drawn table: no hardware needed.",
    "run": "Be the companion of a real table: camera, screen, buttons and ring.",
    "read": "Read dice in pictures.",
    "bench": "Measure how well and how fast dice are read.",
    "calibrate": "Measure camera, tray, dice, Wild die, ring and buttons, guided step by step.",
    "referee": "Referee any game over standard input and output, one JSON object a line.",
    "games": "List, show, draw, export and replay past games, tell how the dice fell, and set a damaged journal aside.",
    "doctor": "Look at every part of the table, and say what to do about what is not well.",
    "config": "Check the configuration, or print a commented example.",
    "farewell": "Say on the screen that the plug may be pulled; run by the system at the end of a shutdown.",
}

KEYBOARD = (
    'On a keyboard (buttons.kind = "keyboard") a s d f are back, less, more and OK, and so are Esc or Backspace, the '
    "arrows and Enter; Shift with a s d f is a long press, k a knock."
)
"""What the commands that are answered with buttons tell of it."""


class Words(argparse.ArgumentParser):
    """A subcommand tells of words that it does not know with its own usage, not with that of the whole command, and of
    a file whose name looks like an option how to write it. Of a place in a picture, -5,66, only the value is heard."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._words: tuple[str, ...] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self._words = tuple(sys.argv[1:] if args is None else args)
        options, unknown = super().parse_known_args([*map(_no_option, self._words)], namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        file = next(filter(self._is_of_file, self._words), None)
        super().error(message if file is None else f"{message}; {file} is a file: write {to_type(Path(file))}")

    def _is_of_file(self, word: str) -> bool:
        return word.startswith("-") and word not in self._option_string_actions and is_file(Path(word))


def _no_option(word: str) -> str:
    """A place left of the picture is no option; a space in front tells so, and no type minds it."""
    return f" {word}" if re.fullmatch(r"-[\d.]+,\S*", word) else word


def parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """The whole command line; only the subcommand named in `argv` is imported."""
    top = Words(prog="companion", description="A referee for real tabletop games.")
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in argv if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary)
        if name == wanted:
            importlib.import_module(f"companion.cli.{name}").arguments(sub)
    return top


def main(argv: Sequence[str] | None = None, *, loaded: Callable[[], None] = lambda: None) -> int:
    """Runs one subcommand and returns its exit status. `loaded`: called before it runs, when its module is imported.

    Ctrl-C ends it with 130 and a closed pipe with 141, quietly; an output that is closed from the beginning, or has no
    room for what it says, with 1 and a line.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:
        sys.stdout = _closed_output()
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file or player may have any name
    if sys.stderr is None:  # it is closed, and `print` would say among the answers what belongs there
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  (to the end)
    try:
        return _said_by(words, loaded)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        let_go_of_output()
        return 141
    except OSError as fault:
        if not is_of_output(fault):
            raise
        let_go_of_output()
        print(f"companion: what it says cannot be written: {why_unsaid(fault)}", file=sys.stderr)
        return 1


def _closed_output() -> TextIO:
    """Takes nothing, as a full disk does: who has something to say hears of it. And no file that is opened later gets
    its number, by which C libraries would write into it."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    if nowhere != OUTPUT:
        os.dup2(nowhere, OUTPUT)
        os.close(nowhere)
    return open(OUTPUT, "w", closefd=False)


def why_unsaid(fault: OSError) -> str:
    """Why what a command says cannot be written."""
    return "standard output is closed" if fault.errno == errno.EBADF else str(fault.strerror)


def _said_by(words: list[str], loaded: Callable[[], None]) -> int:
    """A subcommand's status, once all it says is written."""
    try:
        top = parser(words)
        options = top.parse_args(words)
        if options.command is None:  # only now: a word that is not known is told of first
            top.error("the following arguments are required: COMMAND")
        module = importlib.import_module(f"companion.cli.{options.command}")
        loaded()
        return int(module.run(options))
    finally:
        sys.stdout.flush()


def is_of_output(fault: OSError) -> bool:
    """Whether what a command says finds no reader or no room. A fault of a file that it opens names the file."""
    return fault.filename is None and fault.errno in STUCK


def let_go_of_output() -> None:
    """Nobody reads, or there is no room: what is unwritten goes nowhere, so that leaving Python does not try again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def config_option(parser: argparse._ActionsContainer, what: str = "the configuration") -> None:
    """`--config`, as each command takes it. `what`: that it is read for."""
    usual = "$COMPANION_CONFIG, ~/.config/companion/companion.toml or /etc/companion/companion.toml"
    parser.add_argument("--config", type=typed_path, metavar="FILE", help=f"{what}; else {usual}, the first there is")
