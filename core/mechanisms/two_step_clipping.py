"""Two-step clipping, its parameters, and the private centre from which deviations are clipped.

Ours. Algorithm and proof of its sensitivities: docs/two-step-clipping.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, NamedTuple

import numpy as np

from core.arrays import Floats, Ints
from core.contributions import HatData, HatUsers
from core.fine_means import fine_means
from core.fixed_point import FINE, FINE_BITS, THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, Draw, Mechanism, NoiseFactors, to_draw
from core.mechanisms.clipping_threshold import threshold_bias
from core.mechanisms.projection import projected_sums
from core.mechanisms.public_model import Accuracy, accuracy_of, weights_bias
from core.mechanisms.two_step_clipping_plan import (
    CENTRE,
    LEAST_CORRECTION,
    MOST_FOR_CHOICES,
    SPREAD,
    SPREAD_FACTORS,
    WEIGHT,
    LinearOptions,
    LinearPlan,
    TwoStepChoice,
    TwoStepPlan,
    best_power,
    dwell_correction,
    linear_bias,
    linear_options,
    linear_terms,
    plan_two_step,
    powers_to,
    spread_guess,
    two_step_bias,
    two_step_budgets,
    whole_weights,
)
from core.mechanisms.water_filling import CountGroups, group_counts
from core.noise.source import NoiseSource
from core.parameter_fields import RetiredParameter, number

_NORMAL_HALF = 0.6745
"""Half of the deviations lie within this many spreads of the private centre, as of any normal sample."""
_SPREAD_MOVE = 2
"""One user moves the doubled count that the private spread is chosen by, by at most this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStepClippingParams:
    """Public guesses about speeds, given for U = 65 km/h and scaled with U."""

    RETIRED: ClassVar[Mapping[str, RetiredParameter]] = {
        "typical": RetiredParameter(
            default=22.0, became="a release is published without a posterior estimate"
        )
    }

    vehicle_spread: float = number(
        4.0,
        0.5,
        20.0,
        label="Spread between vehicles",
        help="How far true means of vehicles lie from each other, at U = 65; sets clipping, not privacy.",
        unit="km/h",
        advanced=True,
    )
    record_spread: float = number(
        20.0,
        1.0,
        40.0,
        label="Spread of records",
        help="How far records of one vehicle lie from its mean, at U = 65; sets clipping, not privacy.",
        unit="km/h",
        advanced=True,
    )


class SpreadGuess(NamedTuple):
    """What follows from counts, U and the public guesses, whatever the epsilon."""

    groups: CountGroups
    spread: float
    """km/h."""
    linear: LinearOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One HAT to plan for, and what is guessed of it."""

    users: HatUsers
    epsilon: Decimal
    upper_bound: int
    guess: SpreadGuess

    @property
    def upper_kmh(self) -> float:
        return self.upper_bound / THOUSAND

    def threshold_biases(self, cache: PlanCache) -> Floats:
        """Of each candidate of the spread and each threshold, km/h; shape (5, 56)."""
        return cache.get(
            "clipping bias",
            self.users.counts,
            (self.upper_bound, self.guess.spread),
            lambda: np.array(
                [
                    threshold_bias(self.guess.groups, self.upper_kmh, spread)
                    for spread in (self.guess.spread * SPREAD_FACTORS).tolist()
                ]
            ),
        )


def case_of(
    users: HatUsers, epsilon: Decimal, upper_bound: int, params: TwoStepClippingParams, cache: PlanCache
) -> Case:
    upper_kmh = upper_bound / THOUSAND

    def guess() -> SpreadGuess:
        groups = group_counts(users.counts)
        spread = spread_guess(
            groups, upper_kmh, vehicle_spread=params.vehicle_spread, record_spread=params.record_spread
        )
        return SpreadGuess(groups, spread, linear_options(groups, users.dwell, upper_kmh))

    also = (upper_bound, params.vehicle_spread, params.record_spread, users.other_facts)
    return Case(
        users=users,
        epsilon=epsilon,
        upper_bound=upper_bound,
        guess=cache.get("clipping guess", users.counts, also, guess),
    )


class TwoStepClipping(Mechanism[TwoStepClippingParams, LinearPlan | TwoStepPlan]):
    """Small HATs release weighted means of users (LINEAR); large ones clip around a private centre."""

    key: ClassVar[str] = "two-step-clipping"
    title: ClassVar[str] = "Two-step clipping"
    reference: ClassVar[str] = "ours"
    summary: ClassVar[str] = "All records count; a vehicle's weight times its distance from a centre is cut."
    version: ClassVar[int] = 3
    uses_visits: ClassVar[bool] = True
    least_correction: ClassVar[float] = LEAST_CORRECTION
    noise_factors: ClassVar[NoiseFactors] = (1.0, MOST_FOR_CHOICES)
    Params = TwoStepClippingParams

    def plan(
        self,
        users: HatUsers,
        epsilon: Decimal,
        upper_bound: int,
        params: TwoStepClippingParams,
        cache: PlanCache,
    ) -> LinearPlan | TwoStepPlan:
        case = case_of(users, epsilon, upper_bound, params, cache)
        error, weights = case.guess.linear.best(epsilon, case.upper_kmh)
        powers = powers_to(epsilon, users.size, users.records)
        if powers:
            biases = case.threshold_biases(cache)
            less, planned = best_power(case.guess.groups, powers, epsilon, case.upper_kmh, biases)
            if less < error:
                return two_step_plan(case, planned, biases)
        return linear_plan(case, weights)

    def accuracy(self, plan: LinearPlan | TwoStepPlan, users: HatUsers, _cache: PlanCache) -> Accuracy:
        if isinstance(plan, LinearPlan):
            bias = weights_bias(users, plan.weights / WEIGHT, plan.upper_kmh, lean=plan.lean)
            return accuracy_of(plan.noise_scale, bias, plan.upper_kmh)
        choice = plan.two_step
        return Accuracy(
            typical_error=min(choice.typical_error(plan.noise_epsilon), plan.upper_kmh),
            half_width=choice.half_width(choice.guess, plan.noise_epsilon),
        )

    def run(self, plan: LinearPlan | TwoStepPlan, hat: HatData, noise: NoiseSource) -> Draw:
        means = rounded_means(hat)
        if isinstance(plan, LinearPlan):
            centre = int(linear_terms(plan.weights, means).sum())
            return to_draw(noise.laplace(centre, plan.sensitivity, spend=plan.noise_epsilon), plan)
        clipped = _clipped(plan, hat.counts, means, noise)
        noisy = noise.laplace(clipped.sums, clipped.sensitivities, spend=plan.noise_epsilon)
        return to_draw(noisy, plan, clipped.sensitivities, clipped.half_widths)


def linear_plan(case: Case, of_groups: Floats) -> LinearPlan:
    """LINEAR. One user's term runs from 0 to a_l U, and rounding is monotone: the largest term at U.

    Whatever the sign of a weight, so that no float decides over privacy (two-step-clipping 4.5). The
    correction q is public: it only rescales the noisy sum.
    """
    users = case.users
    weights = whole_weights(case.guess.groups, of_groups)
    largest = np.abs(linear_terms(weights, np.full(users.size, case.upper_bound))).max()
    correction, lean = dwell_correction(users, weights)
    divisor = round(FINE * correction)
    return LinearPlan(
        mechanism=TwoStepClipping.key,
        epsilon=case.epsilon,
        upper_bound=case.upper_bound,
        users=users.size,
        records=users.records,
        sensitivity=max(1, int(largest)),
        divisor=divisor,
        bias_bound=linear_bias(users, weights, divisor / FINE, case.upper_kmh),
        budget_shares=((NOISE, case.epsilon),),
        weights=weights,
        lean=lean,
    )


def two_step_plan(case: Case, planned: Decimal, biases: Floats) -> TwoStepPlan:
    """TWO-STEP. The sensitivity is that of the widest threshold there may be (two-step-clipping 4.4).

    planned: the epsilon that it is planned for; what is charged beyond it goes to the noise.
    """
    users = case.users
    choice = plan_two_step(
        case.guess.groups,
        users.dwell,
        two_step_budgets(users.size, planned, planned),
        case.upper_bound,
        case.guess.spread,
        biases,
    )
    budgets = two_step_budgets(users.size, planned, case.epsilon)
    named = zip((CENTRE, SPREAD, NOISE), budgets, strict=True)
    return TwoStepPlan(
        mechanism=TwoStepClipping.key,
        epsilon=case.epsilon,
        upper_bound=case.upper_bound,
        users=users.size,
        records=users.records,
        sensitivity=int(choice.sensitivities.max()),
        divisor=FINE,
        bias_bound=two_step_bias(users, choice, case.upper_bound),
        budget_shares=tuple((name, share) for name, share in named if share > 0),
        two_step=choice,
    )


def rounded_means(hat: HatData) -> Ints:
    """X_l: mean of all records of each user, rounded to thousandths of km/h (halves up); shape (L,)."""
    means: Ints = (2 * hat.sums() + hat.counts) // (2 * hat.counts)
    return means


def centre_scores(means: Ints, choice: TwoStepChoice) -> Ints:
    """`-|sum over users of clip(X_l - c, +-reach)|` for each candidate c, in thousandths; shape (32,).

    One user moves a score by `centre_move` at most (two-step-clipping 4.2). A clipped deviation is X_l
    cut to c +- reach, minus c. Where dwell is corrected, each candidate has its own public shift of X_l.
    """
    if choice.dwell is not None:
        columns = (few[:, None] for few in choice.few_centres(means.size))
        shifted = (means + choice.shifts(column) - column for column in columns)
        clipped = [np.clip(away, -choice.reach, choice.reach).sum(axis=1) for away in shifted]
        together: Ints = np.concatenate(clipped)
        return -np.abs(together)
    low, high = choice.centres - choice.reach, choice.centres + choice.reach
    scores: Ints = -np.abs(projected_sums(means, low, high) - choice.centres * means.size)
    return scores


def centre_move(choice: TwoStepChoice, upper_bound: int) -> int:
    """The most that one user moves a centre's score: from one end of the clip to the other, or U."""
    return min(2 * choice.reach, upper_bound)


def spread_scores(means: Ints, centre: int, choice: TwoStepChoice) -> Ints:
    """`-|2 #{l: |X_l - c| <= 0.6745 s} - L|` for each candidate s, whole numbers.

    One user enters or leaves each count: the score moves by at most 2 (two-step-clipping 4.3).
    """
    within = np.floor(_NORMAL_HALF * choice.spreads * THOUSAND).astype(np.int64)
    near = np.searchsorted(np.sort(np.abs(means - centre)), within, side="right")
    scores: Ints = -np.abs(2 * near - means.size)
    return scores


def deviations(counts: Ints, means: Ints, centre: int) -> Ints:
    """`w_l (X_l - c)` in integers of 2^-30 km/h, each rounded to the nearest; shape (L,)."""
    away = means - centre
    sizes = fine_means(counts * np.abs(away), np.broadcast_to(counts.sum(), counts.shape))
    terms: Ints = np.sign(away) * sizes
    return terms


def fine_centre(centre: int) -> int:
    """A centre in thousandths as the nearest integer of 2^-30 km/h."""
    return ((centre << FINE_BITS) + THOUSAND // 2) // THOUSAND


def clipped_sum(terms: Ints, centre: int, threshold: int) -> int:
    """`c + sum clip(terms, +-T)`, integers of 2^-30 km/h."""
    return fine_centre(centre) + int(np.minimum(np.maximum(terms, -threshold), threshold).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clipped:
    """What the noise is added to in each trial, and what it must cover; all of shape (trials,)."""

    sums: Ints
    sensitivities: Ints
    half_widths: Floats
    """Of the interval, km/h."""


def _clipped(plan: TwoStepPlan, counts: Ints, means: Ints, noise: NoiseSource) -> _Clipped:
    """Select centre and spread, and clip.

    Trials with one centre share their scores of s, and with one s their sum.
    """
    choice, shares = plan.two_step, dict(plan.budget_shares)
    moved = centre_move(choice, plan.upper_bound)
    centre_of = noise.select(centre_scores(means, choice), moved, spend=shares[CENTRE])
    sums, spreads = np.empty_like(centre_of), np.empty_like(centre_of)
    for index in np.unique(centre_of):
        trials = np.flatnonzero(centre_of == index)
        centre = int(choice.centres[index])
        corrected = means + choice.shifts(centre)
        spread_of = np.zeros_like(trials)
        if SPREAD in shares:
            scores = spread_scores(corrected, centre, choice)
            spread_of = noise.select(scores, _SPREAD_MOVE, spend=shares[SPREAD], size=trials.size)
        terms = deviations(counts, corrected, centre)
        for spread in np.unique(spread_of):
            threshold = int(choice.thresholds[spread])
            sums[trials[spread_of == spread]] = clipped_sum(terms, centre, threshold)
        spreads[trials] = spread_of
    half_widths = np.zeros(choice.spreads.size)
    for spread in np.unique(spreads).tolist():
        half_widths[spread] = choice.half_width(spread, plan.noise_epsilon)
    return _Clipped(sums=sums, sensitivities=choice.sensitivities[spreads], half_widths=half_widths[spreads])


MECHANISM = TwoStepClipping()
