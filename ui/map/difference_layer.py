"""Which of A and B is more exact where: the classes by how much, and which publishes alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from core.advice.plan_difference import HatDifference, plan_differences
from core.planning.query_plan import QueryPlan
from core.portal.value_classes import scaled_edges
from core.quantity import Quantity
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale, figure
from ui.language.translation import translator
from ui.session.query_texts import error_unit
from ui.web_map.painting import Fill, LegendClass

_tr = translator("DifferenceLayer")

PIN_DIFFERENCE = "pin-difference"
_EDGES = (Fraction(1, 2), Fraction(2))
"""Of gains of a speed, km/h: below the first both are as good."""
_COLOURS = ("#1f6aa5", "#7fb0cf", "#8f959c", "#dba36b", "#b5560f", "#1f8a5b", "#7a3f8f")
"""Blue where B is better, orange where A is: distinct for the colour-blind too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceScale:
    """Classes of a gain, B before A, then those that one of the two publishes alone."""

    small: float
    large: float

    def legend(self) -> tuple[LegendClass, ...]:
        """The lines, from B to A."""
        small, large = (f"{edge:g}" for edge in (self.small, self.large))
        words = (
            _tr("B better by ≥ {large}").format(large=large),
            _tr("B better by {small} – {large}").format(small=small, large=large),
            _tr("alike, within {small}").format(small=small),
            _tr("A better by {small} – {large}").format(small=small, large=large),
            _tr("A better by ≥ {large}").format(large=large),
            _tr("in B only"),
            _tr("in A only"),
        )
        return tuple(map(LegendClass, words, _COLOURS))

    def classify(self, hat: HatDifference) -> int:
        """The place of a HAT among the lines."""
        if hat.first is None:
            return 5
        if hat.second is None:
            return 6
        gain = hat.first - hat.second
        if abs(gain) < self.small:
            return 2
        strong = abs(gain) >= self.large
        return (0 if strong else 1) if gain > 0 else (4 if strong else 3)


def difference_scale(quantity: Quantity, upper_bound: int) -> DifferenceScale:
    """Of what is measured; upper_bound: U in thousandths."""
    small, large = map(float, scaled_edges(_EDGES, quantity, upper_bound))
    return DifferenceScale(small=small, large=large)


def shown_differences(pinned: QueryPlan, shown: QueryPlan) -> Iterator[HatDifference]:
    """Every HAT that either publishes, its errors in the unit that they are shown in."""
    times = error_scale(shown.query.question.statistic.measures[0])
    for hat in plan_differences(pinned, shown):
        first, second = (None if error is None else times * error for error in (hat.first, hat.second))
        yield dataclasses.replace(hat, first=first, second=second)


def difference_fills(
    pinned: QueryPlan, shown: QueryPlan, slot: int, scale: DifferenceScale
) -> Iterator[tuple[str, Fill, str]]:
    """Cell, class and words of every HAT of the slot that A or B publishes."""
    measure = shown.query.question.statistic.measures[0]
    for hat in shown_differences(pinned, shown):
        if hat.slot == slot:
            yield hat.cell, scale.classify(hat), _words(hat, measure)


def _words(hat: HatDifference, measure: Measure) -> str:
    errors = [
        _tr("not published") if error is None else f"{figure(error, measure)} {error_unit(measure)}"
        for error in (hat.first, hat.second)
    ]
    return _tr("A: {first}\nB: {second}").format(first=errors[0], second=errors[1])
