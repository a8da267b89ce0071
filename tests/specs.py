"""Specs as nested dictionaries: a small one, one with a given key, and any, made from the declared keys."""

from __future__ import annotations

import copy
import datetime as dt
import json
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from core.parameter_fields import declared
from core.quantity import SPEED, Quantity
from core.spec.keys import SPEC
from core.spec.schema import Key, Sub, Table, Tables
from core.spec.toml_section import Section
from core.spec.value_kinds import Flag, Option, Parameters, Text
from core.statistics.registry import all_statistics

CELLS = "8742d9d69ffffff\n8742d9d68ffffff\n"
COUNTS = "h3_cell,slot_start,vehicles,records\n8742d9d69ffffff,09:00,12,5\n"
SMALL: dict[str, Any] = {
    "release": {
        "name": "test-speed",
        "version": "1.0.0",
        "title": "Speeds",
        "publisher": "City",
        "contact": "opendata@city.example",
        "licence": "CC-BY-4.0",
    },
    "data": {
        "files": ["records.csv"],
        "zone": "Asia/Kolkata",
        "upper_bound_kmh": 65.0,
        "mapping": {"vehicle": "bus", "time": "at", "latitude": "lat", "longitude": "lon", "value": "speed"}
        | {"unit": "km/h"},
    },
    "hats": {"dates": ["2022-01-03", "2022-01-04"]},
    "selection": {"rule": "hat"},
    "privacy": {"population": "Test buses", "relation": "values", "unit": "vehicle"},
    "query": [{"id": "mean_speed", "statistic": "mean", "mechanism": "baseline", "total": "6"}],
}
"""Every key that is needed, and none besides."""
KINDS = "".join(f"{dt.date(2016, 11, 20) + dt.timedelta(days=day)},usual\n" for day in range(3000))
_COUNTED: tuple[tuple[str, ...], dict[str, Any]] = (
    (),
    {
        "privacy.relation": "user",
        "privacy.hats_per_vehicle": 20,
        "selection.rule": "cells",
        "selection.file": "cells.txt",
        "selection.threshold": 10,
        "query.mechanism": "plan-and-enforce",
    },
)
INSTEAD: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "data.contributions": (("data.files",), {}),
    "data.derived_speed_in_table": (("data.files",), {"data.contributions": "table.parquet"}),
    "data.physical_limits_in_table": (("data.files",), {"data.contributions": "table.parquet"}),
    "data.mapping.position": (("data.mapping.latitude", "data.mapping.longitude"), {}),
    "data.units": (("data.mapping.unit",), {}),
    "data.mapping.unit_kmh": (("data.mapping.unit",), {}),
    "data.value": (("data.mapping.unit", "data.upper_bound_kmh"), {}),
    "data.derived_speed": (("data.mapping.unit", "data.mapping.value"), {}),
    "data.filter": ((), {"data.mapping.columns": {"direction": "trip_direction"}}),
    "hats.labels": (
        (),
        {"hats.group": ["direction"], "data.mapping.columns": {"direction": "trip_direction"}},
    ),
    "hats.day_kinds": ((), {"hats.group": ["day_kind"]}),
    "selection.file": ((), {"selection.rule": "cells"}),
    "privacy.hats_per_vehicle": (
        (),
        {
            "privacy.relation": "user",
            "selection.rule": "cells",
            "selection.file": "cells.txt",
            "selection.threshold": 10,
            "query.mechanism": "bounded-mean",
        },
    ),
    "privacy.days_per_vehicle": (
        (),
        {
            "privacy.relation": "user",
            "privacy.hats_per_vehicle": 20,
            "selection.rule": "cells",
            "selection.file": "cells.txt",
            "selection.threshold": 10,
            "query.mechanism": "bounded-mean",
        },
    ),
    "release.places": ((), {}),
    "hats.zones": ((), {"hats.place": "zones"}),
    "hats.place_column": ((), {"hats.place": "column", "data.mapping.columns": {"route": "route_id"}}),
    "hats.shapes": (
        (),
        {
            "hats.place": "column",
            "hats.place_column": "route",
            "data.mapping.columns": {"route": "route_id"},
        },
    ),
    "query.public_counts": _COUNTED,
    "query.seconds_per_ping": _COUNTED,
    "query.public_counts_key": _COUNTED,
    "query.epsilon": (("query.total",), {}),
    "query.noise_scale": (("query.total", "query.mechanism"), {"query.statistic": "query1"}),
}
"""What has to go and to change for a key that stands in the place of another."""
OTHERS: dict[str, list[Any]] = {
    "release.places.within_m": [1, 100_000],
    "data.zone": ["UTC"],
    "data.upper_bound_kmh": [80, 12.345],
    "data.mapping.physical_max_kmh": [150.5],
    "data.value.name": ["speed", "pm2_5"],
    "data.value.unit": ["µg/m³", "%"],
    "data.value.lower": [-7200, 0, 12.345],
    "data.value.upper": [100, 7200],
    "data.value.physical_max": [7200.5, 1_000_000],
    "hats.resolution": [5, 8, 10],
    "hats.slot_minutes": [15, 30],
    "hats.hours": [["00:00", "24:00"], ["07:00", "08:00"]],
    "hats.dates": [[["2022-01-03", "2022-01-03"], ["2022-01-05", "2022-01-07"]]],
    "selection.threshold": [1, 3],
    "selection.minimum_vehicles": [1, 5],
    "query.total": ["0.000001", "7.50"],
    "query.seconds_per_ping": [1, 3600],
}
"""More values than the one that the documents show."""


def folder_of_files(folder: Path) -> Path:
    """The folder, with the files that the specs name."""
    (folder / "records.csv").touch()
    (folder / "cells.txt").write_text(CELLS, encoding="utf-8")
    (folder / "kinds.csv").write_text(KINDS, encoding="utf-8")
    (folder / "timetable.csv").write_text(COUNTS, encoding="utf-8")
    street = {"type": "LineString", "coordinates": [[72.8, 21.1], [72.9, 21.1]]}
    zone = {"type": "Feature", "properties": {"ward_no": 1, "ward": "North"}, "geometry": street}
    (folder / "wards.geojson").write_text(json.dumps(zone), encoding="utf-8")
    return folder


def example_of(key: Key, path: str) -> Any:
    """A value as it may stand in a file."""
    if path == "data.files":
        return ["records.csv"]
    if path == "selection.file":
        return "cells.txt"
    if isinstance(key.kind, Parameters):
        return {}
    if isinstance(key.kind, Sub | Tables):
        table = {item.name: example_of(item, f"{path}.{item.name}") for item in key.kind.table.keys}
        return table if isinstance(key.kind, Sub) else [table]
    if key.example:
        return tomllib.loads(f"example = {key.example}")["example"]
    return key.kind.write(key.default)


def spec_with(path: str, key: Key) -> dict[str, Any]:
    """The small spec, and that key in it."""
    document = copy.deepcopy(SMALL)
    above = [place for place in INSTEAD if path == place or path.startswith(f"{place}.")]
    for place in above:
        gone, changed = INSTEAD[place]
        for old in gone:
            table_at(document, old).pop(old.rpartition(".")[2])
        for old, value in changed.items():
            table_at(document, old)[old.rpartition(".")[2]] = value
        if path != place:
            table_at(document, place)[place.rpartition(".")[2]] = example_of(SPEC.key(place), place)
    table = table_at(document, path)
    if key.inner is None or key.name not in table:
        table[key.name] = example_of(key, path)
    return document


def table_at(document: dict[str, Any], path: str) -> dict[str, Any]:
    """The table that holds the key at a path; the first one of a list."""
    table: Any = document
    for name in path.split(".")[:-1]:
        table = table.setdefault(name, {})
        table = table[0] if isinstance(table, list) else table
    assert isinstance(table, dict)
    return table


@st.composite
def documents(draw: st.DrawFn, schema: Table) -> dict[str, Any]:
    """Any spec that can be read in a `folder_of_files`; a key that is new in the schema is among its keys."""

    def some(path: str, but: Collection[str] = ()) -> dict[str, Any]:
        keys = [key for key in schema.table(path).keys if key.name not in but and key.inner is None]
        return {
            key.name: draw(values(key, f"{path}.{key.name}"))
            for key in keys
            if key.required or draw(st.booleans())
        }

    document = {
        name: some(name, ("place", "place_column", "zones", "shapes"))
        for name in ("release", "hats", "privacy")
    }
    if {"labels", "day_kinds"} & document["hats"].keys():
        document["hats"]["group"] = ["direction", "day_kind"]
    if "periods" in document["hats"]:
        document["hats"].pop("slot_minutes", None)
        document["hats"]["hours"] = ["00:00", "24:00"]
    if draw(st.booleans()):
        document["release"]["places"] = some("release.places")
    file = draw(st.booleans())
    for constant in ("hats_per_vehicle", "days_per_vehicle"):  # of relation user, which no example is of
        document["privacy"].pop(constant, None)
    document["selection"] = some("selection", ("rule", "threshold" if file else "file"))
    document["selection"]["rule"] = "cells" if file else draw(st.sampled_from(("hat", "every-slot")))
    if file:
        document["hats"]["resolution"] = 7
    of_tables = ("contributions", "derived_speed_in_table", "physical_limits_in_table")
    document["data"] = some("data", of_tables) | {"files": ["records.csv"]}
    unit = draw(st.sampled_from(("unit", "units", "derived_speed", "value")))
    place = draw(st.sampled_from((("position", "position_order"), ("latitude", "longitude"))))
    columns = {"value", "unit", "unit_kmh", "position", "position_order", "latitude", "longitude"}
    mapping = document["data"]["mapping"] = some("data.mapping", columns)
    mapping |= {name: example_of(schema.key(f"data.mapping.{name}"), "") for name in place}
    if "filter" in document["data"] or "direction" in document["hats"].get("group", []):
        mapping["columns"] = example_of(schema.key("data.mapping.columns"), "")
    if unit != "derived_speed":
        mapping["value"] = "speed"
    if unit == "unit":
        mapping["unit"] = draw(st.sampled_from(("km/h", "m/s")))
    elif unit == "units":
        last = {"unit": "mph", "to": "2022-01-03"}
        document["data"]["units"] = draw(
            st.sampled_from(([last], [last, {"unit_kmh": 0.036, "from": "2022-01-05"}]))
        )
    elif unit == "value":
        del document["data"]["upper_bound_kmh"]
        mapping.pop("physical_max_kmh", None)
        document["data"]["value"] = some("data.value")
    else:
        document["data"]["derived_speed"] = some("data.derived_speed")
    if draw(st.booleans()):
        document["data"]["format"] = some("data.format")
    asked = draw(st.lists(st.sampled_from(sorted(all_statistics())), min_size=1, max_size=3, unique=True))
    quantity = Quantity(name="any", column_unit="any", unit="any") if unit == "value" else SPEED
    return document | {"query": [_query(draw, schema, statistic, quantity) for statistic in asked]}


def _query(draw: st.DrawFn, schema: Table, name: str, quantity: Quantity) -> dict[str, Any]:
    statistic = all_statistics()[name].of(quantity)
    ways = ["epsilon", "total", *(["noise_scale"] if statistic.takes_noise_scale else [])]
    if statistic.joint:
        ways = ["total"]
    way = draw(st.sampled_from(ways))
    query = {
        "id": f"my_{name}",
        "statistic": name,
        way: draw(values(schema.key(f"query.{way}"), f"query.{way}")),
    }
    if not statistic.method:
        joint = way == "total" and draw(st.booleans())
        query["mechanism"] = "tokens" if joint else "baseline"
    elif any(item.default == () and not item.optional for item in declared(statistic.Params)) or draw(
        st.booleans()
    ):
        query["parameters"] = {
            item.name: list(item.default or (() if item.optional else (15.5, 16)))
            if isinstance(item.default, tuple)
            else item.default
            for item in declared(statistic.Params)
        }
    divided = query.get("mechanism") != "tokens" and not statistic.joint
    if way == "total" and divided and draw(st.booleans()):
        query["division"] = draw(st.sampled_from(("equal", "optimal")))
    return query


def values(key: Key, path: str) -> st.SearchStrategy[Any]:
    """What may stand behind a key."""
    kind = key.kind
    known = [example_of(key, path), *OTHERS.get(path, [])]
    if isinstance(kind, Text | Option) and kind.among is not None:
        known += list(kind.among())
    if isinstance(kind, Flag):
        known += [True, False]
    return st.sampled_from(known)


def read_alone(key: Key, value: Any) -> Any:
    """What a key of a plain kind makes of a value, in a table of its own."""
    assert not isinstance(key.kind, Sub | Tables)
    return key.kind.read(Section("part", {key.name: value}), key.name, key.default)
