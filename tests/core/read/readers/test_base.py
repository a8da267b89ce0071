"""What readers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.read.readers.base import require_columns
from tests.records import assert_tells


def test_each_wanted_column_must_be_there_exactly_once() -> None:
    require_columns(["a", "b"], ["b", "c", "c", "a"], Path("x.csv"))
    for wanted, what, mend in (("c", "more than once", "another name"), ("d", "missing", "b, c, a")):
        with pytest.raises(InputError, match=what) as caught:
            require_columns(["a", wanted], ["b", "c", "c", "a"], Path("x.csv"))
        assert_tells(caught.value)
        assert mend in caught.value.mend
