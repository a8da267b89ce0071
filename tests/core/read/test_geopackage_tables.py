"""core.read.geopackage_tables: the geometry behind a GeoPackage's own header."""

from __future__ import annotations

import struct

from core.read.geopackage_tables import well_known_binary


def test_the_header_is_left_out_with_its_envelope() -> None:
    point = struct.pack("<BIdd", 1, 1, 72.8, 21.1)
    for flags, envelope in ((0b0001, b""), (0b0011, struct.pack("<4d", 72.8, 72.8, 21.1, 21.1))):
        blob = b"GP\0" + bytes([flags]) + struct.pack("<i", 4326) + envelope + point
        assert well_known_binary(blob) == point
