"""Simulated errors: the very code of a release, with ten thousand seeded trials together (method 10)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.evaluate.compared_curves import Series
from core.evaluate.error_table import ErrorRow
from core.evaluate.true_statistics import true_mean
from core.fixed_point import THOUSAND
from core.mechanisms.base import Plan
from core.noise.simulated import SimulatedNoise


class WatchedNoise(SimulatedNoise):
    """Simulated noise that remembers what the last noise was added to."""

    def __init__(self, seed: int, trials: int) -> None:
        super().__init__(seed, trials)
        self.centre: int | NDArray[np.int64] = 0

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        self.centre = centre
        return super().laplace(centre, sensitivity, spend=spend)

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        self.centre = centres
        return super().gaussian_vector(centres, sensitivity, spend=spend)


def simulate(
    series: Series,
    plan: Plan,
    hat: HatData,
    *,
    trials: int,
    seed: int,
    exact: float | None = None,
    epsilon: Decimal | None = None,
) -> ErrorRow:
    """Draw `trials` estimates and compare them with the truth.

    The same seed for every mechanism and epsilon makes curves smooth and comparisons fair; the
    draws of one row are independent. exact: the expected error, where it is known; epsilon: what the row is
    stated for, where that is not what the plan spends.
    """
    noise = WatchedNoise(seed, trials)
    draw = series.mechanism.run(plan, hat, noise)
    truth, upper = true_mean(hat), plan.upper_bound / THOUSAND
    errors = np.abs(draw.estimates / THOUSAND - truth)
    without_noise = np.clip(np.asarray(noise.centre) / plan.divisor, 0.0, upper)
    scale = float(draw.noise_scale.mean())
    return ErrorRow(
        mechanism=plan.mechanism,
        grouping=series.grouping,
        eps=plan.epsilon if epsilon is None else epsilon,
        m_ub=plan.m_ub,
        arrays=plan.arrays,
        sensitivity=scale * plan.noise_precision,
        noise_scale=scale,
        bias=float(without_noise.mean()) - truth,
        mae=float(errors.mean()),
        mae_exact=exact,
        trials=trials,
        standard_error=float(errors.std() / np.sqrt(trials)),
        noise=series.noise,
        event_level=series.event_level,
    )
