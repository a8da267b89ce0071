"""From sorted pieces to rows of the table, block by block, and from sorted rows to what the file holds.

An engine brings the pieces of one vehicle and day together; everything else is what the local engine does.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.extent import Extent, extent_of
from core.clean.mapping import ReadingRules
from core.contributions.file_facts import VISITS
from core.contributions.file_write import row_batches
from core.contributions.group_labels import labelled
from core.contributions.index import contributions_of
from core.contributions.slot_columns import cell_field, slot_arrays, slot_names
from core.contributions.table import BLOCK_VALUES, Contributions
from core.engines.notes import Note, note_of_block, total
from core.engines.pieces import Piece, read_rows, unsorted_of
from core.hats.joined_cells import cells_of_texts
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window
from core.records.labels import LabelColumn
from core.records.records import DAY_SECONDS, Records
from core.store.derived_speed import SpeedDeriver
from core.store.record_store import label_column
from core.store.sort_days import DayBlock, sort_block
from core.store.store_build import stored_columns

ROW_SCHEMA = pa.schema(
    [
        ("cell", pa.int64()),
        ("place", pa.string()),
        ("slot", pa.int16()),
        ("vehicle", pa.string()),
        ("date", pa.int32()),
        ("count", pa.int64()),
        ("sum", pa.int64()),
        ("visits", pa.int32()),
        ("values", pa.binary()),
        ("note", pa.string()),
    ]
)
"""As the file's, in types that every engine has; where places are no hexagons, `cell` is 0 and `place` the id
of one. A row without a cell: a vehicle that has records, perhaps
outside the window only, or in the place of a note another text that its id was read as; without a vehicle: a
note."""
ORDER = ("cell", "place", "slot", "vehicle", "date")
"""What the rows of a table are sorted by; texts by their bytes."""
_BLOCK_RECORDS = 1 << 20
_VALUE = np.dtype("<i4")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """What rows are made by."""

    rules: ReadingRules
    zone: str
    resolution: int
    window: Window
    choice: PlaceChoice = HEXAGON_CHOICE
    block_records: int = _BLOCK_RECORDS
    """Records at a time, more where one vehicle's day has more."""


class _Sorted(NamedTuple):
    """A block of records, and what its note says."""

    block: DayBlock
    extent: Extent | None
    dropped: Counter[str]
    clamped: int


def table_rows_of(batches: Iterable[pa.RecordBatch], grouping: Grouping) -> Iterator[pa.RecordBatch]:
    """Rows of all pieces of some batches, and a note.

    The pieces come sorted by (day, vehicle), so that what belongs together comes together. Raises InputError.
    """
    passed: list[Note] = []

    def pieces() -> Iterator[Piece]:
        for batch in batches:
            found, notes = read_rows(batch)
            passed.extend(notes)
            yield from found

    total_note = Note()
    for block in _blocks(pieces(), grouping):
        note, rows = _rows(block, grouping)
        total_note += note
        yield from rows
    yield note_row(total([total_note, *passed]))


def _blocks(pieces: Iterable[Piece], grouping: Grouping) -> Iterator[list[Piece]]:
    """Pieces that can be worked on by themselves."""
    block: list[Piece] = []
    records = 0
    for _, members in itertools.groupby(pieces, lambda piece: (piece.vehicle, piece.day)):
        if records >= grouping.block_records:
            yield block
            block, records = [], 0
        found = list(members)
        block += found
        records += sum(piece.size for piece in found)
    if block:
        yield block


LABEL_SCHEMA = pa.schema([("group", pa.string()), ("label", pa.string()), ("vehicle", pa.string())])
"""Which vehicles have which labels of the groups that are open; a pair may come from several blocks."""


def label_rows(batches: Iterable[pa.RecordBatch], grouping: Grouping) -> Iterator[pa.RecordBatch]:
    """Of all pieces of some batches, which come as in `table_rows_of`. Raises InputError likewise."""
    opened = [group.name for group in grouping.window.groups if group.is_open]
    for block in _blocks((piece for batch in batches for piece in read_rows(batch)[0]), grouping):
        _, records = _records(block, grouping)
        for name in opened if records is not None else ():
            assert records is not None
            column = records.labels[name]
            vehicle, code = np.unique(np.stack((records.vehicle, column.code)), axis=1)
            labels = pa.array([column.texts[one] for one in code.tolist()], pa.string())
            vehicles = pa.array([records.vehicles[one] for one in vehicle.tolist()], pa.string())
            names = pa.array([name] * vehicle.size, pa.string())
            yield pa.record_batch([names, labels, vehicles], schema=LABEL_SCHEMA)


def with_labels(window: Window, vehicles: Iterable[tuple[str, str, int]]) -> Window:
    """The window with the labels that the records have, as `with_known_labels` has it of records.

    vehicles: group, label, and how many vehicles have it. Raises InputError likewise.
    """
    found: dict[str, dict[str, int]] = {}
    for group, label, many in vehicles:
        found.setdefault(group, {})[label] = many
    groups = (
        labelled(group, [*here], np.array([*here.values()], np.int64))
        if (here := found.get(group.name))
        else group
        for group in window.groups
    )
    return window.labelled(tuple(groups)) if found else window


def _records(pieces: list[Piece], grouping: Grouping) -> tuple[_Sorted, Records | None]:
    """The records of a block as the local engine stores them; None where none is left."""
    names, labels, unsorted = unsorted_of(pieces)
    block = sort_block(unsorted, np.arange(len(names), dtype=np.int32))
    dropped: Counter[str] = Counter()
    clamped = 0
    derived = grouping.rules.mapping.derived is not None
    if derived:
        deriver = SpeedDeriver(grouping.rules)
        block = deriver.derive(block)
        dropped, clamped = Counter(deriver.dropped), deriver.clamped
    if not block.vehicle.size:
        return _Sorted(block, None, dropped, clamped), None
    filled = block.counts > 0
    origin_day = int(block.days[filled][0])
    columns = stored_columns(block, grouping.rules, origin_day)
    origin = origin_day * DAY_SECONDS
    extent = extent_of(
        columns["second"], columns["latitude"], columns["longitude"], origin=origin, zone=grouping.zone
    )
    records = Records(
        vehicles=tuple(names),
        days=block.days[filled],
        first=np.append(0, np.cumsum(block.counts[filled])),
        zone=grouping.zone,
        upper_bound=grouping.rules.upper_bound,
        derived=derived,
        tell_dwell=grouping.rules.tell_dwell,
        vehicle=columns["vehicle"],
        second=columns["second"],
        latitude=columns["latitude"],
        longitude=columns["longitude"],
        value=columns["value"],
        labels={
            name: LabelColumn(texts=tuple(texts), code=columns[label_column(name)])
            for name, texts in zip(grouping.rules.labels, labels, strict=True)
        },
    )
    return _Sorted(block, extent, dropped, clamped), records


def _rows(pieces: list[Piece], grouping: Grouping) -> tuple[Note, list[pa.RecordBatch]]:
    """The rows of a block, made by what the local engine uses."""
    found, records = _records(pieces, grouping)
    note = note_of_block(found.block, found.extent, found.dropped, found.clamped)
    if records is None:
        return note, []
    names = records.vehicles
    table = contributions_of(
        records, grouping.resolution, grouping.window, empty_allowed=True, choice=grouping.choice
    )
    table = dataclasses.replace(table, measured=grouping.rules.quantity.measured)
    present = np.unique(found.block.vehicle)
    elsewhere = np.setdiff1d(present, table.vehicle)
    rows = list(wired_rows(table))
    if elsewhere.size:
        rows.append(_vehicle_rows([names[code] for code in elsewhere.tolist()]))
    here = {names[code] for code in present.tolist()}
    read = {(one.vehicle, one.other_text) for one in pieces if one.other_text and one.vehicle in here}
    if read:
        ids, texts = zip(*sorted(read), strict=True)
        rows.append(_vehicle_rows(ids, texts))
    return note, rows


def wired_rows(table: Contributions) -> Iterator[pa.RecordBatch]:
    """The rows of a table as an engine moves them, cut as the local engine cuts."""
    ids = pa.array(table.places.ids, pa.string())
    for rows, block in zip(row_batches(table), table.row_blocks(), strict=True):
        places = None if table.places.hexagons else ids.take(pa.array(table.cell[table.hat[block]]))
        yield _wired(rows, table.slot[table.hat[block]], places)


def _wired(rows: pa.RecordBatch, slot: NDArray[np.int16], places: pa.Array | None) -> pa.RecordBatch:
    """A block of them; slot: the number of each one's slot; places: ids, None of hexagons."""
    lists = rows.column("values")
    values = np.asarray(lists.flatten()).astype(_VALUE)
    lengths = np.asarray(pc.list_value_length(lists))
    offsets = (np.append(0, np.cumsum(lengths)) * _VALUE.itemsize).astype(np.int32)
    blobs = pa.Array.from_buffers(
        pa.binary(), len(lists), [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    )
    visits = rows.column(VISITS.name) if VISITS.name in rows.schema.names else None
    numbers = (
        pa.array(np.zeros(len(rows), np.int64))
        if places is not None
        else rows.column("cell").cast(pa.int64())
    )
    columns = {
        "cell": numbers,
        "place": places,
        "slot": pa.array(slot),
        "vehicle": rows.column("vehicle"),
        "date": rows.column("date").cast(pa.int32()),
        "count": rows.column("count"),
        "sum": rows.column("sum"),
        "visits": visits,
        "values": blobs,
    }
    return _batch(columns, len(rows))


def _vehicle_rows(names: Sequence[str], texts: Sequence[str] | None = None) -> pa.RecordBatch:
    noted = None if texts is None else pa.array(texts, pa.string())
    return _batch({"vehicle": pa.array(names, pa.string()), "note": noted}, len(names))


def note_row(note: Note) -> pa.RecordBatch:
    """A note as a row."""
    return _batch({"note": pa.array([note.to_text()], pa.string())}, 1)


def _batch(columns: dict[str, pa.Array | None], rows: int) -> pa.RecordBatch:
    arrays = []
    for field in ROW_SCHEMA:
        column = columns.get(field.name)
        arrays.append(pa.nulls(rows, field.type) if column is None else column)
    return pa.record_batch(arrays, schema=ROW_SCHEMA)


def table_blocks(
    rows: Iterable[pa.RecordBatch], window: Window, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """What a file of these columns holds, of rows in their order; cut as `Contributions.row_blocks` cuts."""
    batches: list[pa.RecordBatch] = []
    values = 0
    for batch in rows:
        done = 0
        reach = np.cumsum(np.asarray(batch.column("count")))
        while done < len(batch):
            before = int(reach[done - 1]) if done else 0
            end = int(np.searchsorted(reach, before + BLOCK_VALUES - values, side="right"))
            if not batches:
                end = max(end, done + 1)
            if end > done:
                batches.append(batch.slice(done, end - done))
                values += int(reach[end - 1]) - before
                done = end
            if done < len(batch):
                yield _file_rows(batches, window, schema)
                batches, values = [], 0
    if batches:
        yield _file_rows(batches, window, schema)


def _file_rows(batches: list[pa.RecordBatch], window: Window, schema: pa.Schema) -> pa.RecordBatch:
    table = pa.Table.from_batches(batches).combine_chunks()
    column = {name: table.column(name).chunk(0) for name in table.column_names}
    slots = slot_arrays(window, np.asarray(column["slot"]))
    column |= dict(zip(slot_names(window), slots, strict=True))
    mixed = [name for name in schema.names if name.startswith(cell_field(""))]
    if mixed:
        joined = column["place"].dictionary_encode()
        cells = cells_of_texts(joined.dictionary.to_pylist(), len(mixed))[np.asarray(joined.indices)]
        column |= {name: pa.array(cells[:, level]) for level, name in enumerate(mixed)}
    blobs = column["values"]
    _, edges, data = blobs.buffers()
    edge = np.frombuffer(edges, np.int32)[blobs.offset :][: len(blobs) + 1]
    values = np.frombuffer(data, np.uint8)[edge[0] : edge[-1]].view(_VALUE).astype(np.int32)
    column["values"] = pa.ListArray.from_arrays(
        pa.array((edge - edge[0]) // _VALUE.itemsize), pa.array(values), type=schema.field("values").type
    )
    return pa.record_batch([column[field.name].cast(field.type) for field in schema], schema=schema)
