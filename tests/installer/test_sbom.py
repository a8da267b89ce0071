"""The bill of materials holds what ships, in the form that CycloneDX 1.6 demands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from resources.installer.sbom import HASH_PROPERTY, bill, locked_hashes
from resources.installer.third_party import Package, packages, shipped_names

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return bill(packages(shipped_names()), locked_hashes(LOCK))


def test_what_the_schema_requires_is_there(made: dict[str, Any]) -> None:
    assert (made["bomFormat"], made["specVersion"], made["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made["serialNumber"])
    known = {"type", "bom-ref", "name", "version", "purl", "licenses", "properties"}
    for component in [made["metadata"]["component"], *made["components"]]:
        assert {"type", "name", "version", "bom-ref"} <= set(component) <= known
        [licence] = component["licenses"]
        assert set(licence) == {"license"}
        assert len(licence["license"]) == 1
    refs = [component["bom-ref"] for component in [made["metadata"]["component"], *made["components"]]]
    assert len(set(refs)) == len(refs)
    assert [entry["ref"] for entry in made["dependencies"]] == refs
    assert {ref for entry in made["dependencies"] for ref in entry["dependsOn"]} <= set(refs)


def test_every_package_that_ships_is_listed_with_the_hashes_of_the_lock(made: dict[str, Any]) -> None:
    assert [component["name"] for component in made["components"]] == shipped_names()
    for component in made["components"]:
        sums = [each["value"] for each in component["properties"] if each["name"] == HASH_PROPERTY]
        assert sums
        assert all(f"--hash=sha256:{each}" in LOCK for each in sums)
    whole, *_ = made["dependencies"]
    assert any("opendp" in ref for ref in whole["dependsOn"])


def test_the_same_lock_gives_the_same_bytes(made: dict[str, Any]) -> None:
    again = bill(packages(shipped_names()), locked_hashes(LOCK))
    assert json.dumps(again) == json.dumps(made)


def test_a_version_that_the_lock_does_not_have_stops_it() -> None:
    with pytest.raises(KeyError):
        bill([Package(name="numpy", version="0.0.1", licence="BSD")], locked_hashes(LOCK))
