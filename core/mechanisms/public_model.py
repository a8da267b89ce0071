"""Usual means and deviations at U = 65 km/h, of HATs, vehicles, records, moved weight (method 10.2).

Vehicles' means lie around the HAT's mean, records around their vehicle's, and pings come at a fixed rate, so
that a slow vehicle gives more of them. The constants are public, declared here once, and given for the
papers' U of 65 km/h: they scale with U. They say how accurate a number probably is; no privacy rests on them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.contributions.hat_users import HatUsers
from core.noise.laplace_normal import half_width_95, mean_absolute

PAPERS_U = 65.0
"""U of the papers, km/h."""
HAT_MEAN = 22.0
"""The public model's mean over HATs of their mean speeds, km/h."""
HAT_MEAN_SPREAD = 12.0
"""Standard deviation of HATs' means in the public model, km/h."""
HAT_SPREAD = 7.0
"""What one constant for a whole city typically misses of a HAT's mean, km/h."""
VEHICLE_SPREAD = 5.0
"""Standard deviation of vehicles' means around their HAT's, beside what dwell time explains."""
RECORD_SPREAD = 18.0
"""Standard deviation of records around their vehicle's mean."""
DROPPED_SPREAD = 14.1
"""Standard deviation of dropped records against those that are retained, much like the rest; km/h."""
DWELL = 0.3
"""k: by how much of the mean a vehicle is slower for each unit of its log records a visit."""
LEAN_CORRECTED = 4.0
"""What misplaced dwell time leans a mean by where an estimator corrects for it, km/h."""
LEAN = 7.2
"""What misplaced dwell time leans a mean by where no estimator corrects for it, km/h."""
ALIKE = 6.0
"""What weight moved from vehicle to vehicle may shift a mean by, all vehicles of a road being alike; km/h."""
ALIKE_JOINTLY = 3.0
"""What moved weight may shift a mean by in a joint release, over whose HATs both sides mix; km/h."""
ALIKE_DROPPED = 8.0
"""What moved weight may shift a mean by where records are dropped, km/h."""


FORETOLD_WITHIN = 1.5
"""A foretold error after smoothing lies within so many times the true one, either way (city-release 9)."""


def foretold_range(error: float) -> tuple[float, float]:
    """Between which the true one lies, of a smoothed error that is foretold."""
    return error / FORETOLD_WITHIN, error * FORETOLD_WITHIN


def scaled(constant: float, upper_kmh: float) -> float:
    """A constant given for the papers' U, at this U."""
    return constant * upper_kmh / PAPERS_U


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """The modelled bias of an estimate, as standard deviations of a normal error around 0; km/h."""

    typical: float = 0.0
    """What is expected."""
    interval: float = 0.0
    """What an interval has to allow for; at least as large."""


NO_BIAS = Bias()


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """What public figures say of an estimate's error, km/h."""

    typical_error: float
    """Expected |noise + modelled bias|."""
    half_width: float
    """The 95 % quantile of |noise + modelled bias|."""
    typical_bias: float | None = None
    """Standard deviation of the bias that is expected beside noise of the planned scale; None where the error
    is not made up so."""
    interval_bias: float | None = None
    """The same of the bias that the half-width allows for."""


def weights_bias(
    users: HatUsers, weights: Floats, upper_kmh: float, *, lean: float = LEAN, retained: Ints | None = None
) -> Bias:
    """Bias of `sum v_l X_l` against the true mean `sum w_l X_l`.

    weights: v, shape (L,), summing to 1; lean: `LEAN_CORRECTED` where the estimator corrects for dwell;
    retained: shape (L,), the records behind each user's part where not all of them count (an array's mean is
    one of the records retained). Without visits nothing is known to lean. Users who left the HAT weigh 0, and
    are part of the true mean.

    Source: method 10.3.
    """
    everyone = users.everyone
    if everyone.size > users.size:
        gone = 0, everyone.size - users.size
        weights, retained = np.pad(weights, gone), None if retained is None else np.pad(retained, gone)
    moved = weights - everyone.shares
    independent = moved**2 @ (VEHICLE_SPREAD**2 + RECORD_SPREAD**2 / everyone.counts)
    dwell = everyone.dwell
    leaning = 0.0 if dwell is None else lean * float(moved @ dwell)
    alike = ALIKE
    if retained is not None:
        alike = ALIKE_DROPPED
        some = retained > 0
        fewer = 1.0 / retained[some] - 1.0 / everyone.counts[some]
        independent += weights[some] ** 2 @ fewer * DROPPED_SPREAD**2
    typical = math.sqrt(independent + leaning**2)
    shift = alike * float(np.abs(moved).sum()) / 2.0
    return Bias(typical=scaled(typical, upper_kmh), interval=scaled(math.hypot(typical, shift), upper_kmh))


def accuracy_of(noise_scale: float, bias: Bias, upper_kmh: float, *, gaussian: bool = False) -> Accuracy:
    """Of noise and a normal bias; an estimate in [0, U] is never further than U from the truth.

    noise_scale: of Laplace noise, or the deviation of Gaussian noise, which makes one normal error of both.
    """
    laplace, normal = (0.0, noise_scale) if gaussian else (noise_scale, 0.0)
    return Accuracy(
        typical_error=min(mean_absolute(laplace, math.hypot(normal, bias.typical)), upper_kmh),
        half_width=half_width_95(laplace, math.hypot(normal, bias.interval)),
        typical_bias=bias.typical,
        interval_bias=bias.interval,
    )
