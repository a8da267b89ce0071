"""The DuckDB engine: the same bytes as the local one, and nothing left behind."""

from __future__ import annotations

import dataclasses
import importlib
import os
import signal
import stat
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import duckdb
import pytest

from core.accounting.vehicle_marks import marks_of
from core.clean.mapping import ColumnMapping, ReadingRules
from core.clean.record_filter import filters_of
from core.cli import main
from core.contributions.file_read import read_contributions
from core.engines import duckdb as engine
from core.engines import table_rows
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.engines.table_rows import Grouping
from core.errors import InputError
from core.progress import Cancelled
from core.spec import load_spec
from core.store.record_cache import RecordCache
from core.store.working_folders import sweep_working_folders
from tests.engine_data import (
    APART,
    DERIVED,
    MAPPING,
    assert_agree,
    dirty_rows,
    job,
    quiet,
    rules,
    shuffled,
    write_apart,
    write_rows,
)
from tests.killed_engines import ended_while, files_holding
from tests.labelled_city import (
    BY_ROUTE,
    ENGINES_AGREE,
    OPEN_LABELS,
    assert_engine_agrees,
    assert_engine_agrees_on_strange_records,
    write_labelled_city,
)
from tests.records import SECRET


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_it_writes_what_the_local_engine_writes(kind: str, tmp_path: Path) -> None:
    rows = dirty_rows()
    files = write_rows(tmp_path, rows, kind)
    made = assert_agree(DuckDbEngine(), files, tmp_path)
    told = made.report
    assert set(told.dropped) >= {"unparsable", "no_id", "no_time", "no_position", "no_value", "value_limit"}
    assert told.repeats
    assert told.clamped
    assert bool(told.examples) == (kind != "parquet")


def test_neither_blocks_nor_order_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = dirty_rows()
    assert_agree(DuckDbEngine(), write_rows(tmp_path / "a", rows, "parquet"), tmp_path / "a")
    monkeypatch.setattr(engine, "_ROWS", 7)
    monkeypatch.setattr(table_rows, "BLOCK_VALUES", 50)
    monkeypatch.setattr("core.contributions.table.BLOCK_VALUES", 50)
    monkeypatch.setattr(engine, "Grouping", partial(Grouping, block_records=40))
    made = assert_agree(
        DuckDbEngine(), write_rows(tmp_path / "b", shuffled(rows, 2), "parquet", 5), tmp_path / "b"
    )
    assert made.values > 500


def test_one_vehicle_written_in_two_ways_is_two_unless_ids_are_folded(tmp_path: Path) -> None:
    """Its records of both writings are one row, and the ledger finds it under either."""
    rows = [
        (f"{row[0].strip()}.0" if at % 2 else row[0], *row[1:])
        for at, row in enumerate(dirty_rows(300))
        if row[0] not in (None, "NULL")
    ]
    files = write_rows(tmp_path, rows, "csv")
    apart = assert_agree(DuckDbEngine(), files, tmp_path).report
    folded = rules(dataclasses.replace(MAPPING, vehicle_fold=True))
    together = assert_agree(DuckDbEngine(), files, tmp_path, folded).report
    assert (apart.users, apart.ids_alike) == (2 * together.users, 2 * together.users)
    assert together.ids_alike == 0
    table = read_contributions(tmp_path / "theirs.parquet")
    assert table.other_texts["bus-1"] == ("bus-1.0",)
    key = b"v" * 32
    now = marks_of(key, ["bus-1"], table.other_texts)
    assert now.id >= marks_of(key, ["bus-1.0"], {}).id | marks_of(key, ["bus-1"], {}).id


@pytest.mark.parametrize("edit", ENGINES_AGREE.values(), ids=ENGINES_AGREE)
def test_places_groups_and_filters_count_as_in_the_local_engine(
    edit: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    assert_engine_agrees(DuckDbEngine(), edit, tmp_path)


def test_ids_labels_and_names_of_somebody_hostile_count_as_in_the_local_engine(tmp_path: Path) -> None:
    assert_engine_agrees_on_strange_records(DuckDbEngine(), tmp_path)


def test_without_a_usable_record_no_label_is_asked_for(tmp_path: Path) -> None:
    spec = load_spec(write_labelled_city(tmp_path, (*BY_ROUTE, OPEN_LABELS)))
    (tmp_path / "records.csv").write_text(
        "vehicle,time,lat,lon,speed,route,direction\nx,soon,1,2,3,r,UP\n", encoding="utf-8"
    )
    asked = dataclasses.replace(
        job(spec.data.paths(), tmp_path / "table.parquet", spec.data.rules), window=spec.window
    )
    with pytest.raises(InputError, match="No usable record is left"):
        DuckDbEngine().contributions(asked, quiet)


def test_a_filter_leaves_the_same_table_by_every_engine(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(300), "csv")
    mapping = dataclasses.replace(MAPPING, public_columns=(("speed", "kmh"), ("name", "id")))
    one = dataclasses.replace(rules(mapping), filters=filters_of({"not_name": ["Bus-2", "BUS-2", "bus-2"]}))
    made = assert_agree(DuckDbEngine(), files, tmp_path, one)
    assert made.report.dropped["filtered"] > 0
    assert read_contributions(tmp_path / "theirs.parquet").filters == one.filters


def test_two_agencies_with_the_same_numbers_are_two_fleets_by_several_columns(tmp_path: Path) -> None:
    """By the number alone half of the records are repeats, far from those that stay."""
    lines = [
        f"{agency},{number},2022-01-03T10:00:{number}+05:30,{21.1 + place},72.8,30"
        for number in range(10, 40)
        for agency, place in (("a", 0.0), ("b", 0.1))
    ]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["agency,id,at,lat,lon,kmh", *lines]) + "\n", encoding="utf-8")
    one = assert_agree(DuckDbEngine(), [path], tmp_path).report
    assert (one.users, one.repeats, one.repeats_far) == (30, 30, 30)
    both = rules(dataclasses.replace(MAPPING, vehicle=("agency", "id")))
    two = assert_agree(DuckDbEngine(), [path], tmp_path, both).report
    assert (two.users, two.repeats) == (60, 0)


def test_derived_speeds_follow_each_vehicle_over_its_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "Grouping", partial(Grouping, block_records=40))
    made = assert_agree(DuckDbEngine(), write_rows(tmp_path, dirty_rows(), "csv"), tmp_path, rules(DERIVED))
    assert made.derived
    assert made.values


def test_the_zone_is_suggested_by_all_rows(tmp_path: Path) -> None:
    assert_agree(DuckDbEngine(), write_rows(tmp_path, dirty_rows(500), "csv"), tmp_path, rules(zone=None))


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_dates_apart_give_the_table_of_times_in_one_column(kind: str, tmp_path: Path) -> None:
    rows = dirty_rows(500)
    apart = assert_agree(
        DuckDbEngine(), write_apart(tmp_path / "two", rows, kind), tmp_path / "two", rules(APART)
    )
    one = assert_agree(DuckDbEngine(), write_rows(tmp_path / "one", rows, kind), tmp_path / "one")
    assert (apart.rows, apart.hats, apart.values) == (one.rows, one.hats, one.values)
    assert (tmp_path / "two" / "local.parquet").read_bytes() == (
        tmp_path / "one" / "local.parquet"
    ).read_bytes()


@pytest.fixture(name="made_by")
def _made_by(tmp_path: Path) -> DuckDbEngine:
    return DuckDbEngine(RecordCache(tmp_path / "home" / "cache"))


def _left(folder: Path) -> list[Path]:
    return list((folder / "home" / "cache").iterdir())


@pytest.mark.parametrize("bad", ["no zone", "no usable record", "another column", "gone"])
def test_what_the_local_engine_refuses_is_refused_in_its_words(
    bad: str, made_by: DuckDbEngine, tmp_path: Path
) -> None:
    files = write_rows(tmp_path, dirty_rows(200), "csv")
    how = rules()
    if bad == "no zone":
        files[2].write_text("id,at,lat,lon,kmh\nx,2022-01-03T10:00:00-06:00,21,72,3\n", encoding="utf-8")
        how = rules(zone=None)
    elif bad == "no usable record":
        files = [tmp_path / "none.csv"]
        files[0].write_text("id,at,lat,lon,kmh\nx,never,21,72,3\n", encoding="utf-8")
    elif bad == "another column":
        how = rules(ColumnMapping(vehicle="who", time="at", latitude="lat", longitude="lon", value="kmh"))
    else:
        files[1].unlink()
    assert_refused_alike(made_by, files, tmp_path, how)
    assert bad == "gone" or _left(tmp_path) == []


def assert_refused_alike(
    made_by: DuckDbEngine, files: Sequence[Path], folder: Path, how: ReadingRules
) -> None:
    said = []
    for engine_of_them in (LocalEngine(), made_by):
        with pytest.raises(InputError) as refused:
            engine_of_them.contributions(job(files, folder / "table.parquet", how), quiet)
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert not (folder / "table.parquet").exists()


def test_a_stop_leaves_nothing(made_by: DuckDbEngine, tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(300), "csv")

    def stop(_: float, text: str = "") -> None:
        if text == "Sorting contributions":
            raise Cancelled

    with pytest.raises(Cancelled):
        made_by.contributions(job(files, tmp_path / "table.parquet"), stop)
    assert _left(tmp_path) == []
    assert not (tmp_path / "table.parquet").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals and modes are those of POSIX")
@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_killed_command_set_aside_is_private_and_goes_with_the_next_start(
    ended_by: signal.Signals, tmp_path: Path
) -> None:
    files = write_rows(tmp_path, [(f"{SECRET} {row[0]}", *row[1:]) for row in dirty_rows()], "csv")
    with ended_while("Sorting contributions", "duckdb", ended_by, files, tmp_path) as home:
        left = list((home / "cache").rglob("*"))
        assert {stat.S_IMODE(path.stat().st_mode) for path in left if path.is_dir()} == {0o700}
        assert {stat.S_IMODE(path.stat().st_mode) for path in left if path.is_file()} == {0o600}
        sweep_working_folders(home / "cache")
        assert files_holding(SECRET.casefold(), home), "what a living process uses stays"
    assert not list((tmp_path / "tmp").rglob("*"))
    assert main(["ledger", "check", "--home", str(home)]) == 0
    assert not list((home / "cache").iterdir())


def test_its_absence_is_told_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(InputError, match=r"pip install .\.\[duckdb\]"):
        DuckDbEngine().contributions(job([tmp_path / "x.csv"], tmp_path / "table.parquet"), quiet)


def test_what_the_database_says_is_not_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise duckdb.ConversionException("Could not convert string 'SECRET123' to INT32")

    monkeypatch.setattr(engine, "_insert", fails)
    files = write_rows(tmp_path, dirty_rows(100), "csv")
    with pytest.raises(InputError, match="DuckDB gave up") as refused:
        DuckDbEngine().contributions(job(files, tmp_path / "table.parquet"), quiet)
    assert "SECRET123" not in str(refused.value)
    assert refused.value.__suppress_context__
