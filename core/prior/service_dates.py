"""On which dates the services of a timetable run; dates or exceptions that are none (method 12.9)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection

from core.errors import InputError
from core.read.gtfs_tables import CALENDAR, CALENDAR_DATES, GtfsTables

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DATE = re.compile(r"[0-9]{8}")
_ADDED, _REMOVED = "1", "2"
Services = dict[dt.date, set[str]]


def services_on(tables: GtfsTables, services: Collection[str], dates: Collection[dt.date]) -> Services:
    """Date -> services that run on it, for each of the dates.

    A timetable without calendars is that of every day. Raises InputError for a malformed calendar.
    """
    if not (tables.holds(CALENDAR) or tables.holds(CALENDAR_DATES)):
        return {date: set(services) for date in dates}
    found: Services = {date: set() for date in dates}
    if tables.holds(CALENDAR):
        for row, where in tables.rows(CALENDAR, ("service_id", "start_date", "end_date", *_WEEKDAYS)):
            first, last = (_date_of(row.get(name, ""), where) for name in ("start_date", "end_date"))
            for date in dates:
                if first <= date <= last and row.get(_WEEKDAYS[date.weekday()]) == "1":
                    found[date].add(row["service_id"])
    if tables.holds(CALENDAR_DATES):
        for row, where in tables.rows(CALENDAR_DATES, ("service_id", "date", "exception_type")):
            date, kind = _date_of(row.get("date", ""), where), row.get("exception_type")
            if kind not in (_ADDED, _REMOVED):
                raise InputError("This is not a type of exception.", where=where, mend="write 1 or 2")
            if date in found:
                (found[date].add if kind == _ADDED else found[date].discard)(row["service_id"])
    return found


def _date_of(text: str, where: str) -> dt.date:
    try:
        if _DATE.fullmatch(text):
            return dt.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        pass
    raise InputError("This is not a calendar date.", where=where, mend="write for instance 20150906")
