"""What is open, records or a contribution table: how many rows were read, of which vehicles."""

from __future__ import annotations

from core.contributions import Contributions, contributions_of
from core.contributions.encryption import AskPassphrase
from core.contributions.extent import usual_box_of_table
from core.draft.draft import DataSource
from core.geodata.zones_source import PublicZones
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.record_dates import date_ranges_of
from core.hats.window import DateRange, Window
from core.progress import Progress
from core.records.usual_box import usual_box
from core.release.contributions_source import with_middles
from core.release.loaded_table import LoadedTable, load_table
from core.store.load_records import Loaded
from ui.language.counted_words import counted_records, counted_vehicles
from ui.language.translation import counted, translator, whole
from ui.session.table_passphrases import TablePassphrases

_tr = translator("OpenData")

LoadedData = Loaded | LoadedTable
GeoBox = tuple[float, float, float, float]
"""South, west, north and east, in degrees."""


def hold_table(
    source: DataSource,
    progress: Progress,
    passphrases: TablePassphrases,
    *,
    resolution: int,
    window: Window | None,
    private: bool,
) -> LoadedTable:
    """Read a contribution table, in a worker thread. Raises InputError, and what `progress` raises.

    window: None for all its dates. private: whether anybody was there is a secret: it may be empty.
    """

    def work(passphrase: AskPassphrase) -> LoadedTable:
        return load_table(
            source,
            progress,
            resolution=resolution,
            window=window,
            empty_allowed=private,
            passphrase=passphrase,
        )

    return passphrases.with_passphrase(work, progress)


def dates_of_data(data: LoadedData) -> tuple[DateRange, ...]:
    """The dates with records; of a table those that it was made for."""
    if isinstance(data, LoadedTable):
        return data.offer.ranges(data.table.resolution)
    return date_ranges_of(data.records)


def box_of_data(data: LoadedData) -> GeoBox | None:
    """Where nearly all records lie; None where there are none."""
    if isinstance(data, Loaded):
        return usual_box(data.records) if len(data.records) else None
    return usual_box_of_table(data.table) if data.table.hats else None


def contributions_of_data(
    data: LoadedData,
    resolution: int,
    window: Window,
    progress: Progress,
    *,
    empty_allowed: bool,
    choice: PlaceChoice = HEXAGON_CHOICE,
    listed: tuple[str, ...] = (),
    zones: PublicZones | None = None,
) -> Contributions:
    """The contributions of a window. Raises InputError where there are none, or none of that grid.

    listed: ids of places that a file names; zones: those of records.
    """
    if isinstance(data, LoadedTable):
        return data.of_window(resolution, window, progress, empty_allowed=empty_allowed)
    table = contributions_of(
        data.records,
        resolution,
        window,
        progress,
        empty_allowed=empty_allowed,
        choice=choice,
        listed=listed,
    )
    return with_middles(table, zones)


def record_count(data: LoadedData) -> int:
    """Records that are open."""
    return len(data.table.values) if isinstance(data, LoadedTable) else len(data.records)


def vehicle_count(data: LoadedData) -> int:
    """Vehicles of the data set, those without a record in the window too."""
    return len(data.table.vehicles if isinstance(data, LoadedTable) else data.records.vehicles)


def data_summary(data: LoadedData) -> str:
    """What was read, in a line."""
    vehicles = counted_vehicles(vehicle_count(data))
    if isinstance(data, LoadedTable):
        return _tr("Contribution table: {records}, {vehicles}").format(
            records=counted_records(record_count(data)), vehicles=vehicles
        )
    report = data.report
    return counted(
        "{used} of {n} row read, {vehicles}",
        "{used} of {n} rows read, {vehicles}",
        report.rows_read,
        used=whole(report.rows_used),
        vehicles=vehicles,
    )
