"""Formats of times in text, with examples, zones and months, and where their fields stand (method 2.2).

A shape is a cell with every digit written as 9: cells of one shape have their fields at the same places.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from core.records.zones import known_zones
from core.texts import text_of

_BLANK = "[ \u00a0\u202f]"
_MERIDIEM = rf"(?:\.{_BLANK}?)?[Mm]\.?"
HALF_OF_DAY = rf"{_BLANK}*(?P<half>[AaPp]){_MERIDIEM}"
"""AM and PM behind a clock, as in English and as in Spanish: `p. m.`, whose blanks do not break lines."""
FIRST_HALF = rf"{_BLANK}*[Aa]{_MERIDIEM}"
"""Only the first of the two: behind 12 it is midnight."""
_BETWEEN = rf"(?:,?{_BLANK}+(?:(?:@|at|um|à|às|a las|kl\.?){_BLANK})?|[_:-])"
"""Between date and time of day: browsers of most languages write `26/11/2026, 17:03:12`."""
_SECOND = r"(?P<second>99)(?:[.,](?P<fraction>9{1,9}))?"
_CLOCK = rf"(?P<hour>99?)(?P<colon>[:.h])(?P<minute>99)(?:(?P=colon){_SECOND})?(?:{HALF_OF_DAY})?"
_BASIC_CLOCK = rf"(?P<hour>99)(?P<minute>99)(?:{_SECOND})?"
_HOURS_AHEAD = "(?P<sign>[+\u2212-])(?P<ahead>99|(?<=(?:UTC|GMT).)9)(?::?(?P<ahead_minutes>99))?"
_ASIDE = r"(?: ?\[[A-Za-z_/+9-]+\]| ?\([^()]*\)| [A-Z]{3,5})?"
"""What names the zone once more, behind an offset that tells all."""
_OFFSET = (
    rf"(?: *(?P<offset>[Zz]|UTC|GMT|(?:UTC|GMT)?{_HOURS_AHEAD}){_ASIDE}"
    r"| *\[?(?P<place>[A-Z]{3,4}|[A-Z][A-Za-z_]+(?:/[A-Za-z_-]+)+)\]?)?"
)
_YEAR = "(?P<year>9999|99)"
"""Where nothing else could be meant, two digits are 2000 to 2099."""
_MONTH = r"(?P<name>[^\W\d_]{3,10})"
_WEEKDAYS = (
    r"(?P<weekday>(?i:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?))"
)
_MONTH_NAMES = (
    "jan|january|januar|janner|janv|janvier|enero|ene|janeiro",
    "feb|february|februar|feber|fev|fevr|fevrier|febrero|fevereiro",
    "mar|march|marz|mrz|mars|marzo|marco",
    "apr|april|avr|avril|abr|abril",
    "may|mai|mayo|maio",
    "jun|june|juni|juin|junio|junho",
    "jul|july|juli|juil|juillet|julio|julho",
    "aug|august|aout|ago|agosto",
    "sep|sept|september|septembre|septiembre|setiembre|set|setembro",
    "oct|october|okt|oktober|octobre|octubre|out|outubro",
    "nov|november|novembre|noviembre|novembro",
    "dec|december|dez|dezember|decembre|dic|diciembre|dezembro|des|desember",
)
"""In English, German, French, Spanish, Portuguese and Norwegian, whole and short, without accents."""
_MONTHS = {name: month for month, names in enumerate(_MONTH_NAMES, start=1) for name in names.split("|")}
_WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ABBREVIATIONS = {
    name: int(hours) * 60
    for hours, names in (
        *((-7, "PDT"), (-8, "PST"), (-6, "MDT"), (-7, "MST"), (-5, "CDT|EST"), (-4, "EDT"), (0, "WET")),
        *((1, "CET|WEST"), (2, "CEST|EET|SAST|CAT"), (3, "EEST|MSK|EAT"), (8, "HKT|AWST"), (9, "JST|KST")),
        *((10, "AEST"), (11, "AEDT"), (12, "NZST"), (13, "NZDT")),
    )
    for name in names.split("|")
}
"""Minutes ahead of UTC, of those that mean one zone: `CST`, `IST` and `BST` mean several."""
_LONGEST = 80
"""Characters of a format of times; none reaches it."""
DIGITS_ALONE = "digits alone"


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


def _ordered_date(first: str, second: str) -> str:
    return rf"(?P<{first}>99?)(?P<mark>[-/.])(?P<{second}>99?)(?P=mark)(?P<year>9999|(?<=[/.])99)"


TIME_FORMATS = (
    TimeFormat(
        name="ISO 8601",
        shapes=(
            rf"(?P<year>9999)-(?P<month>99)-(?P<day>99)(?:[Tt]|{_BETWEEN}){_CLOCK}{_OFFSET}",
            rf"{_CLOCK} (?P<year>9999)-(?P<month>99)-(?P<day>99)",
        ),
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
            ("2023-01-02 03:04:05 +0530 IST", "2023-01-01 21:34:05Z"),
            ("2023-01-02 03:04:05.678 Europe/Oslo", "2023-01-02 02:04:05.678Z"),
            ("2023-01-02T03:04:05+01:00[Europe/Oslo]", "2023-01-02 02:04:05Z"),
            ("2023-01-02 03:04:05 EST", "2023-01-02 08:04:05Z"),
            ("2023-01-02-03.04.05.678000", "2023-01-02 03:04:05.678"),
            ("2023-01-02 24:33:05", "2023-01-03 00:33:05"),
            ("03:04:05 2023-01-02", "2023-01-02 03:04:05"),
        ),
    ),
    TimeFormat(
        name="ISO 8601, basic",
        shapes=(
            rf"(?P<year>9999)(?P<month>99)(?P<day>99)[T ]{_BASIC_CLOCK}{_OFFSET}",
            rf"(?P<year>9999)(?P<month>99)(?P<day>99)(?:[Tt]|{_BETWEEN}){_CLOCK}{_OFFSET}",
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
        shapes=(
            rf"(?P<year>9999)(?P<mark>[/.])(?P<month>99?)(?P=mark)(?P<day>99?){_BETWEEN}{_CLOCK}{_OFFSET}",
            rf"(?P<year>9999)年(?P<month>99?)月(?P<day>99?)日{_BETWEEN}?{_CLOCK}{_OFFSET}",
        ),
        examples=(
            ("2023/01/02 03:04:05", "2023-01-02 03:04:05"),
            ("2023/1/2 3:04 PM", "2023-01-02 15:04:00"),
            ("2023.01.02 03:04:05", "2023-01-02 03:04:05"),
            ("2023年01月02日 03:04:05", "2023-01-02 03:04:05"),
        ),
    ),
    *(
        TimeFormat(
            name=name,
            shapes=(
                rf"{date}{_BETWEEN}{_CLOCK}{_OFFSET}",
                rf"{_CLOCK} {date}",
            ),
            examples=examples,
            date_order=order,
        )
        for name, order, date, examples in (
            (
                "day first",
                "dmy",
                _ordered_date("day", "month"),
                (
                    ("31/12/2023 10:15", "2023-12-31 10:15:00"),
                    ("31.12.2023 9:05:30", "2023-12-31 09:05:30"),
                    ("2-1-2023 9:05 PM", "2023-01-02 21:05:00"),
                    ("31/12/2023 09:05:30 p. m.", "2023-12-31 21:05:30"),
                    ("31/12/2023 12:05:30 a.m.", "2023-12-31 00:05:30"),
                    ("31/12/2023, 09:05:30", "2023-12-31 09:05:30"),
                    ("31/12/2023, 9:05:30 p.m.", "2023-12-31 21:05:30"),
                    ("31.12.23 9:05", "2023-12-31 09:05:00"),
                    ("31/12/2023 09.05.30", "2023-12-31 09:05:30"),
                    ("09:05:30 31/12/2023", "2023-12-31 09:05:30"),
                ),
            ),
            (
                "month first",
                "mdy",
                _ordered_date("month", "day"),
                (
                    ("12/31/2023 10:15", "2023-12-31 10:15:00"),
                    ("1/2/2023 9:05:30 PM", "2023-01-02 21:05:30"),
                    ("12/31/2023, 9:05:30 PM", "2023-12-31 21:05:30"),
                    ("12/31/23 9:05", "2023-12-31 09:05:00"),
                ),
            ),
        )
    ),
    TimeFormat(
        name="RFC 2822",
        shapes=(rf"{_WEEKDAYS},? (?P<day>99?) {_MONTH} {_YEAR} {_CLOCK}{_OFFSET}",),
        examples=(
            ("Mon, 02 Jan 2023 03:04:05 +0000", "2023-01-02 03:04:05Z"),
            ("Mon, 2 Jan 2023 03:04:05 -0600", "2023-01-02 09:04:05Z"),
            ("Mon, 02 Jan 2023 03:04:05 GMT", "2023-01-02 03:04:05Z"),
        ),
    ),
    TimeFormat(
        name="month by name",
        shapes=(
            rf"(?P<day>99?)(?P<mark>[- /]?){_MONTH}\.?(?P=mark){_YEAR}{_BETWEEN}{_CLOCK}{_OFFSET}",
            rf"(?P<day>99?)\.? (?:de )?{_MONTH}\.? (?:de )?(?P<year>9999){_BETWEEN}{_CLOCK}{_OFFSET}",
            rf"(?:{_WEEKDAYS},? )?{_MONTH} +(?P<day>99?),? (?P<year>9999){_BETWEEN}{_CLOCK}{_OFFSET}",
            rf"(?:{_WEEKDAYS},? )?{_MONTH} +(?P<day>99?) {_CLOCK}{_OFFSET} (?P<year>9999)",
        ),
        examples=(
            ("2 Jan 2023 03:04", "2023-01-02 03:04:00"),
            ("02-Jan-2023 03:04:05", "2023-01-02 03:04:05"),
            ("2 January 2023 03:04", "2023-01-02 03:04:00"),
            ("Jan 2, 2023 3:04 PM", "2023-01-02 15:04:00"),
            ("Jan 2, 2023 @ 03:04:05.678", "2023-01-02 03:04:05.678"),
            ("02JAN2023:03:04:05", "2023-01-02 03:04:05"),
            ("02-JAN-23 03.04.05.678000 PM", "2023-01-02 15:04:05.678"),
            ("2. März 2023 03:04", "2023-03-02 03:04:00"),
            ("2 de enero de 2023 03:04", "2023-01-02 03:04:00"),
            ("2. januar 2023 kl. 03:04", "2023-01-02 03:04:00"),
            ("02/mar./2023 03:04:05", "2023-03-02 03:04:05"),
            ("Mon Jan 02 2023 03:04:05 GMT+0100 (Central European Standard Time)", "2023-01-02 02:04:05Z"),
            ("January 2, 2023 at 3:04:05 AM UTC+1", "2023-01-02 02:04:05Z"),
            ("Mon Jan  2 03:04:05 2023", "2023-01-02 03:04:05"),
            ("Mon Jan 02 03:04:05 CET 2023", "2023-01-02 02:04:05Z"),
        ),
    ),
    *(
        TimeFormat(
            name=text_of("{unit} since 1970", unit=unit),
            shapes=(rf"(?P<epoch>9{{{fewest},{most}}})(?:(?P<decimal>[.,])9+)?", *others),
            examples=examples,
        )
        for unit, fewest, most, others, examples in (
            (
                "seconds",
                9,
                11,
                (r"(?P<epoch>9)(?P<decimal>\.)9{7,}E9",),
                (
                    ("1672628645", "2023-01-02 03:04:05Z"),
                    ("1672628645.678", "2023-01-02 03:04:05.678Z"),
                    ("1.672628645E9", "2023-01-02 03:04:05Z"),
                ),
            ),
            (
                "milliseconds",
                12,
                13,
                (
                    r"(?P<epoch>9)(?P<decimal>\.)(?:9{7,}E|9{9,}[Ee]\+)99",
                    r"/Date\((?P<epoch>9{12,13})(?:[+-]9999)?\)/",
                ),
                (
                    ("1672628645678", "2023-01-02 03:04:05.678Z"),
                    ("1.672628645678E12", "2023-01-02 03:04:05.678Z"),
                    ("/Date(1672628645678+0530)/", "2023-01-02 03:04:05.678Z"),
                ),
            ),
            ("microseconds", 15, 16, (), (("1672628645678000", "2023-01-02 03:04:05.678Z"),)),
            ("nanoseconds", 18, 19, (), (("1672628645678000000", "2023-01-02 03:04:05.678Z"),)),
        )
    ),
    TimeFormat(
        name=DIGITS_ALONE,
        shapes=("(?P<epoch>9{14}|9{17})",),
        examples=(
            ("20230102030405", "2023-01-02 03:04:05"),
            ("20230102030405678", "2023-01-02 03:04:05.678"),
        ),
    ),
    TimeFormat(
        name="days of a spreadsheet",
        shapes=("(?P<epoch>9{5})(?P<decimal>[.,])9+",),
        examples=(("44928.12783565", "2023-01-02 03:04:05"),),
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
    abbreviated: int | None = None
    """Minutes ahead of UTC by an abbreviation such as `EST`."""
    zone: str = ""
    """IANA name behind the time, where no offset is."""
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
            if layout := _layout(time_format, found):
                return layout
    return None


_PATTERNS = [(one, re.compile(shape)) for one in TIME_FORMATS for shape in one.shapes]
_FIELDS = ("year", "month", "day", "hour", "minute", "second", "fraction", "ahead", "ahead_minutes")


def _layout(time_format: TimeFormat, found: re.Match[str]) -> TimeLayout | None:
    """None where a word is no name of a month or a zone."""
    part = {name: text or "" for name, text in found.groupdict().items()}
    if "epoch" in part:
        return TimeLayout(time_format=time_format, places={}, decimal=part.get("decimal", ""))
    month, place = _MONTHS.get(_plain(part.get("name", "")), 0), part.get("place", "")
    zone = place if "/" in place and place in known_zones() else ""
    abbreviated = _ABBREVIATIONS.get(place)
    if ("name" in part and not month) or (place and not zone and abbreviated is None):
        return None
    return TimeLayout(
        time_format=time_format,
        places={name: (_bytes_before(found, name), len(part[name])) for name in _FIELDS if part.get(name)},
        month=month,
        weekday=_WEEKDAY_NAMES.index(part["weekday"][:3].lower()) if part.get("weekday") else None,
        half=part.get("half", "").upper(),
        has_offset=bool(part.get("offset") or place),
        abbreviated=abbreviated,
        zone=zone,
        west=part.get("sign", "") in ("-", "\u2212"),
    )


def _plain(name: str) -> str:
    """In small letters without accents."""
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKD", name.casefold())))


def _bytes_before(found: re.Match[str], name: str) -> int:
    """Where a field begins: a wide blank before it has several bytes."""
    return len(found.string[: found.start(name)].encode())
