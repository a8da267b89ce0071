"""core.published.ckan_package: every file with its sum, under names that CKAN accepts."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from core.published.ckan_package import ckan_package

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
FORMATS = ("CSV", "GEOJSON", "GEOPARQUET", "HTML", "JSON", "JSONLD", "MD", "TXT")
BUNDLES = sorted(path.parent for path in GOLDEN.glob("*/releases/*/privacy.json"))


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: f"{path.parents[1].name}-{path.name}")
def test_every_file_is_listed_with_its_sum_and_size(bundle: Path) -> None:
    package = ckan_package(bundle, url="https://data.city.example/traffic/")
    before = f"https://data.city.example/traffic/{bundle.name}/"
    listed = {one["url"].removeprefix(before): one for one in package["resources"]}
    files = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    assert set(listed) == files - {"LICENSE.txt", "release-key.pub", ".gitattributes"}
    for path, one in listed.items():
        content = (bundle / path).read_bytes()
        assert one["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        assert one["size"] == len(content)
        assert one["format"] in FORMATS


def test_names_and_fields_are_as_ckan_wants_them() -> None:
    bundle = GOLDEN / "v0.2" / "releases" / "one-query-1.0.0"
    package = ckan_package(bundle)
    privacy = json.loads((bundle / "privacy.json").read_bytes())
    assert re.fullmatch(r"[a-z0-9_-]{2,100}", package["name"])
    assert package["name"] == "one-query-1-0-0"
    assert (package["title"], package["version"]) == (privacy["title"], "1.0.0")
    assert (package["author"], package["author_email"]) == ("City", "opendata@city.example")
    assert package["license_id"] == "cc-by"
    assert all(re.fullmatch(r"[\w .-]{2,100}", tag["name"]) for tag in package["tags"])
    extras = {one["key"]: one["value"] for one in package["extras"]}
    assert all(isinstance(value, str) for value in extras.values())
    assert len(extras) == len(package["extras"])
    assert (extras["temporal_start"], extras["temporal_end"]) == ("2022-01-03", "2022-01-04")
    assert (extras["privacy_unit"], extras["privacy_relation"]) == ("vehicle", "values")
    assert package["resources"][0]["url"] == "data/speed_by_hat.csv"
