"""Times as texts: good ones, bad ones and near misses, and a strict reader of one at a time."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple

from hypothesis import strategies as st

_HALF = r"([ \u00a0\u202f]*(?P<half>[AaPp])(\.[ \u00a0\u202f]?)?[Mm]\.?)?"
_CLOCK = rf"(?P<hour>\d\d?):(?P<minute>\d\d)(:(?P<second>\d\d)([.,](?P<fraction>\d{{1,9}}))?)?{_HALF}"
_BASIC_CLOCK = r"(?P<hour>\d\d)(?P<minute>\d\d)((?P<second>\d\d)([.,](?P<fraction>\d{1,9}))?)?"
_SUFFIX = r"( *(?P<offset>Z|UTC|GMT|[+-]\d\d(:?\d\d)?))?"
_NAME = r"(?P<name>[A-Za-z]{3,9})"
_WEEKDAY = r"(?P<weekday>[A-Za-z]{3,9}),? "
_FORMS = [
    rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)(T|,? +){_CLOCK}{_SUFFIX}",
    rf"(?P<year>\d{{4}})(?P<month>\d\d)(?P<day>\d\d)[T ]{_BASIC_CLOCK}{_SUFFIX}",
    rf"(?P<year>\d{{4}})(?P<month>\d\d)(?P<day>\d\d)(T|,? +){_CLOCK}{_SUFFIX}",
    rf"(?P<year>\d{{4}})/(?P<month>\d\d?)/(?P<day>\d\d?),? +{_CLOCK}{_SUFFIX}",
    rf"{_WEEKDAY}(?P<day>\d\d?) {_NAME} (?P<year>\d{{4}}) {_CLOCK}{_SUFFIX}",
    rf"(?P<day>\d\d?)(?P<mark>[- /]){_NAME}(?P=mark)(?P<year>\d{{4}}),? +{_CLOCK}{_SUFFIX}",
    rf"({_WEEKDAY})?{_NAME} (?P<day>\d\d?),? (?P<year>\d{{4}}),? +{_CLOCK}{_SUFFIX}",
]
_LOCAL = {
    order: (
        rf"(?P<{first}>\d\d?)(?P<mark>[/.-])(?P<{second}>\d\d?)(?P=mark)(?P<year>\d{{4}}),? +"
        rf"{_CLOCK}{_SUFFIX}"
    )
    for order, first, second in (("dmy", "day", "month"), ("mdy", "month", "day"))
}
_MONTHS = list(calendar.month_name[1:])
_WEEKDAYS = list(calendar.day_name)
_DIGITS = (*range(9, 14), 15, 16, 18, 19)
"""How many digits a whole epoch number may have."""


class Time(NamedTuple):
    """What one text says; all None where it is no time."""

    ms: int | None = None
    naive: bool | None = None
    minutes: int | None = None


def read_one(text: str, date_order: str = "") -> Time:
    """A text read by itself, by regular expressions and the standard library's calendar."""
    text = text.strip(" \t")
    if epoch := re.fullmatch(r"(\d+)([.]\d+)?", text, re.ASCII):
        return _epoch(text) if len(epoch[1]) in _DIGITS else Time()
    forms = [*_FORMS, *([_LOCAL[date_order]] if date_order else [])]
    found = next((match for form in forms if (match := re.fullmatch(form, text, re.ASCII))), None)
    if found is None:
        return Time()
    part = found.groupdict()
    try:
        hour = _hour(int(part["hour"]), (part.get("half") or "").upper())
        month = int(part["month"]) if part.get("month") else _named(part["name"], _MONTHS) + 1
        wall = dt.datetime(  # noqa: DTZ001 - a wall clock
            int(part["year"]),
            month,
            int(part["day"]),
            hour,
            *(int(part[name] or 0) for name in ("minute", "second")),
        )
        if part.get("weekday") and _named(part["weekday"], _WEEKDAYS) != wall.weekday():
            return Time()
    except ValueError:
        return Time()
    ms = (wall - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1)  # noqa: DTZ001 - a wall clock
    ms += int((part["fraction"] or "").ljust(3, "0")[:3] or 0)
    if not part["offset"]:
        return Time(ms, True)
    minutes = _minutes(part["offset"])
    return Time() if minutes is None else Time(ms - minutes * 60_000, False, minutes)


def _epoch(text: str) -> Time:
    if "." in text:
        number = float(text)
        power = next((power for power in (6, 3, 0) if number >= 10 ** (11 + power)), -3)
        return Time(round(number * 1000 if power < 0 else number / 10**power), False)
    if int(text) >= 2**63:
        return Time()
    whole = Decimal(text)
    power = next((power for power in (6, 3, 0) if whole >= 10 ** (11 + power)), -3)
    return Time(int((whole / Decimal(10) ** power).quantize(Decimal(1), ROUND_HALF_EVEN)), False)


def _named(name: str, names: list[str]) -> int:
    """Which name it is, whole or by its first three letters. Raises ValueError for none of them."""
    known = name.capitalize()
    short = "Sep" if known == "Sept" else known
    return names.index(known) if known in names else [one[:3] for one in names].index(short)


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError("no hour of a half day")
    return hour % 12 + (12 if half == "P" else 0)


def _minutes(offset: str) -> int | None:
    if offset in ("Z", "UTC", "GMT"):
        return 0
    hours, minutes = int(offset[1:3]), int(offset[3:].removeprefix(":") or 0)
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (-1 if offset[0] == "-" else 1)


_OTHER_HALVES = (" a. m.", " p.\u00a0m.", "\u202fp.m.", " p.m", "\u202fPM")
_SECONDS = ("", ":00", ":59", ":60", ":35.5", ":35.123456789", ":1", ":07.25", ":08,75")
_OFFSETS = (
    *("", "", "Z", "+05:30", "-0600", " +05:30", " Z", "+24:00", "+05:60", "+5"),
    *("+05", "-00", " UTC", "GMT", " -0330"),
)


@st.composite
def _dates(draw: st.DrawFn) -> str:
    """A date in some notation, with what stands before the clock."""
    year, month, day = draw(st.integers(0, 2100)), draw(st.integers(0, 14)), draw(st.integers(0, 33))
    mark = draw(st.sampled_from("-/."))
    digits = (lambda number: f"{number:02d}") if draw(st.booleans()) else str
    name, weekday = draw(st.sampled_from([*_MONTHS, "Sept", "Foo"])), draw(st.sampled_from(_WEEKDAYS))
    cut = draw(st.sampled_from((3, 9)))
    name = draw(st.sampled_from((name[:cut], name[:cut].upper())))
    whole = {
        "ymd": mark.join((f"{year:04d}", digits(month), digits(day))),
        "dmy": mark.join((digits(day), digits(month), f"{year:04d}")),
        "mdy": mark.join((digits(month), digits(day), f"{year:04d}")),
        "name": mark.replace(".", " ").join((digits(day), name, f"{year:04d}")),
        "american": f"{name} {digits(day)}, {year:04d}",
        "mail": f"{weekday[:cut]}, {digits(day)} {name} {year:04d}",
    }
    return draw(st.sampled_from(list(whole.values()))) + draw(st.sampled_from(("T", " ", " ", "  ", ", ")))


@st.composite
def _true_moments(draw: st.DrawFn) -> str:
    """A moment of the calendar in a form that holds it, of `strftime`."""
    moment = draw(st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(9999, 12, 31)))  # noqa: DTZ001
    return moment.strftime(
        draw(
            st.sampled_from(
                (
                    "%a, %d %b %Y %H:%M:%S +0000",
                    "%A, %B %d, %Y %I:%M %p",
                    "%d-%b-%Y %H:%M:%S",
                    "%b %d, %Y, %I:%M:%S %p",
                    "%Y%m%dT%H%M%SZ",
                    "%Y%m%d %H%M",
                    "%Y%m%dT%H%M%S.%f+0530",
                    "%Y-%m-%d %H:%M:%S,%f",
                    "%Y-%m-%dT%H:%M:%S.%f+05",
                    "%Y-%m-%dT%H:%M:%S.%f",
                    "%d.%m.%Y %H:%M:%S",
                    "%m/%d/%Y %I:%M %p UTC",
                    "%d/%m/%Y, %H:%M:%S",
                    "%m/%d/%Y, %I:%M:%S\u202f%p",
                    "%Y-%m-%d, %I:%M:%S %p",
                    "%Y/%m/%d, %H:%M:%S.%f",
                )
            )
        )
    )


_OTHER_TEXTS = (
    _true_moments(),
    st.integers(0, 10**20).map(str),
    st.integers(8, 19).flatmap(lambda digits: st.integers(10**digits, 10 ** (digits + 1)).map(str)),
    st.sampled_from(
        (
            *("1641012035.25", "1641012035250.5", "1641012035250000.5", "", "  ", "noon", "2022-01-01"),
            *("１６４１０１２０３５", "20220101", "20220101T1010", "02-Jan-23 03:04:05", "2022-01-01 10Z"),
        )
    ),
    st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)).map(dt.datetime.isoformat),  # noqa: DTZ001
)
"""Made once: each new strategy is looked through before it gives its first example."""


@st.composite
def time_texts(draw: st.DrawFn) -> str:
    """Texts of all forms and epochs, often spoilt in one character."""
    hour, minute = draw(st.integers(0, 25)), draw(st.integers(0, 61))
    clock = f"{hour:02d}" if draw(st.booleans()) else str(hour)
    half = draw(st.sampled_from(("", "", "", " AM", "pm", " PM", *_OTHER_HALVES)))
    text = (
        f"{draw(_dates())}{clock}:{minute:02d}{draw(st.sampled_from(_SECONDS))}{half}"
        f"{draw(st.sampled_from(_OFFSETS))}"
    )
    which = draw(st.integers(0, len(_OTHER_TEXTS)))
    whole = draw(_OTHER_TEXTS[which - 1]) if which else text
    if draw(st.booleans()) or not whole:
        return whole
    at = draw(st.integers(0, len(whole) - 1))
    spoilt = draw(st.sampled_from(("", " ", "Z", ":", "-", "+", "9", "x", "é", ".", ",")))
    return whole[:at] + spoilt + whole[at + draw(st.integers(0, 1)) :]
