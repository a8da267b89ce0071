"""From pieces to rows, and from rows to blocks of the file, cut as the local engine cuts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from core.clean.clean_rows import clean_rows
from core.contributions import contributions_of, table
from core.contributions.file_write import row_batches
from core.engines import table_rows
from core.engines.notes import Note, note_of
from core.engines.pieces import note_piece, pieces_of
from core.engines.table_rows import ROW_SCHEMA, Grouping, table_blocks, table_rows_of, wired_rows
from tests.contribution_files import small_records
from tests.engine_data import NAMES, ZONE, dirty_rows, rules, window
from tests.strategies import RESOLUTION
from tests.strategies import window as small_window


def _batches() -> Iterator[pa.RecordBatch]:
    """Sorted pieces in batches of a few rows, a note among them."""
    columns = dict(zip(NAMES, zip(*dirty_rows(500), strict=True), strict=True))
    raw = pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})
    pieces = pieces_of(clean_rows(raw, rules(), ZONE, 1_700_000_000_000), folded=False)
    found = pa.Table.from_batches([pieces]).sort_by([("day", "ascending"), ("vehicle", "ascending")])
    yield note_piece(Note(rows=7, clamped=2))
    yield from found.to_batches(max_chunksize=3)


def _rows(block_records: int) -> tuple[list[dict[str, object]], Note]:
    grouping = Grouping(rules=rules(), zone=ZONE, resolution=8, window=window(), block_records=block_records)
    found = pa.Table.from_batches(list(table_rows_of(_batches(), grouping)), ROW_SCHEMA)
    vehicles, texts = found.column("vehicle").to_pylist(), found.column("note").to_pylist()
    notes = [note_of(text) for name, text in zip(vehicles, texts, strict=True) if name is None]
    assert len(notes) == 1
    rows = [row for row in found.to_pylist() if row["vehicle"]]
    rows.sort(key=lambda row: [row["cell"] or 0, row["slot"] or 0, row["vehicle"], row["date"] or 0])
    return rows, notes[0]


def test_blocks_decide_nothing() -> None:
    rows, note = _rows(1 << 20)
    assert (note.rows, note.clamped) == (7, 2)
    assert note.used > 200
    assert note.repeats
    small, other = _rows(5)
    assert [row for row in small if row["cell"]] == [row for row in rows if row["cell"]]
    assert {row["vehicle"] for row in small} == {row["vehicle"] for row in rows}
    assert other == note


@pytest.mark.parametrize("most", [1, 3, 4, 1000])
@pytest.mark.parametrize("together", [1, 2, 100])
def test_blocks_of_the_file_are_cut_where_the_local_ones_are(
    most: int, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "BLOCK_VALUES", most)
    monkeypatch.setattr(table_rows, "BLOCK_VALUES", most)
    whole_table = contributions_of(small_records(), RESOLUTION, small_window(days=2))
    ours = list(row_batches(whole_table))
    whole = pa.Table.from_batches(list(wired_rows(whole_table)))
    rows = whole.combine_chunks().to_batches(max_chunksize=together)
    found = list(table_blocks(rows, whole_table.window, ours[0].schema))
    assert [block.to_pylist() for block in found] == [block.to_pylist() for block in ours]
    assert all(block.schema == ours[0].schema for block in found)
    assert sum(np.asarray(block.column("count")).sum() for block in found) == 9
