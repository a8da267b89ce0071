"""The private interval of both quantile mechanisms: the step of its grid, the ends (P3 Sec. III-E)."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.contributions import HatData, HatUsers
from core.fixed_point import FINE, THOUSAND, fine_ceil
from core.grouping.assignment import array_means
from core.grouping.groupings import grouping_field, m_ub_field
from core.grouping.m_ub import SQRT
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan, plan_arrays
from core.mechanisms.base import NOISE, Draw, Mechanism, NoiseFactors
from core.mechanisms.model_draws import noisy_best
from core.mechanisms.projection import HALF, HALF_FOR_NOISE, projected_accuracy, release_projected
from core.mechanisms.public_model import Accuracy
from core.noise.source import NoiseSource

LOWER, UPPER = "lower quantile", "upper quantile"
_UNLIKE = 1.3
"""Fleets whose records scatter more than the model's mislead both selected ends of the private interval."""
_QUARTER = HALF * HALF
GRID_STEP = 50
"""Step of the public grid of candidates, thousandths of km/h."""
MOST_CANDIDATES = 20_000
"""Of the ends of the private interval: of a value with a larger range the grid's steps are larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Ranks of the two quantiles, in arrays counted from below."""

    lower: int
    upper: int
    times: int
    """Both are multiplied by this, so that they are whole."""

    @property
    def both(self) -> tuple[int, int]:
        return self.lower, self.upper


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileParams:
    """How users are grouped, and how many records each may give."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)


class QuantileMechanism(Mechanism[QuantileParams, ArrayPlan]):
    """Sensitivity (b' - a') / Kbar with [a', b'] from a quarter of the budget each."""

    noise_factors: ClassVar[NoiseFactors] = HALF_FOR_NOISE
    Params = QuantileParams

    @abstractmethod
    def ranks(self, plan: ArrayPlan) -> Ranks:
        """Between which arrays the interval lies."""

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, params: QuantileParams, cache: PlanCache
    ) -> ArrayPlan:
        """A quarter of the budget for each quantile, half for the noise; nothing bounds the interval."""
        plain = plan_arrays(
            self.key, users, epsilon, upper_bound, cache, grouping=params.grouping, m_ub=params.m_ub
        )
        quarter = epsilon * _QUARTER
        return dataclasses.replace(
            plain,
            bias_bound=plain.upper_kmh,
            budget_shares=((LOWER, quarter), (UPPER, quarter), (NOISE, epsilon * HALF)),
        )

    def accuracy(self, plan: ArrayPlan, users: HatUsers, cache: PlanCache) -> Accuracy:
        ranks = self.ranks(plan)

        def interval(_: ArrayPlan, means: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
            runs = _runs_of(means, plan.upper_bound)
            ends = [
                _modelled_quantile(plan, runs, rank / ranks.times, float(share), rng)
                for rank, (_, share) in zip(ranks.both, plan.budget_shares, strict=False)
            ]
            return np.minimum(*ends), np.maximum(*ends)

        accuracy = projected_accuracy(plan, users, cache, ranks, interval)
        return dataclasses.replace(accuracy, half_width=_UNLIKE * accuracy.half_width)

    def run(self, plan: ArrayPlan, hat: HatData, noise: NoiseSource) -> Draw:
        """Select both quantiles, sort the two results, project and add noise."""
        ranks, means = self.ranks(plan), array_means(plan.assignment, hat)
        candidates = grid(plan.upper_bound)
        moved = ranks.times * plan.assignment.touched
        ends = [
            candidates[noise.select(rank_scores(means, candidates, rank, ranks.times), moved, spend=share)]
            for rank, (_, share) in zip(ranks.both, plan.budget_shares, strict=False)
        ]
        return release_projected(plan, hat, np.minimum(*ends), np.maximum(*ends), noise)


def _spacing(upper_bound: int) -> int:
    """Thousandths between two candidates: wider where the range is."""
    return max(GRID_STEP, -(-upper_bound // MOST_CANDIDATES))


def grid(upper_bound: int) -> NDArray[np.int64]:
    """Candidates 0, 0.05, .. and U itself, in integers of 2^-30 km/h; upper_bound in thousandths."""
    step = _spacing(upper_bound)
    thousandths = np.append(np.arange(0, upper_bound, step), upper_bound)
    return np.minimum(np.rint(thousandths * (FINE / THOUSAND)).astype(np.int64), fine_ceil(upper_bound))


def rank_scores(
    means: NDArray[np.int64], candidates: NDArray[np.int64], rank: int, times: int
) -> NDArray[np.int64]:
    """`-|times * #(means < x) - rank|` for each candidate x; one array moves it by at most `times`."""
    below = np.searchsorted(np.sort(means), candidates, side="left")
    scores: NDArray[np.int64] = -np.abs(times * below - rank)
    return scores


class _Runs(NamedTuple):
    """Neighbouring candidates that score alike in a draw: any of them is as likely."""

    below: Ints
    """Array means below them; shape (runs,) or (draws, runs)."""
    first: Ints
    """The first of them; shape (draws, runs)."""
    sizes: Ints | None
    """How many they are, 0 for none; None where each is by itself."""


def _runs_of(means: Floats, upper_bound: int) -> _Runs:
    """Candidates by the gaps between array means, or one by one where those are fewer.

    means: shape (draws, K), km/h.
    """
    step = _spacing(upper_bound)
    candidates = -(-upper_bound // step) + 1
    draws, arrays = means.shape
    above = np.clip(np.floor(means * THOUSAND / step).astype(np.int64) + 1, 0, candidates)
    if arrays < candidates:
        above.sort(axis=1)
        ends = np.zeros((draws, 1), np.int64), np.full((draws, 1), candidates)
        edges = np.concatenate((ends[0], above, ends[1]), axis=1)
        return _Runs(np.arange(arrays + 1), edges[:, :-1], np.diff(edges, axis=1))
    at = np.array([np.bincount(row, minlength=candidates + 1)[:candidates] for row in above])
    return _Runs(at.cumsum(axis=1), np.broadcast_to(np.arange(candidates), at.shape), None)


def _modelled_quantile(
    plan: ArrayPlan, runs: _Runs, rank: float, epsilon: float, rng: np.random.Generator
) -> Floats:
    """A private quantile in each draw, km/h; shape (draws,)."""
    scores = np.broadcast_to(-np.abs(runs.below - rank), runs.first.shape)
    chosen = noisy_best(scores, plan.assignment.touched, epsilon, rng, runs.sizes)
    row = np.arange(chosen.size)
    candidate = runs.first[row, chosen]
    if runs.sizes is not None:
        candidate = candidate + np.floor(rng.random(row.size) * runs.sizes[row, chosen])
    quantiles: Floats = np.minimum(candidate * _spacing(plan.upper_bound), plan.upper_bound) / THOUSAND
    return quantiles
