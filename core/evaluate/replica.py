"""Three data sets with the figures of P1 and P3: means, spreads, correlations, dwell time (method 10).

Counts are those of `resources/replica/counts.txt`. Values are i.i.d. clipped normal, adjusted to the
published mean and variance. What the papers do not publish: the second set has effects between vehicles, the
third has visits, and vehicles that stay long are slower.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData, HatUsers
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import DWELL
from core.system.paths import resources
from core.system.regular_files import read_regular

MEAN = 20.66769
"""Mean speed of the replicas, km/h. Source: P1 Sec. IV-B."""
VARIANCE = 115.135
"""Population variance of the replicas' speeds, (km/h)^2. Source: P3 Sec. IV-C."""
REPLICA_RECORDS = 17_166
"""Records of a replica. Source: P1 Sec. IV-B."""
REPLICA_UPPER_BOUND = 65 * THOUSAND
"""U, thousandths of km/h."""
VEHICLE_SD = 3.0
"""Standard deviation of the vehicles' effects in the second replica, km/h."""
_BUSIER_FASTER = 0.3
"""Correlation of a vehicle's effect with the logarithm of its count, in the second replica."""
DWELL_MEDIAN = 4.0
"""Records a visit of the third replica's middle vehicle."""
DWELL_SPREAD = 0.5
"""Standard deviation of the logarithm of records a visit in the third replica."""
_BUSIER_LONGER = 0.6
"""Correlation of the logarithms of a vehicle's records a visit and of its count, in the third replica."""
_OWN_SD = 2.0
"""Standard deviation of vehicles' means in the third replica beside what their dwell time explains, km/h."""
_ITERATIONS, _FITTED = 200, 1e-13
"""At most; mean and deviation fit when they miss by less, as after some twenty."""
_VISITS_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaSet:
    """One bundled data set and how it is called."""

    key: str
    title: str
    make: Callable[[int], HatData]
    """From a seed."""


@cache
def _counts() -> tuple[int, ...]:
    text = read_regular(resources() / "replica" / "counts.txt").decode()
    return tuple(int(line) for line in text.split())


def replica_counts() -> NDArray[np.int64]:
    """m_l of the bundled data sets, shape (217,), non-increasing."""
    return np.array(_counts(), np.int64)


def replica(seed: int = 0) -> HatData:
    """Independent values, as the papers' synthetic data."""
    return _fitted(np.zeros(REPLICA_RECORDS), np.random.default_rng(seed))


def replica_with_effects(seed: int = 0) -> HatData:
    """The same counts; each vehicle has its own mean, busier ones slightly faster."""
    rng = np.random.default_rng(seed)
    busy = _standardised(np.log(replica_counts()))
    mixed = _BUSIER_FASTER * busy + np.sqrt(1.0 - _BUSIER_FASTER**2) * rng.standard_normal(busy.size)
    return _fitted(np.repeat(VEHICLE_SD * _standardised(mixed), replica_counts()), rng)


def replica_visits() -> NDArray[np.int64]:
    """Visits of each vehicle in the third set, shape (217,), from 1 to m_l: the same for every seed.

    Busy vehicles have more records because they come more often, and because they stay longer.
    """
    counts = replica_counts()
    rng = np.random.default_rng(_VISITS_SEED)
    busy = _standardised(np.log(counts))
    longer = _BUSIER_LONGER * busy + np.sqrt(1.0 - _BUSIER_LONGER**2) * rng.standard_normal(busy.size)
    per_visit = DWELL_MEDIAN * np.exp(DWELL_SPREAD * longer)
    visits: NDArray[np.int64] = np.clip(np.rint(counts / per_visit), 1, counts).astype(np.int64)
    return visits


def replica_with_dwell(seed: int = 0) -> HatData:
    """The same counts, with visits: vehicles that stay long are slower, as the public model has it."""
    users = HatUsers(counts=replica_counts(), visits=replica_visits())
    rng = np.random.default_rng(seed)
    dwell = users.dwell
    assert dwell is not None
    effects = -DWELL * MEAN * dwell + _OWN_SD * rng.standard_normal(users.size)
    effects -= float(users.shares @ effects)
    hat = _fitted(np.repeat(effects, users.counts), rng)
    return dataclasses.replace(hat, visits=users.visits)


REPLICAS: dict[str, ReplicaSet] = {
    item.key: item
    for item in (
        ReplicaSet(key="replica", title="Replica of the papers' hexagon slot", make=replica),
        ReplicaSet(
            key="replica-effects",
            title="Replica with effects between vehicles (sd 3 km/h, not from the papers)",
            make=replica_with_effects,
        ),
        ReplicaSet(
            key="replica-dwell",
            title="Replica with dwell time (vehicles that stay long are slower, not from the papers)",
            make=replica_with_dwell,
        ),
    )
}


def _standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    centred: NDArray[np.float64] = (values - values.mean()) / values.std()
    return centred


def _fitted(effects: NDArray[np.float64], rng: np.random.Generator) -> HatData:
    """Clipped normal values about the effects, with the published mean and variance.

    Clipping changes both, so that the parameters before clipping are moved until they fit; what
    rounding to thousandths leaves of the sum is spread, one thousandth a record.
    """
    draws = rng.standard_normal(REPLICA_RECORDS)
    centre, spread = MEAN, float(np.sqrt(max(VARIANCE - effects.var(), 1.0)))
    for _ in range(_ITERATIONS):
        values = np.clip(centre + effects + spread * draws, 0.0, REPLICA_UPPER_BOUND / THOUSAND)
        missed, wider = MEAN - float(values.mean()), float(np.sqrt(VARIANCE / values.var()))
        centre += missed
        spread *= wider
        if abs(missed) + abs(wider - 1.0) < _FITTED:
            break
    thousandths = np.rint(values * THOUSAND).astype(np.int32)
    missing = round(MEAN * REPLICA_RECORDS * THOUSAND) - int(thousandths.sum(dtype=np.int64))
    inside = np.flatnonzero((thousandths > 0) & (thousandths < REPLICA_UPPER_BOUND))
    thousandths[inside[: abs(missing)]] += np.sign(missing)
    return _hat(replica_counts(), thousandths)


def _hat(counts: NDArray[np.int64], values: NDArray[np.int32]) -> HatData:
    return HatData(
        counts=counts, starts=np.cumsum(counts) - counts, values=values, upper_bound=REPLICA_UPPER_BOUND
    )
