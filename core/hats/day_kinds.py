"""Kinds of days, such as weekends, or a file of dates: not in UTF-8, too large, odd lines (method 3.1).

A kind of day is a public fact of the calendar: it follows from no record. It is taken once, when dates are
chosen; what is released, charged and signed are the dates themselves.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from core.clean.record_filter import is_public_text
from core.errors import InputError
from core.hats.groups import WEEKDAY, WEEKEND, DayKinds, require_group_labels
from core.hats.window import DateRange
from core.read.unreadable_files import unreadable_as_input_error
from core.system.regular_files import read_regular
from core.texts import text_of

EVERY_DAY = "all"
DAY_KINDS = (EVERY_DAY, WEEKDAY, WEEKEND)
"""What may be said in place of a file."""
_SATURDAY = 5
_LARGEST = 1 << 20
_ONE_DAY = dt.timedelta(days=1)
DayTest = Callable[[dt.date], bool]


def day_test(days: str, folder: Path) -> DayTest:
    """Tells whether a date is of a kind; days: one of `DAY_KINDS`, or a file of dates seen from `folder`.

    Raises InputError for a file that cannot be read or lists something else than dates.
    """
    if days == EVERY_DAY:
        return lambda _: True
    if days in (WEEKDAY, WEEKEND):
        return lambda date: (date.weekday() >= _SATURDAY) is (days == WEEKEND)
    path = folder / days
    if days.isalpha() and not path.exists():  # a word: perhaps a kind that is spelt otherwise
        raise InputError(
            "{days} is neither a kind of day nor a file.",
            days=f"{days!r}",
            where=str(path),
            mend=text_of(
                'write "{weekday}", "{weekend}" or the name of a file of dates',
                weekday=WEEKDAY,
                weekend=WEEKEND,
            ),
        )
    listed = read_dates(path)
    return lambda date: date in listed


def read_dates(path: Path) -> frozenset[dt.date]:
    """The dates of a text file: one a line, `2026-12-25`, what follows it or a `#` is a remark.

    Raises InputError that names the line.
    """
    with unreadable_as_input_error(path):
        content = read_regular(path, most=_LARGEST + 1)
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise _unreadable(path, "The file is not text in UTF-8.") from None
    if len(content) > _LARGEST:
        raise _unreadable(path, "The file is too large for a list of dates.")
    dates = set()
    for number, line in enumerate(lines, start=1):
        word = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if not word:
            continue
        try:
            dates.add(dt.date.fromisoformat(word[0]))
        except ValueError:
            raise _unreadable(
                path, text_of("Line {number} does not begin with a date.", number=number)
            ) from None
    if not dates:
        raise _unreadable(path, "The file lists no dates.")
    return frozenset(dates)


def read_day_kinds(path: Path) -> DayKinds:
    """The kind of each date that a text file lists, one a line: `2026-12-25,holiday`.

    Raises InputError that names the line.
    """
    with unreadable_as_input_error(path):
        content = read_regular(path, most=_LARGEST)
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise _no_kinds(path, "The file is not text in UTF-8.") from None
    kinds: dict[dt.date, str] = {}
    for number, line in enumerate(lines, start=1):
        date, _, label = (part.strip() for part in line.partition("#")[0].partition(","))
        if not date or (number == 1 and (date, label) == ("date", "label")):
            continue
        try:
            day = dt.date.fromisoformat(date)
        except ValueError:
            raise _no_kinds(
                path, text_of("Line {number} does not begin with a date.", number=number)
            ) from None
        if day in kinds or not is_public_text(label):
            raise _no_kinds(
                path, text_of("Line {number} repeats a date, or its kind is not text.", number=number)
            )
        kinds[day] = label
    require_group_labels(sorted(set(kinds.values())), where=str(path))
    return tuple(sorted(kinds.items()))


def _no_kinds(path: Path, what: str) -> InputError:
    return InputError(
        what, where=str(path), mend="write a date and its kind on each line: 2026-12-25,holiday"
    )


def _unreadable(path: Path, what: str) -> InputError:
    return InputError(
        what, where=str(path), mend="write one date per line, for instance 2026-12-25 Christmas"
    )


def ranges_of_kind(ranges: Iterable[DateRange], keep: DayTest) -> tuple[DateRange, ...]:
    """The dates of the ranges that remain, as ranges; empty where none is."""
    found: list[DateRange] = []
    for first, last in sorted(ranges):
        for date in (first + step * _ONE_DAY for step in range((last - first).days + 1)):
            if not keep(date):
                continue
            if found and found[-1][1] + _ONE_DAY == date and date > first:
                found[-1] = (found[-1][0], date)
            else:
                found.append((date, date))
    return tuple(found)


def kind_of_dates(
    chosen: Iterable[DateRange], wholes: Iterable[Iterable[DateRange]], kinds: Mapping[str, DayTest]
) -> tuple[str, int] | None:
    """The first kind, and the number of the first whole, whose days of that kind are the chosen dates.

    None where the dates are of no such kind.
    """
    asked = _dates(chosen)
    days = [_dates(whole) for whole in wholes]
    for kind, keep in kinds.items():
        for number, whole in enumerate(days):
            if asked <= whole and all(keep(date) is (date in asked) for date in whole):
                return kind, number
    return None


def _dates(ranges: Iterable[DateRange]) -> frozenset[dt.date]:
    return frozenset(
        first + step * _ONE_DAY for first, last in ranges for step in range((last - first).days + 1)
    )
