"""Pieces: the clean records of one vehicle and day in some batch, as one row that an engine can move about.

A row for each record would be several times as large and as slow to move. The same schema carries notes: rows
without a vehicle. In the place of a note a piece has the text that its id was read as, where that is another.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean.clean_rows import CleanRows
from core.contributions.order import order_of
from core.contributions.table import changes
from core.engines.notes import Note, note_of
from core.privacy import Confidential
from core.records.id_folds import vehicle_id
from core.records.labels import LabelColumn
from core.records.zones import DAY_MS
from core.store.sort_days import Unsorted
from core.system.nested_texts import json_value

PIECE_SCHEMA = pa.schema(
    [
        ("vehicle", pa.string()),
        ("day", pa.int32()),
        ("records", pa.binary()),
        ("note", pa.string()),
        ("labels", pa.string()),
    ]
)
"""day: the local one, from 1970-01-01; records: time, latitude, longitude, value and labels, as in the store;
labels: for each column of these the list of its texts, as JSON, which the records of the row index."""
_RECORD = np.dtype("<i4")
_WIDTH = 4
"""Numbers of a record in a piece, without labels."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Piece(Confidential):
    """One row of them."""

    vehicle: str
    day: int
    records: bytes
    other_text: str | None = None
    """What the id was read as, where that is another text."""
    labels: tuple[tuple[str, ...], ...] = ()

    @property
    def size(self) -> int:
        """How many records it holds."""
        return len(self.records) // (_RECORD.itemsize * (_WIDTH + len(self.labels)))


def pieces_of(rows: CleanRows, *, folded: bool) -> pa.RecordBatch:
    """What is retained of a batch, a row for each vehicle and day, in any order; folded: of `vehicle_id`."""
    batch, day = rows.batch, rows.day
    if not day.size:
        return pa.RecordBatch.from_pylist([], schema=PIECE_SCHEMA)
    order = order_of(batch.vehicle, day - day.min())
    vehicle, day = batch.vehicle[order], day[order]
    time = (batch.instant[order] - day.astype(np.int64) * DAY_MS).astype(_RECORD)
    first = np.flatnonzero(changes(vehicle, day))
    labels = [_by_row(column[order], first) for column in batch.labels.values()]
    columns: list[NDArray[np.integer[Any]]] = [time, batch.latitude[order], batch.longitude[order]]
    columns += [batch.value[order], *(code for code, _ in labels)]
    names = [batch.names[code] for code in vehicle[first].tolist()]
    texts = [json.dumps(of_row) for of_row in zip(*(found for _, found in labels), strict=True)]
    return _batch(names, day[first], np.stack(columns, axis=1).astype(_RECORD), first, texts, folded)


def _by_row(column: LabelColumn, first: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[list[str]]]:
    """Codes of a column that count anew in each row, and the texts of each row; first: record of a row."""
    row = np.repeat(np.arange(first.size), np.diff(first, append=column.code.size))
    pairs, place = np.unique(row * len(column.texts) + column.code, return_inverse=True)
    rows, text = np.divmod(pairs, len(column.texts))
    before = np.searchsorted(rows, np.arange(first.size))
    found: list[list[str]] = [[] for _ in range(first.size)]
    for number, code in zip(rows.tolist(), text.tolist(), strict=True):
        found[number].append(column.texts[code])
    return place - before[row], found


def note_piece(note: Note) -> pa.RecordBatch:
    """A note as a row."""
    return pa.record_batch([[None], [None], [None], [note.to_text()], [None]], schema=PIECE_SCHEMA)


def read_rows(batch: pa.RecordBatch) -> tuple[list[Piece], list[Note]]:
    """The pieces and the notes of a batch."""
    pieces, notes = [], []
    columns = (column.to_pylist() for column in batch.columns)
    for vehicle, day, records, note, labels in zip(*columns, strict=True):
        if vehicle is None:
            notes.append(note_of(note))
        else:
            texts = tuple(map(tuple, json_value(labels))) if labels else ()
            pieces.append(Piece(vehicle=vehicle, day=day, records=records, other_text=note, labels=texts))
    return pieces, notes


def unsorted_of(pieces: Sequence[Piece]) -> tuple[list[str], list[list[str]], Unsorted]:
    """Names of the vehicles and texts of each label column, sorted, and all records for `sort_block`."""
    names = sorted({piece.vehicle for piece in pieces})
    code = {name: number for number, name in enumerate(names)}
    in_order = sorted(pieces, key=lambda piece: piece.day)
    sizes = np.array([piece.size for piece in in_order], np.int64)
    width = _WIDTH + len(in_order[0].labels)
    records = np.frombuffer(b"".join(piece.records for piece in in_order), _RECORD).reshape(-1, width)
    columns = np.empty((1 + width, len(records)), np.int32)
    columns[0] = np.repeat(np.array([code[piece.vehicle] for piece in in_order], np.int32), sizes)
    columns[1:] = records.T
    labels = []
    for number, here in enumerate(zip(*(piece.labels for piece in in_order), strict=True), 1 + _WIDTH):
        texts = sorted({text for found in here for text in found})
        place = {text: rank for rank, text in enumerate(texts)}
        ranks = np.array([place[text] for found in here for text in found], np.int32)
        before = np.cumsum([0, *(len(found) for found in here[:-1])])
        columns[number] = ranks[columns[number] + np.repeat(before, sizes)]
        labels.append(texts)
    days, first = np.unique(np.array([piece.day for piece in in_order], np.int32), return_index=True)
    return names, labels, Unsorted(days=days, counts=np.add.reduceat(sizes, first), columns=columns)


def _batch(
    names: Sequence[str],
    day: NDArray[np.int32],
    records: NDArray[np.int32],
    first: NDArray[np.int64],
    labels: Sequence[str],
    folded: bool,
) -> pa.RecordBatch:
    """Rows of which each takes the records from its first one to the next row's; names: as read."""
    offsets = (np.append(first, len(records)) * records[:1].nbytes).astype(np.int32)
    blobs = pa.Array.from_buffers(
        pa.binary(), len(names), [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(records))]
    )
    ids = [vehicle_id(text, folded=folded) for text in names]
    others = [None if text == name else text for text, name in zip(names, ids, strict=True)]
    return pa.record_batch(
        [
            pa.array(ids, pa.string()),
            pa.array(day, pa.int32()),
            blobs,
            pa.array(others, pa.string()),
            pa.array(labels, pa.string()) if labels else pa.nulls(len(ids), pa.string()),
        ],
        schema=PIECE_SCHEMA,
    )
