"""The made-up city with a route and a direction in each record, and specs by these."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

from core.engines.base import Engine, Made, TableJob
from core.spec import ReleaseSpec, load_spec
from tests.city import SPEC, write_city, write_records
from tests.engine_data import assert_jobs_agree, job
from tests.geojson import box, feature, polygon, write_geojson
from tests.timetables import write_timetable

LABELS = ("route", "direction")
MAPPED = ('unit = "km/h"', 'unit = "km/h"\ncolumns = { route = "route", direction = "direction" }')
BY_ROUTE = (MAPPED, ("resolution = 7", 'place = "column"\nplace_column = "route"'))
ZONES = 'zones = { file = "wards.geojson", id = "ward", name = "title", licence = "CC0-1.0" }'
BY_ZONE = (("resolution = 7", f'place = "zones"\n{ZONES}'),)
WITH_LINES = (
    *BY_ROUTE,
    ('place_column = "route"', 'place_column = "route"\nshapes = "timetable.zip"'),
)
BY_STREET = (*BY_ZONE, ('file = "wards.geojson"', 'file = "streets.geojson", buffer_m = 200'))
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


OPEN_LABELS = ('hours = ["09:00", "12:00"]', 'hours = ["09:00", "12:00"]\ngroup = ["direction", "day_kind"]')
PERIODS = ("slot_minutes = 60", 'periods = { early = ["09:00", "09:30"], late = ["10:00", "11:45"] }')
_FILTERED = ("[hats]", '[data.filter]\nnot_route = ["=2"]\n\n[hats]')
_KINDS = ('"day_kind"]', '"day_kind"]\nday_kinds = "kinds.csv"')
_TYPED = ("[selection]", 'labels = { direction = ["UP"] }\n\n[selection]')
ENGINES_AGREE: dict[str, tuple[tuple[str, str], ...]] = {
    "open labels, periods, a filter": (MAPPED, OPEN_LABELS, PERIODS, _FILTERED),
    "routes by typed labels": (*BY_ROUTE, OPEN_LABELS, _TYPED),
    "zones by open labels": (*BY_ZONE, MAPPED, OPEN_LABELS),
    "routes by open labels, kinds of day in a file": (*BY_ROUTE, OPEN_LABELS, _KINDS),
    "streets by open labels": (*BY_STREET, MAPPED, OPEN_LABELS),
}
"""Edits of the spec: what all engines make the same table of."""
_STRANGE = (
    *(
        "=cmd|' /C calc'!A1",
        "'=1",
        "\u202eUP",
        "UP\u200b",
        "U\u200dP",
        "\x1b[2J",
        "a\x1fb",
        "x" * 65_536,
        "UP ",
    ),
    *("\u00e9", "e\u0301", "<script>", "\u212a", "K", "-", "NULL", "\0", "\U0010ffff", "a,b", '"', "{}"),
)
_QUOTED = [f'"{label.replace(chr(34), 2 * chr(34))}"' for label in _STRANGE]
STRANGE_LINES = "".join(
    f"bus-{vehicle:02d}\x1f{number % 2},2022-01-0{3 + vehicle % 2}T10:{number:02d}:{vehicle:02d}+05:30,"
    f"21.17,72.83,20,{label},{label}\n"
    for number, label in enumerate(_QUOTED)
    for vehicle in range(4)
)
"""Records whose ids and labels somebody hostile has chosen."""
STRANGE_NAME = ("records.csv", "rec{o}r,d s%41#\u00fc.csv")


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
    streets = [
        feature(
            {"type": "LineString", "coordinates": [[72.80, at], [72.90, at]]}, {"ward": name, "title": name}
        )
        for name, at in (("North", 21.1712), ("South", 21.1695))
    ]
    write_geojson(folder / "streets.geojson", {"type": "FeatureCollection", "features": streets})
    routes, trips, shapes = (
        f"route_id,route_short_name\n1,one\n8,=2\n9,other\n5,{RARE}\n",
        "route_id,trip_id,shape_id\n1,t,a\n8,u,b\n9,v,b\n5,w,b\n",
        "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n"
        "a,1,21.1,72.8\na,2,21.2,72.9\nb,1,21.2,72.8\nb,2,21.1,72.9\n",
    )
    write_timetable(folder, zipped=True, routes=routes, trips=trips, shapes=shapes, stops=None)
    (folder / "kinds.csv").write_text("2022-01-03,strike\n2022-01-04,ordinary\n", encoding="utf-8")
    (folder / "zones.txt").write_text("place_id\n1\n=2\n", encoding="utf-8")
    (folder / "places.txt").write_text("place_id\n1\n=2\nnobody\n", encoding="utf-8")
    return write_city(folder, edit=edit)


def labelled_job(spec: ReleaseSpec, out: Path) -> TableJob:
    """The table that a spec of that city asks for."""
    made = job(spec.data.paths(), out, spec.data.rules)
    return dataclasses.replace(made, window=spec.window, choice=spec.place)


def assert_engine_agrees(engine: Engine, edit: tuple[tuple[str, str], ...], folder: Path) -> None:
    """An engine writes what the local one writes of that city, byte for byte."""
    spec = load_spec(write_labelled_city(folder, edit))
    assert_jobs_agree(engine, lambda out: labelled_job(spec, out), folder)


def assert_engine_agrees_on_strange_records(engine: Engine, folder: Path) -> Made:
    """Likewise, where ids, labels and the file's name are hostile."""
    edit = (*BY_ROUTE, OPEN_LABELS, STRANGE_NAME)
    spec = load_spec(write_labelled_city(folder, edit, STRANGE_LINES))
    (folder / STRANGE_NAME[0]).rename(folder / STRANGE_NAME[1])
    made = assert_jobs_agree(engine, lambda out: labelled_job(spec, out), folder)
    assert made.values > 600
    return made
