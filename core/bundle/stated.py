"""What `privacy.json` states, by the format that it names: the inverse of `privacy_statement`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType

from core.accounting.epsilon_rounding import PlainDecimal
from core.accounting.exact_loss import RUNNING
from core.accounting.query_epsilons import QueryEpsilons
from core.bounding.bounding_facts import BoundingFacts
from core.bundle.query_facts import Asked, CapRange, ErrorFigures, ScaleFigures, SuppressedHats
from core.bundle.region_facts import RegionFacts
from core.bundle.smoothed_facts import SlopeFacts, Spreads
from core.codec import key
from core.hats.places import HEXAGON
from core.parameter_fields import Value
from core.privacy import Relation, Unit
from core.release_texts import Handling, RegistryTexts, SeriesTexts
from core.signed.bundle_names import STATEMENT_FORMAT
from core.statistics.base import MadeBy
from core.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAmounts:
    """One amount of each unit."""

    vehicle_hat_day: PlainDecimal = field(metadata=key("vehicle-hat-day"))
    vehicle_day: PlainDecimal = field(metadata=key("vehicle-day"))
    vehicle: PlainDecimal

    @property
    def by_unit(self) -> dict[Unit, Decimal]:
        """The same by unit."""
        return {
            Unit.VEHICLE_HAT_DAY: self.vehicle_hat_day,
            Unit.VEHICLE_DAY: self.vehicle_day,
            Unit.VEHICLE: self.vehicle,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDetails:
    """What is protected, in words."""

    protected: str
    neighbours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedHeadline:
    """The charge that is named first."""

    epsilon: PlainDecimal
    delta: PlainDecimal
    rho: PlainDecimal | None = None
    unit: Unit
    relation: Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedBounds:
    """What values are clamped to, in their unit; of another quantity than speed also what columns call it."""

    name: str | None = None
    column_unit: str | None = None
    lower: str
    upper: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPeriod:
    """The window."""

    date_ranges: tuple[tuple[dt.date, dt.date], ...]
    days: int
    hours: tuple[str, str]
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPeriodOfDay:
    """A part of the day with a name."""

    name: str
    start: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedGroup:
    """What tells rows of one place and time apart."""

    name: str
    labels: tuple[str, ...]
    dates: Mapping[str, tuple[dt.date, ...]] | None = None
    """Of kinds of day: label -> the dates that are of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedGrid:
    """Hexagons, and slots of one length or periods."""

    h3_resolution: int
    slot_minutes: int = 0
    periods: tuple[StatedPeriodOfDay, ...] = ()
    groups: tuple[StatedGroup, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdGrid:
    """Places and slots: hexagons have a resolution, other places a kind."""

    h3_resolution: int = 0
    place: str = HEXAGON
    place_column: str = ""
    zones_sha256: str = ""
    slot_minutes: int = 0
    periods: tuple[StatedPeriodOfDay, ...] = ()
    groups: tuple[StatedGroup, ...] = ()
    coarser_h3_resolutions: tuple[int, ...] = ()
    """Of hexagons of several resolutions, coarsest first; `h3_resolution` is the finest."""
    hats_listed: bool = False
    """Of relation `user`: a list names the HATs, and not every place has every slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedGrids:
    """By which counts may have been compared before a grid was chosen: each resolution with each slot."""

    h3_resolutions: tuple[int, ...]
    slot_minutes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedSelection:
    """Which rows are published."""

    rule: str
    threshold: int | None
    minimum_vehicles: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKeyNames:
    """Who signed."""

    key_id: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthFigures:
    """Widths of intervals, with the decimals of their column."""

    smallest: str
    median: str
    largest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMeasureAccuracy:
    """Widths of a measure's intervals."""

    measure: str
    unit: str
    interval_width: WidthFigures | None
    bias_bound: WidthFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureAccuracy(FirstMeasureAccuracy):
    """And what its numbers may miss."""

    typical_error: ErrorFigures | None
    error_at_worst: ErrorFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstAccuracy:
    """Of one query."""

    query_id: str
    hats_published: int
    hats_suppressed: int
    measures: tuple[FirstMeasureAccuracy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedAccuracy(FirstAccuracy):
    """Of one query."""

    measures: tuple[MeasureAccuracy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedMeasure:
    """Sensitivity and scale of the noise of a measure."""

    measure: str
    sensitivity: ScaleFigures
    noise_scale: ScaleFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedMadeBy:
    """What made the numbers of a query: `QueryFacts` without what stands elsewhere."""

    parameters: Mapping[str, Value]
    asked: Asked
    m_ub: CapRange | None
    dwell_correction: bool
    suppression: SuppressedHats | None
    day_epsilons: QueryEpsilons | None
    details: Mapping[str, MadeBy]
    measures: tuple[StatedMeasure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothingModel:
    """The public constants of the prior, in the value's unit."""

    mean: str
    mean_spread: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedSmoothing:
    """What made smoothed numbers."""

    says: str
    model: SmoothingModel
    spreads: Spreads
    expected_error: ErrorFigures
    slope: SlopeFacts | None = None
    spreads_of_ranges: tuple[Spreads, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstQuery:
    """One query."""

    query_id: str
    statistic: str
    mechanism: str
    mechanism_reference: str
    noise: str
    charges: UnitAmounts
    charges_pure: UnitAmounts | None = None
    charges_rho: UnitAmounts | None = None
    delta: PlainDecimal
    sensitivity: PlainDecimal
    noise_scale: PlainDecimal
    unit_of_value: str
    contribution_cap: int | None
    budget_division: str
    regions: RegionFacts | None = None
    bounding: BoundingFacts | None = None

    @property
    def formula(self) -> str:
        """What its epsilons and those of its rows are stated by."""
        return RUNNING


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedQuery(FirstQuery):
    """And what made it."""

    interval_covers: str
    made_by: StatedMadeBy | None
    """None where the draws were stored before it was recorded."""
    smoothing: StatedSmoothing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStatement:
    """Of the first format."""

    format: str
    name: str
    version: str
    practice: bool = False
    counts: bool = False
    """Exact counts stand beside the numbers."""
    title: str
    data_curators: tuple[str, ...]
    contact: str
    licence: str
    publication_date: dt.date
    data_product_type: str
    data_product_sector: str
    intended_use: str
    dp_variant: str
    privacy_unit: Unit
    relation: Relation
    privacy_unit_details: UnitDetails
    headline: StatedHeadline
    charges: UnitAmounts
    charges_pure: UnitAmounts | None = None
    charges_rho: UnitAmounts | None = None
    cumulative: UnitAmounts
    cumulative_delta: PlainDecimal = Decimal(0)
    delta_before: PlainDecimal | None = None
    cumulative_pure: UnitAmounts | None = None
    cumulative_rho: UnitAmounts | None = None
    conversion: str = ""
    limits: Mapping[Unit, PlainDecimal | None]
    reserved_on: dt.date
    unprotected_quantities: tuple[str, ...]
    parameters_chosen_after_confidential_evaluation: bool
    queries: tuple[FirstQuery, ...]
    bounds: StatedBounds
    period: StatedPeriod
    grid: StatedGrid
    selection: StatedSelection
    deployment_model: str
    release_type: str
    composition: Mapping[Unit, str]
    preprocessing: tuple[str, ...]
    post_processing: tuple[str, ...]
    missing_value_handling: str
    noise_source: str
    accuracy: tuple[FirstAccuracy, ...]
    confidence_level: str
    software: Mapping[str, str]
    signature: SigningKeyNames


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondStatement(FirstStatement):
    """Of the second format: what made each query, and by which rule the intervals came about."""

    map_files: str = ""
    queries: tuple[StatedQuery, ...]
    interval_rule: str
    pings: str | None = None
    accuracy: tuple[StatedAccuracy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdHeadline(StatedHeadline):
    """And by which formula, and what an attacker finds."""

    conversion: str = ""
    mu: PlainDecimal | None = None
    power_at_1_percent: PlainDecimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdQuery(StatedQuery):
    """And by which formula its epsilons are stated, and what an attacker finds."""

    conversion: str = ""
    charges_mu: UnitAmounts | None = None
    charges_power_at_1_percent: UnitAmounts | None = None
    counts_contradicted: PlainDecimal | None = None
    """How many times too large released weights show the public counts to be; below 1: too small."""

    @property
    def formula(self) -> str:
        return self.conversion or RUNNING


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdStatement(SecondStatement):
    """Of the third format: one release by itself is stated exactly, beside the running total.

    What was added to the format has a default, so that bundles from before the addition are read.
    """

    headline: ThirdHeadline
    charges_mu: UnitAmounts | None = None
    charges_power_at_1_percent: UnitAmounts | None = None
    cumulative_conversion: str = ""
    grids_compared: ComparedGrids | None = None
    vehicle_fold: bool = False
    filter: Mapping[str, tuple[str, ...]] | None = None
    subject: Subject | None = None
    vehicles_alike: int = 0
    portal_files: str = ""
    languages: tuple[str, ...] = ()
    series: SeriesTexts | None = None
    registry: RegistryTexts | None = None
    handling: Handling | None = None
    queries: tuple[ThirdQuery, ...]
    grid: ThirdGrid  # type: ignore[assignment]


STATEMENTS: Mapping[str, type[FirstStatement]] = MappingProxyType(
    {
        "hexveil-privacy-1": FirstStatement,
        "hexveil-privacy-2": SecondStatement,
        STATEMENT_FORMAT: ThirdStatement,
    }
)
"""Name of a format -> what it states."""
