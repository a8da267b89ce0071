"""How files are written: only what can be is accepted."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat


def test_nothing_named_means_utf8_points_and_iso_times() -> None:
    assert FileFormat() == AS_FOUND
    assert (AS_FOUND.encoding, AS_FOUND.delimiter, AS_FOUND.decimal, AS_FOUND.date_order) == ("", "", ".", "")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("encoding", "utf-99"),
        ("delimiter", ";;"),
        ("delimiter", '"'),
        ("delimiter", "\n"),
        ("decimal", "'"),
        ("decimal", ""),
        ("decimal", ",."),
        ("date_order", "ymd"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(key: str, value: str) -> None:
    with pytest.raises(InputError) as refused:
        FileFormat(**{key: value})
    assert refused.value.where == f"data.format.{key}"


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "latin-1", "UTF-8"])
def test_known_encodings_and_marks_are_accepted(encoding: str) -> None:
    assert FileFormat(encoding=encoding, delimiter="\t", decimal=",", date_order="dmy").encoding == encoding
