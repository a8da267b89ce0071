"""The rows of the HAT table as columns, gathered from overview, plan and release. No widget."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.advice.forecast import Forecast, HatOverview
from core.advice.usefulness import Usefulness, good_error, usefulness
from core.bundle.data_files import data_files, written_tables
from core.bundle.release_result import HatRow, Release
from core.fixed_point import THOUSAND
from core.hats.slots import DAY_MINUTES, SlotGrid
from core.planning.query_plan import PlannedHat, QueryPlan, error_of_a_constant, hats_with_errors
from core.privacy import Confidential, Relation
from core.quantity import SPEED, Quantity
from core.release.value_query import ReleasedNumber, released_number
from core.statistics.base import Estimate
from core.statistics.error_figures import error_scale
from ui.budget.range_texts import number_name, number_unit
from ui.session.marked_hats import Hat
from ui.session.query_texts import short_error_unit

PLANNED = ("epsilon", "typical", "worst", "noise", "bias")
JOINT_FACTS = ("modelled", "effective")
"""Of a plan or release of all HATs together: modelled bias, and how many equal vehicles would be as exact."""
RELEASED = ("mean", "low", "high")
SMOOTHED = ("smoothed_mean", "smoothed_low", "smoothed_high")
"""In the places of `RELEASED`."""
NOISY_WEIGHT = "noisy_weight"
"""Of a release of relation `user`: vehicles, or records, with noise."""
ALL_NUMBERS = (*("vehicles", "records", *PLANNED, *JOINT_FACTS), *(*RELEASED, *SMOOTHED, NOISY_WEIGHT))


class HatStatus(IntEnum):
    """What a row's status may be, in the order of the table."""

    UNKNOWN = 0
    NOT_SELECTED = 1
    SUPPRESSED = 2
    SELECTED = 3
    NO_INFORMATION = 4
    """Selected, and released with an interval that leaves everything open."""
    NO_USE = 5
    """Selected and planned: the verdict on its number."""
    ROUGH = 6
    GOOD = 7

    @property
    def has_number(self) -> bool:
        """Selected, and not released without information."""
        return self in (self.SELECTED, self.NO_USE, self.ROUGH, self.GOOD)


JUDGED = {
    HatStatus.NO_USE: Usefulness.NO_USE,
    HatStatus.ROUGH: Usefulness.ROUGH,
    HatStatus.GOOD: Usefulness.GOOD,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLines:
    """A published data file."""

    header: tuple[str, ...]
    lines: Mapping[Hat, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatRows(Confidential):
    """Columns of shape (R,), or tuples of R; NaN where a row has no such number."""

    cells: tuple[str, ...]
    slots: NDArray[np.int64]
    grid: SlotGrid
    """What `slots` are counted in."""
    status: NDArray[np.int8]
    numbers: Mapping[str, NDArray[np.float64]]
    """By the names of `ALL_NUMBERS`."""
    published: PublishedLines | None
    """The published file of means; None before a release, or where it holds none."""
    practice: bool = False
    """What stands as published is of a practice release."""
    preview: bool = False
    """It is made up, and nobody may copy it."""
    unit: str = SPEED.unit
    """Of noise, bias and error: that of the leading query's values, points for a share."""
    in_points: bool = False
    """They are percentage points."""
    value_unit: str = SPEED.unit
    """Of the released values."""
    value_name: str = ""
    """Which number stands as released, where it is no mean."""
    smoothed: bool = False
    """There are smoothed numbers."""
    foretold_smoothed: bool = False
    """Typical errors are those after smoothing; errors at worst are of raw numbers always."""
    joint: bool = False
    """The numbers of `JOINT_FACTS` are shown."""
    joint_released: bool = False
    """They are those of the published file."""
    by_constants: bool = False
    """Relation `user`: the rows are the candidates, and plans follow from public constants."""
    judged: bool = False
    """What is selected has a verdict."""
    by_hexagon: bool = True
    """The places are hexagons."""
    places: tuple[str, ...] = ()
    """Names of the hexagons, from a public layer of places; empty where nothing names any."""

    def __len__(self) -> int:
        return len(self.cells)

    def slot_text(self, slot: int) -> str:
        """`HH:MM` of the slot's start, or its period; chips above the table choose its labels."""
        return self.grid.period(slot) or self.grid.text(slot)


def no_rows() -> HatRows:
    """While there are no data."""
    return HatRows(
        cells=(),
        slots=np.zeros(0, np.int64),
        grid=SlotGrid(DAY_MINUTES),
        status=np.zeros(0, np.int8),
        numbers={name: np.zeros(0) for name in ALL_NUMBERS},
        published=None,
    )


def hat_rows(
    overview: HatOverview,
    grid: SlotGrid,
    forecast: Forecast | None,
    release: Release | None,
    *,
    planned: bool,
    practice: bool = False,
    preview: bool = False,
    quantity: Quantity = SPEED,
    places: Mapping[str, str] = MappingProxyType({}),
    chosen_number: int = 0,
) -> HatRows:
    """Every HAT with records, then those that are selected or released without any.

    planned: the plan's figures may be shown, relation and unit being chosen; practice: the release is none;
    preview: it is made up; quantity: of the records; places: hexagon -> name, of those that have one;
    chosen_number: which of the release's numbers is shown.
    """
    plan = forecast.plan if forecast and planned else None
    number = None if release is None else released_number(release, chosen_number)
    rows = () if number is None else number.query.rows
    released = {hat: _in_unit(number, number.of(row)) for row in rows for hat in row.hats(grid) if number}
    by_constants = forecast is not None and forecast.protects_presence and forecast.selection is not None
    if by_constants:
        assert forecast is not None
        overview = _of_candidates(overview, forecast)
    # entry by entry: `dict.fromkeys` holds Python's lock to its end, 50 ms for a hundred thousand HATs
    recorded = zip(overview.cells, overview.slots.tolist(), strict=True)
    place: dict[Hat, int] = {hat: row for row, hat in enumerate(recorded)}
    others = ((hat.cell_text, hat.slot) for hat in (plan.hats if plan else ()) if hat.index < 0)
    for hat in chain(others, _listed(rows, grid)):
        place.setdefault(hat, len(place))
    empty = len(place) - len(overview.cells)
    numbers = {
        "vehicles": np.pad(overview.vehicles.astype(float), (0, empty)),
        "records": np.pad(overview.records.astype(float), (0, empty)),
        **_plan_columns(plan, place),
        **_columns(RELEASED, released, place),
        **_columns(SMOOTHED, _smoothed(number, grid), place),
        **_columns((NOISY_WEIGHT,), _noisy_weights(rows, grid), place),
    }
    facts = _joint_facts(number, grid)
    numbers |= _columns(JOINT_FACTS, facts or _planned_jointly(plan), place)
    # constants foretell one error for all: whether a row is as exact, only its published range says
    judge = None if by_constants else plan
    judged = _judged(_status(forecast, plan, place), judge, numbers)
    published = None
    if release is not None and number is not None and not preview:
        published = _published_lines(release, number, grid)
    return HatRows(
        cells=tuple(cell for cell, _ in place),
        slots=np.array([slot for _, slot in place], np.int64),
        grid=grid,
        status=_with_release(judged, release, number, grid, place),
        numbers=numbers,
        published=published,
        preview=preview,
        practice=practice,
        unit=short_error_unit(plan.query.question.statistic.measures[0]) if plan else quantity.unit,
        in_points=_scale_of(plan) != 1,
        value_unit=quantity.unit if number is None else number_unit(number),
        value_name="" if number is None or number.label is None else number_name(number, quantity),
        smoothed=bool(np.isfinite(numbers[SMOOTHED[0]]).any()),
        foretold_smoothed=bool(plan and plan.smoothed_errors),
        joint=bool(np.isfinite(numbers[JOINT_FACTS[0]]).any()),
        joint_released=bool(facts),
        by_constants=by_constants,
        judged=judge is not None,
        by_hexagon=overview.places.hexagons,
        places=tuple(places.get(cell, "") for cell, _ in place) if places else (),
    )


def _of_candidates(overview: HatOverview, forecast: Forecast) -> HatOverview:
    """The candidates in the place of the HATs with records; counts of the others are nobody's business."""
    selection = forecast.selection
    assert selection is not None
    names = {cell: overview.places.id_text(cell) for cell in set(selection.cell.tolist())}
    cells = [names[cell] for cell in selection.cell.tolist()]
    found = {hat: row for row, hat in enumerate(zip(overview.cells, overview.slots.tolist(), strict=True))}
    hats = zip(cells, selection.slot.tolist(), strict=True)
    row = np.array([found.get(hat, -1) for hat in hats], np.int64)

    def counted(column: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.append(column, 0)[row]  # -1: the last one, which is 0

    return HatOverview(
        cells=tuple(cells),
        hexagons=tuple(dict.fromkeys(cells)),
        slots=selection.slot,
        vehicles=counted(overview.vehicles),
        vehicle_days=counted(overview.vehicle_days),
        records=counted(overview.records),
        places=overview.places,
    )


def _status(forecast: Forecast | None, plan: QueryPlan | None, place: Mapping[Hat, int]) -> NDArray[np.int8]:
    if forecast is None or forecast.selection is None:
        return np.full(len(place), HatStatus.UNKNOWN, np.int8)
    status = np.full(len(place), HatStatus.NOT_SELECTED, np.int8)
    if forecast.protects_presence:
        status[:] = HatStatus.SELECTED
        return status
    index = forecast.selection.index
    status[index[index >= 0]] = HatStatus.SELECTED
    for hat in plan.hats if plan else ():
        status[_row(hat, place)] = HatStatus.SELECTED if hat.plan else HatStatus.SUPPRESSED
    return status


def _judged(
    status: NDArray[np.int8], plan: QueryPlan | None, numbers: Mapping[str, NDArray[np.float64]]
) -> NDArray[np.int8]:
    """The verdict on each selected number."""
    if plan is None:
        return status
    measure, constant = plan.query.question.statistic.measures[0], error_of_a_constant(plan)
    errors, scale = numbers["typical"], _scale_of(plan)
    of_word = {word: one for one, word in JUDGED.items()}
    for row in np.flatnonzero((status == HatStatus.SELECTED) & np.isfinite(errors)).tolist():
        word = usefulness(float(errors[row]) / scale, good=good_error(measure, constant), constant=constant)
        status[row] = of_word[word]
    return status


def _with_release(
    status: NDArray[np.int8],
    release: Release | None,
    number: ReleasedNumber | None,
    grid: SlotGrid,
    place: Mapping[Hat, int],
) -> NDArray[np.int8]:
    """The same, where a release tells nothing of a HAT: said so."""
    by_noise = release is not None and release.relation is Relation.USER
    for row in number.query.rows if number else ():
        facts = _status_of(number.of(row) if number else None, by_noise=by_noise)
        if facts is not None:
            for hat in row.hats(grid):
                if hat in place:
                    status[place[hat]] = facts
    return status


def _status_of(item: Estimate | None, *, by_noise: bool) -> HatStatus | None:
    """What a released number adds; by_noise: noise alone decided whether it is published."""
    if item is None:
        return HatStatus.SUPPRESSED if by_noise else None
    return None if item.informative else HatStatus.NO_INFORMATION


def _row(hat: PlannedHat, place: Mapping[Hat, int]) -> int:
    return hat.index if hat.index >= 0 else place[hat.cell_text, hat.slot]


def _plan_columns(plan: QueryPlan | None, place: Mapping[Hat, int]) -> dict[str, NDArray[np.float64]]:
    columns = {name: np.full(len(place), np.nan) for name in PLANNED}
    scale = _scale_of(plan)
    for hat, error in hats_with_errors(plan) if plan else ():
        if hat.plan is None or error is None:
            continue
        row = _row(hat, place)
        columns["epsilon"][row] = float(hat.plan.epsilon)
        columns["typical"][row] = scale * error
        columns["worst"][row] = scale * hat.plan.lead.error_at_worst
        columns["noise"][row] = scale * hat.plan.lead.noise_scale
        columns["bias"][row] = scale * hat.plan.lead.bias_bound
    return columns


def _scale_of(plan: QueryPlan | None) -> int:
    """What errors are multiplied by to be read."""
    return error_scale(plan.query.question.statistic.measures[0]) if plan else 1


def _planned_jointly(plan: QueryPlan | None) -> dict[Hat, tuple[float, ...]]:
    """Modelled bias and effective vehicles of a joint plan."""
    figures, scale = plan.hat_figures if plan else {}, _scale_of(plan)
    return {
        (hat.cell_text, hat.slot): (scale * one.modelled_bias, one.effective_vehicles)
        for hat in (plan.published if plan else ())
        if (one := figures.get(hat.index)) is not None
    }


def _listed(rows: Iterable[HatRow], grid: SlotGrid) -> list[Hat]:
    """The HATs that a release has rows of; of a region only those with records are shown."""
    return [hat for row in rows if not row.cells for hat in row.hats(grid)]


def _smoothed(number: ReleasedNumber | None, grid: SlotGrid) -> dict[Hat, tuple[float, ...]]:
    """Smoothed number and interval of the rows that have one."""
    if number is None or number.smoothed is None:
        return {}
    rows = number.query.rows
    return {hat: _in_unit(number, number.smoothed_of(row)) for row in rows for hat in row.hats(grid)}


def _noisy_weights(rows: Iterable[HatRow], grid: SlotGrid) -> dict[Hat, tuple[float, ...]]:
    """Of the rows of a release of relation `user`."""
    return {
        hat: (row.first.noisy_weight / THOUSAND,)
        for row in rows
        if row.first is not None and row.first.noisy_weight is not None
        for hat in row.hats(grid)
    }


def _joint_facts(number: ReleasedNumber | None, grid: SlotGrid) -> dict[Hat, tuple[float, ...]]:
    """Modelled bias and effective vehicles of the rows of a joint release; percentiles say neither."""
    return {
        hat: (item.modelled_bias / number.parts, item.effective_users / THOUSAND)
        for row in (number.query.rows if number else ())
        if number and (item := number.of(row)) is not None
        if item.modelled_bias is not None and item.effective_users is not None
        for hat in row.hats(grid)
    }


def _in_unit(number: ReleasedNumber, item: Estimate | None) -> tuple[float, ...]:
    if item is None:
        return ()
    return item.value / number.parts, item.low / number.parts, item.high / number.parts


def _columns(
    names: tuple[str, ...], facts: Mapping[Hat, tuple[float, ...]], place: Mapping[Hat, int]
) -> dict[str, NDArray[np.float64]]:
    """A column a name; NaN where a HAT tells nothing, or an empty tuple."""
    columns = {name: np.full(len(place), np.nan) for name in names}
    for hat, values in facts.items():
        if hat not in place:  # an hour of a region in which a hexagon has no records
            continue
        for name, value in zip(names, values or (np.nan,) * len(names), strict=True):
            columns[name][place[hat]] = value
    return columns


def _published_lines(release: Release, number: ReleasedNumber, grid: SlotGrid) -> PublishedLines:
    """The very lines of the published file: what may be copied is what anybody can read there."""
    query = number.query
    table = next(one for one in written_tables(release, query).values() if number.measure.name in one.header)
    header, *lines = csv.reader(io.StringIO(data_files(release)[table.path].decode()))
    ordered = sorted(query.rows, key=lambda row: row.order)
    # so many lines a row, in the same order
    own = lines[number.line :: number.lines]
    return PublishedLines(
        header=tuple(header),
        lines={hat: tuple(line) for row, line in zip(ordered, own, strict=True) for hat in row.hats(grid)},
    )
