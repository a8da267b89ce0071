"""core.release.signed_choices: what a bundle states is read before it is signed."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

from core.accounting.ledger import Ledger
from core.geodata.places_source import PlacesSource
from core.release.prepare_publish import prepare, publish
from core.release.signed_choices import signed_choices
from core.spec import load_spec
from tests.builders import make_key
from tests.city import BOUNDARY, BY_REGION, POPULATION, write_city
from tests.geojson import box, polygon, write_geojson
from tests.taxis import BY_DAY, write_taxis


def test_what_privacy_json_states_stands_in_the_choices(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    prepared = prepare(load_spec(write_city(tmp_path)), ledger)
    now = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
    bundle = publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=now).bundle
    stated = json.loads((bundle / "privacy.json").read_text(encoding="utf-8"))
    told = dict(signed_choices(prepared.spec, prepared.contributions.zone))
    assert told["Publisher"] in stated["data_curators"]
    assert (told["Contact"], told["Charged to"]) == (stated["contact"], POPULATION)
    assert told["Licence"].startswith(f"{stated['licence']}: ")
    period = stated["period"]
    ((first, last),) = period["date_ranges"]
    assert told["Dates"] == f"{first} to {last}, {period['days']} dates"
    assert all(text in told["Hours"] for text in (*period["hours"], period["zone"]))
    lower, upper = (float(stated["bounds"][key]) for key in ("lower", "upper"))
    assert told["Records"] == "positions that come at a fixed rate"
    assert told["Values"] == f"speed from {lower:g} to {upper:g} {stated['bounds']['unit']}"
    review = dict(prepared.review.lines())
    assert told.items() <= review.items()
    (query,) = stated["queries"]
    parameters = query["made_by"]["parameters"]
    assert parameters
    assert all(name in review["Parameters"] for name in parameters)
    assert review["Parameters"].startswith("mean_speed: total 6, ")


def test_a_file_of_hexagons_a_slot_of_all_hours_and_an_own_licence_are_named(tmp_path: Path) -> None:
    write_geojson(tmp_path / "ward.geojson", polygon(box(72.78, 21.12, 72.88, 21.22)))
    edits = (
        *BOUNDARY,
        ("slot_minutes = 60", 'slot_minutes = "all"'),
        ('licence = "CC-BY-4.0"', 'licence = "Our terms"'),
    )
    told = dict(signed_choices(load_spec(write_city(tmp_path, edit=edits)), "Asia/Kolkata"))
    assert "from ward.geojson" in told["Hexagons"]
    assert "one slot" in told["Hours"]
    assert told["Licence"] == "Our terms"


def test_files_elsewhere_are_named_without_the_way_to_them(tmp_path: Path) -> None:
    """A path of many steps up says nothing to who signs, and much about the machine."""
    ward = polygon(box(72.78, 21.12, 72.88, 21.22))
    (tmp_path / "maps").mkdir()
    write_geojson(tmp_path / "maps" / "ward.geojson", ward)
    edits = ((BOUNDARY[0][0], BOUNDARY[0][1].replace("ward.geojson", "../maps/ward.geojson")), *BOUNDARY[1:])
    spec = load_spec(write_city(tmp_path / "city", edit=edits))
    places = PlacesSource(file="../../maps/wards.geojson", name_field="name")
    told = dict(signed_choices(dataclasses.replace(spec, places=places), "Asia/Kolkata"))
    assert "from ward.geojson" in told["Hexagons"]
    assert "of wards.geojson" in told["Places"]
    assert ".." not in f"{told['Hexagons']} {told['Places']}"


def test_one_vehicle_is_no_more_than_one(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    one = dataclasses.replace(spec, selection=dataclasses.replace(spec.selection, threshold=1))
    assert ", at least 1 vehicle a day, " in dict(signed_choices(one, "Asia/Kolkata"))["Hexagons"]


def test_by_region_no_hexagon_slot_is_said_to_be_suppressed(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path, edit=BY_REGION))
    told = dict(signed_choices(spec, "Asia/Kolkata"))["Hexagons"]
    assert f", regions with fewer than {spec.minimum_vehicles} vehicles left out, " in told
    assert "suppressed" not in told


def test_the_constant_of_relation_user_is_told_in_words(tmp_path: Path) -> None:
    for name, edits, whose in (
        ("vehicle", (), "vehicle"),
        ("day", BY_DAY, "vehicle's day"),
    ):
        spec = load_spec(write_taxis(tmp_path / name, edits=edits))
        told = dict(signed_choices(spec, "Asia/Kolkata"))["Hexagons"]
        assert f", at most {spec.hats_per_vehicle} hexagon slots of a {whose} counted (C), " in told
        assert f", a noisy number of at least {spec.selection.threshold} vehicles or records, " in told
        assert "a day" not in told, "the threshold is no average over the dates here"
