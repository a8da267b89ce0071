"""What smoothing will leave of the error of some HATs, by the 200 that help each most (city-release 12).

Solving a whole city costs the cube of its HATs. Knowing less can only leave more: a figure here is never
smaller than the model's own figure.
"""

from __future__ import annotations

import numpy as np
import scipy

from core.arrays import Floats, Ints
from core.city.lapack import cholesky
from core.city.noise_kind import NoiseKind
from core.city.smoothing import LEAST_NOISE, SmoothingFacts, expected_square, foretold_error
from core.city.smoothing_model import covariance, variance_of_each
from core.progress import Progress, silent

HELPERS = 200
"""HATs whose help counts for each HAT of the sample, when the gain of smoothing is foretold."""
SOLVED_WHOLE = 1_000
"""So many HATs are solved together in about the time that a sample of them takes."""


def sketched_error(facts: SmoothingFacts, some: Ints, progress: Progress = silent) -> Floats:
    """As `foretold_error` where there are at most `SOLVED_WHOLE` HATs; of others as `sampled_error`."""
    if len(facts.ids) <= SOLVED_WHOLE:
        return foretold_error(facts, progress)[some]
    return sampled_error(facts, some, progress)


def sampled_error(facts: SmoothingFacts, some: Ints, progress: Progress = silent) -> Floats:
    """Expected absolute error after smoothing of some HATs, shape (len(some),); km/h, or parts of a share.

    Raises what `progress` raises.
    """
    unit = facts.unit
    noise = np.maximum((facts.noise_variance + facts.bias_variance) / unit**2, LEAST_NOISE)
    places = facts.hat_places
    spreads = places.foretold_spreads
    most = variance_of_each(places, spreads)
    left = np.empty(some.size)
    for number, (hat, shared) in enumerate(
        zip(some.tolist(), covariance(places, spreads, rows=some), strict=True)
    ):
        progress(number / some.size, "Smoothing: reading the neighbours")
        helpers = _helpers(hat, shared, noise + most)
        summed = covariance(places.take(helpers), spreads)
        summed[np.diag_indices_from(summed)] += noise[helpers]
        explained = scipy.linalg.solve_triangular(
            cholesky(summed), shared[helpers], lower=True, check_finite=False
        )
        left[number] = most[hat] - explained @ explained
    posterior = np.clip(left, 0.0, most[some]) * unit**2
    return np.sqrt(expected_square(posterior, facts.only(some))) * NoiseKind.GAUSS.mean_of_scale


def _helpers(hat: int, shared: Floats, spread: Floats) -> Ints:
    """The HAT itself and those that would tell most of it if each stood alone; sorted."""
    explained = shared**2 / spread
    explained[hat] = np.inf
    if explained.size <= HELPERS:
        return np.arange(explained.size)
    return np.sort(np.argpartition(explained, -HELPERS)[-HELPERS:]).astype(np.int64)
