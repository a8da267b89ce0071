"""Cell codes of records: exact, indexed once, kept; nothing is kept of work that was stopped."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.errors import InputError
from core.hats import cell_codes as module
from core.hats.cell_codes import cell_codes, index_cells
from core.hats.cells_one_by_one import index_directly
from core.progress import Cancelled
from core.records.column_cache import MemoryColumnCache
from core.records.records import Records
from tests.records import Ping, instant, make_records


def _records(size: int = 400) -> Records:
    rng = np.random.default_rng(size)
    start = instant("2022-01-01T10:00:00")
    return make_records(
        Ping("bus", start + 1000 * step, 21.17 + rng.normal(0, 0.01), 72.83 + rng.normal(0, 0.01), 1.0)
        for step in range(size)
    )


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_every_record_has_the_cell_of_direct_indexing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    records = _records()
    for resolution in (5, 8, 10):
        found = cell_codes(records, resolution)
        np.testing.assert_array_equal(
            found.cells[found.code], index_directly(records.latitude, records.longitude, resolution)
        )
        assert found.code.dtype == np.int16


def test_many_cells_take_wider_codes() -> None:
    rng = np.random.default_rng(1)
    latitude = rng.integers(-60 * 10**7, 60 * 10**7, 40_000).astype(np.int32)
    longitude = rng.integers(-180 * 10**7, 180 * 10**7, 40_000).astype(np.int32)
    found = index_cells(latitude, longitude, 10)
    assert found.cells.size > 32_767
    assert found.code.dtype == np.int32
    np.testing.assert_array_equal(found.cells[found.code], index_directly(latitude, longitude, 10))


def test_codes_are_kept_on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    records = _records()
    before = cell_codes(records, 7)
    monkeypatch.setattr(module, "index_cells", None)
    again = cell_codes(records, 7)
    assert again.code is before.code
    assert again.cells is before.cells
    with pytest.raises(TypeError):
        cell_codes(records, 8)


def test_what_is_stopped_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 50)
    told: list[float] = []
    records = _records()
    cell_codes(
        dataclasses.replace(records, column_cache=MemoryColumnCache()),
        7,
        lambda done, _="": told.append(done),
    )
    assert told == sorted(told)
    assert len(told) > 10
    for number in range(1, len(told) + 1):
        left = [number]

        def stop(_: float, __: str = "", left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise Cancelled

        with pytest.raises(Cancelled):
            cell_codes(records, 7, stop)
        assert records.column_cache.get("cells-7") is None


def test_nothing_gives_nothing() -> None:
    none = np.zeros(0, np.int32)
    assert index_cells(none, none, 7).cells.size == 0


@pytest.mark.parametrize("resolution", [4, 11])
def test_a_resolution_out_of_range_is_refused(resolution: int) -> None:
    with pytest.raises(InputError, match="not offered"):
        cell_codes(_records(3), resolution)


def test_they_show_sizes_only() -> None:
    assert repr(cell_codes(_records(3), 7)).startswith("<confidential CellCodes: ")
