"""Explains the keys of `hats.zones`: a layer, its fields of ids and names, licence, lines."""

from __future__ import annotations

from core.geodata.zones_source import BUFFER_M, ZonesSource
from core.spec.schema import Key, Table
from core.spec.value_kinds import FileName, Whole
from core.texts import text_of

ZONES_TABLE = Table(
    help="A public layer whose areas are the places; with a layer of lines, such as streets, the ground "
    "along each. Ids, names and outlines are published.",
    carrier=ZonesSource,
    entries=(
        Key(
            name="file",
            kind=FileName(),
            help="GeoJSON, GeoPackage or zipped Shapefile, relative to the spec.",
            required=True,
            identity="hats.zones",
            identity_of="digest",
            example='"wards.geojson"',
        ),
        Key(
            name="id",
            help="The field of the layer that identifies zones.",
            required=True,
            example='"ward_no"',
        ),
        Key(
            name="name",
            help="The field of the layer that names them.",
            default="",
            without="the ids are the names",
            example='"ward"',
        ),
        Key(
            name="licence",
            help="The licence of the layer: an SPDX name, or your own text.",
            required=True,
            example='"CC-BY-4.0"',
        ),
        Key(
            name="table",
            help="The layer's name in a GeoPackage or zip that has several.",
            default="",
            without="the only one there is",
            example='"wards"',
        ),
        Key(
            name="buffer_m",
            kind=Whole(text_of("metres, {least} to {most}", least=BUFFER_M[0], most=BUFFER_M[1])),
            help="For a layer of lines: how far from a line its zone reaches. Where zones overlap, the "
            "nearest line counts, then the smaller id.",
            default=0,
            without="the layer has areas",
            example="25",
        ),
    ),
)
