"""The made-up city with a route and a direction in each record, and specs by these."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.city import SPEC, write_city, write_records
from tests.geojson import box, feature, polygon, write_geojson

LABELS = ("route", "direction")
MAPPED = ('unit = "km/h"', 'unit = "km/h"\ncolumns = { route = "route", direction = "direction" }')
BY_ROUTE = (MAPPED, ("resolution = 7", 'place = "column"\nplace_column = "route"'))
ZONES = 'zones = { file = "wards.geojson", id = "ward", name = "title", licence = "CC0-1.0" }'
BY_ZONE = (("resolution = 7", f'place = "zones"\n{ZONES}'),)
WHOLE_AREA = (("resolution = 7", 'place = "none"'),)
USER = (
    (
        SPEC[SPEC.index("[selection]") : SPEC.index("confirmed")],
        '[selection]\nrule = "cells"\nfile = "places.txt"\nthreshold = 1\n\n[privacy]\n'
        'population = "Typed buses"\nrelation = "user"\nunit = "vehicle"\nhats_per_vehicle = 4\n',
    ),
    ('mechanism = "array-averaging"', 'mechanism = "bounded-mean"'),
    (SPEC[SPEC.index("[query.parameters]") :], ""),
)
"""An edit of the spec: places that somebody typed, in relation `user`."""
RARE, MARKED = "rare route", "<b>&\"'=1</b>"


def write_labelled_city(folder: Path, edit: tuple[tuple[str, str], ...], more: str = "") -> Path:
    """Routes 1, =2 and one with markup, and one that a single bus drives; more: lines behind the records."""
    folder.mkdir(parents=True, exist_ok=True)
    path = write_records(folder / "records.csv")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0], *LABELS])
        writer.writeheader()
        for number, row in enumerate(rows):
            route = ("1", "=2", MARKED)[int(row["vehicle"][-2:]) % 3 if number % 4 else 0]
            rare = row["vehicle"] == "bus-11" and number % 9 == 0
            writer.writerow(row | {"route": RARE if rare else route, "direction": ("UP", "DN")[number % 2]})
        file.write(more)
    wards = (("1", MARKED, box(72.80, 21.15, 72.85, 21.25)), ("=2", "=East", box(72.85, 21.15, 72.90, 21.25)))
    zones = [feature(polygon(shape), {"ward": ward, "title": title}) for ward, title, shape in wards]
    write_geojson(folder / "wards.geojson", {"type": "FeatureCollection", "features": zones})
    (folder / "zones.txt").write_text("place_id\n1\n=2\n", encoding="utf-8")
    (folder / "places.txt").write_text("place_id\n1\n=2\nnobody\n", encoding="utf-8")
    return write_city(folder, edit=edit)
