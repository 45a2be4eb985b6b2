"""Dice read at a calibrated table: with all that was measured as long as it holds, and without it from then on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from calibration.facts import Profile
from calibration.place import FAR_MM, Place
from calibration.use import empty_of, mask_of, reader_of, wild_of
from companion.events import CalibrationTold, Fact, Fit
from companion.pictures import normalise
from companion.ports import Picture
from companion.vision.eyes import Eyes, Sight
from companion.vision.reader import Reader

log = logging.getLogger(__name__)

MOVED_MM = 2.0  # from which on dice at the tray's walls may lie outside what was measured
BACK_MM = 1.5  # below which all is as it was


def place_of(profile: Profile, folder: Path) -> Place | None:
    """Where camera and tray stood; None where it was never measured. Raises ValueError for a torn picture."""
    empty, floor = empty_of(profile, folder), mask_of(profile)
    if profile.camera is None or empty is None or floor is None:
        return None
    return Place(profile.camera.mm_per_px, empty, floor)


class CalibratedEyes:
    """Reads with the profile while pictures fit it, else as a table that was never calibrated. For one thread."""

    def __init__(
        self, profile: Profile, folder: Path, *, fit: Fit = Fit.HOLDS, warn: Callable[[str], None] = log.warning
    ) -> None:
        """`fit`: what is known before any picture; unless it holds, nothing of the profile is used.

        Raises ValueError for a picture of the profile that is torn.
        """
        self._warn = warn
        self._fit, self._told = fit, Fit.HOLDS
        self._size = None if profile.camera is None else profile.camera.size
        self._place = place_of(profile, folder)
        self._calibrated = Eyes(reader_of(profile, folder), wild_of(profile, folder))
        self._plain = Eyes(Reader())
        self._fixed = fit is not Fit.HOLDS

    @property
    def knows_wild(self) -> bool:
        return self._calibrated.knows_wild

    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight:
        """As Eyes do. `afresh`: a picture that was seen before, of which is known whether the profile fits it."""
        clean = normalise(picture)
        if not (self._fixed or afresh):
            self._judge(clean)
        if self._fit is Fit.HOLDS:
            return self._calibrated.see(clean, count=count, afresh=afresh)
        return replace(self._plain.see(clean, count=count, afresh=afresh), blind=self.knows_wild)

    def facts(self) -> tuple[Fact, ...]:
        """Once, whenever it changes: whether the calibration holds."""
        if self._fit is self._told:
            return ()
        self._told = self._fit
        return (CalibrationTold(self._fit),)

    def _judge(self, picture: Picture) -> None:
        height, width = picture.shape[:2]
        if self._size is not None and self._size != (width, height):
            self._become(Fit.OTHER, f"pictures have {width}×{height} pixels now; run companion calibrate camera")
            return
        moved = None if self._place is None else self._place.moved_mm(picture)
        if moved is None:
            if self._fit is Fit.OTHER:
                self._become(Fit.HOLDS, "pictures are again as large as they were calibrated")
            return
        if moved > MOVED_MM:
            far = "" if moved == FAR_MM else f" by {moved:.0f} mm"
            self._become(
                Fit.MOVED, f"the camera or the tray moved{far}; put it back, or run companion calibrate camera"
            )
        elif moved < BACK_MM or self._fit is Fit.OTHER:
            self._become(Fit.HOLDS, "the camera and the tray stand as they were calibrated")

    def _become(self, fit: Fit, said: str) -> None:
        if fit is not self._fit:
            self._fit = fit
            self._warn(said)
