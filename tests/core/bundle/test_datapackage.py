"""datapackage.json: what machines read first."""

from __future__ import annotations

import dataclasses
import hashlib
import json

import pytest

from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.data_files import data_files
from core.bundle.datapackage import PROFILE, datapackage, json_bytes
from core.bundle.release_result import RowCounts
from tests.builders import NOW, SPEED_BY_HAT, make_release, make_texts

DATA = data_files(make_release())


def test_every_data_file_is_declared_with_size_and_hash() -> None:
    package = datapackage(make_release(), make_texts(), NOW.date(), DATA)
    assert package["$schema"] == PROFILE
    assert {resource["path"] for resource in package["resources"]} == set(DATA)
    for resource in package["resources"]:
        content = DATA[resource["path"]]
        assert resource["bytes"] == len(content)
        assert resource["hash"] == "sha256:" + hashlib.sha256(content).hexdigest()


def test_tables_carry_schema_and_dialect() -> None:
    resources = datapackage(make_release(), make_texts(), NOW.date(), DATA)["resources"]
    for table, resource in zip((SPEED_BY_HAT, EPSILON_SUMMARY), resources, strict=False):
        assert resource["schema"] == table.schema()
        assert resource["dialect"]["lineTerminator"] == "\n"
        assert resource["encoding"] == "utf-8"


@pytest.mark.parametrize(
    ("contact", "key"),
    [("a@city.example", "email"), ("https://city.example/data", "path"), ("Room 12 @ town hall", "contact")],
)
def test_a_contact_is_what_it_looks_like(contact: str, key: str) -> None:
    package = datapackage(make_release(), make_texts(contact=contact), NOW.date(), DATA)
    assert package["contributors"] == [{"title": "City of Example", "roles": ["publisher"], key: contact}]


def test_json_is_utf8_with_one_newline() -> None:
    assert json_bytes({"a": "ह"}) == '{\n  "a": "ह"\n}\n'.encode()
    assert json.loads(json_bytes({"a": 1})) == {"a": 1}


@pytest.mark.parametrize(
    ("visits", "said"), [(7, "vehicles, visits, records and days"), (None, "vehicles, records and days")]
)
def test_the_description_names_the_counts_that_there_are(visits: int | None, said: str) -> None:
    """Of events, whose visits are not known, it named them all the same."""
    release = make_release()
    counts = {row.key: RowCounts(3, visits, 9, 2) for query in release.queries for row in query.rows}
    package = datapackage(dataclasses.replace(release, counts=counts), make_texts(), NOW.date(), DATA)
    assert package["description"].endswith(f"Beside each number: exact numbers of {said}.")
