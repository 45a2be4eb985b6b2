"""What is known of one table beyond where dice can lie: how the empty tray looks, and the colours of its dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.ports import Picture
from companion.vision.colours import Kind, counted
from companion.vision.emptiness import EmptyTray
from companion.vision.looking import Look


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """`empty`: None where no picture was kept. `kinds`: of the table's dice; none where their colours are not known."""

    empty: EmptyTray | None = None
    kinds: tuple[Kind, ...] = ()

    def sifted(self, picture: Picture, looks: Sequence[Look]) -> list[Look]:
        """The looks without those at places that look just as the empty tray did."""
        if self.empty is None:
            return list(looks)
        return [look for look in looks if not self.empty.looks_empty(picture, look.place)]

    def counted(self, picture: Picture, looks: Sequence[Look]) -> Mapping[Look, int]:
        """The pips of each die by its colours; of none whose colours are not the table's."""
        if not self.kinds:
            return {}
        told = counted(picture, [(look.place, _middle(look)) for look in looks], self.kinds)
        return {look: value for look, value in zip(looks, told, strict=True) if value is not None}


def _middle(look: Look) -> tuple[float, float]:
    """Of the top: where the network sees its pips."""
    if not look.pips:
        return look.place.x, look.place.y
    x, y = np.mean(look.pips, axis=0)
    return float(x), float(y)
