"""The formats of times in text, and where the fields of a time stand in a cell of a given shape (method 2.2).

A shape is a cell with every digit written as 9: cells of one shape have their fields at the same places.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.texts import text_of

_BLANK = "[ \u00a0\u202f]"
_MERIDIEM = rf"(?:\.{_BLANK}?)?[Mm]\.?"
HALF_OF_DAY = rf"{_BLANK}*(?P<half>[AaPp]){_MERIDIEM}"
"""AM and PM behind a clock, as in English and as in Spanish: `p. m.`, whose blanks do not break lines."""
FIRST_HALF = rf"{_BLANK}*[Aa]{_MERIDIEM}"
"""Only the first of the two: behind 12 it is midnight."""
_BETWEEN = ",? +"
"""Between date and time of day: browsers of most languages write `26/11/2026, 17:03:12`."""
_SECOND = r"(?P<second>99)(?:[.,](?P<fraction>9{1,9}))?"
_CLOCK = rf"(?P<hour>99?):(?P<minute>99)(?::{_SECOND})?(?:{HALF_OF_DAY})?"
_BASIC_CLOCK = rf"(?P<hour>99)(?P<minute>99)(?:{_SECOND})?"
_OFFSET = r"(?: *(?P<offset>Z|UTC|GMT|(?P<sign>[+-])(?P<ahead>99)(?::?(?P<ahead_minutes>99))?))?"
_MONTHS = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = (
    r"(?P<weekday>(?i:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?))"
)
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LONGEST = 64
"""Characters; no format reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFormat:
    """One way to write times."""

    name: str
    shapes: tuple[str, ...]
    """Regular expressions of the shapes it has; their groups are the fields."""
    examples: tuple[tuple[str, str], ...]
    """Pairs (made-up cell, what it is read as): an instant ending in Z, or a wall clock in the zone."""
    date_order: str = ""
    """The order of day and month that must be named for it; empty: none."""


TIME_FORMATS = (
    TimeFormat(
        name="ISO 8601",
        shapes=(rf"(?P<year>9999)-(?P<month>99)-(?P<day>99)(?:T|{_BETWEEN}){_CLOCK}{_OFFSET}",),
        examples=(
            ("2023-01-02T03:04:05+05:30", "2023-01-01 21:34:05Z"),
            ("2023-01-02 03:04:05", "2023-01-02 03:04:05"),
            ("2023-01-02T03:04", "2023-01-02 03:04:00"),
            ("2023-01-02 3:04:05", "2023-01-02 03:04:05"),
            ("2023-01-02, 03:04:05", "2023-01-02 03:04:05"),
            ("2023-01-02 03:04:05.678", "2023-01-02 03:04:05.678"),
            ("2023-01-02 03:04:05,678", "2023-01-02 03:04:05.678"),
            ("2023-01-02T03:04:05Z", "2023-01-02 03:04:05Z"),
            ("2023-01-02 03:04:05 UTC", "2023-01-02 03:04:05Z"),
            ("2023-01-02 03:04:05 GMT", "2023-01-02 03:04:05Z"),
            ("2023-01-02 03:04:05+00", "2023-01-02 03:04:05Z"),
            ("2023-01-02 03:04:05+05", "2023-01-01 22:04:05Z"),
            ("2023-01-02 03:04:05 -0330", "2023-01-02 06:34:05Z"),
        ),
    ),
    TimeFormat(
        name="ISO 8601, basic",
        shapes=(
            rf"(?P<year>9999)(?P<month>99)(?P<day>99)[T ]{_BASIC_CLOCK}{_OFFSET}",
            rf"(?P<year>9999)(?P<month>99)(?P<day>99)(?:T|{_BETWEEN}){_CLOCK}{_OFFSET}",
        ),
        examples=(
            ("20230102T030405Z", "2023-01-02 03:04:05Z"),
            ("20230102T030405+0530", "2023-01-01 21:34:05Z"),
            ("20230102 030405", "2023-01-02 03:04:05"),
            ("20230102T0304", "2023-01-02 03:04:00"),
            ("20230102 03:04", "2023-01-02 03:04:00"),
        ),
    ),
    TimeFormat(
        name="year first",
        shapes=(rf"(?P<year>9999)/(?P<month>99?)/(?P<day>99?){_BETWEEN}{_CLOCK}{_OFFSET}",),
        examples=(
            ("2023/01/02 03:04:05", "2023-01-02 03:04:05"),
            ("2023/1/2 3:04 PM", "2023-01-02 15:04:00"),
        ),
    ),
    *(
        TimeFormat(
            name=name,
            shapes=(
                rf"(?P<{first}>99?)(?P<mark>[-/.])(?P<{second}>99?)(?P=mark)(?P<year>9999)"
                rf"{_BETWEEN}{_CLOCK}{_OFFSET}",
            ),
            examples=examples,
            date_order=order,
        )
        for name, order, first, second, examples in (
            (
                "day first",
                "dmy",
                "day",
                "month",
                (
                    ("31/12/2023 10:15", "2023-12-31 10:15:00"),
                    ("31.12.2023 9:05:30", "2023-12-31 09:05:30"),
                    ("2-1-2023 9:05 PM", "2023-01-02 21:05:00"),
                    ("31/12/2023 09:05:30 p. m.", "2023-12-31 21:05:30"),
                    ("31/12/2023 12:05:30 a.m.", "2023-12-31 00:05:30"),
                    ("31/12/2023, 09:05:30", "2023-12-31 09:05:30"),
                    ("31/12/2023, 9:05:30 p.m.", "2023-12-31 21:05:30"),
                ),
            ),
            (
                "month first",
                "mdy",
                "month",
                "day",
                (
                    ("12/31/2023 10:15", "2023-12-31 10:15:00"),
                    ("1/2/2023 9:05:30 PM", "2023-01-02 21:05:30"),
                    ("12/31/2023, 9:05:30 PM", "2023-12-31 21:05:30"),
                ),
            ),
        )
    ),
    TimeFormat(
        name="RFC 2822",
        shapes=(rf"{_WEEKDAYS},? (?P<day>99?) (?P<name>{_MONTHS}) (?P<year>9999) {_CLOCK}{_OFFSET}",),
        examples=(
            ("Mon, 02 Jan 2023 03:04:05 +0000", "2023-01-02 03:04:05Z"),
            ("Mon, 2 Jan 2023 03:04:05 -0600", "2023-01-02 09:04:05Z"),
            ("Mon, 02 Jan 2023 03:04:05 GMT", "2023-01-02 03:04:05Z"),
        ),
    ),
    TimeFormat(
        name="month by name",
        shapes=(
            rf"(?P<day>99?)(?P<mark>[- /])(?P<name>{_MONTHS})(?P=mark)(?P<year>9999)"
            rf"{_BETWEEN}{_CLOCK}{_OFFSET}",
            rf"(?:{_WEEKDAYS},? )?(?P<name>{_MONTHS}) (?P<day>99?),? (?P<year>9999)"
            rf"{_BETWEEN}{_CLOCK}{_OFFSET}",
        ),
        examples=(
            ("2 Jan 2023 03:04", "2023-01-02 03:04:00"),
            ("02-Jan-2023 03:04:05", "2023-01-02 03:04:05"),
            ("2 January 2023 03:04", "2023-01-02 03:04:00"),
            ("Jan 2, 2023 3:04 PM", "2023-01-02 15:04:00"),
        ),
    ),
    *(
        TimeFormat(
            name=text_of("{unit} since 1970", unit=unit),
            shapes=(rf"(?P<epoch>9{{{fewest},{most}}})(?:(?P<decimal>[.,])9+)?",),
            examples=examples,
        )
        for unit, fewest, most, examples in (
            (
                "seconds",
                9,
                11,
                (("1672628645", "2023-01-02 03:04:05Z"), ("1672628645.678", "2023-01-02 03:04:05.678Z")),
            ),
            ("milliseconds", 12, 13, (("1672628645678", "2023-01-02 03:04:05.678Z"),)),
            ("microseconds", 15, 16, (("1672628645678000", "2023-01-02 03:04:05.678Z"),)),
            ("nanoseconds", 18, 19, (("1672628645678000000", "2023-01-02 03:04:05.678Z"),)),
        )
    ),
)
"""Every format that is read, as docs/file-formats.md has them; in one order of dates no shape has two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLayout:
    """Where the cells of one shape have their fields, and what all of them have in common."""

    time_format: TimeFormat
    places: Mapping[str, tuple[int, int]]
    """Field -> (first byte, width) of its digits: `year`, `month`, `day`, `hour`, `minute`, `second`,
    `fraction`, `ahead`, `ahead_minutes`; those that the shape has. None of an epoch number."""
    month: int = 0
    """By its name; 0 where digits tell it."""
    weekday: int | None = None
    """From Monday = 0; None: not given."""
    half: str = ""
    """`A` or `P` of AM and PM; empty: hours of 24."""
    has_offset: bool = False
    """Whether the offset from UTC is given, `Z` and `UTC` included."""
    west: bool = False
    """Whether the offset is behind UTC."""
    decimal: str | None = None
    """The decimal mark of an epoch number, empty in a whole one; None: no epoch number."""


def shape_of_digits(cell: str) -> str:
    """A cell with every ASCII digit as 9; whatever else it holds stays."""
    return re.sub("[0-9]", "9", cell)


@functools.lru_cache(maxsize=4096)
def layout_of(shape: str, date_order: str = "", decimal: str = ".") -> TimeLayout | None:
    """How cells of this shape are read; None where they are no times.

    date_order: `dmy` or `mdy` if it is named; decimal: the mark of epoch numbers.
    """
    if len(shape) > _LONGEST:
        return None
    for time_format, pattern in _PATTERNS:
        found = pattern.fullmatch(shape)
        if found and time_format.date_order in ("", date_order):
            if (found.groupdict().get("decimal") or "") not in decimal:
                return None
            return _layout(time_format, found)
    return None


_PATTERNS = [(one, re.compile(shape, re.ASCII)) for one in TIME_FORMATS for shape in one.shapes]
_FIELDS = ("year", "month", "day", "hour", "minute", "second", "fraction", "ahead", "ahead_minutes")


def _layout(time_format: TimeFormat, found: re.Match[str]) -> TimeLayout:
    part = {name: text or "" for name, text in found.groupdict().items()}
    if "epoch" in part:
        return TimeLayout(time_format=time_format, places={}, decimal=part["decimal"])
    return TimeLayout(
        time_format=time_format,
        places={name: (_bytes_before(found, name), len(part[name])) for name in _FIELDS if part.get(name)},
        month=_MONTH_NAMES.index(part["name"][:3].lower()) + 1 if "name" in part else 0,
        weekday=_WEEKDAY_NAMES.index(part["weekday"][:3].lower()) if part.get("weekday") else None,
        half=part.get("half", "").upper(),
        has_offset=bool(part["offset"]),
        west=part["sign"] == "-",
    )


def _bytes_before(found: re.Match[str], name: str) -> int:
    """Where a field begins: a wide blank before it has several bytes."""
    return len(found.string[: found.start(name)].encode())
