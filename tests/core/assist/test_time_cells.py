"""core.assist.time_cells: the times of a preview, from one column or from two."""

from __future__ import annotations

from core.assist.time_cells import time_cells
from core.read.preview_rows import Preview

PREVIEW = Preview(
    columns=("Date", "Heure"),
    rows=(("05/10/2026", "06:12:07"), ("05/10/2026 00:00:00", " 06:12"), ("", "06:12"), ("05/10/2026", "")),
)


def test_one_column_is_taken_as_it_stands() -> None:
    assert time_cells(PREVIEW, "Heure") == ["06:12:07", " 06:12", "06:12", ""]


def test_two_columns_are_joined_as_a_load_joins_them() -> None:
    assert time_cells(PREVIEW, "Heure", "Date") == ["05/10/2026 06:12:07", "05/10/2026 06:12", "", ""]
