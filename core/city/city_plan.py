"""The plan of a joint release: tokens in every HAT; none left, measuring twice (city-release 6).

Everything follows from public counts, constants and the budget; no values, no randomness.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from core.accounting.epsilon_rounding import plain
from core.accounting.exact_loss import lattice_error
from core.accounting.zcdp import rho_of
from core.arrays import Floats, Ints
from core.city.allocation import allocate, costs
from core.city.city_bias import CityBias, corrected_bias
from core.city.city_pairs import CityPairs
from core.city.city_places import CityPlaces
from core.city.noise_kind import NoiseKind
from core.city.regions import Regions
from core.city.row_check import require_rows_within
from core.city.smoothing import SmoothingFacts
from core.city.split import split_shares
from core.city.zoom import (
    TwoLooks,
    combined_scale,
    first_share,
    look_scale,
    median_width,
    plan_looks,
    second_share,
)
from core.city.zoom_cut import Cut
from core.errors import InputError, InternalError
from core.fixed_point import THOUSAND
from core.mechanisms.tokens import BOUNDED, EXACT, SAFE, TOKENS, TokensParams, lean_of
from core.mechanisms.value_grid import ValueGrid, value_grid
from core.progress import Progress, part, silent


def tokens_of(pairs: CityPairs, shares: Floats, noise: NoiseKind) -> Ints:
    """y_lg, shape (n,): rounded down, and checked vehicle by vehicle. Raises InternalError."""
    taken = np.sqrt(shares) if noise.squared else shares
    tokens: Ints = np.floor(TOKENS * SAFE * taken).astype(np.int64)
    require_rows_within(pairs.vehicle.tolist(), tokens.tolist(), TOKENS, squared=noise.squared)
    return tokens


@dataclass(frozen=True, slots=True)
class JointCity:
    """What a joint release is made from, whatever its total."""

    pairs: CityPairs
    places: CityPlaces
    upper_bound: int
    """U in thousandths."""
    params: TokensParams
    importance: Floats | None = None
    """How much each HAT matters, shape (G,), above 0; None: all alike."""


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


@dataclass(frozen=True, kw_only=True)
class CityPlan:
    """Tokens, and what follows from them for each released HAT."""

    pairs: CityPairs
    """Of the released HATs, numbered from 0."""
    hat_index: Ints
    """Shape (G,): their numbers in the contributions, or those of regions."""
    tokens: Ints
    """y_lg, shape (n,)."""
    noise: NoiseKind
    spend: Decimal
    """Of every vehicle: pure epsilon, or rho."""
    budget: CityBudget
    upper_bound: int
    """U in thousandths."""
    grid: ValueGrid
    correction: Floats
    """f_g, shape (G,): what means are divided by, since weights lean; ones where they are not corrected."""
    lean: float
    """What misplaced dwell time still leans by, km/h at the papers' U."""
    bias: CityBias
    """Of the published weights; `expected_bias` has what a second look adds."""
    gap: float | None
    """How far the shares are from the best, for true weights, at most: a certificate. None for regions."""
    places: CityPlaces
    looks: TwoLooks | None = None
    """How the budget is divided where the city is looked at twice; None for one look."""
    regions: Regions | None = None
    """What the columns are where they are no HATs; None where they are."""

    def columns(self, hats: int) -> Ints:
        """HAT of the contributions -> its column of the plan, -1 where it is in none; shape (hats,)."""
        if self.regions is not None:
            return self.regions.of_hat
        columns = np.full(hats, -1)
        columns[self.hat_index] = np.arange(self.hat_index.size)
        return columns

    @property
    def upper_kmh(self) -> float:
        return self.upper_bound / THOUSAND

    @property
    def totals(self) -> Ints:
        """S_g, shape (G,); at least 1."""
        totals: Ints = np.add.reduceat(self.tokens, self.pairs.starts)
        return totals

    @property
    def divisors(self) -> Floats:
        """S_g f_g, shape (G,): what noisy token sums are divided by."""
        return self.totals * self.correction

    @property
    def largest(self) -> Ints:
        """The most tokens of one vehicle in each HAT, shape (G,)."""
        largest: Ints = np.maximum.reduceat(self.tokens, self.pairs.starts)
        return largest

    @property
    def sensitivity(self) -> int:
        """What a vehicle moves the vector of token sums, in steps of the grid and the noise's norm: Q Y."""
        return self.grid.largest * TOKENS

    @property
    def lattice_error(self) -> float:
        """H of all that is drawn with Gaussian noise (method 13.8); 0 without any."""
        if not self.noise.squared:
            return 0.0
        rhos = (self.spend,) if self.looks is None else (self.looks.first, self.looks.second)
        return sum(lattice_error(self.sensitivity, rho, self.pairs.hats) for rho in rhos)

    @property
    def scale(self) -> Floats:
        """Scale (Gaussian: standard deviation) of each mean's noise, km/h; shape (G,).

        With two looks what is expected: the second's range is known when the first is drawn.
        """
        if self.looks is not None:
            return combined_scale(self.look_scales(self.looks.expected_width))
        if self.noise.squared:
            return look_scale(self.grid, self.divisors, self.spend)
        return self.sensitivity * self.grid.step_kmh / float(self.spend) / self.divisors

    def look_scales(self, width: Floats) -> tuple[Floats, Floats]:
        """Of both looks, where the second covers so much of the range; km/h, shape (G,). InternalError."""
        if self.looks is None:
            raise InternalError("this city is measured in one step")
        first = look_scale(self.grid, self.divisors, self.looks.first)
        return first, look_scale(self.grid, self.divisors, self.looks.second) * width

    @property
    def expected_bias(self) -> CityBias:
        """Beside the noise: of the weights and, with two looks, of what the second probably cuts away."""
        if self.looks is None:
            return self.bias
        share = second_share(self.look_scales(self.looks.expected_width))
        return with_cut(self.bias, self.looks.expected_cut, share / self.correction, self.upper_kmh)

    @property
    def weights(self) -> Floats:
        """y_lg / (S_g f_g) of what is published, shape (n,)."""
        weights: Floats = self.tokens / self.divisors[self.pairs.hat]
        return weights

    @property
    def effective_vehicles(self) -> Floats:
        """(sum y)^2 / sum y^2 of each HAT, shape (G,): as many vehicles of one weight would be as exact."""
        return self.totals**2 / self.pairs.by_hat(self.tokens.astype(float) ** 2)

    @property
    def typical_error(self) -> Floats:
        """Expected |noise + modelled bias| of each HAT, km/h; no number in [0, U] misses more than U."""
        errors = self.noise.typical_error(self.scale, self.expected_bias.typical)
        return np.minimum(errors, self.upper_kmh)

    @cached_property
    def half_width(self) -> Floats:
        """The 95 % quantile of |noise + modelled bias|, km/h; searched for HAT by HAT, hence once."""
        return self.noise.half_width(self.scale, self.expected_bias.interval)

    @property
    def bias_bound(self) -> Floats:
        """Worst-case |mean without noise - true mean|, with the rounding of vehicles' means; km/h."""
        return self.bound_of(self.expected_bias)

    def bound_of(self, bias: CityBias) -> Floats:
        """The same for a bias that drawing decided; shape (G,)."""
        return np.minimum(bias.at_worst + self.grid.step_kmh / 2.0 / self.correction, self.upper_kmh)

    @property
    def error_at_worst(self) -> Floats:
        """Expected |noise| plus worst-case bias, km/h."""
        return np.minimum(self.noise.mean_of_scale * self.scale + self.bias_bound, self.upper_kmh)


def plan_city(city: JointCity, hat_index: Ints, budget: CityBudget, progress: Progress = silent) -> CityPlan:
    """Solve for shares, choose weights where they may move, and make tokens of them.

    hat_index: shape (G,). With `auto` both kinds of noise are planned, Gaussian only where the population
    allows a delta, and the smaller median typical error is taken. Raises InputError where the budget buys
    nothing.
    """
    kinds = noise_kinds(city.params, budget)
    plans = []
    for number, noise in enumerate(kinds):
        share = part(progress, number / len(kinds), (number + 1) / len(kinds))
        plans.append(_plan_for(noise, city, hat_index, budget, share))
    return min(plans, key=lambda plan: float(np.median(plan.typical_error)))


def with_cut(bias: CityBias, cut: Cut, share: Floats, upper_kmh: float) -> CityBias:
    """Of the weights together with what a second look cuts; share: what it weighs over f, shape (G,)."""
    return CityBias(
        typical=np.hypot(bias.typical, share * cut.unshifted),
        interval=np.hypot(bias.interval, share * cut.unshifted),
        at_worst=np.minimum(bias.at_worst + share * cut.at_worst, upper_kmh),
    )


def noise_kinds(params: TokensParams, budget: CityBudget) -> list[NoiseKind]:
    """The kinds of noise to plan. Raises InputError for two looks with Laplace noise."""
    if params.zoom and params.noise == NoiseKind.LAPLACE:
        raise InputError(
            "Only Gaussian noise gains from measuring twice.",
            where="query.parameters, zoom",
            mend='write noise = "gauss", or leave zoom out',
        )
    if params.zoom:
        return [NoiseKind.GAUSS]
    if params.noise in list(NoiseKind):
        return [NoiseKind(params.noise)]
    if budget.delta == 0:
        return [NoiseKind.LAPLACE]
    try:
        budget.spend(NoiseKind.GAUSS)
    except InputError:  # so little that no rho comes to it
        return [NoiseKind.LAPLACE]
    return list(NoiseKind)


def _plan_for(
    noise: NoiseKind, city: JointCity, hat_index: Ints, budget: CityBudget, progress: Progress
) -> CityPlan:
    pairs, params, upper_kmh = city.pairs, city.params, city.upper_bound / THOUSAND
    spend = budget.spend(noise)
    solved = allocate(pairs, noise, params.p, city.importance, part(progress, 0.0, 0.2))
    shares = costs(pairs, noise) * solved.exactness[pairs.hat]

    def planned(shares: Floats) -> CityPlan:
        """With tokens of these shares, where there are any."""
        tokens = tokens_of(pairs, shares, noise)
        released = pairs.by_hat(tokens) > 0
        if not released.any():
            raise InputError(
                "A total of {epsilon} leaves no token in any hexagon slot.",
                epsilon=plain(budget.epsilon),
                where="query.total",
                mend="choose coarser hexagons, longer slots or fewer hexagon slots",
            )
        retained, tokens = pairs.only(released), tokens[released[pairs.hat]]
        weights = tokens / retained.by_hat(tokens)[retained.hat]
        correction, bias = corrected_bias(retained, weights, upper_kmh, params.mode)
        return CityPlan(
            pairs=retained,
            hat_index=hat_index[released],
            tokens=tokens,
            noise=noise,
            spend=spend,
            budget=budget,
            upper_bound=city.upper_bound,
            grid=value_grid(city.upper_bound),
            correction=correction,
            lean=lean_of(params.mode),
            bias=bias,
            gap=solved.gap,
            places=city.places.only(released),
        )

    if params.mode != EXACT:
        amplitude = upper_kmh / (math.sqrt(2.0 * float(spend)) if noise.squared else float(spend))
        if params.zoom:
            amplitude *= _gain_of_looks(planned(shares))
        shares = split_shares(
            pairs,
            noise,
            shares,
            amplitude,
            upper_kmh,
            bounded=params.mode == BOUNDED,
            importance=city.importance,
            progress=part(progress, 0.2, 0.9),
        )
    plan = planned(shares)
    return _looked_at_twice(plan, part(progress, 0.9, 1.0)) if params.zoom else plan


def _gain_of_looks(plan: CityPlan) -> float:
    """Noise of two looks over that of one with the same tokens, as is usual in this city."""
    first, second = first_share(plan.spend), plan.spend - first_share(plan.spend)
    width = median_width(_first_look(plan))
    return float((plan.spend / (first + second / Decimal(width**2))).sqrt())


def _first_look(plan: CityPlan) -> SmoothingFacts:
    """What smoothing of the first look goes by."""
    deviation = look_scale(plan.grid, plan.divisors, first_share(plan.spend))
    return plan.places.facts(deviation, plan.bias.interval, plan.upper_kmh)


def _looked_at_twice(plan: CityPlan, progress: Progress) -> CityPlan:
    """The same tokens with the budget divided over two looks."""
    weights = plan.tokens / plan.totals[plan.pairs.hat]
    looks = plan_looks(plan.spend, _first_look(plan), plan.pairs, weights, progress)
    return dataclasses.replace(plan, looks=looks)
