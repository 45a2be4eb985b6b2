"""`companion referee`: the referee of every game on standard input and output, one JSON object a line."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from companion import protocol
from companion.cli import config_option, let_go_of_output, why_unsaid
from companion.config import ConfigError, find, load
from companion.games import examples
from companion.games.roll import Board
from companion.referee import GAMES

LINE_COLUMNS = 46  # of the longest action
BEGIN = """\
Begin with a start; the end of input ends it. Each answer tells how the game stands ("state"), and who must act and
what is legal now ("ask"), or what is wrong ("error"). Players, slots and dice are numbered from 0. In every game there
are {"do":"state"}, which changes nothing, and {"do":"undo"}, which takes the last action back, and every line may have
an "at": seconds since the start. A member that a line below does not show is refused."""
RULES = """\
A message may name a rule by its number, and says it in words: R for Rat-a-Tat Roll, C for Rat-a-Tat Cat, F for the free
table. The numbers beside the lines above are the same."""
STATUSES = """\
Status: 0; 1 when the configuration is wrong, or no answer can be written; 141 when nobody reads it.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    config_option(parser, "the configuration whose board is played on")
    parser.epilog = "\n\n".join((BEGIN, *map(_game, GAMES), RULES, STATUSES))


def _game(name: str) -> str:
    """All lines of a game."""
    fewest, most = GAMES[name].PLAYERS
    start, more = examples.START[name]
    return "\n".join(
        (
            f"{examples.TITLES[name]}, {fewest} to {most} players:",
            f"  {examples.written(start)}",
            f"    {more}",
            *(f"  {examples.written(line):{LINE_COLUMNS}}  {says}" for line, says in examples.ACTIONS[name]),
        )
    )


def run(options: argparse.Namespace) -> int:
    """Answers lines until the input ends. Status 1: the configuration is wrong, or no answer can be written."""
    try:
        board = _board(options.config)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    if sys.stdin is None:
        return 0
    try:
        protocol.talk(_whole(sys.stdin, "rb"), _whole(sys.stdout, "wb"), time.monotonic, board=board)
    except BrokenPipeError:
        raise
    except OSError as wrong:
        let_go_of_output()
        print(f"lines cannot be read or answered: {why_unsaid(wrong)}", file=sys.stderr)
        return 1
    return 0


def _whole(stream: TextIO, mode: str) -> BinaryIO:
    """The stream's bytes, buffered and waited for, also where Python was told not to, or a parent left it impatient.

    Else what does not fit at once is dropped, and a line that is not there yet is taken for the end of input.
    """
    os.set_blocking(stream.fileno(), True)
    return cast(BinaryIO, os.fdopen(stream.fileno(), mode, closefd=False))


def _board(chosen: Path | None) -> Board:
    """The configured board (R2)."""
    config = load(find(chosen, os.environ))
    return Board.of(region.spaces for region in config.board.region)
