"""What ends a command that is led in a terminal: it is left as it was, however that comes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, a kind end, a terminal that was closed


@contextmanager
def each_as_ctrl_c() -> Iterator[None]:
    """Meanwhile each of ENDS raises KeyboardInterrupt in the main thread, which alone may call this."""
    before = [(number, signal.signal(number, signal.default_int_handler)) for number in ENDS]
    try:
        yield
    finally:
        for number, heard in before:
            signal.signal(number, heard)
