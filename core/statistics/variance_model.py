"""What the public model says of the error of a HAT's variance (method 10.4)."""

from __future__ import annotations

import numpy as np

from core.arrays import Floats, Ints
from core.contributions import HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.model_draws import (
    CHOICES,
    VALUES,
    hat_means,
    laplace_half_width,
    new_generator,
    part_means,
    vehicle_means,
)
from core.mechanisms.public_model import RECORD_SPREAD, Accuracy, scaled


def variance_accuracy(
    users: HatUsers, retained: Ints, noise_scale: float, upper_kmh: float, cache: PlanCache
) -> Accuracy:
    """Of a variance over the records retained with Laplace noise of that scale; km2/h2.

    retained: shape (L,), counted records of each user who stays. The drawn biases do not depend on the noise.
    """
    asked = (upper_kmh, int(retained[0]), users.other_facts)
    part, true = cache.get(
        "variance draws", users.counts, asked, lambda: variance_draws(users, retained, upper_kmh)
    )
    noisy = part + noise_scale * new_generator(CHOICES).laplace(size=part.size)
    return Accuracy(
        typical_error=float(np.abs(np.clip(noisy, 0.0, upper_kmh**2 / 4.0) - true).mean()),
        half_width=laplace_half_width(noise_scale, part - true),
    )


def variance_draws(users: HatUsers, retained: Ints, upper_kmh: float) -> tuple[Floats, Floats]:
    """Variances of the records retained and of all, in draws of the public model; shapes (DRAWS,), km2/h2.

    Users who left the HAT are among all.
    """
    rng = new_generator(VALUES)
    staying, everyone = np.arange(users.size), users.everyone
    drawn_parts, drawn = [], []
    for mu in hat_means(4 * everyone.size, rng):
        means = vehicle_means(everyone, upper_kmh, mu, rng)
        parts = part_means(means, users, staying, retained, upper_kmh, rng)
        part_within = _within(retained, parts.shape, upper_kmh, rng)
        within = _within(everyone.counts, means.shape, upper_kmh, rng)
        within[:, : users.size] = _joined(
            users.counts, retained, means[:, : users.size], parts, part_within, upper_kmh, rng
        )
        drawn_parts.append(_variance(retained, parts, part_within))
        drawn.append(_variance(everyone.counts, means, within))
    return np.concatenate(drawn_parts), np.concatenate(drawn)


def _within(counts: Ints, shape: tuple[int, ...], upper_kmh: float, rng: np.random.Generator) -> Floats:
    """Variance of each vehicle's records around their own mean, of so many records; km2/h2."""
    freedom = np.maximum(counts - 1, 0)
    squares = freedom + np.sqrt(2.0 * freedom) * rng.standard_normal(shape)
    within: Floats = scaled(RECORD_SPREAD, upper_kmh) ** 2 * np.maximum(squares, 0.0) / counts
    return within


def _joined(
    counts: Ints,
    retained: Ints,
    means: Floats,
    parts: Floats,
    part_within: Floats,
    upper_kmh: float,
    rng: np.random.Generator,
) -> Floats:
    """Variance of each vehicle's records: of those retained, of the others, and between the two.

    means, parts: of all records and of those retained, shape (draws, L).
    """
    rest = counts - retained
    others = np.maximum(rest, 1)
    rest_within = _within(others, parts.shape, upper_kmh, rng)
    rest_means = (counts * means - retained * parts) / others
    between = np.where(rest > 0, retained * rest / counts * (parts - rest_means) ** 2, 0.0)
    joined: Floats = (retained * part_within + rest * rest_within + between) / counts
    return joined


def _variance(counts: Ints, means: Floats, within: Floats) -> Floats:
    """Population variance of all records from each vehicle's count, mean and variance; shape (draws,)."""
    shares = counts / counts.sum()
    centre = means @ shares
    variances: Floats = (within + means**2) @ shares - centre**2
    return variances
