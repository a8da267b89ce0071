"""Plan and enforce, and its parameters: public fleet, vehicles, records, weights, promise (method 12.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from core.mechanisms.noise_field import noise_field
from core.mechanisms.region_fields import promised_error_field, regions_field
from core.mechanisms.smooth_field import smooth_field
from core.mechanisms.tokens import BY_VEHICLES, EQUAL_IMPORTANCE
from core.mechanisms.whole_release import WholeRelease
from core.parameter_fields import choice, number

_MOST = 10**9


def _typed(label: str, help_text: str) -> Any:
    """A public number that somebody types; 0: not typed."""
    return number(0, 0, _MOST, whole=True, label=label, help=help_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedParams:
    """What is thought of the city beforehand, none of it from the records; and how the budget is divided."""

    noise: str = noise_field()
    smooth: bool = smooth_field(default=True)
    fleet: int = _typed("Fleet", "Public number of vehicles in total (unit vehicle-day: vehicles and days).")
    vehicles: int = _typed(
        "Vehicles per hexagon slot",
        "Public number of vehicles in each hexagon slot, used without a file of public counts.",
    )
    records: int = _typed(
        "Records of a vehicle",
        "Public number of records per vehicle in each hexagon slot, used without such a file.",
    )
    share: float = number(
        0.75,
        0.01,
        0.99,
        label="Share of sums",
        help="Part of the budget that pays for sums; the rest pays for their weights. In hundredths.",
        advanced=True,
    )
    importance: str = choice(
        EQUAL_IMPORTANCE,
        (EQUAL_IMPORTANCE, BY_VEHICLES),
        label="Importance of hexagon slots",
        help=(
            "More important hexagon slots get less noise: all alike, based on their public number of "
            "vehicles, or on a column of the boundary's file."
        ),
        text=True,
        titles={EQUAL_IMPORTANCE: "all alike", BY_VEHICLES: "by their vehicles"},
        advanced=True,
        later=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedMeanParams(EnforcedParams):
    """The same of a mean, which regions may have in place of HATs."""

    regions: bool = regions_field(later=True)
    promised_error: float = promised_error_field(
        "Largest average error of a region's number if public counts are right, in the unit of the "
        "value; its interval shows how far off it can really be.",
        later=True,
    )


class EnforcedMean(WholeRelease[EnforcedMeanParams]):
    """The mean over records; `core.bounding.plan_and_enforce` plans and draws it."""

    key: ClassVar[str] = "plan-and-enforce"
    title: ClassVar[str] = "Plan and enforce"
    reference: ClassVar[str] = "ours, method"
    summary: ClassVar[str] = (
        "Relation user: public counts price a record of each hexagon slot; a vehicle whose "
        "records cost more than the "
        "total counts in part."
    )
    takes_public_counts: ClassVar[bool] = True
    Params = EnforcedMeanParams


MECHANISM = EnforcedMean()
