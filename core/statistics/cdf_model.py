"""What the public model says of the bias of a distribution's shares (method 10.4).

Records that are left out move weight between vehicles, and leave others to stand for them. Both are
computed for a share `p` at one edge: the records of a vehicle lie above or below it, so that their mean
scatters by `p (1 - p)`, and a shift of speeds by one km/h moves the share by the density there, that of a
normal distribution with the model's spread at its quantile `p`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from core.arrays import Floats, Ints
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import (
    ALIKE_DROPPED,
    HAT_MEAN,
    HAT_MEAN_SPREAD,
    LEAN,
    PAPERS_U,
    RECORD_SPREAD,
    VEHICLE_SPREAD,
)
from core.noise.laplace_normal import erfc_of
from core.statistics.base import HatCounts
from core.statistics.cdf_weights import Weights

_SPREAD = math.hypot(RECORD_SPREAD, VEHICLE_SPREAD)
"""Of all records of a HAT around its mean, km/h at U = 65."""
_STANDARD = NormalDist()
_FAR = 40.0
"""Standard deviations beyond which nothing is left of the model's normal distribution of values."""
_GRID = np.linspace(0.0, 1.0, 513)
_DENSITIES: Floats = np.array(
    [0.0, *(_STANDARD.pdf(_STANDARD.inv_cdf(p)) / _SPREAD for p in _GRID[1:-1].tolist()), 0.0]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareBias:
    """Variances of a share's bias, apart for what scatters with `p (1 - p)` and what shifts speeds."""

    upper_kmh: float
    scatter: float
    """Factor of `p (1 - p)`."""
    typical_shift: float
    """Squared shift of speeds that is expected, at U = 65."""
    interval_shift: float
    """Squared shift that an interval allows for, at U = 65."""

    def deviation(self, shares: Floats) -> Floats:
        """What intervals allow for at these shares in [0, 1], as a standard deviation."""
        return self._deviation(shares, self.interval_shift)

    def typical_error(self, edges: Ints, noise: Floats) -> float:
        """Mean over the edges of the expected |noise + bias| of shares that are cut to [0, 1].

        edges: thousandths of km/h; noise: standard deviation of the noise at each.
        """
        shares = model_shares(edges, self.upper_kmh)
        bias = self._deviation(shares, self.typical_shift)
        return float(_cut_size(shares, np.hypot(noise, bias)).mean())

    def _deviation(self, shares: Floats, shift: float) -> Floats:
        density = np.interp(shares, _GRID, _DENSITIES)
        deviation: Floats = np.sqrt(self.scatter * shares * (1.0 - shares) + shift * density**2)
        return deviation


def model_shares(edges: Ints, upper_kmh: float) -> Floats:
    """Of all records of the model's city at or below each edge, in thousandths of km/h; shape (N,)."""
    spread = math.hypot(_SPREAD, HAT_MEAN_SPREAD)
    middle = (edges / THOUSAND / upper_kmh * PAPERS_U - HAT_MEAN) / spread
    return np.array([_STANDARD.cdf(point) for point in middle.tolist()])


def _cut_size(shares: Floats, deviation: Floats) -> Floats:
    """Expected |error| of each share with a normal error of that deviation, cut to [0, 1]."""
    spread = np.maximum(deviation, np.finfo(np.float64).tiny)
    sizes = np.zeros_like(spread)
    for room in (shares, 1.0 - shares):
        reach = np.minimum(room / spread, _FAR)
        bell = (1.0 - np.exp(-(reach**2) / 2.0)) / math.sqrt(2.0 * math.pi)
        sizes += spread * (bell + reach * erfc_of(reach / math.sqrt(2.0)) / 2.0)
    return sizes


def no_share_bias(counts: HatCounts) -> ShareBias:
    """Of shares over vehicles, all of which count alike."""
    upper_kmh = counts.upper_bound / THOUSAND
    return ShareBias(upper_kmh=upper_kmh, scatter=0.0, typical_shift=0.0, interval_shift=0.0)


def share_bias(counts: HatCounts, weights: Weights) -> ShareBias:
    """Of shares over the records retained against those over all records."""
    users, retained = counts.public, weights.retained
    shares = weights.retained * weights.weight / weights.total
    moved = shares - users.shares
    fewer = 1.0 / retained - 1.0 / users.counts
    dwell = users.dwell
    leaning = 0.0 if dwell is None else LEAN * float(moved @ dwell)
    typical = VEHICLE_SPREAD**2 * float(moved @ moved) + leaning**2
    return ShareBias(
        upper_kmh=counts.upper_bound / THOUSAND,
        scatter=float(moved**2 @ (1.0 / users.counts) + shares**2 @ fewer),
        typical_shift=typical,
        interval_shift=typical + (ALIKE_DROPPED * float(np.abs(moved).sum()) / 2.0) ** 2,
    )
