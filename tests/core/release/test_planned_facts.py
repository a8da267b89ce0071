"""The facts of a plan: parameters, scales and errors over the published HATs."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.bundle.query_facts import BUDGET_KEYS, QueryFacts
from core.privacy import Unit
from core.release.planned_facts import asked_of, planned_facts
from core.release.prepare_publish import prepare
from core.release.prepared import Prepared
from core.spec import load_spec
from tests.city import EVERY_STATISTIC, POPULATION, write_city


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder: Path = tmp_path_factory.mktemp("city")
    ledger = Ledger.open(folder / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    return prepare(load_spec(write_city(folder, edit=EVERY_STATISTIC)), ledger)


@pytest.fixture(scope="module")
def facts(prepared: Prepared) -> dict[str, QueryFacts]:
    return {
        plan.query.id: planned_facts(plan, prepared.contributions, Unit.VEHICLE) for plan in prepared.plans
    }


def test_every_declared_parameter_is_told_with_its_value(facts: dict[str, QueryFacts]) -> None:
    assert facts["moments"].parameters == {"m_ub": "median", "suppress_users": True}
    assert facts["pair_means"].parameters == {"suppress_users": False}
    limits = (20.0, 30.0, 40.5)
    assert facts["speeding"].parameters == {"limits": limits, "histogram": False, "suppress_users": False}
    assert facts["distribution"].parameters["tree"] == "binary"


def test_what_was_asked_for_is_told(facts: dict[str, QueryFacts]) -> None:
    assert [one.asked for one in facts.values()] == [
        ("total", Decimal(6)),
        ("noise_scale", Decimal(8)),
        ("total", Decimal(4)),
        ("epsilon", Decimal(2)),
    ]
    for key, budget in zip(
        BUDGET_KEYS,
        (Budget(per_hat=Decimal(1)), Budget(total=Decimal(1)), Budget(noise_scale=Decimal(1))),
        strict=True,
    ):
        assert asked_of(budget) == (key, 1)


def test_figures_are_those_of_the_plan(prepared: Prepared, facts: dict[str, QueryFacts]) -> None:
    for plan in prepared.plans:
        for number, measure in enumerate(facts[plan.query.id].measures):
            planned = sorted(hat.measures[number].noise_scale for hat in plan.plans)
            assert float(measure.noise_scale.smallest) == pytest.approx(planned[0], rel=1e-8)
            assert float(measure.noise_scale.largest) == pytest.approx(planned[-1], rel=1e-8)
            worst = max(hat.measures[number].error_at_worst for hat in plan.plans)
            assert float(measure.error_at_worst.largest) == pytest.approx(worst, rel=1e-3)
    assert [one.measure for one in facts["moments"].measures] == ["speed_mean_kmh", "speed_variance_km2_h2"]
    assert [one.measure for one in facts["distribution"].measures] == ["cumulative_share_of_vehicles"]


def test_caps_suppression_and_days_are_told_where_there_are_any(facts: dict[str, QueryFacts]) -> None:
    moments, pairs = facts["moments"], facts["pair_means"]
    assert moments.m_ub is not None
    assert 1 <= moments.m_ub.smallest < moments.m_ub.largest
    assert moments.suppression is not None
    assert pairs.day_epsilons is not None
    assert (pairs.m_ub, pairs.suppression, moments.day_epsilons) == (None, None, None)


def test_intervals_are_of_what_was_modelled(facts: dict[str, QueryFacts]) -> None:
    assert facts["moments"].interval_covers == "noise and modelled bias"
    assert {facts[name].interval_covers for name in ("pair_means", "speeding", "distribution")} == {"noise"}
