"""What simulated releases of means give: confidential, as no noise protects a simulation (method 10.7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.arrays import Floats
from core.city.city_draw import Corrected
from core.privacy import Confidential


class SimulatedDraws(NamedTuple):
    """How many releases are simulated, and by which noise. Evaluation brings it: no release may reach it."""

    releases: int
    seed: int
    many: Callable[[int, int], Any]
    """Noise of a seed, for so many trials together."""
    one: Callable[[int], Any]
    """Noise of a seed, for a single trial."""


@dataclass(frozen=True, slots=True, repr=False)
class SimulatedMeans(Confidential):
    """Unclamped, and the scales of their noise; km/h, shape (releases, published)."""

    values: Floats
    scales: Floats
    corrected: tuple[Corrected, ...] = ()
    """One of each release, where the city was looked at twice."""
