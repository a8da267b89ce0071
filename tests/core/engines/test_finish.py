"""The end of the work: what counts there is in all blocks, and refusals in the words of the local engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.contributions import contributions_of
from core.contributions.file_read import read_contributions
from core.contributions.table import BLOCK_VALUES
from core.engines import finish, table_rows
from core.engines.finish import finish_table, report_of, vehicles_of
from core.engines.local import LocalEngine
from core.engines.notes import Note
from core.engines.table_rows import wired_rows
from core.errors import InputError
from core.hats.places import HEXAGON_CHOICE
from core.store.store_build import NothingUsable
from tests.contribution_files import small_records
from tests.engine_data import dirty_rows, job, quiet, write_rows
from tests.strategies import RESOLUTION
from tests.strategies import window as small_window


def test_hats_that_go_on_in_the_next_block_count_once() -> None:
    table = contributions_of(small_records(), RESOLUTION, small_window(days=2))
    (rows,) = wired_rows(table)
    counted = finish._Counted(small_window(days=2), HEXAGON_CHOICE)
    assert list(counted.blocks(rows.slice(at, 1) for at in range(len(rows))))
    assert (counted.rows, counted.hats, counted.values) == (table.hat.size, table.hats, 9)
    assert BLOCK_VALUES > 9


def test_nothing_usable_and_an_empty_window_are_told(tmp_path: Path) -> None:
    how = job(write_rows(tmp_path, dirty_rows(50), "csv"), tmp_path / "table.parquet")
    with pytest.raises(NothingUsable, match="left of 4 rows"):
        report_of(Note(rows=4), how, "Asia/Kolkata", vehicles=(), examples=(), files=["a.csv"])
    report = LocalEngine().contributions(how, quiet).report
    how.out.unlink()
    with pytest.raises(InputError, match="window contains no record"):
        finish_table(iter(()), how, report, vehicles_of([("a", False, None)]))
    assert not how.out.exists()
    assert table_rows.ORDER[0] == "cell"


def test_a_table_tells_how_ids_were_read_that_were_written_otherwise(tmp_path: Path) -> None:
    how = job(write_rows(tmp_path, dirty_rows(400), "csv"), tmp_path / "table.parquet")
    LocalEngine().contributions(how, quiet)
    assert dict(read_contributions(how.out).other_texts) == {"bus-3": ("ｂｕｓ－3",)}
