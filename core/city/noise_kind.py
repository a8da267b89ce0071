"""The two kinds of noise of a joint release, and what each makes of shares and scales (city-release 1)."""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np

from core.arrays import Floats
from core.noise.laplace_normal import half_width_95, mean_absolute

_NORMAL_MEAN = math.sqrt(2.0 / math.pi)
"""E|N(0, 1)|."""
NORMAL_95 = 1.959964


class NoiseKind(StrEnum):
    """What is added to the sums of tokens."""

    LAPLACE = "laplace"
    GAUSS = "gauss"

    @property
    def squared(self) -> bool:
        """A vehicle's budget is a sum of squares over its HATs."""
        return self is NoiseKind.GAUSS

    @property
    def mean_of_scale(self) -> float:
        """E|noise| where its scale (Laplace) or its standard deviation (Gaussian) is 1."""
        return _NORMAL_MEAN if self.squared else 1.0

    def variance(self, scale: Floats) -> Floats:
        """Of noise of this scale, or standard deviation."""
        return scale**2 if self.squared else 2.0 * scale**2

    def typical_error(self, scale: Floats, bias: Floats) -> Floats:
        """E|noise + N(0, bias)|; shapes (G,)."""
        if self.squared:
            return _NORMAL_MEAN * np.hypot(scale, bias)
        return np.array([mean_absolute(one, other) for one, other in zip(scale, bias, strict=True)])

    def half_width(self, scale: Floats, bias: Floats) -> Floats:
        """The 95 % quantile of |noise + N(0, bias)|; shapes (G,)."""
        if self.squared:
            return NORMAL_95 * np.hypot(scale, bias)
        return np.array([half_width_95(one, other) for one, other in zip(scale, bias, strict=True)])
