"""A query of relation `user` planned from constants: its one total, threshold, public counts (method 12)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from types import MappingProxyType

import numpy as np

from core.accounting.budgets import Budget
from core.accounting.exact_loss import conversion_of, lattice_error, stated_epsilon
from core.accounting.zcdp import rho_of
from core.arrays import Floats, Ints
from core.bounding.bounded_cdf import BoundedCdfPlan, draw_bounded_cdf, plan_bounded_cdf
from core.bounding.bounded_mean import SUMS, WEIGHTS, BoundedMeanPlan, draw_bounded_mean, plan_bounded_mean
from core.bounding.bounded_query2 import BoundedLimitsPlan, draw_bounded_query2, plan_bounded_query2
from core.bounding.bounding import (
    bounded_rows,
    candidate_rows,
    pair_entries,
    rows_in_columns,
    unit_entries,
)
from core.bounding.bounding_charge import above, bounding_charge
from core.bounding.bounding_error import bounded_error, enforced_error
from core.bounding.candidates import CandidateHats, candidate_hats
from core.bounding.constants import BoundingConstants
from core.bounding.counts_file import CountedHats, counts_of_hats
from core.bounding.enforced_regions import plan_enforced_regions
from core.bounding.enforced_shares import (
    EnforcedSharesPlan,
    draw_enforced_shares,
    unit_atoms,
    with_ranges,
)
from core.bounding.enforcement import FINE_RECORD
from core.bounding.entry_bound import entry_unit, vector_scale
from core.bounding.plan_and_enforce import EnforcedNoise, EnforcedPlan, draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.region_choice import no_part_in_regions, no_region_keeps
from core.city.regions import Regions
from core.contributions import Contributions, PairTable
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import PublicSign
from core.mechanisms.enforced_mean import EnforcedMeanParams, EnforcedParams
from core.mechanisms.tokens import EQUAL_IMPORTANCE, TOKENS
from core.noise.source import Scopes
from core.planning.bounded_rows import (
    BoundedRows,
    rows_of_curves,
    rows_of_limits,
    rows_of_means,
    rows_of_shares,
)
from core.planning.city_query import importance_of
from core.planning.constant_choice import noises_of
from core.planning.planning_room import require_room
from core.prior.public_prior import PRIOR_NUMBERS
from core.privacy import Allowance, Charge
from core.selection.base import CellColumns
from core.statistics.base import AnyQuestion, HatPlan, MeasurePlan
from core.statistics.cdf import BoundedCdfParams
from core.statistics.cdf_tree import LevelTree
from core.statistics.cdf_weights import UNIT
from core.statistics.query2 import BoundedQuery2Params, require_limits
from core.statistics.share import EnforcedShareParams, asked_ranges

_ZERO = Decimal(0)
_DIGITS = 60


AnyBoundedPlan = BoundedMeanPlan | EnforcedPlan | BoundedLimitsPlan | BoundedCdfPlan
"""What every candidate's numbers are drawn by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedPlan:
    """Everything that is decided before any record is read, and that no record decides."""

    constants: BoundingConstants
    threshold: int
    """The noisy weight that publishes a HAT: vehicles, or records."""
    delta: Decimal
    """Of the population; 0 allows no Gaussian noise."""
    candidates: CandidateHats
    plan: AnyBoundedPlan
    by_day: bool
    """Each day of a vehicle counts apart, and so many of them as the constants say."""
    columns: Ints
    """Shape (G,): candidate -> its column of the plan, -1 where public counts do not list it. The candidates
    of a region share its column."""
    sign: PublicSign | None = None
    """Of the columns, from a source of public counts; None where counts are typed, and all HATs alike."""

    @property
    def noise(self) -> NoiseKind:
        return self.plan.noise

    @property
    def regions(self) -> Regions | None:
        """What is published in place of HATs; None where HATs are."""
        return self.plan.regions if isinstance(self.plan, EnforcedPlan) else None

    @property
    def enforced(self) -> bool:
        """Weights are records, limited by public prices; else a limited number of a unit's HATs counts."""
        return isinstance(self.plan, EnforcedPlan)

    @property
    def weight_scales(self) -> Floats | None:
        """Scale (Gaussian: standard deviation) of the noise on each column's weight, in what it counts.

        Of a distribution's total, which least squares make of all levels, the standard deviation; None where
        there is no weight.
        """
        match self.plan:
            case EnforcedPlan():
                return self.plan.weight_scale / self.plan.record_tokens
            case BoundedMeanPlan():
                return np.array([self.plan.weight_scale])
            case BoundedCdfPlan():
                return np.array([math.sqrt(self.plan.total_variance) / UNIT])
            case BoundedLimitsPlan():
                return None

    @property
    def lattice_error(self) -> float:
        """H of all that is drawn with Gaussian noise (method 13.8); 0 without any."""
        if not self.noise.squared:
            return 0.0
        return sum(lattice_error(*vector) for vector in _vectors(self.plan))

    @property
    def charge(self) -> Charge:
        """What it costs, whichever units are in the data."""
        return bounding_charge(self.constants, self.plan.noise, self.plan.spend, by_hat=self.by_hat)

    @property
    def by_hat(self) -> bool:
        """What a unit sends in one HAT decides about that HAT alone, and about what takes its place."""
        together = self.enforced or self.constants.derived
        return not together and not (self.by_day and self.constants.drops_days)


def plan_bounded_query(
    constants: BoundingConstants,
    threshold: int,
    budget: Budget,
    question: AnyQuestion,
    delta: Decimal,
    counted: CountedHats,
    fleet: int = 0,
    cell_columns: CellColumns = MappingProxyType({}),
) -> BoundedPlan:
    """question: one that relation `user` offers; counted: public counts from a source, empty: those that are
    typed; fleet: of that source, 0: typed; cell_columns: what the boundary's file says about cells.

    Raises InputError for constants, budgets or public counts that cannot be.
    """
    if budget.total is None:
        raise InputError(
            "A release in relation user has one total per protected unit.",
            where="query.total",
            mend='write for instance total = "10"',
        )
    if threshold < 1:
        raise InputError(
            "A threshold of {threshold} would publish hexagon slots that are only noise.",
            threshold=threshold,
            where="selection.threshold",
            mend="write a whole number from 1 on",
        )
    candidates, params = candidate_hats(constants), question.params
    kinds = noises_of(params.noise, delta, budget.total)
    spends = {kind: rho_of(budget.total, delta) if kind.squared else budget.total for kind in kinds}
    made: list[tuple[AnyBoundedPlan, Ints]]
    sign = None
    if isinstance(params, EnforcedParams):
        listed = _listed_counts(candidates, params, counted, fleet, speeds=question.of_speeds)
        if isinstance(params, EnforcedMeanParams) and params.regions:
            made = [_by_region(constants, candidates, listed, spends, params, budget.total)]
        else:
            sign = listed.sign
            made = [
                (_enforced(constants, listed, kind, spend, question, cell_columns), listed.columns)
                for kind, spend in spends.items()
            ]
    else:
        columns = np.arange(len(candidates))
        made = [
            (plan_by_constants(constants, threshold, question, kind, spend), columns)
            for kind, spend in spends.items()
        ]
    plans = [
        BoundedPlan(
            constants=constants,
            threshold=threshold,
            delta=delta,
            candidates=candidates,
            plan=plan,
            by_day=question.statistic.counts_days,
            columns=columns,
            sign=sign,
        )
        for plan, columns in made
    ]
    return min(plans, key=lambda one: float(np.median(typical_errors(one))))


def plan_by_constants(
    constants: BoundingConstants,
    threshold: int,
    question: AnyQuestion,
    noise: NoiseKind,
    spend: Decimal,
    *,
    factors: tuple[int, ...] | None = None,
) -> AnyBoundedPlan:
    """Of what is planned from constants and parameters alone.

    factors: of the tree of a distribution, where it was chosen before. Raises InputError for constants and
    budgets that cannot be, InternalError for factors that are no tree.
    """
    params = question.params
    if isinstance(params, BoundedQuery2Params):
        limits = require_limits(params.limits, constants.upper_bound, question.statistic.quantity)
        return plan_bounded_query2(constants, limits, noise, spend, histogram=params.histogram)
    if isinstance(params, BoundedCdfParams):
        return plan_bounded_cdf(
            constants,
            noise,
            spend,
            threshold,
            bins=params.bins,
            tree=LevelTree(bins=params.bins, factors=factors) if factors else params.tree,
            weights=params.weights,
            m_ub=params.m_ub,
        )
    by_day = question.statistic.counts_days
    return plan_bounded_mean(constants, noise, spend, threshold, by_day=by_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """The candidates that public counts list."""

    pairs: CityPairs
    """Their public counts."""
    hats: CandidateHats
    columns: Ints
    """Shape (G,): candidate -> its place among them, -1 where it is not listed."""
    sign: PublicSign | None
    """Of them; None where counts are typed."""


def _listed_counts(
    candidates: CandidateHats, params: EnforcedParams, counted: CountedHats, fleet: int, *, speeds: bool
) -> _Listed:
    """By a source, or as typed. Raises InputError where neither tells what a plan needs."""
    if counted:
        public, listed = counts_of_hats(counted, candidates, params.fleet or fleet)
    else:
        public, listed = _typed_counts(params, len(candidates)), np.arange(len(candidates))
    require_room(int(public.units.sum()))
    columns = np.full(len(candidates), -1)
    columns[listed] = np.arange(listed.size)
    return _Listed(
        pairs=public.pairs(),
        hats=candidates.only(columns >= 0),
        columns=columns,
        sign=public.sign(speeds=speeds) if counted else None,
    )


def _enforced(
    constants: BoundingConstants,
    listed: _Listed,
    noise: NoiseKind,
    spend: Decimal,
    question: AnyQuestion,
    cell_columns: CellColumns,
) -> EnforcedPlan:
    """Of means, or with the same prices of shares."""
    params = question.params
    plan = plan_enforced(
        listed.pairs,
        listed.hats,
        constants.upper_bound,
        noise,
        spend,
        share=Decimal(str(params.share)),
        importance=importance_of(listed.pairs, listed.hats.cell, params.importance, cell_columns),
    )
    if isinstance(params, EnforcedShareParams):
        return with_ranges(
            plan, asked_ranges(params, question.statistic.quantity.lower, constants.upper_bound)
        )
    return plan


def _by_region(
    constants: BoundingConstants,
    candidates: CandidateHats,
    listed: _Listed,
    spends: Mapping[NoiseKind, Decimal],
    params: EnforcedMeanParams,
    total: Decimal,
) -> tuple[EnforcedPlan, Ints]:
    """The same where regions are published. Raises InputError where none keeps its promise."""
    require_region_params(params)
    share = Decimal(str(params.share))
    laws = [EnforcedNoise.of(constants.upper_bound, noise, spend, share) for noise, spend in spends.items()]
    plan = plan_enforced_regions(listed.pairs, listed.hats, candidates, laws, params.promised_error)
    if plan is None or plan.regions is None:
        raise no_region_keeps(params.promised_error, total)
    return plan, plan.regions.of_hat


def require_region_params(params: EnforcedMeanParams) -> None:
    """Raises InputError for what regions leave no room for."""
    if params.importance != EQUAL_IMPORTANCE:
        raise no_part_in_regions("importance", "leave it out: all regions promise the same")


def _typed_counts(params: EnforcedParams, hats: int) -> PublicCounts:
    """The same for every HAT. Raises InputError where they are not typed."""
    missing = [name for name in PRIOR_NUMBERS if not getattr(params, name)]
    if missing:
        raise InputError(
            "Plan and enforce needs public counts that use none of the protected records.",
            where=", ".join(f"query.parameters.{name}" for name in missing),
            mend="type fleet, vehicles and records, or name a source (query.public_counts)",
        )
    return PublicCounts(
        units=np.full(hats, params.vehicles, np.int64),
        records=np.full(hats, params.records, np.int64),
        fleet=params.fleet,
    )


def typical_errors(bounded: BoundedPlan) -> Floats:
    """Expected |noise| of each column's numbers, in the unit; of a HAT at the threshold where none is known.

    Shape (columns,), or (1,) where all candidates are alike.
    """
    match bounded.plan:
        case EnforcedPlan():
            return enforced_error(bounded.plan)
        case BoundedLimitsPlan():
            return np.asarray(bounded.plan.typical_error, np.float64)
        case BoundedCdfPlan():
            at_threshold = float(bounded.threshold * bounded.plan.contribution)
            return np.array([bounded.plan.typical_error(at_threshold)])
        case BoundedMeanPlan():
            counted = PublicCounts(
                units=np.array([bounded.threshold], np.int64), records=np.ones(1, np.int64), fleet=0
            )
            return bounded_error(bounded.plan, counted, bounded.constants)


def candidate_plans(bounded: BoundedPlan, conversion: str | None = None) -> list[HatPlan[None] | None]:
    """Of each candidate; None where public counts do not list it. Alike ones are one object.

    conversion: as `spent_in_hats`.
    """
    errors, epsilons = typical_errors(bounded), spent_in_hats(bounded, conversion)
    sensitivities, scales = _sums(bounded)
    plan = bounded.plan
    m_ub = plan.retained if isinstance(plan, BoundedCdfPlan) and not plan.alike else None
    made = [
        HatPlan(
            epsilon=epsilon,
            measures=(
                MeasurePlan(
                    sensitivity=sensitivity,
                    noise_scale=scale,
                    bias_bound=0.0,
                    typical_error=error,
                    error_at_worst=_at_worst(bounded, error),
                    typical_bias=0.0,
                    interval_bias=0.0,
                ),
            ),
            m_ub=m_ub,
            detail=None,
        )
        for epsilon, sensitivity, scale, error in zip(
            epsilons * len(sensitivities) if len(epsilons) == 1 else epsilons,
            sensitivities,
            scales,
            errors.tolist(),
            strict=True,
        )
    ]
    if len(made) == 1 and not bounded.enforced:
        made = made * len(bounded.candidates)
    return [made[column] if column >= 0 else None for column in bounded.columns.tolist()]


def _at_worst(bounded: BoundedPlan, typical: float) -> float:
    """What a number misses at most of what counts, in the unit; where it has no range, what is expected."""
    match bounded.plan:
        case BoundedLimitsPlan():
            return typical
        case BoundedCdfPlan() | EnforcedSharesPlan():
            return 1.0
        case _:
            return bounded.constants.upper_bound / THOUSAND


def _sums(bounded: BoundedPlan) -> tuple[list[float], list[float]]:
    """What one unit moves the noisy numbers by, in the norm of the noise, and the scale of that.

    Sums of means in the unit times what weights count, of distributions (each level, and the noisiest of
    them) in what weights count; vehicles above limits per day.
    """
    plan = bounded.plan
    match plan:
        case EnforcedSharesPlan():
            moved, scales = plan.sums_of_a_record * TOKENS, plan.sum_scale / plan.record_tokens
            return (moved / plan.record_tokens).tolist(), scales.tolist()
        case EnforcedPlan():
            # a vehicle has Y tokens at most, whatever HATs they are in
            half = plan.grid.largest * plan.grid.step_kmh / 2.0
            scales = plan.sum_scale / plan.record_tokens
            return (half * TOKENS / plan.record_tokens).tolist(), scales.tolist()
        case BoundedMeanPlan():
            return [plan.sensitivities[SUMS] * plan.grid.step_kmh / 2.0], [plan.sum_scale]
        case BoundedLimitsPlan():
            unit = entry_unit(plan.noise) * plan.days
            return (plan.sensitivity / unit).tolist(), (plan.scale / unit).tolist()
        case BoundedCdfPlan():
            scale = vector_scale(plan.noise, plan.sensitivity, min(plan.budgets))
            return [plan.sensitivity / UNIT], [scale / UNIT]


def _vectors(plan: AnyBoundedPlan) -> list[tuple[int, Decimal, int]]:
    """What is drawn together: what a unit moves it by, what it spends, and how many integers it has."""
    match plan:
        case EnforcedPlan():
            sums = len(plan.ranges) if isinstance(plan, EnforcedSharesPlan) else 1
            return [(plan.sensitivity, plan.spend, (sums + 1) * plan.prices.size)]
        case BoundedMeanPlan():
            size = len(plan.candidates)
            return [(plan.sensitivities[name], plan.spends[name], size) for name in (WEIGHTS, SUMS)]
        case BoundedLimitsPlan():
            return [(plan.sensitivity, plan.spend, len(plan.candidates) * len(plan.limits))]
        case BoundedCdfPlan():
            nodes = (1, *plan.estimator.tree.nodes)
            return [
                (plan.sensitivity, budget, len(plan.candidates) * level)
                for level, budget in zip(nodes, plan.budgets, strict=True)
            ]


def spent_in_hats(bounded: BoundedPlan, conversion: str | None = None) -> list[Decimal]:
    """What a unit in a column spends there at most, as it is stated at the population's delta; rounded up.

    Shape (columns,), or (1,) where all candidates are alike. conversion: the formula that a bundle names;
    None: the one that holds for this plan.
    """
    plan, squared = bounded.plan, bounded.plan.noise.squared
    if isinstance(plan, EnforcedPlan):
        tokens = np.minimum(plan.caps * plan.prices >> FINE_RECORD, TOKENS).clip(1).tolist()
        parts = [(one**2, TOKENS**2) if squared else (one, TOKENS) for one in tokens]
    else:
        parts = [(1, bounded.constants.hats)]
    with localcontext(prec=_DIGITS):
        amounts = [above(plan.spend * part / whole, plan.noise) for part, whole in parts]
    if not squared:
        return amounts
    formula = conversion_of(bounded.lattice_error) if conversion is None else conversion
    stated = {amount: stated_epsilon(_ZERO, amount, bounded.delta, formula) for amount in set(amounts)}
    return [stated[amount] for amount in amounts]


def bounded_allowances(bounded: BoundedPlan, scope: str) -> tuple[Allowance, ...]:
    """What the noise of each vector may spend."""
    plan = bounded.plan
    spends = {scope: plan.spend}
    if isinstance(plan, BoundedMeanPlan):
        spends = {f"{scope} {end}": plan.spends[end] for end in (WEIGHTS, SUMS)}
    return tuple(
        Allowance(scope=name, epsilon=_ZERO, rho=amount)
        if plan.noise.squared
        else Allowance(scope=name, epsilon=amount)
        for name, amount in spends.items()
    )


def draw_bounded_query(
    bounded: BoundedPlan,
    contributions: Contributions,
    key: bytes,
    pairs: PairTable,
    noise: Scopes,
    scope: str,
    question: AnyQuestion,
) -> BoundedRows:
    """Of every candidate, or of every region where these are published.

    key: of the population; pairs: of the contributions; scope: what allowances are called after.
    """
    plan, measure = bounded.plan, question.statistic.published(question).measures[0].name
    if isinstance(plan, EnforcedPlan):
        own = candidate_rows(contributions, bounded.candidates, bounded.constants.unit)
        rows = rows_in_columns(own, bounded.columns)
        if isinstance(plan, EnforcedSharesPlan):
            entries = unit_entries(rows, pairs)
            atoms = unit_atoms(contributions, rows, entries, plan.ranges)
            shares = draw_enforced_shares(plan, entries, atoms, noise.scope(scope))
            reached = shares.weight >= bounded.threshold * THOUSAND
            return rows_of_shares(plan, shares, question, reached, columns=bounded.columns)
        enforced = draw_enforced(plan, unit_entries(rows, pairs), noise.scope(scope))
        return rows_of_means(
            measure,
            enforced.means,
            enforced.weight,
            enforced.unbiased,
            enforced.weight >= bounded.threshold * THOUSAND,
            columns=bounded.columns if plan.regions is None else np.arange(plan.prices.size),
            squared=plan.noise.squared,
        )
    rows = bounded_rows(contributions, plan.candidates, bounded.constants, key, by_day=bounded.by_day)
    if isinstance(plan, BoundedCdfPlan):
        curves = draw_bounded_cdf(plan, contributions, rows, noise.scope(scope))
        return rows_of_curves(measure, plan, curves)
    entries = pair_entries(rows, pairs) if bounded.by_day else unit_entries(rows, pairs)
    if isinstance(plan, BoundedLimitsPlan):
        return rows_of_limits(measure, plan, draw_bounded_query2(plan, entries, noise.scope(scope)))
    drawn = draw_bounded_mean(plan, entries, lambda end: noise.scope(f"{scope} {end}"))
    return rows_of_means(
        measure,
        drawn.means,
        drawn.weight,
        drawn.unbiased,
        drawn.published,
        columns=bounded.columns,
        squared=plan.noise.squared,
    )
