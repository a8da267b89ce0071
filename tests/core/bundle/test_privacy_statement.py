"""privacy.json states what a claim of differential privacy must."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from core.bundle.data_files import data_files
from core.bundle.privacy_statement import (
    accuracy,
    interval_widths,
    noise_of,
    privacy_statement,
    source_of,
    unprotected,
)
from core.bundle.protection_texts import left_open
from core.bundle.release_result import Release
from core.bundle.zcdp_texts import RUNNING_TOTAL
from core.codec import from_json, to_json
from core.errors import InputError
from core.mechanisms.registry import all_mechanisms
from core.portal.description_files import describe_files
from core.privacy import Relation
from core.quantity import SPEED, Quantity
from core.references import DOCUMENTS, WORKS
from core.statistics.mean import SPEED_MEAN
from core.statistics.registry import all_statistics
from tests.builders import (
    NOW,
    make_charge,
    make_gaussian_query,
    make_key,
    make_mixed_release,
    make_query,
    make_release,
    make_rows,
    make_texts,
)
from tests.unpacked import unpacked

LEVEL = Quantity(name="level", column_unit="m", unit="m", lower=-10_000)


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
        "power_at_1_percent": "0.331156",
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


def test_relation_values_names_the_numbers_that_are_open_and_the_grids_compared() -> None:
    stated = _statement()
    assert stated["unprotected_quantities"] == list(left_open(dwell=True))
    assert stated["grids_compared"] == {
        "h3_resolutions": [5, 6, 7, 8, 9, 10],
        "slot_minutes": [15, 30, 60, 120, 240],
    }
    user = _statement(make_release(relation=Relation.USER))
    assert user["unprotected_quantities"] == []
    assert "grids_compared" not in user


@pytest.mark.parametrize(
    ("pings", "quantity", "named"),
    [("regular", SPEED, True), ("events", SPEED, True), (None, SPEED, False), ("regular", LEVEL, False)],
)
def test_whether_records_come_at_a_fixed_rate_is_public_where_it_plays_a_part(
    pings: str | None, quantity: Quantity, named: bool
) -> None:
    release = make_release(pings=pings, quantity=quantity)
    assert ("whether records come at a fixed rate" in unprotected(release)) == named


def test_relation_user_says_nothing_of_how_records_come() -> None:
    """Draws stored before it was left out hold it still."""
    assert "pings" not in _statement(make_release(relation=Relation.USER, pings="events"))
    assert _statement(make_release(pings="events"))["pings"] == "events"


def test_no_limit_is_said_as_none() -> None:
    assert _statement()["limits"] == {"vehicle-hat-day": None, "vehicle-day": None, "vehicle": "10"}


def test_accuracy_comes_from_published_intervals() -> None:
    assert interval_widths(make_query(), SPEED_MEAN) == [3167, 3556, 5334]
    assert accuracy(make_release(), make_query()) == {
        "query_id": "mean_speed",
        "hats_published": 3,
        "hats_suppressed": 1,
        "measures": [
            {
                "measure": "speed_mean_kmh",
                "unit": "km/h",
                "interval_width": {"smallest": "3.167", "median": "3.556", "largest": "5.334"},
                "bias_bound": {"smallest": "0.000", "median": "1.500", "largest": "2.000"},
                "typical_error": {"median": "1.2", "largest": "2.5"},
                "error_at_worst": {"median": "2.4", "largest": "3"},
            }
        ],
    }


def test_a_release_without_published_rows_has_no_widths() -> None:
    (measure,) = accuracy(make_release(), make_query(rows=make_rows()[3:]))["measures"]
    assert measure["interval_width"] is None


METHODS = [("mean", key) for key in all_mechanisms()]
METHODS += [(key, one.method) for key, one in all_statistics().items() if one.method]


@pytest.mark.parametrize(("statistic", "method"), METHODS)
def test_every_method_is_published_with_a_source_that_stands_alone(statistic: str, method: str) -> None:
    source = source_of(make_query(statistic=statistic, mechanism=method))
    known = [*(work.cited for work in WORKS.values()), *DOCUMENTS.values()]
    assert source == "Hexveil's own" or any(cited in source for cited in known)


def test_a_statistic_with_a_method_of_its_own_is_cited_itself() -> None:
    query = make_query(statistic="query1", mechanism="query1")
    assert source_of(query) == f"{WORKS['TR'].cited}, III.E, Query 1"


@pytest.mark.parametrize("stored", ["P3 Sec. III", "ours (method 6)", ""])
def test_what_was_stored_with_the_draws_is_not_published(stored: str) -> None:
    """Draws of an older program: they load, and the bundle cites as the registry does today."""
    queries = (make_query(mechanism="two-step-clipping", mechanism_reference=stored),)
    release = from_json(Release, json.loads(json.dumps(to_json(make_release(queries=queries)))))
    assert release.queries[0].mechanism_reference == stored
    (query,) = _statement(release)["queries"]
    assert query["mechanism_reference"] == "Hexveil's own"


def test_an_unknown_method_is_refused_in_words() -> None:
    with pytest.raises(InputError, match="no-such"):
        source_of(make_query(mechanism="no-such"))


def test_no_file_cites_what_its_readers_do_not_have() -> None:
    release = make_release()
    files = describe_files(release, make_texts(), make_key().public, NOW.date(), data_files(release))
    cited = f"{WORKS['P1'].cited}, Sec. III-C; {WORKS['P3'].cited}, Alg. 2"
    assert _statement()["queries"][0]["mechanism_reference"] == cited
    assert cited in files["report.html"].decode()
    for name, content in ((name, content) for name, content in files.items() if name != "map.html"):
        text = unpacked(name, content).decode()
        assert not re.search(r"\b(P[1-9]|TR|SPEC|CITY|DESIGN|RECIPES)\b", text), name
        assert not re.search(r"\bwindow\b(?!\.)", text), f"{name}: a window is no dates"


def test_gaussian_noise_is_stated_with_rho_delta_and_the_conversion() -> None:
    stated = privacy_statement(make_mixed_release(), make_texts(), make_key().public, NOW.date())
    assert stated["dp_variant"] == "zCDP"
    assert stated["headline"] == {
        "epsilon": "5.105735",
        "delta": "0.000001",
        "rho": "0.05",
        "conversion": "renyi-orders-1",
        "power_at_1_percent": "0.994",
        "unit": "vehicle",
        "relation": "values",
    }
    assert stated["charges_pure"] == {"vehicle-hat-day": "1.5", "vehicle-day": "2.5", "vehicle": "3.5"}
    assert stated["charges_rho"] == {"vehicle-hat-day": "0.02", "vehicle-day": "0.03", "vehicle": "0.05"}
    assert stated["cumulative"]["vehicle"] == "7.444433"
    assert stated["cumulative_rho"]["vehicle"] == "0.15"
    assert stated["cumulative_conversion"] == RUNNING_TOTAL
    gaussian, laplace = stated["queries"]
    assert (gaussian["noise"], laplace["noise"]) == ("discrete Gaussian", "discrete Laplace")
    assert gaussian["charges_rho"]["vehicle"] == "0.05"
    assert gaussian["delta"] == laplace["delta"] == "0.000001"


def test_without_rho_nothing_is_said_of_it() -> None:
    stated = privacy_statement(make_release(), make_texts(), make_key().public, NOW.date())
    assert stated["dp_variant"] == "Pure"
    assert stated["headline"]["delta"] == "0"
    assert not {key for key in stated if key.endswith(("_pure", "_rho", "_delta"))} | (
        {"conversion", "cumulative_conversion", "charges_mu"} & stated.keys()
    )


def test_both_noises_of_one_query_are_named() -> None:
    both = make_gaussian_query()
    both = make_gaussian_query(charge=make_charge(rho=both.charge.rho))
    assert noise_of(both) == "discrete Laplace and discrete Gaussian"
