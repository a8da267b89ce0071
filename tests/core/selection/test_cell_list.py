"""A list of hexagons in a text file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.selection.cell_list import read_cells
from tests.records import assert_tells


def test_headers_comments_columns_and_repeats(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("h3_cell,name\n# west\n8742d9d69ffffff,a\n\n8742D9D68FFFFFF # east\n8742d9d69ffffff\n")
    assert read_cells(path, 7) == (0x8742D9D68FFFFFF, 0x8742D9D69FFFFFF)


def test_a_list_of_nothing_is_no_cell(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("h3_cell\n# none\n")
    assert read_cells(path, 7) == ()


def test_another_resolution_is_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("h3_cell\n8742d9d69ffffff\n")
    with pytest.raises(InputError, match="resolution 7, not 8") as caught:
        read_cells(path, 8)
    assert_tells(caught.value)
    assert caught.value.where.endswith("line 2")
