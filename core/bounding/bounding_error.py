"""Expected |noise| of the means and shares of relation `user`, from plans and public numbers (method 12.8).

Each is `centre + S / W` with noise on both. Its error depends on the public model of HATs' true numbers, on
how the budget is divided, and on how many scales of its noise the weight is: on nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from core.arrays import Floats
from core.bounding.bounded_mean import BoundedMeanPlan
from core.bounding.constants import BoundingConstants
from core.bounding.enforced_shares import EnforcedSharesPlan
from core.bounding.plan_and_enforce import LEAST_SCALES, EnforcedNoise, EnforcedPlan
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, PAPERS_U
from core.shares.share_model import expected_shares, spread_of_shares
from core.statistics.ranges import Ranges

_MEANS, _NOISES = 15, 41
"""Points of equal probability for the HAT's mean, and for each noise."""
_WEIGHTS = np.geomspace(1e-2, 1e5, 141)
"""Weights that errors are computed for, in scales of their noise."""
_TINY = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberLaw:
    """What is thought of a HAT's true number before any is seen, where its range is from 0 to 1.

    It is normal, and cut to the range.
    """

    mean: float
    spread: float
    centre: float
    """What sums are taken around."""


MEANS = NumberLaw(mean=HAT_MEAN / PAPERS_U, spread=HAT_MEAN_SPREAD / PAPERS_U, centre=0.5)


def laws_of(plan: BoundedMeanPlan | EnforcedPlan) -> tuple[float, tuple[NumberLaw, ...]]:
    """How far the numbers of a plan reach, in their unit, and what is thought of each of a HAT."""
    if isinstance(plan, EnforcedSharesPlan):
        return 1.0, laws_of_shares(plan.ranges)
    return plan.upper_bound / THOUSAND, (MEANS,)


def laws_of_shares(ranges: Ranges) -> tuple[NumberLaw, ...]:
    """Of each range."""
    shares = expected_shares(ranges)
    pairs = zip(shares.tolist(), spread_of_shares(shares).tolist(), strict=True)
    return tuple(NumberLaw(mean=mean, spread=max(spread, _TINY), centre=0.0) for mean, spread in pairs)


def bounded_error(plan: BoundedMeanPlan, public: PublicCounts, constants: BoundingConstants) -> Floats:
    """Expected |noise| of each candidate's mean, km/h, at most about half of U; shape (G,).

    public: of the candidates of the plan, in their order.
    """
    return _errors(
        plan.noise, public.retained(constants), plan.sum_scale, plan.weight_scale, plan.upper_bound / THOUSAND
    )


def enforced_error(plan: EnforcedPlan) -> Floats:
    """The same of means, or of the worst share of a HAT, for the public counts of the plan; shape (G,)."""
    upper, laws = laws_of(plan)
    expected = plan.expected.astype(np.float64)
    return error_of_weights(plan.noise, expected, plan.sum_scale, plan.weight_scale, upper, laws)


def error_of_weights(
    noise: NoiseKind,
    weights: Floats,
    sum_scale: float,
    weight_scale: float,
    upper: float,
    laws: Sequence[NumberLaw] = (MEANS,),
) -> Floats:
    """The same for other weights than were expected, as released ones; weights: tokens, shape (G,).

    upper: of the range of the numbers; laws: of several numbers of a HAT, of which the worst counts.
    """
    found = [_errors(noise, weights, sum_scale, weight_scale, upper, LEAST_SCALES, law=law) for law in laws]
    return np.asarray(np.max(found, axis=0), np.float64)


def weight_for_error(law: EnforcedNoise, error_kmh: float) -> float | None:
    """Tokens from which on a joint mean is expected to miss no more; None where none at all do as well."""
    upper_kmh = law.upper_bound / THOUSAND
    ratio = _ratio(law.sum_scale, law.weight_scale, upper_kmh)
    curve, wanted = _curve(law.noise, ratio, LEAST_SCALES), error_kmh / upper_kmh
    too_large = np.flatnonzero(curve > wanted)
    if not too_large.size:
        return None
    last = int(too_large[-1])
    if last == curve.size - 1:
        return float(law.weight_scale * _WEIGHTS[-1] * curve[-1] / wanted)
    between = (curve[last] - wanted) / (curve[last] - curve[last + 1])
    logs = np.log(_WEIGHTS[last : last + 2])
    return float(law.weight_scale * np.exp(logs[0] + between * (logs[1] - logs[0])))


def _ratio(sum_scale: float, weight_scale: float, upper_kmh: float) -> float:
    """Scale of a sum's noise where that of its weight, and U, are 1."""
    return round(sum_scale / (weight_scale * upper_kmh), 9)


def _errors(
    noise: NoiseKind,
    weights: Floats,
    sum_scale: float,
    weight_scale: float,
    upper_kmh: float,
    least: float = _TINY,
    *,
    law: NumberLaw = MEANS,
) -> Floats:
    """weights: expected, in the unit of their scale; sum_scale: in km/h times that unit; least: of a weight
    in a denominator, in scales.
    """
    curve = _curve(noise, _ratio(sum_scale, weight_scale, upper_kmh), least, law)
    lengths = np.clip(weights / weight_scale, _WEIGHTS[0], None)
    inside = np.interp(np.log(lengths), np.log(_WEIGHTS), curve)
    # beyond the grid both noises are so small that the error falls as the weight grows
    errors: Floats = upper_kmh * np.where(lengths > _WEIGHTS[-1], curve[-1] * _WEIGHTS[-1] / lengths, inside)
    return errors


@lru_cache(maxsize=256)
def _curve(noise: NoiseKind, ratio: float, least: float, law: NumberLaw = MEANS) -> Floats:
    """E |cut(centre + S / W) - mean| where U is 1 and the weight's noise has scale 1, for each of `_WEIGHTS`.

    ratio: scale of the sum's noise, in units of U times weight; least: of the noisy weight.
    """
    normal = NormalDist(law.mean, law.spread)
    means = np.clip([normal.inv_cdf(point) for point in _middles(_MEANS).tolist()], 0.0, 1.0)
    drawn = _quantiles(noise)
    mean, of_sum, of_weight = means[:, None, None], drawn[None, :, None] * ratio, drawn[None, None, :]
    found = [
        np.abs(
            np.clip(
                law.centre + ((mean - law.centre) * weight + of_sum) / np.maximum(weight + of_weight, least),
                0.0,
                1.0,
            )
            - mean
        ).mean()
        for weight in _WEIGHTS.tolist()
    ]
    return np.array(found)


def _middles(parts: int) -> Floats:
    return (np.arange(parts) + 0.5) / parts


def _quantiles(noise: NoiseKind) -> Floats:
    """Points of noise of scale 1, each of the same probability: means of equal parts of its law."""
    fine = _middles(_NOISES * 200)
    if noise.squared:
        normal = NormalDist()
        points = np.array([normal.inv_cdf(point) for point in fine.tolist()])
    else:
        points = -np.sign(fine - 0.5) * np.log1p(-2.0 * np.abs(fine - 0.5))
    quantiles: Floats = points.reshape(_NOISES, -1).mean(axis=1)
    return quantiles
