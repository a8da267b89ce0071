"""The Spark engine in this machine, with two workers: the same bytes as the local one (`make test-spark`)."""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import os
import shutil
import signal
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.clean.mapping import ReadingRules
from core.cli import main
from core.engines import spark_executors
from core.engines.base import TableJob
from core.engines.local import LocalEngine
from core.engines.spark import SparkEngine
from core.errors import InputError
from core.progress import Cancelled
from core.spec import load_parts, load_spec, reading_rules
from tests.engine_data import DERIVED, assert_agree, dirty_rows, job, quiet, rules, shuffled, write_rows
from tests.killed_engines import ended_while, files_holding
from tests.labelled_city import (
    ENGINES_AGREE,
    assert_engine_agrees,
    assert_engine_agrees_on_strange_records,
    labelled_job,
    write_labelled_city,
)
from tests.records import SECRET

if importlib.util.find_spec("pyspark") is None:
    pytest.skip("Spark is not set up: `make test-spark` does it", allow_module_level=True)
if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
    pytest.skip("Java is missing", allow_module_level=True)

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]
DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
TINY = {"spark.sql.files.maxPartitionBytes": "20000", "spark.sql.files.openCostInBytes": "1"}
"""Files are cut into several parts."""
AUSTIN = """
[data]
zone = "America/Chicago"
upper_bound_kmh = 65.0
[data.mapping]
vehicle = "vehicle_id"
time = "timestamp"
latitude = "latitude"
longitude = "longitude"
value = "speed"
[[data.units]]
unit = "mph"
to = 2015-09-06
[[data.units]]
unit = "m/s"
from = 2015-12-30
[hats]
resolution = 7
slot_minutes = 60
dates = [["2015-03-07", "2015-03-19"], ["2016-11-24", "2016-11-27"]]
hours = ["09:00", "21:00"]
"""
SURAT = """
[data]
zone = "Asia/Kolkata"
upper_bound_kmh = 65.0
[data.mapping]
vehicle = "license_plate"
time = "observationDateTime"
position = "location.coordinates"
value = "speed"
unit = "km/h"
[hats]
resolution = 8
slot_minutes = 30
dates = ["2022-01-01", "2022-01-02"]
hours = ["09:00", "21:00"]
"""


def engine(**settings: str) -> SparkEngine:
    return SparkEngine("local[2]", TINY | settings)


def left() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(f"hexveil-{os.geteuid()}/*"))


@pytest.fixture(autouse=True)
def _nothing_stays() -> object:
    before = left()
    yield
    assert left() == before


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_it_writes_what_the_local_engine_writes(kind: str, tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(), kind)
    made = assert_agree(engine(), files, tmp_path)
    assert bool(made.report.examples) == (kind != "parquet")
    assert made.report.repeats


def test_neither_partitions_nor_order_nor_kinds_decide(tmp_path: Path) -> None:
    rows = dirty_rows()
    once = assert_agree(engine(), write_rows(tmp_path / "a", rows, "parquet", 1), tmp_path / "a")
    parts = write_rows(tmp_path / "b", shuffled(rows[::2], 2), "csv", 4)
    parts += write_rows(tmp_path / "c", shuffled(rows[1::2], 3), "parquet", 2)
    many = {"spark.sql.files.maxPartitionBytes": "3000", "spark.sql.execution.arrow.maxRecordsPerBatch": "11"}
    again = assert_agree(engine(**many), parts, tmp_path / "b")
    assert (tmp_path / "a" / "theirs.parquet").read_bytes() == (
        tmp_path / "b" / "theirs.parquet"
    ).read_bytes()
    assert once.rows == again.rows


def test_derived_speeds_and_a_zone_that_all_rows_suggest(tmp_path: Path) -> None:
    files = write_rows(tmp_path, shuffled(dirty_rows(), 3), "csv", 5)
    assert_agree(engine(), files, tmp_path, rules(DERIVED, zone=None))


@pytest.mark.parametrize("edit", ENGINES_AGREE.values(), ids=ENGINES_AGREE)
def test_places_groups_and_filters_count_as_in_the_local_engine(
    edit: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    assert_engine_agrees(engine(), edit, tmp_path)


def test_ids_labels_and_names_of_somebody_hostile_count_as_in_the_local_engine(tmp_path: Path) -> None:
    assert_engine_agrees_on_strange_records(engine(), tmp_path)


def _real(spec: str, folder: Path) -> Callable[[list[Path], Path], TableJob]:
    path = folder / "spec.toml"
    path.write_text(spec, encoding="utf-8")
    parts = load_parts(path, "hats")
    assert parts.resolution is not None
    assert parts.window is not None
    how, resolution, window = reading_rules(path), parts.resolution, parts.window

    def of(files: list[Path], out: Path) -> TableJob:
        data = tuple(map(str, files))
        return TableJob(
            data=data, rules=how, resolution=resolution, window=window, out=out, now_ms=1_700_000_000_000
        )

    return of


@pytest.mark.parametrize("city", ["austin", "surat"])
def test_real_cities(city: str, tmp_path: Path) -> None:
    files = sorted(DATA.glob("austin-buses/*.csv.gz" if city == "austin" else "india-iudx/suratITMS.json.gz"))
    if not files:
        pytest.skip("the data are not here")
    if city == "austin":  # some unpacked, so that Spark cuts them
        for number, path in enumerate(files[:8]):
            files[number] = tmp_path / path.name.removesuffix(".gz")
            files[number].write_bytes(gzip.decompress(path.read_bytes()))
    task = _real(AUSTIN if city == "austin" else SURAT, tmp_path)
    ours = LocalEngine().contributions(task(files, tmp_path / "ours.parquet"), quiet)
    settings = {"spark.sql.files.maxPartitionBytes": "1000000"}
    theirs = engine(**settings).contributions(task(files, tmp_path / "theirs.parquet"), quiet)
    assert ours.values
    assert theirs.report.to_json() == ours.report.to_json()
    assert (tmp_path / "theirs.parquet").read_bytes() == (tmp_path / "ours.parquet").read_bytes()


def test_files_that_only_spark_can_open(tmp_path: Path) -> None:
    rows = dirty_rows(600)
    files = write_rows(tmp_path / "far", rows[:300], "csv", 2) + write_rows(
        tmp_path / "far", rows[300:500], "parquet", 1
    )
    files += write_rows(tmp_path / "far", rows[500:], "jsonl", 1)
    ours = LocalEngine().contributions(job(files, tmp_path / "ours.parquet"), quiet)
    mount = {"spark.hadoop.fs.viewfs.mounttable.city.link./data": f"file://{tmp_path / 'far'}"}
    far = [f"viewfs://city/data/*.{kind}" for kind in ("csv", "parquet", "jsonl")]
    theirs = engine(**mount).contributions(job(far, tmp_path / "theirs.parquet"), quiet)
    assert theirs.report.to_json() == ours.report.to_json()
    assert (tmp_path / "theirs.parquet").read_bytes() == (tmp_path / "ours.parquet").read_bytes()


def refused(
    files: list[Path], folder: Path, how: ReadingRules, act: Callable[[float, str], None] = quiet
) -> InputError:
    with pytest.raises(InputError) as error:
        engine().contributions(job(files, folder / "table.parquet", how), act)
    assert not list(folder.glob("*table.parquet*"))
    assert SECRET.casefold() not in str(error.value).casefold()
    return error.value


def test_zones_that_differ_between_files_are_refused_as_here(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(200), "csv")
    files[2].write_text("id,at,lat,lon,kmh\nx,2022-01-03T10:00:00-06:00,21,72,3\n", encoding="utf-8")
    with pytest.raises(InputError) as ours:
        LocalEngine().contributions(job(files, tmp_path / "ours.parquet", rules(zone=None)), quiet)
    assert str(refused(files, tmp_path, rules(zone=None))) == str(ours.value)


def test_a_column_of_another_type_in_one_file(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(300), "parquet")
    table = pq.read_table(files[1])
    place = table.column_names.index("kmh")
    numbers = pa.array([float(at) for at in range(len(table))])
    pq.write_table(table.set_column(place, "kmh", numbers), files[1])
    assert_agree(engine(), files, tmp_path)
    for name in ("theirs.parquet", "local.parquet"):
        (tmp_path / name).unlink()
    maps = pa.array([[(SECRET, 1)]] * len(table), pa.map_(pa.string(), pa.int64()))
    pq.write_table(table.set_column(place, "kmh", maps), files[1])
    error = refused(files, tmp_path, rules())
    assert error.where == str(files[1])
    assert "'kmh'" in error.what


def _workers() -> list[psutil.Process]:
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any("pyspark.daemon" in part or "pyspark.worker" in part for part in process.cmdline()):
                found.append(process)
    return found


def test_workers_that_are_killed_leave_an_error_and_no_table(tmp_path: Path) -> None:
    files = write_rows(tmp_path, [(f"{SECRET} {row[0]}", *row[1:]) for row in dirty_rows(20_000)], "csv")
    killed = []

    def kill(_: float, text: str = "") -> None:
        if text == "Reading and grouping records":
            for process in _workers():
                with contextlib.suppress(psutil.Error):
                    process.kill()
                    killed.append(process.pid)

    error = refused(files, tmp_path, rules(), kill)
    assert killed
    assert "worker" in error.what


def test_a_file_that_vanishes_half_way_leaves_an_error_and_no_table(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(), "csv")

    def remove(_: float, text: str = "") -> None:
        if text == "Reading and grouping records":
            files[1].unlink(missing_ok=True)

    refused(files, tmp_path, rules(), remove)
    assert not files[1].exists()


def test_a_file_that_changes_half_way_leaves_an_error_and_no_table(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(), "csv")

    def change(_: float, text: str = "") -> None:
        if text == "Reading and grouping records":
            with files[1].open("a", encoding="utf-8") as file:
                file.write("\n")

    refused(files, tmp_path, rules(), change)


def test_a_stop_ends_the_work_and_leaves_nothing(tmp_path: Path) -> None:
    files = write_rows(tmp_path, dirty_rows(), "csv")

    def stop(_: float, text: str = "") -> None:
        if text == "Reading and grouping records":
            raise Cancelled

    with pytest.raises(Cancelled):
        engine().contributions(job(files, tmp_path / "table.parquet"), stop)
    assert not list(tmp_path.glob("*table.parquet*"))


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_killed_command_set_aside_is_private_and_goes_with_the_next_start(
    ended_by: signal.Signals, tmp_path: Path
) -> None:
    files = write_rows(tmp_path, [(f"{SECRET} {row[0]}", *row[1:]) for row in dirty_rows()], "csv")
    with ended_while("Counting vehicles", "spark", ended_by, files, tmp_path) as home:
        left = list((home / "cache").rglob("*"))
        assert any(path.name.startswith("shuffle_") for path in left)
        assert not files_holding(SECRET.casefold(), home)
        assert not [path for path in left if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert not list((tmp_path / "tmp").rglob("*"))
    assert main(["ledger", "check", "--home", str(home)]) == 0
    assert not list((home / "cache").iterdir())


def test_executors_that_are_lost_for_good_leave_an_error_and_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_executors, "LOST_SECONDS", 5.0)
    files = write_rows(tmp_path, dirty_rows(20_000), "csv")

    def kill(_: float, text: str = "") -> None:
        for process in (
            psutil.Process().children(recursive=True) if text == "Reading and grouping records" else ()
        ):
            with contextlib.suppress(psutil.Error):
                if any("CoarseGrainedExecutorBackend" in part for part in process.cmdline()):
                    process.kill()

    cluster = SparkEngine("local-cluster[2,1,1024]", TINY)
    with pytest.raises(InputError) as error:
        cluster.contributions(job(files, tmp_path / "table.parquet"), kill)
    assert not list(tmp_path.glob("*table.parquet*"))
    assert "lost" in error.value.what


def test_an_executor_killed_while_labels_are_counted_changes_no_byte(tmp_path: Path) -> None:
    """Open labels take two looks at all records: what the dead one had is made again by another."""
    spec = load_spec(
        write_labelled_city(tmp_path, ENGINES_AGREE["routes by open labels, kinds of day in a file"])
    )
    ours, theirs = (labelled_job(spec, tmp_path / f"{name}.parquet") for name in ("ours", "theirs"))
    here = LocalEngine().contributions(ours, quiet)
    killed: list[int] = []

    def kill(_: float, text: str = "") -> None:
        if killed or text != "Counting vehicles":
            return
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if any("CoarseGrainedExecutorBackend" in part for part in process.cmdline()):
                    process.kill()
                    killed.append(process.pid)
                    return

    there = SparkEngine("local-cluster[2,1,1024]", TINY).contributions(theirs, kill)
    assert killed
    assert there.report.to_json() == here.report.to_json()
    assert theirs.out.read_bytes() == ours.out.read_bytes()


def test_the_command_makes_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.toml"
    text = (
        SURAT.replace("license_plate", "id").replace("observationDateTime", "at").replace('"speed"', '"kmh"')
    )
    text = text.replace('position = "location.coordinates"', 'latitude = "lat"\nlongitude = "lon"')
    spec.write_text(
        text.replace('"2022-01-01", "2022-01-02"', '"2022-01-03", "2022-01-04"'), encoding="utf-8"
    )
    files = [str(path) for path in write_rows(tmp_path, dirty_rows(300), "csv")]
    common = [*files, "--spec", str(spec)]
    assert (
        main(["contributions", *common, "--out", str(tmp_path / "a.parquet"), "--home", str(tmp_path / "h")])
        == 0
    )
    spark = ["--engine", "spark", "--master", "local[2]"]
    assert main(["contributions", *common, "--out", str(tmp_path / "b.parquet"), *spark]) == 0
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert "CONFIDENTIAL" in capsys.readouterr().out
