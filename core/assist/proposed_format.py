"""Encoding and sheet that a file seems to want, where it does not say them itself: for a first look at it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.assist.format_options import options_of
from core.read.encodings import guess_encodings
from core.read.file_format import FileFormat
from core.read.reader_registry import reader_for
from core.read.readers.workbook_files import sheet_names


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedFormat:
    """What may be named, the likeliest first; nothing where the file needs no name."""

    encodings: tuple[str, ...]
    sheets: tuple[str, ...]

    @property
    def file_format(self) -> FileFormat:
        """The likeliest of each."""
        return FileFormat(
            encoding=self.encodings[0] if self.encodings else "", sheet=self.sheets[0] if self.sheets else ""
        )


def proposed_format(path: Path) -> ProposedFormat:
    """What a file leaves to be named. Raises InputError for what is unusable."""
    options = options_of(reader_for(path).key)
    sheets = sheet_names(path) if "sheet" in options else ()
    return ProposedFormat(
        encodings=guess_encodings(path) if "encoding" in options else (),
        sheets=sheets if len(sheets) > 1 else (),
    )
