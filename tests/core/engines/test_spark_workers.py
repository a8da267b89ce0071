"""What runs in Spark's workers, run here without Spark: files cut in any way, errors that tell nothing."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.clean.mapping import ColumnMapping
from core.engines import spark_workers, table_rows
from core.engines.notes import Note, note_of, total
from core.engines.pieces import PIECE_SCHEMA, Piece, read_rows
from core.engines.spark_files import SparkFile, reading_of
from core.engines.spark_workers import (
    Cleaning,
    clean_lines,
    clean_whole,
    group_pieces,
    label_pieces,
    pack_rows,
    unpacked,
)
from core.engines.table_rows import Grouping
from core.errors import InputError
from core.read.input_files import NoRecord
from core.store.load_records import load_records
from tests.engine_data import ZONE, dirty_rows, rules, window, write_rows
from tests.records import SECRET

NOW = 1_700_000_000_000
CLEANING = Cleaning(rules=rules(), zone=ZONE, now_ms=NOW)
LINES = pa.schema([("line", pa.binary()), ("file", pa.int64()), ("start", pa.int64())])


def spark_files(paths: list[Path]) -> tuple[SparkFile, ...]:
    return tuple(
        SparkFile(path=f"file:{path}", size=path.stat().st_size, changed=0, key=number)
        for number, path in enumerate(paths)
    )


def splits(file: SparkFile, size: int) -> list[tuple[int, list[bytes]]]:
    """The lines of a file as Spark cuts it: a line belongs to the part that it begins in."""
    data = Path(file.shown).read_bytes()
    found: dict[int, list[bytes]] = {}
    at = 0
    for line in data.split(b"\n")[: -1 if data.endswith(b"\n") else None]:
        found.setdefault((at - 1) // size * size if at else 0, []).append(line)
        at += len(line) + 1
    return list(found.items())


def tasks(files: tuple[SparkFile, ...], size: int, most: int) -> list[list[pa.RecordBatch]]:
    """Batches of lines, a list for each task; several parts of files in one task."""
    made: list[list[pa.RecordBatch]] = [[], [], []]
    parts = [(one.key, *part) for one in files for part in splits(one, size)]
    for number, (key, start, lines) in enumerate(parts):
        for first in range(0, len(lines), most):
            some = lines[first : first + most]
            made[number % 3].append(
                pa.record_batch([some, [key] * len(some), [start] * len(some)], schema=LINES)
            )
    return made


def pieces_and_note(outputs: list[Iterator[pa.RecordBatch]]) -> tuple[list[Piece], Note]:
    found: list[Piece] = []
    notes: list[Note] = []
    for batch in (batch for output in outputs for batch in output):
        assert batch.schema == PIECE_SCHEMA
        pieces, told = read_rows(batch)
        found += pieces
        notes += told
    return found, total(notes)


def records(pieces: list[Piece]) -> list[tuple[str, int, bytes]]:
    return sorted(
        (piece.vehicle, piece.day, piece.records[at : at + 16])
        for piece in pieces
        for at in range(0, len(piece.records), 16)
    )


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_files_cut_at_lines_tell_what_whole_files_tell(kind: str, tmp_path: Path) -> None:
    paths = write_rows(tmp_path, dirty_rows(300), kind)
    files = spark_files(paths)
    plan = reading_of(files, rules(), None)
    assert sorted(plan.lines) == [file.key for file in files]
    report = load_records(paths, rules()).report
    seen = []
    for size, most in ((1 << 30, 1 << 16), (1500, 7)):
        work = clean_lines(CLEANING, plan.lines)
        found, note = pieces_and_note([work(iter(task)) for task in tasks(files, size, most)])
        assert note.failure is None
        assert note.rows == report.rows_read
        assert plan.examples(note) == report.examples["unparsable"]
        assert sum(note.dropped.values()) == sum(report.dropped.values())
        seen.append(records(found))
    batches = iter(
        [
            pa.record_batch([[f"file:{path}"], [path.read_bytes()]], names=["path", "content"])
            for path in paths
        ]
    )
    found, note = pieces_and_note([clean_whole(CLEANING)(batches)])
    assert note.rows == report.rows_read
    assert note.examples == report.examples["unparsable"]
    assert all(one == records(found) for one in seen)


def test_a_cell_over_the_end_of_a_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text('id,at,lat,lon,kmh\n"a\nb",2022-01-03T10:00:00+05:30,21.1,72.8,3\n', encoding="utf-8")
    files = spark_files([path])
    plan = reading_of(files, rules(), None)
    _, note = pieces_and_note([clean_lines(CLEANING, plan.lines)(iter(tasks(files, 1 << 20, 10)[0]))])
    assert note.failure is not None
    assert "continues on the next line" in note.failure[0]
    assert note.failure[1] == str(path)


def test_a_file_without_a_record_is_counted_as_the_local_engine_does(tmp_path: Path) -> None:
    paths = write_rows(tmp_path, dirty_rows(100), "jsonl")
    empty = [tmp_path / name for name in ("a.csv", "b.jsonl", "c.parquet")]
    empty[0].write_text(",".join(rules().mapping.columns))
    empty[1].write_bytes(b"")
    pq.write_table(pa.table({name: pa.array([], pa.string()) for name in rules().mapping.columns}), empty[2])
    local = load_records([*paths, *empty], rules()).report
    assert reading_of(spark_files([*paths, *empty]), rules(), None).empty == local.files_empty == 3
    with pytest.raises(NoRecord):
        reading_of(spark_files(empty), rules(), None)
    how = rules(ColumnMapping(vehicle="who", time="at", latitude="lat", longitude="lon", value="kmh"))
    files = spark_files(paths)
    plan = reading_of(files, how, None)
    cleaning = Cleaning(rules=how, zone=ZONE, now_ms=NOW)
    outputs = [clean_lines(cleaning, plan.lines)(iter(task)) for task in tasks(files, 4096, 50)]
    _, note = pieces_and_note(outputs)
    assert plan.without_records(note).files_empty == len(paths)
    with pytest.raises(NoRecord, match="No record has the field"):
        load_records(paths, how)


def test_what_a_file_is_refused_for_names_the_file_and_not_its_copy() -> None:
    batch = pa.record_batch([["s3a://city/a/broken.json"], [b'[{"id": 1}']], names=["path", "content"])
    _, note = pieces_and_note([clean_whole(CLEANING)(iter([batch]))])
    assert note.failure is not None
    assert note.failure[1] == "s3a://city/a/broken.json"


def test_an_exception_tells_its_kind_and_place_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError(SECRET)

    monkeypatch.setattr(spark_workers, "clean_rows", fails)
    batch = pa.record_batch([["a.csv"], [b"id,at,lat,lon,kmh\nx,1,1,1,1\n"]], names=["path", "content"])
    with pytest.raises(RuntimeError, match=r"hexveil worker: KeyError in \w+\.py:\d+\.") as stopped:
        list(clean_whole(CLEANING)(iter([batch])))
    assert SECRET not in "".join(traceback.format_exception(stopped.value))


def test_groups_end_in_a_note_of_their_versions() -> None:
    grouping = Grouping(rules=rules(), zone=ZONE, resolution=8, window=window())
    *_, last = group_pieces(grouping)(iter([]))
    assert "pyarrow" in last.column("note")[0].as_py()


def test_what_stops_the_labels_comes_back_as_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise InputError("It is too long.", where="a.csv", mend="cut it")

    monkeypatch.setattr(table_rows, "label_rows", fails)
    grouping = Grouping(rules=rules(), zone=ZONE, resolution=8, window=window())
    (batch,) = label_pieces(grouping)(iter([]))
    ((group, note, _),) = zip(*(column.to_pylist() for column in batch.columns), strict=True)
    assert group is None
    assert note_of(note).failure == ("It is too long.", "a.csv", "cut it")


def test_rows_are_handed_over_as_they_are() -> None:
    batch = table_rows.note_row(Note(rows=2))
    (cell,) = [packed.column(0)[0].as_py() for packed in pack_rows(iter([batch]))]
    assert list(unpacked([cell])) == [batch]
