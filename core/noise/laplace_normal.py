"""The law of Laplace noise plus an independent normal error, in closed form (method 10.4).

What a release misses is noise of a known scale plus a bias that the public model has as normal. Only `erfc`
is needed.
"""

from __future__ import annotations

import math

import numpy as np

_ROOT_2 = math.sqrt(2.0)
_NORMAL_95 = 1.959964
"""A normal error stays within this many standard deviations with probability 0.95."""
_NORMAL_975 = 2.241403
"""The same with probability 0.975."""
LN_20 = math.log(20.0)
"""A Laplace variable of scale b stays within b ln 20 with probability 0.95."""
_LN_40 = math.log(40.0)
_MISSED = 0.05
_BISECTIONS = 60
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
    u = t / deviation
    if scale <= 0.0:
        return math.erfc(u / _ROOT_2)
    r = deviation / scale
    bell = math.exp(-u * u / 2.0)
    if u <= r:
        nearer = bell * erfcx((r - u) / _ROOT_2)
    else:
        nearer = math.exp(r * r / 2.0 - t / scale) * math.erfc((r - u) / _ROOT_2)
    normal = bell * erfcx(u / _ROOT_2)
    return normal + nearer / 2.0 - bell * erfcx((r + u) / _ROOT_2) / 2.0


def half_width_95(scale: float, deviation: float) -> float:
    """t with `tail(t) = 0.05`: the 95 % quantile of |Lap(scale) + N(0, deviation)|.

    Either error alone exceeds the lower end with 0.05 and each exceeds its part of the upper end with 0.025.
    """
    low = max(scale * LN_20, _NORMAL_95 * deviation)
    if deviation <= 0.0 or scale <= 0.0:
        return low
    high = scale * _LN_40 + _NORMAL_975 * deviation
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        if tail(middle, scale, deviation) > _MISSED:
            low = middle
        else:
            high = middle
    return high


def mean_absolute(scale: float, deviation: float) -> float:
    """E|Lap(scale) + N(0, deviation)|."""
    normal = deviation * math.sqrt(2.0 / math.pi)
    if scale <= 0.0:
        return normal
    return normal + scale * erfcx(deviation / scale / _ROOT_2)
