"""What `verify` finds of regions that cannot be: rows, outlines, promises; signed by whoever made them up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.bundle.datapackage import json_bytes
from core.keys.signing_key import SigningKey, generate_key
from core.signed.bundle_names import PUBLIC_KEY, REGIONS_PATH
from tests.builders import forge, make_key, resign
from tests.city import PASSPHRASE
from tests.region_bundles import TABLE, failed, open_ledger, released
from tests.shapes import SHAPE


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    folder = tmp_path_factory.mktemp("regions")
    return released(folder, open_ledger(folder), key).bundle


@pytest.fixture
def bundle(tmp_path: Path, published: Path) -> Path:
    return Path(shutil.copytree(published, tmp_path / published.name))


def changed_rows(bundle: Path, edit: Callable[[list[list[str]]], None]) -> dict[str, bytes]:
    lines = [line.split(",") for line in (bundle / TABLE).read_text().splitlines()]
    edit(lines)
    return {TABLE: ("\n".join(",".join(line) for line in lines) + "\n").encode()}


def changed_json(bundle: Path, path: str, edit: Callable[[Any], None]) -> dict[str, bytes]:
    document = json.loads((bundle / path).read_bytes())
    edit(document)
    return {path: json_bytes(document)}


def _other_cell(lines: list[list[str]]) -> None:
    cells = lines[1][3].split(" ")
    lines[1][3] = " ".join(sorted({*cells, "8928308280fffff"}))


def _same_cell(lines: list[list[str]]) -> None:
    lines[2][1:4] = lines[1][1:4]


def _unsorted(lines: list[list[str]]) -> None:
    line = next(line for line in lines[1:] if " " in line[3])
    line[3] = " ".join(reversed(line[3].split(" ")))


def _other_hours(lines: list[list[str]]) -> None:
    line = next(line for line in lines[1:] if line[1] == "09:00")
    line[1], line[2] = "10:00", "12:00"


def _renamed(lines: list[list[str]]) -> None:
    lines[-1][0] = "r900"


@pytest.mark.parametrize("edit", [_other_cell, _same_cell, _unsorted, _other_hours, _renamed])
def test_rows_that_cannot_be_are_found(
    bundle: Path, key: SigningKey, edit: Callable[[list[list[str]]], None]
) -> None:
    forge(bundle, {}, key=key)
    assert failed(bundle) == {}
    forge(bundle, changed_rows(bundle, edit), key=key)
    assert "regions" in failed(bundle)


@pytest.mark.parametrize(
    "facts",
    [{"kept_error": "8.5"}, {"regions": 1}, {"record_share": "1.5"}, {"kept_error": "0"}, {"more": 1}],
    ids=str,
)
def test_a_promise_that_is_not_kept_is_found(bundle: Path, key: SigningKey, facts: dict[str, object]) -> None:
    edits = changed_json(
        bundle, "privacy.json", lambda document: document["queries"][0]["regions"].update(facts)
    )
    forge(bundle, edits, key=key)
    found = failed(bundle)
    if list(found) != ["regions"]:  # another shape is found by whoever reads the statement
        assert {bool(SHAPE.search(detail)) for detail in found.values()} == {True}
        assert "regions" in found


def test_other_outlines_are_found(bundle: Path, key: SigningKey) -> None:
    def move(document: Any) -> None:
        document["features"][0]["geometry"]["coordinates"][0][0][1][0] += 0.001

    forge(bundle, changed_json(bundle, REGIONS_PATH, move), key=key)
    assert list(failed(bundle)) == ["regions"]


def test_absent_outlines_are_found(bundle: Path) -> None:
    (bundle / REGIONS_PATH).unlink()
    assert "regions.geojson" in failed(bundle)["sums"]
    (bundle / PUBLIC_KEY).write_bytes(make_key().public.file_bytes)
    resign(bundle, make_key())
    assert "regions" in failed(bundle)
