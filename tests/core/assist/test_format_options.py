"""core.assist.format_options: what can be named for a kind of file."""

from __future__ import annotations

import codecs

from core.assist.format_options import DELIMITER_MARKS, ENCODINGS, options_of
from core.read.file_format import FileFormat
from core.read.reader_registry import all_readers


def test_every_option_is_a_field_and_every_entry_is_accepted() -> None:
    for kind in ("csv", "json", "parquet", "workbook"):
        assert options_of(kind)
    for reader in all_readers():
        assert options_of(reader.key) == reader.options
        assert set(reader.options) <= set(FileFormat.__dataclass_fields__)
    assert options_of("gtfs") == ()
    assert options_of("unknown") == ()
    for encoding in ENCODINGS:
        assert codecs.lookup(encoding)
        assert FileFormat(encoding=encoding).encoding == encoding
    assert len({codecs.lookup(encoding).name for encoding in ENCODINGS}) == len(ENCODINGS)
    assert [FileFormat(delimiter=mark).delimiter for mark in DELIMITER_MARKS] == list(DELIMITER_MARKS)
