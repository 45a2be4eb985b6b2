"""`companion config`: checks the configuration, or prints a commented example."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from companion.cli import config_option
from companion.config import ConfigError, example, find, load
from companion.typed import typed_path


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Status: 0; 1 when something is wrong in the configuration."
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="tell everything that is wrong in a configuration file")
    named = check.add_mutually_exclusive_group()
    named.add_argument("file", nargs="?", type=typed_path, metavar="FILE", help="the file; else as of --config")
    config_option(named, "the same, as other commands take it")
    actions.add_parser("example", help="print a file with every key, its meaning, and its default or an example")


def run(options: argparse.Namespace) -> int:
    """Status 0, or 1 where something is wrong."""
    if options.action == "example":
        print(example(), end="")
        return 0
    return _check(find(options.file or options.config, os.environ))


def _check(file: Path | None) -> int:
    try:
        load(file)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    print("no configuration file was found; the defaults hold" if file is None else f"{file}: all right")
    return 0
