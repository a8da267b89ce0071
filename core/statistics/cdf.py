"""Statistic `cdf`: shares of records up to each speed: bins, tree, weights and their columns (method 9)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_rounding import floor_epsilon, plain
from core.counted import count_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.grouping.groupings import m_ub_field
from core.grouping.m_ub import EPSILON_RULES, MEDIAN
from core.mechanisms.base import epsilon_of_same_variance
from core.mechanisms.noise_field import linear_noise_field, noise_field
from core.noise.laplace_normal import half_width_95
from core.noise.source import NoiseSource
from core.parameter_fields import choice, number
from core.privacy import Relation
from core.quantity import SPEED
from core.statistics.base import (
    AnyStatistic,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Label,
    MadeBy,
    Measure,
    MeasurePlan,
    Question,
    Statistic,
)
from core.statistics.cdf_band import BAND, ExpectedBand
from core.statistics.cdf_consistency import LeastSquares, least_squares, to_curve
from core.statistics.cdf_design import (
    BINARY,
    FLAT,
    KINDS,
    MIXED,
    UNIFORM,
    choose_tree,
    laplace_variance,
    tree_error,
)
from core.statistics.cdf_model import ShareBias, model_shares, no_share_bias, share_bias
from core.statistics.cdf_tree import level_sums
from core.statistics.cdf_weights import RECORDS, USER, Weights, bin_edges, weigh, weigh_bins
from core.statistics.gaussian_noise import deviation_of, gaussian_facts, noisy_numbers
from core.statistics.intervals import interval_around
from core.texts import text_of

_SHARE = Measure(
    name="cumulative_share",
    low="ci95_low_share",
    high="ci95_high_share",
    bias="bias_bound_share",
    unclamped="share_unclamped",
    deviation="noise_and_bias_share",
    unit="",
    decimals=6,
    description="Share of records at or below {name}_{column_unit}, with noise; empty if suppressed",
    largest=1,
)
_SHARE_OF_VEHICLES = dataclasses.replace(
    _SHARE,
    name="cumulative_share_of_vehicles",
    description=(
        "Mean, over vehicles (over protected units, where these are smaller), of the share of each one's "
        "records at or below {name}_{column_unit}, with noise; empty if suppressed"
    ),
)
CUMULATIVE_SHARE = _SHARE.of(SPEED)
WEIGHTING = {
    RECORDS: "every record counts alike; of one protected unit at most m_UB records of a HAT count",
    USER: "every protected unit counts alike: each of its m_l records of a HAT weighs floor(2^20 / m_l)",
}
"""How records count, by the parameter `weights`."""
_EPSILON_OF_LEVELS = (
    "the levels of the tree share the HAT's epsilon equally, in steps of 1e-6; what is left over goes to the "
    "top level"
)
_RHO_OF_LEVELS = "the counts of all levels of the tree are one vector, with the HAT's whole rho"
MILLION = 10**6
MOST_BINS = 10_000
MOST_OF_ONE = 10**6
"""Records of one vehicle in a HAT that a distribution may limit, where the number is typed."""
_ONE = Decimal(1)


def _bins_field() -> Any:
    return number(
        650,
        2,
        MOST_BINS,
        whole=True,
        proposed=13,
        label="Bins",
        help="The range from the lower to the upper bound is cut into this many bins of equal width.",
    )


def _tree_field() -> Any:
    return choice(
        MIXED,
        KINDS,
        label="Tree",
        help="Which counts get noise: each bin alone, or also groups of bins, by the branching of a tree.",
        titles={
            FLAT: "bins alone (flat)",
            BINARY: "pairs (binary)",
            UNIFORM: "equal (uniform)",
            MIXED: "the best (mixed)",
        },
    )


def _weights_field(default: str) -> Any:
    return choice(
        default,
        (RECORDS, USER),
        label="Weights",
        help="Every record counts alike, up to a cap per vehicle; or every vehicle counts alike.",
        titles={RECORDS: "records alike", USER: "vehicles alike"},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CdfParams:
    """How finely values are distinguished, by which tree, how much a vehicle counts, and which noise."""

    bins: int = _bins_field()
    tree: str = _tree_field()
    weights: str = _weights_field(RECORDS)
    m_ub: str | int = m_ub_field(MEDIAN)
    noise: str = linear_noise_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedCdfParams:
    """The same of relation `user`: no rule that looks at counts bounds what a vehicle gives."""

    bins: int = _bins_field()
    tree: str = _tree_field()
    weights: str = _weights_field(USER)
    m_ub: int = number(
        0,
        0,
        MOST_OF_ONE,
        whole=True,
        label="Records of a vehicle",
        help="With weights `records`: a public number, how many records of a vehicle count in a hexagon "
        "slot at most; 0: not typed.",
    )
    noise: str = noise_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class CdfPlan:
    """What the draw of one HAT needs; public."""

    edges: NDArray[np.int64]
    """Shape (N,): right edges of the bins, thousandths of km/h."""
    weights: Weights
    budgets: tuple[Decimal, ...]
    """Of each level, top first; together exactly the HAT's epsilon. Of Gaussian noise none: one rho pays for
    all levels."""
    moved: int
    """The most that one user moves a level in L1; where the noise is Gaussian all levels together in L2."""
    sensitivity: float
    """Of all levels together, as a share of the total."""
    noise_scale: float
    """The largest of a node, as a share of the total."""
    estimator: LeastSquares
    deviation: NDArray[np.float64]
    """Shape (N,): exact standard deviation of each share before it is made increasing; the last is 0."""
    band: float
    """In how many of them a share's error lies with probability 0.95."""
    bias: ShareBias
    """Of shares whose weights are not those of the records."""
    measure: str
    """What the share is called."""


class _Curves(Statistic[Question[CdfParams], CdfPlan]):
    """Noise on every level of a tree over the bins, then least squares, isotonic regression, clamping.

    The total is public and gets no noise. With weights `records` the curve is that of all records, and
    its bias that of the records above m_UB; with `user` it is the mean of the vehicles' own curves,
    whose only bias is the rounding of weights. The interval is pointwise.
    """

    reference: ClassVar[str] = "P4"
    summary: ClassVar[str] = (
        "The share of records at or below each {value}; with weights `user`, every vehicle counts alike."
    )
    method: ClassVar[str] = "cdf"
    relations: ClassVar[frozenset[Relation]] = frozenset(Relation)
    Params: ClassVar[type] = CdfParams
    BoundedParams: ClassVar[type | None] = BoundedCdfParams
    label: ClassVar[Label | None] = Label(
        name="{name}_{column_unit}",
        description="Right edge of the bin: records at or below this {value} are counted",
    )

    def made_by(
        self, question: Question[CdfParams], plans: Sequence[HatPlan[CdfPlan]]
    ) -> Mapping[str, MadeBy]:
        """How records count, and the tree, which is that of every HAT."""
        noise = gaussian_facts(plan.rho for plan in plans)
        return {
            "weighting": WEIGHTING[question.params.weights],
            "branching_factors": plans[0].detail.estimator.tree.factors,
            **noise,
            "budget_of_levels": _RHO_OF_LEVELS if noise else _EPSILON_OF_LEVELS,
        }

    def labels_of(self, parameters: Mapping[str, Any], upper_bound: int) -> tuple[int, ...]:
        lower = self.quantity.lower
        return tuple(edge + lower for edge in bin_edges(parameters["bins"], upper_bound).tolist())

    def scale(self, counts: HatCounts, question: Question[CdfParams]) -> float | None:
        """Root mean squared noise of the shares at epsilon 1."""
        params = question.params
        if params.weights == RECORDS and params.m_ub in EPSILON_RULES:
            return None
        return _root_mean_square(_planned(counts, _ONE, question).deviation)

    def equal_numbers(self, question: Question[CdfParams]) -> float:
        """By the root mean square over the edges, with the best tree for either noise: a level moves by two
        weights in L1 and by sqrt(2) of them in L2.
        """
        params = question.params
        laplace, gaussian = (
            tree_error(choose_tree(params.tree, params.bins, gaussian=kind), gaussian=kind)
            for kind in (False, True)
        )
        return 4.0 / math.pi * laplace / gaussian

    def plan(self, counts: HatCounts, epsilon: Decimal, question: Question[CdfParams]) -> HatPlan[CdfPlan]:
        """Sensitivity and noise scale are those of all levels as one vector, as shares of the total.

        The error at worst is the root mean square over the bins, plus the bias.
        """
        return _hat_plan(_planned(counts, epsilon, question), epsilon, Decimal(0))

    def plan_gaussian(
        self, counts: HatCounts, rho: Decimal, epsilon: Decimal, question: Question[CdfParams]
    ) -> HatPlan[CdfPlan]:
        """The tree is the best one for such noise. Rules for m_UB that ask for an epsilon get that at which
        Laplace noise on one number varies as much.
        """
        return _hat_plan(_planned_gaussian(counts, rho, question), epsilon, rho)

    def expected_band(self, plan: HatPlan[CdfPlan]) -> ExpectedBand:
        detail = plan.detail
        shares = model_shares(detail.edges, detail.bias.upper_kmh)
        return ExpectedBand(
            edges=(detail.edges + self.quantity.lower) / THOUSAND,
            shares=shares,
            half=detail.band * np.hypot(detail.deviation, detail.bias.deviation(shares)),
            start=self.quantity.lower / THOUSAND,
            unit=self.quantity.unit,
        )

    def gaussian_vector(self, plan: HatPlan[CdfPlan]) -> tuple[int, int]:
        return plan.detail.moved, sum(plan.detail.estimator.tree.nodes)

    def draw(self, plan: HatPlan[CdfPlan], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        detail = plan.detail
        weights, tree = detail.weights, detail.estimator.tree
        sums = level_sums(tree, weigh_bins(weights, data.users, detail.edges))
        if plan.rho:
            drawn = noisy_numbers(noise, np.concatenate(sums), detail.moved, plan.rho)
            noisy = np.split(drawn, np.cumsum(tree.nodes[:-1]))
        else:
            noisy = [
                np.atleast_2d(noise.laplace_vector(level, detail.moved, spend=budget))[0]
                for level, budget in zip(sums, detail.budgets, strict=True)
            ]
        return _estimates(detail, detail.estimator.prefix_sums(noisy, weights.total))


class CdfOfVehicles(_Curves):
    """What a distribution with weights `user` is published as: its shares are not those of records."""

    key: ClassVar[str] = "cdf_of_vehicles"
    title: ClassVar[str] = "Distribution of {values}, every vehicle alike"
    table: ClassVar[str] = "{name}_cdf_of_vehicles_by_hat"
    table_title: ClassVar[str] = "Distribution of {values} of vehicles in every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (_SHARE_OF_VEHICLES,)


OF_VEHICLES = CdfOfVehicles()


class Cdf(_Curves):
    """What a spec asks for; with weights `records` its own data file is filled."""

    key: ClassVar[str] = "cdf"
    title: ClassVar[str] = "Distribution of {values}"
    table: ClassVar[str] = "{name}_cdf_by_hat"
    table_title: ClassVar[str] = "Distribution of {values} in every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (_SHARE,)
    models_bias: ClassVar[bool] = True
    variants: ClassVar[tuple[AnyStatistic, ...]] = (OF_VEHICLES,)

    def published(self, question: Question[CdfParams]) -> AnyStatistic:
        return self.variants[0] if question.params.weights == USER else self


def level_budgets(epsilon: Decimal, height: int) -> tuple[Decimal, ...]:
    """Equal budgets in steps of 1e-6, what is left over to the first; together exactly `epsilon`.

    Raises InputError where a level would get nothing.
    """
    each = floor_epsilon(epsilon / height)
    if each <= 0:
        raise InputError(
            "An epsilon of {epsilon} cannot be divided over the {counted_levels} of the tree.",
            epsilon=plain(epsilon),
            counted_levels=count_of(height, "level"),
            where="query.parameters, tree",
            mend='write a larger epsilon, or tree = "flat"',
        )
    return (epsilon - each * (height - 1), *[each] * (height - 1))


def _hat_plan(detail: CdfPlan, epsilon: Decimal, rho: Decimal) -> HatPlan[CdfPlan]:
    weights = detail.weights
    error = _root_mean_square(detail.deviation) + weights.bias_bound
    measure = MeasurePlan(
        sensitivity=detail.sensitivity,
        noise_scale=detail.noise_scale,
        bias_bound=weights.bias_bound,
        typical_error=detail.bias.typical_error(detail.edges, detail.deviation),
        error_at_worst=min(error, 1.0),
    )
    return HatPlan(epsilon=epsilon, measures=(measure,), m_ub=weights.m_ub, detail=detail, rho=rho)


def _require_bins(counts: HatCounts, params: CdfParams) -> None:
    if not 2 <= params.bins <= min(MOST_BINS, counts.upper_bound):
        raise InputError(
            "A distribution of {counted_bins} cannot be released: there must be at least two, as the share "
            "below the upper bound is always 1, and none narrower than 0.001 of the unit.",
            counted_bins=count_of(params.bins, "bin"),
            where="query.parameters, bins",
            mend=text_of(
                "write an integer from 2 to {most_bins}", most_bins=min(MOST_BINS, counts.upper_bound)
            ),
        )


def _planned(counts: HatCounts, epsilon: Decimal, question: Question[CdfParams]) -> CdfPlan:
    params = question.params
    _require_bins(counts, params)
    tree = choose_tree(params.tree, params.bins)
    budgets = level_budgets(epsilon, tree.height)
    weights = weigh(counts, params.weights, params.m_ub, epsilon)
    estimator = least_squares(tree, tuple(laplace_variance(float(budget)) for budget in budgets))
    moved = weights.moved / weights.total
    return CdfPlan(
        edges=bin_edges(params.bins, counts.upper_bound),
        weights=weights,
        budgets=budgets,
        moved=weights.moved,
        sensitivity=moved * len(budgets),
        noise_scale=moved / float(min(budgets)),
        estimator=estimator,
        deviation=np.sqrt(estimator.prefix_variances()) * moved,
        band=BAND,
        bias=_bias(counts, weights, params),
        measure=question.statistic.published(question).measures[0].name,
    )


def _planned_gaussian(counts: HatCounts, rho: Decimal, question: Question[CdfParams]) -> CdfPlan:
    """All levels as one vector: every node gets the same noise, as if its level had an equal part of rho."""
    params = question.params
    _require_bins(counts, params)
    tree = choose_tree(params.tree, params.bins, gaussian=True)
    weights = weigh(counts, params.weights, params.m_ub, epsilon_of_same_variance(rho))
    estimator = least_squares(tree, (1.0,) * tree.height)
    moved = weights.moved_together(tree.height)
    scale = deviation_of(moved / weights.total, rho)
    return CdfPlan(
        edges=bin_edges(params.bins, counts.upper_bound),
        weights=weights,
        budgets=(),
        moved=moved,
        sensitivity=moved / weights.total,
        noise_scale=scale,
        estimator=estimator,
        deviation=np.sqrt(estimator.prefix_variances()) * scale,
        band=half_width_95(0.0, 1.0),
        bias=_bias(counts, weights, params),
        measure=question.statistic.published(question).measures[0].name,
    )


def _bias(counts: HatCounts, weights: Weights, params: CdfParams) -> ShareBias:
    return share_bias(counts, weights) if params.weights == RECORDS else no_share_bias(counts)


def _root_mean_square(deviation: NDArray[np.float64]) -> float:
    return math.sqrt(float((deviation**2).mean()))


def _estimates(plan: CdfPlan, sums: NDArray[np.float64]) -> tuple[Estimate, ...]:
    """Published shares and intervals, in millionths.

    The interval lies around the least squares, whose law is known, and is widened where the increasing
    curve leaves it: that can only make it safer. It allows for the modelled bias at the released share.
    """
    total = plan.weights.total
    curve = to_curve(sums, total)
    shares = np.rint(curve * MILLION).astype(np.int64)
    centres = np.rint(sums / total * MILLION).astype(np.int64)
    deviation = np.hypot(plan.deviation, plan.bias.deviation(curve))
    half = plan.band * deviation
    reach = np.where(half > 0.0, np.ceil(half * MILLION + 0.5), 0.0).astype(np.int64)
    bias = np.full(shares.size, math.ceil(plan.weights.bias_bound * MILLION))
    bias[-1] = 0
    columns = (shares, centres, reach, bias, plan.edges, np.rint(deviation * MILLION).astype(np.int64))
    return tuple(
        _estimate(plan.measure, *row) for row in zip(*(column.tolist() for column in columns), strict=True)
    )


def _estimate(
    measure: str, share: int, centre: int, reach: int, bias: int, edge: int, deviation: int
) -> Estimate:
    low, high, informative = interval_around(centre, reach, largest=MILLION)
    return Estimate(
        measure=measure,
        value=share,
        low=min(low, share),
        high=max(high, share),
        unclamped=centre,
        informative=informative,
        bias_bound=bias,
        label=edge,
        deviation=deviation,
    )


STATISTIC = Cdf()
