"""What cells of times look like, as 9s and letters, and why they match no known form of dates or times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from core.assist.number_date_notation import Evidence
from core.clean.read_times import MISSING
from core.clean.split_times import joined_times
from core.clean.time_formats import (
    DIGITS_ALONE,
    FIRST_HALF,
    HALF_OF_DAY,
    TIME_FORMATS,
    TimeFormat,
    layout_of,
    shape_of_digits,
)
from core.clean.times import ordered_dates, parse_times
from core.read.file_format import DATE_ORDERS, EITHER_MARK, FileFormat
from core.texts import joined, text_of

FORMATS_PAGE = "docs/file-formats.md"
ENOUGH = 0.9
"""Share of the preview's cells that must be readable as what they are guessed to be."""
_LONGEST = 40
"""Characters that are shown of the shape of a time."""
DATE_ALONE = re.compile(r"(\d{4}([-/.])\d\d?\2\d\d?|\d\d?([-/.])\d\d?\3\d{4}|\d{8})")
CLOCK_ALONE = re.compile(
    rf"\d\d?([:h]\d\d|[:.]\d\d[:.]\d\d([.,]\d+)?)({HALF_OF_DAY})?( *(Z|UTC|GMT|[+-]\d\d(:?\d\d)?))?"
)
MIDNIGHT = re.compile(rf"(?P<date>.+?)((T|,? |:)00:00(:00([.,]0+)?)?|,? 12:00:00{FIRST_HALF})")
_PLAIN_BLANKS = str.maketrans("\u00a0\u202f", "  ")
"""Blanks that do not break lines, as the plain ones that they look like: of times that are read they tell
nothing, and of others they may be what is wrong."""
_SHORT_YEAR = (r"\d\d?-\d\d?-\d\d((T|,? ).*)?", "a year of two digits")
_UNSURE_ZONE = (r".*\d *(CST|IST|BST|AST|GST)", "several zones have this abbreviation")
_NO_SUCH_NUMBERS = "no calendar or clock has such numbers"
_LIKE_NO_TIME = "it matches no known form of times"
_WHY = (
    (DATE_ALONE, "a date without a time of day"),
    (CLOCK_ALONE, "a time of day without a date"),
    _SHORT_YEAR,
    _UNSURE_ZONE,
)
"""Pairs (regular expression of a cell, what is wrong with it)."""


def cell_shape(cell: str) -> str:
    """A cell with digits as 9 and letters as a, punctuation as it stands; long ones cut short."""
    shape = "".join(map(_class_of, cell.strip()))
    return shape if len(shape) <= _LONGEST else shape[: _LONGEST - 1] + "…"


def _class_of(character: str) -> str:
    if character.isnumeric():
        return "9"
    if character.isalpha():
        return "a"
    return character if character.isascii() and character.isprintable() else "?"


def are_times(cells: Sequence[str], date_order: str = "") -> list[bool]:
    """Which cells are times in the order of day and month that is named, or without one in either."""
    column = pa.array(cells, pa.string())
    either = FileFormat(date_order=date_order, decimal=EITHER_MARK)  # the mark is found apart
    readable = parse_times(column, either).instants != MISSING
    for ordered in () if date_order else ordered_dates(cells):
        readable |= ordered
    return [bool(one) for one in readable]


def time_format(cells: Sequence[str], date_order: str = "") -> Evidence:
    """How the commonest shape of a column's cells is read; `choice` None: too many of them are not, and why.

    date_order: `dmy` or `mdy` where it is known; else both are thought of. Empty cells tell nothing.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return Evidence(choice=None, reason="")
    readable = are_times(filled, date_order)
    read = [cell for cell, is_time in zip(filled, readable, strict=True) if is_time]
    if len(read) < ENOUGH * len(filled):
        return Evidence(
            choice=None,
            reason=_unread([cell for cell, is_time in zip(filled, readable, strict=True) if not is_time]),
        )
    orders = (date_order,) if date_order else ("", *DATE_ORDERS)
    shapes = Counter(
        (cell_shape(cell.translate(_PLAIN_BLANKS)), one) for cell in read if (one := _format_of(cell, orders))
    )
    if not shapes:
        return Evidence(choice=None, reason=_unread(filled))
    (shape, likeliest), _ = shapes.most_common(1)[0]
    formats = [likeliest]
    if likeliest.date_order and not date_order:
        formats = [one for one in TIME_FORMATS if one.date_order]
    names = joined(" or ", (one.name for one in formats))
    examples = joined(" or ", (_example(one, shape) for one in formats))
    return Evidence(
        choice=likeliest.name,
        reason=text_of("Read as {names}, like {examples}", names=names, examples=examples),
    )


def unread_dates(cells: Sequence[str], date_order: str = "") -> str:
    """Why a column of dates is not read, whatever time of day stands beside it; empty where it is."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    both = joined_times(pa.array(filled, pa.string()), pa.array(["00:00"] * len(filled), pa.string()))
    readable = are_times(both.to_pylist(), date_order)
    return _unread_alone(
        filled, both.to_pylist(), readable, (_SHORT_YEAR,), "it matches no known form of dates"
    )


def unread_clocks(cells: Sequence[str]) -> str:
    """Why a column of times of day is not read, whatever date stands beside it; empty where it is."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    both = joined_times(pa.array(["20231231"] * len(filled), pa.string()), pa.array(filled, pa.string()))
    return _unread_alone(filled, both.to_pylist(), are_times(both.to_pylist()), _WHY, _LIKE_NO_TIME)


def _unread_alone(
    cells: Sequence[str],
    whole: Sequence[str],
    readable: Sequence[bool],
    wrong: Sequence[tuple[str | re.Pattern[str], str]],
    otherwise: str,
) -> str:
    """whole: the cells with what is read in any case beside them."""
    unread = {cell: both for cell, both, is_time in zip(cells, whole, readable, strict=True) if not is_time}
    if sum(readable) >= ENOUGH * len(cells):
        return ""
    shape, cell = _commonest([cell for cell in cells if cell in unread])
    if _format_of(unread[cell], ("", *DATE_ORDERS)):
        why = _NO_SUCH_NUMBERS
    elif _format_of(cell, ("", *DATE_ORDERS)):
        why = "a date with a time of day"
    else:
        why = _first_that_fits(cell, wrong, otherwise)
    return _not_read(shape, why)


def _unread(cells: Sequence[str]) -> str:
    shape, cell = _commonest(cells)
    return _not_read(shape, _why_not(cell))


def _not_read(shape: str, why: str) -> str:
    return text_of('"{shape}" is not read: {why}', shape=shape, why=why)


def _commonest(cells: Sequence[str]) -> tuple[str, str]:
    """The shape of most cells, and the first cell that has it."""
    shape, _ = Counter(map(cell_shape, cells)).most_common(1)[0]
    return shape, next(cell for cell in cells if cell_shape(cell) == shape)


def _format_of(cell: str, orders: Sequence[str]) -> TimeFormat | None:
    if re.fullmatch(r"20\d{10}", cell, re.ASCII):
        return next(one for one in TIME_FORMATS if one.name == DIGITS_ALONE)
    digits = shape_of_digits(cell)
    layouts = (layout_of(digits, order, mark) for order in orders for mark in ".,")
    return next((layout.time_format for layout in layouts if layout), None)


def _example(written: TimeFormat, shape: str) -> str:
    """A made-up cell of the format, of the same shape where there is one."""
    cells = [cell for cell, _ in written.examples]
    return next((cell for cell in cells if cell_shape(cell) == shape), cells[0])


def _why_not(cell: str) -> str:
    if _format_of(cell, ("", *DATE_ORDERS)):
        return _NO_SUCH_NUMBERS
    return _first_that_fits(cell, _WHY, _LIKE_NO_TIME)


def _first_that_fits(cell: str, wrong: Sequence[tuple[str | re.Pattern[str], str]], otherwise: str) -> str:
    return next((what for pattern, what in wrong if re.fullmatch(pattern, cell)), otherwise)
