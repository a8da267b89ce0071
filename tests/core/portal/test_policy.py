"""core.portal.policy: the policy says what ledger and statement say, in words."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.accounting.epsilon_rounding import glance
from core.accounting.ledger import Ledger
from core.bundle.protection_texts import PRACTICE, TRACKS, left_open
from core.place_words import of_places
from core.portal.policy import policy_of_population, policy_of_statement, policy_sections
from core.privacy import Relation, Unit
from core.signed.bundle_names import MAP_FORMAT, PORTAL_FORMAT
from core.signed.findings import Finding
from tests.ui.ledger_story import BUSES, month, pay

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
STATEMENTS = sorted(GOLDEN.glob("*/releases/*/privacy.json"))
TODAY = dt.date(2026, 11, 23)


def statement(version: str = "v0.3", **changes: Any) -> dict[str, Any]:
    path = GOLDEN / version / "releases" / "two-step-1.0.0" / "privacy.json"
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document | changes


def shown(amount: str | None, document: dict[str, Any]) -> str | None:
    """Since format 3 as people read it."""
    return glance(Decimal(amount)) if amount and document["format"] == "hexveil-privacy-3" else amount


@pytest.mark.parametrize("path", STATEMENTS, ids=lambda path: f"{path.parents[2].name}-{path.parent.name}")
def test_every_statement_ever_published_has_a_policy(path: Path) -> None:
    document = json.loads(path.read_bytes())
    policy = policy_of_statement(document)
    assert policy.source == path.parent.name
    limits, spent = (
        {unit: shown(amount, document) for unit, amount in document[name].items()}
        for name in ("limits", "cumulative")
    )
    assert {one.unit.value: one.limit for one in policy.limits} == limits
    assert {one.unit.value: one.spent for one in policy.limits} == spent
    assert (policy.contact, policy.zone) == (document["contact"], document["period"]["zone"])
    told = " ".join(
        part for one in policy_sections(policy) for part in (*one.sentences, *one.items, *sum(one.rows, ()))
    )
    for fact in (*document["unprotected_quantities"], document["contact"], document["privacy_unit"]):
        assert fact in told
    for amount in (*spent.values(), *filter(None, limits.values())):
        assert amount in told


def test_what_stays_open_depends_on_the_relation() -> None:
    values = policy_sections(policy_of_statement(statement()))
    (public,) = [one for one in values if one.heading == "What is not protected"]
    assert public.items == tuple(statement()["unprotected_quantities"])
    assert TRACKS not in str(values), "a bundle of before says what it said"
    said = policy_of_statement(statement("v0.4"))
    assert said.unprotected == left_open(dwell=True)
    assert TRACKS in str(policy_sections(said))
    assert "With other speeds from one vehicle" in str(policy_sections(said)), "as README and report say it"
    user = policy_sections(policy_of_statement(statement(relation="user")))
    (public,) = [one for one in user if one.heading == "What is not protected"]
    assert public.items == ()
    assert "none of them may come from the records" in public.sentences[0]
    (protected,) = [one for one in user if one.heading == "What is protected"]
    assert "With or without one vehicle" in protected.sentences[-1]


def test_practice_evaluation_and_delta_are_said() -> None:
    plain_words = str(policy_sections(policy_of_statement(statement())))
    assert PRACTICE not in plain_words
    assert "covered by epsilon" not in plain_words
    assert "delta" not in plain_words
    changed = statement(
        practice=True, parameters_chosen_after_confidential_evaluation=True, cumulative_delta="0.000001"
    )
    told = str(policy_sections(policy_of_statement(changed)))
    assert PRACTICE in told
    assert "what that told the publisher when choosing" in told
    assert "a probability of at most 0.000001 (delta)" in told


@pytest.mark.parametrize(
    "name", ["cumulative", "limits", "relation", "privacy_unit", "data_curators", "period"]
)
def test_another_document_is_a_finding(name: str) -> None:
    document = statement()
    del document[name]
    with pytest.raises(Finding, match=r"does not state what a policy needs"):
        policy_of_statement(document)
    with pytest.raises(Finding):
        policy_of_statement(statement(**{name: 7}))


def test_a_population_before_and_after_its_first_release(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(BUSES, per_vehicle=Decimal(9), per_vehicle_day=Decimal("0.5"))
    (before,) = ledger.populations()
    policy = policy_of_population(before, TODAY)
    assert (policy.relation, policy.unit, policy.zone, policy.as_of) == (None, None, "", "2026-11-23")
    told = str(policy_sections(policy))
    assert "Nothing was released yet" in told
    assert "Ask the publisher." in told
    pay(ledger, BUSES, month(2), "0.3", bundle="bus-speed-2022-02-1.0.0")
    (after,) = ledger.populations()
    policy = policy_of_population(after, TODAY, publisher="City", contact="opendata@city.example")
    assert (policy.relation, policy.unit) == (Relation.VALUES, Unit.VEHICLE)
    limits = {one.unit: (one.limit, one.spent) for one in policy.limits}
    assert limits == {Unit.VEHICLE: ("9", "8.4"), Unit.VEHICLE_DAY: ("0.5", "0.3")}
    told = str(policy_sections(policy))
    assert "Publisher: City." in told
    assert "Ask opendata@city.example." in told
    assert "all releases, for all time; nothing expires" in told
    assert f"each date, in the time zone {after.zone}" in told


def test_a_population_is_said_in_newer_words_than_bundles_whose_pages_stay(
    tmp_path: Path,
) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(BUSES, per_vehicle=Decimal(2000))
    pay(ledger, BUSES, month(2), "40", bundle="bus-speed-2022-02-1.0.0")
    (population,) = ledger.populations()
    said = str(policy_sections(policy_of_population(population, TODAY)))
    assert "more than a billion times more or less likely: that promises next to nothing" in said
    assert "no limit" in said
    assert "no limit of its own" not in said
    spent = {"vehicle": "40", "vehicle-day": "40", "vehicle-hat-day": "40"}
    said = str(policy_sections(policy_of_statement(statement("v0.4", cumulative=spent))))
    assert "at most 10^18 times more or less likely." in said
    assert "no limit of its own" in said
    assert "next to nothing" not in said
    newer = {"cumulative": spent, "map_files": MAP_FORMAT, "portal_files": PORTAL_FORMAT}
    said = str(policy_sections(policy_of_statement(statement("v0.4", **newer))))
    assert "more than a billion times more or less likely: that promises next to nothing" in said
    assert "no limit of its own" not in said


def test_later_statements_say_the_factor_and_figures_as_people_read_them() -> None:
    spent = {"vehicle": "9.999994", "vehicle-day": "2.5", "vehicle-hat-day": "1.5"}
    policy = policy_of_statement(statement("v0.4", cumulative=spent))
    assert [one.spent for one in policy.limits] == ["10", "2.5", "1.5"]
    told = str(policy_sections(policy))
    assert "any result here would have been at most 22,100 times more or less likely" in told
    assert "as likely, up to that factor" not in told
    assert "9.999994" in str(policy_sections(policy_of_statement(statement(cumulative=spent))))


def test_a_release_by_other_places_names_no_hexagon_and_typed_names_stay() -> None:
    grid = {"place": "column", "place_column": "route", "periods": [{"name": "vehicle peak"}]}
    for relation in ("values", "user"):
        document = statement("v0.4", grid=grid, relation=relation)
        facts = [of_places(fact) for fact in document["unprotected_quantities"]]
        document |= {"unprotected_quantities": facts}
        document["privacy_unit_details"]["protected"] = "every value in one place"
        policy = policy_of_statement(document)
        assert not policy.hexagons
        assert "vehicle peak" in policy.typed
        assert "exagon" not in str(policy_sections(dataclasses.replace(policy, tracks=False)))
