"""Classes of the map's layers, and limits that they must stay within.

Limits of counts, errors and widths are given, never taken from what is shown: pictures of different budgets
stay comparable. Those of released numbers lie where these lie, the same in every slot.
"""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLocale

from core.advice.usefulness import Usefulness, verdict_word
from core.charts.colour_ramps import ramp_colours, released_colours
from core.portal.released_classes import released_classes
from core.portal.value_classes import decade, mean_limits, scaled_edges
from core.quantity import Quantity
from ui.language.translation import core_text, translator
from ui.web_map.painting import MOST_CLASSES, LegendClass

_tr = translator("LegendClasses")

_FINEST_DECIMALS = 3
_RELEASED = "released"
"""The ramp of released numbers, the same as on pages and paper; strong is slow, or much."""
_SECONDS = "s"
_VERDICT_COLOURS = {
    Usefulness.GOOD: ("#2a7d76", "#7fb1ab"),
    Usefulness.ROUGH: ("#dfb677", "#c8851c"),
    Usefulness.NO_USE: ("#7a4310",),
}
"""From the best to the worst; they differ in how light they are, too."""


def colours(count: int, *, ramp: str = "cividis") -> tuple[str, ...]:
    """`count` (1 to 9) even steps of a ramp from low to high, as `#rrggbb`."""
    if not 1 <= count <= MOST_CLASSES:
        raise ValueError(f"{count} classes; a reader tells 1 to {MOST_CLASSES} apart")
    return released_colours(count)[::-1] if ramp == _RELEASED else ramp_colours(count, ramp=ramp)


@dataclass(frozen=True, slots=True)
class ClassScale:
    """Classes between ascending limits: class i holds limits[i] <= value < limits[i + 1].

    The last class holds its upper limit too. The first limit may be -inf and the last inf: such a class
    is printed "< 12" or "≥ 60". `whole` is for counts: classes print as "1 – 4", "5 – 9".
    """

    limits: tuple[float, ...]
    ramp: str = "cividis"
    whole: bool = False
    falling: bool = False
    """The ramp runs from bright to dark: of errors, where the largest must not be what shines."""
    words: tuple[Usefulness, ...] = ()
    """The verdict on a number of each class, which then has the verdict's colours."""

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

    def classes_of(self, values: NDArray[np.float64], *, outside: int) -> NDArray[np.int64]:
        """The same of many, shape (n,); `outside` of a value outside, and of NaN."""
        limits = np.array(self.limits)
        classes = np.minimum(np.searchsorted(limits, values, side="right"), limits.size - 1) - 1
        return np.where((values >= limits[0]) & (values <= limits[-1]), classes, outside)

    def legend(self, locale: QLocale | None = None) -> tuple[LegendClass, ...]:
        """The legend lines, limits printed as `locale` (or the window's) writes numbers."""
        labels = self._labels(locale or QLocale())
        if self.words:
            named = [
                _tr("{word}, {limits}").format(word=core_text(verdict_word(word)), limits=label)
                for word, label in zip(self.words, labels, strict=True)
            ]
            return tuple(map(LegendClass, named, _verdict_colours(self.words)))
        ramp = colours(len(labels), ramp=self.ramp)
        return tuple(map(LegendClass, labels, ramp[::-1] if self.falling else ramp))

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


_WIDTHS = (2, 5, 10, 20, 40)
DISTINCT_VEHICLES = ClassScale((1, 2, 5, 10, 20, 50, math.inf), whole=True)
RELEASED_MEANS = ClassScale((0, 10, 20, 30, 40, 50, math.inf), ramp=_RELEASED)
OTHER_NUMBERS = ClassScale((-math.inf, 1, math.inf), ramp=_RELEASED, falling=True)
"""Of released numbers that are no values, where they are too much alike for classes of their own."""
RELEASED_SHARES = ClassScale((-math.inf, 10, 20, 40, 60, 80, math.inf), ramp=_RELEASED, falling=True)
"""In percent."""
SHARE_WIDTHS = ClassScale((0, 5, 10, 20, 40, 60, math.inf), falling=True)
"""In percentage points."""
INTERVAL_WIDTHS = ClassScale((0, *_WIDTHS, math.inf), falling=True)


def error_classes(good: float, constant: float | None) -> ClassScale:
    """Of typical errors, by the verdict that they get.

    good: the largest error that is good; constant: from which on a number is no use, None where none is.
    """
    rough = 2.0 * good
    limits, words = [0.0, 0.75 * good, good], [Usefulness.GOOD, Usefulness.GOOD, Usefulness.ROUGH]
    if constant is None or rough < constant:
        limits, words = [*limits, rough], [*words, Usefulness.ROUGH]
    if constant is not None:
        limits, words = [*limits, constant], [*words, Usefulness.NO_USE]
    readable = dict.fromkeys(float(f"{limit:.3g}") for limit in limits)
    return ClassScale((*readable, math.inf), words=tuple(words))


def _verdict_colours(words: Sequence[Usefulness]) -> Iterator[str]:
    """The next shade of each word's colour."""
    shades = {word: iter(colours) for word, colours in _VERDICT_COLOURS.items()}
    return (next(shades[word]) for word in words)


def mean_classes(quantity: Quantity, upper_bound: int) -> ClassScale:
    """Of released means of the value."""
    if quantity.is_speed:
        return RELEASED_MEANS
    limits = map(float, mean_limits(quantity, upper_bound))
    return ClassScale((-math.inf, *limits, math.inf), ramp=_RELEASED, falling=True)


def classes_of_means(numbers: Iterable[float], quantity: Quantity, upper_bound: int) -> ClassScale:
    """Of released means of all slots, as the bundle's page has them; upper_bound: U, thousandths."""
    found = released_classes(
        list(numbers),
        bounds=(-math.inf, None),
        scale=decade(quantity, upper_bound),
        seconds=quantity.unit == _SECONDS,
    )
    usual = mean_classes(quantity, upper_bound)
    return dataclasses.replace(usual, limits=(-math.inf, *found.limits, math.inf)) if found.limits else usual


def classes_of_others(numbers: Iterable[float], usual: ClassScale) -> ClassScale:
    """Of released numbers that are no values; usual: where they are too much alike for such classes."""
    limits = released_classes(list(numbers), bounds=(-math.inf, None)).limits
    return dataclasses.replace(usual, limits=(-math.inf, *limits, math.inf)) if limits else usual


def width_classes_of(quantity: Quantity, upper_bound: int) -> ClassScale:
    """Of widths of released intervals of the value."""
    if quantity.is_speed:
        return INTERVAL_WIDTHS
    return ClassScale((0, *map(float, scaled_edges(_WIDTHS, quantity, upper_bound)), math.inf), falling=True)
