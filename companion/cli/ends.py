"""What ends a command that is led in a terminal: it is left as it was, however that comes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, a kind end, a terminal that was closed


def heeded() -> tuple[signal.Signals, ...]:
    """Those of ENDS that are to end a command: not a closed terminal where that was ignored, as after `nohup`."""
    deaf = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return tuple(number for number in ENDS if not (deaf and number is signal.SIGHUP))


@contextmanager
def each_as_ctrl_c() -> Iterator[None]:
    """Meanwhile each that is `heeded` raises KeyboardInterrupt in the main thread, which alone may call this.

    It is remembered, since a library's own code may make another exception of what is raised within.
    """
    heard: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    before = [(number, signal.signal(number, hear)) for number in heeded()]
    try:
        yield
    except Exception:
        if heard:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, earlier in before:
            signal.signal(number, earlier)
