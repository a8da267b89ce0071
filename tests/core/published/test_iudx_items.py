"""core.published.iudx_items: what the exchange's catalogue server validates, and what it cannot hold."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import shapely
import shapely.geometry

from core.cli import main
from core.published.iudx_items import UNSTATED, iudx_items
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from tests.builders import make_key, usual_bundle
from tests.labelled_city import BY_ZONE, write_labelled_city
from tests.region_bundles import open_ledger
from tests.share_bundles import NOW

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
NAME = r"[a-zA-Z0-9]+(\-*\_*[a-zA-Z0-9]+)*"
"""As the server wants names."""


@pytest.mark.parametrize("version", ["v0.2", "v0.3"])
def test_a_group_and_a_resource_for_each_file(version: str) -> None:
    bundle = GOLDEN / version / "releases" / "one-query-1.0.0"
    group, *resources = iudx_items(bundle, url="https://data.city.example", provider="p", resource_server="s")
    required = {"@context", "type", "description", "name", "tags", "provider", "resourceServer"}
    assert required | {"resourceAuthControlLevel", "resourceType", "iudxResourceAPIs"} <= group.keys()
    assert group["type"] == ["iudx:ResourceGroup"]
    assert "epsilon" in group["description"]
    listed = json.loads((bundle / "datapackage.json").read_bytes())["resources"]
    assert [one["downloadURL"].partition(f"{bundle.name}/")[2] for one in resources] == [
        one["path"] for one in listed
    ]
    for one in (group, *resources):
        assert re.fullmatch(NAME, one["name"])
        assert isinstance(one["tags"], list)
        assert (one["provider"], one["resourceServer"]) == ("p", "s")
    assert len({one["name"] for one in resources}) == len(resources)
    assert {one["resourceGroup"] for one in resources} == {group["name"]}
    columns = resources[0]["dataDescriptor"]
    assert columns["speed_mean_kmh"]["unitText"] == "km/h"
    assert columns["h3_cell"]["dataSchema"] == "iudx:Text"


def test_the_command_says_what_the_model_cannot_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = usual_bundle(tmp_path)
    assert main(["catalogue", str(bundle), "--iudx", "--home", str(tmp_path)]) == 0
    told = capsys.readouterr()
    group = json.loads(told.out)[0]
    assert group["name"] == "austin-bus-speed-1-0-0"
    assert "--provider" in group["provider"]
    assert "--resource-server" in group["resourceServer"]
    assert all(one in told.err for one in UNSTATED)
    assert "provider and resourceServer" in told.err


def test_zones_tell_where_the_data_are(tmp_path: Path) -> None:
    spec, ledger = load_spec(write_labelled_city(tmp_path / "city", edit=BY_ZONE)), open_ledger(tmp_path)
    bundle = publish(prepare(spec, ledger), ledger, key=make_key(), out=tmp_path / "out", now=NOW).bundle
    geometry = iudx_items(bundle)[0]["location"]["geometry"]
    outlines = json.loads((bundle / "data" / "places.geojson").read_bytes())["features"]
    around = shapely.union_all([shapely.geometry.shape(one["geometry"]) for one in outlines]).bounds
    assert shapely.geometry.shape(geometry).bounds == pytest.approx(around, abs=1e-5)
