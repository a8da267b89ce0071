"""Verify: regions by number, hours and hexagons, apart, in place, with outlines (method 14.5)."""

from __future__ import annotations

from typing import Any

import h3

from core.bundle.csv_columns import DataTable
from core.bundle.region_outlines import outline, region_properties
from core.city.region_boxes import COARSEST_RESOLUTION, block_lengths
from core.counted import count_of
from core.signed.bundle_names import REGIONS_PATH
from core.signed.findings import Finding, json_object, require, same_json
from core.texts import text_of
from core.verify.candidates import slots_of_row, stated_window
from core.verify.folder import BundleFolder, TableRow
from core.verify.periods import has_labels, is_period
from core.verify.statement_reader import PrivacyStatement, read_statement
from core.verify.tables import near_points, rows_of


def holds_regions(folder: BundleFolder) -> bool:
    """Whether anything in the bundle is about regions."""
    tables = folder.format.tables_of(folder.quantity).values()
    paths = {REGIONS_PATH, *(table.path for table in tables if table.by_region)}
    return not paths.isdisjoint(folder.files)


def check_regions(folder: BundleFolder) -> str:
    """Every region is a place times a block of hours; no hexagon is in two of them at one time.

    Its outline is the union of its hexagons, and what privacy.json says that it keeps was promised.
    """
    statement = read_statement(folder)
    tables = {key: table for key, table in folder.statistics.items() if table.by_region}
    require(len(tables) == 1, "{regions_path} belongs to no table of regions")
    ((statistic, table),) = tables.items()
    rows = rows_of(table, folder)
    require(bool(rows), "{path} holds no region", path=table.path)
    taken: set[tuple[str, int]] = set()
    for number, row in enumerate(rows, start=1):
        where = text_of("{path}, line {value}", path=table.path, value=number + 1)
        cells, slots = row["h3_cells"].split(" "), _block_of(row, statement)
        require(
            int(row["region"][1:]) == number, "{where}: the regions are not numbered in order", where=where
        )
        require(
            _is_place(cells, statement), "{where}: the hexagons are not of one place of the grid", where=where
        )
        require(bool(slots), "{where}: the hours are not a block of the grid", where=where)
        covered = {(cell, slot) for cell in cells for slot in slots}
        require(taken.isdisjoint(covered), "{where}: a hexagon is in two regions at one time", where=where)
        taken |= covered
    _check_outlines(rows, folder)
    _check_promise(statistic, table, len(rows), statement)
    hexagons = len({cell for cell, _ in taken})
    return text_of(
        "{counted_regions} of {counted_hexagons}, apart and in place",
        counted_regions=count_of(len(rows), "region"),
        counted_hexagons=count_of(hexagons, "hexagon"),
    )


def _is_place(cells: list[str], statement: PrivacyStatement) -> bool:
    """Cells of the release's resolution below one parent, each once, sorted."""
    resolution = statement.resolution
    if cells != sorted(set(cells)):
        return False
    if not all(h3.is_valid_cell(cell) and h3.get_resolution(cell) == resolution for cell in cells):
        return False
    return len({h3.cell_to_parent(cell, min(COARSEST_RESOLUTION, resolution)) for cell in cells}) == 1


def _block_of(row: TableRow, statement: PrivacyStatement) -> range:
    """The slots of a region, counted from the window's first; empty where its hours are no block."""
    if statement.periods or statement.groups:
        window = stated_window(statement)
        found_slots = slots_of_row(row, window)
        hours = [(window.grid.text(slot), window.grid.end_text(slot)) for slot in found_slots]
        holds = hours == [(row["slot_start"], row["slot_end"])] and has_labels(row, statement)
        holds = holds and (is_period(row, statement) if statement.periods else True)
        return range(found_slots[0], found_slots[0] + 1) if holds else range(0)
    first, last = statement.hours
    length = statement.slot_minutes
    slots = (last - first) // length
    begin, end = (_minutes(row[name]) - first for name in ("slot_start", "slot_end"))
    if begin % length or end % length or not 0 <= begin < end <= last - first:
        return range(0)
    found = range(begin // length, end // length)
    fits = (
        found.start % block == 0 and found.stop == min(found.start + block, slots)
        for block in block_lengths(slots, length)
    )
    return found if any(fits) else range(0)


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _check_outlines(rows: list[TableRow], folder: BundleFolder) -> None:
    document = json_object(REGIONS_PATH, folder.read(REGIONS_PATH))
    features = document.get("features")
    whole = document.keys() == {"type", "features"} and document["type"] == "FeatureCollection"
    if not whole or not isinstance(features, list) or len(features) != len(rows):
        raise Finding(
            "{regions_path} is not a collection of the {counted_regions}",
            counted_regions=count_of(len(rows), "region"),
        )
    for row, feature in zip(rows, features, strict=True):
        require(_outlines(row, feature), "{regions_path}: the feature of {row} is wrong", row=row["region"])


def _outlines(row: TableRow, feature: Any) -> bool:
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    stated = geometry.get("coordinates") if isinstance(geometry, dict) else None
    expected = {
        "type": "Feature",
        "properties": region_properties(row["region"], row["slot_start"], row["slot_end"]),
        "geometry": {"type": "MultiPolygon", "coordinates": stated},
    }
    return same_json(feature, expected) and near_points(stated, outline(row["h3_cells"].split(" ")))


def _check_promise(statistic: str, table: DataTable, regions: int, statement: PrivacyStatement) -> None:
    """What privacy.json says that the regions keep."""
    stated = [one.regions for one in statement.stated.queries if one.statistic == statistic]
    require(len(stated) == 1, "{privacy} does not name just one query by region")
    (facts,) = stated
    require(
        facts is not None
        and facts.regions == regions
        and 0 < facts.kept_error <= facts.promised_error
        and 0 < facts.record_share <= 1,
        "{privacy}: what it says about {path} is impossible",
        path=table.path,
    )
