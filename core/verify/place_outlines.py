"""Verify: `data/places.geojson` has each place of the data once, with its name (method 14.9)."""

from __future__ import annotations

from core.bundle.csv_columns import DataTable
from core.bundle.data_files import neutral
from core.bundle.place_outlines import stated_places
from core.bundle.row_outlines import GeoLine
from core.counted import count_of
from core.signed.bundle_names import PLACES_PATH
from core.signed.findings import require
from core.verify.folder import BundleFolder, TableRow


def check_place_outlines(folder: BundleFolder, rows: list[tuple[DataTable, list[TableRow]]]) -> str:
    """Raises Finding unless the places of the rows are those of the file, with the same names.

    rows: of each table; regions have none that are places. Of routes some may have no line.
    """
    names = {(row["place_id"], row["place_name"]) for table, found in rows if table.by_place for row in found}
    places, lines = stated_places(folder.read(PLACES_PATH)), holds_lines(folder)
    stated = {(neutral(place), neutral(name)) for place, (name, _) in places.items()}
    same = stated <= names if lines else stated == names and len(places) == len(names)
    require(same, "{places_path} has other places than the data")
    return count_of(len(stated), "place with one outline", "places with one outline each")


def holds_lines(folder: BundleFolder) -> bool:
    """Whether the file is of lines of routes, not of areas. Raises Finding for what is neither."""
    places = stated_places(folder.read(PLACES_PATH))
    return any(isinstance(outline, GeoLine) for _, outline in places.values())
