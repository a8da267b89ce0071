"""Trips of a timetable: stops without a place, times that run backwards, longest trips (method 12.9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.errors import InputError
from core.progress import Progress, part, silent
from core.read.gtfs_tables import FREQUENCIES, STOP_TIMES, STOPS, TRIPS, GtfsTables, seconds_of
from core.texts import text_of

_MOST_SECONDS = 7 * 24 * 3600
"""A trip may take so long after its service day's midnight."""
_BLOCK_TRIPS = 1 << 8
"""Trips of a timetable read between two words of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One trip, on each date that its service runs."""

    service: str
    vehicle: str
    """Of the block where there is one: its trips are driven by one vehicle."""
    second: Floats
    """Shape (k,): since the service day's midnight, ascending."""
    latitude: Floats
    """Shape (k,): degrees; in between, vehicles drive straight on at an even pace."""
    longitude: Floats

    def positions(self, seconds: Ints) -> tuple[Floats, Floats]:
        """Latitude and longitude at each of these seconds, degrees."""
        return (
            np.interp(seconds, self.second, self.latitude),
            np.interp(seconds, self.second, self.longitude),
        )


def trips_of(tables: GtfsTables, progress: Progress = silent) -> list[Trip]:
    """Every trip with two times at least.

    Raises InputError for malformed or contradictory tables, and what `progress` raises.
    """
    stops = _stops(tables)
    calls = _calls(tables, part(progress, 0.0, 0.6))
    starts = _starts(tables)
    found, named = [], len(calls)
    for count, (row, where) in enumerate(tables.rows(TRIPS, ("trip_id", "service_id"))):
        if count % _BLOCK_TRIPS == 0:
            progress(0.6 + 0.4 * min(count / max(named, 1), 1.0), f"Reading {TRIPS}")
        name = row["trip_id"]
        timed = _timed(calls.pop(name, []), stops, tables)
        if timed.shape[1] < 2:
            continue
        block = row.get("block_id", "")
        # the blank cannot begin an id, as ids are stripped: a trip is never taken for a block
        vehicle = block or f" {name}"
        for number, begin in enumerate(starts.get(name, [timed[0, 0]])):
            second = timed[0] - timed[0, 0] + begin
            if second[-1] > _MOST_SECONDS:
                raise InputError("This trip takes more than a week.", where=where, mend="mend its stop times")
            again = f"{vehicle} {number}" if name in starts else vehicle
            found.append(
                Trip(
                    service=row.get("service_id", ""),
                    vehicle=again,
                    second=second,
                    latitude=timed[1],
                    longitude=timed[2],
                )
            )
    return found


def _stops(tables: GtfsTables) -> dict[str, tuple[float, float]]:
    """Places; stations and the like may have none, until a trip calls there."""
    found = {}
    for row, where in tables.rows(STOPS, ("stop_id", "stop_lat", "stop_lon")):
        texts = row.get("stop_lat", ""), row.get("stop_lon", "")
        if not any(texts):
            continue
        try:
            latitude, longitude = map(float, texts)
        except ValueError:
            latitude = longitude = math.nan
        if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0):
            raise InputError("This stop has no place on Earth.", where=where, mend="write degrees, as 30.27")
        found[row["stop_id"]] = latitude, longitude
    return found


Call = tuple[int, float, float, str, int]
"""Sequence, arrival, departure (nan: not given), stop, the line where it stands."""


def _calls(tables: GtfsTables, progress: Progress) -> dict[str, list[Call]]:
    """Trip -> its calls, in their order."""
    found: dict[str, list[Call]] = {}
    times, stops = {"": math.nan}, dict[str, str]()  # of millions of texts few differ
    needed = ("trip_id", "stop_id", "stop_sequence")
    for cells, line in tables.columns(
        STOP_TIMES, (*needed, "arrival_time", "departure_time"), needed, progress
    ):
        trip, stop, sequence, arrival, departure = cells
        if not (sequence.isascii() and sequence.isdigit() and len(sequence) <= 9):
            raise InputError(
                "This is not a stop_sequence.",
                where=tables.place(STOP_TIMES, line),
                mend="write a whole number",
            )
        for text in (arrival, departure):
            if text not in times:
                times[text] = float(seconds_of(text, tables.place(STOP_TIMES, line)))
        call = (
            int(sequence),
            times[arrival or departure],
            times[departure or arrival],
            stops.setdefault(stop, stop),
            line,
        )
        found.setdefault(trip, []).append(call)
    for calls in found.values():
        calls.sort()
    return found


def _timed(calls: list[Call], stops: dict[str, tuple[float, float]], tables: GtfsTables) -> Floats:
    """Seconds, latitudes and longitudes of arrivals and departures, shape (3, 2 calls).

    Calls without a time lie evenly between those with one; before the first and after the last they are left
    out. Raises InputError for a stop without a place, and times that run backwards.
    """
    timed = [place for place, call in enumerate(calls) if not math.isnan(call[1])]
    if not timed:
        return np.zeros((3, 0))
    between = range(timed[0], timed[-1] + 1)
    rows, last = [], -math.inf
    for place in between:
        _, arrival, departure, stop, line = calls[place]
        if stop not in stops:
            raise InputError(
                "A trip calls at a stop that has no place.",
                where=tables.place(STOP_TIMES, line),
                mend=text_of("add the stop to {stops}", stops=STOPS),
            )
        if math.isnan(arrival):
            known = [calls[one][1] for one in timed]
            arrival = departure = max(float(np.interp(place, timed, known)), last)
        if arrival < last or departure < arrival:
            raise InputError(
                "The times of this trip run backwards.",
                where=tables.place(STOP_TIMES, line),
                mend="write times after midnight as 24:10:00, and number the stops in their order",
            )
        last = departure
        rows += [(arrival, *stops[stop]), (departure, *stops[stop])]
    return np.array(rows).T


def _starts(tables: GtfsTables) -> dict[str, list[float]]:
    """Trip -> its departures, where it runs every so many seconds; trips that are not listed run once."""
    found: dict[str, list[float]] = {}
    if not tables.holds(FREQUENCIES):
        return found
    for row, where in tables.rows(FREQUENCIES, ("trip_id", "start_time", "end_time", "headway_secs")):
        headway = row.get("headway_secs", "")
        if not (headway.isascii() and headway.isdigit() and int(headway[:9]) > 0 and len(headway) <= 6):
            raise InputError("This is not a headway.", where=where, mend="write whole seconds above 0")
        first, last = (seconds_of(row.get(name, ""), where) for name in ("start_time", "end_time"))
        found.setdefault(row["trip_id"], []).extend(map(float, range(first, last, int(headway))))
    return found
