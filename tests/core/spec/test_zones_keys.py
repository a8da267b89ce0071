"""The table of a layer of zones in a spec."""

from __future__ import annotations

from core.geodata.zones_source import ZonesSource
from core.spec.declared_tables import answers_of, make, read_table, write_table
from core.spec.toml_section import Section
from core.spec.zones_keys import ZONES_TABLE

STREETS = {"file": "streets.gpkg", "id": "no", "licence": "ODbL-1.0", "table": "bus lanes", "buffer_m": 25}


def test_what_a_spec_says_of_streets_is_carried_and_written_again() -> None:
    source = make(ZONES_TABLE, read_table(ZONES_TABLE, Section("hats.zones", dict(STREETS))))
    assert source == ZonesSource(
        file="streets.gpkg", id="no", licence="ODbL-1.0", table="bus lanes", buffer_m=25
    )
    assert write_table(ZONES_TABLE, answers_of(ZONES_TABLE, source)) == STREETS
