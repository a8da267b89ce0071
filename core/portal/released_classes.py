"""Classes of released numbers on maps, from the numbers: at a bound, too alike, at each end.

They follow from the released numbers, which are public, so that anybody makes them again: a city of buses
from 8 to 25 km/h would fill two of six fixed classes. What compares releases (errors, widths, changes) keeps
the limits of `value_classes` (method 14.9).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

_MOST = 6
_HEAP = 0.2
"""A bound that holds so much of the released numbers is a class of the map by itself."""
_FULLEST = 0.4
"""Share of the released numbers that one class of even steps may hold."""
_APART = 0.1
"""Released numbers closer than this are one, in a range of about 65: one displayed decimal."""
_OUTER = 0.05
"""Part of the released numbers at each end that moves no class: noise takes some there."""
_DIGITS, _MORE_DIGITS = (5, 2, 1), (4, 3, Fraction(5, 2))
_SECONDS = (3600, 1800, 900, 600, 300, 120, 60, 30, 15, 10, 5, 2, 1)
_MORE_SECONDS = (1200, 240, 180, 90, 20, 4, 3)
_EDGE_PARTS, _UNSURE_PARTS = 12, 5
"""Ends of classes by rank, and the width from which a number is unsure, are rounded to such a part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedClasses:
    """Class k holds limits[k - 1] <= value < limits[k]; the outer ones are open."""

    limits: tuple[float, ...]
    """Ascending; n of them make n + 1 classes."""
    heaps: tuple[float, ...]
    """Bounds that are classes by themselves, ascending."""
    low: float
    high: float
    """Ends of the bulk of the numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bulk:
    """Numbers of which classes are made, and within what."""

    ordered: Sequence[float]
    low: float
    high: float
    apart: float

    @property
    def most(self) -> int:
        return min(_MOST, len(set(self.ordered)), 2 + len(self.ordered) // 10)

    def quantile(self, share: float) -> float:
        return _quantile(self.ordered, share)

    def fits(self, limits: Sequence[float]) -> bool:
        """Whether there are as many classes as there should be, none of which holds too much."""
        if not max(2, self.most - 1) <= len(limits) + 1 <= self.most:
            return False
        counts = [0] * (len(limits) + 1)
        for value in self.ordered:
            counts[bisect_right(limits, value)] += 1
        return max(counts) <= _FULLEST * len(self.ordered)


def released_classes(
    values: Sequence[float],
    *,
    bounds: tuple[float, float | None],
    scale: int = 0,
    seconds: bool = False,
    parted: bool = True,
) -> ReleasedClasses:
    """Classes of the numbers of a release, all slots together.

    bounds: the smallest and the largest number that there can be; scale: the power of ten by which they are
    larger than speeds; seconds: they are times, in seconds; parted: numbers that differ are in two classes at
    least, which those of older pages are not always.
    """
    ordered = sorted(values)
    heaps = tuple(
        end for end in bounds if end is not None and ordered.count(end) >= max(1.0, _HEAP * len(ordered))
    )
    ordered = [value for value in ordered if value not in heaps]
    if not ordered:
        return ReleasedClasses(limits=(), heaps=heaps, low=bounds[0], high=bounds[0])
    apart = _APART * 10.0**scale
    low, high = _quantile(ordered, _OUTER), _quantile(ordered, 1.0 - _OUTER)
    if high - low < apart:
        low, high = ordered[0], ordered[-1]
    bulk = _Bulk(ordered=ordered, low=low, high=high, apart=apart)
    limits = () if high - low < apart else _limits(bulk, seconds=seconds)
    if parted and not limits and high - low >= apart:
        limits = (_parting(bulk),)
    return ReleasedClasses(limits=limits, heaps=heaps, low=low, high=high)


def _limits(bulk: _Bulk, *, seconds: bool) -> tuple[float, ...]:
    for step in _even_widths(bulk, seconds=seconds):
        limits = _multiples(step, bulk.low, bulk.high)
        if bulk.fits(limits):
            return limits
    return _by_rank(bulk)


def _even_widths(bulk: _Bulk, *, seconds: bool) -> Iterator[Fraction]:
    """The roundest first, and of these the largest."""
    if seconds:
        yield from map(Fraction, chain(_SECONDS, _MORE_SECONDS))
        return
    top = math.ceil(math.log10(bulk.high - bulk.low))
    for digits in (_DIGITS, _MORE_DIGITS):
        for power in range(top, top - 4, -1):
            yield from (Fraction(digit) * Fraction(10) ** power for digit in digits)


def _multiples(step: Fraction, low: float, high: float) -> tuple[float, ...]:
    """All in (low, high]; none of a step too small for this range."""
    first, last = math.floor(Fraction(low) / step) + 1, math.floor(Fraction(high) / step)
    return tuple(float(step * number) for number in range(first, last + 1)) if last - first < 9 else ()


def _by_rank(bulk: _Bulk) -> tuple[float, ...]:
    """As many numbers in each class, at limits as round as that allows; 0 is one where signs differ."""
    ends = [bulk.quantile(number / bulk.most) for number in range(1, bulk.most)]
    least, largest = bulk.ordered[0], bulk.ordered[-1]
    limits: list[float] = []
    for step in _falling_widths((bulk.high - bulk.low) / _EDGE_PARTS):
        rounded = {float(step * round(Fraction(end) / step)) for end in ends}
        limits = sorted(end for end in rounded if least < end <= largest)
        if len(limits) >= bulk.most - 2 or step < bulk.apart / 100:
            break
    if bulk.low < 0.0 < bulk.high and limits:
        nearest = min(limits, key=abs)
        limits = sorted({0.0 if limit == nearest else limit for limit in limits})
    return tuple(limits)


def _parting(bulk: _Bulk) -> float:
    """One limit above the least number, where so few numbers are too alike to have any by rank."""
    if bulk.low < 0.0 < bulk.high:
        return 0.0
    least = bulk.ordered[0]
    next_one = next(value for value in bulk.ordered if value - least >= bulk.apart / 2)
    middle = Fraction(least + next_one) / 2
    ends = (step * round(middle / step) for step in _falling_widths((bulk.high - bulk.low) / _EDGE_PARTS))
    return float(next(end for end in ends if least < end <= next_one))


def _falling_widths(largest: float) -> Iterator[Fraction]:
    """1, 2 and 5 times powers of ten, from the largest that is not above."""
    power = math.floor(math.log10(largest))
    while True:
        widths = (digit * Fraction(10) ** power for digit in _DIGITS)
        yield from (step for step in widths if step <= largest)
        power -= 1


def unsure_from(widths: Sequence[float], classes: ReleasedClasses) -> float:
    """Numbers whose range is wider stand faded: T, in the unit of the widths.

    widths: of the ranges of the numbers that are shown first; at least one.
    """
    most = max(_quantile(sorted(widths), 0.75), (classes.high - classes.low) / 2.0)
    if most <= 0.0:
        return 0.0
    step = next(_falling_widths(most / _UNSURE_PARTS))
    return float(step * round(Fraction(most) / step))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The ceil(p n)-th of n ascending numbers."""
    return ordered[max(1, math.ceil(share * len(ordered) - 1e-9)) - 1]
