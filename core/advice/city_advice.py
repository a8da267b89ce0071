"""Which grid with most of the records is recommended at a total, in whole sentences, or none (method 3.4).

Based on public counts alone. One adviser for the window, `table` and `plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from core.accounting.epsilon_rounding import plain
from core.accounting.zcdp import USUAL_DELTA
from core.advice.accuracy_first import city_outline
from core.advice.usefulness import GOOD_SHARE, Usefulness, good_error, usefulness
from core.city.city_bound import least_epsilon, most_hats
from core.city.noise_kind import NoiseKind
from core.contributions import EVALUATION_TIE_KEY, Contributions, users_of
from core.counted import count_of
from core.errors import InputError
from core.hats.slots import ALL, SlotLength, length_text
from core.hats.window import Window
from core.mechanisms.public_model import scaled
from core.mechanisms.smooth_field import SMOOTH
from core.planning.city_accuracy import CityOutline, ErrorGoal, totals_for_error
from core.planning.city_query import require_shared_total
from core.planning.counted_city import CountedCity
from core.planning.planning_room import NoRoom
from core.planning.query_plan import Query, QueryPlan, error_of_constant, smoothed_errors
from core.planning.resolution_table import windows_of
from core.planning.values_query import distinct_vehicles, plan_query
from core.privacy import Confidential, Unit
from core.progress import Progress, part, silent
from core.selection.base import Selection, SelectionRequest
from core.selection.registry import require_rule, select
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale, significant, unit_of_errors
from core.texts import joined, text_of

ENOUGH_RECORDS = 0.75
"""Of the window's records, those that the rows of a recommended grid must hold."""
FEWEST_ROWS = 20
"""Rows of the most exact grid, unless a recommended one has fewer and errs less: one number for the city is
exact too, and tells nothing about places.
"""
_COARSEST, _FINEST = 5, 9
"""Resolutions that are compared."""
_LENGTHS: tuple[SlotLength, ...] = (60, 240, ALL)
"""Slots that are compared, in minutes."""
TARGET = 2.0
"""Noise in every HAT of a city that the least total is stated for, in km/h at the papers' U."""


class GridRole(StrEnum):
    """Why a grid is recommended."""

    FINEST = "finest"
    BALANCED = "balanced"
    MOST_EXACT = "most_exact"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GridOption(Confidential):
    """One resolution with one length of slots, at the total and with the better kind of noise."""

    resolution: int
    window: Window
    noise: NoiseKind
    hats: int
    """Published ones."""
    empty: float
    """The share of the selected HATs that have no number, 0..1."""
    records: float
    """The share of the window's records that lie in published HATs, 0..1."""
    raw_error: float
    """Typical error in the median HAT, in the value's unit."""
    smoothed_error: float | None
    """The same after smoothing; None where nothing is smoothed."""
    constant: float
    """What publishing one constant typically misses."""
    good: float
    """The largest error that is good."""

    @property
    def error(self) -> float:
        """Of the number that readers see: smoothed where it is."""
        return self.raw_error if self.smoothed_error is None else self.smoothed_error

    @property
    def gain(self) -> float:
        """How many times better than a constant."""
        return self.constant / self.error

    @property
    def usefulness(self) -> Usefulness:
        """The verdict in one word."""
        return usefulness(self.error, good=self.good, constant=self.constant, empty=self.empty)

    @property
    def fineness(self) -> tuple[int, int]:
        """Smallest area first, then the shortest slot."""
        return -self.resolution, self.window.shortest_slot

    @property
    def name(self) -> str:
        """Of the grid, in a sentence."""
        return _name(self.resolution, self.window)

    def to_json(self, scale: int) -> dict[str, Any]:
        """The keys that `hexveil plan --help` explains; scale: what errors are multiplied by to be read."""
        return {
            "resolution": self.resolution,
            **self.window.slot_facts,
            "hours": list(self.window.hours),
            "noise": self.noise.value,
            "hats": self.hats,
            "empty": self.empty,
            "records": self.records,
            "error_raw": scale * self.raw_error,
            "error_smoothed": self.smoothed_error and scale * self.smoothed_error,
            "gain": self.gain,
            "verdict": self.usefulness.value,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CityAdvice(Confidential):
    """Three grids for a total, and what is said of them and of the grid that was asked about."""

    total: Decimal
    grids: tuple[GridOption, ...]
    """Those that keep enough of the records, the finest first."""
    own: GridOption | None
    """The grid that was asked about; None where it has no HAT to publish."""
    nearest: str
    """Where no grid keeps enough of the records, the one that keeps the most, with its share; else empty."""
    needed: Decimal | None
    """The total from which that grid tells more than a constant, where this one does not; None: none does,
    or none is needed."""
    vehicles: int
    """In the published HATs of that grid."""
    upper: float
    """U, in the value's unit; of shares how many ranges a record can leave and enter."""
    measure: Measure
    """Whose errors these are."""
    too_large: str
    """Why the first grid that was left out for its size takes too much; else empty."""
    of_places: bool = False
    """Places that are no hexagons were asked about: what is recommended is of them."""
    with_delta: tuple[GridOption, GridOption] | None = None
    """One of these grids, and the same with the usual delta; None where nobody asked or little is gained."""

    @property
    def finest(self) -> GridOption | None:
        """The smallest area, then the shortest slot, that is of use."""
        return next((one for one in self._asked if one.usefulness is not Usefulness.NO_USE), None)

    @property
    def most_exact(self) -> GridOption | None:
        """The least typical error with rows enough: neither of the two others is more exact."""
        others = (self.finest, self.balanced)
        rich = [one for one in self._asked if one.hats >= FEWEST_ROWS or one in others]
        return min(_useful(rich), key=lambda one: one.error, default=None)

    @property
    def balanced(self) -> GridOption | None:
        """The recommended one: the finest that is good, otherwise the least of error / sqrt(rows).

        Where others are of use, none that is no use: a large grid with the least quotient may tell nothing.
        """
        return _balanced(self._asked)

    @property
    def instead(self) -> GridOption | None:
        """Of hexagons in place of the places that were asked about: nobody gives these up by an advice."""
        return _balanced([one for one in self.grids if one.resolution]) if self.of_places else None

    @property
    def _asked(self) -> tuple[GridOption, ...]:
        """What may be recommended."""
        return tuple(one for one in self.grids if not (self.of_places and one.resolution))

    @property
    def rows(self) -> dict[GridRole, GridOption | None]:
        """The three grids."""
        return {
            GridRole.FINEST: self.finest,
            GridRole.BALANCED: self.balanced,
            GridRole.MOST_EXACT: self.most_exact,
        }

    @property
    def further(self) -> tuple[GridOption, ...]:
        """Of the places and periods asked for, those that are none of the options, and hexagons instead."""
        if self.of_places:
            fitting = [*self._asked, *filter(None, [self.instead])]
        else:
            fitting = [one for one in self.grids if not one.resolution or one.window.periods]
        return tuple(one for one in fitting if one not in self.options)

    @property
    def options(self) -> tuple[GridOption, ...]:
        """The three, each once, and behind them the grid that was asked about."""
        return tuple(dict.fromkeys(one for one in (*self.rows.values(), self.own) if one is not None))

    def roles(self, option: GridOption) -> tuple[GridRole, ...]:
        """Which of the three it is."""
        return tuple(role for role, one in self.rows.items() if one == option)

    @property
    def bound(self) -> str:
        """What no joint release of that grid can beat, in one sentence; empty without it."""
        if self.own is None:
            return ""
        noise = scaled(TARGET, self.upper) if self.measure.unit else GOOD_SHARE
        least = least_epsilon(self.own.hats, self.vehicles, noise, self.upper)
        most = most_hats(float(self.total), self.vehicles, noise, self.upper)
        return text_of(
            "Noise of {noise} {unit_of_value} in all {counted_hexagon_slots} needs a total of at least "
            "{least}; {total} would pay for {most}.",
            noise=significant(error_scale(self.measure) * noise, 3),
            unit_of_value=unit_of_errors(self.measure),
            counted_hexagon_slots=count_of(self.own.hats, "published hexagon slot"),
            least=significant(least, 3),
            total=plain(self.total),
            most=f"{most:,}" if most else "none",
        )

    @property
    def reason(self) -> str:
        """What is recommended, what it loses, and what becomes of the grid that was asked about."""
        best = self.balanced
        said = [self._nothing_to_recommend if best is None else self._recommended(best)]
        if self.too_large:
            said.append(text_of("Larger grids are left out. {too_large}", too_large=self.too_large))
        own = self.own
        if own is not None and own != best:
            said.append(
                text_of(
                    "On the grid chosen now the median hexagon slot is typically off by {error}; one "
                    "constant for the whole city by {constant}.",
                    error=self._error_text(own.error),
                    constant=self._error_text(own.constant),
                )
            )
        if self.needed is not None:
            said.append(
                text_of(
                    "From a total of {needed} on it is better than a constant.", needed=f"{self.needed:f}"
                )
            )
        if self.with_delta is not None:
            now, then = self.with_delta
            said.append(
                text_of(
                    "With a delta of {delta} and Gaussian noise the typical error of {name} would be {then}, "
                    "not {now}. Allow it with ledger set-limit --delta {delta}.",
                    delta=USUAL_DELTA,
                    name=now.name,
                    then=self._error_text(then.error),
                    now=self._error_text(now.error),
                )
            )
        return joined(" ", said)

    def _recommended(self, best: GridOption) -> str:
        reaches = text_of(
            "a typical error of {error} in {counted_hexagon_slots} with {records} % of the records",
            error=self._error_text(best.error),
            counted_hexagon_slots=count_of(best.hats, "hexagon slot"),
            records=f"{100 * best.records:.0f}",
        )
        total = plain(self.total)
        if best.usefulness is Usefulness.GOOD:
            return text_of(
                "Recommended: {name}, the finest grid that is good at a total of {total}, with {reaches}.",
                name=best.name,
                total=total,
                reaches=reaches,
            )
        if best.usefulness is Usefulness.ROUGH:
            return text_of(
                "Recommended: {name}. No grid is good at a total of {total}; this one is least inaccurate "
                "for its number of hexagon slots, with {reaches}.",
                name=best.name,
                total=total,
                reaches=reaches,
            )
        return text_of(
            "At a total of {total} no grid compared is useful; {name} has {reaches}. Raise the total.",
            total=total,
            name=best.name,
            reaches=reaches,
        )

    @property
    def _nothing_to_recommend(self) -> str:
        if not self.nearest:
            return text_of(
                "At a total of {total} no grid compared can be published. Raise the total or lower the "
                "threshold.",
                total=plain(self.total),
            )
        return text_of(
            "No grid compared publishes {enough} % of the records; {nearest} comes closest. Lower the "
            "threshold or the minimum number of vehicles.",
            enough=f"{100 * ENOUGH_RECORDS:.0f}",
            nearest=self.nearest,
        )

    def error_figure(self, error: float) -> str:
        """An error as it is read, without its unit."""
        return significant(error_scale(self.measure) * error, 2)

    def _error_text(self, error: float) -> str:
        return joined(" ", (self.error_figure(error), unit_of_errors(self.measure)))

    def to_json(self) -> dict[str, Any]:
        """The keys that `hexveil plan --help` explains."""
        scale = error_scale(self.measure)
        named = {role.value: one and one.to_json(scale) for role, one in self.rows.items()}
        return {
            "confidential": True,
            "total": plain(self.total),
            "unit": unit_of_errors(self.measure),
            "bound": self.bound,
            "reason": self.reason,
            "total_needed": None if self.needed is None else f"{self.needed:f}",
            **named,
            "own": self.own and self.own.to_json(scale),
            "with_delta": self.with_delta and {"delta": USUAL_DELTA, **self.with_delta[1].to_json(scale)},
            "grids": [one.to_json(scale) for one in self.grids],
        }


def advise_city(
    tables: Callable[[int, Window], Contributions],
    resolution: int,
    window: Window,
    request: SelectionRequest,
    query: Query,
    *,
    unit: Unit,
    minimum_vehicles: int,
    delta: Decimal,
    tie_key: bytes = EVALUATION_TIE_KEY,
    progress: Progress = silent,
    alone: bool = False,
) -> CityAdvice:
    """Of resolutions 5 to 9 by slots of one hour, four hours and all hours, and of the grid asked about.

    Where that is of other places (resolution 0), or of periods, they are compared beside hexagons and slots;
    what is recommended of places that are no hexagons is of these places.
    tables: gives the contributions at a resolution over a window; a rule with a fixed list of cells keeps
    its resolution. tie_key: of the population, where it is known; alone: compare it with no other. Errors
    are those of a whole plan, after smoothing from a sample of the HATs. Raises InputError for a query that
    is not joint or has no total, and what `progress` raises.
    """
    if not query.question.joint or query.question.by_region:
        raise InputError(
            "Only a joint release by hexagon slot divides one total over a grid.",
            where=text_of("query {id}", id=query.id),
            mend="choose shares, or a mean by tokens without regions",
        )
    total = require_shared_total(query.budget, unit)
    zoom = not query.question.outlined
    candidates = [] if alone else _candidates(resolution, window, request)
    compared = list(dict.fromkeys(((resolution, window), *candidates)))
    grids: list[GridOption] = []
    sparse: list[_Rows] = []
    own: GridOption | None = None
    needed, vehicles, upper, too_large, of_places = None, 0, 0.0, "", False
    for number, grid in enumerate(compared):
        share = part(progress, number / len(compared), (number + 1) / len(compared))
        share(0.0, "Comparing grids")
        try:
            rows = _rows_of(tables(*grid), request, minimum_vehicles)
        except InputError:
            continue  # no record, or no hexagon slot, is chosen there
        of_places = of_places or not rows.table.choice.hexagons
        enough = grid in candidates and rows.records >= ENOUGH_RECORDS
        if grid in candidates and not enough:
            sparse.append(rows)
        if not (rows.published and (enough or number == 0)):
            continue
        users = users_of(rows.table, unit, tie_key)
        city = CountedCity(rows.table, users, rows.selection, minimum_vehicles=minimum_vehicles, delta=delta)
        try:
            outline = city_outline(city, query, part(share, 0.0, 0.4))
        except NoRoom as problem:
            too_large = too_large or problem.what
            continue
        try:
            ahead = part(share, 0.4, 1.0)
            if zoom:
                errors = _errors_of(plan_query(city, query, ahead))
            else:
                errors = _errors(outline, query, total, ahead)
        except InputError:
            continue  # the total buys no noise
        option = _option(rows, query, errors)
        if enough:
            grids.append(option)
        if number == 0:
            own, needed = option, None if zoom else _needed(outline, option, total)
            vehicles, upper = outline.sketches[0].pairs.vehicles, outline.sketches[0].moved_by_one
    near = [rows for rows in sparse if not (of_places and rows.table.choice.hexagons)]
    of_asked = [one for one in grids if not (of_places and one.resolution)]
    return CityAdvice(
        total=total,
        grids=tuple(sorted(grids, key=lambda one: one.fineness)),
        own=own,
        nearest=max(near, key=lambda rows: rows.records).text if near and not of_asked else "",
        needed=needed,
        vehicles=vehicles,
        upper=upper,
        measure=query.question.statistic.measures[0],
        too_large=too_large,
        of_places=of_places,
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Rows(Confidential):
    """What a grid would publish."""

    table: Contributions
    selection: Selection
    published: int
    records: float

    @property
    def text(self) -> str:
        """The grid and its share of the records."""
        name = _name(0 if self.table.choice.mixed else self.table.resolution, self.table.window)
        return text_of("{name} with {records} %", name=name, records=f"{100 * self.records:.0f}")


def _balanced(grids: Sequence[GridOption]) -> GridOption | None:
    """The grids come the finest first."""
    good = (one for one in grids if one.usefulness is Usefulness.GOOD)
    least = min(_useful(grids), key=lambda one: one.error / one.hats**0.5, default=None)
    return next(good, least)


def _useful(grids: Sequence[GridOption]) -> Sequence[GridOption]:
    """Those that are of use; all where none is."""
    return [one for one in grids if one.usefulness is not Usefulness.NO_USE] or grids


def _name(resolution: int, window: Window) -> str:
    one_slot = window.slot_length == ALL
    if not resolution and one_slot:
        return text_of("the places asked for with one slot for all hours")
    if not resolution and window.periods:
        periods = count_of(len(window.periods), "period")
        return text_of("the places asked for with {counted_periods}", counted_periods=periods)
    if not resolution:
        minutes = length_text(window.slot_minutes)
        return text_of("the places asked for with slots of {counted_minutes}", counted_minutes=minutes)
    if one_slot:
        return text_of("resolution {resolution} with one slot for all hours", resolution=resolution)
    if window.periods:
        return text_of(
            "resolution {resolution} with {counted_periods}",
            resolution=resolution,
            counted_periods=count_of(len(window.periods), "period"),
        )
    minutes = length_text(window.slot_minutes)
    return text_of(
        "resolution {resolution} with slots of {counted_minutes}",
        resolution=resolution,
        counted_minutes=minutes,
    )


def _rows_of(table: Contributions, request: SelectionRequest, minimum_vehicles: int) -> _Rows:
    selection = select(table, request)
    present = selection.index[selection.index >= 0]
    published = present[distinct_vehicles(table)[present] >= minimum_vehicles]
    records = float(table.records[published].sum() / table.records.sum())
    return _Rows(table=table, selection=selection, published=published.size, records=records)


def _candidates(resolution: int, window: Window, request: SelectionRequest) -> list[tuple[int, Window]]:
    """What may be recommended: hexagons and slots, the places and periods asked for, rows apart as asked."""
    fixed = require_rule(request.rule).cell_file is not None
    hexagons = range(_COARSEST, _FINEST + 1)
    resolutions = (resolution,) if fixed else hexagons if resolution else (0, *hexagons)
    windows = [replace(one, groups=window.groups) for one in windows_of(window, _LENGTHS)]
    windows += [window] if window.periods else []
    return [(cells, over) for cells in resolutions for over in windows]


_Errors = tuple[float, float | None, NoiseKind]
"""Typical one in the median HAT, the same after smoothing where that is asked for, and of which noise."""


def _errors(outline: CityOutline, query: Query, total: Decimal, progress: Progress) -> _Errors:
    """With the weights and the noise that a plan at the total takes.

    Raises InputError where the total buys no noise, and what `progress` raises.
    """
    planned = outline.as_planned(total, part(progress, 0.0, 0.8))
    raw, noise = planned.error(total, ErrorGoal.MEDIAN, smoothed=False)
    smoothed = None
    if getattr(query.question.params, SMOOTH):
        smoothed, _ = planned.error(total, ErrorGoal.MEDIAN, smoothed=True, progress=part(progress, 0.8, 1.0))
    return raw, smoothed, noise


def _errors_of(plan: QueryPlan) -> _Errors:
    """Of two looks, which an outline does not know."""
    smoothed, noise = smoothed_errors(plan), plan.noise_kind
    assert noise is not None
    return plan.errors.typical.median, None if smoothed is None else smoothed.median, noise


def _option(rows: _Rows, query: Query, errors: _Errors) -> GridOption:
    measure, (raw, smoothed, noise) = query.question.statistic.measures[0], errors
    constant = error_of_constant(query.question, rows.table.upper_bound)
    good = good_error(measure, constant)
    assert constant is not None  # a joint release is of means or shares
    assert good is not None
    return GridOption(
        resolution=0 if rows.table.choice.mixed else rows.table.resolution,
        window=rows.table.window,
        noise=noise,
        hats=rows.published,
        empty=1.0 - rows.published / max(len(rows.selection), 1),
        records=rows.records,
        raw_error=raw,
        smoothed_error=smoothed,
        constant=constant,
        good=good,
    )


def _needed(outline: CityOutline, own: GridOption, total: Decimal) -> Decimal | None:
    """From where on that grid tells more than a constant."""
    if own.error < own.constant:
        return None
    smoothed = own.smoothed_error is not None
    try:
        needed = totals_for_error(outline, own.constant, ErrorGoal.MEDIAN, smoothed=smoothed).total
    except InputError:
        return None
    return needed if needed > total else None
