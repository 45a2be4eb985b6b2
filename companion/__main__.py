"""`python -m companion` and the console command `companion`: one program, from its first argument to its end.

What is imported before `run` is what Python itself has imported by then: Ctrl-C is not heeded until `run`.
"""

from __future__ import annotations

import os

INTERRUPTED = 130  # the status after Ctrl-C


def run() -> None:
    """The whole program. Until a command has all that it imports nothing is open, so Ctrl-C ends it at once: raised
    within an import, it comes out as whatever the library makes of it."""
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as in the background
            signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        from companion.cli import main
        from companion.cli.leaving import leave
    except KeyboardInterrupt:  # one that came before it was heeded
        os._exit(INTERRUPTED)
    try:
        status = main(loaded=_raised)
    except KeyboardInterrupt:  # a second one, while the first was being heeded
        status = INTERRUPTED
    leave(status)


def _raised() -> None:
    """Ctrl-C raises KeyboardInterrupt from now on, where it is not ignored."""
    import signal

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    run()
