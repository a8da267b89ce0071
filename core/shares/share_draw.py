"""Draws shares as a vector of token sums; parts of a vehicle beyond its records (city-release 14)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_pairs import grouped_rows
from core.city.row_check import require_rows_within
from core.contributions import UserTable
from core.errors import InternalError
from core.mechanisms.tokens import TOKENS
from core.noise.source import NoiseSource
from core.shares.share_plan import SHARE_PARTS, SharePlan
from core.statistics.ranges import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareDraw:
    """What the noise gave of each HAT and range, shape (G, J)."""

    unclamped: Floats
    """Made to add up to 1 where the ranges tile; may lie outside of [0, 1]."""


def atom_counts(users: UserTable, column: Ints, ranges: Ranges) -> Ints:
    """Records of each pair of a plan in each atom, shape (n, A); confidential.

    column: shape (G of the table,), HAT -> its column of the plan, -1 where it is in none.
    """
    atoms = len(ranges.edges) - 1
    counts = np.zeros((users.hat.size, atoms), np.int64)
    for index in np.flatnonzero(column >= 0).tolist():
        data, begin = users.hat_data(index), int(users.first[index])
        user = np.repeat(np.arange(data.counts.size), data.counts)
        place = np.repeat(data.starts - np.cumsum(data.counts) + data.counts, data.counts)
        atom = ranges.atom_of(data.values[place + np.arange(user.size)])
        found = np.bincount(user * atoms + atom, minlength=data.counts.size * atoms)
        counts[begin : begin + data.counts.size] = found.reshape(-1, atoms)
    rows, first = grouped_rows(users, column)
    summed: Ints = np.add.reduceat(counts[rows], first)
    return summed


def draw_shares(plan: SharePlan, counts: Ints, noise: NoiseSource) -> ShareDraw:
    """`(N_gj + Z_gj) / (S_g Q)` of each HAT and range, corrected for dwell.

    counts: of each pair and atom (`atom_counts`). The rows of tokens, and what a vehicle gives, are checked
    again beside the noise that relies on them. Raises InternalError where they, or an allowance, do not hold.
    """
    city, ranges = plan.city, plan.ranges
    given = SHARE_PARTS * counts // counts.sum(axis=1, keepdims=True)
    if (given < 0).any() or (given.sum(axis=1) > SHARE_PARTS).any():
        raise InternalError("the parts of a vehicle are more than all of its records")
    require_rows_within(city.pairs.vehicle.tolist(), city.tokens.tolist(), TOKENS, squared=city.noise.squared)
    parts = city.tokens[:, None] * (given @ ranges.members)
    exact = np.add.reduceat(parts, city.pairs.starts)
    buy = noise.gaussian_vector if city.noise.squared else noise.laplace_vector
    drawn = buy(exact.ravel(), plan.sensitivity, spend=city.spend).reshape(exact.shape)
    return ShareDraw(unclamped=_shares(plan, drawn / (city.totals * SHARE_PARTS)[:, None]))


def _shares(plan: SharePlan, found: Floats) -> Floats:
    """Drawn shares without their lean, least squares where they add up to 1."""
    correction = plan.city.correction[:, None]
    shares = np.where(plan.ranges.holds_lowest, 1.0 - (1.0 - found) / correction, found / correction)
    if plan.ranges.tile:
        shares = shares + (1.0 - shares.sum(axis=1, keepdims=True)) / len(plan.ranges)
    return np.asarray(shares, np.float64)
