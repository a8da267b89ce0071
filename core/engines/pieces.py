"""Pieces: the clean records of one vehicle and day in some batch, as one row that an engine can move about.

A row for each record would be several times as large and as slow to move. The same schema carries notes: rows
without a vehicle. In the place of a note a piece has the text that its id was read as, where that is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean.clean_rows import CleanRows
from core.contributions.order import order_of
from core.contributions.table import changes
from core.engines.notes import Note, note_of
from core.privacy import Confidential
from core.records.id_folds import vehicle_id
from core.records.zones import DAY_MS
from core.store.sort_days import Unsorted

PIECE_SCHEMA = pa.schema(
    [("vehicle", pa.string()), ("day", pa.int32()), ("records", pa.binary()), ("note", pa.string())]
)
"""day: the local one, from 1970-01-01; records: time, latitude, longitude and value, as in the store."""
_RECORD = np.dtype("<i4")
_WIDTH = 4
RECORD_BYTES = _RECORD.itemsize * _WIDTH


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Piece(Confidential):
    """One row of them."""

    vehicle: str
    day: int
    records: bytes
    other_text: str | None = None
    """What the id was read as, where that is another text."""

    @property
    def size(self) -> int:
        """How many records it holds."""
        return len(self.records) // RECORD_BYTES


def pieces_of(rows: CleanRows, *, folded: bool) -> pa.RecordBatch:
    """What is retained of a batch, a row for each vehicle and day, in any order; folded: of `vehicle_id`."""
    batch, day = rows.batch, rows.day
    if not day.size:
        return pa.RecordBatch.from_pylist([], schema=PIECE_SCHEMA)
    order = order_of(batch.vehicle, day - day.min())
    vehicle, day = batch.vehicle[order], day[order]
    time = (batch.instant[order] - day.astype(np.int64) * DAY_MS).astype(_RECORD)
    columns = (time, batch.latitude[order], batch.longitude[order], batch.value[order])
    first = np.flatnonzero(changes(vehicle, day))
    names = [batch.names[code] for code in vehicle[first].tolist()]
    return _batch(names, day[first], np.stack(columns, axis=1).astype(_RECORD), first, folded)


def note_piece(note: Note) -> pa.RecordBatch:
    """A note as a row."""
    return pa.record_batch([[None], [None], [None], [note.to_text()]], schema=PIECE_SCHEMA)


def read_rows(batch: pa.RecordBatch) -> tuple[list[Piece], list[Note]]:
    """The pieces and the notes of a batch."""
    pieces, notes = [], []
    for vehicle, day, records, note in zip(*(column.to_pylist() for column in batch.columns), strict=True):
        if vehicle is None:
            notes.append(note_of(note))
        else:
            pieces.append(Piece(vehicle=vehicle, day=day, records=records, other_text=note))
    return pieces, notes


def unsorted_of(pieces: Sequence[Piece]) -> tuple[list[str], Unsorted]:
    """Names of the vehicles, sorted, and all records of the pieces for `sort_block`."""
    names = sorted({piece.vehicle for piece in pieces})
    code = {name: number for number, name in enumerate(names)}
    in_order = sorted(pieces, key=lambda piece: piece.day)
    sizes = np.array([piece.size for piece in in_order], np.int64)
    records = np.frombuffer(b"".join(piece.records for piece in in_order), _RECORD).reshape(-1, _WIDTH)
    columns = np.empty((1 + _WIDTH, len(records)), np.int32)
    columns[0] = np.repeat(np.array([code[piece.vehicle] for piece in in_order], np.int32), sizes)
    columns[1:] = records.T
    days, first = np.unique(np.array([piece.day for piece in in_order], np.int32), return_index=True)
    return names, Unsorted(days=days, counts=np.add.reduceat(sizes, first), columns=columns)


def _batch(
    names: Sequence[str],
    day: NDArray[np.int32],
    records: NDArray[np.int32],
    first: NDArray[np.int64],
    folded: bool,
) -> pa.RecordBatch:
    """Rows of which each takes the records from its first one to the next row's; names: as read."""
    offsets = (np.append(first, len(records)) * RECORD_BYTES).astype(np.int32)
    blobs = pa.Array.from_buffers(
        pa.binary(), len(names), [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(records))]
    )
    ids = [vehicle_id(text, folded=folded) for text in names]
    others = [None if text == name else text for text, name in zip(names, ids, strict=True)]
    return pa.record_batch(
        [pa.array(ids, pa.string()), pa.array(day, pa.int32()), blobs, pa.array(others, pa.string())],
        schema=PIECE_SCHEMA,
    )
