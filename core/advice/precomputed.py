"""What a window shows of a forecast at every look, computed beforehand: of many HATs it takes a while."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from core.advice.forecast import Forecast
from core.advice.smoothed import is_smoothed
from core.advice.verdict import verdict_of
from core.planning.query_plan import QueryPlan, rising_epsilons

_FIGURES: Final[tuple[Callable[[QueryPlan], object], ...]] = (
    verdict_of,
    is_smoothed,
    rising_epsilons,
    attrgetter("gaussian"),
)
"""The plan stores each."""


def precomputed(known: Forecast) -> Forecast:
    """The same forecast, whose plans now know what is shown of them. For a worker that plans."""
    for plan in known.plans:
        for figures_of in _FIGURES if plan.published else ():
            figures_of(plan)
    return known
