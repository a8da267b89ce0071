"""A query of relation `user`: planned from constants, drawn from the records that count (method 12)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import Budget
from core.accounting.zcdp import epsilon_of, rho_of
from core.arrays import Floats, Ints
from core.bounding.bounded_mean import SUMS, WEIGHTS, BoundedMeanPlan, draw_bounded_mean, plan_bounded_mean
from core.bounding.bounding import bounded_rows, candidate_rows, unit_entries
from core.bounding.bounding_charge import above, bounding_charge
from core.bounding.bounding_error import bounded_error, enforced_error
from core.bounding.candidates import CandidateHats, candidate_hats
from core.bounding.constants import BoundingConstants
from core.bounding.counts_file import CountedHats, counts_of_hats
from core.bounding.enforcement import FINE_RECORD
from core.bounding.plan_and_enforce import EnforcedPlan, draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.bounding.quotients import Quotients
from core.city.noise_kind import NoiseKind
from core.contributions import Contributions, PairTable
from core.errors import InputError
from core.mechanisms.bounded_mean import BoundedMeanParams
from core.mechanisms.enforced_mean import EnforcedMeanParams
from core.mechanisms.tokens import TOKENS
from core.noise.source import Scopes
from core.planning.constant_choice import noises_of
from core.privacy import Allowance, Charge
from core.statistics.base import Estimate, HatPlan, MeasurePlan
from core.values import THOUSAND

_ZERO = Decimal(0)
_DIGITS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedPlan:
    """Everything that is decided before any record is read, and that no record decides."""

    constants: BoundingConstants
    threshold: int
    """The noisy weight that publishes a HAT: vehicles, or records."""
    delta: Decimal
    """Of the population; 0 allows no Gaussian noise."""
    candidates: CandidateHats
    plan: BoundedMeanPlan | EnforcedPlan
    columns: Ints
    """Shape (G,): candidate -> its column of the plan, -1 where public counts do not list it."""

    @property
    def noise(self) -> NoiseKind:
        return self.plan.noise

    @property
    def enforced(self) -> bool:
        """Weights are records, held to public prices; else vehicles, of which some HATs count."""
        return isinstance(self.plan, EnforcedPlan)

    @property
    def weight_scales(self) -> Floats:
        """Scale (Gaussian: standard deviation) of the noise on each column's weight, in what it counts."""
        if isinstance(self.plan, EnforcedPlan):
            return self.plan.weight_scale / self.plan.record_tokens
        return np.array([self.plan.weight_scale])

    @property
    def charge(self) -> Charge:
        """What it costs, whoever is in the data."""
        return bounding_charge(self.constants, self.plan.noise, self.plan.spend, by_hat=not self.enforced)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedRows:
    """What the noise gave for each candidate; shapes (G,)."""

    estimates: tuple[tuple[Estimate, ...], ...]
    """Empty where the noisy weight stays below the threshold."""
    scales: Floats
    """Of the noise of the published means, near the released numbers; shape (published,)."""


def plan_bounded_query(
    constants: BoundingConstants,
    threshold: int,
    budget: Budget,
    params: BoundedMeanParams | EnforcedMeanParams,
    delta: Decimal,
    counted: CountedHats,
    fleet: int = 0,
) -> BoundedPlan:
    """counted: public counts from a source; empty: those that are typed. fleet: of that source, 0: typed.

    Raises InputError for constants, budgets or public counts that cannot be.
    """
    if budget.total is None:
        raise InputError(
            "A release of relation user has one total for each protected unit.",
            where="query.total",
            mend='write for instance total = "10"',
        )
    if threshold < 1:
        raise InputError(
            f"A threshold of {threshold} would publish HATs of nothing but noise.",
            where="selection.threshold",
            mend="write a whole number from 1 on",
        )
    candidates = candidate_hats(constants)
    plans = []
    for kind in noises_of(params.noise, delta):
        spend = rho_of(budget.total, delta) if kind.squared else budget.total
        plan: BoundedMeanPlan | EnforcedPlan
        if isinstance(params, EnforcedMeanParams):
            plan, columns = _enforced(constants, candidates, kind, spend, params, counted, fleet)
        else:
            plan, columns = plan_bounded_mean(constants, kind, spend, threshold), np.arange(len(candidates))
        plans.append(
            BoundedPlan(
                constants=constants,
                threshold=threshold,
                delta=delta,
                candidates=candidates,
                plan=plan,
                columns=columns,
            )
        )
    return min(plans, key=lambda one: float(np.median(typical_errors(one))))


def _enforced(
    constants: BoundingConstants,
    candidates: CandidateHats,
    noise: NoiseKind,
    spend: Decimal,
    params: EnforcedMeanParams,
    counted: CountedHats,
    fleet: int,
) -> tuple[EnforcedPlan, Ints]:
    """The plan, and the column of each candidate."""
    if counted:
        public, listed = counts_of_hats(counted, candidates, params.fleet or fleet)
    else:
        public, listed = _typed_counts(params, len(candidates)), np.arange(len(candidates))
    columns = np.full(len(candidates), -1)
    columns[listed] = np.arange(listed.size)
    plan = plan_enforced(
        public.pairs(),
        candidates.only(columns >= 0),
        constants.upper_bound,
        noise,
        spend,
        share=Decimal(str(params.share)),
    )
    return plan, columns


def _typed_counts(params: EnforcedMeanParams, hats: int) -> PublicCounts:
    """The same for every HAT. Raises InputError where they are not typed."""
    if not (params.vehicles and params.records and params.fleet):
        raise InputError(
            "Plan and enforce needs public counts: of no record that is to be protected.",
            where="query.parameters",
            mend="type fleet, vehicles and records, or name a source (query.public_counts)",
        )
    return PublicCounts(
        units=np.full(hats, params.vehicles, np.int64),
        records=np.full(hats, params.records, np.int64),
        fleet=params.fleet,
    )


def typical_errors(bounded: BoundedPlan) -> Floats:
    """Expected |noise| of each column's mean, in the unit; of a HAT at the threshold where none is known.

    Shape (columns,), or (1,) where all candidates are alike.
    """
    if isinstance(bounded.plan, EnforcedPlan):
        return enforced_error(bounded.plan)
    at_threshold = PublicCounts(
        units=np.array([bounded.threshold], np.int64), records=np.ones(1, np.int64), fleet=0
    )
    return bounded_error(bounded.plan, at_threshold, bounded.constants)


def candidate_plans(bounded: BoundedPlan) -> list[HatPlan[None] | None]:
    """Of each candidate; None where public counts do not list it. Alike ones are one object."""
    errors, epsilons = typical_errors(bounded), spent_in_hats(bounded)
    sensitivities, scales = _sums(bounded)
    made = [
        HatPlan(
            epsilon=epsilon,
            measures=(
                MeasurePlan(
                    sensitivity=sensitivity,
                    noise_scale=scale,
                    bias_bound=0.0,
                    typical_error=error,
                    error_at_worst=bounded.constants.upper_bound / THOUSAND,
                    typical_bias=0.0,
                    interval_bias=0.0,
                ),
            ),
            m_ub=None,
            detail=None,
        )
        for epsilon, sensitivity, scale, error in zip(
            epsilons, sensitivities, scales, errors.tolist(), strict=True
        )
    ]
    if not bounded.enforced:
        made = made * len(bounded.candidates)
    return [made[column] if column >= 0 else None for column in bounded.columns.tolist()]


def _sums(bounded: BoundedPlan) -> tuple[list[float], list[float]]:
    """What one unit moves the sums by, and their noise; in the unit times what weights count."""
    plan = bounded.plan
    if isinstance(plan, EnforcedPlan):
        # a vehicle has Y tokens at most, whatever HATs they are in
        half = plan.grid.largest * plan.grid.step_kmh / 2.0
        return (half * TOKENS / plan.record_tokens).tolist(), (plan.sum_scale / plan.record_tokens).tolist()
    return [plan.sensitivities[SUMS] * plan.grid.step_kmh / 2.0], [plan.sum_scale]


def spent_in_hats(bounded: BoundedPlan) -> list[Decimal]:
    """What a unit in a column spends there at most, as an epsilon at the population's delta; rounded up.

    Shape (columns,), or (1,) where all candidates are alike.
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
    converted = {amount: epsilon_of(_ZERO, amount, bounded.delta) for amount in set(amounts)}
    return [converted[amount] for amount in amounts]


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
    measure: str,
) -> BoundedRows:
    """key: of the population; pairs: of the contributions; scope: what allowances are called after."""
    plan = bounded.plan
    if isinstance(plan, EnforcedPlan):
        rows = candidate_rows(contributions, plan.candidates, bounded.constants.unit)
        enforced = draw_enforced(plan, unit_entries(rows, pairs), noise.scope(scope))
        return _rows(
            bounded,
            measure,
            enforced.means,
            enforced.weight,
            enforced.deviation,
            enforced.weight >= bounded.threshold * THOUSAND,
        )
    rows = bounded_rows(contributions, plan.candidates, bounded.constants, key, by_day=False)
    drawn = draw_bounded_mean(plan, unit_entries(rows, pairs), lambda end: noise.scope(f"{scope} {end}"))
    return _rows(bounded, measure, drawn.means, drawn.weight, drawn.deviation, drawn.published)


def _rows(
    bounded: BoundedPlan,
    measure: str,
    means: Quotients,
    weight: Ints,
    deviation: Floats,
    published: NDArray[np.bool_],
) -> BoundedRows:
    """By column of the plan, to be told by candidate."""
    columns = zip(
        means.value.tolist(),
        means.low.tolist(),
        means.high.tolist(),
        means.unclamped.tolist(),
        means.informative.tolist(),
        weight.tolist(),
        strict=True,
    )
    made = [
        Estimate(
            measure=measure,
            value=value,
            low=low,
            high=high,
            unclamped=unclamped,
            informative=informative,
            noisy_weight=noisy,
        )
        for value, low, high, unclamped, informative, noisy in columns
    ]
    told = published.tolist()
    estimates = tuple(
        (made[column],) if column >= 0 and told[column] else () for column in bounded.columns.tolist()
    )
    # columns come in the order of their candidates
    scales = deviation[published] if bounded.plan.noise.squared else deviation[published] / np.sqrt(2.0)
    return BoundedRows(estimates=estimates, scales=scales)
