"""Recommends a mechanism for one HAT from public facts only: counts, epsilon and U (method 6, *Adviser*).

Each mechanism is planned with its default parameters, and its error is predicted: the noise that the
plan states, plus a bias by one public model of speeds for all mechanisms, the one that two-step
clipping plans with. No value is seen, so that the advice can be shown beside a release. What the
adviser cannot know is whether vehicles really differ as the model says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import NormalDist
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from core.grouping.plan_cache import PlanCache
from core.mechanisms import (
    array_averaging,
    baseline,
    epsilon_quantile,
    fixed_quantile,
    levy,
    opt_array_averaging,
    two_step_clipping,
)
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import D, Mechanism, P, Plan
from core.mechanisms.clipping_plan import ClippingPlan, modelled_error, scaled, spread_guess
from core.mechanisms.levy import LevyPlan
from core.mechanisms.quantile_interval import GRID_STEP
from core.mechanisms.registry import all_mechanisms
from core.mechanisms.two_step_clipping import TwoStepClippingParams
from core.mechanisms.water_filling import CountGroups, group_counts
from core.privacy import Relation
from core.quantity import SPEED
from core.values import THOUSAND, plain

CLOSE = 1.05
"""A simpler mechanism is advised when its predicted error is within this factor of the least."""
SIMPLICITY = ("baseline", "array-averaging", "opt-array-averaging")
"""Simple mechanisms, simplest first; every other counts as less simple."""

_MODEL = TwoStepClippingParams()
_WITHIN = 0.7
_LEAN = 0.2
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The mechanism to take for one HAT, and why."""

    mechanism: str
    """Its key."""
    params: Mapping[str, str | int | float]
    """What to set other than the defaults."""
    reason: str
    """One sentence for the analyst."""
    predicted_errors: Mapping[str, float]
    """Of every mechanism, km/h, by key: public guesses, no bounds."""


def advise(
    counts: NDArray[np.int64],
    epsilon: Decimal,
    upper_bound: int,
    cache: PlanCache | None = None,
    *,
    unit: str = SPEED.unit,
) -> Advice:
    """The mechanism with the least predicted error, or a simpler one that is nearly as good.

    counts: m_l of every user, shape (L,), non-increasing, each at least 1; upper_bound: thousandths;
    cache: of whoever asks again for another epsilon; unit: of the value, as people read it.
    """
    kept = cache or PlanCache()
    offered = {key: one for key, one in all_mechanisms().items() if Relation.VALUES in one.relations}
    models = {
        key: _MODELS.get(key) or _Model(mechanism=one, predict=_bounded) for key, one in offered.items()
    }
    errors = {key: model.error(counts, epsilon, upper_bound, kept) for key, model in models.items()}
    best = min(errors, key=lambda key: (errors[key], key))
    close = [key for key in errors if errors[key] <= CLOSE * errors[best]]
    chosen = min(close, key=lambda key: (_simplicity(key), errors[key], key))
    return Advice(
        mechanism=chosen,
        params={},
        reason=_reason(chosen, counts, epsilon, errors, unit),
        predicted_errors=errors,
    )


def _simplicity(key: str) -> int:
    return SIMPLICITY.index(key) if key in SIMPLICITY else len(SIMPLICITY)


def _reason(
    chosen: str, counts: NDArray[np.int64], epsilon: Decimal, errors: Mapping[str, float], unit: str
) -> str:
    """Why, in one sentence of public figures."""
    mechanisms = all_mechanisms()
    most, least = int(counts[0]), int(counts[-1])
    records = f"{most}" if most == least else f"{least} to {most}"
    sentence = (
        f"{mechanisms[chosen].title}: for {counts.size} users with {records} records each, "
        f"an error of about {errors[chosen]:.2g} {unit} is predicted at epsilon {plain(epsilon)}"
    )
    others = {key: error for key, error in errors.items() if key != chosen}
    if not others:
        return sentence + "."
    rival = min(others, key=lambda key: (others[key], key))
    if others[rival] < errors[chosen]:
        return f"{sentence}; {mechanisms[rival].title} is hardly better and less simple."
    return f"{sentence}, against {others[rival]:.2g} {unit} with the next best, {mechanisms[rival].title}."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """What predictions need beside a plan."""

    groups: CountGroups
    counts: NDArray[np.int64]
    epsilon: float
    upper_kmh: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model(Generic[P, D]):
    """How the error of one mechanism is predicted from its plan."""

    mechanism: Mechanism[P, D]
    predict: Callable[[D, _Setting], float]

    def error(self, counts: NDArray[np.int64], epsilon: Decimal, upper_bound: int, cache: PlanCache) -> float:
        """With default parameters, km/h; at most U."""
        plan = self.mechanism.plan_cached(counts, epsilon, upper_bound, self.mechanism.Params(), cache)
        setting = _Setting(
            groups=group_counts(counts),
            counts=counts,
            epsilon=float(epsilon),
            upper_kmh=upper_bound / THOUSAND,
        )
        return min(self.predict(plan, setting), setting.upper_kmh)


def _bounded(plan: Plan, _: _Setting) -> float:
    """Noise and worst-case bias, for a mechanism that no model here knows."""
    return plan.expected_error


def _two_step(plan: ClippingPlan, _: _Setting) -> float:
    return plan.predicted_error


def _baseline(plan: Plan, _: _Setting) -> float:
    """All records count as they are: there is no bias."""
    return plan.noise_scale


def _linear(plan: ArrayPlan, setting: _Setting) -> float:
    return plan.noise_scale + _weight_bias(plan, setting)


def _weight_bias(plan: ArrayPlan, setting: _Setting) -> float:
    """Modelled bias because arrays weigh users otherwise than their records do, km/h."""
    assignment = plan.assignment
    weights = np.zeros(setting.counts.size)
    np.add.at(
        weights, assignment.user, assignment.taken / (assignment.sizes[assignment.array] * assignment.arrays)
    )
    everyone = CountGroups(counts=setting.counts, users=np.ones_like(setting.counts))
    guess = spread_guess(
        setting.groups,
        setting.upper_kmh,
        vehicle_spread=_MODEL.vehicle_spread,
        record_spread=_MODEL.record_spread,
    )
    return float(modelled_error(everyone, weights[None, :], _WITHIN * guess)[0])


def _array_spread(plan: ArrayPlan, setting: _Setting) -> float:
    """How far array means are thought to lie from each other, sd in km/h."""
    spread = math.hypot(_MODEL.vehicle_spread, _MODEL.record_spread / math.sqrt(plan.m_ub))
    return scaled(spread, setting.upper_kmh)


def _tail_loss(distance: float, spread: float) -> float:
    """Mean of what a normal sample with that sd loses beyond +-distance, leaning to one side; km/h."""
    t = distance / spread
    return _LEAN * 2.0 * spread * max(0.0, _NORMAL.pdf(t) - t * _NORMAL.cdf(-t))


def _is_blind(plan: ArrayPlan, setting: _Setting) -> bool:
    """Are arrays so few that a selected interval is about as likely to lie anywhere in [0, U]?

    A candidate beyond all arrays scores some half of them worse than the right one, and exponents
    are a quarter of epsilon (Levy) or an eighth (quantiles).
    """
    return setting.epsilon * plan.arrays < 8.0 * plan.assignment.touched


def _levy(plan: LevyPlan, setting: _Setting) -> float:
    """The interval reaches 3 tau / 2 from a midpoint that is itself up to tau / 2 off."""
    if _is_blind(plan, setting):
        return _bounded(plan, setting)
    return _linear(plan, setting) + _tail_loss(plan.radius, _array_spread(plan, setting))


def _quantiles(plan: ArrayPlan, setting: _Setting, rank: float) -> float:
    """Noise for the interval between two selected quantiles of that rank, and what it cuts off."""
    if _is_blind(plan, setting):
        return _bounded(plan, setting)
    spread = _array_spread(plan, setting)
    arrays, touched = plan.arrays, plan.assignment.touched
    distance = -_NORMAL.inv_cdf(min(max(rank / arrays, 0.5 / arrays), 0.5)) * spread
    room = max(setting.upper_kmh / 2.0 - distance, 0.0)
    # candidates beyond all means score -rank: many, each exp(-eps rank / 8) as likely as the right one
    stray = room * math.exp(-setting.epsilon * rank / 8.0 / touched)
    wandering = stray / (stray + max(spread, scaled(GRID_STEP / THOUSAND, setting.upper_kmh)))
    width = 2.0 * (distance + wandering * room / 2.0)
    moved = min(touched * width, plan.noise_scale * arrays * float(plan.noise_epsilon))
    noise = moved / arrays / float(plan.noise_epsilon)
    return noise + _weight_bias(plan, setting) + _tail_loss(distance, spread)


def _fixed_quantile(plan: ArrayPlan, setting: _Setting) -> float:
    return _quantiles(plan, setting, plan.arrays / 10)


def _epsilon_quantile(plan: ArrayPlan, setting: _Setting) -> float:
    return _quantiles(plan, setting, min(math.ceil(2 / plan.epsilon), plan.arrays // 2))


_MODELS: dict[str, _Model[Any, Any]] = {
    model.mechanism.key: model
    for model in (
        _Model(mechanism=baseline.MECHANISM, predict=_baseline),
        _Model(mechanism=array_averaging.MECHANISM, predict=_linear),
        _Model(mechanism=opt_array_averaging.MECHANISM, predict=_linear),
        _Model(mechanism=levy.MECHANISM, predict=_levy),
        _Model(mechanism=fixed_quantile.MECHANISM, predict=_fixed_quantile),
        _Model(mechanism=epsilon_quantile.MECHANISM, predict=_epsilon_quantile),
        _Model(mechanism=two_step_clipping.MECHANISM, predict=_two_step),
    )
}
