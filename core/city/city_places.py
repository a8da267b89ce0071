"""Where and when the HATs of a joint release are (city-release 9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.city.smoothing import SmoothingFacts
from core.hats.places import HEXAGONS, PlaceIds
from core.mechanisms.covariate import Covariate, PublicSign


@dataclass(frozen=True, slots=True, kw_only=True)
class CityPlaces:
    """Of G HATs, and what is public of their means; all of it public in relation `values`."""

    cells: Ints
    """H3 cells as integers, or numbers of other places."""
    hours: Floats
    """Hour of the day at the middle of each slot, 0 to 24."""
    ids: tuple[str, ...]
    sign: PublicSign | None = None
    """None: nothing is."""
    places: PlaceIds = HEXAGONS
    """What `cells` number."""
    group: Ints | None = None
    """Number of each HAT's labels; None: there are no groups."""
    former_spreads: tuple[float, ...] = ()
    """What an earlier release was fitted to; what is foretold goes by it, and no plan does."""

    @property
    def covariate(self) -> Covariate | None:
        """The sign, standardised over these HATs."""
        return None if self.sign is None else self.sign.standardised()

    def only(self, hats: NDArray[np.bool_]) -> CityPlaces:
        """Of some of the HATs; shape (G,)."""
        chosen = np.flatnonzero(hats)
        return CityPlaces(
            cells=self.cells[chosen],
            hours=self.hours[chosen],
            ids=tuple(self.ids[place] for place in chosen.tolist()),
            sign=self.sign and self.sign.take(chosen),
            places=self.places,
            group=None if self.group is None else self.group[chosen],
            former_spreads=self.former_spreads,
        )

    def facts(self, deviation: Floats, bias: Floats, upper_kmh: float) -> SmoothingFacts:
        """With Gaussian noise of these standard deviations and this modelled bias; km/h, shape (G,)."""
        return SmoothingFacts(
            cells=self.cells,
            hours=self.hours,
            noise_variance=deviation**2,
            bias_variance=bias**2,
            gaussian=True,
            upper_kmh=upper_kmh,
            ids=self.ids,
            covariate=self.covariate,
            places=self.places,
            group=self.group,
        )
