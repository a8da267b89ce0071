"""What is told of rows that could not be read: column, form and file, never a cell."""

from __future__ import annotations

import dataclasses
import zipfile
from pathlib import Path

import pytest

from core.assist.unread_cells import UnreadCells, unread_cells
from core.clean.mapping import ReadingRules
from core.read.file_format import FileFormat
from tests.records import MAPPING, rules

HEAD = "license_plate;time;lat;lon;speed"


def rules_of(decimal: str = ",") -> ReadingRules:
    mapping = dataclasses.replace(
        MAPPING, time="time", position="", latitude="lat", longitude="lon", value="speed"
    )
    read = rules(mapping=mapping)
    return dataclasses.replace(read, format=FileFormat(decimal=decimal, date_order="dmy"))


def write(path: Path, *cells: tuple[str, str], rows: int = 30) -> Path:
    """Rows with pairs (time, speed)."""
    lines = [f"A{row};{time};47,2;-1,5;{speed}" for row in range(rows) for time, speed in cells]
    path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    return path


def told(found: UnreadCells | None) -> tuple[str, str, str, bool]:
    assert found is not None
    return found.column, found.shape, found.file, found.other_mark


def test_another_decimal_mark_is_told_with_the_file_that_it_begins_in(tmp_path: Path) -> None:
    good = ("05/10/2026 10:00:00", "23,5")
    files = [
        write(tmp_path / "a.csv", good),
        write(tmp_path / "b.csv", good, ("08/10/2026 10:00:00", "23.5")),
        write(tmp_path / "c.csv", ("09/10/2026 10:00:00", "23.5"), rows=300),
    ]
    assert told(unread_cells(files, rules_of())) == ("speed", "99.9", "b.csv", True)
    assert unread_cells(files[:1], rules_of()) is None


def test_the_column_with_most_of_them_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ("noon", "23,5"), ("noon", "23,5"), ("05/10/2026 10:00:00", "fast"))
    assert told(unread_cells([path], rules_of())) == ("time", "aaaa", "a.csv", False)


def test_a_member_of_an_archive_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(write(tmp_path / "in.csv", ("05/10/2026 10:00:00", "23.5")), "week/in.csv")
    assert told(unread_cells([tmp_path / "a.zip"], rules_of()))[2] == "a.zip/week/in.csv"


@pytest.mark.parametrize("cell", ["", " "])
def test_an_empty_cell_is_not_unreadable(tmp_path: Path, cell: str) -> None:
    assert unread_cells([write(tmp_path / "a.csv", ("05/10/2026 10:00:00", cell))], rules_of()) is None


def test_no_cell_is_told(tmp_path: Path) -> None:
    found = unread_cells([write(tmp_path / "a.csv", ("05/10/2026 10:00:00", "secret 7"))], rules_of())
    assert told(found)[1] == "aaaaaa 9"
    assert "secret" not in repr(found)


def test_numbers_with_either_mark_are_read_where_that_is_said(tmp_path: Path) -> None:
    time = "05/10/2026 10:00:00"
    path = write(tmp_path / "a.csv", (time, "23,5"), (time, "23.5"))
    assert unread_cells([path], rules_of(".,")) is None
    assert told(unread_cells([write(path, (time, "1.234,5"))], rules_of(".,"))) == (
        "speed",
        "9.999,9",
        "a.csv",
        False,
    )


def test_a_date_and_a_time_of_day_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "apart.csv"
    rows = [f"A{row};05-10-26;10:00:00;47,2;-1,5;23,5" for row in range(30)]
    path.write_text("\n".join(["license_plate;day;time;lat;lon;speed", *rows]) + "\n", encoding="utf-8")
    read = rules_of()
    read = dataclasses.replace(read, mapping=dataclasses.replace(read.mapping, date="day"))
    assert told(unread_cells([path], read)) == ("day, time", "99-99-99 99:99:99", "apart.csv", False)
