"""A draft of relation user is planned from constants and public counts, whatever the records are."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.forecast import Forecast, needs_smoothing, overview_of
from core.advice.usefulness import Usefulness
from core.advice.user_forecast import PublicChoices, informed_by, user_forecast
from core.advice.verdict import verdict_of
from core.bounding.candidates import candidate_hats
from core.draft.draft import QueryDraft
from core.errors import InputError
from core.hats.cells import cell_text
from core.hats.groups import DAY_KIND, Group
from core.mechanisms.bounded_mean import MECHANISM as BOUNDED
from core.mechanisms.enforced_mean import MECHANISM as ENFORCED
from core.planning.query_plan import Query, error_of_a_constant, query_errors
from core.planning.user_query import plan_user_query
from core.prior.public_prior import PublicPrior
from core.prior.public_source import PublicSource, SourceRequest
from core.privacy import Relation, Unit
from core.quantity import SPEED
from tests.bounding import Stay, constants_of, table_of
from tests.forecasts import choices_of
from tests.strategies import CELLS, RESOLUTION, window

CONSTANTS = constants_of(days_per_vehicle=1)
HATS = len(candidate_hats(CONSTANTS))
SLOT = window().slots.start
RECORDS = {
    "one": [Stay(CELLS[0], SLOT, "taxi 1", 0, (10, 20))],
    "others": [Stay(cell, SLOT, f"taxi {cell}", 1, (30,)) for cell in CELLS],
}


def asked(mechanism: str = BOUNDED.key, **parameters: Any) -> Query:
    return QueryDraft(mechanism=mechanism, parameters=parameters, budget=Budget(total=Decimal(20))).asked_of(
        SPEED
    )


def choices(**changes: Any) -> PublicChoices:
    return choices_of(
        CONSTANTS, **({"days_per_vehicle": None, "resolution": RESOLUTION, "threshold": 3} | changes)
    )


def planned(
    queries: Sequence[Query] = (asked(),),
    prior: PublicPrior = PublicPrior(),  # noqa: B008 - frozen
    rows: Sequence[Stay] = RECORDS["one"],
    **changes: Any,
) -> Forecast:
    def told(found: PublicSource | None) -> list[Query]:
        if found is None:
            return list(queries)
        return [
            dataclasses.replace(one, public_counts=found.hats, public_fleet=found.fleet) for one in queries
        ]

    return user_forecast(overview_of(table_of(rows)), lambda: choices(prior=prior, **changes), told)


def test_the_plan_is_that_of_the_constants() -> None:
    shown = planned()
    assert shown.problem is None
    (plan,), expected = shown.plans, plan_user_query(asked(), CONSTANTS, 3)
    assert (plan.hats, plan.charge) == (expected.hats, expected.charge)
    assert shown.selection is not None
    assert len(shown.selection) == HATS
    assert shown.protects_presence
    assert shown.users is None
    assert shown.advice is None
    assert not needs_smoothing(shown)


@pytest.mark.parametrize("prior", [PublicPrior(), PublicPrior(fleet=60, vehicles=20)])
def test_records_have_no_part_in_it(prior: PublicPrior) -> None:
    one, other = (planned(prior=prior, rows=rows) for rows in RECORDS.values())
    assert [plan.hats for plan in one.plans] == [plan.hats for plan in other.plans] != []
    assert one.charge == other.charge
    assert one.single_vehicle == other.single_vehicle == 0
    for name in ("cell", "slot", "index"):
        assert np.array_equal(getattr(one.selection, name), getattr(other.selection, name))
    assert set(one.selection.index.tolist()) == {-1} if one.selection else False


def test_candidates_are_known_before_unit_and_constant_are() -> None:
    shown = planned(unit=None, hats_per_vehicle=None)
    assert shown.problem is None
    assert shown.plans == ()
    assert shown.selection is not None


def test_a_constant_that_is_not_typed_is_asked_for() -> None:
    shown = planned(hats_per_vehicle=None)
    assert shown.problem is not None
    assert shown.problem.where == "privacy.hats_per_vehicle"
    assert shown.selection is not None


def test_a_plan_by_public_counts_needs_no_such_constant() -> None:
    query = asked(ENFORCED.key, fleet=60, vehicles=20, records=3)
    shown = planned([query], hats_per_vehicle=None)
    assert shown.problem is None
    assert len(shown.plans) == 1


def test_public_counts_say_how_exact_each_hat_is_and_change_nothing_else(tmp_path: Path) -> None:
    candidates = candidate_hats(CONSTANTS)
    cell, start = cell_text(int(candidates.cell[0])), window().grid.text(int(candidates.slot[0]))
    path = tmp_path / "counts.csv"
    path.write_text(f"h3_cell,slot_start,vehicles,records\n{cell},{start},500,3\n", encoding="utf-8")
    known = planned(prior=PublicPrior(fleet=900, source=SourceRequest(path=str(path))))
    plain = planned()
    assert known.problem is None
    (told,), (untold,) = known.plans, plain.plans
    assert [hat.plan is not None for hat in told.hats] == [True] + [False] * (HATS - 1)
    assert told.charge == untold.charge
    assert told.allowances == untold.allowances
    assert query_errors(told.plans).typical.median < query_errors(untold.plans).typical.median


@pytest.mark.parametrize(("unit", "days"), [(Unit.VEHICLE, 2), (Unit.VEHICLE_DAY, 1)])
def test_counts_are_held_against_the_vehicles_that_are_expected(
    tmp_path: Path, unit: Unit, days: int
) -> None:
    """By typed numbers alone; where nothing is known, nothing bounds a count."""
    candidates = candidate_hats(CONSTANTS)
    cells, slot = np.unique(candidates.cell)[:2].tolist(), window().grid.text(int(candidates.slot[0]))
    lines = [f"{cell_text(cell)},{slot},{units},3" for cell, units in zip(cells, (500, 60), strict=True)]
    path = tmp_path / "counts.csv"
    path.write_text("h3_cell,slot_start,vehicles,records\n" + "\n".join(lines) + "\n", encoding="utf-8")
    prior, known = PublicPrior(fleet=900, source=SourceRequest(path=str(path))), []
    for total in ("0.01", "1"):
        query = QueryDraft(statistic="query2", mechanism="", parameters={"limits": [40.0]})
        (plan,) = planned([query_of(query, total)], prior, unit=unit, days_per_vehicle=days).plans
        known.append(plan)
        (untold,) = planned([query_of(query, total)], unit=unit, days_per_vehicle=days).plans
        assert error_of_a_constant(untold) is None
        assert verdict_of(untold).usefulness is Usefulness.ROUGH, "nothing public tells more"
        assert (plan.charge, plan.errors, len(plan.published)) == (untold.charge, untold.errors, HATS)
    a_day = (500 + 60) / 2 * days / window().days  # a protected unit counts on so many days of the window
    assert [error_of_a_constant(plan) for plan in known] == pytest.approx([a_day / 2, a_day / 2])
    assert [verdict_of(plan).no_better_than_a_constant for plan in known] == [True, False]


def test_vehicles_that_are_expected_count_on_the_days_of_their_kind() -> None:
    """A row's number is divided by these days alone: each of 20 vehicles may count on one."""
    dates = window().dates
    kinds = Group(DAY_KIND, kinds=tuple((date, f"kind {number}") for number, date in enumerate(dates)))
    days = window().labelled((kinds.on(dates),))
    query = QueryDraft(statistic="query2", mechanism="", parameters={"limits": [40.0]})
    prior = PublicPrior(fleet=60, vehicles=20)
    (plan,) = planned(
        [query_of(query, "20")], prior, window=days, days_per_vehicle=1, hats_per_vehicle=99
    ).plans
    assert error_of_a_constant(plan) == pytest.approx(20 / 2)


def query_of(draft: QueryDraft, total: str) -> Query:
    return dataclasses.replace(draft, budget=Budget(total=Decimal(total))).asked_of(SPEED, Relation.USER)


def test_counts_that_are_a_plan_s_own_are_told_by_it_already() -> None:
    plan = plan_user_query(asked(ENFORCED.key, fleet=60, vehicles=20, records=3), CONSTANTS, 3)
    public = PublicPrior(fleet=90, vehicles=30).counts(candidate_hats(CONSTANTS), None)
    assert informed_by(plan, public, CONSTANTS) is plan


@pytest.mark.parametrize("changes", [{"cells": ()}, {"hats_per_vehicle": 0}, {"unit": Unit.VEHICLE_HAT_DAY}])
def test_what_bounds_nothing_is_told_in_place(changes: dict[str, Any]) -> None:
    shown = planned(**changes)
    assert isinstance(shown.problem, InputError)
    assert shown.plans == ()
