"""Shares of relation `user`: parts of a unit, tails of Laplace sums (method 12.5, city-release 14).

Prices, caps and enforcement are those of the joint mean. What a record adds differs: one to each range that
holds it and nothing elsewhere, not centred, so that a record in no range costs its weight alone.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.bounding.bounding import Entries, RetainedRows, first_values
from core.bounding.column_sums import column_sums
from core.bounding.entry_bound import noisy_vector, reach_975
from core.bounding.plan_and_enforce import EnforcedPlan, entry_tokens, noisy_records
from core.bounding.quotients import Quotients, quotients
from core.bounding.unbiased_means import unbiased_quotients
from core.city.noise_kind import NORMAL_95
from core.contributions import Contributions
from core.contributions.table import changes
from core.errors import InternalError
from core.noise.source import NoiseSource
from core.shares.mean_of_shares import hidden_by_ranges, middles_of
from core.shares.share_model import expected_shares, spread_of_shares
from core.shares.share_plan import SHARE_PARTS
from core.statistics.intervals import outwards
from core.statistics.laplace_sums import half_width
from core.statistics.ranges import Ranges
from core.statistics.share import MILLIONTHS

_FINE_SCALE = 1000.0
"""Steps of a scale in which tails of sums of Laplace numbers are computed."""
_BEYOND = 0.025
"""Probability that noise of a share leaves its reach; with a weight's as much, 95 % of both stay within."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedSharesPlan(EnforcedPlan):
    """The same prices and caps for the shares of J ranges in each HAT of the list."""

    ranges: Ranges

    @property
    def largest_part(self) -> int:
        return SHARE_PARTS

    @property
    def sums_of_a_record(self) -> int:
        return int(self.ranges.members.sum(axis=1).max())

    @property
    def sum_scale(self) -> float:
        """Of the noise on the sum of one range, tokens; alike in all ranges and HATs."""
        return self._scale / (self.parts[0] * SHARE_PARTS)

    @property
    def middle(self) -> float:
        return 0.0

    def reach_of(self, ranges: int = 1) -> float:
        """What the noise of so many ranges together stays within with probability 0.975, tokens."""
        if ranges == 1 or self.noise.squared:
            return reach_975(self.noise, self.sum_scale * ranges**0.5)
        return half_width(ranges, _FINE_SCALE, _BEYOND) / _FINE_SCALE * self.sum_scale


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareQuotients:
    """Shares of K sets of ranges in G HATs, as noise left them."""

    published: tuple[Quotients, ...]
    """Of each set, in millionths; shapes (G,)."""
    unbiased: Floats
    """What smoothing goes by, shape (G, K): not clamped."""
    deviation: Floats
    """Standard deviation of its error, shape (G, K)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedShares:
    """What the noise gave for every HAT of the list."""

    weight: Ints
    """Thousandths of a record, as `noisy_records` has it; shape (G,)."""
    sums: Floats
    """Tokens in each range with noise, shape (G, J)."""
    weights: Floats
    """Tokens with noise, shape (G,)."""


def draw_enforced_shares(
    plan: EnforcedSharesPlan, entries: Entries, atoms: Ints, noise: NoiseSource
) -> EnforcedShares:
    """One vector of the sums of all ranges, and the weights, of all HATs, with one allowance.

    entries: one of each unit in each HAT of the list; atoms: records of each in each atom, shape (n, A).
    """
    exact = exact_share_vector(plan, entries, atoms)
    drawn = noisy_vector(noise, plan.noise, exact, plan.sensitivity, plan.spend).astype(np.float64)
    hats, many = plan.prices.size, len(plan.ranges)
    weights = drawn[hats * many :] / (plan.parts[1] * SHARE_PARTS)
    return EnforcedShares(
        weight=noisy_records(plan, weights),
        sums=drawn[: hats * many].reshape(hats, many) / (plan.parts[0] * SHARE_PARTS),
        weights=weights,
    )


def exact_share_vector(plan: EnforcedSharesPlan, entries: Entries, atoms: Ints) -> Ints:
    """`a` times the sums of `y n_j` of all HATs and ranges, then `b Q` times those of `y`; shape (G J + G,).

    n_j: parts of Q of a unit's records, rounded down by atom. The rows are checked again beside the noise
    that relies on them. Confidential. Raises InternalError where they do not hold, or a unit gives more
    than all of its records.
    """
    tokens = entry_tokens(plan, entries)
    given = SHARE_PARTS * atoms // np.maximum(atoms.sum(axis=1, keepdims=True), 1)
    if (given < 0).any() or (given.sum(axis=1) > SHARE_PARTS).any():
        raise InternalError("the parts of a unit are more than all of its records")
    (first, second), hats, many = plan.parts, plan.prices.size, len(plan.ranges)
    added = first * tokens[:, None] * (given @ plan.ranges.members)
    places = entries.column[:, None] * many + np.arange(many)
    return np.concatenate(
        (
            column_sums(places.ravel(), added.ravel(), hats * many),
            column_sums(entries.column, second * SHARE_PARTS * tokens, hats),
        )
    )


def shares_of_sums(plan: EnforcedSharesPlan, drawn: EnforcedShares, sets: Ranges) -> ShareQuotients:
    """Of sets that are sums of the plan's ranges which do not meet: themselves, or ranges below an edge."""
    within = _parts_of(plan.ranges, sets)
    sizes = within.sum(axis=0)
    sums = drawn.sums @ within
    expected = expected_shares(sets)
    likely = np.hypot(expected, spread_of_shares(expected))
    scales = plan.sum_scale * np.sqrt(sizes)
    unbiased = unbiased_quotients(plan.noise, sums, drawn.weights, (scales, plan.weight_scale), likely)
    return ShareQuotients(
        published=tuple(
            quotients(
                sums[:, one] * MILLIONTHS,
                drawn.weights,
                reach=(plan.reach_of(int(size)) * MILLIONTHS, reach_975(plan.noise, plan.weight_scale)),
                least=plan.least_weight,
                centre=plan.middle,
                upper=MILLIONTHS,
            )
            for one, size in enumerate(sizes.tolist())
        ),
        unbiased=unbiased.value,
        deviation=unbiased.deviation,
    )


def mean_of_sums(plan: EnforcedSharesPlan, drawn: EnforcedShares) -> Quotients:
    """Of each HAT what follows from its sums, thousandths above the lower bound; shapes (G,).

    A sum of Laplace numbers of unlike scales stays within what one of the same variance does. The ends of the
    interval are moved out by what ranges hide.
    """
    middles, upper = middles_of(plan.ranges), plan.ranges.upper_bound
    found = quotients(
        drawn.sums @ middles,
        drawn.weights,
        reach=(
            reach_975(plan.noise, plan.sum_scale * float(np.linalg.norm(middles))),
            reach_975(plan.noise, plan.weight_scale),
        ),
        least=plan.least_weight,
        centre=plan.middle,
        upper=upper,
    )
    hidden = outwards(NORMAL_95 * hidden_by_ranges(plan.ranges))
    return dataclasses.replace(
        found, low=(found.low - hidden).clip(0, upper), high=(found.high + hidden).clip(0, upper)
    )


def _parts_of(ranges: Ranges, sets: Ranges) -> NDArray[np.int64]:
    """Shape (J, K): 1 where a range is part of a set."""
    lows, highs = np.array(ranges.listed).T
    starts, ends = np.array(sets.listed).T
    same = (lows[:, None] == starts) & (highs[:, None] == ends)
    inside = (lows[:, None] >= starts) & (highs[:, None] <= ends)
    # of nested ranges one that is asked for is itself alone
    parts: NDArray[np.int64] = np.where(same.any(axis=0), same, inside).astype(np.int64)
    return parts


def with_ranges(plan: EnforcedPlan, ranges: Ranges) -> EnforcedSharesPlan:
    """Shares by the prices of a mean; no regions."""
    fields = {one.name: getattr(plan, one.name) for one in dataclasses.fields(plan)}
    return EnforcedSharesPlan(**fields, ranges=ranges)


def unit_atoms(contributions: Contributions, rows: RetainedRows, entries: Entries, ranges: Ranges) -> Ints:
    """Records of each entry in each atom, shape (n, A); rows: those that the entries are of. Confidential."""
    atoms, first = len(ranges.edges) - 1, np.flatnonzero(changes(rows.column, rows.unit))
    if first.size != entries.unit.size:
        raise InternalError("the rows are not those of the entries")
    begin = contributions.start[rows.row[first]]
    values = first_values(contributions, entries.column, begin, entries.records, entries.records)
    entry = np.repeat(np.arange(first.size), entries.records)
    found = np.bincount(entry * atoms + ranges.atom_of(values), minlength=first.size * atoms)
    return found.reshape(-1, atoms).astype(np.int64)
