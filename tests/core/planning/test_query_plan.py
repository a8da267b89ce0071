"""core.planning.query_plan: what plans of every kind have in common."""

from __future__ import annotations

from decimal import Decimal
from threading import Event, Thread

import pytest

from core.accounting.budgets import Budget
from core.contributions import pairs_of
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan, largest_noise_scale, largest_sensitivity, query_errors
from core.planning.user_query import plan_user_query
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.progress import Cancelled, Progress, silent
from core.statistics.base import HatPlan, MeasurePlan
from tests.bounding import KEY, constants_of, random_stays, table_of
from tests.core.planning.test_values_query import city, planned
from tests.fakes import RecordingNoise
from tests.neighbours import all_of, data_of
from tests.queries import mean_query

SIX = Budget(total=Decimal(6))


def test_plans_of_every_kind_answer_the_same_questions() -> None:
    """Nobody has to ask which kind it is."""
    table = table_of(random_stays(1))
    users = data_of(table, Unit.VEHICLE).users

    def counted(mechanism: str) -> QueryPlan:
        query = mean_query(mechanism, budget=SIX)
        return plan_query(CountedCity(table, users, all_of(table), minimum_vehicles=1), query)

    constants = plan_user_query(mean_query("bounded-mean", budget=SIX), constants_of(), 1)
    kinds = (counted("baseline"), counted("tokens"), constants)
    assert [plan.division for plan in kinds] == ["equal", "joint", "joint"]
    assert [plan.bounding is not None for plan in kinds] == [False, False, True]
    assert [bool(plan.errors_known_of) for plan in kinds] == [False, False, True]
    assert [plan.half_widths is not None for plan in kinds] == [True, True, False]
    assert [len(plan.hat_figures) > 0 for plan in kinds] == [False, True, False]
    assert [plan.draw(table, users, pairs_of(table), KEY, RecordingNoise()).rows != () for plan in kinds] == [
        True,
        True,
        True,
    ]


def test_largest_figures_are_decimals_of_six_places() -> None:
    plan, _ = planned(city(1, 3), budget=Budget(per_hat=Decimal("0.5")))
    assert largest_sensitivity(plan.plans) == Decimal("65.000000")
    assert largest_noise_scale(plan.plans) == Decimal("130.000000")


def test_errors_of_a_query_are_the_median_and_the_largest_over_its_hats() -> None:
    """Of each kind by itself; of another measure where one is named."""
    sizes = ((1.0, 5.0), (3.0, 2.0), (2.0, 9.0), (7.0, 4.0))
    plans = tuple(
        HatPlan(
            epsilon=Decimal(1),
            measures=tuple(
                MeasurePlan(
                    sensitivity=0.0,
                    noise_scale=0.0,
                    bias_bound=0.0,
                    typical_error=times * typical,
                    error_at_worst=times * worst,
                )
                for times in (1, 10)
            ),
            m_ub=None,
            detail=None,
        )
        for typical, worst in sizes
    )
    errors = query_errors(plans)
    assert (errors.typical.median, errors.typical.largest) == (2.5, 7.0)
    assert (errors.at_worst.median, errors.at_worst.largest) == (4.5, 9.0)
    assert query_errors(plans, 1).typical.largest == 70.0


def test_every_hat_has_its_own_scope() -> None:
    plan, _ = planned(city(2, 2, 2))
    scopes = [one.scope for one in plan.allowances]
    assert len(set(scopes)) == 3
    assert all(scope.startswith("mean_speed 09 87") for scope in scopes)


def test_what_two_threads_ask_of_a_plan_is_computed_by_one() -> None:
    """A review that begins while the window computes the same waits for it, and can still be stopped."""
    plan, _ = planned(city(1, 3))
    begun, go_on, found, calls = Event(), Event(), [], []

    def slow(of: QueryPlan, progress: Progress) -> int:
        calls.append(of)
        begun.set()
        assert go_on.wait(10)
        progress(1.0)
        return 7

    def stopped(done: float, text: str = "") -> None:
        raise Cancelled(f"{done} {text}")

    first = Thread(target=lambda: found.append(plan.once(slow, silent)))
    first.start()
    assert begun.wait(10)
    with pytest.raises(Cancelled):
        plan.once(slow, stopped)
    second = Thread(target=lambda: found.append(plan.once(slow, silent)))
    second.start()
    go_on.set()
    for thread in (first, second):
        thread.join(10)
    assert (found, calls) == ([7, 7], [plan])


def test_where_the_first_is_stopped_the_next_computes_it() -> None:
    plan, _ = planned(city(1, 3))

    def stopped(_: QueryPlan) -> int:
        raise Cancelled

    with pytest.raises(Cancelled):
        plan.once(stopped)
    assert plan.once(lambda _: 7) == 7
