"""A route with too few vehicles to be published: neither its name, its id nor its line is in a bundle, and
who plants one into a bundle is found by `verify` and by the search for leaks.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely

from core.accounting.ledger import Ledger
from core.release.prepare_publish import prepare, publish
from core.signed.bundle_names import CATALOGUE_RECORD, DATAPACKAGE, MAP_PAGE, PLACES_PATH, REPORT
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests import taxis
from tests.builders import make_key, resign
from tests.city import EVERY_STATISTIC, POPULATION
from tests.fire.leaks import Place, found_in
from tests.labelled_city import RARE, WITH_LINES, write_labelled_city
from tests.tampering import by_program
from tests.timetables import write_timetable
from tests.unpacked import contents, unpacked

Edits = tuple[tuple[str, str], ...]
EVERY: Edits = (*WITH_LINES, *EVERY_STATISTIC)
ID, LONG, SHAPE = "zq7id", "zq7 long name", "zq7shape"
CORNERS = ((72.81357, 21.13579), (72.87531, 21.17353))
LINE = [f"{degrees:.5f}" for corner in CORNERS for degrees in corner]
PLANTED = (ID, RARE, LONG, SHAPE, *LINE, *(one.replace(".", "") for one in LINE))
"""What may stand nowhere; degrees as the page has them too: whole numbers of 0.00001."""
FEATURES, POINTS = "map/speed_by_place.geojson", "map/speed_by_place.parquet"


def with_rare_line(folder: Path, edits: Edits, *, by_id: bool) -> Path:
    """The city with a line of the rare route, whose label in the records is its id, or its short name."""
    spec = write_labelled_city(folder, edits)
    if by_id:
        records = folder / "records.csv"
        records.write_text(records.read_text("utf-8").replace(RARE, ID), encoding="utf-8")
    corners = "".join(f"{SHAPE},{at},{lat},{lon}\n" for at, (lon, lat) in enumerate(CORNERS))
    write_timetable(
        folder,
        zipped=True,
        routes=f"route_id,route_short_name,route_long_name\n1,one,\n8,=2,\n{ID},{RARE},{LONG}\n",
        trips=f"route_id,trip_id,shape_id\n1,t,a\n8,u,b\n{ID},w,{SHAPE}\n",
        shapes="shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n"
        f"a,1,21.1,72.8\na,2,21.2,72.9\nb,1,21.2,72.8\nb,2,21.1,72.9\n{corners}",
        stops=None,
    )
    return spec


def released(folder: Path, edits: Edits, *, by_id: bool, least: int = 2) -> Path:
    """least: vehicles that a label, and a place slot, needs."""
    spec = with_rare_line(folder, edits, by_id=by_id)
    text = spec.read_text("utf-8").replace("threshold = 2", f"threshold = {least}")
    spec.write_text(text.replace("minimum_vehicles = 2", f"minimum_vehicles = {least}"), encoding="utf-8")
    ledger = Ledger.open(folder / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    prepared = prepare(load_spec(spec), ledger)
    return publish(prepared, ledger, key=make_key(), out=folder / "out", now=taxis.NOW).bundle


def leaks_in(bundle: Path) -> list[str]:
    """What the search finds: in bytes, in rows of Parquet, and in its outlines."""
    files = {}
    for name, content in contents(bundle).items():
        files[name] = content + unpacked(name, content)
        if name.endswith(".parquet"):
            outlines = pq.ParquetFile(io.BytesIO(content)).read(columns=["geometry"])["geometry"].to_pylist()
            files[name] += " ".join(map(str, shapely.from_wkb(outlines))).encode()
    return found_in(Place(name="bundle", files=files, words=PLANTED), LINE)


@pytest.mark.parametrize("by_id", [True, False], ids=["by its id", "by its short name"])
def test_a_rare_route_is_nowhere_in_the_bytes_and_one_that_is_common_is(by_id: bool, tmp_path: Path) -> None:
    bundle = released(tmp_path / "rare", EVERY, by_id=by_id)
    assert by_program(bundle).holds
    assert leaks_in(bundle) == []
    common = released(tmp_path / "common", EVERY, by_id=by_id, least=1)
    found, drawn = leaks_in(common), [name for name in contents(common) if name.startswith("map/")]
    assert len(drawn) > 2
    tables = [name for name in contents(common) if name.startswith("data/") and name.endswith(".csv")]
    for name in (PLACES_PATH, MAP_PAGE, *drawn, *tables):
        assert (f"{ID if by_id else RARE} in {name}" in found) == ("summary" not in name), name
    for name in (PLACES_PATH, MAP_PAGE, *drawn):
        assert f"{LINE[0].replace('.', '') if name == MAP_PAGE else LINE[0]} in {name}" in found


Plant = Callable[[Path], str]
"""Into a bundle; the file that holds it then."""


def _in_text(name: str, old: str, new: str) -> Plant:
    def plant(bundle: Path) -> str:
        text = (bundle / name).read_text("utf-8")
        assert old in text, name
        (bundle / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        return name

    return plant


def _in_json(name: str, edit: Callable[[dict[str, Any]], object]) -> Plant:
    """edit: of the document, or of the page's block of data."""

    def plant(bundle: Path) -> str:
        text = (bundle / name).read_text("utf-8")
        start = text.index('{"format"') if name == MAP_PAGE else 0
        document, end = json.JSONDecoder().raw_decode(text, start)
        edit(document)
        (bundle / name).write_text(text[:start] + json.dumps(document) + text[end:], encoding="utf-8")
        return name

    return plant


def _one_more(document: dict[str, Any]) -> None:
    feature = document["features"][-1]
    feature = {**feature, "properties": feature["properties"] | {"place_id": RARE, "place_name": RARE}}
    document["features"].append(feature | {"geometry": {"type": "LineString", "coordinates": CORNERS}})


def _in_parquet(bundle: Path) -> str:
    table = pq.read_table(bundle / POINTS)
    last = table.slice(table.num_rows - 1).to_pylist()[0]
    last |= {"place_id": RARE, "place_name": RARE, "geometry": shapely.LineString(CORNERS).wkb}
    more = pa.concat_tables([table, pa.Table.from_pylist([last], schema=table.schema)])
    pq.write_table(more, bundle / POINTS)
    return POINTS


def _in_page(page: dict[str, Any]) -> None:
    page["cells"].append(RARE)
    page["outlines"].append([round(degrees * 1e5) for corner in CORNERS for degrees in corner])


PLANTS: dict[str, tuple[Plant, str]] = {
    "an outline": (_in_json(PLACES_PATH, _one_more), "cells"),
    "a feature of the map": (_in_json(FEATURES, _one_more), "geojson"),
    "the name of a feature": (_in_text(FEATURES, '"place_name":"1"', f'"place_name":"{RARE}"'), "geojson"),
    "a row of the map": (_in_parquet, "geoparquet"),
    "a line of the page": (_in_json(MAP_PAGE, _in_page), "map"),
    "a place of the page": (
        _in_json(MAP_PAGE, lambda one: one["tables"][0]["places"].append({"name": RARE, "cells": []})),
        "map",
    ),
    "the page's legend": (
        _in_json(MAP_PAGE, lambda one: one["tables"][0]["layers"][0].update(title=RARE)),
        "map",
    ),
    "the dictionary": (_in_text(DATAPACKAGE, "Name of the place", f"Such as {RARE}"), "datapackage"),
    "the portal's record": (_in_text(CATALOGUE_RECORD, "Mean speed of", f"{RARE}: mean speed of"), "dcat"),
    "the portal's box": (_in_text(CATALOGUE_RECORD, "72.8 21.1,", f"{LINE[0]} {LINE[1]},"), "dcat"),
    "data of a report": (
        _in_text(REPORT, '"@type":"Dataset"', f'"@type":"Dataset","x":"{RARE}"'),
        "linked_data",
    ),
    "a published row": (_in_text("data/speed_by_place.csv", "\n1,1,", f"\n{RARE},{RARE},"), "values"),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(tmp_path_factory.mktemp("sound"), WITH_LINES, by_id=False)


@pytest.mark.parametrize(("plant", "check"), PLANTS.values(), ids=PLANTS)
def test_a_planted_rare_route_is_found(plant: Plant, check: str, sound: Path, tmp_path: Path) -> None:
    """Even where who plants it signs all of it again with the right key."""
    bundle = tmp_path / sound.name
    shutil.copytree(sound, bundle)
    name = plant(bundle)
    assert any(found.endswith(name) for found in leaks_in(bundle))
    resign(bundle, make_key())
    failed = [one.name for one in verify_bundle(bundle).checks if not one.passed]
    assert check in failed, failed
