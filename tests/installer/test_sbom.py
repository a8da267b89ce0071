"""The bill of materials holds what ships, in the form that CycloneDX 1.6 demands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from resources.installer.sbom import CARRIED, HASH_PROPERTY, SYSTEM, bill, locked_hashes, shipped_anywhere
from resources.installer.third_party import WINDOWS, Package, packages, shipped_names
from resources.installer.windows.fetch import CARRIER_SUM
from resources.installer.windows.made_with import PYTHON

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
COMPILER = Package(name="mingw", version="10.0.0-3", licence="ZPL-2.1")


def whole() -> dict[str, Any]:
    return bill(packages(shipped_anywhere()), locked_hashes(LOCK), [PYTHON, COMPILER])


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return whole()


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
    *listed, _, _ = made["components"]
    assert [component["name"] for component in listed] == shipped_anywhere()
    assert {*shipped_names(), *shipped_names(WINDOWS)} == set(shipped_anywhere())
    for component in listed:
        sums = [each["value"] for each in component["properties"] if each["name"] == HASH_PROPERTY]
        assert sums
        assert all(f"--hash=sha256:{each}" in LOCK for each in sums)
    program, *_ = made["dependencies"]
    assert any("opendp" in ref for ref in program["dependsOn"])


def test_what_windows_alone_holds_says_so(made: dict[str, Any]) -> None:
    python, compiler = made["components"][-2:]
    facts = [{"name": SYSTEM, "value": "windows"}]
    assert python["properties"] == [*facts, {"name": CARRIED, "value": CARRIER_SUM}]
    assert compiler["properties"] == facts
    assert [python["purl"], compiler["purl"]] == [
        "pkg:generic/cpython@3.11.9",
        "pkg:deb/debian/mingw@10.0.0-3",
    ]
    assert made["dependencies"][0]["dependsOn"][-2:] == [python["bom-ref"], compiler["bom-ref"]]


def test_the_same_lock_gives_the_same_bytes(made: dict[str, Any]) -> None:
    assert json.dumps(whole()) == json.dumps(made)


def test_a_version_that_the_lock_does_not_have_stops_it() -> None:
    with pytest.raises(KeyError):
        bill([Package(name="numpy", version="0.0.1", licence="BSD")], locked_hashes(LOCK), [])
