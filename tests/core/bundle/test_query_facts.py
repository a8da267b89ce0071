"""Facts of a query -> JSON and back: what the ledger stores is what a bundle states."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal

from core.accounting.query_epsilons import QueryEpsilons
from core.bundle.query_facts import QueryFacts, SuppressedHats
from core.codec import from_json, to_json
from tests.builders import make_facts

DAYS = QueryEpsilons(
    per_hat_day=Decimal("0.5"),
    hats_per_day=3,
    per_day_bound=Decimal("1.5"),
    per_day=Decimal("1.25"),
    per_vehicle=Decimal("2.000001"),
)
FULL = make_facts(
    parameters={"limits": (20.0, 40.5), "histogram": False, "m_ub": 7},
    asked=("noise_scale", Decimal("0.5")),
    suppression=SuppressedHats(9, 4),
    day_epsilons=DAYS,
    made_by={"branching_factors": (17, 39), "weighting": "every record counts alike"},
)


def test_facts_survive() -> None:
    for facts in (make_facts(), FULL, make_facts(m_ub=None)):
        assert from_json(QueryFacts, json.loads(json.dumps(to_json(facts)))) == facts


def test_they_are_said_in_plain_words_and_plain_decimals() -> None:
    told = to_json(FULL)
    assert told["asked"] == {"noise_scale": "0.5"}
    assert told["suppression"] == {"hats_before": 9, "hats_after": 4}
    assert told["day_epsilons"] == {
        "epsilon_per_hat_day": "0.5",
        "k_day": 3,
        "epsilon_per_day_of_k_day_hats": "1.5",
        "epsilon_per_day_of_visited_hats": "1.25",
        "epsilon_per_vehicle": "2.000001",
    }
    assert told["details"] == {"branching_factors": [17, 39], "weighting": "every record counts alike"}
    tiny = dataclasses.replace(
        FULL.measures[0], typical_error=FULL.measures[0].typical_error._replace(median=Decimal("1.2E-7"))
    )
    assert to_json(make_facts(measures=(tiny,)))["measures"][0]["typical_error"]["median"] == "0.00000012"


def test_a_measure_is_found_by_its_name() -> None:
    assert FULL.measure("speed_mean_kmh") is FULL.measures[0]
