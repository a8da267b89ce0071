"""core.read.preview_rows: the first rows of a file as text."""

from __future__ import annotations

from core.read.preview_rows import Preview, as_text
from tests.records import SECRET


def test_a_preview_gives_its_columns_and_shows_sizes_only() -> None:
    preview = Preview(columns=("a", "b"), rows=((SECRET, "1"), ("x", "2")))
    assert preview.column("b") == ["1", "2"]
    assert SECRET not in repr(preview)


def test_cells_become_text() -> None:
    assert [as_text(cell) for cell in (None, 1.5, [1, 2], "x")] == ["", "1.5", "[1, 2]", "x"]
