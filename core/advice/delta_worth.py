"""What Gaussian noise would gain a joint release without a delta, and when it is worth one (method 3.4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal

from core.accounting.zcdp import USUAL_DELTA
from core.advice.accuracy_first import FoundBudget
from core.advice.city_advice import CityAdvice
from core.advice.smoothed import with_expected_error
from core.advice.verdict import verdict_of
from core.errors import InputError
from core.hats.window import Window
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.progress import Progress, part, silent

LEAST_GAIN = 0.05
"""Of the error or the total, what Gaussian noise must gain: less is not worth a guarantee that may fail."""
_COMPARING, _PLANNING = 0.8, 0.5
"""Of the work on grids, without a delta; and of that on one plan or total, the rest is what comes after."""


def advise_with_delta(
    compare: Callable[..., CityAdvice],
    resolution: int,
    window: Window,
    *,
    delta: Decimal,
    given: bool,
    progress: Progress = silent,
) -> CityAdvice:
    """What is advised; where no delta is given or allowed, with what the usual one would better.

    That is looked for in the recommended grid, the one asked about and the finest, and the first is said.
    compare: `advise_city` with what it asks beside grid and delta; given: a person named the delta. Raises
    what that raises.
    """
    if delta or given:
        return compare(resolution, window, delta=delta, progress=progress)
    advice = compare(resolution, window, delta=delta, progress=part(progress, 0.0, _COMPARING))
    grids = [one for one in dict.fromkeys((advice.balanced, advice.own, advice.finest)) if one is not None]
    ahead = part(progress, _COMPARING, 1.0)
    for number, now in enumerate(grids):
        share = part(ahead, number / len(grids), (number + 1) / len(grids))
        usual = Decimal(USUAL_DELTA)
        then = compare(now.resolution, now.window, delta=usual, alone=True, progress=share).own
        if then is not None and _is_worth_it(now.error, then.error):
            return dataclasses.replace(advice, with_delta=(now, then))
    return advice


def totals_with_delta(
    total_for: Callable[..., FoundBudget], city: CountedCity, *, given: bool, progress: Progress = silent
) -> tuple[FoundBudget, FoundBudget | None]:
    """The total that is enough; where no delta is given or allowed, with the usual one a smaller that is too.

    total_for: `budget_for_error` with what it asks beside city and progress. Raises what that raises.
    """
    if given:
        return total_for(city, progress=progress), None
    found = total_for(city, progress=part(progress, 0.0, _PLANNING))
    allowed = dataclasses.replace(city, delta=Decimal(USUAL_DELTA))
    then = total_for(allowed, progress=part(progress, _PLANNING, 1.0))
    worth = _is_worth_it(float(found.budget.amount), float(then.budget.amount))
    return found, then if worth else None


def better_with_delta(plan: QueryPlan, city: CountedCity, progress: Progress = silent) -> QueryPlan | None:
    """The plan of the same query with another delta; None without one, or where the error is hardly smaller.

    city: with that delta; plan: with what its smoothed numbers will miss. Raises what `progress` raises.
    """
    try:
        allowed = plan_query(city, plan.query, part(progress, 0.0, _PLANNING))
    except InputError:
        return None
    then = with_expected_error(allowed, part(progress, _PLANNING, 1.0))
    return then if _is_worth_it(verdict_of(plan).error, verdict_of(then).error) else None


def _is_worth_it(now: float, then: float) -> bool:
    """Of an error, or of the total that it takes."""
    return then <= (1.0 - LEAST_GAIN) * now
