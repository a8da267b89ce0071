"""A stranger's database is read, never run, never written, and never waited for."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from core.errors import InputError
from core.progress import Cancelled
from core.read.map_database import MapDatabase, address, is_database, quoted
from tests.layer_files import write_mbtiles

FOREVER = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    name = "ä b#%41.mbtiles" if os.name == "nt" else "ä b#?%41.mbtiles"
    return write_mbtiles(tmp_path / name, {(0, 0, 0): b"tile"})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PureWindowsPath(r"C:\Maps\a b.gpkg"), "file:///C:/Maps/a%20b.gpkg"),
        (PureWindowsPath(r"\\server\maps\ä.gpkg"), "file:////server/maps/%C3%A4.gpkg"),
        (PurePosixPath("/maps/a#?%.gpkg"), "file:///maps/a%23%3F%25.gpkg"),
    ],
)
def test_a_share_of_a_server_is_a_path_to_it(path: PurePath, expected: str) -> None:
    """SQLite refuses a server: its address may have none, or `localhost`."""
    assert address(path) == expected


def test_it_is_read_and_nothing_is_written_beside_it(path: Path) -> None:
    path.chmod(0o400)
    before = path.read_bytes()
    with closing(MapDatabase(path)) as database:
        assert database.kinds == {"metadata": "table", "tiles": "table"}
        assert database.columns("metadata") == [("name", "TEXT"), ("value", "TEXT")]
        assert database.rows("SELECT tile_data FROM tiles") == [(b"tile",)]
        for statement in ("DELETE FROM tiles", "CREATE TABLE x (y)", "PRAGMA user_version = 5"):
            with pytest.raises(InputError):
                database.rows(statement)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_question_without_an_end_is_cut_off(path: Path) -> None:
    with closing(MapDatabase(path)) as database:
        with pytest.raises(InputError, match=r"no answer within 0\.05 seconds"):
            database.rows(FOREVER, seconds=0.05)
        assert database.rows("SELECT 1") == [(1,)]


def test_a_question_ends_where_the_person_stops_it(path: Path) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with closing(MapDatabase(path)) as database, pytest.raises(Cancelled):
        list(database.each(FOREVER, progress=stop))


SWOLLEN = {
    "a default": "ALTER TABLE t ADD COLUMN x TEXT DEFAULT '{text}'",
    "a computed cell": "ALTER TABLE t ADD COLUMN x BLOB AS (zeroblob(60000000)) VIRTUAL",
    "a cell as long as the file": "ALTER TABLE t ADD COLUMN x BLOB AS (zeroblob(40000)) VIRTUAL",
}


@pytest.mark.parametrize("statement", SWOLLEN.values(), ids=SWOLLEN)
def test_a_small_file_gives_no_gigabytes(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "small.gpkg"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE t (fid INTEGER PRIMARY KEY, name)")
        made.executemany("INSERT INTO t (name) VALUES (?)", [("bus",)] * 4_000)
        made.execute(statement.format(text="x" * 100_000))
        made.commit()
    most = (64 << 20) + 2 * path.stat().st_size
    with (
        closing(MapDatabase(path)) as database,
        pytest.raises(InputError, match=r"far more than the|damaged"),
    ):
        _take(database.each("SELECT x FROM t"), most)


def _take(rows: Iterator[tuple[bytes]], most: int) -> None:
    given = 0
    for (cell,) in rows:
        given += len(cell)
        assert given <= most


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + b"x" * 4096, b"{}"])
def test_what_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.gpkg"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        MapDatabase(path).rows("SELECT * FROM tiles")
    assert str(path) in caught.value.where


def test_a_torn_database_is_refused(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(InputError, match="damaged"):
        _everything_in(path)


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder, not a file"):
        is_database(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        is_database(tmp_path / "none.gpkg")


def test_a_file_that_another_program_writes_is_not_half_read(path: Path) -> None:
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO metadata VALUES ('a', 'b')")
        writer.commit()
        with pytest.raises(InputError, match="Another program"):
            MapDatabase(path)
    with closing(MapDatabase(path)) as database:
        assert len(database.rows("SELECT * FROM metadata")) == 3


def test_names_of_tables_are_never_sql() -> None:
    assert quoted('a"; DROP TABLE b') == '"a""; DROP TABLE b"'


def _everything_in(path: Path) -> None:
    with closing(MapDatabase(path)) as database:
        for table in database.kinds:
            database.rows(f"SELECT * FROM {quoted(table)}")
