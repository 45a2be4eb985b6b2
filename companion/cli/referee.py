"""`companion referee`: the referee of every game on standard input and output, one JSON object a line."""

from __future__ import annotations

import argparse
import sys
import time

from companion import protocol


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = 'Begin with {"do":"start","game":"roll","players":["Ana","Bo"]}; the end of input ends it.'


def run(options: argparse.Namespace) -> int:
    """Answers lines until the input ends."""
    if sys.stdin is not None and sys.stdout is not None:
        protocol.talk(sys.stdin.buffer, sys.stdout.buffer, time.monotonic)
    return 0
