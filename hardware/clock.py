"""The clock of the machine, behind the Clock port."""

from __future__ import annotations

import time


class SystemClock:
    """Monotonic time since an unknown start: a wrong wall clock (a Pi without network) changes nothing."""

    def now_s(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))
