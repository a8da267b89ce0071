"""Signed lies about what made a query: the statement contradicts itself, the summary or the rows."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.bundle.interval_rules import NOISE_ONLY
from core.bundle.release_result import Release
from core.codec import from_json, to_json
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding
from core.verify.folder import read_folder
from core.verify.queries import check_queries
from core.verify.statement_reader import read_statement
from core.verify.verify import verify_bundle
from tests.builders import forge, make_bundle, make_facts, make_query, make_release, usual_bundle
from tests.shapes import SHAPE

Edit = Callable[[dict[str, Any]], object]


def _told(tmp_path: Path, edit: Edit, release: Release | None = None) -> Path:
    """A bundle whose statement was edited and signed again."""
    bundle = make_bundle(tmp_path, release)
    document = json.loads((bundle / PRIVACY).read_bytes())
    before = copy.deepcopy(document)
    edit(document)
    assert document != before
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    return bundle


def checked(bundle: Path) -> None:
    folder = read_folder(bundle)
    check_queries(folder, read_statement(folder).stated)


def test_what_an_honest_statement_tells_holds(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    checked(bundle)
    assert verify_bundle(bundle).ok


def _query(**changes: Any) -> Edit:
    return lambda document: document["queries"][0].update(changes)


def _made_by(**changes: Any) -> Edit:
    return lambda document: document["queries"][0]["made_by"].update(changes)


def _measure(**changes: Any) -> Edit:
    return lambda document: document["queries"][0]["made_by"]["measures"][0].update(changes)


def _accuracy(**changes: Any) -> Edit:
    return lambda document: document["accuracy"][0].update(changes)


LIES: dict[str, Edit] = {
    "no rule": lambda document: document.pop("interval_rule"),
    "an unknown rule": lambda document: document.update(interval_rule="none"),
    "a rule that models nothing": lambda document: document.update(interval_rule=NOISE_ONLY),
    "no query": lambda document: document.update(queries=[]),
    "no list": lambda document: document.update(queries={}),
    "no objects": lambda document: document.update(queries=[1]),
    "another query": _query(query_id="other"),
    "a number for a name": _query(query_id=7),
    "another statistic": _query(statistic="query1"),
    "another mechanism": _query(mechanism="baseline"),
    "a smaller sensitivity": _query(sensitivity="0.89041"),
    "another cap": _query(contribution_cap=45),
    "smaller charges": _query(charges={"vehicle": "1"}),
    "intervals of nothing": _query(interval_covers="everything"),
    "another division": _query(budget_division="per-hat"),
    "an unknown division": _query(budget_division=["equal"]),
    "nothing said": lambda document: document["queries"][0].pop("made_by"),
    "a text": _query(made_by="by hand"),
    "more keys": _made_by(seed=1),
    "a total below the charge": _made_by(asked={"total": "3.499999"}),
    "nothing asked": _made_by(asked={}),
    "two figures asked": _made_by(asked={"total": "20", "epsilon": "1"}),
    "a float": _made_by(asked={"total": 20.0}),
    "zero": _made_by(asked={"total": "0"}),
    "caps that fall": _made_by(m_ub={"smallest": 47, "largest": 46}),
    "a cap above the summary's": _made_by(m_ub={"smallest": 3, "largest": 47}),
    "no caps": _made_by(m_ub=None),
    "caps of another shape": _made_by(m_ub=[3, 46]),
    "true for a count": _made_by(m_ub={"smallest": True, "largest": 46}),
    "a suppression that adds": _made_by(suppression={"hats_before": 3, "hats_after": 4}),
    "no correction said": _made_by(dwell_correction=None),
    "days of another shape": _made_by(day_epsilons={"k_day": 1}),
    "parameters in depth": _made_by(parameters={"limits": {"first": 1}}),
    "parameters in a list": _made_by(parameters=[1]),
    "a tree too small": _made_by(parameters={"bins": 13}, details={"branching_factors": [2, 2, 3]}),
    "a tree without bins": _made_by(details={"branching_factors": [2, 2]}),
    "another measure": _measure(measure="speed"),
    "scales that fall": _measure(noise_scale={"smallest": "1", "median": "0.75", "largest": "0.890411"}),
    "a largest scale of its own": _measure(
        noise_scale={"smallest": "0.5", "median": "0.75", "largest": "0.8"}
    ),
    "no figures": _measure(sensitivity=None),
    "accuracy of another query": _accuracy(query_id="other"),
    "more hexagon slots than rows": _accuracy(hats_published=4),
    "accuracy of nothing": _accuracy(measures=[]),
    "no typical error": lambda document: document["accuracy"][0]["measures"][0].update(typical_error=None),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found(tmp_path: Path, lie: str) -> None:
    bundle = _told(tmp_path, LIES[lie])
    with pytest.raises(Finding):
        checked(bundle)
    failed = {check.name: check.detail for check in verify_bundle(bundle).checks if not check.passed}
    if failed.keys() != {"privacy"}:  # another shape is found by whoever reads the statement
        assert {bool(SHAPE.search(detail)) for detail in failed.values()} == {True}
        assert "privacy" in failed


DAYS = {
    "epsilon_per_hat_day": "0.5",
    "k_day": 3,
    "epsilon_per_day_of_k_day_hats": "1.5",
    "epsilon_per_day_of_visited_hats": "1.25",
    "epsilon_per_vehicle": "2",
}


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({}, True),
        ({"k_day": 2}, False),
        ({"k_day": "3"}, False),
        ({"epsilon_per_hat_day": "1.3"}, False),
        ({"epsilon_per_day_of_visited_hats": "1.500001"}, False),
        ({"epsilon_per_vehicle": 2}, False),
    ],
)
def test_epsilons_of_a_day_fit_each_other(tmp_path: Path, change: dict[str, Any], holds: bool) -> None:
    bundle = _told(tmp_path, _made_by(day_epsilons=DAYS | change))
    assert verify_bundle(bundle).ok is holds


def test_an_epsilon_per_hat_is_that_of_every_row(tmp_path: Path) -> None:
    """The rows of the bundle cost 1, 1 and 1.5."""
    facts = make_facts(asked=("epsilon", Decimal(1)))
    release = make_release(queries=(make_query(facts=facts, division="per-hat"),))
    with pytest.raises(Finding, match="epsilon of the query mean_speed"):
        checked(make_bundle(tmp_path, release))


def test_draws_of_an_older_version_state_what_they_hold(tmp_path: Path) -> None:
    stored = to_json(make_release())
    for name in ("interval_rule", "pings"):
        del stored[name]
    del stored["queries"][0]["facts"]
    bundle = make_bundle(tmp_path, from_json(Release, stored))
    document = json.loads((bundle / PRIVACY).read_bytes())
    assert document["interval_rule"] == NOISE_ONLY
    assert document["queries"][0]["made_by"] is None
    assert verify_bundle(bundle).ok
    claimed = {"median": "1", "largest": "2"}
    document["accuracy"][0]["measures"][0]["typical_error"] = claimed
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    assert not verify_bundle(bundle).ok
