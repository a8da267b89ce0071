"""A contribution file comes back as it was written, whatever the order and types of its rows."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import os
from pathlib import Path
from typing import Any

import h3
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.contributions import Contributions, contributions_of
from core.contributions import file_read as module
from core.contributions import table as tables
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions, write_partitioned
from core.errors import InputError
from core.hats.window import Window
from core.progress import Cancelled
from core.records.id_folds import id_folds
from core.store.load_records import load_records
from tests.contribution_files import changed_file, small_table
from tests.records import Ping, assert_same, instant, make_records, rules, write_csv
from tests.strategies import RESOLUTION, contributions, pings, window

PER_EXAMPLE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@PER_EXAMPLE
@given(pings(max_size=40), st.integers(1, 5), st.integers(1, 5))
def test_what_is_written_comes_back(tmp_path: Path, found: list[Ping], few: int, rows: int) -> None:
    """Vehicles without a record in the window too."""
    inside = [*found, Ping("Bus 9", instant("2022-01-01T10:00:00"), 21.17, 72.83, 5.0)]
    table = contributions_of(make_records(inside), RESOLUTION, window(days=2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK_VALUES", few)
        write_contributions(table, tmp_path / "table.parquet")
        patch.setattr(module, "_ROWS", rows)
        assert_same(read_contributions(tmp_path / "table.parquet"), table)


@PER_EXAMPLE
@given(contributions(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(tmp_path: Path, table: Contributions, random: Any) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(table, path)
    rows = pq.read_table(path)
    order = list(range(rows.num_rows))
    random.shuffle(order)
    pq.write_table(rows.take(order), path)
    assert_same(read_contributions(path), table)


def test_other_types_of_the_same_content_are_read(tmp_path: Path) -> None:
    path = changed_file(
        tmp_path,
        cell=lambda cells: [f" {h3.int_to_str(cell).upper()}" for cell in cells],
        slot_start=lambda starts: [f"{start // 60:02d}:00" for start in starts],
        vehicle=lambda names: pa.array([f" {name.upper()} " for name in names]).dictionary_encode(),
        date=lambda dates: [str(date) for date in dates],
        count=lambda counts: pa.array(counts, pa.uint16()),
        sum=lambda sums: pa.array(map(float, sums), pa.float64()),
        values=lambda lists: pa.array(lists, pa.large_list(pa.int64())),
    )
    assert_same(read_contributions(path), small_table())


def test_dates_that_pandas_wrote_as_midnights_are_read(tmp_path: Path) -> None:
    path = changed_file(tmp_path, date=lambda dates: pa.array(dates, pa.date32()).cast(pa.timestamp("ns")))
    assert_same(read_contributions(path), small_table())


def test_a_table_of_the_first_version_has_no_visits(tmp_path: Path) -> None:
    """Whatever a column of that name may mean there."""
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    pq.write_table(
        rows.replace_schema_metadata(rows.schema.metadata | {b"hexveil_contributions": b"1"}), path
    )
    assert_same(read_contributions(path), dataclasses.replace(small_table(), visits=None))


def test_a_row_twice_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    pq.write_table(rows.take([*range(rows.num_rows), 1]), path)
    with pytest.raises(InputError, match="Two rows") as caught:
        read_contributions(path)
    assert str(caught.value.where).endswith(f"row {rows.num_rows + 1}")


def test_a_file_without_rows_or_columns_or_no_parquet_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    pq.write_table(rows.slice(0, 0), path)
    with pytest.raises(InputError, match="no rows"):
        read_contributions(path)
    empty = read_contributions(path, empty_allowed=True)
    assert (empty.hats, len(empty.values), empty.start.tolist()) == (0, 0, [0])
    assert empty.window == small_table().window
    pq.write_table(rows.drop_columns(["sum"]), path)
    with pytest.raises(InputError, match="no column sum"):
        read_contributions(path)
    twice = pa.Table.from_arrays([*rows.columns, rows.column("count")], names=[*rows.column_names, "count"])
    pq.write_table(twice.replace_schema_metadata(rows.schema.metadata), path)
    with pytest.raises(InputError, match="more than one column count"):
        read_contributions(path)
    twice = pa.Table.from_arrays([*rows.columns, rows.column("count")], names=[*rows.column_names, "visits"])
    pq.write_table(twice.replace_schema_metadata(rows.schema.metadata), path)
    with pytest.raises(InputError, match="more than one column visits"):
        read_contributions(path)
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match="not readable Parquet"):
        read_contributions(path)
    with pytest.raises(InputError, match="no such file"):
        read_contributions(tmp_path / "absent.parquet")


def test_values_are_read_as_integers_of_32_bits(tmp_path: Path) -> None:
    write_contributions(small_table(), tmp_path / "table.parquet")
    found = read_contributions(tmp_path / "table.parquet")
    assert found.values[:].dtype == np.int32
    assert repr(found).startswith("<confidential Contributions: ")


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    write_contributions(small_table(), tmp_path / "table.parquet")
    with pytest.raises(Cancelled):
        read_contributions(tmp_path / "table.parquet", stop)


DAYS = 4
FIRST = dt.date(2022, 1, 1)


def _days_table() -> Contributions:
    """Three vehicles on the first, second and fourth of four days."""
    start = instant("2022-01-01T10:00:00")
    found = [
        Ping(f"Bus {step % 3}", start + day * 86_400_000 + step * 600_000, 21.17, 72.83, 3.5 * step)
        for day in (0, 1, 3)
        for step in range(9)
    ]
    return contributions_of(make_records(found), RESOLUTION, window(days=DAYS))


def _part(folder: Path, day: int, run: str = "") -> Path:
    return folder / run / f"date={FIRST + dt.timedelta(days=day)}" / "part-0.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_partitioned(_days_table(), tmp_path / "table", ("date",))
    return tmp_path / "table"


def _dates(first: int, last: int) -> Window:
    ranges = ((FIRST + dt.timedelta(days=first), FIRST + dt.timedelta(days=last)),)
    return dataclasses.replace(_days_table().window, date_ranges=ranges)


@PER_EXAMPLE
@given(contributions(), st.randoms(use_true_random=False))
def test_parts_in_any_order_are_the_table(
    tmp_path_factory: pytest.TempPathFactory, table: Contributions, random: Any
) -> None:
    """By date, and each date cut in two, in files of any name."""
    folder = tmp_path_factory.mktemp("table") / "table"
    write_partitioned(table, folder, ("resolution", "date"))
    assert_same(read_contributions(folder), table)
    for path in list(folder.rglob("*.parquet")):
        rows = pq.read_table(path, partitioning=None)
        order = list(range(rows.num_rows))
        random.shuffle(order)
        cut = random.randint(0, rows.num_rows)
        for name, place in zip("ab", (order[:cut], order[cut:]), strict=True):
            rows_of_part = rows.take(pa.array(place, pa.int64()))
            pq.write_table(rows_of_part, path.with_name(f"{name}.parquet"))
        path.unlink()
    assert_same(read_contributions(folder), table)


def test_engines_leave_the_date_to_the_folder(folder: Path) -> None:
    for path in folder.rglob("*.parquet"):
        pq.write_table(pq.read_table(path, partitioning=None).drop_columns(["date"]), path)
    assert_same(read_contributions(folder), _days_table())


def test_what_the_window_does_not_need_is_not_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged files outside do no harm, and of them no more is read than whether they are encrypted."""
    for day in (0, 3):
        _part(folder, day).write_bytes(b"PAR1 damaged")
    touched: list[Path] = []
    opening = os.open

    def noted(path: Any, *arguments: Any, **options: Any) -> int:
        touched.append(Path(path))
        return opening(path, *arguments, **options)

    monkeypatch.setattr(os, "open", noted)
    monkeypatch.setattr("core.contributions.encryption.open_regular", lambda path: path.open("rb"))
    table = read_contributions(folder, window=_dates(1, 2))
    assert set(touched) == {_part(folder, 1), _part(folder, 2)}
    assert table.window == _dates(1, 2)
    assert set(table.day.tolist()) == {0}
    whole = _days_table()
    retained = whole.day == 1
    assert table.counts.tolist() == whole.counts[retained].tolist()
    assert len(table.values) == int(whole.counts[retained].sum())


@pytest.mark.skipif(
    os.name == "nt" or not Path("/proc/self/io").exists(),
    reason="this system does not count what a process reads; under wine that of wine itself is counted",
)
def test_reading_takes_the_bytes_of_the_window(folder: Path) -> None:
    """Of eight times the dates the same bytes are read, for the same window."""

    def taken() -> int:
        before = _bytes_read()
        read_contributions(folder, window=_dates(0, 0))
        return _bytes_read() - before

    taken()
    few = taken()
    for number in range(40):
        copy = _part(folder, 100 + number)
        copy.parent.mkdir()
        copy.write_bytes(bytes(1 << 16))
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    assert abs(taken() - few) < 1 << 14 < size


def _bytes_read() -> int:
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("rchar"))


def test_other_resolutions_are_not_opened(tmp_path: Path) -> None:
    table = _days_table()
    write_partitioned(table, tmp_path / "table", ("resolution",))
    other = tmp_path / "table" / "resolution=9" / "part-0.parquet"
    other.parent.mkdir()
    other.write_bytes(b"no table")
    assert_same(read_contributions(tmp_path / "table", resolution=RESOLUTION), table)
    with pytest.raises(InputError, match="no part of this resolution") as caught:
        read_contributions(tmp_path / "table", resolution=8)
    assert caught.value.mend.endswith(f"{RESOLUTION}, 9")


def test_months_of_several_runs_are_one_table(tmp_path: Path) -> None:
    """Each written by itself, in a folder without a partition's name or as a file."""
    whole = _days_table()
    (tmp_path / "fleet").mkdir()
    write_partitioned(_cut(whole, 0, 1), tmp_path / "fleet" / "first", ("date",))
    write_contributions(_cut(whole, 2, 3), tmp_path / "fleet" / "second.parquet")
    assert_same(read_contributions(tmp_path / "fleet"), whole)
    assert_same(read_contributions(tmp_path / "fleet", window=_dates(2, 3)), _cut(whole, 2, 3))


def _cut(table: Contributions, first: int, last: int) -> Contributions:
    """The table of some of the days, made of the whole by other means: records of these days alone."""
    start = instant("2022-01-01T10:00:00")
    found = [
        Ping(f"Bus {step % 3}", start + day * 86_400_000 + step * 600_000, 21.17, 72.83, 3.5 * step)
        for day in range(first, last + 1)
        if day != 2
        for step in range(9)
    ]
    return contributions_of(make_records(found), table.resolution, _dates(first, last))


def test_a_file_serves_a_window_of_some_of_its_dates(tmp_path: Path) -> None:
    write_contributions(_days_table(), tmp_path / "table.parquet")
    assert_same(
        read_contributions(tmp_path / "table.parquet", window=_dates(2, 3)), _cut(_days_table(), 2, 3)
    )


def test_a_lost_date_is_told(folder: Path) -> None:
    """One without rows too, which has a part all the same."""
    for day in (2, 0):
        _part(folder, day).unlink()
        with pytest.raises(InputError, match=f"does not cover {FIRST + dt.timedelta(days=day)}") as caught:
            read_contributions(folder, window=_dates(0, 3))
        assert caught.value.where == "hats.dates"


def test_dates_without_anybody_need_no_part_where_the_metadata_cover_them(folder: Path) -> None:
    """Engines write no partition of a date without rows, and the dates of the run in every part."""
    whole = dataclasses.replace(_days_table().window)
    _part(folder, 2).unlink()
    for path in list(folder.rglob("*.parquet")):
        rows = pq.read_table(path, partitioning=None)
        told = {b"dates": ",".join(f"{first}/{last}" for first, last in whole.date_ranges).encode()}
        pq.write_table(rows.replace_schema_metadata(rows.schema.metadata | told), path)
    assert_same(read_contributions(folder), _days_table())
    nobody = read_contributions(folder, window=_dates(2, 2), empty_allowed=True)
    assert (nobody.hats, nobody.window) == (0, _dates(2, 2))
    with pytest.raises(InputError, match="no rows"):
        read_contributions(folder, window=_dates(2, 2))


def _rewritten(path: Path, **metadata: str) -> None:
    rows = pq.read_table(path, partitioning=None)
    told = {key.encode(): text.encode() for key, text in metadata.items()}
    pq.write_table(rows.replace_schema_metadata(rows.schema.metadata | told), path)


@pytest.mark.parametrize(
    ("key", "text"), [("zone", "Asia/Colombo"), ("upper_bound", "66000"), ("hours", "09:00-22:00")]
)
def test_parts_that_differ_are_told_with_both_files(folder: Path, key: str, text: str) -> None:
    _rewritten(_part(folder, 1), **{key: text})
    with pytest.raises(InputError, match=f"differ in the metadata {key}") as caught:
        read_contributions(folder)
    assert caught.value.where == f"{_part(folder, 0)} and {_part(folder, 1)}"
    assert_same(
        read_contributions(folder, window=_dates(2, 3)), read_contributions(folder, window=_dates(2, 3))
    )


def test_a_column_of_another_type_in_one_partition_is_told(folder: Path) -> None:
    path = _part(folder, 1)
    rows = pq.read_table(path, partitioning=None)
    text = pa.array([h3.int_to_str(cell) for cell in rows.column("cell").to_pylist()])
    pq.write_table(rows.set_column(0, pa.field("cell", pa.string()), text), path)
    with pytest.raises(InputError, match="differ in the type of the column cell") as caught:
        read_contributions(folder)
    assert caught.value.where == f"{_part(folder, 0)} and {path}"


def test_a_row_in_two_parts_is_refused(folder: Path) -> None:
    again = _part(folder, 1).with_name("part-1.parquet")
    rows = pq.read_table(_part(folder, 1), partitioning=None)
    pq.write_table(rows.slice(1, 1), again)
    with pytest.raises(InputError, match="Two rows") as caught:
        read_contributions(folder)
    assert caught.value.where == f"{_part(folder, 1)}, row 2 and {again}, row 1"


def test_a_row_of_another_date_than_its_folder_is_told(folder: Path) -> None:
    wrong = folder / "date=2022-01-02" / "part-1.parquet"
    rows = pq.read_table(_part(folder, 0), partitioning=None)
    dates = rows.schema.metadata | {b"dates": b"2022-01-01/2022-01-02"}
    pq.write_table(rows.replace_schema_metadata(dates), wrong)
    with pytest.raises(InputError, match="not that of the part's folder"):
        read_contributions(folder)
    pq.write_table(rows, wrong)
    with pytest.raises(InputError, match="names another date"):
        read_contributions(folder)


@pytest.mark.parametrize(("day", "begin"), [(3, 0.0), (3, 0.05), (3, 0.4), (0, 0.7)])
def test_a_part_that_vanishes_half_way_is_told(folder: Path, day: int, begin: float) -> None:
    """Before its metadata are read, before its rows are, and after."""

    def gone(done: float, _: str = "") -> None:
        if done >= begin:
            _part(folder, day).unlink(missing_ok=True)

    with pytest.raises(InputError, match="vanished") as caught:
        read_contributions(folder, gone)
    assert caught.value.where == str(_part(folder, day))


def test_a_part_that_changes_half_way_is_told(folder: Path) -> None:
    def touched(done: float, _: str = "") -> None:
        if done > 0.5:
            os.utime(_part(folder, 0), ns=(1, 1))

    with pytest.raises(InputError, match="changed while it was read"):
        read_contributions(folder, touched)


def test_a_folder_of_encrypted_parts_asks_once(tmp_path: Path) -> None:
    write_partitioned(_days_table(), tmp_path / "table", ("date",), passphrase="correct horse battery")
    asked: list[Path] = []

    def answer(path: Path) -> str:
        asked.append(path)
        return "correct horse battery"

    assert_same(read_contributions(tmp_path / "table", passphrase=answer), _days_table())
    assert asked == [tmp_path / "table"]


def test_a_table_of_unfolded_ids_is_folded_where_the_spec_says_so(tmp_path: Path) -> None:
    path = changed_file(
        tmp_path, vehicle=lambda names: [f"0{name}" if at % 2 else name for at, name in enumerate(names)]
    )
    apart, together = read_contributions(path), read_contributions(path, vehicle_fold=True)
    assert any(name.startswith("0") for name in apart.vehicles)
    assert not any(name.startswith("0") for name in together.vehicles)
    assert together.values[:].sum() == apart.values[:].sum()


IDS = ["ＢＵＳ　7", "bus\u00a0 7", "\tBus 7 ", "007", '"7"', "7.0", "Straße\u200b", "ﬁ\u0301x", "ὈΔΌΣ ς"]


@pytest.mark.parametrize("text", IDS)
def test_ids_of_records_of_a_table_and_of_other_vehicles_fold_alike(text: str, tmp_path: Path) -> None:
    ping = Ping(text, instant("2022-01-01T10:00:00"), 21.17, 72.83, 5.0)
    records = load_records([write_csv(tmp_path / "a.csv", [ping])], rules()).records
    in_rows = changed_file(tmp_path, vehicle=lambda names: [*names[:-1], text])
    rows = read_contributions(in_rows)
    table = pq.read_table(in_rows)
    metadata = table.schema.metadata | {b"other_vehicles": json.dumps([text]).encode()}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "others.parquet")
    others = read_contributions(tmp_path / "others.parquet")
    (name,) = records.vehicles
    assert name == id_folds(text).id
    for found in (rows, others):
        assert name in found.vehicles
        assert found.other_texts == records.other_texts
