"""A share from its own noisy number and what all other HATs say, where it may be exactly 0 or 1.

What the others say is a Student law on the whole line, and the share is that law's number cut to [0, 1]: a
law on [0, 1] alone would hold no share that is exactly 0, as many are (city-release 14).
"""

from __future__ import annotations

import numpy as np
import scipy

from core.arrays import Floats
from core.city.student_posterior import AROUND, FREEDOM, TAIL, StudentPosterior, in_parts, log_noise

_EQUAL_POINTS = 201


def share_posterior(
    values: Floats, variances: Floats, means: Floats, deviations: Floats, *, gaussian: bool
) -> StudentPosterior:
    """The law of clip(v, 0, 1), v Student around (mean, deviation), times the noise's density at y - clip(v).

    values: y, not clamped; variances: of y around the share, normal or Laplace; means, deviations: what the
    others say; all shape (n,); variances and deviations positive. Between points the Student law's own mass
    is taken with the density at their middle; the ends 0 and 1 have all that lies beyond.
    """
    return in_parts(_integrated, values, variances, means, deviations, gaussian)


def _integrated(
    values: Floats, variances: Floats, means: Floats, deviations: Floats, gaussian: bool
) -> Floats:
    """Medians, low and high ends, and expected distances, shape (4, n); the columns have shape (n, 1)."""
    noise = np.sqrt(variances)
    points = np.hstack(
        (
            np.broadcast_to(np.linspace(0.0, 1.0, _EQUAL_POINTS), (values.size, _EQUAL_POINTS)),
            values + noise * AROUND,
            means + deviations * AROUND,
        )
    )
    points = np.sort(np.clip(points, 0.0, 1.0), axis=1)
    below = scipy.special.stdtr(FREEDOM, (points - means) / deviations)
    middles = (points[:, 1:] + points[:, :-1]) / 2.0
    # the share 0, all pieces between points, and the share 1
    at = np.hstack((np.zeros_like(values), middles, np.ones_like(values)))
    above = scipy.special.stdtr(FREEDOM, (means - points[:, -1:]) / deviations)
    prior = np.hstack((below[:, :1], np.diff(below, axis=1), above))
    misfit = np.abs(values - at) / noise
    with np.errstate(divide="ignore"):
        log_mass = np.log(np.maximum(prior, 0.0)) + log_noise(misfit, gaussian)
    mass = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    integral = np.cumsum(mass, axis=1) / mass.sum(axis=1, keepdims=True)
    medians, lows, highs = (_point(points, integral, share) for share in (0.5, TAIL, 1.0 - TAIL))
    errors = (mass * np.abs(at - medians[:, None])).sum(axis=1) / mass.sum(axis=1)
    return np.stack((medians, lows, highs, errors))


def _point(points: Floats, integral: Floats, share: float) -> Floats:
    """Where each row's law reaches a share of its whole: at 0, at 1, or between by the straight line."""
    piece = np.minimum((integral < share).sum(axis=1), integral.shape[1] - 1)
    inside = np.clip(piece, 1, points.shape[1] - 1)
    rows = np.arange(piece.size)
    start, end = points[rows, inside - 1], points[rows, inside]
    before, after = integral[rows, inside - 1], integral[rows, inside]
    along = np.divide(share - before, after - before, out=np.zeros_like(before), where=after > before)
    between = start + np.clip(along, 0.0, 1.0) * (end - start)
    found = np.where(piece == 0, 0.0, np.where(piece > points.shape[1] - 1, 1.0, between))
    return np.asarray(found, np.float64)
