"""One adviser: panel, `plan` and `table` recommend the same grids, with the same figures."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.cli import main
from core.draft.draft import draft_of
from core.progress import silent
from core.release.former_spreads import FormerSpreads
from core.release.practice import sample_spec
from core.spec import load_spec
from core.store.load_records import load_records
from core.system.paths import find_home
from tests.city import TOKENS, write_city
from ui.parameters.grid_request import GridRequest, compare_grids

CITIES = {
    "surat": (
        "india-iudx/suratITMS.json.gz",
        '["2022-01-01", "2022-01-01"]',
        "Asia/Kolkata",
        'vehicle = "license_plate"\ntime = "observationDateTime"\nposition = "location.coordinates"\n'
        'position_order = "lon,lat"\nvalue = "speed"\nunit = "km/h"',
    ),
    "austin": (
        "austin-buses/vehicle_positions_2016-01-17.csv.gz",
        '["2016-01-17", "2016-01-17"]',
        "America/Chicago",
        'vehicle = "vehicle_id"\ntime = "timestamp"\nlatitude = "latitude"\nlongitude = "longitude"\n'
        'value = "speed"\nunit = "m/s"',
    ),
    "bangkok": (
        "bangkok-taxis/taxi_trip_ends_2019-04-04_to_10.csv.gz",
        '["2019-04-04", "2019-04-10"]',
        "Asia/Bangkok",
        'vehicle = "VehicleID"\ntime = "date_time"\nlatitude = "lat"\nlongitude = "lon"\n'
        'value = "speed"\nunit = "km/h"',
    ),
}
SPEC = """
[release]
name = "city"
version = "1.0.0"
title = "City"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"
[data]
files = ["{file}"]
zone = "{zone}"
upper_bound_kmh = 65
[data.mapping]
{mapping}
[hats]
resolution = 7
slot_minutes = 60
dates = [{dates}]
hours = ["00:00", "24:00"]
[selection]
rule = "hat"
threshold = 3
[privacy]
population = "Vehicles"
relation = "values"
unit = "vehicle"
confirmed = true
[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "tokens"
total = "10"
"""


SHARES = """
[[query]]
id = "slow"
statistic = "share"
total = "20"
[query.parameters]
ranges = [[0, 10]]
"""
"""In the place of the query of a spec."""


@pytest.mark.parametrize("query", ["mean", "shares"])
@pytest.mark.parametrize(
    "city", ["made-up", *(pytest.param(name, marks=pytest.mark.audit) for name in ("sample", *CITIES))]
)
def test_panel_plan_and_table_recommend_the_same(
    city: str,
    query: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    if city == "made-up":
        path = write_city(tmp_path, edit=TOKENS)
        spec = load_spec(path)
    elif city == "sample":
        spec = sample_spec()
        path = spec.data.folder / "sample.toml"
    else:
        file, dates, zone, mapping = CITIES[city]
        path, data = tmp_path / "city.toml", request.getfixturevalue("shared_data")
        path.write_text(SPEC.format(file=data / file, dates=dates, zone=zone, mapping=mapping), "utf-8")
        spec = load_spec(path)
    if query == "shares":
        text = path.read_text("utf-8")
        asked = re.sub(r'(?<=files = \[")(?!/)', f"{path.parent}/", text[: text.index("[[query]]")], count=1)
        path = tmp_path / "shares.toml"
        path.write_text(asked + SHARES, "utf-8")
        spec = load_spec(path)
    find_home().create()
    with Ledger.open(find_home().ledger) as ledger:
        ledger.set_limit(spec.population, per_vehicle=Decimal(100), delta=Decimal("1e-6"))
        tie_key, delta = ledger.tie_key(spec.population), ledger.delta_of(spec.population)
    draft, _ = draft_of(spec)
    (asked_for,) = draft.queries
    asked = GridRequest(
        records=load_records(spec.data.paths(), spec.data.rules).records,
        own=None,
        draft=draft,
        query=asked_for,
        quantity=spec.data.rules.quantity,
        folder=path.parent,
        delta=delta,
        tie_key=tie_key,
        former=FormerSpreads(),
        zones=None,
    )
    panel = json.loads(json.dumps(compare_grids(asked, silent).to_json()))
    assert panel["balanced"] is not None
    files = [str(file) for file in spec.data.paths()]
    for command in (["plan", str(path)], ["table", *files, "--spec", str(path)]):
        assert main([*command, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told.get("advice", told) == panel
