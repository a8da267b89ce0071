"""privacy.json states what a claim of differential privacy must."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.privacy import Relation
from core.release.result import Release
from core.release.statement import accuracy, interval_widths, privacy_statement, unprotected
from core.statistics.mean import SPEED_MEAN
from tests.builders import NOW, make_key, make_query, make_release, make_rows, make_texts


def _statement(release: Release | None = None) -> dict[str, Any]:
    return privacy_statement(release or make_release(), make_texts(), make_key().public, NOW.date())


@pytest.mark.parametrize(
    "field",
    [
        "dp_variant",
        "privacy_unit",
        "relation",
        "privacy_unit_details",
        "headline",
        "charges",
        "cumulative",
        "limits",
        "bounds",
        "queries",
        "unprotected_quantities",
        "composition",
        "post_processing",
        "preprocessing",
        "accuracy",
        "contact",
        "publication_date",
        "signature",
        "deployment_model",
        "data_curators",
        "confidence_level",
        "missing_value_handling",
        "software",
        "noise_source",
        "selection",
        "licence",
    ],
)
def test_a_required_field_is_there_and_filled(field: str) -> None:
    assert _statement()[field]


def test_every_charge_is_exact_text() -> None:
    assert _statement()["charges"] == {"vehicle-hat-day": "1.5", "vehicle-day": "2.5", "vehicle": "3.5"}
    assert _statement()["headline"] == {
        "epsilon": "3.5",
        "delta": "0",
        "unit": "vehicle",
        "relation": "values",
    }
    assert _statement()["parameters_chosen_after_confidential_evaluation"] is False


def test_an_evaluation_before_the_release_is_stated() -> None:
    stated = _statement(make_release(evaluated=True))
    assert stated["parameters_chosen_after_confidential_evaluation"] is True
    assert _statement() == stated | {"parameters_chosen_after_confidential_evaluation": False}


def test_it_is_plain_json() -> None:
    assert json.loads(json.dumps(_statement())) == _statement()


def test_relation_values_leaves_counts_and_membership_open() -> None:
    text = " ".join(unprotected(Relation.VALUES))
    for open_fact in ("how many records", "which vehicles were where", "selected", "dropped"):
        assert open_fact in text
    assert unprotected(Relation.USER) == ()


def test_no_limit_is_said_as_none() -> None:
    assert _statement()["limits"] == {"vehicle-hat-day": None, "vehicle-day": None, "vehicle": "10"}


def test_accuracy_comes_from_published_intervals() -> None:
    assert interval_widths(make_query(), SPEED_MEAN) == [3167, 3556, 5334]
    assert accuracy(make_query()) == {
        "query_id": "mean_speed",
        "hats_published": 3,
        "hats_suppressed": 1,
        "measures": [
            {
                "measure": "speed_mean_kmh",
                "unit": "km/h",
                "interval_width": {"smallest": "3.167", "median": "3.556", "largest": "5.334"},
                "bias_bound": {"smallest": "0.000", "median": "1.500", "largest": "2.000"},
            }
        ],
    }


def test_a_release_without_published_rows_has_no_widths() -> None:
    (measure,) = accuracy(make_query(rows=make_rows()[3:]))["measures"]
    assert measure["interval_width"] is None
