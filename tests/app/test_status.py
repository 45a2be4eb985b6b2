"""The line that tells how a table stands is read back as it was written."""

from __future__ import annotations

import pytest

from companion.events import Fit
from companion.status import Status


@pytest.mark.parametrize("fit", Fit)
@pytest.mark.parametrize("lost", [(), ("ring",), ("camera", "oled", "light")])
@pytest.mark.parametrize("game", ["no game", "roll: accept"])
def test_a_status_is_read_back_as_it_was_written(game: str, fit: Fit, lost: tuple[str, ...]) -> None:
    status = Status(game, fit, lost)
    assert Status.of(str(status)) == status


def test_what_is_shown_is_short_where_all_is_well() -> None:
    assert str(Status("cat: turn")) == "cat: turn"
    assert str(Status("no game", Fit.MOVED, ("ring", "camera"))) == "no game; calibration: moved; lost: ring, camera"


def test_of_a_line_by_another_companion_what_is_known_counts() -> None:
    assert Status.of("waiting: the disk is full") == Status("waiting: the disk is full")
    assert Status.of("free: roll; calibration: melted; weather: fine") == Status("free: roll", Fit.BROKEN)
    assert Status.of("") == Status("")
