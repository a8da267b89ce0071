"""Making a store: the same records whatever the sizes of blocks, slabs and pieces."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.clean.ingest_report import IngestReport
from core.clean.mapping import ColumnMapping, DerivedSpeed
from core.errors import InputError
from core.progress import silent
from core.read.file_stamps import stamps_of
from core.records.column_cache import MemoryColumnCache
from core.records.labels import code_type
from core.records.records import Records
from core.store.record_store import open_store, records_of
from core.store.store_build import build_store
from tests.records import (
    MAPPING,
    Ping,
    assert_same,
    instant,
    make_records,
    mapping_in,
    parquet_columns,
    rules,
    write_csv,
    write_parquet,
)
from tests.strategies import pings

NOW = instant("2026-01-01T00:00:00")
START = instant("2022-01-01T23:59:00")
DERIVED = mapping_in("km/h", value="", derived=DerivedSpeed(max_gap_seconds=4000))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("build")


def _build(
    folder: Path,
    parts: list[list[Ping]],
    *,
    mapping: ColumnMapping = MAPPING,
    in_memory: bool = False,
    **sizes: int,
) -> tuple[Records, IngestReport]:
    files = []
    for number, part in enumerate(parts):
        if number % 2 and part:
            files.append(write_parquet(folder / f"{number}.parquet", parquet_columns(part)))
        elif part:
            files.append(write_csv(folder / f"{number}.csv", part))
    store = Path(tempfile.mkdtemp(dir=folder))  # files that are mapped cannot be written over on Windows
    built = build_store(store, stamps_of(files), rules(mapping), NOW, silent, in_memory=in_memory, **sizes)
    if built is not None:
        assert list(store.iterdir()) == []
        return records_of(*built, MemoryColumnCache()), built[0].report
    records, facts = open_store(store, MemoryColumnCache())
    return records, facts.report


SIZES = st.fixed_dictionaries(
    {"slab_rows": st.integers(1, 12), "piece_rows": st.integers(1, 12), "block_rows": st.integers(1, 30)}
)
SEVERAL_DAYS = st.integers(0, 3).flatmap(
    lambda days: pings(max_size=30).map(
        lambda found: [
            ping._replace(instant=ping.instant + (at % (days + 1)) * 40_000_000)
            for at, ping in enumerate(found)
        ]
    )
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), found=SEVERAL_DAYS, sizes=SIZES, in_memory=st.booleans())
def test_sizes_order_and_splitting_change_nothing(
    folder: Path, data: st.DataObject, found: list[Ping], sizes: dict[str, int], in_memory: bool
) -> None:
    parts: list[list[Ping]] = [[], [], []]
    for ping in data.draw(st.permutations(found)):
        parts[data.draw(st.integers(0, 2))].append(ping)
    records, report = _build(folder, parts, in_memory=in_memory, **sizes)
    assert_same(records, make_records(found))
    _, expected = _build(folder, [found], in_memory=True)
    assert report == expected


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), found=SEVERAL_DAYS, sizes=SIZES, in_memory=st.booleans())
def test_derived_speeds_depend_on_no_size_and_no_order(
    folder: Path, data: st.DataObject, found: list[Ping], sizes: dict[str, int], in_memory: bool
) -> None:
    # two records of one day that surely give a speed
    found = [*found, *(Ping("ever", START + step * 60_000, 21.1, 72.8 + step / 1e4, 0.0) for step in (2, 4))]
    whole, report = _build(folder, [found], mapping=DERIVED, in_memory=True)
    order = data.draw(st.permutations(found))
    cut = data.draw(st.integers(0, len(order)))
    split = _build(folder, [order[:cut], order[cut:]], mapping=DERIVED, in_memory=in_memory, **sizes)
    assert_same(split[0], whole)
    assert split[1] == report
    assert report.rows_read == report.rows_used + report.repeats + sum(report.dropped.values())
    assert report.users == len(whole.vehicles) == len(np.unique(whole.vehicle))
    assert whole.first[0] == 0
    assert whole.first[-1] == len(whole)
    assert (np.diff(whole.first) > 0).all()


def test_no_speed_is_derived_across_midnight_and_single_records_leave(tmp_path: Path) -> None:
    step = 0.001  # degrees of latitude in half a minute: 111.195 m
    moving = [Ping("b", START + 30_000 * n, 21.1 + step * n, 72.8, 99.0) for n in range(4)]
    early = Ping("a", START - 86_400_000, 21.1, 72.8, 50.0)
    records, report = _build(tmp_path, [[early, *moving]], mapping=DERIVED)
    assert records.vehicles == ("b",)
    assert set(records.value.tolist()) == {13_343}
    assert records.days.size == 2
    assert records.first.tolist() == [0, 1, 2]
    assert records.instants().tolist() == [moving[1].instant, moving[3].instant]
    assert report.dropped == {"no_value": 3}
    assert report.users == 1


def test_many_vehicles_get_wider_codes(tmp_path: Path) -> None:
    assert code_type(32_768) is np.int16
    found = [Ping(f"bus {number:05d}", START, 21.1, 72.8, 30.0) for number in range(32_769)]
    records, _ = _build(tmp_path, [found[::-1]])
    assert records.vehicle.dtype == np.int32
    assert records.vehicle.tolist() == list(range(32_769))


def test_without_a_speed_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"of 1 row \(no_value 1\)"):
        _build(tmp_path, [[Ping("a", START, 21.1, 72.8, 1.0)]], mapping=DERIVED)
