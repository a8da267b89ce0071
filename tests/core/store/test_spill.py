"""Records set aside by day: all of them come back, as they came."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.drop_and_clamp import CleanBatch
from core.records.zones import DAY_MS
from core.store.spill import Spill

ROWS = st.tuples(
    st.integers(0, 4),
    st.integers(18_000, 18_003),
    st.integers(-50_000_000, 140_000_000),
    st.integers(-900, 900),
    st.integers(-1800, 1800),
    st.integers(0, 65_000),
)
"""(vehicle, local day, ms, latitude, longitude, value)"""


def batch(rows: list[tuple[int, ...]], names: tuple[str, ...]) -> tuple[CleanBatch, np.ndarray]:
    vehicle, day, ms, latitude, longitude, value = np.array(rows, np.int64).reshape(-1, 6).T
    return CleanBatch(
        names=names,
        vehicle=vehicle.astype(np.int32),
        instant=day * DAY_MS + ms,
        latitude=latitude.astype(np.int32),
        longitude=longitude.astype(np.int32),
        value=value.astype(np.int32),
        labels={},
        dropped={},
        clamped=0,
        missing_words=0,
    ), day.astype(np.int32)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spills")


@given(batches=st.lists(st.lists(ROWS, max_size=12), max_size=6), slab_rows=st.integers(1, 20))
def test_every_row_comes_back_with_its_day_in_the_order_it_came(
    files: Path, batches: list[list[tuple[int, ...]]], slab_rows: int
) -> None:
    spill = Spill(lambda: (files / "spill").open("w+b", buffering=0), slab_rows=slab_rows)
    for number, rows in enumerate(batches):
        # each batch has its own codes for the same five ids
        names = tuple(f"bus {(code + number) % 5}" for code in range(5))
        spill.add(*batch([((row[0] - number) % 5, *row[1:]) for row in rows], names))
    spill.finish()
    rows = [row for some in batches for row in some]
    assert spill.days == {day: sum(r[1] == day for r in rows) for day in sorted({r[1] for r in rows})}
    assert sorted(spill.names) == sorted({f"bus {row[0]}" for row in rows})
    assert spill.written == (len(rows) >= slab_rows)
    for day in spill.days:
        columns = spill.read([day])
        found = [(int(spill.names[code][4:]), day, *rest) for code, *rest in columns.T.tolist()]
        assert found == [row for row in rows if row[1] == day]
    assert spill.read(list(spill.days)).shape == (5, len(rows))
    spill.close()


def test_a_file_cut_short_is_told(tmp_path: Path) -> None:
    path = tmp_path / "spill"
    spill = Spill(lambda: path.open("w+b", buffering=0), slab_rows=2)
    spill.add(*batch([(0, 18_000, 0, 1, 2, 3)] * 5, ("bus",)))
    spill.finish()
    with path.open("r+b") as file:
        file.truncate(10)
    with pytest.raises(OSError, match="shorter"):
        spill.read([18_000])
    spill.close()


class _Reluctant(io.BytesIO):
    """Takes seven bytes at a time, as a full disk or a signal may make a file do."""

    def write(self, data: Any) -> int:
        return super().write(bytes(data)[:7])


def test_what_the_system_takes_in_parts_comes_back_whole() -> None:
    rows = [(0, 18_000, step, step, step, step) for step in range(6)]
    spill = Spill(_Reluctant, slab_rows=2)
    spill.add(*batch(rows, ("bus",)))
    spill.finish()
    assert spill.read([18_000])[1:].T.tolist() == [[step] * 4 for step in range(6)]
