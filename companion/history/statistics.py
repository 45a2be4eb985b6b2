"""Counts per face, and how likely fair dice are to stray so far: Pearson's chi-square test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.games import roll

FACES = (1, 2, 3, 4, 5, 6)
EXPECTED_LEAST = 5  # Cochran's rule: below so many a face the distribution of the statistic is not chi-square
# The non-centrality at which a test of six faces at the 5 % level notices a deviation in 4 of 5 cases
# (Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd ed., table 7.4: five degrees of freedom).
NOTICED = 12.83
UNUSUAL = 0.05
LOADED = (0.25, 0.20)  # chances of one number face whose discovery is put in numbers of throws


@dataclass(frozen=True, slots=True)
class Fairness:
    """How often each face came, in the order of `faces`. `chi_square` and `p` are None without a throw.

    `p`: the chance that fair dice stray at least so far.
    """

    faces: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def thrown(self) -> int:
        return sum(self.counts)

    @property
    def told(self) -> str:
        """How many throws, in words."""
        return f"{self.thrown} throw{'' if self.thrown == 1 else 's'}"

    @property
    def expected(self) -> float:
        """Of each face, from fair dice."""
        return self.thrown / len(self.faces)

    @property
    def chi_square(self) -> float | None:
        if not self.thrown:
            return None
        return math.fsum((count - self.expected) ** 2 / self.expected for count in self.counts)

    @property
    def p(self) -> float | None:
        return None if self.chi_square is None else chance_of_more(self.chi_square, len(self.faces) - 1)

    @property
    def enough(self) -> bool:
        """Whether there are so many throws that `p` means what it says."""
        return self.expected >= EXPECTED_LEAST

    @property
    def verdict(self) -> str:
        """What that means, honestly, in words."""
        if self.p is None:
            return "Nothing was thrown."
        if not self.enough:
            least = EXPECTED_LEAST * len(self.faces)
            few = f"{self.told} {'is' if self.thrown == 1 else 'are'} too few"
            return f"{few} to say anything; the test begins to hold at {least}."
        share = f"Of 100 sets of fair dice, {_of_100(self.p)} would stray at least so far."
        if self.p >= UNUSUAL:
            return f"{share} Nothing unusual."
        return f"{share} That is unusual, and no proof: who looks at 20 fair sets finds one such."


def number_dice(dice: Iterable[int]) -> Fairness:
    """Of all number dice together."""
    counts = Counter(dice)
    return Fairness(tuple(str(face) for face in FACES), tuple(counts[face] for face in FACES))


def wild_die(faces: Iterable[str]) -> Fairness:
    counts = Counter(faces)
    return Fairness(roll.FACES, tuple(counts[face] for face in roll.FACES))


def throws_to_notice(chance: float) -> int:
    """How many throws it takes to notice, in 4 of 5 cases at the 5 % level, a number die with one face of that chance.

    The others share the rest. n = λ / w², w² = Σ (p − 1/k)² / (1/k) (Cohen, as above).
    """
    rest = len(FACES) - 1
    fair, others = 1 / len(FACES), (1 - chance) / rest
    effect = ((chance - fair) ** 2 + rest * (others - fair) ** 2) / fair
    return math.ceil(NOTICED / effect)


def caution() -> str:
    """How many throws a judgement needs, and what it cannot see."""
    quarter, fifth = (throws_to_notice(chance) for chance in LOADED)
    return (
        f"To notice in 4 of 5 cases a die that shows one face a quarter of the time (fair: a sixth) takes {quarter} "
        f"throws of it; a fifth of the time, {fifth}. All number dice are counted together, so one bad die among good "
        "ones shows even later."
    )


def chance_of_more(chi_square: float, freedom: int) -> float:
    """The chance that a chi-square variable with `freedom` degrees exceeds `chi_square`.

    Abramowitz & Stegun, Handbook of Mathematical Functions, 26.4.4 (odd) and 26.4.5 (even).
    """
    half = chi_square / 2
    if freedom % 2:
        terms = (half ** (i - 0.5) / math.gamma(i + 0.5) for i in range(1, (freedom - 1) // 2 + 1))
        return math.erfc(math.sqrt(half)) + math.exp(-half) * math.fsum(terms)
    return math.exp(-half) * math.fsum(half**i / math.factorial(i) for i in range(freedom // 2))


def _of_100(p: float) -> str:
    return "fewer than 1" if p < 0.01 else f"{math.floor(100 * p + 0.5)}"
