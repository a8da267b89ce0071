"""Draws of the public model, for errors that have no closed form (method 10.4).

Two thousand data sets of one HAT, with a fixed seed: what a mechanism makes of them tells what it probably
misses. Nothing here sees a value: all follows from public counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from core.arrays import Floats, Ints
from core.contributions.hat_users import HatUsers
from core.grouping.assignment import Assignment
from core.mechanisms.public_model import (
    DROPPED_SPREAD,
    DWELL,
    HAT_MEAN,
    HAT_MEAN_SPREAD,
    PAPERS_U,
    RECORD_SPREAD,
    VEHICLE_SPREAD,
    Accuracy,
    scaled,
)
from core.noise.laplace_normal import erfc_of

DRAWS = 2_000
_SEED = 1
VALUES, CHOICES, SHIFTS = range(3)
"""What is drawn: values, selections with noise, and what an interval allows for beside."""
_LARGEST_BLOCK = 1 << 22
"""Numbers that are drawn together at most: bounds the memory of HATs with many users."""
_MOST_NUMBERS, _FEWEST = 1 << 27, 200
"""A HAT of more than 60,000 users has fewer draws, so that none takes longer than seconds."""
_COVERED = 0.95
_BISECTIONS = 40


def new_generator(drawn: int) -> np.random.Generator:
    """The same draws for everybody: what is published from them can be worked out again.

    drawn: `VALUES`, `CHOICES` or `SHIFTS`, which are independent of each other. One stream for all would have
    a shift follow the HAT's mean, and what clipping takes from high means would hide it.
    """
    return np.random.default_rng((_SEED, drawn))


def blocks(width: int) -> Iterator[int]:
    """Draws to make at once, where each is of `width` numbers: together `DRAWS`, fewer for huge HATs."""
    width = max(1, width)
    most, wanted = max(1, _LARGEST_BLOCK // width), min(DRAWS, max(_FEWEST, _MOST_NUMBERS // width))
    for first in range(0, wanted, most):
        yield min(most, wanted - first)


def vehicle_means(users: HatUsers, upper_kmh: float, draws: int, rng: np.random.Generator) -> Floats:
    """X_l, the mean of all records of each user, in each of the draws; shape (draws, L), km/h in [0, U]."""
    mean = np.clip(rng.normal(HAT_MEAN, HAT_MEAN_SPREAD, (draws, 1)), 0.0, PAPERS_U)
    dwell = users.dwell
    lean = 1.0 if dwell is None else 1.0 - DWELL * dwell
    spread = np.sqrt(VEHICLE_SPREAD**2 + RECORD_SPREAD**2 / users.counts)
    drawn = mean * lean + spread * rng.standard_normal((draws, users.size), np.float32)
    means: Floats = np.clip(scaled(1.0, upper_kmh) * drawn, 0.0, upper_kmh)
    return means


def part_means(
    means: Floats, users: HatUsers, user: Ints, taken: Ints, upper_kmh: float, rng: np.random.Generator
) -> Floats:
    """Means of `taken` records of `user`, given the means of all their records; shape (draws, S)."""
    parts: Floats = means[:, user]
    some = np.flatnonzero(taken < users.counts[user])  # a part that is all of a user's records is no draw
    fewer = 1.0 / taken[some] - 1.0 / users.counts[user[some]]
    away = scaled(DROPPED_SPREAD, upper_kmh) * np.sqrt(fewer)
    drawn = parts[:, some] + away * rng.standard_normal((means.shape[0], some.size), np.float32)
    parts[:, some] = np.clip(drawn, 0.0, upper_kmh)
    return parts


def array_draws(assignment: Assignment, users: HatUsers, upper_kmh: float) -> tuple[Floats, Floats]:
    """Means of the arrays, shape (DRAWS, K), and true means of the HAT, shape (DRAWS,); km/h."""
    rng = new_generator(VALUES)
    order = np.argsort(assignment.array, kind="stable")
    user, taken, array = (column[order] for column in (assignment.user, assignment.taken, assignment.array))
    first = np.searchsorted(array, np.arange(assignment.arrays))
    parts = taken / assignment.sizes[array]
    arrays, truths = [], []
    for draws in blocks(user.size + users.size):
        means = vehicle_means(users, upper_kmh, draws, rng)
        kept = part_means(means, users, user, taken, upper_kmh, rng)
        arrays.append(np.add.reduceat(kept * parts, first, axis=1))
        truths.append(means @ users.shares)
    return np.concatenate(arrays), np.concatenate(truths)


def noisy_best(
    scores: Floats, sensitivity: float, epsilon: float, rng: np.random.Generator, pools: Ints | None = None
) -> Ints:
    """The column that permute-and-flip selects in each row; scores: shape (draws, n).

    The law is that of the largest score with exponential noise. pools: how many candidates of equal score
    a column stands for, 0 for none; the largest of n exponential variables is drawn at once.
    """
    chance = rng.random(scores.shape)
    with np.errstate(divide="ignore"):
        if pools is not None:
            chance = np.where(pools > 0, chance ** (1.0 / np.maximum(pools, 1)), 0.0)
        noise = -np.log1p(-chance)
    noisy = scores * (epsilon / (2.0 * sensitivity)) + noise
    if pools is not None:
        noisy[pools <= 0] = -np.inf
    chosen: Ints = noisy.argmax(axis=1)
    return chosen


def mean_above(z: Floats) -> Floats:
    """E max(z + N(0, 1), 0): what a standard normal sample around z has above 0, on average."""
    above: Floats = z * erfc_of(-z / math.sqrt(2.0)) / 2.0 + np.exp(-(z**2) / 2.0) / math.sqrt(2.0 * math.pi)
    return above


def laplace_error(scale: float, biases: Floats, upper: float) -> float:
    """E|Laplace noise + bias| over the drawn biases, at most `upper`; all in one unit."""
    away = np.abs(biases)
    return min(upper, float((away + scale * np.exp(-away / scale)).mean()))


def laplace_half_width(scale: float, biases: Floats) -> float:
    """95 % quantile of |Laplace noise + bias| over the drawn biases, in their unit."""
    away = np.abs(biases)
    low, high = 0.0, float(away.max()) + scale * math.log(1.0 / (1.0 - _COVERED))
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        if _beyond(middle, scale, away) > 1.0 - _COVERED:
            low = middle
        else:
            high = middle
    return high


def _beyond(t: float, scale: float, away: Floats) -> float:
    """Mean over the biases of P(|Lap(scale) + bias| > t)."""
    if scale <= 0.0:
        return float((away > t).mean())
    near = np.exp(-np.abs(t - away) / scale)
    far = np.exp(-(t + away) / scale)
    beyond = np.where(away > t, 1.0 - near / 2.0, near / 2.0) + far / 2.0
    return float(beyond.mean())


def drawn_accuracy(estimates: Floats, truths: Floats, upper_kmh: float, shift: float) -> Accuracy:
    """Of whole estimates with their noise, before they are cut to [0, U]; shapes (DRAWS,), km/h."""
    errors = np.clip(estimates, 0.0, upper_kmh) - truths
    loose = estimates - truths + shift * new_generator(SHIFTS).standard_normal(truths.size)
    return Accuracy(
        typical_error=float(np.abs(errors).mean()),
        half_width=float(np.quantile(np.abs(loose), _COVERED)),
    )
