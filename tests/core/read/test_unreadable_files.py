"""core.read.unreadable_files: each failure of reading is a sentence with a place and a mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.read.unreadable_files import folder_refused, unreadable_as_input_error
from tests.records import assert_tells


@pytest.mark.parametrize(
    ("raised", "part"),
    [
        (FileNotFoundError(), "no such file"),
        (PermissionError(), "not allowed to read"),
        (EOFError("secret"), "truncated or damaged"),
        (OSError("of a library: secret"), "truncated or damaged"),
        (ValueError("embedded null byte"), "zero character"),
        (IsADirectoryError(), "a folder, not a file"),
        (OSError(5, "Input/output error"), "cannot be read: Input/output error"),
    ],
    ids=str,
)
def test_a_failure_is_said_and_quotes_nothing(raised: Exception, part: str) -> None:
    with pytest.raises(InputError, match=part) as caught, unreadable_as_input_error(Path("a.csv")):
        raise raised
    assert_tells(caught.value)
    assert "secret" not in str(caught.value)


def test_other_failures_and_sayings_pass_through() -> None:
    for error in (ValueError("a mistake of ours"), folder_refused(Path("b"))):
        with pytest.raises(type(error)) as caught, unreadable_as_input_error(Path("a.csv")):
            raise error
        assert caught.value is error
