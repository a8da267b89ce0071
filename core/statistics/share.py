"""Statistic `share`: shares in ranges, percentiles and the mean from them, raw or smoothed (city-release 14).

All ranges of all hexagon slots are one release by tokens: `core.shares` plans and draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, ClassVar, NoReturn

from core.errors import InputError, InternalError
from core.fixed_point import THOUSAND
from core.mechanisms.enforced_mean import EnforcedParams
from core.mechanisms.smooth_field import smooth_field
from core.mechanisms.tokens import TokensParams, importance_field, mode_field, token_noise_field
from core.noise.source import NoiseSource
from core.parameter_fields import Pair, numbers, pairs
from core.privacy import Relation
from core.quantity import MOST_OF_VALUE
from core.statistics.base import (
    UPPER_BOUND,
    AnyStatistic,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Label,
    Measure,
    Question,
    Statistic,
)
from core.statistics.ranges import Ranges, checked_ranges, proposed_edges

SHARE_DECIMALS = 6
MILLIONTHS = 10**SHARE_DECIMALS
"""Shares are published in these."""
MEAN_LABEL = 100 * THOUSAND
"""Of the mean among percentiles: above all that can be asked for."""
HIDDEN = "hidden_by_ranges_in_thousandths"
"""Stated where a mean follows from shares, and is published."""
_WIDEST = 10**10
"""A range of shares is one number, its lower end times this plus its width, in thousandths."""
VALUE_SHARE = Measure(
    name="share",
    low="ci95_low_share",
    high="ci95_high_share",
    bias="",
    modelled_bias="modelled_bias_share",
    unclamped="share_unclamped",
    deviation="noise_and_bias_share",
    unit="",
    decimals=SHARE_DECIMALS,
    percent=True,
    description="Share of the records in the range with noise, from 0 to 1; empty if suppressed",
    largest=1,
)
SMOOTHED_SHARE = Measure(
    name="share_smoothed",
    low="smoothed_low_share",
    high="smoothed_high_share",
    bias="",
    unit="",
    decimals=SHARE_DECIMALS,
    percent=True,
    description="Estimate of the share under a prior: the raw share smoothed with its neighbours in space "
    "and time; empty if suppressed",
    largest=1,
)


VALUE_PERCENTILE = Measure(
    name="{name}_{column_unit}",
    low="ci95_low_{column_unit}",
    high="ci95_high_{column_unit}",
    bias="",
    unit="{unit}",
    decimals=3,
    description="The {value} that so many percent of the records do not exceed, from noisy shares; the ends "
    "of its interval lie on edges of ranges; empty if suppressed",
    largest=UPPER_BOUND,
)
SMOOTHED_PERCENTILE = Measure(
    name="{name}_smoothed_{column_unit}",
    low="smoothed_low_{column_unit}",
    high="smoothed_high_{column_unit}",
    bias="",
    unit="{unit}",
    decimals=3,
    description="The same from smoothed shares: an estimate under a prior; empty if suppressed",
    largest=UPPER_BOUND,
)


def _ranges_field() -> Any:
    return pairs(
        -MOST_OF_VALUE,
        MOST_OF_VALUE,
        label="Ranges",
        help="Public ranges of the value, each from its first end to just below its second; at the upper "
        "bound the second end belongs to it. None: ranges that tile the bounds.",
    )


def _percentiles_field() -> Any:
    return numbers(
        (),
        0.1,
        99.9,
        decimals=1,
        label="Percentiles",
        help="Which percentiles are computed from the shares, in rising order, such as 15, 50 and 85; the "
        "ranges must tile the bounds. They cost no more.",
        optional=True,
        rising=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareParams:
    """Which ranges, and how tokens are shared out."""

    ranges: tuple[Pair, ...] = _ranges_field()
    percentiles: tuple[float, ...] = _percentiles_field()
    mode: str = mode_field()
    noise: str = token_noise_field()
    smooth: bool = smooth_field(default=True)
    importance: str = importance_field()

    @property
    def tokens(self) -> TokensParams:
        """How the mean of the same hexagon slots would be planned."""
        return TokensParams(mode=self.mode, noise=self.noise, importance=self.importance)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedShareParams(EnforcedParams):
    """Which ranges, and what is thought of the city beforehand, in relation `user`."""

    ranges: tuple[Pair, ...] = _ranges_field()
    percentiles: tuple[float, ...] = _percentiles_field()


AnyShareParams = ShareParams | EnforcedShareParams


def range_label(low: int, high: int) -> int:
    """Both ends of a range as one number, which orders ranges by them; in thousandths."""
    return low * _WIDEST + high - low


def ends_of(label: int) -> tuple[int, int]:
    """The inverse of `range_label`."""
    low, width = divmod(label, _WIDEST)
    return low, low + width


def asked_ranges(params: AnyShareParams, lower: int, upper_bound: int) -> Ranges:
    """Those that are asked for, or the proposed ones, which tile the bounds.

    lower, upper_bound: in thousandths. Raises InputError for ranges that cannot be asked for, and for
    percentiles of ranges that do not tile.
    """
    found = checked_ranges(params.ranges or proposed_ranges(lower, upper_bound), lower, upper_bound)
    if params.percentiles and not found.tile:
        raise InputError(
            "Percentiles follow from ranges that tile the bounds without a gap, and these do not.",
            where="query.parameters, percentiles",
            mend="leave ranges out, or write some from the lower to the upper bound that follow each other",
        )
    return found


def proposed_ranges(lower: int, upper_bound: int) -> tuple[Pair, ...]:
    """Ranges that tile the bounds, in the value's unit; lower, upper_bound: in thousandths."""
    return tuple(pairwise(proposed_edges(lower, upper_bound)))


class _WholeCity(Statistic[Question[ShareParams], None]):
    """Planned and drawn for the whole city; no hexagon slot is answered alone."""

    reference: ClassVar[str] = "ours, city-release"
    method: ClassVar[str] = "tokens"
    joint: ClassVar[bool] = True
    relations: ClassVar[frozenset[Relation]] = frozenset(Relation)
    Params: ClassVar[type] = ShareParams
    BoundedParams: ClassVar[type | None] = EnforcedShareParams
    takes_public_counts: ClassVar[bool] = True
    bounded_method: ClassVar[str] = "plan-and-enforce"
    models_bias: ClassVar[bool] = True

    def counted_from_zero(self, estimates: tuple[Estimate, ...]) -> tuple[Estimate, ...]:
        """Everything is drawn as it is published."""
        return estimates

    def plan(self, _counts: HatCounts, _epsilon: Decimal, _question: Question[ShareParams]) -> HatPlan[None]:
        self._refuse()

    def draw(self, _plan: HatPlan[None], _data: HatRecords, _noise: NoiseSource) -> tuple[Estimate, ...]:
        self._refuse()

    @staticmethod
    def _refuse() -> NoReturn:
        raise InternalError("shares are planned and drawn for all hexagon slots together")


class SharePercentiles(_WholeCity):
    """What follows from shares of ranges that tile the bounds."""

    key: ClassVar[str] = "share_percentiles"
    title: ClassVar[str] = "Percentiles of {values}"
    summary: ClassVar[str] = (
        "The {value} that so many percent of the records of a hexagon slot do not exceed."
    )
    table: ClassVar[str] = "{name}_percentiles_by_hat"
    table_title: ClassVar[str] = "Percentiles of {values} in every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (VALUE_PERCENTILE,)
    smoothed: ClassVar[Measure | None] = SMOOTHED_PERCENTILE
    beside: ClassVar[str] = "share"
    label: ClassVar[Label | None] = Label(
        name="percentile",
        description="How many percent of the records do not exceed it",
        of_value=False,
        word="mean",
        word_number=MEAN_LABEL,
        word_fact=HIDDEN,
        word_description="; mean: the row is of {name}_mean_from_shares_{column_unit}, the mean of the "
        "records that follows from the noisy shares, and its interval allows for what ranges hide",
    )

    def labels_of(self, parameters: Mapping[str, Any], _upper_bound: int) -> tuple[int, ...]:
        return tuple(round(one * THOUSAND) for one in parameters["percentiles"])


PERCENTILES = SharePercentiles()


class Share(_WholeCity):
    """What a spec asks for."""

    key: ClassVar[str] = "share"
    title: ClassVar[str] = "Shares of {values} in ranges"
    summary: ClassVar[str] = (
        "Which part of a hexagon slot's records lies in each range of the {value}, for a city as a whole."
    )
    table: ClassVar[str] = "{name}_share_by_hat"
    table_title: ClassVar[str] = "Shares of {values} in ranges, in every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (VALUE_SHARE,)
    smoothed: ClassVar[Measure | None] = SMOOTHED_SHARE
    variants: ClassVar[tuple[AnyStatistic, ...]] = (PERCENTILES,)
    label: ClassVar[Label | None] = Label(
        name="range_low_{column_unit}",
        end="range_high_{column_unit}",
        description="Lower end of the range; it belongs to the range",
        end_description="Upper end of the range; it belongs to the range only at the upper bound",
    )

    def labels_of(self, parameters: Mapping[str, Any], upper_bound: int) -> tuple[int, ...]:
        lower = self.quantity.lower
        ranges = asked_ranges(ShareParams(ranges=parameters["ranges"]), lower, upper_bound)
        return tuple(range_label(low + lower, high + lower) for low, high in ranges.listed)


STATISTIC = Share()
