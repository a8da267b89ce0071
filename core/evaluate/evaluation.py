"""A whole evaluation: every curve at every epsilon, from one fixed seed, which releases nothing."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from core.contributions import HatData
from core.evaluate.compared_curves import Series
from core.evaluate.error_table import ErrorRow, ErrorTable
from core.evaluate.exact_errors import exact_error
from core.evaluate.simulated_errors import simulate
from core.grouping.plan_cache import PlanCache
from core.progress import Progress, silent

DEFAULT_TRIALS = 10_000
DEFAULT_SEED = 20_240_601
"""Of all curves of an evaluation, which releases nothing: the same one gives the same table."""


def evaluate(
    hat: HatData,
    series: Sequence[Series],
    epsilons: Sequence[Decimal],
    *,
    source: str,
    trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
    exact: bool = True,
    progress: Progress = silent,
    cache: PlanCache | None = None,
) -> ErrorTable:
    """Errors of every series at every epsilon.

    exact: also compute expected errors. `progress` may raise `Cancelled` between two points. cache: of
    the owner of the HAT, who evaluates it again.
    """
    rows: list[ErrorRow] = []
    plan_cache = cache or PlanCache()
    for curve in series:
        seen = curve.seen(hat)
        for epsilon in epsilons:
            progress(len(rows) / (len(series) * len(epsilons)), curve.mechanism.title)
            rows.append(_row(seen, curve, epsilon, plan_cache, trials=trials, seed=seed, exact=exact))
    progress(1.0, "Errors ready")
    return ErrorTable(source=source, rows=tuple(rows))


def exact_curve(
    hat: HatData, series: Series, epsilons: Sequence[Decimal], cache: PlanCache | None = None
) -> tuple[float | None, ...]:
    """Expected errors of one series, km/h, without any trial; cache: of the owner of the HAT."""
    plan_cache = cache or PlanCache()
    seen = series.seen(hat)
    return tuple(
        exact_error(series, series.plan(seen.public, epsilon, seen.upper_bound, plan_cache), seen)
        for epsilon in epsilons
    )


def _row(
    hat: HatData, series: Series, epsilon: Decimal, cache: PlanCache, *, trials: int, seed: int, exact: bool
) -> ErrorRow:
    plan = series.plan(hat.public, epsilon, hat.upper_bound, cache)
    expected = exact_error(series, plan, hat) if exact else None
    return simulate(series, plan, hat, trials=trials, seed=seed, exact=expected, epsilon=epsilon)
