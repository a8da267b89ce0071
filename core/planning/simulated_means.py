"""What simulated releases of means give: confidential, as no noise protects a simulation (method 10.7)."""

from __future__ import annotations

from dataclasses import dataclass

from core.arrays import Floats
from core.city.city_draw import Corrected
from core.privacy import Confidential


@dataclass(frozen=True, slots=True, repr=False)
class SimulatedMeans(Confidential):
    """Unclamped, and the scales of their noise; km/h, shape (releases, published)."""

    values: Floats
    scales: Floats
    corrected: tuple[Corrected, ...] = ()
    """One of each release, where the city was looked at twice."""
