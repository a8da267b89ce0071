"""Public counts from an older release in relation `user`: its noisy numbers of vehicles (method 12.9).

They cost nothing more. Counts of a release in relation `values` are exact: of vehicles that are to be
protected they are no public numbers, however old.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import numpy as np
from h3.api import basic_int

from core.bounding.candidates import CandidateHats
from core.bounding.public_counts import PublicCounts
from core.errors import InputError
from core.hats.cells import parse_cell
from core.hats.slots import parse_clock
from core.privacy import Relation
from core.release.csv_columns import DataTable
from core.release.privacy_statement_reader import PrivacyStatement, read_statement
from core.release.verify import verify_bundle
from core.release.verify_folder import BundleFolder, read_folder
from core.release.verify_tables import rows_of

_VEHICLES_DP = "vehicles_dp"
"""Column of noisy numbers of vehicles."""


def released_counts(
    bundle: Path, candidates: CandidateHats, *, records: int, fleet: int, public_key: str | None = None
) -> PublicCounts:
    """Vehicles of each candidate by a bundle that verifies, rounded; none where it has no number.

    records: of one unit in a HAT, which no bundle tells; fleet: how many units there are, 0 where nobody
    says; public_key: of its publisher, without which a bundle that anybody made would do. Raises InputError
    for what is no bundle, does not verify, is of relation `values` or another grid, or has no such column.
    """
    verification = verify_bundle(bundle, public_key)
    failed = next((check for check in verification.checks if not check.passed), None)
    if failed is not None:
        raise InputError(
            f"The older release does not verify: {failed.name}: {failed.detail}.",
            where=str(bundle),
            mend="get the bundle from its publisher again; never plan on numbers that somebody changed",
        )
    folder = read_folder(bundle)
    statement = read_statement(folder)
    _require_private_counts(statement, bundle)
    _require_same_grid(statement, candidates, bundle)
    units = np.zeros(len(candidates), np.int64)
    for cell, minute, number in _told(_table_with_vehicles(folder, bundle), folder, statement.resolution):
        slot = candidates.window.grid.slot_of(minute)
        column = candidates.columns_at(np.array([cell], np.uint64), np.array([slot], np.int16))[0]
        if column >= 0:
            units[column] = number
    if not units.any():
        raise InputError(
            "The older release has no vehicle in any of the listed hexagons and slots.",
            where=str(bundle),
            mend="name a release of the same city and hours",
        )
    return PublicCounts(units=units, records=np.full(units.size, records, np.int64), fleet=fleet)


def _require_private_counts(statement: PrivacyStatement, bundle: Path) -> None:
    if statement.relation != Relation.USER.value:
        raise InputError(
            f"The older release is of relation {statement.relation}, whose counts are exact: they are no "
            "private release of counts, and must not steer one.",
            where=str(bundle),
            mend="name a release in relation user, a timetable, or typed numbers",
        )


def _require_same_grid(statement: PrivacyStatement, candidates: CandidateHats, bundle: Path) -> None:
    window = candidates.window
    same_slots = statement.slot_minutes == window.slot_minutes
    same_starts = statement.hours[0] % statement.slot_minutes == window.start % window.slot_minutes
    wanted = {basic_int.get_resolution(cell) for cell in candidates.cell[:1].tolist()}
    if not (same_slots and same_starts and wanted == {statement.resolution}):
        raise InputError(
            f"The older release has hexagons of resolution {statement.resolution} and slots of "
            f"{statement.slot_minutes} minutes, other ones than this.",
            where=str(bundle),
            mend="name a release with the same resolution, slot length and start of slots",
        )


def _table_with_vehicles(folder: BundleFolder, bundle: Path) -> DataTable:
    for table in folder.statistics.values():
        if _VEHICLES_DP in table.header and not table.by_region:
            return table
    raise InputError(
        f"The older release has no column {_VEHICLES_DP}.",
        where=str(bundle),
        mend="name a release of mean speeds in relation user",
    )


def _told(table: DataTable, folder: BundleFolder, resolution: int) -> list[tuple[int, int, int]]:
    """Cell, start of the slot in minutes, vehicles rounded; of the rows that have a number."""
    return [
        (
            parse_cell(row["h3_cell"], resolution, where=table.path),
            parse_clock(row["slot_start"], where=table.path),
            max(int(Decimal(row[_VEHICLES_DP]).quantize(Decimal(1), ROUND_HALF_EVEN)), 0),
        )
        for row in rows_of(table, folder)
        if row[_VEHICLES_DP]
    ]
