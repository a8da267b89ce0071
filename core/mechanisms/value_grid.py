"""The public grid that means of vehicles are rounded to: token sums are integers (city-release 6)."""

from __future__ import annotations

from dataclasses import dataclass

from core.arrays import Ints
from core.fixed_point import THOUSAND

MOST_SPACINGS = 10**4


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueGrid:
    """Steps of equal length from 0 to at least U."""

    step: int
    """Thousandths of the value's unit: a power of ten."""
    largest: int
    """Q, of the whole range."""

    @property
    def step_kmh(self) -> float:
        return self.step / THOUSAND

    def nearest(self, sums: Ints, records: Ints) -> Ints:
        """Means of records as numbers of steps, halves upwards; sums: of thousandths, both shape (n,)."""
        double = records * self.step
        nearest: Ints = (2 * sums + double) // (2 * double)
        return nearest


def value_grid(upper_bound: int) -> ValueGrid:
    """Of the finest power of ten that makes `MOST_SPACINGS` at most; upper_bound: U in thousandths."""
    step = 1
    while -(-upper_bound // step) > MOST_SPACINGS:
        step *= 10
    return ValueGrid(step=step, largest=-(-upper_bound // step))
