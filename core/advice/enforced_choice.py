"""What plan and enforce is expected to miss, and the total for an acceptable error (method 12.9).

From public counts and budgets alone: no record, no value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.bounding.bounding_error import enforced_error
from core.bounding.candidates import CandidateHats
from core.bounding.plan_and_enforce import USUAL_SHARE, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.planning.city_accuracy import ErrorGoal, no_budget_for
from core.planning.constant_choice import spend_of
from core.planning.smallest_budget import smallest_budget
from core.progress import Progress, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCounts:
    """The candidates that public counts list, and those counts: what a plan is made from."""

    candidates: CandidateHats
    public: PublicCounts
    """Of these candidates, in their order; each has a unit, and the fleet is known."""
    upper_bound: int
    """U in thousandths."""
    share: Decimal = USUAL_SHARE
    """Of the budget that pays for sums."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedChoice:
    """A budget with its noise, and what they are expected to miss."""

    total: Decimal
    """Epsilon of one protected unit."""
    noise: NoiseKind
    error_kmh: float
    """Typical error of the goal's HAT."""


def enforced_choice(
    listed: ListedCounts,
    noises: Sequence[NoiseKind],
    total: Decimal,
    *,
    delta: Decimal = Decimal(0),
    goal: ErrorGoal = ErrorGoal.MEDIAN,
) -> EnforcedChoice:
    """The noise with the smaller error; equal ones: the first. noises: at least one.

    Raises InputError where the total buys none of them, or the public counts make no plan.
    """
    found: list[EnforcedChoice] = []
    problem: InputError | None = None
    pairs = listed.public.pairs()
    for noise in noises:
        try:
            spend = spend_of(total, noise, delta)
        except InputError as error:
            problem = error
            continue
        plan = plan_enforced(pairs, listed.candidates, listed.upper_bound, noise, spend, share=listed.share)
        found.append(EnforcedChoice(total=total, noise=noise, error_kmh=goal.of(enforced_error(plan))))
    if not found and problem is not None:
        raise problem
    return min(found, key=lambda one: one.error_kmh)


def enforced_for_error(
    listed: ListedCounts,
    noises: Sequence[NoiseKind],
    wanted_kmh: float,
    *,
    delta: Decimal = Decimal(0),
    goal: ErrorGoal = ErrorGoal.MEDIAN,
    progress: Progress = silent,
) -> EnforcedChoice:
    """The smallest total with two digits whose typical error is `wanted_kmh` at most.

    wanted_kmh: above 0. Raises InputError where no total is enough, as `enforced_choice` does, and what
    `progress` raises.
    """

    def best(total: Decimal) -> EnforcedChoice:
        return enforced_choice(listed, noises, total, delta=delta, goal=goal)

    found = smallest_budget(lambda total, _: best(total).error_kmh, wanted_kmh, progress)
    if found is None:
        raise no_budget_for(wanted_kmh, goal)
    return best(found)
