"""How the process ends, once all that the program does is done."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from typing import NoReturn

from companion.cli.ends import ENDS

EXIT_S = 0.3  # putting back a terminal, or lines that answer, takes a hundredth of it


def leave(status: int) -> NoReturn:
    """Ends the process with this status, whatever else asks it to end meanwhile.

    A thread that is still inside a driver, for its device hangs or its picture takes long, would be torn out of C++ by
    the end of Python, and C++ aborts at that. So it is left where it is, and all else ends as it does without it, but
    for what a device that hangs holds up: the service is killed 2 s after it was asked to stop.
    """
    for number in ENDS:
        signal.signal(number, signal.SIG_IGN)
    if threading.active_count() > 1:
        closing = threading.Thread(target=atexit._run_exitfuncs, daemon=True)
        closing.start()
        closing.join(EXIT_S)
        for stream in filter(None, (sys.stdout, sys.stderr)):  # None: it was closed from the beginning
            stream.flush()
        os._exit(status)
    sys.exit(status)
