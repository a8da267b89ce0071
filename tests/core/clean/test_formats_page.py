"""The page has the table that the program reads times by."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.clean.formats_page import HEAD, format_rows, with_formats
from core.clean.time_formats import TIME_FORMATS
from core.errors import InputError

PAGE = Path(__file__).resolve().parents[3] / "docs" / "file-formats.md"


def test_the_page_has_the_forms_that_are_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_formats(page) == page, "run make docs"


def test_each_example_is_a_row() -> None:
    rows = format_rows().split("\n")
    assert len(rows) == sum(len(one.examples) for one in TIME_FORMATS)
    assert rows[0] == "| ISO 8601 | `2023-01-02T03:04:05+05:30` | 2023-01-01 21:34:05 UTC |"
    assert "| day first, `dmy` | `31/12/2023 10:15` | 2023-12-31 10:15:00 |" in rows


def test_rows_are_written_between_what_stands_around_them() -> None:
    assert with_formats(f"a\n{HEAD}| old |\n\nb") == f"a\n{HEAD}{format_rows()}\n\nb"


@pytest.mark.parametrize("page", ["", HEAD, "a\n\nb"])
def test_a_page_without_the_table_is_refused(page: str) -> None:
    with pytest.raises(InputError, match="no place"):
        with_formats(page)
