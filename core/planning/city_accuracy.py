"""The total that brings a joint release to an acceptable error, by public counts alone (method 10.6).

Looks at outlines of the release, not at plans: many totals are tried in the time that one plan takes.
"""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

import numpy as np

from core.accounting.epsilon_rounding import plain
from core.accounting.zcdp import rho_of
from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs
from core.city.city_places import CityPlaces
from core.city.city_sketch import CitySketch, sketch_exact, sketch_split
from core.city.noise_kind import NoiseKind
from core.city.smoothing_sample import sampled_error
from core.city.split import MOST_ITERATIONS
from core.errors import InputError
from core.mechanisms.tokens import AUTO, EXACT, TokensParams
from core.planning.smallest_budget import AMOUNTS, smallest_budget
from core.progress import Progress, part, silent
from core.system.own_process import WorkPlace, in_this_process
from core.texts import text_of

_SAMPLED = 16
"""HATs whose error after smoothing is computed; the others lie between."""
_PAIR_ROUNDS = 6_000_000
"""Iterations times pairs that choosing weights may take, each time."""
_FEWEST_ITERATIONS, _MOST_ITERATIONS = 15, 60
"""A plan takes `MOST_ITERATIONS`; from 30 on they gain a few per cent in the median HAT."""
_ROUNDS = 2
"""Weights are chosen for the total that was found, and the total is looked for again: so often, or once
where the pairs are many.
"""
_MANY_PAIRS = 50_000
_RIVAL = 1.5
"""A plan may take a kind of noise whose error is so many times the better one's before weights are chosen."""
_A_TENTH_MORE = Decimal("1.1")
_LOOKING = 0.4
"""Of the work where the total is then checked against a whole plan: what looking for it takes."""
_FIRST = 0.3
"""Of that, what the first look takes."""
_NEARBY = 63
"""Amounts below the total that are tried again, to about a quarter of it: other weights save less. They may
need more where the worst HAT counts.
"""


class ErrorGoal(StrEnum):
    """Of which HAT the error is to be acceptable."""

    MEDIAN = "median"
    WORST = "worst"

    def of(self, errors: Floats) -> float:
        """errors: of each HAT, shape (G,)."""
        return float(errors.max() if self is ErrorGoal.WORST else np.median(errors))

    def sample(self, errors: Floats) -> Ints:
        """Some HATs that stand for the goal: spread over all, or the worst ones."""
        order = np.argsort(errors, kind="stable").astype(np.int64)
        if order.size <= _SAMPLED:
            return order
        if self is ErrorGoal.WORST:
            return order[-_SAMPLED:]
        return order[((np.arange(_SAMPLED) + 0.5) / _SAMPLED * order.size).astype(np.int64)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CityOutline:
    """A joint release for any total: one outline for each kind of noise that may be chosen."""

    sketches: tuple[CitySketch, ...]
    params: TokensParams
    importance: Floats | None
    apart: WorkPlace = in_this_process
    """Where large searches for weights are done."""

    def error(
        self, total: Decimal, goal: ErrorGoal, *, smoothed: bool, progress: Progress = silent
    ) -> tuple[float, NoiseKind]:
        """What the goal's HAT will typically miss, and with which noise; km/h.

        The noise is the one whose raw error is smaller in the median, as a plan takes it. Smoothed errors
        come from a sample of the HATs, and are rather too large than too small. Raises InputError where
        the total buys no noise, and what `progress` raises.
        """
        sketch, errors = self._better(total)
        if smoothed:
            errors = sampled_error(sketch.facts(total), goal.sample(errors), progress)
        return goal.of(errors), sketch.noise

    def rivals(self, total: Decimal) -> list[NoiseKind]:
        """The kinds of noise that a plan may take. Raises InputError where the total buys no noise."""
        best = float(np.median(self._better(total)[1]))
        return [one.noise for one in self.sketches if _median_error(one, total) <= _RIVAL * best]

    def only(self, noise: NoiseKind) -> CityOutline:
        """With one of its kinds of noise."""
        chosen = tuple(sketch for sketch in self.sketches if sketch.noise is noise)
        return dataclasses.replace(self, sketches=chosen)

    def with_weights_for(
        self,
        total: Decimal,
        progress: Progress = silent,
        *,
        pair_rounds: int = _PAIR_ROUNDS,
        fewest: int = _FEWEST_ITERATIONS,
    ) -> CityOutline:
        """With weights chosen for this total, where they may be, and the noise that it takes.

        pair_rounds: iterations times pairs that it may take, though at least `fewest` iterations; none are
        taken, and the weights stay, where neither allows one. Raises InputError where the total buys no
        noise, and what `progress` raises.
        """
        if self.params.mode == EXACT:
            return self
        sketch = self._better(total)[0]
        iterations = min(max(pair_rounds // sketch.pairs.hat.size, fewest), _MOST_ITERATIONS)
        if iterations == 0:
            return self
        chosen = sketch_split(
            sketch,
            total,
            self.params,
            self.importance,
            progress,
            iterations=iterations,
            apart=self.apart,
        )
        return dataclasses.replace(self, sketches=(chosen,))

    def as_planned(self, total: Decimal, progress: Progress = silent) -> CityOutline:
        """With the weights that a plan at this total takes, for each kind of noise that it may take.

        Only from an outline with true weights, from which a plan begins. Raises InputError where the total
        buys no noise, and what `progress` raises.
        """
        kinds = self.rivals(total)
        rivals = [one for one in self.sketches if one.noise in kinds]
        chosen = tuple(
            sketch_split(
                sketch,
                total,
                self.params,
                self.importance,
                part(progress, number / len(rivals), (number + 1) / len(rivals)),
                iterations=MOST_ITERATIONS,
                apart=self.apart,
            )
            for number, sketch in enumerate(rivals)
        )
        return dataclasses.replace(self, sketches=chosen)

    def _better(self, total: Decimal) -> tuple[CitySketch, Floats]:
        """The outline whose raw error is smaller in the median, and the errors."""
        found: list[tuple[CitySketch, Floats]] = []
        problem: InputError | None = None
        for sketch in self.sketches:
            try:
                found.append((sketch, sketch.typical_error(total)))
            except InputError as error:
                problem = error
        if not found and problem is not None:
            raise problem
        return min(found, key=lambda one: float(np.median(one[1])))


def _median_error(sketch: CitySketch, total: Decimal) -> float:
    """Raw, km/h; infinite where the total buys no noise of this kind."""
    try:
        return float(np.median(sketch.typical_error(total)))
    except InputError:
        return math.inf


def outline_city(
    pairs: CityPairs,
    places: CityPlaces,
    upper_bound: int,
    params: TokensParams,
    delta: Decimal,
    importance: Floats | None = None,
    progress: Progress = silent,
    apart: WorkPlace = in_this_process,
) -> CityOutline:
    """With true weights; `with_weights_for` chooses others. delta: what the population allows, 0: nothing.

    Raises InputError for Gaussian noise without a delta, and what `progress` raises.
    """
    kinds = list(NoiseKind) if params.noise == AUTO else [NoiseKind(params.noise)]
    if delta == 0 and params.noise == AUTO:
        kinds = [NoiseKind.LAPLACE]
    if NoiseKind.GAUSS in kinds:
        rho_of(AMOUNTS[-1], delta)  # tells what to do about a delta that allows none
    sketches = [
        sketch_exact(
            pairs,
            places,
            upper_bound,
            noise,
            delta,
            params,
            importance,
            part(progress, number / len(kinds), (number + 1) / len(kinds)),
        )
        for number, noise in enumerate(kinds)
    ]
    return CityOutline(sketches=tuple(sketches), params=params, importance=importance, apart=apart)


def total_for_error(
    outline: CityOutline,
    wanted: float,
    goal: ErrorGoal,
    *,
    smoothed: bool,
    progress: Progress = silent,
    by_plan: bool = False,
) -> Decimal:
    """The smallest of `AMOUNTS` whose error is `wanted` at most, km/h.

    In the worst HAT a whole plan keeps to it, at more than the smallest amount where that is what it takes:
    a plan minds the mean over all HATs, and may give one up that fewer iterations would not. by_plan: in the
    median HAT too, where a plan may miss by a few per cent more.

    Raises InputError where none is enough, and what `progress` raises.
    """
    checked = (by_plan or goal is ErrorGoal.WORST) and outline.params.mode != EXACT
    looking = part(progress, 0.0, _LOOKING) if checked else progress
    total = _searched(outline, wanted, goal, smoothed, AMOUNTS, part(looking, 0.0, _FIRST))
    if total is not None and outline.params.mode != EXACT:
        # weights are chosen for one kind of noise: where time is short the one that is better without them
        each = checked and outline.sketches[0].pairs.hat.size <= _MANY_PAIRS
        rivals = [outline.only(one) for one in outline.rivals(total)] if each else [outline]
        shares = [part(looking, *_share_of(number, len(rivals))) for number in range(len(rivals))]
        totals = [
            _with_better_weights(rival, total, wanted, goal, smoothed, share)
            for rival, share in zip(rivals, shares, strict=True)
        ]
        total = min((found for found in totals if found is not None), default=None)
    if checked and total is not None:
        total = _met_by_a_plan(outline, total, wanted, goal, smoothed, part(progress, _LOOKING, 1.0))
    if total is None:
        raise no_budget_for(wanted, goal)
    return total


def _share_of(number: int, of: int) -> tuple[float, float]:
    """Where in the work a kind of noise begins and ends."""
    return _FIRST + (1.0 - _FIRST) * number / of, _FIRST + (1.0 - _FIRST) * (number + 1) / of


def _with_better_weights(
    outline: CityOutline, total: Decimal, wanted: float, goal: ErrorGoal, smoothed: bool, progress: Progress
) -> Decimal | None:
    """From a total for true weights to one for chosen weights, some times; None where none is enough."""
    rounds = 1 if outline.sketches[0].pairs.hat.size > _MANY_PAIRS else _ROUNDS
    weighted, found = outline, total
    for number in range(rounds):
        share = part(progress, number / rounds, (number + 1) / rounds)
        weighted, better = _with_weights(weighted, found, wanted, goal, smoothed, share)
        if better is None:
            return None
        found = better
    return found


def _met_by_a_plan(
    exact: CityOutline, total: Decimal, wanted: float, goal: ErrorGoal, smoothed: bool, progress: Progress
) -> Decimal | None:
    """The first amount from `total` on at which a whole plan leaves no more than is wanted; None where none.

    Where the plan misses, the next to be tried is the amount that its own weights need, for the worst HAT at
    least a tenth more, or twice as much where no amount helps those weights.
    """
    least = _A_TENTH_MORE if goal is ErrorGoal.WORST else Decimal(1)
    amounts: Sequence[Decimal] = AMOUNTS[bisect_left(AMOUNTS, total) :]
    done = 0.0
    while amounts:
        ahead = part(progress, done, done + (1.0 - done) / 2.0)
        planned = exact.as_planned(
            amounts[0],
            _saying(text_of("{amounts}, if a whole plan agrees", amounts=plain(amounts[0])), ahead),
        )
        if planned.error(amounts[0], goal, smoothed=smoothed)[0] <= wanted:
            return amounts[0]
        more = amounts[max(bisect_left(amounts, amounts[0] * least), 1) :]
        enough = _searched(planned, wanted, goal, smoothed, more, part(ahead, 1.0, 1.0))
        amounts = amounts[bisect_left(amounts, 2 * amounts[0] if enough is None else enough) :]
        done += (1.0 - done) / 2.0
    return None


def _saying(text: str, progress: Progress) -> Progress:
    """Progress with one text throughout."""
    return lambda done, _="": progress(done, text)


def _with_weights(
    outline: CityOutline, total: Decimal, wanted: float, goal: ErrorGoal, smoothed: bool, progress: Progress
) -> tuple[CityOutline, Decimal | None]:
    """Weights chosen for a total, and the first amount near it that is enough with them.

    Weights for a small total may leave some HAT a bias that no amount takes away: then those for twice as
    much are tried, which have less of it, and no smaller amount, as a plan for it would take other weights.
    None where the largest amount leaves more.
    """
    lower = max(bisect_left(AMOUNTS, total) - _NEARBY, 0)
    while True:
        chosen = outline.with_weights_for(total, part(progress, 0.0, 0.5))
        found = _searched(chosen, wanted, goal, smoothed, AMOUNTS[lower:], part(progress, 0.5, 1.0))
        if found is not None or total == AMOUNTS[-1]:
            return chosen, found
        lower = min(bisect_left(AMOUNTS, 2 * total), len(AMOUNTS) - 1)
        total = AMOUNTS[lower]


def _searched(
    outline: CityOutline,
    wanted: float,
    goal: ErrorGoal,
    smoothed: bool,
    amounts: Sequence[Decimal],
    progress: Progress,
) -> Decimal | None:
    """The first amount that is enough; None where none is."""
    return smallest_budget(
        lambda amount, share: outline.error(amount, goal, smoothed=smoothed, progress=share)[0],
        wanted,
        progress,
        amounts,
    )


def no_total_for_regions(query_id: str) -> InputError:
    """The answer to a question for the total that makes regions so exact."""
    return InputError(
        "Regions are as exact as is promised, whatever the total.",
        where=text_of("query {id}", id=query_id),
        mend="write the error as the promised one, or leave regions out",
    )


def no_budget_for(wanted: float, goal: ErrorGoal, where: str = "query") -> InputError:
    """What is said where even the largest amount leaves more; wanted: as it is read, of shares in points."""
    return InputError(
        "No budget brings the typical error of the {goal} hexagon slot to {wanted}.",
        goal=goal,
        wanted=f"{wanted:g}",
        where=where,
        mend="accept a larger error, or choose coarser hexagons, longer slots or another mechanism",
    )
