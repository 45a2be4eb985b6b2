"""What ends a command that is led in a terminal: it is left as it was, however that comes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, a kind end, a terminal that was closed


@contextmanager
def each_as_ctrl_c() -> Iterator[None]:
    """Meanwhile each of ENDS raises KeyboardInterrupt in the main thread, which alone may call this; not a closed
    terminal where that was ignored, as after `nohup`.

    It is remembered, since a library's own code may make another exception of what is raised within.
    """
    heard: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    deaf = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    heeded = [number for number in ENDS if not (deaf and number is signal.SIGHUP)]
    before = [(number, signal.signal(number, hear)) for number in heeded]
    try:
        yield
    except Exception:
        if heard:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, earlier in before:
            signal.signal(number, earlier)
