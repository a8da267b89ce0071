"""The fleet: plates, and how busy, regular and fast each bus is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.arrays import Floats, Ints
from core.synthesize.routes import ROUTES

PLATES = 9000
"""The most vehicles that a fleet can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """The buses; all columns have shape (vehicles,)."""

    plate: pa.Array
    label: pa.Array
    activity: Floats
    """Relative number of records, log-normal."""
    attendance: Floats
    """Probability of running on a day."""
    route: Ints
    pace: Floats
    """Speed relative to the others."""


def make_fleet(rng: np.random.Generator, size: int) -> Fleet:
    """`size` buses with different plates, by plate."""
    numbers = np.sort(rng.choice(PLATES, size, replace=False)) + 1000
    return Fleet(
        plate=pa.array([f"GJ05BX{number}" for number in numbers]),
        label=pa.array([f"{'ABCDP'[index % 5]}{index // 5 + 1:02d}" for index in range(size)]),
        activity=rng.lognormal(0.0, 1.1, size),
        attendance=rng.beta(6.0, 1.5, size),
        route=rng.integers(0, ROUTES, size),
        pace=rng.normal(1.0, 0.07, size).clip(0.75, 1.25),
    )
