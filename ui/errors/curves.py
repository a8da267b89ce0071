"""What the error plot shows: what is asked for, what was computed, and where it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.contributions import HatData
from core.evaluate.compared_curves import Series
from core.evaluate.error_table import ErrorRow
from core.evaluate.evaluation import DEFAULT_TRIALS, evaluate, exact_curve
from core.grouping.plan_cache import PlanCache
from core.privacy import Confidential
from core.progress import Progress
from core.quantity import SPEED
from ui.language.translation import translator
from ui.session.error_sources import Source, bundled_hat

_tr = translator("ErrorCurves")

FIRST_EPSILON, LAST_EPSILON = 0.5, 2.0
"""The papers' range."""
_POINTS, _BEYOND = 16, 8
"""Points of the papers' range, and of what lies beyond it."""
_MOST_STORED = 12
"""HATs whose errors are stored for coming back to them."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CurveRequest(Confidential):
    """Everything that the curves of one HAT follow from."""

    source: Source
    token: bytes
    """Equal for requests of the same source and data."""
    hat: str
    """Id text; the title of a bundled set."""
    chosen: bool
    """The analyst chose this HAT; otherwise it is the one in the middle."""
    vehicles: int
    records: int
    upper_bound: int
    epsilon: Decimal
    """Of the plan: what the HAT gets, or would get."""
    strong: str
    """Key of the curve that the draft has chosen."""
    series: Mapping[str, Series]
    """Curve key -> mechanism and parameters."""
    data: HatData | None = None
    """Only for `Source.LOADED`."""
    simulated: bool = False
    """Ten thousand trials are wanted as well."""
    value_unit: str = SPEED.unit
    """Of the errors."""
    plan_cache: PlanCache = field(default_factory=PlanCache)
    """Of the session: another epsilon of the same counts costs little."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Curves(Confidential):
    """Errors in the value's unit at each epsilon."""

    request: CurveRequest
    epsilons: NDArray[np.float64]
    """Shape (n,), ascending; holds the chosen one."""
    errors: Mapping[str, NDArray[np.float64]]
    """Curve key -> shape (n,): expected error; all NaN where there is no exact one."""
    simulated: Mapping[str, NDArray[np.float64]]
    """Curve key -> shape (n,): mean absolute error of the trials."""
    rows: Mapping[str, tuple[ErrorRow, ...]]
    """Curve key -> a row for each point of `simulated`."""

    @property
    def complete(self) -> bool:
        """Nothing of the request is missing."""
        wanted = self.request.series.keys()
        return self.errors.keys() == wanted and (not self.request.simulated or self.rows.keys() == wanted)

    @property
    def chosen(self) -> int:
        """Where in `epsilons` the chosen one is."""
        return int(np.searchsorted(self.epsilons, round(float(self.request.epsilon), 6)))

    def best(self, key: str) -> NDArray[np.float64]:
        """What is known of a curve: expected errors, or simulated ones in their place."""
        errors = self.errors[key]
        return self.simulated[key] if np.isnan(errors).any() and key in self.simulated else errors


_Stored = dict[tuple[str, str, Decimal], float | None]
"""(curve, its parameters, epsilon) -> error."""


class CurveCache:
    """Every point that was computed, so that coming back to a source is instant.

    Workers write to it: a point is computed the same way each time, so it matters not who comes last.
    """

    def __init__(self) -> None:
        self._exact: dict[bytes, _Stored] = {}
        self._trials: dict[bytes, dict[tuple[str, str, Decimal], ErrorRow]] = {}

    def of(self, request: CurveRequest) -> tuple[_Stored, dict[tuple[str, str, Decimal], ErrorRow]]:
        """Expected errors and rows of trials of the request's data."""
        token = request.token
        for stored in (self._exact, self._trials):
            others = [other for other in tuple(stored) if other != token]
            for old in others[: len(others) + 1 - _MOST_STORED]:
                stored.pop(old, None)
        return self._exact.setdefault(token, {}), self._trials.setdefault(token, {})


def epsilon_grid(chosen: Decimal) -> NDArray[np.float64]:
    """Where curves are computed: the usual range, on to the chosen epsilon, which is one of them."""
    parts = [np.linspace(FIRST_EPSILON, LAST_EPSILON, _POINTS), np.array([float(chosen)])]
    if chosen < FIRST_EPSILON:
        parts.append(np.geomspace(float(chosen), FIRST_EPSILON, _BEYOND))
    if chosen > LAST_EPSILON:
        parts.append(np.geomspace(LAST_EPSILON, float(chosen), _BEYOND))
    return np.unique(np.round(np.concatenate(parts), 6))


def grid_epsilons(request: CurveRequest) -> list[Decimal]:
    """The grid of a request, exactly."""
    grid = epsilon_grid(request.epsilon)
    return [Decimal(f"{epsilon:.6f}").quantize(EPSILON_STEP) for epsilon in grid]


def compute_curves(request: CurveRequest, cache: CurveCache, progress: Progress) -> Curves:
    """The curves, in a worker thread. Raises InputError for parameters that do not fit the HAT."""
    exact, trials = cache.of(request)
    points = grid_epsilons(request)
    hat = bundled_hat(request.source) if request.data is None else request.data
    for number, (key, series) in enumerate(request.series.items()):
        for place, epsilon in enumerate(points):
            progress((number + place / len(points)) / len(request.series), _tr("Error curves"))
            at = (key, repr(series.params), epsilon)
            if at not in exact:
                exact[at] = exact_curve(hat, series, [epsilon], request.plan_cache)[0]
            if at not in trials and (request.simulated or exact[at] is None):
                table = evaluate(
                    hat,
                    [series],
                    [epsilon],
                    source=request.source,
                    trials=DEFAULT_TRIALS,
                    exact=False,
                    cache=request.plan_cache,
                )
                trials[at] = table.rows[0]
    return known_curves(request, cache)


def known_curves(request: CurveRequest, cache: CurveCache) -> Curves:
    """The curves of which every point is known already."""
    exact, trials = cache.of(request)
    points = grid_epsilons(request)
    errors: dict[str, NDArray[np.float64]] = {}
    simulated: dict[str, NDArray[np.float64]] = {}
    rows: dict[str, tuple[ErrorRow, ...]] = {}
    for key, series in request.series.items():
        places = [(key, repr(series.params), epsilon) for epsilon in points]
        if not all(place in exact for place in places):
            continue
        known = [exact[place] for place in places]
        complete = all(error is not None for error in known)
        if all(place in trials for place in places) and (request.simulated or not complete):
            rows[key] = tuple(trials[place] for place in places)
            simulated[key] = np.array([row.mae for row in rows[key]])
        elif not complete:
            continue
        errors[key] = np.array([np.nan if error is None else error for error in known])
    return Curves(
        request=request, epsilons=epsilon_grid(request.epsilon), errors=errors, simulated=simulated, rows=rows
    )


def same_picture(request: CurveRequest, other: CurveRequest | None) -> bool:
    """Two requests give the same picture: a slot shown elsewhere must not blink here."""
    left_out = ("data", "plan_cache")
    names = [name for name in CurveRequest.__dataclass_fields__ if name not in left_out]
    return other is not None and all(getattr(request, name) == getattr(other, name) for name in names)
