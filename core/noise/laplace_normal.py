"""Quantiles of Laplace noise plus a normal error, whose 95 % lie within 1.96 deviations (method 10.4).

What a release misses is noise of a known scale plus a bias that the public model has as normal. Only `erfc`
is needed.
"""

from __future__ import annotations

import math

import numpy as np

_ROOT_2 = math.sqrt(2.0)
_NORMAL_95 = 1.959964
"""Without Laplace noise, a normal error stays within so many deviations with probability 0.95."""
LN_20 = math.log(20.0)
"""A Laplace variable of scale b stays within b ln 20 with probability 0.95."""
_MISSED = 0.05
_NEGLIGIBLE = 1e-12
"""Laplace noise of so small a part of the normal's deviation changes no digit of a quantile."""
_MOST_ROUNDS = 60
"""Rounds of the search for a quantile of Laplace noise plus a normal error; five are usual."""
erfc_of = np.vectorize(math.erfc, otypes=[np.float64])
"""`erfc` of an array."""
_LARGE = 25.0
"""From here on the asymptotic series of erfcx is exact to 1e-11; `exp(x^2)` is far from overflow."""


def erfcx(x: float) -> float:
    """`exp(x^2) erfc(x)` for x >= 0, also where the factors leave the floats."""
    if x < _LARGE:
        return math.exp(x * x) * math.erfc(x)
    square = 2.0 * x * x
    return (1.0 - (1.0 - (3.0 - 15.0 / square) / square) / square) / (x * math.sqrt(math.pi))


def tail(t: float, scale: float, deviation: float) -> float:
    """P(|Lap(scale) + N(0, deviation)| > t) for t >= 0, scale >= 0 and deviation >= 0."""
    if deviation <= 0.0:
        return math.exp(-t / scale) if scale > 0.0 else 0.0
    if scale <= 0.0:
        return math.erfc(t / deviation / _ROOT_2)
    normal, nearer, farther = _parts(t, scale, deviation)
    return normal + (nearer - farther) / 2.0


def _parts(t: float, scale: float, deviation: float) -> tuple[float, float, float]:
    """P(|N| > t), and what Laplace noise adds on the near side and on the far one; both sizes above 0."""
    u, r = t / deviation, deviation / scale
    bell = math.exp(-u * u / 2.0)
    if u <= r:
        nearer = bell * erfcx((r - u) / _ROOT_2)
    else:
        nearer = math.exp(r * r / 2.0 - t / scale) * math.erfc((r - u) / _ROOT_2)
    return bell * erfcx(u / _ROOT_2), nearer, bell * erfcx((r + u) / _ROOT_2)


def half_width_95(scale: float, deviation: float) -> float:
    """t with `tail(t) = 0.05`: the 95 % quantile of |Lap(scale) + N(0, deviation)|.

    By Newton's method from below: either error alone exceeds the start with 0.05. The tail's slope is
    -(nearer + farther) / (2 scale), twice the density, which falls: no step leads beyond the quantile.
    """
    t = max(scale * LN_20, _NORMAL_95 * deviation)
    if deviation <= 0.0 or scale <= _NEGLIGIBLE * deviation:
        return t
    for _ in range(_MOST_ROUNDS):
        normal, nearer, farther = _parts(t, scale, deviation)
        further = t + 2.0 * scale * (normal + (nearer - farther) / 2.0 - _MISSED) / (nearer + farther)
        if further <= t:
            break
        t = further
    return t


def mean_absolute(scale: float, deviation: float) -> float:
    """E|Lap(scale) + N(0, deviation)|."""
    normal = deviation * math.sqrt(2.0 / math.pi)
    if scale <= 0.0:
        return normal
    return normal + scale * erfcx(deviation / scale / _ROOT_2)
