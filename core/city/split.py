"""Weights chosen together with the budgets: a little modelled bias for much less noise (city-release 5).

Every vehicle shares its budget out over its HATs by a softmax with slack, so that no row can exceed it; the
mean over HATs of expected noise plus expected bias falls by L-BFGS from the solution with true weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import scipy
from numpy.typing import NDArray

from core.arrays import Floats
from core.city.city_bias import spread_squared
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.mechanisms.public_model import LEAN, PAPERS_U, scaled
from core.progress import Progress, silent, wordless
from core.system.own_process import WorkPlace, in_this_process

MOST_ITERATIONS = 200
_NEXT_TO_NOTHING = 1e-30
"""A share that a long stride of the search took to 0 counts as this: its HAT has much noise, not none."""
_DIGITS = 12
"""Of the noise that a search starts from: so that it ends at the same shares whatever U is."""
_LARGE = 10_000
"""Pairs from which each step of the search keeps Python's lock for more than 2 ms."""
_SMALL = 1e-12
"""Shares stay this far from 0 and 1, where logarithms end."""
_ROUND = 1e-4
"""Biases of this many km/h are rounded off, so that the sum has a gradient where there is none."""
_NORMAL_MEAN = NoiseKind.GAUSS.mean_of_scale


@dataclass(frozen=True, slots=True)
class _Objective:
    """Expected error, as a function of the logarithms of shares against each vehicle's slack."""

    pairs: CityPairs
    """With indexes as numpy takes them: others it would convert anew at every use."""
    noise: NoiseKind
    amplitude: float
    """Noise of a HAT that has the whole of one vehicle's budget: U / eps, or U / sqrt(2 rho); km/h."""
    upper_kmh: float
    important: Floats
    """Shape (G,), of mean 1."""
    bounded: bool
    """The bias at worst in place of the modelled one."""
    true_weights: Floats
    spread: Floats
    dwell: Floats | None

    def __call__(self, logits: Floats) -> tuple[float, Floats]:
        """The mean error, km/h, and its gradient."""
        pairs = self.pairs
        share = _shares_of(pairs, logits)
        taken = np.sqrt(share) if self.noise.squared else share
        total = pairs.by_hat(taken)
        moved = taken / total[pairs.hat] - self.true_weights
        bias, slope = self._worst(moved) if self.bounded else self._modelled(moved)
        noise = self.noise.mean_of_scale * self.amplitude / total
        mean_slope = pairs.by_hat(slope * (moved + self.true_weights))
        # d(noise + bias) / d taken
        pull = (slope - mean_slope[pairs.hat] - noise[pairs.hat]) / total[pairs.hat]
        pull *= self.important[pairs.hat] / pairs.hats
        pull *= taken / 2.0 if self.noise.squared else taken
        gradient = pull - share * pairs.by_vehicle(pull)[pairs.vehicle]
        return float(self.important @ (noise + bias)) / pairs.hats, gradient

    def _modelled(self, moved: Floats) -> tuple[Floats, Floats]:
        """Expected |bias| of each HAT, shape (G,), and its slope by each weight, shape (n,)."""
        pairs, one = self.pairs, scaled(1.0, self.upper_kmh)
        square = pairs.by_hat(moved**2 * self.spread)
        slope = moved * self.spread
        if self.dwell is not None:
            leaning = pairs.by_hat(moved * self.dwell)
            square = square + (LEAN * leaning) ** 2
            slope = slope + LEAN**2 * leaning[pairs.hat] * self.dwell
        root = np.sqrt(square + _ROUND**2)
        return _NORMAL_MEAN * one * (root - _ROUND), _NORMAL_MEAN * one * slope / root[pairs.hat]

    def _worst(self, moved: Floats) -> tuple[Floats, Floats]:
        """U / 2 sum |w - w0| and its slope."""
        half = self.upper_kmh / 2.0
        rounding = _ROUND * self.true_weights
        size = np.hypot(moved, rounding)
        return half * self.pairs.by_hat(size - rounding), half * moved / size


def split_shares(
    pairs: CityPairs,
    noise: NoiseKind,
    start: Floats,
    amplitude: float,
    upper_kmh: float,
    *,
    bounded: bool,
    importance: Floats | None = None,
    iterations: int = MOST_ITERATIONS,
    progress: Progress = silent,
    apart: WorkPlace = in_this_process,
) -> Floats:
    """Each pair's share of its vehicle's budget, shape (n,), sums at most 1; no worse than `start`.

    start: the shares of true weights, which the search begins from. amplitude: U / eps or U / sqrt(2 rho).
    apart: where a large search is done; its result is the same to the last bit.
    """
    pairs = _quickly_indexed(pairs)
    objective = _Objective(
        pairs=pairs,
        noise=noise,
        # at one U, since the search ends by sizes, and to the same digits: the shares are those of any U
        amplitude=float(f"{amplitude * PAPERS_U / upper_kmh:.{_DIGITS}g}"),
        upper_kmh=PAPERS_U,
        important=np.ones(pairs.hats) if importance is None else importance / importance.mean(),
        bounded=bounded,
        true_weights=pairs.shares,
        spread=spread_squared(pairs),
        dwell=pairs.dwell,
    )
    begin = _logits_of(pairs, start)
    place = apart if begin.size >= _LARGE else in_this_process
    wordless_progress = wordless(progress, "Choosing weights and budgets together")
    logits, least = place(search_logits, objective, begin, iterations, progress=wordless_progress)
    return _shares_of(pairs, logits) if least < objective(begin)[0] else start


def search_logits(
    objective: _Objective, begin: Floats, iterations: int, progress: Progress
) -> tuple[Floats, float]:
    """The best logits found, shape (n,), and their mean error, km/h."""
    found = scipy.optimize.minimize(
        objective,
        begin,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations},
        callback=_counting(progress, iterations),
    )
    return found.x, float(found.fun)


def _quickly_indexed(pairs: CityPairs) -> CityPairs:
    """The same pairs, for a search that looks up the same rows a thousand times."""
    hat, vehicle = (cast(NDArray[np.int32], column.astype(np.intp)) for column in (pairs.hat, pairs.vehicle))
    return replace(pairs, hat=hat, vehicle=vehicle)


def _counting(progress: Progress, iterations: int) -> Callable[[Floats], None]:
    done = 0

    def after_each(_: Floats) -> None:
        nonlocal done
        done += 1
        progress(done / iterations)

    return after_each


def _logits_of(pairs: CityPairs, shares: Floats) -> Floats:
    """Logarithms of shares over what their vehicle has left; the inverse of `_shares_of`."""
    slack = np.maximum(1.0 - pairs.by_vehicle(shares), _SMALL**0.5)
    logits: Floats = np.log(np.maximum(shares, _SMALL) / slack[pairs.vehicle])
    return logits


def _shares_of(pairs: CityPairs, logits: Floats) -> Floats:
    """The softmax of each vehicle's pairs and its slack, whose logit is 0; shape (n,).

    A step too far may take all from a HAT: it then has next to nothing, and an error large but finite.
    """
    largest = np.zeros(pairs.vehicles)
    np.maximum.at(largest, pairs.vehicle, logits)
    powers = np.exp(logits - largest[pairs.vehicle])
    shares: Floats = powers / (pairs.by_vehicle(powers) + np.exp(-largest))[pairs.vehicle]
    return np.maximum(shares, _NEXT_TO_NOTHING)
