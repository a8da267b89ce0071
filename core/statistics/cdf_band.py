"""The 95 % band of a distribution: how far it reaches, and when it is of no use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.texts import text_of

BAND = 2.16
"""A weighted sum of independent Laplace variables of standard deviation s stays within BAND x s of 0
with probability 0.95 at least, whatever the weights, the scales and the number of variables.

A Laplace variable is normal with a random variance, exponentially distributed. The sum is therefore
normal with variance `V = sum a_i E_i`, E_i independent exponential of mean 1, and `sum a_i = s^2 = 1`.
Averages of such E_i are smaller than a single E in convex order, so that `E f(V) <= E f(E)` for every
convex f. The tail `g(v) = P(|normal of variance v| > x)` is convex for v < x^2 / 3 and concave above.
Follow g up to where a tangent of the concave part leaves it, then the tangent: this f is convex and
nowhere below g. With x = 2.16 and the tangent at v = 1.26 x^2 / 3, `E f(E)` is 0.0498. A single Laplace
variable needs 2.12, a normal one 1.96: the price of not knowing which is 2 to 10 %.
"""

MIDDLE = 0.5
"""Share whose place on the axis a band is judged by: half of the distribution lies up to there."""
_MOST_OF_RANGE = 0.5
"""A band of a distribution that leaves more of the range open for its middle tells next to nothing."""


def open_middle(
    edges: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], *, start: float = 0.0
) -> tuple[float, float]:
    """From where to where the value may be up to which half of the distribution lies, as far as a band tells.

    No distribution falls: what the band tells at a value holds below it at most, and above it at least.

    edges: shape (N,), right edges of the bins; low, high: shape (N,), shares from 0 to 1, the last 1; start:
    where the first bin begins.
    """
    first = int(np.argmax(np.minimum.accumulate(high[::-1])[::-1] >= MIDDLE))
    reached = np.maximum.accumulate(low) >= MIDDLE
    last = int(np.argmax(reached)) if reached.any() else -1
    return (float(edges[first - 1]) if first else start), float(edges[last])


def useless_band(
    edges: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    *,
    unit: str,
    start: float = 0.0,
) -> str:
    """What is said of a band that is of no use; empty for one that is. Shapes as in `open_middle`."""
    begin, end = open_middle(edges, low, high, start=start)
    if end - begin <= _MOST_OF_RANGE * (float(edges[-1]) - start):
        return ""
    return text_of(
        "This band is of no use: half of the distribution lies below a value that may be anywhere from "
        "{begin} to {end} {unit}. Fewer bins, fewer hexagon slots or a larger epsilon make it narrower.",
        begin=f"{begin:g}",
        end=f"{end:g}",
        unit=unit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedBand:
    """A curve of the public model with the band that a plan gives it, before anything is drawn."""

    edges: NDArray[np.float64]
    """Shape (N,): right edges of the bins, in the unit of the values."""
    shares: NDArray[np.float64]
    """Shape (N,): the model's, from 0 to 1."""
    half: NDArray[np.float64]
    """Shape (N,): how far the band reaches to either side of them."""
    start: float
    """Where the first bin begins."""
    unit: str

    @property
    def low(self) -> NDArray[np.float64]:
        """Shape (N,); the last share is known."""
        return np.append(np.maximum(self.shares - self.half, 0.0)[:-1], 1.0)

    @property
    def high(self) -> NDArray[np.float64]:
        """Shape (N,)."""
        return np.append(np.minimum(self.shares + self.half, 1.0)[:-1], 1.0)

    @property
    def width(self) -> float:
        """From end to end, as the mean over all edges but the last."""
        return float((self.high - self.low)[:-1].mean())

    @property
    def useless(self) -> str:
        """What is said beforehand where `useless_band` would say it of this band; else empty."""
        if not self._is_useless:
            return ""
        return text_of(
            "the band of the distribution will be of no use: it reaches {reach} percentage points to either "
            "side; choose fewer bins, fewer hexagon slots or a larger epsilon",
            reach=f"{self._reach:.0f}",
        )

    @property
    def useless_as_released(self) -> str:
        """The same once the plan is published; what was drawn may reach a little further, or less far."""
        if not self._is_useless:
            return ""
        return text_of(
            "the released band of the distribution is of no use: it was planned to reach {reach} percentage "
            "points to either side; next time choose fewer bins, fewer hexagon slots or a larger epsilon",
            reach=f"{self._reach:.0f}",
        )

    @property
    def _is_useless(self) -> bool:
        return bool(useless_band(self.edges, self.low, self.high, unit=self.unit, start=self.start))

    @property
    def _reach(self) -> float:
        """To either side where it is widest, in percentage points."""
        return 100 * min(float(self.half[:-1].max()), 1.0)


def described_curves(known_of: str) -> str:
    """Which curves a plan's band describes, to be said before it; known_of: the one HAT that constants alone
    tell an error of, empty where counts tell it of each.
    """
    return (
        text_of("as far as constants show {known_of},", known_of=known_of)
        if known_of
        else "in half of the hexagon slots"
    )
