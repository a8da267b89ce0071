"""The 95 % interval of Laplace noise around a published number (method 14)."""

from __future__ import annotations

import math

LN_20 = math.log(20.0)
"""A Laplace variable of scale b stays within b ln 20 with probability 0.95."""


def noise_interval(value: int, scale: float, *, largest: int | None, moved: int = 0) -> tuple[int, int]:
    """Centred on the published value, half-width `scale ln 20` rounded up, cut to [0, largest].

    value, largest: integers of one unit; scale: of the Laplace noise, in the same unit; moved: how far
    post-processing pulled the value, which widens the interval. It is the interval of the noise, not
    of the bias.
    """
    half_width = math.ceil(scale * LN_20) + moved
    high = value + half_width
    return max(0, value - half_width), high if largest is None else min(largest, high)
