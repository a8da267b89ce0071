"""What is open, records or a contribution table in their place: the few things that differ between them."""

from __future__ import annotations

from core.contributions import Contributions, contributions_of
from core.contributions.extent import date_ranges_of_table, usual_box_of_table
from core.draft import DataSource
from core.hats.record_dates import date_ranges_of
from core.hats.window import DateRange, Window
from core.progress import Progress
from core.records.usual_box import usual_box
from core.release.loaded_table import LoadedTable, load_table
from core.store.load_records import Loaded, load_records
from core.store.record_cache import RecordCache
from ui.kit.counted_words import counted_records, counted_vehicles
from ui.kit.translation import counted, translator, whole

_tr = translator("HeldData")

HeldData = Loaded | LoadedTable
GeoBox = tuple[float, float, float, float]
"""South, west, north and east, in degrees."""


def hold(source: DataSource, progress: Progress, cache: RecordCache, *, private: bool) -> HeldData:
    """Read what the source names, in a worker thread. Raises InputError, and what `progress` raises.

    private: whether anybody was there is a secret, so that a table may be empty.
    """
    if source.table:
        return load_table(source, progress, empty_allowed=private)
    return load_records(source.files, source.rules, progress, cache)


def dates_held(held: HeldData) -> tuple[DateRange, ...]:
    """The dates with records."""
    return date_ranges_of_table(held.table) if isinstance(held, LoadedTable) else date_ranges_of(held.records)


def box_held(held: HeldData) -> GeoBox | None:
    """Where nearly all records lie; None of a table without rows."""
    if isinstance(held, Loaded):
        return usual_box(held.records)
    return usual_box_of_table(held.table) if held.table.hats else None


def contributions_held(
    held: HeldData, resolution: int, window: Window, progress: Progress, *, empty_allowed: bool
) -> Contributions:
    """The contributions of a window. Raises InputError where there are none, or none of that grid."""
    if isinstance(held, LoadedTable):
        return held.of_window(resolution, window, empty_allowed=empty_allowed)
    return contributions_of(held.records, resolution, window, progress, empty_allowed=empty_allowed)


def record_count(held: HeldData) -> int:
    """Records that are open."""
    return len(held.table.values) if isinstance(held, LoadedTable) else len(held.records)


def vehicle_count(held: HeldData) -> int:
    """Vehicles of the data set, those without a record in the window too."""
    return len(held.table.vehicles if isinstance(held, LoadedTable) else held.records.vehicles)


def told_held(held: HeldData) -> str:
    """What was read, in a line."""
    vehicles = counted_vehicles(vehicle_count(held))
    if isinstance(held, LoadedTable):
        return _tr("Contribution table: {records}, {vehicles}").format(
            records=counted_records(record_count(held)), vehicles=vehicles
        )
    report = held.report
    return counted(
        "{used} of {n} row used, {vehicles}",
        "{used} of {n} rows used, {vehicles}",
        report.rows_read,
        used=whole(report.rows_used),
        vehicles=vehicles,
    )
