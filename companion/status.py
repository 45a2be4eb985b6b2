"""How a table stands in one line: what `systemctl status` shows, and `companion doctor` asks a running companion."""

from __future__ import annotations

from dataclasses import dataclass

from companion.events import Fit

FIT, LOST = "calibration: ", "lost: "
WAITING, NOT_BEGUN = "waiting: ", "not begun: "  # of a service whose table does not stand: the line begins so


@dataclass(frozen=True, slots=True)
class Status:
    """`game`: what is played, and its step. `fit`: whether the calibration fits. `lost`: parts by their names.

    `of` gives back what `str` has written. A fit that it does not know, a newer companion's, is one that holds not.
    """

    game: str
    fit: Fit = Fit.HOLDS
    lost: tuple[str, ...] = ()

    def __str__(self) -> str:
        fit = () if self.fit is Fit.HOLDS else (f"{FIT}{self.fit.value}",)
        lost = (f"{LOST}{', '.join(self.lost)}",) if self.lost else ()
        return "; ".join((self.game, *fit, *lost))

    @classmethod
    def of(cls, line: str) -> Status:
        """From a line; a game alone where it tells nothing else."""
        game, *parts = line.split("; ")
        told = {mark: part.removeprefix(mark) for part in parts for mark in (FIT, LOST) if part.startswith(mark)}
        known = {fit.value: fit for fit in Fit}
        fit = known.get(told[FIT], Fit.BROKEN) if FIT in told else Fit.HOLDS
        return cls(game, fit, tuple(told[LOST].split(", ")) if LOST in told else ())
