"""Times as texts: good ones, bad ones and near misses, and a strict reader of one at a time."""

from __future__ import annotations

import calendar
import datetime as dt
import re
import unicodedata
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple

from hypothesis import strategies as st

_HALF = r"([ \u00a0\u202f]*(?P<half>[AaPp])(\.[ \u00a0\u202f]?)?[Mm]\.?)?"
_CLOCK = (
    r"(?P<hour>\d\d?)(?P<colon>[:.h])(?P<minute>\d\d)"
    rf"((?P=colon)(?P<second>\d\d)([.,](?P<fraction>\d{{1,9}}))?)?{_HALF}"
)
_BASIC_CLOCK = r"(?P<hour>\d\d)(?P<minute>\d\d)((?P<second>\d\d)([.,](?P<fraction>\d{1,9}))?)?"
_ASIDE = r"( ?\[[A-Za-z_/+\d-]+\]| ?\([^()]*\)| [A-Z]{3,5})?"
_SUFFIX = (
    rf"( *(?P<offset>[Zz]|UTC|GMT|(UTC|GMT)?[+−-]\d\d(:?\d\d)?|(UTC|GMT)[+−-]\d(:?\d\d)?){_ASIDE}"
    r"| *\[?(?P<place>[A-Z][A-Za-z_/-]+)\]?)?"
)
_GAP = r"(,?[ \u00a0\u202f]+((@|at|um|à|às|a las|kl\.?)[ \u00a0\u202f])?|[_:-])"
_NAME = r"(?P<name>[^\W\d_]{3,10})"
_WEEKDAY = r"(?P<weekday>[A-Za-z]{3,9}),? "
_YEAR, _SHORT_OR_LONG = r"(?P<year>\d{4})", r"(?P<year>\d{4}|\d\d)"
_FORMS = [
    rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)([Tt]|{_GAP}){_CLOCK}{_SUFFIX}",
    rf"{_CLOCK} {_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
    rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)[T ]{_BASIC_CLOCK}{_SUFFIX}",
    rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)([Tt]|{_GAP}){_CLOCK}{_SUFFIX}",
    rf"{_YEAR}(?P<mark>[/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?){_GAP}{_CLOCK}{_SUFFIX}",
    rf"{_YEAR}年(?P<month>\d\d?)月(?P<day>\d\d?)日{_GAP}?{_CLOCK}{_SUFFIX}",
    rf"{_WEEKDAY}(?P<day>\d\d?) {_NAME} {_SHORT_OR_LONG} {_CLOCK}{_SUFFIX}",
    rf"(?P<day>\d\d?)(?P<mark>[- /]?){_NAME}\.?(?P=mark){_SHORT_OR_LONG}{_GAP}{_CLOCK}{_SUFFIX}",
    rf"(?P<day>\d\d?)\.? (de )?{_NAME}\.? (de )?{_YEAR}{_GAP}{_CLOCK}{_SUFFIX}",
    rf"({_WEEKDAY})?{_NAME} +(?P<day>\d\d?),? {_YEAR}{_GAP}{_CLOCK}{_SUFFIX}",
    rf"({_WEEKDAY})?{_NAME} +(?P<day>\d\d?) {_CLOCK}{_SUFFIX} {_YEAR}",
]
_LOCAL = {
    order: [
        form
        for mark, year in (("[/.-]", r"\d{4}"), ("[/.]", r"\d\d"))
        for date in [rf"(?P<{first}>\d\d?)(?P<mark>{mark})(?P<{second}>\d\d?)(?P=mark)(?P<year>{year})"]
        for form in (rf"{date}{_GAP}{_CLOCK}{_SUFFIX}", rf"{_CLOCK} {date}")
    ]
    for order, first, second in (("dmy", "day", "month"), ("mdy", "month", "day"))
}
_MONTHS = list(calendar.month_name[1:])
_FOREIGN = {
    **dict.fromkeys(("januar", "janner", "janv", "janvier", "enero", "ene", "janeiro"), 1),
    **dict.fromkeys(("februar", "feber", "fev", "fevr", "fevrier", "febrero", "fevereiro"), 2),
    **dict.fromkeys(("marz", "mrz", "mars", "marzo", "marco"), 3),
    **dict.fromkeys(("avr", "avril", "abr", "abril"), 4),
    **dict.fromkeys(("mai", "mayo", "maio"), 5),
    **dict.fromkeys(("juni", "juin", "junio", "junho"), 6),
    **dict.fromkeys(("juli", "juil", "juillet", "julio", "julho"), 7),
    **dict.fromkeys(("aout", "ago", "agosto"), 8),
    **dict.fromkeys(("sept", "septembre", "septiembre", "setiembre", "set", "setembro"), 9),
    **dict.fromkeys(("okt", "oktober", "octobre", "octubre", "out", "outubro"), 10),
    **dict.fromkeys(("novembre", "noviembre", "novembro"), 11),
    **dict.fromkeys(("dez", "dezember", "decembre", "dic", "diciembre", "dezembro", "des", "desember"), 12),
}
_PLACES = {"CET": 60, "EST": -300, "PDT": -420, "Europe/Oslo": 60}
"""Of a winter."""
_WEEKDAYS = list(calendar.day_name)
_EPOCHS = (*range(9, 14), 15, 16, 18, 19)
"""How many digits an epoch number may have before its point."""
_CALENDAR = {12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S", 17: "%Y%m%d%H%M%S%f"}


class Time(NamedTuple):
    """What one text says; all None where it is no time."""

    ms: int | None = None
    naive: bool | None = None
    minutes: int | None = None


def read_one(text: str, date_order: str = "") -> Time:
    """A text read by itself, by regular expressions and the standard library's calendar."""
    text = text.strip(" \t")
    if wrapped := re.fullmatch(r"/Date\((\d{12,13})([+-]\d{4})?\)/", text, re.ASCII):
        return _number(wrapped[1])
    if re.fullmatch(r"(\d+)([.]\d+)?", text, re.ASCII):
        return _number(text)
    if re.fullmatch(r"\d\.(\d{7,}E\d\d?|\d{9,}[Ee]\+\d\d)", text, re.ASCII):
        return _decimal(float(text))
    forms = [*_FORMS, *(_LOCAL[date_order] if date_order else [])]
    found = next((match for form in forms if (match := re.fullmatch(form, text))), None)
    if found is None:
        return Time()
    part = found.groupdict()
    try:
        hour = _hour(int(part["hour"]), (part.get("half") or "").upper())
        month = int(part["month"]) if part.get("month") else _month(part["name"])
        year = int(part["year"]) + (2000 if len(part["year"]) == 2 else 0)
        clock = (int(part[name] or 0) for name in ("minute", "second"))
        service_day = hour > 23 and not (part.get("offset") or part.get("place"))
        if hour > 47:
            return Time()
        wall = dt.datetime(year, month, int(part["day"]), hour - 24 * service_day, *clock)  # noqa: DTZ001
        if part.get("weekday") and _named(part["weekday"], _WEEKDAYS) != wall.weekday():
            return Time()
    except ValueError:
        return Time()
    ms = (wall - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1)  # noqa: DTZ001 - a wall clock
    ms += int((part["fraction"] or "").ljust(3, "0")[:3] or 0) + 86_400_000 * service_day
    if place := part.get("place"):
        minutes = _PLACES.get(place)
    elif part.get("offset"):
        minutes = _minutes(part["offset"])
    else:
        return Time(ms, True)
    return Time() if minutes is None else Time(ms - minutes * 60_000, False, minutes)


def _number(text: str) -> Time:
    before, point, _ = text.partition(".")
    if point:
        return _decimal(float(text)) if len(before) in (5, *_EPOCHS) else Time()
    if len(text) in _CALENDAR and 2000 <= int(text[:4]) < 2100:
        try:
            wall = dt.datetime.strptime(text, _CALENDAR[len(text)])  # noqa: DTZ007 - a wall clock
        except ValueError:
            return Time()
        if not wall.strftime(_CALENDAR[len(text)]).startswith(text):
            return Time()  # `strptime` takes one digit for two: "7504" for the month 7 and the day 5
        return Time((wall - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1), True)  # noqa: DTZ001
    return _epoch(text) if len(text) in (*_EPOCHS, *_CALENDAR) else Time()


def _decimal(number: float) -> Time:
    if 36_526 <= number < 73_051:
        ms = round((number - 25_569) * 86_400_000)
        return Time(round(ms, -3) if abs(ms - round(ms, -3)) <= 50 else ms, True)
    if number >= 9.2e18:
        return Time()
    power = next((power for power in (6, 3, 0) if number >= 10 ** (11 + power)), -3)
    return Time(round(number * 1000 if power < 0 else number / 10**power), False)


def _epoch(text: str) -> Time:
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


def _month(name: str) -> int:
    plain = "".join(filter(str.isalpha, unicodedata.normalize("NFKD", name.casefold())))
    return _FOREIGN.get(plain) or _named(plain, _MONTHS) + 1


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError("no hour of a half day")
    return hour % 12 + (12 if half == "P" else 0)


def _minutes(offset: str) -> int | None:
    if offset in ("Z", "z", "UTC", "GMT"):
        return 0
    offset = re.sub("^(UTC|GMT)", "", offset)
    if re.fullmatch(r".\d(:?\d\d)?", offset):
        offset = f"{offset[0]}0{offset[1:]}"
    hours, minutes = int(offset[1:3]), int(offset[3:].removeprefix(":") or 0)
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (1 if offset[0] == "+" else -1)


_OTHER_HALVES = (" a. m.", " p.\u00a0m.", "\u202fp.m.", " p.m", "\u202fPM")
_SECONDS = ("", ":00", ":59", ":60", ":35.5", ":35.123456789", ":1", ":07.25", ":08,75")
_OFFSETS = (
    *("", "", "Z", "+05:30", "-0600", " +05:30", " Z", "+24:00", "+05:60", "+5"),
    *("+05", "-00", " UTC", "GMT", " -0330", " GMT+5", " UTC-530", "−05:00", "+0530 IST", "Z[UTC]"),
    *(" CET", " EST", " IST", "[PDT]", " -0600 (Central)"),
)


@st.composite
def _dates(draw: st.DrawFn) -> str:
    """A date in some notation, with what stands before the clock."""
    year, month, day = draw(st.integers(0, 2100)), draw(st.integers(0, 14)), draw(st.integers(0, 33))
    mark = draw(st.sampled_from("-/."))
    digits = (lambda number: f"{number:02d}") if draw(st.booleans()) else str
    name, weekday = (
        draw(st.sampled_from([*_MONTHS, "Sept", "Foo", "März", "août", "Des", "setembro"])),
        draw(st.sampled_from(_WEEKDAYS)),
    )
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
    return draw(st.sampled_from(list(whole.values()))) + draw(
        st.sampled_from(("T", " ", " ", "  ", ", ", "_", " at ", "-"))
    )


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
                    "%d%b%Y:%H:%M:%S",
                    "%d-%b-%y %I.%M.%S.%f %p",
                    "%a %b %d %H:%M:%S CET %Y",
                    "%Y-%m-%d-%H.%M.%S.%f",
                    "%d/%m/%y %Hh%M",
                    "%Y年%m月%d日 %H:%M:%S",
                    "%H:%M:%S %d.%m.%Y",
                    "%Y%m%d%H%M%S",
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
            *("45720.3336", "202503040700", "/Date(1741071600000-0700)/", "1.7410716E9", "1.741071600e+09"),
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
