"""The plan of a joint release: everyone's tokens in every HAT, and what their noise does (city-release 6).

Everything follows from public counts, constants and the budget; no values, no randomness.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.accounting.zcdp import rho_of
from core.arrays import Floats, Ints
from core.city.allocation import allocate, costs
from core.city.city_bias import CityBias, city_bias
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.split import split_shares
from core.city.tokens import tokens_of
from core.errors import InputError
from core.mechanisms.tokens import BOUNDED, EXACT, TOKENS, TokensParams
from core.mechanisms.value_grid import ValueGrid, value_grid
from core.progress import Progress, part, silent
from core.values import THOUSAND, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class CityBudget:
    """What every vehicle has to spend on the whole release."""

    epsilon: Decimal
    """The total that was asked for, per vehicle."""
    delta: Decimal = Decimal(0)
    """Of the population; 0 allows no Gaussian noise."""

    def spend(self, noise: NoiseKind) -> Decimal:
        """Pure epsilon, or the rho that comes to that epsilon. Raises InputError where none does."""
        return rho_of(self.epsilon, self.delta) if noise.squared else self.epsilon


@dataclass(frozen=True, slots=True, kw_only=True)
class CityPlan:
    """Tokens, and what follows from them for each released HAT."""

    pairs: CityPairs
    """Of the released HATs, numbered from 0."""
    hat_index: Ints
    """Shape (G,): their numbers in the contributions."""
    tokens: Ints
    """y_lg, shape (n,)."""
    noise: NoiseKind
    spend: Decimal
    """Of every vehicle: pure epsilon, or rho."""
    budget: CityBudget
    upper_bound: int
    """U in thousandths."""
    grid: ValueGrid
    bias: CityBias
    """Of the tokens' weights."""
    gap: float
    """How far the shares are from the best, for true weights, at most: a certificate."""

    @property
    def upper_kmh(self) -> float:
        return self.upper_bound / THOUSAND

    @property
    def totals(self) -> Ints:
        """S_g, shape (G,); at least 1."""
        totals: Ints = np.add.reduceat(self.tokens, self.pairs.starts)
        return totals

    @property
    def largest(self) -> Ints:
        """The most tokens of one vehicle in each HAT, shape (G,)."""
        largest: Ints = np.maximum.reduceat(self.tokens, self.pairs.starts)
        return largest

    @property
    def sensitivity(self) -> int:
        """What a vehicle moves the vector of token sums, in steps of the grid and the noise's norm: Q Y."""
        return self.grid.steps * TOKENS

    @property
    def scale(self) -> Floats:
        """Scale (Gaussian: standard deviation) of each mean's noise, km/h; shape (G,)."""
        cost = math.sqrt(2.0 * float(self.spend)) if self.noise.squared else float(self.spend)
        scale: Floats = self.sensitivity * self.grid.step_kmh / cost / self.totals
        return scale

    @property
    def weights(self) -> Floats:
        """y_lg / S_g, shape (n,)."""
        weights: Floats = self.tokens / self.totals[self.pairs.hat]
        return weights

    @property
    def effective_vehicles(self) -> Floats:
        """(sum y)^2 / sum y^2 of each HAT, shape (G,): as many vehicles of one weight would be as exact."""
        return self.totals**2 / self.pairs.by_hat(self.tokens.astype(float) ** 2)

    @property
    def typical_error(self) -> Floats:
        """Expected |noise + modelled bias| of each HAT, km/h; no number in [0, U] misses more than U."""
        return np.minimum(self.noise.typical_error(self.scale, self.bias.typical), self.upper_kmh)

    @property
    def half_width(self) -> Floats:
        """The 95 % quantile of |noise + modelled bias|, km/h."""
        return self.noise.half_width(self.scale, self.bias.interval)

    @property
    def bias_bound(self) -> Floats:
        """Worst-case |mean without noise - true mean|, with the rounding of vehicles' means; km/h."""
        return np.minimum(self.bias.at_worst + self.grid.step_kmh / 2.0, self.upper_kmh)

    @property
    def error_at_worst(self) -> Floats:
        """Expected |noise| plus worst-case bias, km/h."""
        return np.minimum(self.noise.mean_of_scale * self.scale + self.bias_bound, self.upper_kmh)


def plan_city(
    pairs: CityPairs,
    hat_index: Ints,
    upper_bound: int,
    budget: CityBudget,
    params: TokensParams,
    importance: Floats | None = None,
    progress: Progress = silent,
) -> CityPlan:
    """Solve for shares, choose weights where they may move, and make tokens of them.

    hat_index: shape (G,); importance: shape (G,), above 0, None: all alike. With `auto` both kinds of noise
    are planned, Gaussian only where the population allows a delta, and the smaller median typical error
    is taken. Raises InputError where the budget buys nothing.
    """
    kinds = _kinds(params.noise, budget)
    plans = [
        _plan_for(
            noise,
            pairs,
            hat_index,
            upper_bound,
            budget,
            params,
            importance,
            part(progress, number / len(kinds), (number + 1) / len(kinds)),
        )
        for number, noise in enumerate(kinds)
    ]
    return min(plans, key=lambda plan: float(np.median(plan.typical_error)))


def _kinds(wanted: str, budget: CityBudget) -> list[NoiseKind]:
    """The kinds of noise to plan."""
    if wanted in list(NoiseKind):
        return [NoiseKind(wanted)]
    if budget.delta == 0:
        return [NoiseKind.LAPLACE]
    try:
        budget.spend(NoiseKind.GAUSS)
    except InputError:  # so little that no rho comes to it
        return [NoiseKind.LAPLACE]
    return list(NoiseKind)


def _plan_for(
    noise: NoiseKind,
    pairs: CityPairs,
    hat_index: Ints,
    upper_bound: int,
    budget: CityBudget,
    params: TokensParams,
    importance: Floats | None,
    progress: Progress,
) -> CityPlan:
    spend, upper_kmh = budget.spend(noise), upper_bound / THOUSAND
    solved = allocate(pairs, noise, params.p, importance, part(progress, 0.0, 0.2))
    shares = costs(pairs, noise) * solved.exactness[pairs.hat]
    if params.mode != EXACT:
        cost = math.sqrt(2.0 * float(spend)) if noise.squared else float(spend)
        shares = split_shares(
            pairs,
            noise,
            shares,
            upper_kmh / cost,
            upper_kmh,
            bounded=params.mode == BOUNDED,
            importance=importance,
            progress=part(progress, 0.2, 1.0),
        )
    tokens = tokens_of(pairs, shares, noise)
    released = pairs.by_hat(tokens) > 0
    if not released.any():
        raise InputError(
            f"A total of {plain(budget.epsilon)} leaves no token in any HAT.",
            where="query.total",
            mend="choose coarser hexagons, longer slots or fewer HATs",
        )
    kept = released[pairs.hat]
    pairs, tokens, hat_index = pairs.only(released), tokens[kept], hat_index[released]
    return CityPlan(
        pairs=pairs,
        hat_index=hat_index,
        tokens=tokens,
        noise=noise,
        spend=spend,
        budget=budget,
        upper_bound=upper_bound,
        grid=value_grid(upper_bound),
        bias=city_bias(pairs, tokens / pairs.by_hat(tokens)[pairs.hat], upper_kmh),
        gap=solved.gap,
    )
