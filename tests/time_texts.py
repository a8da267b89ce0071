"""Times as texts: good ones, bad ones and near misses, and a strict reader of one at a time."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

from hypothesis import strategies as st

_CLOCK = r"(?P<hour>\d\d):(?P<minute>\d\d)(:(?P<second>\d\d)(\.(?P<fraction>\d{1,9}))?)?"
_SUFFIX = r"(?P<offset>Z|[+-]\d\d:?\d\d)?"
_ISO = re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)[T ]{_CLOCK} ?{_SUFFIX}", re.ASCII)
_LOCAL_CLOCK = _CLOCK.replace(r"(?P<hour>\d\d)", r"(?P<hour>\d\d?)") + rf"( *(?P<half>[AP])M)? *{_SUFFIX}"
_SLASHES = re.compile(
    rf"(?P<year>\d{{4}})/(?P<month>\d\d?)/(?P<day>\d\d?) +{_LOCAL_CLOCK}", re.ASCII | re.IGNORECASE
)
_LOCAL = {
    order: re.compile(
        rf"(?P<{first}>\d\d?)(?P<mark>[/.-])(?P<{second}>\d\d?)(?P=mark)(?P<year>\d{{4}}) +{_LOCAL_CLOCK}",
        re.ASCII | re.IGNORECASE,
    )
    for order, first, second in (("dmy", "day", "month"), ("mdy", "month", "day"))
}
_EPOCH = re.compile(r"(?P<whole>\d{9,13})([.](?P<fraction>\d+))?", re.ASCII)


class Time(NamedTuple):
    """What one text says; all None where it is no time."""

    ms: int | None = None
    naive: bool | None = None
    minutes: int | None = None


def read_one(text: str, date_order: str = "") -> Time:
    """A text read by itself, by regular expressions and the standard library's calendar."""
    text = text.strip(" \t")
    if _EPOCH.fullmatch(text):
        number = float(text)
        return Time(round(number if number >= 1e11 else number * 1000), False)
    forms = [_ISO, _SLASHES, *([_LOCAL[date_order]] if date_order else [])]
    found = next((match for form in forms if (match := form.fullmatch(text))), None)
    if found is None or ((found["offset"] or "Z") == "Z" and _trails(found)):
        return Time()
    part = found.groupdict()
    try:
        hour = _hour(int(part["hour"]), (part.get("half") or "").upper())
        wall = dt.datetime(  # noqa: DTZ001 - a wall clock
            *(int(part[name]) for name in ("year", "month", "day")),
            hour,
            *(int(part[name] or 0) for name in ("minute", "second")),
        )
    except ValueError:
        return Time()
    ms = (wall - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1)  # noqa: DTZ001 - a wall clock
    ms += int((part["fraction"] or "").ljust(3, "0")[:3] or 0)
    if not part["offset"]:
        return Time(ms, True)
    minutes = _minutes(part["offset"])
    return Time() if minutes is None else Time(ms - minutes * 60_000, False, minutes)


def _trails(found: re.Match[str]) -> bool:
    return found["offset"] is None and found.group().endswith(" ")


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError("no hour of a half day")
    return hour % 12 + (12 if half == "P" else 0)


def _minutes(offset: str) -> int | None:
    if offset == "Z":
        return 0
    hours, minutes = int(offset[1:3]), int(offset[-2:])
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (-1 if offset[0] == "-" else 1)


@st.composite
def time_texts(draw: st.DrawFn) -> str:
    """ISO, local and epoch texts, often spoilt in one character."""
    year, month, day = draw(st.integers(0, 2100)), draw(st.integers(0, 14)), draw(st.integers(0, 33))
    hour, minute = draw(st.integers(0, 25)), draw(st.integers(0, 61))
    mark = draw(st.sampled_from("-/."))
    wide = draw(st.booleans())
    digits = (lambda number: f"{number:02d}") if wide else str
    fields = {
        "ymd": (f"{year:04d}", digits(month), digits(day)),
        "dmy": (digits(day), digits(month), f"{year:04d}"),
        "mdy": (digits(month), digits(day), f"{year:04d}"),
    }
    date = mark.join(draw(st.sampled_from(list(fields.values()))))
    second = draw(st.sampled_from(("", ":00", ":59", ":60", ":35.5", ":35.123456789", ":1", ":07.25")))
    half = draw(st.sampled_from(("", "", "", " AM", "pm", " PM")))
    offset = draw(
        st.sampled_from(("", "", "Z", "+05:30", "-0600", " +05:30", " Z", "+24:00", "+05:60", "+5"))
    )
    between = draw(st.sampled_from("T  "))
    text = f"{date}{between}{digits(hour)}:{minute:02d}{second}{half}{offset}"
    whole = draw(
        st.just(text)
        | st.integers(0, 10**14).map(str)
        | st.sampled_from(
            ("1641012035.25", "1641012035250.5", "", "  ", "noon", "2022-01-01", "１６４１０１２０３５")
        )
        | st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)).map(dt.datetime.isoformat)  # noqa: DTZ001
    )
    if draw(st.booleans()) or not whole:
        return whole
    at = draw(st.integers(0, len(whole) - 1))
    spoilt = draw(st.sampled_from(("", " ", "Z", ":", "-", "+", "9", "x", "é", ".")))
    return whole[:at] + spoilt + whole[at + draw(st.integers(0, 1)) :]
