"""Two-step clipping: each vehicle's weighted deviation from a private centre is clipped.

Ours. Algorithm and proof of its sensitivities: docs/two-step-clipping.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.contributions import HatData
from core.fine_means import fine_means
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, CachedMechanism, Draw, to_draw
from core.mechanisms.clipping_plan import (
    CENTRE,
    SPREAD,
    LinearChoice,
    LinearOptions,
    LinearPlan,
    TwoStepChoice,
    TwoStepPlan,
    is_linear,
    linear_bias,
    linear_options,
    linear_terms,
    plan_two_step,
    scaled,
    spread_guess,
    threshold_bias,
    two_step_bias,
    two_step_budgets,
    whole_weights,
)
from core.mechanisms.projection import projected_sums
from core.mechanisms.water_filling import CountGroups, group_counts
from core.noise.source import NoiseSource
from core.parameter_fields import number
from core.values import FINE, FINE_BITS, THOUSAND

Integers = NDArray[np.int64]

_NORMAL_HALF = 0.6745
"""Half of a normal sample lies within this many standard deviations of its centre."""
_SPREAD_MOVE = 2
"""One user moves a doubled count by at most this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStepClippingParams:
    """Public guesses about speeds, given for U = 65 km/h and scaled with U."""

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
    typical: float = number(
        22.0,
        1.0,
        64.0,
        label="Typical mean",
        help="What the posterior estimate expects before it sees a release, at U = 65.",
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
class _Case:
    """One HAT to plan for, and what is guessed of it."""

    counts: Integers
    """Shape (L,)."""
    records: int
    epsilon: Decimal
    upper_bound: int
    params: TwoStepClippingParams
    guess: SpreadGuess

    @property
    def upper_kmh(self) -> float:
        return self.upper_bound / THOUSAND

    @property
    def typical(self) -> float:
        """km/h."""
        return scaled(self.params.typical, self.upper_kmh)


class TwoStepClipping(CachedMechanism[TwoStepClippingParams, LinearPlan | TwoStepPlan]):
    """Small HATs release weighted means of users (LINEAR); large ones clip around a private centre."""

    key: ClassVar[str] = "two-step-clipping"
    title: ClassVar[str] = "Two-step clipping"
    reference: ClassVar[str] = "ours"
    summary: ClassVar[str] = "All records count; a vehicle's weight times its distance from a centre is cut."
    Params = TwoStepClippingParams

    def plan_cached(
        self,
        counts: NDArray[np.int64],
        epsilon: Decimal,
        upper_bound: int,
        params: TwoStepClippingParams,
        cache: PlanCache,
    ) -> LinearPlan | TwoStepPlan:
        upper_kmh = upper_bound / THOUSAND

        def guess() -> SpreadGuess:
            groups = group_counts(counts)
            spread = spread_guess(
                groups, upper_kmh, vehicle_spread=params.vehicle_spread, record_spread=params.record_spread
            )
            return SpreadGuess(groups, spread, linear_options(groups, spread))

        spreads = (upper_bound, params.vehicle_spread, params.record_spread)
        case = _Case(
            counts=counts,
            records=int(counts.sum()),
            epsilon=epsilon,
            upper_bound=upper_bound,
            params=params,
            guess=cache.get("clipping guess", counts, spreads, guess),
        )
        if is_linear(counts.size, case.records, epsilon):
            return _linear_plan(self.key, case)
        return _two_step_plan(self.key, case, cache)

    def run(self, plan: LinearPlan | TwoStepPlan, hat: HatData, noise: NoiseSource) -> Draw:
        means = rounded_means(hat)
        if isinstance(plan, LinearPlan):
            centre = int(linear_terms(plan.linear.weights, means).sum())
            return to_draw(noise.laplace(centre, plan.sensitivity, spend=plan.noise_epsilon), plan)
        sums, moved = _clipped(plan, hat.counts, means, noise)
        return to_draw(noise.laplace(sums, moved, spend=plan.noise_epsilon), plan, moved)


def _linear_plan(mechanism: str, case: _Case) -> LinearPlan:
    """LINEAR. One user's term runs from 0 to a_l U, and rounding is monotone: the largest term at U.

    Whatever the sign of a weight, so that no float decides over privacy (two-step-clipping 4.5).
    """
    counts, guess = case.counts, case.guess
    shares, predicted = guess.linear.best(float(case.epsilon), case.upper_kmh)
    weights = whole_weights(guess.groups, shares)
    largest = np.abs(linear_terms(weights, np.full(counts.size, case.upper_bound))).max()
    return LinearPlan(
        mechanism=mechanism,
        epsilon=case.epsilon,
        upper_bound=case.upper_bound,
        users=counts.size,
        records=case.records,
        sensitivity=max(1, int(largest)),
        divisor=FINE,
        bias_bound=linear_bias(counts, weights, case.upper_kmh),
        budget_shares=((NOISE, case.epsilon),),
        typical=case.typical,
        predicted_error=min(predicted, case.upper_kmh),
        linear=LinearChoice(weights=weights),
    )


def _two_step_plan(mechanism: str, case: _Case, cache: PlanCache) -> TwoStepPlan:
    """TWO-STEP. The sensitivity is that of the widest threshold there may be (two-step-clipping 4.4)."""
    counts, groups = case.counts, case.guess.groups
    budgets = two_step_budgets(counts.size, case.epsilon)

    def bias(spread: float) -> Floats:
        return cache.get(
            "clipping bias",
            counts,
            (case.upper_bound, spread),
            lambda: threshold_bias(groups, case.upper_kmh, spread),
        )

    choice, predicted = plan_two_step(groups, budgets, case.upper_bound, case.guess.spread, bias)
    named = zip((CENTRE, SPREAD, NOISE), budgets, strict=True)
    return TwoStepPlan(
        mechanism=mechanism,
        epsilon=case.epsilon,
        upper_bound=case.upper_bound,
        users=counts.size,
        records=case.records,
        sensitivity=int(choice.sensitivities.max()),
        divisor=FINE,
        bias_bound=two_step_bias(counts, choice, case.upper_bound),
        budget_shares=tuple((name, share) for name, share in named if share > 0),
        typical=case.typical,
        predicted_error=min(predicted, case.upper_kmh),
        two_step=choice,
    )


def rounded_means(hat: HatData) -> Integers:
    """X_l: mean of all records of each user, rounded to thousandths of km/h (halves up); shape (L,)."""
    means: Integers = (2 * hat.sums() + hat.counts) // (2 * hat.counts)
    return means


def centre_scores(means: Integers, choice: TwoStepChoice) -> Integers:
    """`-|sum over users of clip(X_l - c, +-reach)|` for each candidate c, in thousandths; shape (32,).

    One user moves a score by `centre_move` at most (two-step-clipping 4.2). A clipped deviation is X_l
    cut to c +- reach, minus c.
    """
    low, high = choice.centres - choice.reach, choice.centres + choice.reach
    scores: Integers = -np.abs(projected_sums(means, low, high) - choice.centres * means.size)
    return scores


def centre_move(choice: TwoStepChoice, upper_bound: int) -> int:
    """The most that one user moves a centre's score: from one end of the clip to the other, or U."""
    return min(2 * choice.reach, upper_bound)


def spread_scores(means: Integers, centre: int, choice: TwoStepChoice) -> Integers:
    """`-|2 #{l: |X_l - c| <= 0.6745 s} - L|` for each candidate s, whole numbers.

    One user enters or leaves each count: the score moves by at most 2 (two-step-clipping 4.3).
    """
    within = np.floor(_NORMAL_HALF * choice.spreads * THOUSAND).astype(np.int64)
    near = np.searchsorted(np.sort(np.abs(means - centre)), within, side="right")
    scores: Integers = -np.abs(2 * near - means.size)
    return scores


def deviations(counts: Integers, means: Integers, centre: int) -> Integers:
    """`w_l (X_l - c)` in integers of 2^-30 km/h, each rounded to the nearest; shape (L,)."""
    away = means - centre
    sizes = fine_means(counts * np.abs(away), np.broadcast_to(counts.sum(), counts.shape))
    terms: Integers = np.sign(away) * sizes
    return terms


def fine_centre(centre: int) -> int:
    """A centre in thousandths as the nearest integer of 2^-30 km/h."""
    return ((centre << FINE_BITS) + THOUSAND // 2) // THOUSAND


def clipped_sum(terms: Integers, centre: int, threshold: int) -> int:
    """`c + sum clip(terms, +-T)`, integers of 2^-30 km/h."""
    return fine_centre(centre) + int(np.clip(terms, -threshold, threshold).sum())


def _clipped(
    plan: TwoStepPlan, counts: Integers, means: Integers, noise: NoiseSource
) -> tuple[Integers, Integers]:
    """Select centre and spread; the clipped sum and its sensitivity, both of shape (trials,).

    Trials with one centre share their scores of s, and with one s their sum.
    """
    choice, shares = plan.two_step, dict(plan.budget_shares)
    moved = centre_move(choice, plan.upper_bound)
    centre_of = noise.select(centre_scores(means, choice), moved, spend=shares[CENTRE])
    sums, sensitivities = np.empty_like(centre_of), np.empty_like(centre_of)
    for index in np.unique(centre_of):
        trials = np.flatnonzero(centre_of == index)
        centre = int(choice.centres[index])
        spread_of = np.zeros_like(trials)
        if SPREAD in shares:
            scores = spread_scores(means, centre, choice)
            spread_of = noise.select(scores, _SPREAD_MOVE, spend=shares[SPREAD], size=trials.size)
        terms = deviations(counts, means, centre)
        for spread in np.unique(spread_of):
            threshold = int(choice.thresholds[spread])
            sums[trials[spread_of == spread]] = clipped_sum(terms, centre, threshold)
        sensitivities[trials] = choice.sensitivities[spread_of]
    return sums, sensitivities


MECHANISM = TwoStepClipping()
