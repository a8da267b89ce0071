"""Draws of the public model, for errors that have no closed form (method 10.4).

Two thousand data sets of one HAT, two hundred of a huge one, with a fixed seed: what a mechanism makes of
them tells what it probably misses. Nothing here sees a value: all follows from public counts.
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

DRAWS, FEW_DRAWS = 2_000, 200
_SEED = 1
VALUES, CHOICES, SHIFTS = range(3)
"""What is drawn: values, selections with noise, and what an interval allows for beside."""
_MANY = 60_000
"""Numbers of one draw above which there are `FEW_DRAWS`, so that no HAT takes longer than seconds."""
_LARGEST_BLOCK = 1 << 22
"""Numbers that are drawn together at most: bounds the memory of HATs with many users."""
_IN_CACHE, _FEWEST_ROWS = 1 << 17, 8
"""Numbers that are worked on together, and draws at least."""
_SELECTED = 1 << 14
"""Scores that a draw of the public model adds noise to together; as few stay in the cache."""
_COVERED = 0.95
_MOST_ITERATIONS, _EXACT = 100, 1e-13
"""Of the search for a half-width, which ends when it moves by less than this part."""


def new_generator(drawn: int) -> np.random.Generator:
    """The same draws for everybody: what is published from them can be recomputed.

    drawn: `VALUES`, `CHOICES` or `SHIFTS`, which are independent of each other. One stream for all would have
    a shift follow the HAT's mean, and what clipping takes from high means would hide it.
    """
    return np.random.default_rng((_SEED, drawn))


def blocks(width: int) -> Iterator[int]:
    """Draws to make together, where each is of `width` numbers: together `DRAWS`, fewer for huge HATs."""
    wanted = DRAWS if width <= _MANY else FEW_DRAWS
    most = max(1, _LARGEST_BLOCK // max(1, width))
    for first in range(0, wanted, most):
        yield min(most, wanted - first)


def hat_means(width: int, rng: np.random.Generator) -> Iterator[Floats]:
    """mu, the mean of the HAT's vehicles, for each block; shape (draws, 1), km/h at the papers' U.

    Errors of huge HATs depend on mu, and on little else: their few draws take it evenly from the sorted
    means of all `DRAWS`, which is as good as all of them.
    """
    if width <= _MANY:
        yield from (drawn_hat_means(draws, rng) for draws in blocks(width))
        return
    share = DRAWS // FEW_DRAWS
    even = np.sort(drawn_hat_means(DRAWS, rng), axis=0)[share // 2 :: share]
    first = 0
    for draws in blocks(width):
        yield even[first : first + draws]
        first += draws


def drawn_hat_means(draws: int, rng: np.random.Generator) -> Floats:
    """Means of that many HATs; shape (draws, 1), km/h at the papers' U."""
    means: Floats = np.clip(rng.normal(HAT_MEAN, HAT_MEAN_SPREAD, (draws, 1)), 0.0, PAPERS_U)
    return means


def vehicle_means(users: HatUsers, upper_kmh: float, mu: Floats, rng: np.random.Generator) -> Floats:
    """X_l, the mean of all records of each user, in each of the draws; shape (draws, L), km/h in [0, U].

    mu: of `hat_means`, shape (draws, 1).
    """
    return np.concatenate(list(_few_at_a_time(users, upper_kmh, mu, users.size, rng)))


def drawn_means(users: HatUsers, upper_kmh: float, width: int, rng: np.random.Generator) -> Iterator[Floats]:
    """`vehicle_means` in all draws, each of `width` numbers, for a few draws at a time.

    A few stay in the processor's cache while they are worked on. Between two of them the same `rng` may be
    asked for more: the stream is used as if a block were drawn in one step.
    """
    for mu in hat_means(width, rng):
        yield from _few_at_a_time(users, upper_kmh, mu, width, rng)


def _few_at_a_time(
    users: HatUsers, upper_kmh: float, mu: Floats, width: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """All is drawn before the first few are given."""
    normal = rng.standard_normal((mu.size, users.size), np.float32)
    dwell = users.dwell
    lean = 1.0 if dwell is None else 1.0 - DWELL * dwell
    spread = np.sqrt(VEHICLE_SPREAD**2 + RECORD_SPREAD**2 / users.counts)
    few = max(_FEWEST_ROWS, _IN_CACHE // max(1, width))
    for first in range(0, mu.size, few):
        means: Floats = spread * normal[first : first + few]
        means += mu[first : first + few] * lean
        means *= scaled(1.0, upper_kmh)
        yield np.clip(means, 0.0, upper_kmh, out=means)


def part_means(
    means: Floats, users: HatUsers, user: Ints, taken: Ints, upper_kmh: float, rng: np.random.Generator
) -> Floats:
    """Means of `taken` records of `user`, given the means of all their records; shape (draws, S)."""
    parts: Floats = np.take(means, user, axis=1)
    some = np.flatnonzero(taken < users.counts[user])  # a part that is all of a user's records is no draw
    fewer = 1.0 / taken[some] - 1.0 / users.counts[user[some]]
    away = scaled(DROPPED_SPREAD, upper_kmh) * np.sqrt(fewer)
    drawn = parts[:, some] + away * rng.standard_normal((means.shape[0], some.size), np.float32)
    parts[:, some] = np.clip(drawn, 0.0, upper_kmh)
    return parts


def array_draws(assignment: Assignment, users: HatUsers, upper_kmh: float) -> tuple[Floats, Floats]:
    """Means of the arrays, shape (draws, K), and true means of the HAT, shape (draws,); km/h."""
    rng = new_generator(VALUES)
    order = np.argsort(assignment.array, kind="stable")
    user, taken, array = (column[order] for column in (assignment.user, assignment.taken, assignment.array))
    first = np.searchsorted(array, np.arange(assignment.arrays))
    parts = taken / assignment.sizes[array]
    arrays, truths = [], []
    for means in drawn_means(users, upper_kmh, user.size + users.size, rng):
        retained = part_means(means, users, user, taken, upper_kmh, rng)
        retained *= parts
        arrays.append(np.add.reduceat(retained, first, axis=1))
        truths.append(means @ users.shares)
    return np.concatenate(arrays), np.concatenate(truths)


def noisy_best(
    scores: Floats, sensitivity: float, epsilon: float, rng: np.random.Generator, pools: Ints | None = None
) -> Ints:
    """The column that permute-and-flip selects in each row; scores: shape (draws, n).

    The law is that of the largest score with exponential noise. pools: how many candidates of equal score
    a column stands for, 0 for none; the largest of n exponential variables is drawn in one step.
    """
    few = max(1, _SELECTED // max(1, scores.shape[1]))
    chosen = [
        _few_best(
            scores[first : first + few] * (epsilon / (2.0 * sensitivity)),
            rng,
            None if pools is None else pools[first : first + few],
        )
        for first in range(0, scores.shape[0], few)
    ]
    return np.concatenate(chosen)


def _few_best(weights: Floats, rng: np.random.Generator, pools: Ints | None) -> Ints:
    """`noisy_best` of a few rows, of scores in units of their noise."""
    chance = rng.random(weights.shape)
    if pools is not None:
        chance **= 1.0 / np.maximum(pools, 1).astype(np.float64)
    with np.errstate(divide="ignore"):  # of many candidates the best may be at infinity
        weights -= np.log1p(np.negative(chance, out=chance), out=chance)
    if pools is not None:
        weights[pools <= 0] = -np.inf
    chosen: Ints = weights.argmax(axis=1)
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
    """95 % quantile of |Laplace noise + bias| over the drawn biases, in their unit.

    Newton's steps, or halving where one would leave the interval that the quantile is known to be in.
    """
    away = np.abs(biases)
    if scale <= 0.0:
        return float(np.quantile(away, _COVERED, method="inverted_cdf"))
    low, high = 0.0, float(away.max()) + scale * math.log(1.0 / (1.0 - _COVERED))
    t = high
    for _ in range(_MOST_ITERATIONS):
        beyond, density = _beyond(t, scale, away)
        if beyond > 1.0 - _COVERED:
            low = t
        else:
            high = t
        step = (beyond - (1.0 - _COVERED)) / density if density > 0.0 else math.inf
        before, t = t, t + step
        if not low <= t <= high:
            t = (low + high) / 2.0
        if abs(t - before) <= _EXACT * high:
            break
    return t


def _beyond(t: float, scale: float, away: Floats) -> tuple[float, float]:
    """Mean over the biases of P(|Lap(scale) + bias| > t), and how fast it falls with t."""
    near = np.exp(-np.abs(t - away) / scale)
    far = np.exp(-(t + away) / scale)
    both = float(near.sum() + far.sum())
    inside = near[away > t]
    beyond = (both - 2.0 * float(inside.sum())) / 2.0 + inside.size
    return beyond / away.size, both / (2.0 * scale) / away.size


def drawn_accuracy(estimates: Floats, truths: Floats, upper_kmh: float, shift: float) -> Accuracy:
    """Of whole estimates with their noise, before they are cut to [0, U]; shapes (DRAWS,), km/h."""
    errors = np.clip(estimates, 0.0, upper_kmh) - truths
    loose = estimates - truths + shift * new_generator(SHIFTS).standard_normal(truths.size)
    return Accuracy(
        typical_error=float(np.abs(errors).mean()),
        half_width=float(np.quantile(np.abs(loose), _COVERED)),
    )
