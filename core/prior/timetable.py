"""Public counts of a GTFS timetable, as if vehicles on trips sent a ping every so often (method 12.9)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
from h3.api import basic_int

from core.arrays import Ints
from core.bounding.candidates import CandidateHats
from core.errors import InputError
from core.hats.cell_codes import index_cells
from core.hats.slots import DAY_MINUTES
from core.prior.gtfs_tables import TRIPS, GtfsTables
from core.prior.public_visits import PublicVisits
from core.prior.service_dates import services_on
from core.prior.timetable_trips import Trip, trips_of
from core.privacy import Unit
from core.progress import Progress, part, silent
from core.records.records import DAY_SECONDS, DEGREE

PING_SECONDS = range(1, 3601)
_MOST_PINGS = 50_000_000


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
            f"A ping every {ping_seconds} seconds is not offered.",
            where="the timetable",
            mend=f"write {PING_SECONDS.start} to {PING_SECONDS.stop - 1} seconds",
        )
    tables = GtfsTables(path)
    trips = trips_of(tables)
    progress(0.3, "Following the timetable")
    rows = _rows_by_trip(trips, candidates, ping_seconds, path, part(progress, 0.3, 0.8))
    visits = _visits(tables, trips, rows, candidates, unit)
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
            f"The timetable comes to more than {_MOST_PINGS:,} pings.",
            where=str(path),
            mend="choose more seconds from ping to ping",
        )
    if not trips:
        return np.zeros((0, 4), np.int64)
    number = np.repeat(np.arange(len(trips)), sizes)
    second = np.concatenate(
        [
            round(trip.second[0]) + every * np.arange(size)
            for trip, size in zip(trips, sizes.tolist(), strict=True)
        ]
    )
    instants = np.split(second, np.cumsum(sizes)[:-1])
    places = [trip.positions(own) for trip, own in zip(trips, instants, strict=True)]
    latitude, longitude = (
        np.rint(np.concatenate(columns) * DEGREE).astype(np.int32) for columns in zip(*places, strict=True)
    )
    progress(0.5, "Following the timetable")
    resolution = basic_int.get_resolution(int(candidates.cell[0]))
    codes = index_cells(latitude, longitude, resolution, part(progress, 0.5, 1.0))
    grid = candidates.window.grid
    after, rest = np.divmod(second, DAY_SECONDS)
    of_minute = np.array([grid.slot_of(minute) for minute in range(DAY_MINUTES)], np.int16)
    slot = of_minute[rest // (DAY_SECONDS // DAY_MINUTES)]
    column = candidates.columns_at(codes.cells[codes.code], slot)
    listed = column >= 0
    keys = np.stack((number[listed], after[listed], column[listed]), axis=1)
    distinct, pings = np.unique(keys, axis=0, return_counts=True)
    return np.column_stack((distinct, pings)).astype(np.int64)


def _visits(
    tables: GtfsTables, trips: list[Trip], rows: Ints, candidates: CandidateHats, unit: Unit
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
    found: list[Ints] = []
    for number, date in enumerate(dates):
        runs = [
            np.array([one.service in services[date - dt.timedelta(days=step)] for one in trips], bool)
            for step in range(late + 1)
        ]
        on = np.array(runs)[after, trip] if trip.size else np.zeros(0, bool)
        whose = vehicle[trip[on]] + (number * len(names) if unit is Unit.VEHICLE_DAY else 0)
        found.append(np.column_stack((column[on], whose, pings[on])))
    table = np.concatenate(found)
    if not table.size:
        return None
    distinct, inverse = np.unique(table[:, :2], axis=0, return_inverse=True)
    records = np.zeros(len(distinct), np.int64)
    np.add.at(records, inverse.reshape(-1), table[:, 2])
    return PublicVisits(
        hats=len(candidates),
        column=distinct[:, 0],
        unit=np.unique(distinct[:, 1], return_inverse=True)[1],
        records=records,
    )
