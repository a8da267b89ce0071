"""Colours and printed limits of the map's classes.

Limits are given, never taken from the values shown: pictures of different budgets stay comparable.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLocale

from ui.map.painting import MOST_CLASSES, LegendClass

# Both ramps are even in lightness and safe for the colour-blind. Their two ends are left out,
# so that every class stands out from a light and from a dark page.
_RAMPS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "cividis": (
        (26, 59, 109),
        (65, 77, 107),
        (90, 95, 109),
        (114, 114, 116),
        (137, 134, 121),
        (163, 154, 118),
        (191, 176, 110),
        (218, 198, 97),
        (248, 223, 74),
    ),
    "viridis": (
        (69, 52, 128),
        (58, 82, 139),
        (46, 108, 142),
        (37, 132, 142),
        (30, 157, 137),
        (49, 181, 122),
        (96, 202, 95),
        (159, 217, 57),
        (228, 228, 24),
    ),
}
_FINEST_DECIMALS = 3


def colours(count: int, *, ramp: str = "cividis") -> tuple[str, ...]:
    """`count` (1 to 9) even steps of a ramp from low to high, as `#rrggbb`."""
    if not 1 <= count <= MOST_CLASSES:
        raise ValueError(f"{count} classes; a reader tells 1 to {MOST_CLASSES} apart")
    stops = _RAMPS[ramp]
    positions = [0.5] if count == 1 else [i / (count - 1) for i in range(count)]
    return tuple(_colour_at(stops, position) for position in positions)


@dataclass(frozen=True, slots=True)
class ClassScale:
    """Classes between ascending limits: class i holds limits[i] <= value < limits[i + 1].

    The last class holds its upper limit too. The first limit may be -inf and the last inf: such a class
    is printed "< 12" or "≥ 60". `whole` is for counts: classes print as "1 – 4", "5 – 9".
    """

    limits: tuple[float, ...]
    ramp: str = "cividis"
    whole: bool = False

    def __post_init__(self) -> None:
        pairs = list(zip(self.limits, self.limits[1:], strict=False))
        if not pairs or any(not low < high for low, high in pairs):
            raise ValueError(f"class limits must ascend: {self.limits}")
        if not all(math.isfinite(limit) for limit in self.limits[1:-1]):
            raise ValueError(f"only the outer limits may be infinite: {self.limits}")
        colours(len(pairs), ramp=self.ramp)

    def classify(self, value: float) -> int:
        """The index of the class that holds `value`. Raises ValueError for a value outside."""
        if not self.limits[0] <= value <= self.limits[-1]:
            raise ValueError("the value lies outside the class limits")
        return min(bisect_right(self.limits, value), len(self.limits) - 1) - 1

    def legend(self, locale: QLocale | None = None) -> tuple[LegendClass, ...]:
        """The legend lines, limits printed as `locale` (or the window's) writes numbers."""
        labels = self._labels(locale or QLocale())
        return tuple(map(LegendClass, labels, colours(len(labels), ramp=self.ramp)))

    def _labels(self, locale: QLocale) -> list[str]:
        printed = [_printed(limit, self._decimals(), locale) for limit in self.limits]
        last = len(self.limits) - 2
        return [
            self._label(i, printed, is_last=i == last, locale=locale) for i in range(len(self.limits) - 1)
        ]

    def _label(self, i: int, printed: Sequence[str], *, is_last: bool, locale: QLocale) -> str:
        low, high = self.limits[i], self.limits[i + 1]
        if math.isinf(low):
            return f"< {printed[i + 1]}"
        if math.isinf(high):
            return f"≥ {printed[i]}"
        if not self.whole or is_last:
            return f"{printed[i]} – {printed[i + 1]}"
        highest = high - 1
        return printed[i] if highest == low else f"{printed[i]} – {_printed(highest, 0, locale)}"

    def _decimals(self) -> int:
        finite = [limit for limit in self.limits if math.isfinite(limit)]
        for decimals in range(_FINEST_DECIMALS):
            if all(math.isclose(limit, round(limit, decimals), abs_tol=1e-9) for limit in finite):
                return decimals
        return _FINEST_DECIMALS


def _printed(limit: float, decimals: int, locale: QLocale) -> str:
    return locale.toString(float(limit), "f", decimals) if math.isfinite(limit) else ""


def _colour_at(stops: Sequence[tuple[int, int, int]], position: float) -> str:
    place = position * (len(stops) - 1)
    below = min(int(place), len(stops) - 2)
    share = place - below
    mixed = (round(a + (b - a) * share) for a, b in zip(stops[below], stops[below + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
