"""How the text of files is written: decimal mark, delimiter, lines above names, day or month first."""

from __future__ import annotations

import codecs
from dataclasses import asdict, dataclass
from typing import ClassVar

from core.errors import InputError

EITHER_MARK = ".,"
"""Each number has one mark at most, this or that, as after a change of the system that writes them."""
ALL_SHEETS = "all"
MOST_SKIPPED = 100
DECIMALS = (".", ",", EITHER_MARK)
DATE_ORDERS = ("dmy", "mdy")
MISSING_WORDS: tuple[str, ...] = (
    "NULL",
    r"\N",
    "NA",
    "N/A",
    "NaN",
    "nan",
    "None",
    "(null)",
    "[NULL]",
    "#N/A",
    "-",
)
"""What databases, spreadsheets and programs write into a cell without a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """Named once for all files of a data set, so that no row can change how another is read."""

    any_bytes: ClassVar[bool] = False
    """Bytes that do not fit the encoding refuse no file: each becomes U+FFFD in its own cell."""
    seeks_lists: ClassVar[bool] = True
    """Where `records` names no list of JSON, what objects hold decides which of them are records."""

    encoding: str = ""
    """Python's name of the encoding; empty: UTF-8, or what a byte-order mark says."""
    delimiter: str = ""
    """Between the cells of CSV; empty: the one of the first line."""
    decimal: str = "."
    """The decimal mark of numbers in text, one of `DECIMALS`."""
    date_order: str = ""
    """`dmy` or `mdy`: how dates like 03/04/2023 are read; empty: they are not."""
    sheet: str | tuple[str, ...] = ""
    """The sheet of a workbook, or several whose columns are alike, or `ALL_SHEETS`; empty: the only one."""
    skip_lines: int = 0
    """Lines of text, or rows of a sheet, above the names of columns: titles, who made it and when."""
    missing: tuple[str, ...] = MISSING_WORDS
    """Words that mean "no value" in every column, blanks around them left out."""
    records: str = ""
    """The list in JSON that holds the records, with dots; empty: each that holds objects alike."""

    def __post_init__(self) -> None:
        """Raises InputError for what cannot be."""
        if self.encoding:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise InputError(
                    "The encoding {encoding} is unknown.",
                    encoding=f"{self.encoding!r}",
                    where="data.format.encoding",
                    mend='write for instance "cp1252" or "utf-16"',
                ) from None
        if len(self.delimiter) > 1 or self.delimiter in ('"', "\n", "\r"):
            raise InputError(
                "This is not a delimiter.",
                where="data.format.delimiter",
                mend='write one character, for instance ";" or "\\t"',
            )
        if self.decimal not in DECIMALS:
            raise InputError(
                "This is not a decimal mark.",
                where="data.format.decimal",
                mend='write "." or ",", or ".," for numbers with either',
            )
        if not 0 <= self.skip_lines <= MOST_SKIPPED:
            raise InputError(
                "There cannot be so many lines above the column names.",
                where="data.format.skip_lines",
                mend="write a number from 0 to 100",
            )
        if self.date_order and self.date_order not in DATE_ORDERS:
            raise InputError(
                "This order of day and month is unknown.",
                where="data.format.date_order",
                mend='write "dmy" for 31/12/2023 or "mdy" for 12/31/2023',
            )


class FormatOfEach(FileFormat):
    """The same for relation `user`, where one record neither refuses nor chooses another (method 12.1)."""

    any_bytes: ClassVar[bool] = True
    seeks_lists: ClassVar[bool] = False


def format_of_each(file_format: FileFormat) -> FileFormat:
    """As it is named, but for bytes that do not fit and lists that nobody names."""
    return FormatOfEach(**asdict(file_format))


AS_FOUND = FileFormat()
"""Nothing is named: UTF-8, the delimiter of the first line, decimal points, ISO or epoch times."""
