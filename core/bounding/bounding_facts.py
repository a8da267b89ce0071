"""How relation `user` bounds units, in sentences: what counts, of how many candidates (method 12).

With them a reader works every charge and scale out again; no number of them depends on any record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from core.accounting.epsilon_rounding import PlainDecimal, plain
from core.bounding.enforcement_facts import EnforcementFacts
from core.bounding.weight_columns import CAPPED_RECORDS_DP, RECORDS_DP, VEHICLE_DAYS_DP, VEHICLES_DP
from core.codec import key
from core.counted import count_of
from core.texts import text_of

NOISY_WEIGHTS = {
    VEHICLES_DP: "vehicles (unit vehicle-day: vehicles and days) that count, each in a limited number of "
    "HATs",
    RECORDS_DP: "records that count, of each vehicle as many as the total pays for",
    VEHICLE_DAYS_DP: "vehicles and days that count: a vehicle once on each of a limited number of days, in a "
    "limited number of HATs",
    CAPPED_RECORDS_DP: "records that count, of each vehicle a limited number in a limited number of HATs",
}
"""Column of the noisy weight -> what it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundingFacts:
    """Public constants, and what follows from them alone."""

    hats_per_vehicle: int
    """C."""
    days_per_vehicle: int | None = None
    """The most days of one vehicle that count; None where days do not count apart."""
    candidate_hats: int
    listed_hats: int
    """Of the candidates, those that public counts list, or whose region is published; all of them where there
    are no public counts."""
    regions: int | None = None
    """How many are published in place of HATs, if they are."""
    threshold: int | None
    """The noisy weight that publishes a HAT, in what it counts; None where every candidate is published."""
    weight: str | None
    """Column of the noisy weight: a key of `NOISY_WEIGHTS`; None where nothing is divided by one."""
    noise: str
    """`laplace` or `gauss`."""
    spend: PlainDecimal = field(metadata=key("spend_per_unit"))
    """Of one protected unit: epsilon, or rho."""
    weight_noise_scale: PlainDecimal | None
    """The largest scale (Gaussian, and of a total of several noisy numbers: standard deviation) of the noise
    on a weight, in what it counts; None where there is no weight."""
    derived: bool = field(default=False, metadata=key("derived_speed"))
    """Values follow from positions of a vehicle, wherever these lie."""
    signed: bool = field(default=False, metadata=key("counts_tell_of_means"))
    """Public counts tell more of the means than how exact they are: smoothed numbers start from them."""
    enforcement: EnforcementFacts | None = None
    """What limits records; None where constants alone decide."""

    @property
    def by_public_counts(self) -> bool:
        """Prices by public counts limit records (method 12.5)."""
        return self.weight == RECORDS_DP

    @property
    def counted(self) -> str:
        """What the weight counts, in a word or two; empty where there is none."""
        return (self.weight or "").removesuffix("_dp").replace("_", " ")

    @property
    def errors_known_of(self) -> str:
        """Which HAT a typical error is stated for."""
        if self.regions is not None:
            return "in every region if public counts are right"
        if self.by_public_counts:
            return "in the median hexagon slot of the public counts"
        if self.weight is None:
            return "in every hexagon slot"
        assert self.threshold is not None
        counted = {
            VEHICLES_DP: count_of(self.threshold, "vehicle"),
            VEHICLE_DAYS_DP: count_of(self.threshold, "vehicle day"),
            CAPPED_RECORDS_DP: count_of(self.threshold, "capped record"),
        }
        return text_of("in a hexagon slot of {counted_weight}", counted_weight=counted[self.weight])

    def sentence(self, unit: str) -> str:
        """What a reader should know of them; without a full stop."""
        statement = self._statement(unit)
        return (
            text_of("{statement}; speeds follow from consecutive positions of a vehicle", statement=statement)
            if self.derived
            else statement
        )

    def _statement(self, unit: str) -> str:
        constants, one = self._constants(unit), "hexagon slot" if self.regions is None else "region"
        if self.days_per_vehicle is not None:
            constants += text_of(
                ", on at most {days_per_vehicle} of its days", days_per_vehicle=self.days_per_vehicle
            )
        if self.weight_noise_scale is None:
            return text_of(
                "{constants}; every one of them has noisy numbers and is published", constants=constants
            )
        scale = plain(Decimal(f"{self.weight_noise_scale:.3g}"))
        return text_of(
            "{constants}; every one of them has a noisy sum, divided by a noisy number of {counted} "
            "({weight}, noise scale up to {scale}); a {one} is published where that number is at least "
            "{threshold}",
            constants=constants,
            counted=self.counted,
            weight=self.weight,
            scale=scale,
            one=one,
            threshold=self.threshold,
        )

    def _constants(self, unit: str) -> str:
        if self.regions is not None:
            return text_of(
                "{listed_hats} of {candidate_hats} candidate hexagon slots lie in {counted_regions}, by "
                "public counts",
                listed_hats=self.listed_hats,
                candidate_hats=self.candidate_hats,
                counted_regions=count_of(self.regions, "region"),
            )
        if self.by_public_counts:
            return text_of(
                "{listed_hats} of {candidate_hats} candidate hexagon slots are listed by public counts",
                listed_hats=self.listed_hats,
                candidate_hats=self.candidate_hats,
            )
        return text_of(
            "of each {unit} at most {hats_per_vehicle} of {candidate_hats} candidate hexagon slots count",
            unit=unit,
            hats_per_vehicle=self.hats_per_vehicle,
            candidate_hats=self.candidate_hats,
        )
