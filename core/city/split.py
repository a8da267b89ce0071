"""Weights chosen with the budgets: how biases count, and shares between 0 and 1 (city-release 5).

Every vehicle shares its budget out over its HATs, so that no row can exceed it. The mean over HATs of the
expected error falls by mirror steps from the solution with true weights, and by L-BFGS where these are stuck;
the mean of noise and worst-case bias by L-BFGS alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.city.city_bias import spread_squared
from core.city.city_pairs import CityPairs
from core.city.mirror_descent import LEAST_SHARE, mirror_descent
from core.city.noise_kind import NoiseKind
from core.mechanisms.public_model import LEAN_CORRECTED, PAPERS_U
from core.progress import Progress, part, silent, wordless

BIAS_WEIGHT = 2.0
"""Beta: biases do not average out between HATs as noise does."""
_MOST_ITERATIONS, _STUCK_ITERATIONS = 200, 60
_DIGITS = 12
"""Of the noise that the choice of weights and budgets starts from: it ends at the same, whatever U is."""
_SMALL = 1e-12
"""Shares chosen with the weights stay this far from 0 and 1, where logarithms end."""
_ROUND = 1e-4
"""Worst-case biases of this many km/h are rounded off, so that the sum has a gradient where there is none."""
_BLOCK = 1 << 16
"""Pairs of whole HATs that are looked at together: so many stay in a processor's own memory."""
_NORMAL_MEAN = NoiseKind.GAUSS.mean_of_scale


@dataclass(frozen=True, slots=True, kw_only=True)
class _Objective:
    """The mean error over HATs as a function of shares, at the papers' U."""

    vehicle: NDArray[np.intp]
    """Shape (n,)."""
    starts: Ints
    """Shape (G + 1,): each HAT's first pair, and the end."""
    noise: NoiseKind
    amplitude: float
    """Noise of a HAT that has the whole of one vehicle's budget: U / eps, or U / sqrt(2 rho); km/h."""
    important: Floats
    """Shape (G,), of mean 1."""
    bounded: bool
    """Noise plus the bias at worst, in place of the expected error."""
    true_weights: Floats
    spread: Floats
    dwell: Floats | None

    @classmethod
    def of(
        cls, pairs: CityPairs, noise: NoiseKind, amplitude: float, importance: Floats | None, *, bounded: bool
    ) -> _Objective:
        return cls(
            vehicle=pairs.vehicle.astype(np.intp),  # other indexes numpy would convert anew at every use
            starts=np.append(pairs.starts, pairs.hat.size),
            noise=noise,
            amplitude=amplitude,
            important=np.ones(pairs.hats) if importance is None else importance / importance.mean(),
            bounded=bounded,
            true_weights=pairs.shares,
            spread=spread_squared(pairs),
            dwell=pairs.dwell,
        )

    def at(self, shares: Floats) -> tuple[float, Floats]:
        """The mean error, km/h, and its slope by the logarithm of each share, shape (n,)."""
        hats = self.important.size
        error, slope = 0.0, np.empty(shares.size)
        ends = np.searchsorted(self.starts, np.arange(_BLOCK, shares.size + _BLOCK, _BLOCK))
        first = 0
        for end in np.minimum(ends, hats).tolist():
            if end > first:
                rows = slice(self.starts[first], self.starts[end])
                errors, slope[rows] = self._block(shares[rows], slice(first, end), rows)
                error += float(errors.sum())
            first = end
        return error / hats, slope / hats

    def _block(self, shares: Floats, hats: slice, rows: slice) -> tuple[Floats, Floats]:
        """Errors of some HATs, times their importance, and the slopes of their sum."""
        starts = self.starts[hats] - rows.start
        each = np.diff(np.append(starts, shares.size))

        def sums(numbers: Floats) -> Floats:
            return np.add.reduceat(numbers, starts)

        taken = np.sqrt(shares) if self.noise.squared else shares
        total = sums(taken)
        weights = taken / np.repeat(total, each)
        moved = weights - self.true_weights[rows]
        noise = self.noise.mean_of_scale * self.amplitude / total
        if self.bounded:
            # U / 2 sum |w - w0|
            rounding = _ROUND * self.true_weights[rows]
            size = np.hypot(moved, rounding)
            errors = noise + PAPERS_U / 2.0 * sums(size - rounding)
            noise_part, by_weight = noise, PAPERS_U / 2.0 * moved / size
        else:
            # hypot(noise, beta times expected |bias|)
            by_weight = moved * self.spread[rows]
            square = sums(by_weight * moved)
            if self.dwell is not None:
                leaning = sums(moved * self.dwell[rows])
                square += (LEAN_CORRECTED * leaning) ** 2
                by_weight += np.repeat(LEAN_CORRECTED**2 * leaning, each) * self.dwell[rows]
            heed = (_NORMAL_MEAN * BIAS_WEIGHT) ** 2
            errors = np.sqrt(noise**2 + heed * square)
            noise_part, by_weight = noise**2 / errors, by_weight * np.repeat(heed / errors, each)
        important = self.important[hats]
        slope = by_weight - np.repeat(sums(weights * by_weight) + noise_part, each)
        slope *= weights * np.repeat(important / 2.0 if self.noise.squared else important, each)
        return errors * important, slope


def split_shares(
    pairs: CityPairs,
    noise: NoiseKind,
    start: Floats,
    amplitude: float,
    upper_kmh: float,
    *,
    bounded: bool,
    importance: Floats | None = None,
    progress: Progress = silent,
) -> Floats:
    """Each pair's share of its vehicle's budget, shape (n,), sums at most 1; no worse than `start`.

    start: the shares of true weights, which the search begins from. amplitude: U / eps or U / sqrt(2 rho).
    """
    # at one U, since the search ends by sizes, and to the same digits: the shares are those of any U
    amplitude = float(f"{amplitude * PAPERS_U / upper_kmh:.{_DIGITS}g}")
    objective = _Objective.of(pairs, noise, amplitude, importance, bounded=bounded)
    saying = wordless(progress, "Choosing weights and budgets together")
    found = [(objective.at(start)[0], start)]
    if bounded:
        found.append(_by_lbfgs(objective, start, _MOST_ITERATIONS, saying))
    else:
        descent = mirror_descent(objective.at, objective.vehicle, start, part(saying, 0.0, 0.5))
        found.append((descent.error, descent.shares))
        if descent.stuck:
            found.append(_by_lbfgs(objective, descent.shares, _STUCK_ITERATIONS, part(saying, 0.5, 1.0)))
    return min(found, key=lambda one: one[0])[1]


def _by_lbfgs(
    objective: _Objective, start: Floats, iterations: int, progress: Progress
) -> tuple[float, Floats]:
    """The mean error, km/h, and the shares that it is reached with; by the logarithms against each slack."""
    vehicle = objective.vehicle

    def at(logits: Floats) -> tuple[float, Floats]:
        shares = _shares_of(vehicle, logits)
        error, slope = objective.at(shares)
        return error, slope - shares * np.bincount(vehicle, slope)[vehicle]

    found = scipy.optimize.minimize(
        at,
        _logits_of(vehicle, start),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations},
        callback=_counting(progress, iterations),
    )
    return float(found.fun), _shares_of(vehicle, found.x)


def _counting(progress: Progress, iterations: int) -> Callable[[Floats], None]:
    done = 0

    def after_each(_: Floats) -> None:
        nonlocal done
        done += 1
        progress(done / iterations)

    return after_each


def _logits_of(vehicle: NDArray[np.intp], shares: Floats) -> Floats:
    """Logarithms of shares over what their vehicle has left; the inverse of `_shares_of`."""
    slack = np.maximum(1.0 - np.bincount(vehicle, shares), math.sqrt(_SMALL))
    logits: Floats = np.log(np.maximum(shares, _SMALL) / slack[vehicle])
    return logits


def _shares_of(vehicle: NDArray[np.intp], logits: Floats) -> Floats:
    """The softmax of each vehicle's pairs and its slack, whose logit is 0; shape (n,).

    A step too far may take all from a HAT: it then has next to nothing, and an error large but finite.
    """
    largest = np.zeros(int(vehicle.max()) + 1)
    np.maximum.at(largest, vehicle, logits)
    powers = np.exp(logits - largest[vehicle])
    shares: Floats = powers / (np.bincount(vehicle, powers) + np.exp(-largest))[vehicle]
    return np.maximum(shares, LEAST_SHARE)
