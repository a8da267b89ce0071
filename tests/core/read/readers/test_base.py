"""What readers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.read.readers.base import Preview, as_text, require_columns
from tests.records import SECRET, assert_tells


def test_each_wanted_column_must_be_there_exactly_once() -> None:
    require_columns(["a", "b"], ["b", "c", "c", "a"], Path("x.csv"))
    for wanted, what in (("c", "more than once"), ("d", "missing")):
        with pytest.raises(InputError, match=what) as caught:
            require_columns(["a", wanted], ["b", "c", "c", "a"], Path("x.csv"))
        assert_tells(caught.value)
        assert "b, c, a" in caught.value.mend


def test_a_preview_gives_its_columns_and_shows_sizes_only() -> None:
    preview = Preview(columns=("a", "b"), rows=((SECRET, "1"), ("x", "2")))
    assert preview.column("b") == ["1", "2"]
    assert SECRET not in repr(preview)


def test_cells_become_text() -> None:
    assert [as_text(cell) for cell in (None, 1.5, [1, 2], "x")] == ["", "1.5", "[1, 2]", "x"]
