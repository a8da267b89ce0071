"""Constants and noise of a query of relation `user`: stored with its draws, stated in bundles (method 12).

With them a reader works every charge and scale out again; no number of them depends on any record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.bounding.weight_columns import RECORDS_DP, VEHICLES_DP
from core.values import plain

NOISY_WEIGHTS = {
    VEHICLES_DP: "vehicles (unit vehicle-day: vehicles and days) that count, each in a limited number of "
    "HATs",
    RECORDS_DP: "records that count, of each vehicle as many as the total pays for",
}
"""Column of the noisy weight -> what it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundingFacts:
    """Public constants, and what follows from them alone."""

    hats_per_vehicle: int
    """C."""
    candidate_hats: int
    listed_hats: int
    """Of the candidates, those that public counts list; all of them where there are none."""
    threshold: int
    """The noisy weight that publishes a HAT."""
    weight: str
    """Column of the noisy weight: a key of `NOISY_WEIGHTS`."""
    noise: str
    """`laplace` or `gauss`."""
    spend: Decimal
    """Of one protected unit: epsilon, or rho."""
    weight_noise_scale: Decimal
    """The largest scale (Gaussian: standard deviation) of the noise on a weight, in what it counts."""

    def sentence(self, unit: str) -> str:
        """What a reader should know of them; without a full stop."""
        constants = (
            f"of each {unit} at most {self.hats_per_vehicle} of {self.candidate_hats} candidate HATs count"
            if self.weight == VEHICLES_DP
            else f"{self.listed_hats} of {self.candidate_hats} candidate HATs are listed by public counts"
        )
        counted, scale = self.weight.removesuffix("_dp"), plain(Decimal(f"{self.weight_noise_scale:.3g}"))
        return (
            f"{constants}; every one of them has a noisy sum, divided by a noisy number of {counted} "
            f"({self.weight}, noise scale up to {scale}); a HAT is published where that number is at least "
            f"{self.threshold}"
        )


def bounding_to_json(facts: BoundingFacts) -> dict[str, Any]:
    """As plain JSON values; decimals are plain text."""
    return {
        "hats_per_vehicle": facts.hats_per_vehicle,
        "candidate_hats": facts.candidate_hats,
        "listed_hats": facts.listed_hats,
        "threshold": facts.threshold,
        "weight": facts.weight,
        "noise": facts.noise,
        "spend_per_unit": plain(facts.spend),
        "weight_noise_scale": plain(facts.weight_noise_scale),
    }


def bounding_from_json(stored: Mapping[str, Any]) -> BoundingFacts:
    """The inverse of `bounding_to_json`."""
    return BoundingFacts(
        hats_per_vehicle=stored["hats_per_vehicle"],
        candidate_hats=stored["candidate_hats"],
        listed_hats=stored["listed_hats"],
        threshold=stored["threshold"],
        weight=stored["weight"],
        noise=stored["noise"],
        spend=Decimal(stored["spend_per_unit"]),
        weight_noise_scale=Decimal(stored["weight_noise_scale"]),
    )
