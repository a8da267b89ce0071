"""Parts of one bundle compared: shared bias, single places called different, titles (method 14.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import Floats
from core.city.noise_kind import NORMAL_95
from core.city.smoothing import smoothed_sums
from core.fixed_point import THOUSAND
from core.portal.published_rows import PublishedRows
from core.portal.row_parts import RowPart
from core.shares.share_plan import reach_in_deviations
from core.statistics.false_discoveries import Flags, p_values, retained_discoveries

ALIKE_IN_A_PART = 1.0 / 3.0
"""Of each bias so much, a standard deviation, is the same in all of a part, and not in the other part."""
FALSE_ALONE = 0.1
"""Share of the single places that are called different which may be none."""
_NORMAL_99 = 2.575829
"""A difference that a title says is larger than so many of its standard deviations."""


class Ranged(NamedTuple):
    """A number with its 95 % interval, in the quantity's unit."""

    value: float
    low: float
    high: float

    @property
    def leaves_out_zero(self) -> bool:
        return self.low > 0.0 or self.high < 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Of the means of two parts, the first less the second."""

    first: RowPart
    second: RowPart
    raw: Ranged
    """Of the numbers as they were drawn: what is tested."""
    smoothed: Ranged | None
    """Under the published prior: what is said. None where nothing was smoothed."""
    means: tuple[Ranged, Ranged]
    """Of both parts, smoothed where anything was."""
    strong: bool
    """The raw one is larger than chance explains once in a hundred cases."""
    alone: tuple[int, int] | None
    """How many places that both parts have differ by themselves, of how many; None for parts of places."""

    @property
    def said(self) -> Ranged:
        """As it is stated."""
        return self.smoothed or self.raw

    @property
    def clear(self) -> bool:
        """Whether both intervals leave out 0."""
        return self.raw.leaves_out_zero and self.said.leaves_out_zero


def differences(
    rows: PublishedRows, pairs: Sequence[tuple[RowPart, RowPart]], *, alike: float = ALIKE_IN_A_PART
) -> tuple[Difference, ...]:
    """Each pair compared; parts that are not of places are compared where both have the same places.

    alike: of the biases in a part, 0 in pages of the third form. Pairs without a row in one of their parts
    are left out. Rows count by their effective vehicles: D = a'y with a'1 = 0, and s^2 = sum of a^2 V. The
    mean of a part allows for a bias that is alike everywhere.
    """
    weighed = [(pair, one) for pair in pairs if (one := _weights(rows, *pair)) is not None]
    if not weighed:
        return ()
    sums = np.vstack([one for _, one in weighed])
    reach = reach_in_deviations(gaussian=rows.noise.gaussian, tile=False)[1]
    deviations = np.sqrt(sums**2 @ rows.deviations**2)
    shared = shared_biases(sums, rows.biases, alike)
    doubts = np.hypot(deviations, shared) if alike else deviations
    lower = rows.public.statistic.quantity.lower / THOUSAND
    # sums of both parts, then of their difference, which has no lower bound
    least = np.tile([lower, lower, 0.0], len(weighed))
    raw_values = sums @ rows.values
    raw = _ranged(raw_values, raw_values - reach * deviations, raw_values + reach * deviations, shared, least)
    given = rows.smoothing
    smoothed: list[Ranged] = []
    if given is not None:
        laws = smoothed_sums(given[0], sums, given[1])
        smoothed = _ranged(laws.values, laws.lows, laws.highs, shared, least)
    said = smoothed or raw
    return tuple(
        Difference(
            first=first,
            second=second,
            raw=raw[3 * number + 2],
            smoothed=smoothed[3 * number + 2] if smoothed else None,
            means=(said[3 * number], said[3 * number + 1]),
            strong=abs(raw[3 * number + 2].value) > _NORMAL_99 * doubts[3 * number + 2],
            alone=None if first.of_places or second.of_places else _alone(rows, first, second),
        )
        for number, ((first, second), _) in enumerate(weighed)
    )


def shared_biases(sums: Floats, biases: Floats, alike: float = ALIKE_IN_A_PART) -> Floats:
    """What sums miss by biases that rows have in common, beside what independent ones make; shape (3 k,).

    sums: of two parts and of their difference in turn, shape (3 k, n). Biases may be alike everywhere: then
    they add up in a mean, and cancel in a difference. What is alike in one part alone adds up in both.
    """
    squares = ((sums @ biases) ** 2 - sums**2 @ biases**2).reshape(-1, 3)
    squares[:, 2] = np.maximum(squares[:, 2], alike**2 * (squares[:, 0] + squares[:, 1]))
    return np.sqrt(np.maximum(squares.ravel(), 0.0))


def _ranged(values: Floats, lows: Floats, highs: Floats, shared: Floats, least: Floats) -> list[Ranged]:
    """With the bias that is shared in the ranges, from the lower bounds; shape (k,) each."""
    down, up = (np.hypot(end - values, NORMAL_95 * shared) for end in (lows, highs))
    # no mean is below its lower bound; the third of three is a difference
    below = values - down
    below = np.where(np.arange(values.size) % 3 == 2, below, np.maximum(below, 0.0))
    columns = ((one + least).tolist() for one in (values, below, values + up))
    return [Ranged(*one) for one in zip(*columns, strict=True)]


def _weights(rows: PublishedRows, first: RowPart, second: RowPart) -> Floats | None:
    """Of both parts and of their difference, shape (3, n); None where one has no row."""
    chosen = first.chosen, second.chosen
    if not (first.of_places or second.of_places):
        chosen = _in_both(rows, *chosen)
    if not all(one.any() for one in chosen):
        return None
    own, other = (np.where(one, rows.weights, 0.0) / rows.weights[one].sum() for one in chosen)
    return np.stack((own, other, own - other))


def _in_both(rows: PublishedRows, first: Flags, second: Flags) -> tuple[Flags, Flags]:
    places = np.array(rows.places)
    shared = np.intersect1d(places[first], places[second])
    both = np.isin(places, shared)
    return first & both, second & both


def _alone(rows: PublishedRows, first: RowPart, second: RowPart) -> tuple[int, int]:
    """How many places differ by more than chance explains, and how many there are."""
    own, other = _in_both(rows, first.chosen, second.chosen)
    _, of = np.unique(np.array(rows.places), return_inverse=True)
    parts = []
    for chosen in (own, other):
        total = np.bincount(of[chosen], rows.weights[chosen], of.max() + 1)
        there = total > 0.0
        weights = rows.weights[chosen] / total[of[chosen]]
        means = np.bincount(of[chosen], weights * rows.values[chosen], of.max() + 1)
        squares = np.bincount(of[chosen], weights**2 * rows.deviations[chosen] ** 2, of.max() + 1)
        parts.append((means[there], squares[there]))
    (means, squares), (others, more) = parts
    normal = rows.noise.gaussian
    reach = reach_in_deviations(gaussian=normal, tile=False)[1] * np.sqrt(squares + more)
    p = p_values(np.asarray(means - others, np.float64), reach, normal=normal)
    return int(retained_discoveries(p, FALSE_ALONE).sum()), int(p.size)
