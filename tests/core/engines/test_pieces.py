"""Pieces: what cleaning keeps comes back as it was, whatever it was cut into."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from core.clean.clean_rows import clean_rows
from core.engines.notes import Note
from core.engines.pieces import PIECE_SCHEMA, note_piece, pieces_of, read_rows, unsorted_of
from core.store.sort_days import sort_block
from tests.engine_data import NAMES, ZONE, Row, dirty_rows, rules, shuffled


def _table(rows: list[Row]) -> pa.Table:
    columns = dict(zip(NAMES, zip(*rows, strict=True), strict=True))
    return pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})


def _sorted(rows: list[Row], cuts: list[int]) -> tuple[list[str], list[list[int]]]:
    found = []
    for first, last in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        cleaned = clean_rows(_table(rows[first:last]), rules(), ZONE, 1_700_000_000_000)
        found += read_rows(pieces_of(cleaned, folded=False))[0]
    names, _, unsorted = unsorted_of(found)
    block = sort_block(unsorted, np.arange(len(names), dtype=np.int32))
    columns = (block.vehicle, block.time, block.latitude, block.longitude, block.value)
    return names, [[*block.days.tolist()], *(column.tolist() for column in columns)]


def test_neither_cuts_nor_order_decide() -> None:
    rows = dirty_rows(400)
    whole = _sorted(rows, [])
    assert whole[0] == sorted(whole[0])
    assert "straße-ü".casefold() in whole[0]
    assert len(whole[1][1]) > 200
    assert _sorted(shuffled(rows, 5), [1, 50, 51, 399]) == whole


def test_a_piece_tells_what_its_vehicle_was_read_as_where_that_is_another_text() -> None:
    cleaned = clean_rows(_table(dirty_rows(400)), rules(), ZONE, 1_700_000_000_000)
    told = {(one.vehicle, one.other_text) for one in read_rows(pieces_of(cleaned, folded=False))[0]}
    assert {name for name, text in told if text} == {"bus-3"}
    assert {text for name, text in told if name == "bus-3"} == {None, "ｂｕｓ－3"}


def test_rows_of_which_nothing_is_kept_are_no_piece() -> None:
    cleaned = clean_rows(_table([("x", "never", "1", "1", "1")]), rules(), ZONE, 0)
    batch = pieces_of(cleaned, folded=False)
    assert batch.schema == PIECE_SCHEMA
    assert len(batch) == 0


def test_a_note_is_a_row_among_them() -> None:
    pieces, notes = read_rows(note_piece(Note(rows=3, clamped=1)))
    assert pieces == []
    assert [(note.rows, note.clamped) for note in notes] == [(3, 1)]
