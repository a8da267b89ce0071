"""The total for an acceptable error of a joint release, by kind of noise, or why none is (method 10.6).

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
from core.city.city_plan import JointCity
from core.city.city_sketch import CitySketch, sketch_exact
from core.city.noise_kind import NoiseKind
from core.city.smoothing_sample import SOLVED_WHOLE
from core.errors import InputError
from core.mechanisms.public_model import FORETOLD_WITHIN
from core.mechanisms.tokens import AUTO, EXACT, TokensParams
from core.planning.smallest_budget import AMOUNTS, smallest_budget
from core.progress import Progress, part, silent
from core.shares.share_sketch import ShareSketch
from core.statistics.error_figures import PERCENT
from core.statistics.ranges import Ranges
from core.texts import text_of

SAMPLED_HATS = 16
"""HATs of a large city whose error after smoothing is computed; the others lie between."""
_RIVAL = 1.5
"""How many times the better kind's error another kind of noise may have for its total to be searched too."""
_A_TENTH_MORE = Decimal("1.1")
_SEARCHING = 0.2
"""Part of the work on the total of an acceptable error: that for true weights."""


class ErrorGoal(StrEnum):
    """Of which HAT the error is to be acceptable."""

    MEDIAN = "median"
    WORST = "worst"

    def of(self, errors: Floats) -> float:
        """errors: of each HAT, shape (G,)."""
        return float(errors.max() if self is ErrorGoal.WORST else np.median(errors))

    def sample(self, errors: Floats) -> Ints:
        """The HATs that stand for the goal: of a large city some, spread over all, or the worst ones."""
        order = np.argsort(errors, kind="stable").astype(np.int64)
        if order.size <= SOLVED_WHOLE:
            return order
        if self is ErrorGoal.WORST:
            return order[-SAMPLED_HATS:]
        return order[((np.arange(SAMPLED_HATS) + 0.5) / SAMPLED_HATS * order.size).astype(np.int64)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsForError:
    """Between which the total lies that an error takes."""

    total: Decimal
    """By the error that is foretold."""
    if_better: Decimal
    """If the true one is as much smaller as it may be; at most `total`, and the same of raw numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityOutline:
    """A joint release for any total: one outline for each kind of noise that may be chosen."""

    sketches: tuple[CitySketch | ShareSketch, ...]
    params: TokensParams
    shown: int = 1
    """What errors are multiplied by to be read."""

    def error(
        self, total: Decimal, goal: ErrorGoal, *, smoothed: bool, progress: Progress = silent
    ) -> tuple[float, NoiseKind]:
        """What the goal's HAT will typically miss, and with which noise; km/h, or parts of a share.

        The noise is the one whose raw error is smaller in the median, as a plan takes it. Smoothed errors
        of a large city come from a sample of the HATs: each is rather too large than too small.
        Raises InputError where the total buys no noise, and what `progress` raises.
        """
        sketch, errors = self._better(total)
        if smoothed:
            errors = sketch.smoothed_error(total, goal.sample(errors), progress)
        return goal.of(errors), sketch.noise

    def rivals(self, total: Decimal) -> list[NoiseKind]:
        """The kinds of noise that a plan may take. Raises InputError where the total buys no noise."""
        best = float(np.median(self._better(total)[1]))
        return [one.noise for one in self.sketches if _median_error(one, total) <= _RIVAL * best]

    def only(self, noise: NoiseKind) -> CityOutline:
        """With one of its kinds of noise."""
        chosen = tuple(sketch for sketch in self.sketches if sketch.noise is noise)
        return dataclasses.replace(self, sketches=chosen)

    def as_planned(self, total: Decimal, progress: Progress = silent) -> CityOutline:
        """With the weights that a plan at this total takes, for each kind of noise that it may take.

        Raises InputError where the total buys no noise, and what `progress` raises.
        """
        if self.params.mode == EXACT:
            return self
        kinds = self.rivals(total)
        rivals = [one for one in self.sketches if one.noise in kinds]
        chosen = tuple(
            sketch.with_weights_for(total, part(progress, number / len(rivals), (number + 1) / len(rivals)))
            for number, sketch in enumerate(rivals)
        )
        return dataclasses.replace(self, sketches=chosen)

    def _better(self, total: Decimal) -> tuple[CitySketch | ShareSketch, Floats]:
        """The outline whose raw error is smaller in the median, and the errors."""
        found: list[tuple[CitySketch | ShareSketch, Floats]] = []
        problem: InputError | None = None
        for sketch in self.sketches:
            try:
                found.append((sketch, sketch.typical_error(total)))
            except InputError as error:
                problem = error
        if not found and problem is not None:
            raise problem
        return min(found, key=lambda one: float(np.median(one[1])))


def _median_error(sketch: CitySketch | ShareSketch, total: Decimal) -> float:
    """Raw; infinite where the total buys no noise of this kind."""
    try:
        return float(np.median(sketch.typical_error(total)))
    except InputError:
        return math.inf


def outline_city(
    city: JointCity, delta: Decimal, progress: Progress = silent, *, ranges: Ranges | None = None
) -> CityOutline:
    """With true weights; `as_planned` chooses others. delta: what the population allows, 0: nothing.

    ranges: of shares; None: of means.

    Raises InputError for Gaussian noise without a delta, and what `progress` raises.
    """
    params = city.params
    kinds = list(NoiseKind) if params.noise == AUTO else [NoiseKind(params.noise)]
    if delta == 0 and params.noise == AUTO:
        kinds = [NoiseKind.LAPLACE]
    if NoiseKind.GAUSS in kinds:
        rho_of(AMOUNTS[-1], delta)  # tells what to do about a delta that allows none
    sketches = [
        sketch_exact(city, noise, delta, part(progress, number / len(kinds), (number + 1) / len(kinds)))
        for number, noise in enumerate(kinds)
    ]
    if ranges is not None:
        shares = tuple(ShareSketch(city=sketch, ranges=ranges) for sketch in sketches)
        return CityOutline(sketches=shares, params=params, shown=PERCENT)
    return CityOutline(sketches=tuple(sketches), params=params)


def totals_for_error(
    outline: CityOutline,
    wanted: float,
    goal: ErrorGoal,
    *,
    smoothed: bool,
    progress: Progress = silent,
) -> TotalsForError:
    """The smallest of `AMOUNTS` at which a plan leaves `wanted` at most; outline: with true weights.

    And what is enough if smoothing does as much better as it may. Raises InputError where no total is
    enough, and what `progress` raises.
    """
    looking = part(progress, 0.0, _SEARCHING)
    total, planned = _searched(outline, wanted, goal, smoothed, AMOUNTS, looking), outline
    if total is not None and outline.params.mode != EXACT:
        ahead = part(progress, _SEARCHING, 1.0)
        total, planned = _met_by_a_plan(outline, total, wanted, goal, smoothed, ahead)
    if total is None:
        raise no_budget_for(outline.shown * wanted, goal)
    if not smoothed:
        return TotalsForError(total=total, if_better=total)
    less = AMOUNTS[: AMOUNTS.index(total) + 1]
    better = _searched(planned, wanted * FORETOLD_WITHIN, goal, smoothed, less, part(progress, 1.0, 1.0))
    return TotalsForError(total=total, if_better=better or total)


def _met_by_a_plan(
    exact: CityOutline, total: Decimal, wanted: float, goal: ErrorGoal, smoothed: bool, progress: Progress
) -> tuple[Decimal | None, CityOutline]:
    """The first amount at which a plan leaves no more than is wanted, from a guess on, and its weights.

    None where no amount does.

    Next after an amount comes the one that its plan's weights need. Where no amount helps these weights, as
    those for a small total may leave some HAT a bias that none takes away, it is twice as much; for the worst
    HAT at least a tenth more than what missed.
    """
    least = _A_TENTH_MORE if goal is ErrorGoal.WORST else Decimal(1)
    missed, met, done = -1, len(AMOUNTS), 0.0
    found = exact
    place = AMOUNTS.index(total)
    while missed < place < met:
        amount = AMOUNTS[place]
        ahead = part(progress, done, done + (1.0 - done) / 2.0)
        done += (1.0 - done) / 2.0
        planned = exact.as_planned(
            amount,
            _saying(
                text_of("Probably epsilon {amounts}; checking with a whole plan", amounts=plain(amount)),
                ahead,
            ),
        )
        if planned.error(amount, goal, smoothed=smoothed)[0] <= wanted:
            met, found = place, planned
        else:
            missed = max(place, bisect_left(AMOUNTS, amount * least) - 1)
        further = AMOUNTS[missed + 1 : met + 1]
        enough = _searched(planned, wanted, goal, smoothed, further, part(ahead, 1.0, 1.0))
        place = bisect_left(AMOUNTS, enough) if enough else bisect_left(AMOUNTS, 2 * amount)
    return AMOUNTS[met] if met < len(AMOUNTS) else None, found


def _saying(text: str, progress: Progress) -> Progress:
    """Progress with one text throughout."""
    return lambda done, _="": progress(done, text)


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
        "Regions always have the promised error, whatever the total.",
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
