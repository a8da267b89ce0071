"""The local engine: loads, groups and writes as the window does, from the cache where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.contributions.file_read import read_contributions
from core.engines.local import LocalEngine
from core.errors import InputError
from core.store.record_cache import RecordCache
from tests.engine_data import dirty_rows, job, quiet, write_rows


def test_it_tells_what_it_has_written(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(300), "csv")
    cache = RecordCache(tmp_path / "cache")
    first = LocalEngine(cache).contributions(job(files, tmp_path / "a.parquet"), quiet)
    again = LocalEngine(cache).contributions(job(files, tmp_path / "b.parquet"), quiet)
    table = read_contributions(tmp_path / "a.parquet")
    assert (first.rows, first.hats, first.values) == (table.hat.size, table.hats, len(table.values))
    assert first.report == again.report
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_pattern_that_matches_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No file matches"):
        LocalEngine().contributions(job([tmp_path / "*.csv"], tmp_path / "a.parquet"), quiet)
