"""Tokens and their parameters: weights, evenness of noise, importance, two looks, regions (city-release).

A query of many HATs is planned and drawn as one by `core.city`. Here one HAT stands alone, where the
vehicle with the largest weight has all its tokens in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from core.arrays import Floats, Ints
from core.contributions import HatData, HatUsers
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, Draw, Mechanism, Plan, to_draw
from core.mechanisms.public_model import DWELL, LEAN, LEAN_CORRECTED, Accuracy, accuracy_of, weights_bias
from core.mechanisms.region_fields import promised_error_field, regions_field
from core.mechanisms.smooth_field import smooth_field
from core.mechanisms.value_grid import ValueGrid, value_grid
from core.mechanisms.water_filling import group_counts, water_filled
from core.noise.laplace_normal import mean_absolute
from core.noise.source import NoiseSource
from core.parameter_fields import choice, flag, number

TOKENS = 10**6
"""Y: what a vehicle has to give, in tokens (Laplace), or the root of their squares' sum (Gaussian)."""
SAFE = 1.0 - 1e-12
"""Sums of shares are floats: a vehicle's tokens are cut by more than their rounding, then checked exactly."""
SPLIT, EXACT, BOUNDED = "split", "exact", "bounded"
AUTO, LAPLACE, GAUSS = "auto", "laplace", "gauss"
EQUAL_IMPORTANCE, BY_VEHICLES = "equal", "vehicles"
CORRECTIONS = 0.75, 1.25
"""The least and the largest f."""
_CAPS = 25


def mode_field() -> Any:
    """How weights are chosen."""
    return choice(
        SPLIT,
        (SPLIT, EXACT, BOUNDED),
        label="Weights",
        help=(
            "Whether weights may differ from the numbers of records, for less noise: split accepts a "
            "little modelled bias, bounded counts bias at its worst, exact accepts none."
        ),
        titles={
            SPLIT: "split (least error)",
            EXACT: "exact (no bias)",
            BOUNDED: "bounded (least error at worst)",
        },
    )


def token_noise_field() -> Any:
    """Which noise all hexagon slots get together."""
    return choice(
        AUTO,
        (AUTO, LAPLACE, GAUSS),
        label="Noise",
        help=(
            "Gaussian noise is smaller where vehicles visit many hexagon slots, and needs a population "
            "with a delta. Auto picks whichever gives the smaller typical error."
        ),
        titles={AUTO: "the better one (auto)", LAPLACE: "Laplace", GAUSS: "Gaussian"},
    )


def importance_field() -> Any:
    """How much each hexagon slot matters."""
    return choice(
        EQUAL_IMPORTANCE,
        (EQUAL_IMPORTANCE, BY_VEHICLES),
        label="Importance of hexagon slots",
        help=(
            "More important hexagon slots get less noise: all alike, based on their number of vehicles, or "
            "on a column of the boundary's file."
        ),
        text=True,
        titles={EQUAL_IMPORTANCE: "all alike", BY_VEHICLES: "by their vehicles"},
        advanced=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensParams:
    """How weights, budgets and noise are chosen; all of it public."""

    mode: str = mode_field()
    noise: str = token_noise_field()
    p: int = number(
        8,
        1,
        8,
        whole=True,
        label="Evenness of the noise (1 to 8)",
        help="1 makes the mean noise smallest, 8 nearly the largest noise.",
        advanced=True,
    )
    smooth: bool = smooth_field(default=True)
    zoom: bool = flag(
        False,
        label="Measure in two steps (zoom)",
        help="A quarter of the budget finds where each hexagon slot's mean lies, the rest "
        "measures there. Gaussian "
        "noise, from a total of about 8.",
    )
    importance: str = importance_field()
    regions: bool = regions_field()
    promised_error: float = promised_error_field(
        "Largest average error from a region's noise, in the unit of the value."
    )


def correction_of(dwell: Floats) -> Floats:
    """f, which means are divided by: weights of so much less dwell time lean up by k times that.

    dwell: `sum v h`, with h the log records a visit less their mean over all records.

    Source: city-release 4.
    """
    correction: Floats = np.clip(1.0 - DWELL * dwell, *CORRECTIONS)
    return correction


def lean_of(mode: str) -> float:
    """What misplaced dwell time leans by: weights that are chosen for less error are corrected for it."""
    return LEAN_CORRECTED if mode == SPLIT else LEAN


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHatPlan(Plan):
    """Tokens of one HAT that stands alone."""

    tokens: Ints
    """y_l, shape (L,)."""
    weights: Floats
    """y_l / (S f), shape (L,)."""
    lean: float
    """What misplaced dwell time still leans by, km/h at the papers' U."""
    grid: ValueGrid


class Tokens(Mechanism[TokensParams, OneHatPlan]):
    """Laplace noise on the sum of every vehicle's tokens times its mean."""

    key: ClassVar[str] = "tokens"
    title: ClassVar[str] = "Tokens"
    reference: ClassVar[str] = "ours, city-release"
    summary: ClassVar[str] = (
        "The whole city together: each vehicle pays for its own share of every hexagon slot, under one total."
    )
    complexity: ClassVar[int] = 4
    version: ClassVar[int] = 2
    uses_visits: ClassVar[bool] = True
    least_correction: ClassVar[float] = CORRECTIONS[0]
    joint: ClassVar[bool] = True
    Params = TokensParams

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, params: TokensParams, _cache: PlanCache
    ) -> OneHatPlan:
        weights = _weights(users, float(epsilon), upper_bound / THOUSAND, params)
        tokens = np.floor(TOKENS * SAFE * weights / weights.max()).astype(np.int64)
        grid, total = value_grid(upper_bound), int(tokens.sum())
        dwell = users.dwell if params.mode == SPLIT else None
        correction = 1.0 if dwell is None else float(correction_of(tokens @ dwell / total))
        divisor = round(THOUSAND * total * correction)
        weights = THOUSAND * tokens / divisor
        moved = weights - users.shares
        return OneHatPlan(
            mechanism=self.key,
            epsilon=epsilon,
            upper_bound=upper_bound,
            users=users.size,
            records=users.records,
            sensitivity=grid.largest * grid.step * int(tokens.max()),
            divisor=divisor,
            bias_bound=max(moved[moved > 0].sum(), -moved[moved < 0].sum()) * upper_bound / THOUSAND
            + grid.step_kmh / 2.0 * weights.sum(),
            budget_shares=((NOISE, epsilon),),
            tokens=tokens,
            weights=weights,
            lean=lean_of(params.mode),
            grid=grid,
        )

    def accuracy(self, plan: OneHatPlan, users: HatUsers, _cache: PlanCache) -> Accuracy:
        bias = weights_bias(users, plan.weights, plan.upper_kmh, lean=plan.lean)
        return accuracy_of(plan.noise_scale, bias, plan.upper_kmh)

    def corrects_dwell(self, params: TokensParams) -> bool:
        return params.mode == SPLIT and not params.regions

    def run(self, plan: OneHatPlan, hat: HatData, noise: NoiseSource) -> Draw:
        means = plan.grid.nearest(hat.sums(), hat.counts)
        total = int(plan.tokens @ means) * plan.grid.step
        return to_draw(noise.laplace(total, plan.sensitivity, spend=plan.epsilon), plan)


def _weights(users: HatUsers, epsilon: float, upper_kmh: float, params: TokensParams) -> Floats:
    """Shape (L,): of records, or those under the cap that makes expected noise and bias smallest."""
    shares = users.shares
    if params.mode == EXACT:
        return shares
    groups = group_counts(users.counts)
    caps = np.geomspace(1.0 / users.size, max(1.0001 / users.size, float(shares[0])), _CAPS)
    options = [np.repeat(weights, groups.users) for weights in water_filled(groups, caps)]
    errors = [_error(users, weights, epsilon, upper_kmh, params.mode) for weights in options]
    return options[int(np.argmin(errors))]


def _error(users: HatUsers, weights: Floats, epsilon: float, upper_kmh: float, mode: str) -> float:
    """Expected |noise + bias|, with the bias at its worst where that is to be bounded; km/h."""
    noise = upper_kmh * float(weights.max()) / epsilon
    if mode == BOUNDED:
        return noise + upper_kmh * float(np.abs(weights - users.shares).sum()) / 2.0
    return mean_absolute(noise, weights_bias(users, weights, upper_kmh, lean=LEAN_CORRECTED).typical)


MECHANISM = Tokens()
