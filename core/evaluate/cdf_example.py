"""One simulated release of a distribution of speeds beside the exact one, of made-up records (method 10).

Drawn by the code of a release with seeded noise. Meant for the bundled replicas, whose records are no
one's: of loaded records the exact distribution is shown nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData, HatPairs
from core.evaluate.event_level import event_level
from core.fixed_point import THOUSAND
from core.noise.simulated import SimulatedNoise
from core.privacy import Confidential, Unit
from core.statistics.base import HatCounts, HatRecords, Question
from core.statistics.cdf import MILLION, STATISTIC, CdfParams
from core.statistics.cdf_weights import USER


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CdfExample(Confidential):
    """Shares at or below each speed, in [0, 1]; all arrays of shape (N,)."""

    speeds: NDArray[np.float64]
    """Right edges of the bins, km/h."""
    exact: NDArray[np.float64]
    """Of all records, or with weights `user` the mean of the vehicles' own distributions."""
    released: NDArray[np.float64]
    low: NDArray[np.float64]
    """Of the pointwise 95 % band of the noise."""
    high: NDArray[np.float64]
    noise_error: float
    """Expected error of the noise: the root of the mean square over the bins, before any clamping."""
    bias_bound: float
    """The most that capping vehicles or rounding weights can move a share."""
    factors: tuple[int, ...]
    """Branching factors of the tree, top first."""
    m_ub: int | None
    """Records that count of a vehicle; None with weights `user`."""

    @property
    def mean_distance(self) -> float:
        """How far this draw is off the exact curve, on average over the bins."""
        return float(np.abs(self.released - self.exact).mean())


def cdf_example(hat: HatData, params: CdfParams, epsilon: Decimal, seed: int) -> CdfExample:
    """Plan the HAT from its counts and draw it once; users are vehicles.

    Raises InputError for parameters and epsilons that the statistic refuses.
    """
    counts = HatCounts(
        users=hat.counts,
        visits=hat.visits,
        records=int(hat.counts.sum()),
        pairs=hat.counts.size,
        largest_pairs=1,
        days=1,
        upper_bound=hat.upper_bound,
        unit=Unit.VEHICLE,
    )
    plan = STATISTIC.plan(counts, epsilon, Question(statistic=STATISTIC, params=params))
    drawn = STATISTIC.draw(plan, HatRecords(users=hat, pairs=_one_day(hat)), SimulatedNoise(seed, 1))
    released, low, high = (
        np.array([(number.value, number.low, number.high) for number in drawn], np.float64) / MILLION
    ).T
    detail = plan.detail
    return CdfExample(
        speeds=detail.edges / THOUSAND,
        exact=exact_cdf(hat, detail.edges, params.weights),
        released=released,
        low=low,
        high=high,
        noise_error=float(np.sqrt((detail.deviation**2).mean())),
        bias_bound=plan.lead.bias_bound,
        factors=detail.estimator.tree.factors,
        m_ub=plan.m_ub,
    )


def exact_cdf(hat: HatData, edges: NDArray[np.int64], weights: str) -> NDArray[np.float64]:
    """Share of values at or below each edge, shape (N,); edges: ascending thousandths, the last at least U.

    weights: `records` counts every record alike, `user` every vehicle. Source: P4.
    """
    values = _values_by_user(hat)
    alike = 1.0 / np.repeat(hat.counts, hat.counts) if weights == USER else np.ones(values.size)
    counted = np.bincount(np.searchsorted(edges, values, side="left"), alike, minlength=edges.size)
    shares: NDArray[np.float64] = np.cumsum(counted) / alike.sum()
    return shares


def _one_day(hat: HatData) -> HatPairs:
    """Made-up records have vehicles and no days: each vehicle is one pair."""
    first = np.cumsum(hat.counts) - hat.counts
    return HatPairs(
        vehicle=np.arange(hat.counts.size, dtype=np.int32),
        counts=hat.counts,
        sums=hat.sums(),
        maxima=np.maximum.reduceat(_values_by_user(hat), first).astype(np.int64),
    )


def _values_by_user(hat: HatData) -> NDArray[np.int32]:
    """Every value, user by user in the order of `counts`."""
    values: NDArray[np.int32] = hat.values[event_level(hat).starts]
    return values
