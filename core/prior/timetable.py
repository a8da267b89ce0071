"""Public counts of a GTFS timetable by pings every so often; no vehicle, too many pings (method 12.9)."""

from __future__ import annotations

import datetime as dt
import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.arrays import Ints
from core.bounding.candidates import CandidateHats
from core.bounding.public_counts import PublicCounts
from core.city.city_pairs import CityPairs
from core.counted import count_of
from core.errors import InputError
from core.hats.cell_codes import index_cells
from core.hats.slots import DAY_MINUTES
from core.prior.service_dates import services_on
from core.prior.timetable_trips import Trip, trips_of
from core.privacy import Unit
from core.progress import Progress, part, silent
from core.read.gtfs_tables import TRIPS, GtfsTables
from core.records.records import DAY_SECONDS, DEGREE
from core.texts import text_of

PING_SECONDS = range(1, 3601)
_MOST_PINGS = 50_000_000
_BLOCK_PINGS = 1 << 17
"""Pings of a timetable followed between two words of progress, and in memory together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicVisits:
    """One row for each (candidate HAT, unit), sorted; shapes (n,), n above 0."""

    hats: int
    """G: how many candidates there are, visited or not."""
    column: Ints
    unit: Ints
    """Numbers from 0 without gaps."""
    records: Ints
    """At least 1."""

    @property
    def fleet(self) -> int:
        """How many units visit a candidate."""
        return int(self.unit.max()) + 1

    @property
    def visited(self) -> NDArray[np.bool_]:
        """Shape (G,): candidates that a plan can be made for."""
        return np.bincount(self.column, minlength=self.hats) > 0

    def counts(self) -> PublicCounts:
        """Units of each candidate, and their records in the mean, rounded up; shapes (G,)."""
        units = np.bincount(self.column, minlength=self.hats)
        records = np.zeros(self.hats, np.int64)
        np.add.at(records, self.column, self.records)
        each = -(-records // np.maximum(units, 1))
        return PublicCounts(units=units, records=np.maximum(each, 1), fleet=self.fleet)

    def pairs(self) -> CityPairs:
        """The same table for a plan: the visited candidates, numbered anew."""
        number = np.cumsum(self.visited) - 1
        return CityPairs(
            hat=number[self.column].astype(np.int32),
            vehicle=self.unit.astype(np.int32),
            code=self.unit.astype(np.int32),
            records=self.records,
        )


def timetable_visits(
    path: Path, candidates: CandidateHats, unit: Unit, ping_seconds: int, progress: Progress = silent
) -> PublicVisits:
    """What the trips of the window's dates would send from the candidates.

    path: of a folder or a zip archive; unit: vehicle, or vehicle-day; a vehicle is a block of trips, or a
    trip that belongs to none, and is the same one on every date. The clock is the timetable's: local time,
    and hours beyond 24 are those of the next date. Raises InputError for what is no timetable, or says
    nothing of the candidates, and what `progress` raises.
    """
    if ping_seconds not in PING_SECONDS:
        raise InputError(
            "A ping every {counted_seconds} is not offered.",
            counted_seconds=count_of(ping_seconds, "second"),
            where="the timetable",
            mend=text_of(
                "write {start} to {value} seconds", start=PING_SECONDS.start, value=PING_SECONDS.stop - 1
            ),
        )
    tables = GtfsTables(path)
    trips = trips_of(tables, part(progress, 0.0, 0.6))
    rows = _rows_by_trip(trips, candidates, ping_seconds, path, part(progress, 0.6, 0.95))
    visits = _visits(tables, trips, rows, candidates, unit, part(progress, 0.95, 1.0))
    if visits is None:
        raise InputError(
            "The timetable has no vehicle in the listed hexagons, hours and dates.",
            where=str(path / TRIPS),
            mend="take the timetable that was valid on these dates, or list the hexagons that it serves",
        )
    progress(1.0, "Following the timetable")
    return visits


def _rows_by_trip(
    trips: list[Trip], candidates: CandidateHats, every: int, path: Path, progress: Progress
) -> Ints:
    """Rows of (trip, days after the service's date, column, pings), shape (n, 4); of candidates alone."""
    sizes = np.array([(trip.second[-1] - trip.second[0]) // every + 1 for trip in trips], np.int64)
    if int(sizes.sum()) > _MOST_PINGS:
        raise InputError(
            "The timetable comes to more than {most_pings} pings.",
            most_pings=f"{_MOST_PINGS:,}",
            where=str(path),
            mend="choose more seconds from ping to ping",
        )
    progress(0.0, "Following the timetable")
    batch = np.cumsum(sizes) // _BLOCK_PINGS
    cuts = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(trips)]
    found = [np.zeros((0, 4), np.int64)]
    for first, last in itertools.pairwise(cuts):
        part_progress = part(progress, first / max(len(trips), 1), last / max(len(trips), 1))
        rows = _rows_of(trips[first:last], sizes[first:last], candidates, every, part_progress)
        rows[:, 0] += first
        found.append(rows)
    return np.concatenate(found)


def _rows_of(
    trips: list[Trip], sizes: Ints, candidates: CandidateHats, every: int, progress: Progress
) -> Ints:
    """The same of a few trips, numbered from 0; sizes: pings of each, shape (trips,)."""
    if not trips:
        return np.zeros((0, 4), np.int64)
    number = np.repeat(np.arange(len(trips)), sizes)
    instants = [
        round(trip.second[0]) + every * np.arange(size)
        for trip, size in zip(trips, sizes.tolist(), strict=True)
    ]
    places = [trip.positions(own) for trip, own in zip(trips, instants, strict=True)]
    latitude, longitude = (
        np.rint(np.concatenate(columns) * DEGREE).astype(np.int32) for columns in zip(*places, strict=True)
    )
    progress(0.5, "Following the timetable")
    resolution = basic_int.get_resolution(int(candidates.cell[0]))
    codes = index_cells(latitude, longitude, resolution, part(progress, 0.5, 1.0))
    grid, second = candidates.window.grid, np.concatenate(instants)
    after, rest = np.divmod(second, DAY_SECONDS)
    of_minute = np.array([grid.slot_of(minute) for minute in range(DAY_MINUTES)], np.int16)
    slot = of_minute[rest // (DAY_SECONDS // DAY_MINUTES)]
    column = candidates.columns_at(codes.cells[codes.code], slot)
    listed = column >= 0
    # as one number each: to sort rows of three takes many times as long
    days = int(after.max(initial=0)) + 1
    keys = (number[listed] * days + after[listed]) * len(candidates) + column[listed]
    distinct, pings = np.unique(keys, return_counts=True)
    trip_day, place = np.divmod(distinct, len(candidates))
    return np.column_stack((*np.divmod(trip_day, days), place, pings)).astype(np.int64)


def _visits(
    tables: GtfsTables,
    trips: list[Trip],
    rows: Ints,
    candidates: CandidateHats,
    unit: Unit,
    progress: Progress,
) -> PublicVisits | None:
    """The rows on every date that their services run; None where there are none."""
    trip, after, column, pings = rows.T
    dates = candidates.window.dates
    late = int(after.max(initial=0))
    begun = sorted({date - dt.timedelta(days=step) for date in dates for step in range(late + 1)})
    services = services_on(tables, {one.service for one in trips}, begun)
    names = sorted({one.vehicle for one in trips})
    place = {name: number for number, name in enumerate(names)}
    vehicle = np.array([place[one.vehicle] for one in trips], np.int64)
    kinds = sorted({one.service for one in trips})
    place = {name: number for number, name in enumerate(kinds)}
    service = np.array([place[one.service] for one in trips], np.int64)
    units = len(names) * (len(dates) if unit is Unit.VEHICLE_DAY else 1)
    distinct, records = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for number, date in enumerate(dates):
        progress(number / len(dates), "Following the timetable")
        runs = [
            np.array([name in services[date - dt.timedelta(days=step)] for name in kinds], bool)
            for step in range(late + 1)
        ]
        on = np.array(runs)[after, service[trip]] if trip.size else np.zeros(0, bool)
        whose = vehicle[trip[on]] + (number * len(names) if unit is Unit.VEHICLE_DAY else 0)
        # of one column and unit one number each, added up date by date
        keys = np.concatenate((distinct, column[on] * units + whose))
        sent = np.concatenate((records, pings[on]))
        distinct, inverse = np.unique(keys, return_inverse=True)
        records = np.zeros(distinct.size, np.int64)
        np.add.at(records, inverse, sent)
    if not distinct.size:
        return None
    visited, whose = np.divmod(distinct, units)
    return PublicVisits(
        hats=len(candidates),
        column=visited,
        unit=np.unique(whose, return_inverse=True)[1],
        records=records,
    )
