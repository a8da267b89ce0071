"""Encoding and sheet that a file seems to want, where it does not say them itself: for a first look at it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.assist.format_options import options_of
from core.read.encodings import guess_encodings
from core.read.file_format import ALL_SHEETS, FileFormat
from core.read.reader_registry import reader_for
from core.read.readers.workbook_files import sheet_names, sheets_alike, title_rows
from core.read.title_lines import title_lines_in


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedFormat:
    """What may be named, the likeliest first; nothing where the file needs no name."""

    encodings: tuple[str, ...]
    sheets: tuple[str, ...]
    skip_lines: int = 0
    """Lines that seem to stand above the names of columns."""

    @property
    def file_format(self) -> FileFormat:
        """The likeliest of each."""
        return FileFormat(
            encoding=self.encodings[0] if self.encodings else "",
            sheet=self.sheets[0] if self.sheets else "",
            skip_lines=self.skip_lines,
        )


def proposed_format(path: Path) -> ProposedFormat:
    """What a file leaves to be named. Raises InputError for what is unusable."""
    options = options_of(reader_for(path).key)
    sheets = sheet_names(path) if "sheet" in options else ()
    encodings = guess_encodings(path) if "encoding" in options else ()
    if sheets:
        titles = title_rows(path, sheets[0])
    else:
        titles = (
            title_lines_in(path, FileFormat(encoding=(*encodings, "")[0])) if "skip_lines" in options else 0
        )
    if len(sheets) > 1 and sheets_alike(path, FileFormat(skip_lines=titles)):
        sheets = (ALL_SHEETS, *sheets)
    return ProposedFormat(encodings=encodings, sheets=sheets if len(sheets) > 1 else (), skip_lines=titles)
