"""The two programs of the engine's benchmark agree on records that need every kind of cleaning."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.benchmarks import our_engine, plain_pandas
from tests.benchmarks.bench_engine import records_file
from tests.benchmarks.measured import run
from tests.benchmarks.steps import LOAD, OTHER_RESOLUTIONS, QUERIES, Figures
from tests.benchmarks.targets import Row, Target, Timed, limits_for, table

COLUMNS = ("license_plate", "observationDateTime", "speed", "location.coordinates")
DAY = "2022-01-04T"
HERE = "[72.83, 21.18]"
Record = tuple[str | None, str | None, float | None, str | None]


def _at(
    time: str, *, plate: str | None = "A1", speed: float | None = 30.5, place: str | None = HERE
) -> Record:
    return plate, time, speed, place


GOOD = [
    _at(
        f"{DAY}{9 + step // 40:02d}:{step % 40:02d}:00+05:30",
        plate=plate,
        speed=speed + step / 8,
        place=place,
    )
    for plate, speed, place in (
        ("A1", 12.5, HERE),
        ("b2", 48.25, "[72.9, 21.2]"),
        ("C 3", 62.5, "[72.8, 21.3]"),
    )
    for step in range(160)
]
"""Some 160 records of each; those above 65 km/h are clamped, those of C 3 are all in one or two HATs."""
REPEATS = [
    _at(f"{DAY}10:00:00+05:30", plate=" a1 ", speed=99.0, place="[72.83, 21.17]"),
    _at(f"{DAY}04:30:00+00:00", plate="A1", speed=3.0),
    _at(f"{DAY}10:00:00.0004+05:30", plate="A1", speed=2.0),
]
"""Three more of (A1, 10:00): the one farther south stays."""
DIRT = [
    _at(f"{DAY}11:00:01+05:30", plate=None),
    _at(f"{DAY}11:00:01+05:30", plate="  "),
    _at(""),
    _at("yesterday"),
    _at("2022-13-45T11:00:00+05:30"),
    _at("1963-01-04T11:00:02+05:30"),
    _at("2263-01-04T11:00:02+05:30"),
    _at(f"{DAY}11:00:03+05:30", speed=-0.1),
    _at(f"{DAY}11:00:04+05:30", speed=200.1),
    _at(f"{DAY}11:00:05+05:30", speed=None),
    _at(f"{DAY}11:00:06+05:30", place="[0, 0]"),
    _at(f"{DAY}11:00:07+05:30", place="[72.83, 95.5]"),
    _at(f"{DAY}11:00:08+05:30", place="[181, 21.18]"),
    _at(f"{DAY}11:00:09+05:30", place=""),
    _at(f"{DAY}11:00:10+05:30", place="depot"),
]
OUTSIDE = [_at(f"{DAY}08:59:59+05:30"), _at(f"{DAY}21:00:00+05:30"), _at("2022-02-03T12:00:00+05:30")]


@pytest.fixture
def dirty(tmp_path: Path) -> Path:
    rows = [*DIRT, *OUTSIDE, *REPEATS, *reversed(GOOD)]
    path = tmp_path / "dirty.parquet"
    pq.write_table(pa.table(dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))), path)
    return path


def _all_figures(program: plain_pandas.Program | our_engine.Program) -> list[Figures]:
    first = [program.load(), program.queries()]
    resolutions = [program.resolution(resolution) for resolution in OTHER_RESOLUTIONS]
    return [*first, *resolutions, program.slot(), program.hours(), program.m_ub()]


def test_both_programs_clean_and_count_alike(dirty: Path) -> None:
    plain, ours = _all_figures(plain_pandas.Program(dirty)), _all_figures(our_engine.Program(dirty))
    assert plain == ours
    assert plain[0].records == len(GOOD) + len(OUTSIDE)
    assert plain[1].records == len(GOOD)


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_both_programs_read_what_is_synthesized(tmp_path: Path, suffix: str) -> None:
    path = records_file(tmp_path, 0.002, suffix)
    plain, ours = plain_pandas.Program(path), our_engine.Program(path)
    assert plain.load() == ours.load()
    assert plain.queries() == ours.queries()


def test_records_are_synthesized_once(tmp_path: Path) -> None:
    first = records_file(tmp_path, 0.001, "parquet")
    made = first.stat().st_mtime_ns
    assert records_file(tmp_path, 0.001, "parquet").stat().st_mtime_ns == made


def test_a_program_is_run_and_watched(tmp_path: Path) -> None:
    steps = run("our_engine", records_file(tmp_path, 0.002, "csv"))
    assert list(steps) == [LOAD, QUERIES]
    assert steps[LOAD].figures["records"] == 2000
    assert all(step.seconds > 0 and step.gib > 0.01 for step in steps.values())


def test_a_program_that_fails_ends_the_benchmark(tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text(json.dumps([]))
    with pytest.raises(SystemExit, match="failed"):
        run("our_engine", tmp_path / "empty.json")


def _row(target: Target, *, plain: float | None = 10.0, gib: float = 1.0) -> Row:
    ours = Timed(seconds=1.0, own_seconds=1.5, gib=gib, own_gib=0.5)
    of_plain = None if plain is None else Timed(seconds=plain, own_seconds=9.5, gib=9.0, own_gib=8.0)
    return Row(title="load", steps=(LOAD,), plain=of_plain, ours=ours, target=target)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (_row(Target()), ""),
        (_row(Target(ratio=10)), "met"),
        (_row(Target(ratio=10.1)), "MISSED"),
        (_row(Target(ratio=10), plain=None), "not compared"),
        (_row(Target(seconds=1.1)), "met"),
        (_row(Target(seconds=1.0)), "MISSED"),
        (_row(Target(ratio=5, gib=1.1)), "met"),
        (_row(Target(ratio=5, gib=1.0)), "MISSED"),
    ],
)
def test_a_target_is_met_in_every_respect_or_missed(row: Row, verdict: str) -> None:
    assert row.verdict == verdict


def test_the_table_shows_both_programs() -> None:
    whole, ours_alone = table([_row(Target(ratio=12, gib=1.2)), _row(Target(), plain=None)]).splitlines()[2:]
    ours = "1.00 (1.50) | 1.00 (0.50)"
    assert whole == f"| load | 10.00 (9.50) | 9.00 (8.00) | {ours} | 10.0 | 12x, under 1.2 GiB | MISSED |"
    assert ours_alone == f"| load | - | - | {ours} | - |  |  |"


def test_targets_grow_with_the_data() -> None:
    assert limits_for(1) == limits_for(20)
    assert limits_for(20).again < limits_for(60).again < limits_for(180).again
    with pytest.raises(ValueError, match="at most 180"):
        limits_for(181)
