"""core.read.geopackage_tables: the geometry behind a GeoPackage's own header."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path

from core.read.geopackage_tables import MOST_TABLES, feature_tables, well_known_binary
from core.read.map_database import MapDatabase
from tests.layer_files import write_geopackage


def test_the_header_is_left_out_with_its_envelope() -> None:
    point = struct.pack("<BIdd", 1, 1, 72.8, 21.1)
    for flags, envelope in ((0b0001, b""), (0b0011, struct.pack("<4d", 72.8, 72.8, 21.1, 21.1))):
        blob = b"GP\0" + bytes([flags]) + struct.pack("<i", 4326) + envelope + point
        assert well_known_binary(blob) == point


def test_a_table_that_is_listed_again_and_again_is_looked_at_only_so_often(tmp_path: Path) -> None:
    """Two lists of 500 lines are 250,000 layers; of 3,000 the process grew to gigabytes."""
    again = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500)"
    twice = [
        f"INSERT INTO gpkg_contents {again} SELECT 'a', 'features', x, 4326 FROM n",
        f"INSERT INTO gpkg_geometry_columns {again} SELECT 'a', 'geom', 'POINT', 4326, 0, 0 FROM n",
    ]
    path = write_geopackage(tmp_path / "many.gpkg", {"a": [(None, "a")]}, extra=twice)
    with closing(MapDatabase(path)) as database:
        assert len(feature_tables(database)) == MOST_TABLES
