"""Which files hold data."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.read.data_names import is_data_file

FEED = b"\n\r\n\x032.0\x10\0\x18\x80\x9e\x99\xbe\x06"


@pytest.mark.parametrize(
    ("name", "data", "held"),
    [
        ("a.csv", b"", True),
        ("a.tar.gz", b"", True),
        ("poll", FEED, True),
        ("poll.1", FEED, True),
        ("poll.part", FEED, False),
        ("rows", b'[{"a": 1}]', True),
        ("rows.log", b'[{"a": 1}]', False),
        ("notes", b"hello", False),
        ("gone", None, False),
        ("README.csv", b"", False),
        ("stops.txt", b"", False),
    ],
)
def test_names_decide_and_first_bytes_where_these_tell_nothing(
    name: str, data: bytes | None, held: bool, tmp_path: Path
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert is_data_file(tmp_path / name) == held


def test_of_xml_beside_records_only_siri_is_data(tmp_path: Path) -> None:
    for name, text in (
        ("poll.xml", "<?xml version='1.0'?><Siri/>"),
        ("styles.xml", "<qgis/>"),
        ("e.xml", ""),
    ):
        (tmp_path / name).write_text(text)
    assert [is_data_file(tmp_path / name) for name in ("poll.xml", "styles.xml", "e.xml")] == [
        True,
        False,
        True,
    ]
