"""Which files a table consists of, by their names alone."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from core.contributions.parts import Part, table_parts
from core.errors import InputError

DATE = dt.date(2022, 1, 3)


def _made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def test_a_file_is_its_only_part(tmp_path: Path) -> None:
    assert table_parts(tmp_path / "resolution=x" / "table.parquet") == (
        Part(path=tmp_path / "resolution=x" / "table.parquet"),
    )


def test_folders_say_resolution_and_date_and_runs_say_nothing(tmp_path: Path) -> None:
    _made(
        tmp_path,
        "january/resolution=7/date=2022-01-03/part-0.parquet",
        "january/resolution=7/date=2022-01-03/part-1.PARQUET",
        "date=2022-01-03/part-0.parquet",
        "part-0.parquet",
        "_SUCCESS",
        "_temporary/0/part-9.parquet",
        ".february.0123456789ab.partial/date=2022-02-01/part-0.parquet",
        ".part-0.parquet.crc",
        "notes.txt",
    )
    inner = tmp_path / "january" / "resolution=7" / "date=2022-01-03"
    assert table_parts(tmp_path) == (
        Part(path=tmp_path / "date=2022-01-03" / "part-0.parquet", date=DATE),
        Part(path=inner / "part-0.parquet", resolution=7, date=DATE),
        Part(path=inner / "part-1.PARQUET", resolution=7, date=DATE),
        Part(path=tmp_path / "part-0.parquet"),
    )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("vehicle=4/part-0.parquet", "by resolution and date"),
        ("date=monday/part-0.parquet", "not a date"),
        ("date=__HIVE_DEFAULT_PARTITION__/part-0.parquet", "not a date"),
        ("resolution=seven/part-0.parquet", "not a resolution"),
        ("date=2022-01-03/date=2022-01-04/part-0.parquet", "another one"),
        ("notes.txt", "no part"),
    ],
)
def test_partitions_that_are_none_are_told(tmp_path: Path, name: str, what: str) -> None:
    _made(tmp_path, name)
    with pytest.raises(InputError, match=what):
        table_parts(tmp_path)


def test_what_a_part_may_hold() -> None:
    part = Part(path=Path("part"), resolution=7, date=DATE)
    assert part.may_hold(None, None)
    assert part.may_hold(7, frozenset({DATE}))
    assert not part.may_hold(8, None)
    assert not part.may_hold(7, frozenset({dt.date(2022, 1, 4)}))
    assert Part(path=Path("part")).may_hold(8, frozenset())
