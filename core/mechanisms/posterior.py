"""An estimate under a prior from a released mean: post-processing, never unlabelled (method 6).

It uses what two-step clipping published or may publish: the clamped value, the scale of its noise,
and in TWO-STEP the selected centre and spread. It sees no record and spends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.mechanisms.clipping_plan import ClippingPlan, LinearPlan, TwoStepPlan, scaled
from core.values import THOUSAND

_GRID_STEP = 0.05
"""Step of the grid of means, km/h at U = 65."""
OFFERED_LINEAR, OFFERED_TWO_STEP = 0.75, 0.3
"""Expected absolute noise above which a prior helps, km/h at U = 65."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """What is thought of a mean before its release is seen."""

    grid: Floats
    """Shape (n,): possible means from 0 to U, km/h."""
    density: Floats
    """Shape (n,): not normalised, positive."""


def mean_grid(upper_kmh: float) -> Floats:
    """0, 0.05*, .., U in km/h: 1,301 means whatever U is."""
    return np.linspace(0.0, upper_kmh, round(65.0 / _GRID_STEP) + 1)


def linear_prior(upper_kmh: float, typical: float) -> Prior:
    """`0.25 + exp(-((h - 22*) / 12*)^2 / 2)`: typical speeds, but nothing is ruled out; km/h."""
    grid = mean_grid(upper_kmh)
    away = (grid - typical) / scaled(12.0, upper_kmh)
    return Prior(grid=grid, density=0.25 + np.exp(-(away**2) / 2.0))


def two_step_prior(upper_kmh: float, centre: float, spread: float) -> Prior:
    """`0.6 Laplace(0, 0.6 max(s, 2*)) + 0.4 / U` for `h - c`: most means lie near the centre; km/h."""
    grid = mean_grid(upper_kmh)
    scale = 0.6 * max(spread, scaled(2.0, upper_kmh))
    near = np.exp(-np.abs(grid - centre) / scale) / (2.0 * scale)
    return Prior(grid=grid, density=0.6 * near + 0.4 / upper_kmh)


def posterior_median(released: int, noise_scale: float, prior: Prior) -> int:
    """The least mean of the grid that the posterior does not exceed with probability one half or more.

    released: thousandths of km/h, clamped to [0, U]; noise_scale: of its Laplace noise, km/h. Returns
    thousandths. Clamping loses nothing: a noisy value beyond 0 or U has, over all h in [0, U], a
    likelihood `exp(-|value - h| / scale)` proportional to that of 0 or U itself.
    """
    away = np.abs(released / THOUSAND - prior.grid)
    # the nearest mean has likelihood 1, so that tiny scales leave something to normalise
    likelihood = np.exp(-(away - away.min()) / noise_scale)
    running = np.cumsum(likelihood * prior.density)
    return round(float(prior.grid[np.searchsorted(running, running[-1] / 2.0)]) * THOUSAND)


def is_offered(plan: ClippingPlan, noise_scale: float) -> bool:
    """Is the expected absolute noise (its scale, km/h) so large that a prior helps?

    noise_scale: the plan's before a draw, the draw's own afterwards.
    """
    least = OFFERED_LINEAR if isinstance(plan, LinearPlan) else OFFERED_TWO_STEP
    return noise_scale > scaled(least, plan.upper_bound / THOUSAND)


def linear_estimate(plan: LinearPlan, released: int) -> int:
    """The posterior median of a LINEAR release, thousandths of km/h."""
    prior = linear_prior(plan.upper_bound / THOUSAND, plan.typical)
    return posterior_median(released, plan.noise_scale, prior)


def two_step_estimate(plan: TwoStepPlan, released: int, *, centre: int, spread: int) -> int:
    """The posterior median of a TWO-STEP release, thousandths of km/h.

    centre, spread: indices of the selected candidates, which were paid for.
    """
    choice = plan.two_step
    prior = two_step_prior(
        plan.upper_bound / THOUSAND,
        int(choice.centres[centre]) / THOUSAND,
        float(choice.spreads[spread]),
    )
    scale = int(choice.sensitivities[spread]) / plan.divisor / float(plan.noise_epsilon)
    return posterior_median(released, scale, prior)
