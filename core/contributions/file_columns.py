"""What is wrong with a row of a contribution file: its hexagons, date, slot, values, sum, label or id.

Whatever is wrong is reported by the number of its row; nothing of the file's content is quoted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

import h3
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from h3.api import basic_int
from numpy.typing import NDArray

from core.clean.record_filter import is_public_text
from core.contributions.file_facts import PLACE_TEXT, VISITS, TableFacts
from core.contributions.slot_columns import (
    PERIOD_FIELD,
    START_FIELD,
    cell_field,
    group_field,
    slots_of_names,
    table_schema,
)
from core.errors import InputError
from core.hats.joined_cells import joined_text, spanned_cells
from core.hats.slots import parse_clock
from core.privacy import Confidential
from core.quantity import SPEED
from core.records.id_folds import id_folds
from core.texts import text_of

_EPOCH_ORDINAL = 719_163


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Block(Confidential):
    """Rows of a file in their order; where nothing else is said of shape (rows,)."""

    cell: NDArray[np.uint64]
    """The hexagon, or an index into `places`."""
    places: list[str] | None
    """Distinct ids of places that are no hexagons, or hexagons of each resolution; None of hexagons alike."""
    slot: NDArray[np.int16]
    vehicle: NDArray[np.int32]
    """Index into `names`."""
    day: NDArray[np.int16]
    counts: NDArray[np.int64]
    visits: NDArray[np.int32] | None
    """None where the file does not tell them."""
    names: list[str]
    """Distinct ids as the file writes them, trimmed and case-folded; two may be equal."""
    values: NDArray[np.int32]
    """Shape (sum of counts,)."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file, to say where something is wrong."""

    file: str
    first: int
    """Number of the first row, counted from 1."""

    def refuse(self, what: str, mend: str, wrong: NDArray[np.bool_] | None = None) -> InputError:
        """An error at the first row that is wrong."""
        where = self.file if wrong is None else self.place(int(np.argmax(wrong)))
        return InputError(what, where=where, mend=mend)

    def place(self, number: int) -> str:
        """The file, and which row of it one of these is, counted from 0 here."""
        return text_of("{file}, row {value}", file=self.file, value=self.first + number)

    def require(self, right: NDArray[np.bool_], what: str, mend: str) -> None:
        """Raises InputError unless all rows are right."""
        if not right.all():
            raise self.refuse(what, mend, ~right)


def read_block(batch: pa.RecordBatch, facts: TableFacts, rows: Rows, date: dt.date | None = None) -> Block:
    """One block of rows, all of one date where the folder says so.

    Raises InputError for the first column and row that do not fit.
    """
    known = table_schema(facts.window, facts.choice, visits=True).names
    columns = {name: batch.column(name) for name in batch.schema.names if name in known}
    for name, column in columns.items():
        if column.null_count:
            raise rows.refuse(
                text_of("The column {name} has an empty cell.", name=name),
                "fill it",
                column.is_null().to_numpy(False),
            )
    counts = _whole(columns["count"], "count", rows)
    rows.require(counts > 0, "A row counts no record.", "leave rows without records out")
    names, vehicle = _distinct(columns["vehicle"], "vehicle", rows, _fold)
    places: list[str] | None = None
    if facts.choice.mixed:
        each = [_cells(columns[cell_field(one)], one, rows) for one in facts.choice.mixed]
        distinct, place = np.unique(np.stack(each, axis=1), axis=0, return_inverse=True)
        places, cell = [*map(joined_text, distinct.tolist())], place.reshape(-1).astype(np.uint64)
        apart = [not {*cells[:-1]} <= _around(cells) for cells in distinct.tolist()]
        rows.require(
            ~np.array(apart, bool)[place.reshape(-1)],
            "The hexagons of a row have no place in common.",
            "index each position at every resolution of the metadata",
        )
    elif facts.choice.hexagons:
        cell = _cells(columns["cell"], facts.resolution, rows)
    else:
        places, place = _distinct(columns[PLACE_TEXT.name], PLACE_TEXT.name, rows, _label)
        cell = place.astype(np.uint64)
    return Block(
        cell=cell,
        places=places,
        slot=_slots(columns, facts, rows),
        vehicle=vehicle.astype(np.int32),
        day=_days(columns["date"], facts, rows, date),
        counts=counts,
        visits=_visits(columns[VISITS.name], counts, rows) if VISITS.name in columns else None,
        names=names,
        values=_values(columns, counts, facts, rows),
    )


def _cast(column: pa.Array, kind: pa.DataType, name: str, rows: Rows) -> pa.Array:
    try:
        return column.cast(kind)
    except (pa.ArrowException, OverflowError):
        raise rows.refuse(
            text_of("The column {name} does not contain what it should.", name=name),
            "compare its type with docs/large-data.md",
        ) from None


def _whole(column: pa.Array, name: str, rows: Rows) -> NDArray[np.int64]:
    if pa.types.is_string(column.type) or pa.types.is_boolean(column.type):
        raise rows.refuse(text_of("The column {name} contains no numbers.", name=name), "write whole numbers")
    return np.asarray(_cast(column, pa.int64(), name, rows))


def _distinct(
    column: pa.Array, name: str, rows: Rows, read: Callable[[str, Rows], str]
) -> tuple[list[str], NDArray[np.int64]]:
    """Distinct texts of a column, read one by one, and the place of each row's."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    texts = _cast(encoded.dictionary, pa.string(), name, rows).to_pylist()
    return [read(text, rows) for text in texts], np.asarray(encoded.indices.cast(pa.int64()))


def _fold(text: str, rows: Rows) -> str:
    name = id_folds(text).as_read
    if not name:
        raise rows.refuse("A vehicle has no id.", "write an id in each row")
    return name


def _label(text: str, rows: Rows) -> str:
    if text != text.strip() or not is_public_text(text):
        raise rows.refuse("A place has no id that can be published.", "write up to 80 characters in each row")
    return text


def _around(cells: list[int]) -> set[int]:
    """Every coarser cell that the finest of some lies in, at their resolutions."""
    *coarser, finest = cells
    return {cell for one in coarser for cell in spanned_cells(finest, basic_int.get_resolution(one))}


def _cells(column: pa.Array, resolution: int, rows: Rows) -> NDArray[np.uint64]:
    if pa.types.is_integer(column.type):
        cells = np.asarray(column).astype(np.uint64)
    else:
        texts, place = _distinct(column, "cell", rows, lambda text, _: text.strip().lower())
        # 0 is no cell: it is refused below, by its row
        numbers = [h3.str_to_int(text) if h3.is_valid_cell(text) else 0 for text in texts]
        cells = np.array(numbers, np.uint64)[place]
    distinct, place = np.unique(cells, return_inverse=True)
    names = [h3.int_to_str(cell) for cell in distinct.tolist()]
    right = np.array([h3.is_valid_cell(n) and h3.get_resolution(n) == resolution for n in names], bool)
    rows.require(
        right[place],
        text_of("A cell is not an H3 cell of resolution {resolution}.", resolution=resolution),
        "index the positions at the resolution of the metadata",
    )
    return cells


def _slots(columns: dict[str, pa.Array], facts: TableFacts, rows: Rows) -> NDArray[np.int16]:
    window = facts.window
    slots = _timeslots(columns, facts, rows)
    if not window.groups:
        return slots.astype(np.int16)
    combination = np.zeros(slots.size, np.int64)
    for group in window.groups:
        name = group_field(group)
        texts, place = _distinct(columns[name], name, rows, lambda text, _: text)
        label = slots_of_names(group.labels, texts, place)
        rows.require(label >= 0, "A label is not in the metadata.", "write one of the group's labels")
        combination = combination * len(group.labels) + label
    return (combination * window.grid.a_day + slots).astype(np.int16)


def _timeslots(columns: dict[str, pa.Array], facts: TableFacts, rows: Rows) -> NDArray[np.int64]:
    window, grid = facts.window, facts.window.grid
    if window.periods:
        names, place = _distinct(columns[PERIOD_FIELD], PERIOD_FIELD, rows, lambda text, _: text)
        slots = slots_of_names([one.name for one in window.periods], names, place)
        rows.require(slots >= 0, "A period is not in the metadata.", "write the name of one of its periods")
        return slots
    column = columns[START_FIELD]
    if pa.types.is_integer(column.type):
        minutes = _whole(column, START_FIELD, rows)
    else:
        texts, place = _distinct(column, START_FIELD, rows, lambda text, _: text.strip())
        minutes = np.array([parse_clock(text, where=rows.file) for text in texts], np.int64)[place]
    rows.require(
        (minutes >= window.start) & (minutes < window.end) & ((minutes - grid.offset) % grid.minutes == 0),
        "A slot does not start in the window's hours, or not at a slot's start.",
        "write the first minute of the slot, counted from local midnight",
    )
    return (minutes - grid.offset) // grid.minutes


def _days(column: pa.Array, facts: TableFacts, rows: Rows, only: dt.date | None) -> NDArray[np.int16]:
    dates = np.array([date.toordinal() - _EPOCH_ORDINAL for date in facts.window.dates])
    if pa.types.is_integer(column.type):
        raise rows.refuse("The column date contains no dates.", "write dates, or text like 2022-01-03")
    midnights = _cast(column, pa.date32(), "date", rows)
    if pa.types.is_timestamp(column.type):
        whole = pc.equal(_cast(midnights, column.type, "date", rows), column)
        rows.require(
            np.asarray(whole), "A date has a time of day.", "write the local date, not an instant of that day"
        )
    days = np.asarray(_cast(midnights, pa.int32(), "date", rows))
    place = np.minimum(np.searchsorted(dates, days), dates.size - 1)
    rows.require(dates[place] == days, "A date is not in the window.", "compare it with the metadata dates")
    if only is not None:
        rows.require(
            days == only.toordinal() - _EPOCH_ORDINAL,
            "A date is not that of the part's folder.",
            "move the row to the part of its date",
        )
    return place.astype(np.int16)


def _visits(column: pa.Array, counts: NDArray[np.int64], rows: Rows) -> NDArray[np.int32]:
    visits = _whole(column, VISITS.name, rows)
    rows.require(
        (visits >= 1) & (visits <= counts),
        "A row has no visit, or more visits than records.",
        "count the sequences of records as docs/large-data.md describes, or leave the column out",
    )
    return visits.astype(np.int32)


def _values(
    columns: dict[str, pa.Array], counts: NDArray[np.int64], facts: TableFacts, rows: Rows
) -> NDArray[np.int32]:
    lists = columns["values"]
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type)):
        raise rows.refuse("The column values contains no lists.", "write a list of whole numbers in each row")
    lengths = np.asarray(pc.list_value_length(lists).cast(pa.int64()))
    rows.require(lengths == counts, "A count is not the number of values.", "write as many values as counted")
    flat = lists.flatten()
    if flat.null_count:
        raise rows.refuse("A list of values has an empty entry.", "leave records without a value out")
    values = _whole(flat, "values", rows)
    begin = np.cumsum(counts) - counts
    lower = facts.measured.lower
    below = ("A value is below the lower bound.", "set what is below it to the bound")
    if facts.measured == SPEED.measured:
        below = ("A value is below 0.", "leave such records out")
    for right, what, mend in (
        (np.minimum.reduceat(values, begin) >= lower, *below),
        (
            np.maximum.reduceat(values, begin) <= lower + facts.upper_bound,
            "A value is above the upper bound.",
            "set what is above it to the bound",
        ),
        (
            np.add.reduceat(values, begin) == _whole(columns["sum"], "sum", rows),
            "The sum in a row is not that of its values.",
            "make the table again, with sums of whole thousandths",
        ),
    ):
        rows.require(right, what, mend)
    return (values - lower).astype(np.int32)
