"""The made-up city with a route and a direction in each record, and specs by these."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.city import SPEC, write_city, write_records

LABELS = ("route", "direction")
MAPPED = ('unit = "km/h"', 'unit = "km/h"\ncolumns = { route = "route", direction = "direction" }')
BY_ROUTE = (MAPPED, ("resolution = 7", 'place = "column"\nplace_column = "route"'))
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
    (folder / "places.txt").write_text("place_id\n1\n=2\nnobody\n", encoding="utf-8")
    return write_city(folder, edit=edit)
