"""The canonical form: what is in it, and what leaves it as it is. Its bytes: tests/golden."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from core.clean.ingest_report import describe_mapping
from core.spec import SPEC, identity, parse_spec
from core.spec.schema import FIRST_IDENTITY, FOURTH_IDENTITY
from tests.specs import SMALL, documents, folder_of_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_files(tmp_path_factory.mktemp("specs"))


def _facts(folder: Path, **changes: Any) -> dict[str, Any]:
    document = copy.deepcopy(SMALL)
    for path, value in changes.items():
        table, _, key = path.partition("__")
        if key:
            document[table][key] = value
        else:
            document[table] = value
    return identity(parse_spec(document, folder))


def test_no_text_path_or_population_is_in_it(folder: Path) -> None:
    told = json.dumps(_facts(folder))
    for table, key in (("release", "title"), ("release", "contact"), ("privacy", "population")):
        assert SMALL[table][key] not in told
    assert "records.csv" not in told


def test_a_parameter_that_is_gone_stays_in_the_first_form(folder: Path) -> None:
    """With the default that it had: what was paid under it stays paid."""
    query = SMALL["query"][0] | {"mechanism": "two-step-clipping", "parameters": {}}
    spec = parse_spec(copy.deepcopy(SMALL) | {"query": [query]}, folder)
    (first,), (newest,) = (identity(spec, version=version)["queries"] for version in (FIRST_IDENTITY, 2))
    assert first["parameters"].pop("typical") == 22.0
    assert first["parameters"] == newest["parameters"]


@given(document=documents(SPEC))
def test_the_mapping_is_told_as_in_the_report_of_a_load(document: dict[str, Any], folder: Path) -> None:
    spec = parse_spec(document, folder)
    rules = spec.data.rules
    told = describe_mapping(rules.mapping, rules.quantity)
    assert (told.pop("quantity", None) is None) is (rules.value is None)
    assert identity(spec, version=FIRST_IDENTITY)["data"]["mapping"] == told
    assert identity(spec, version=FOURTH_IDENTITY)["data"]["mapping"] == {
        name: told[name]
        for name in ("unit", "derived_speed", "vehicle_fold", "position_unit", "crs")
        if name in told
    }


def test_the_first_form_has_the_versions_of_its_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = parse_spec(copy.deepcopy(SMALL), folder)
    before, newer = identity(spec, version=FIRST_IDENTITY), identity(spec)
    monkeypatch.setattr(type(spec.queries[0].question.mechanism), "version", 5)  # type: ignore[attr-defined]
    assert identity(spec, version=FIRST_IDENTITY) == before
    assert identity(spec) != newer


def test_the_second_form_has_the_versions_of_its_time(folder: Path) -> None:
    """Draws of tokens and of two-step clipping that were paid under it are found."""
    for mechanism, version in (("tokens", 1), ("two-step-clipping", 2)):
        query = SMALL["query"][0] | {"mechanism": mechanism}
        spec = parse_spec(copy.deepcopy(SMALL) | {"query": [query]}, folder)
        (second,), (newest,) = (identity(spec, version=form)["queries"] for form in (2, 3))
        assert second["mechanism_version"] == version
        assert newest["mechanism_version"] == spec.queries[0].question.version


@given(document=documents(SPEC))
def test_it_is_plain_json_with_the_same_parts(document: dict[str, Any], folder: Path) -> None:
    facts = identity(parse_spec(document, folder))
    assert json.loads(json.dumps(facts)) == json.loads(json.dumps(facts, sort_keys=True))
    assert set(facts) == {"identity", "data", "hats", "selection", "privacy", "queries"}
    assert set(facts["selection"]) == {"rule", "threshold", "cells", "minimum_vehicles"}
    assert [query["id"] for query in facts["queries"]] == sorted(query["id"] for query in document["query"])


def test_a_format_is_in_it_whole_once_any_of_it_is_named(folder: Path) -> None:
    assert "format" not in _facts(folder)["data"]
    assert "format" not in _facts(folder, data__format={"decimal": "."})["data"]
    told = _facts(folder, data__format={"sheet": "May"})["data"]["format"]
    assert told == {"encoding": "", "delimiter": "", "decimal": ".", "date_order": "", "sheet": "May"}


def test_what_is_absent_but_constant_is_null(folder: Path) -> None:
    facts = _facts(folder, selection={"rule": "cells", "file": "cells.txt"})
    assert facts["data"]["box"] is None
    assert facts["queries"][0]["per_hat"] is None
    assert facts["selection"]["threshold"] is None


def test_a_statistic_with_a_method_of_its_own_names_it(folder: Path) -> None:
    query = {"id": "pairs", "statistic": "query1", "noise_scale": "2.0"}
    (told,) = identity(parse_spec(copy.deepcopy(SMALL) | {"query": [query]}, folder))["queries"]
    assert (told["mechanism"], told["division"], told["noise_scale"]) == ("query1", "noise-scale", "2")
    assert {"statistic_version", "mechanism_version"} <= set(told)
