"""Spreads of a city's true means, and how alike places and hours are, by likelihood (city-release 9).

The means of all HATs are jointly normal: alike where hexagons are near and hours are near, and otherwise
around one mean. Everything here is in the papers' units, as if U were 65 km/h; the caller scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

import numpy as np
import scipy
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.city.lapack import cholesky, inverse_of_product
from core.hats.places import HEXAGONS, PlaceIds
from core.mechanisms.covariate import Covariate
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD
from core.progress import Progress, silent

SPREAD_CENTRES = np.array([4.0, 2.0, 3.0, 3.0])
"""What the spreads are before any value is seen: place, hour of the day, place and hour, HAT; km/h."""
SPREAD_CENTRES_WITH_SIGN = np.array([4.0, 1.5, 2.0, 2.5])
"""The same beside a public sign of each HAT's mean, which tells some of what they tell."""
_FORETOLD_SPREADS_WITH_SIGN = np.array([3.5, 1.2, 1.2, 2.0])
"""Before a release: fitted ones are smaller in real cities than their centres."""
SHARED_OF_SHARES = 0.35
"""What the shares of all HATs have in common, in the spread u of one record's share around the model's."""
SPREAD_CENTRES_OF_SHARES = np.array([0.30, 0.11, 0.15, 0.19]) * HAT_MEAN_SPREAD / SHARED_OF_SHARES
"""The same of shares, in units in which these have `HAT_MEAN_SPREAD` in common."""
_FORETOLD_OF_SHARES = 0.75
"""What the spreads of shares are expected to be, as a part of their usual centres, before a release."""
_LOG_SPREAD = 0.7
"""Standard deviation of the logarithm of a spread of a city's means around that of its centre."""
_LARGEST_LOG = 6.0
"""No spread of a city's means is further from its centre than so many of them: matrices stay positive."""
_PLACE_KM, _HOURS, _LOCAL_HOURS = 2.0, 3.0, 2.0
"""Where likeness has fallen to 1/e: between places, between hours, between hours of one place."""
_NEAR, _SAME = 0.6, 0.4
"""What places share with those near, and with none."""
_OTHER_GROUP = 0.6
"""How much of what places share counts between HATs of different groups."""
_DAY_H = 24.0
_EARTH_KM = 6371.007180918475
"""Radius of the sphere that H3 lays its cells on."""
FITTED_LEAST_NOISY, FITTED_OTHERS = 250, 1_000
"""So many of the least noisy HATs, and of any, tell the spreads: the least noisy alone lie in the slow and
even centre of a city, and with fewer of the others what a HAT shares with none is hard to tell from noise.
"""
_NOWHERE_NEAR_KM = 1e6
_MOST_ITERATIONS = 100
_USUAL_EVALUATIONS = 25
_ROWS = 32
"""Rows of the covariance of places and hours made together: so many stay in a processor's own memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HatPlaces:
    """Where and when n HATs are, and what is public of their means."""

    centres: Floats
    """Shape (C, 3): centres of the distinct cells on the sphere, km from the middle of the earth."""
    cell: Ints
    """Shape (n,): HAT -> its cell's row in `centres`."""
    hours: Floats
    """Shape (H,): the distinct hours of the day."""
    hour: Ints
    """Shape (n,): HAT -> its place in `hours`."""
    covariate: Covariate | None = None
    """None: nothing is public of them."""
    group: Ints | None = None
    """Shape (n,): number of each HAT's labels; None: there are no groups."""
    of_shares: bool = False
    """They are shares, in units of their own, and no means."""
    former_spreads: Floats | None = None
    """What an earlier release of the same city was fitted to; km/h, as `spread_centres`. None: nothing."""

    @classmethod
    def of(
        cls,
        cells: Ints,
        hours: Floats,
        covariate: Covariate | None = None,
        places: PlaceIds = HEXAGONS,
        group: Ints | None = None,
        *,
        of_shares: bool = False,
        former_spreads: Floats | None = None,
    ) -> Self:
        """Of numbers of places and the hour of the day at the middle of each HAT's slot, shape (n,)."""
        distinct, cell = np.unique(cells, return_inverse=True)
        distinct_hours, hour = np.unique(hours, return_inverse=True)
        return cls(
            centres=_centres(distinct.tolist(), places),
            cell=cell,
            hours=distinct_hours,
            hour=hour,
            covariate=covariate,
            group=group,
            of_shares=of_shares,
            former_spreads=former_spreads,
        )

    def take(self, chosen: Ints) -> HatPlaces:
        """Of some of the HATs, in that order."""
        used, cell = np.unique(self.cell[chosen], return_inverse=True)
        return HatPlaces(
            centres=self.centres[used],
            cell=cell,
            hours=self.hours,
            hour=self.hour[chosen],
            covariate=self.covariate and self.covariate.take(chosen),
            group=None if self.group is None else self.group[chosen],
            of_shares=self.of_shares,
            former_spreads=self.former_spreads,
        )

    @property
    def size(self) -> int:
        """n."""
        return self.cell.size

    @property
    def means(self) -> Floats:
        """Of the true means before any value is seen, shape (n,); km/h."""
        return np.full(self.size, HAT_MEAN) if self.covariate is None else self.covariate.means

    @property
    def spread_centres(self) -> Floats:
        """Of the prior of the spreads; km/h."""
        if self.of_shares:
            return self._with_shared(SPREAD_CENTRES_OF_SHARES)
        return self._with_shared(SPREAD_CENTRES if self.covariate is None else SPREAD_CENTRES_WITH_SIGN)

    @property
    def foretold_spreads(self) -> Floats:
        """What they are thought to be before a release; km/h.

        Moved, in the logarithm, by half of what an earlier release found them to be away from their centres:
        one whose noise showed nothing moves nothing.
        """
        if self.of_shares:
            return self._with_shared(SPREAD_CENTRES_OF_SHARES * _FORETOLD_OF_SHARES)
        usual = SPREAD_CENTRES if self.covariate is None else _FORETOLD_SPREADS_WITH_SIGN
        spreads, former = self._with_shared(usual), self.former_spreads
        if former is None or former.shape != spreads.shape:
            return spreads
        return np.asarray(spreads * np.sqrt(former / self.spread_centres), np.float64)

    def _with_shared(self, spreads: Floats) -> Floats:
        """With groups one more: what they share in one place and slot, as much as a HAT has by itself."""
        return spreads if self.group is None else np.append(spreads, spreads[-1])


def _centres(numbers: Sequence[int], places: PlaceIds) -> Floats:
    """Shape (C, 3); km. Places without a middle lie so far apart that no two are near."""
    degrees = places.middles(numbers)
    if degrees is None:
        return np.column_stack((np.arange(len(numbers)) * _NOWHERE_NEAR_KM, *np.zeros((2, len(numbers)))))
    latitude, longitude = np.radians(np.array(degrees, np.float64).reshape(-1, 2)).T
    across = np.cos(latitude)
    sphere = (across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude))
    return np.column_stack(sphere) * _EARTH_KM


def covariance(
    places: HatPlaces, spreads: Floats, *, shared: float = HAT_MEAN_SPREAD, rows: Ints | None = None
) -> Floats:
    """Covariances of the true means, shape (n, n), or (len(rows), n) for some HATs with all; (km/h)^2.

    spreads: as `SPREAD_CENTRES`, with groups what they share last; shared: the standard deviation of what all
    HATs have in common; 0: of what the spreads alone make, without the slope of a covariate too.
    """
    place, hour, local, own, *shared_by_groups = spreads**2
    apart = np.abs(places.hours[:, None] - places.hours)
    apart = np.minimum(apart, _DAY_H - apart)
    by_hour = hour * np.exp(-apart / _HOURS)
    by_local_hour = local * np.exp(-apart / _LOCAL_HOURS)
    rows = np.arange(places.size) if rows is None else rows
    covariate = places.covariate
    made = np.empty((rows.size, places.size))
    for start in range(0, rows.size, _ROWS):
        here = rows[start : start + _ROWS]
        cell, slot = places.cell[here], places.hour[here]
        near = np.exp(-_distances_km(places.centres[cell], places.centres) / _PLACE_KM)[:, places.cell]
        part = near * by_local_hour[slot][:, places.hour]
        if places.group is None:
            part += by_hour[slot][:, places.hour]
        part += (place * _NEAR) * near
        same = cell[:, None] == places.cell
        part += (place * _SAME) * same
        if places.group is not None:
            part *= np.where(places.group[here, None] == places.group, 1.0, _OTHER_GROUP)
            part += by_hour[slot][:, places.hour]
            part += shared_by_groups[0] * (same & (slot[:, None] == places.hour))
        if covariate is None:
            part += shared**2
        part[np.arange(here.size), here] += own
        if covariate is not None:
            part *= covariate.factors[here, None] * covariate.factors
            part += _shared(covariate, shared, here)
        made[start : start + _ROWS] = part
    return made


def _shared(covariate: Covariate, shared: float, rows: Ints) -> Floats:
    """What some HATs have in common with all, and what the slope makes of their signs; (len(rows), n)."""
    slope = covariate.slope.spread * np.sign(shared)
    signs = slope * covariate.standardised
    return np.asarray(shared**2 + signs[rows, None] * signs, np.float64)


def variance_of_each(places: HatPlaces, spreads: Floats) -> Floats:
    """Of each HAT's true mean before its value is seen: the diagonal of `covariance`, shape (n,)."""
    own, covariate = float(spreads @ spreads), places.covariate
    if covariate is None:
        return np.full(places.size, HAT_MEAN_SPREAD**2 + own)
    slope = covariate.slope.spread * covariate.standardised
    return np.asarray(HAT_MEAN_SPREAD**2 + slope**2 + covariate.factors**2 * own, np.float64)


def fitted_spreads(
    places: HatPlaces, residuals: Floats, variances: Floats, progress: Progress = silent
) -> Floats:
    """The spreads that explain the values best, shape (4,), with groups (5,); km/h.

    residuals: values minus the model's means; variances: of what each value misses; both shape (n,). The
    marginal likelihood times a log-normal prior is maximised over logarithms by L-BFGS. Raises what
    `progress` raises.
    """
    centres = places.spread_centres
    if not residuals.size:
        return centres.copy()
    kinds = np.stack([covariance(places, unit, shared=0.0).ravel() for unit in np.eye(centres.size)])
    known = HAT_MEAN_SPREAD**2 + np.diag(variances)
    if places.covariate is not None:
        known = np.diag(variances) + _shared(places.covariate, HAT_MEAN_SPREAD, np.arange(places.size))
    evaluations = 0

    def negative_log_posterior(offsets: Floats) -> tuple[float, Floats]:
        """And its gradient; offsets: from the centres, in standard deviations of the logarithm."""
        nonlocal evaluations
        evaluations += 1
        progress(min(1.0, evaluations / _USUAL_EVALUATIONS), "Measuring how similar places and hours are")
        squares = (centres * np.exp(_LOG_SPREAD * offsets)) ** 2
        factor = cholesky(known + (squares @ kinds).reshape(known.shape))
        weighted = scipy.linalg.cho_solve((factor, True), residuals, check_finite=False)
        value = residuals @ weighted / 2.0 + np.log(np.diag(factor)).sum() + offsets @ offsets / 2.0
        # kinds are symmetric: twice the half below the diagonal, in whichever order it lies, is the whole
        half = inverse_of_product(factor)
        half[np.diag_indices_from(half)] /= 2.0
        explained = 2.0 * (kinds @ half.T.ravel()) - kinds @ np.outer(weighted, weighted).ravel()
        return float(value), _LOG_SPREAD * squares * explained + offsets

    found = scipy.optimize.minimize(
        negative_log_posterior,
        np.zeros(centres.size),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-_LARGEST_LOG, _LARGEST_LOG)] * centres.size,
        options={"maxiter": _MOST_ITERATIONS},
    )
    return np.asarray(centres * np.exp(_LOG_SPREAD * found.x), np.float64)


def fitted_hats(ids: Sequence[str], variances: Floats) -> Ints:
    """Places of the HATs that tell the spreads, sorted: the least noisy, and those whose ids hash lowest.

    Both kinds may share some. Neither depends on a value, or on the order of the HATs.
    """
    digests = np.array([sha256(name.encode()).hexdigest() for name in ids])
    least_noisy = np.lexsort((digests, variances))[:FITTED_LEAST_NOISY]
    return np.union1d(least_noisy, np.argsort(digests, kind="stable")[:FITTED_OTHERS]).astype(np.int64)


def _distances_km(some: Floats, others: Floats) -> Floats:
    """Along the ground, between points on the sphere, shape (len(some), len(others))."""
    chord: NDArray[np.float64] = scipy.spatial.distance.cdist(some, others)
    return 2.0 * _EARTH_KM * np.arcsin(np.minimum(chord / (2.0 * _EARTH_KM), 1.0))
