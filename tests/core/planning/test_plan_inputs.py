"""A plan is found again by all that it follows from, and by nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.contributions import users_of
from core.planning.counted_city import CountedCity
from core.planning.plan_inputs import inputs_by_constants, inputs_by_counts
from core.privacy import Unit
from core.statistics.question import question_of
from core.statistics.registry import all_statistics
from tests.bounding import Stay, constants_of, random_stays, table_of
from tests.neighbours import KEY, all_of, with_new_values
from tests.queries import mean_query

STAYS = random_stays(1)
TABLE = table_of(STAYS)
NO_BUDGET = Budget(total=Decimal(1))


def by_counts(**changes: Any) -> Hashable:
    table = changes.pop("table", TABLE)
    users = users_of(table, changes.pop("unit", Unit.VEHICLE), changes.pop("key", KEY))
    query, selection = changes.pop("query", mean_query()), changes.pop("selection", all_of(table))
    return inputs_by_counts(
        CountedCity(table, users, selection, **({"minimum_vehicles": 2} | changes)), query
    )


def one_record_more() -> list[Stay]:
    first, *others = STAYS
    return [first._replace(values=(*first.values, 0)), *others]


@pytest.mark.parametrize(
    "change",
    [
        {"table": table_of(one_record_more())},
        {"table": table_of([stay for stay in STAYS if stay.vehicle != "bus 0"])},
        {"table": dataclasses.replace(TABLE, visits=np.ones(TABLE.hat.size, np.int32))},
        {"table": dataclasses.replace(TABLE, upper_bound=TABLE.upper_bound + 1)},
        {"unit": Unit.VEHICLE_DAY},
        {"key": bytes(32)},
        {"selection": dataclasses.replace(all_of(TABLE), columns={"weight": {1: 2.0}})},
        {"selection": dataclasses.replace(all_of(TABLE), index=np.full(TABLE.hats + 1, -1))},
        {"query": mean_query("tokens")},
        {"query": mean_query(budget=NO_BUDGET)},
        {"query": mean_query(query_id="other")},
        {"minimum_vehicles": 3},
        {"delta": Decimal("1e-6")},
    ],
)
def test_whatever_a_plan_follows_from_makes_it_another(change: dict[str, Any]) -> None:
    assert by_counts(**change) != by_counts()


def test_values_have_no_part_in_it() -> None:
    other = with_new_values(TABLE, np.ones(TABLE.hat.size, bool), [0] * int(TABLE.start[-1]))
    assert by_counts(table=other) == by_counts()


def test_every_query_can_be_looked_up() -> None:
    for statistic in all_statistics().values():
        if statistic.method:
            query = dataclasses.replace(mean_query(), question=question_of(statistic, None, {}))
            assert hash(by_counts(query=query)) == hash(by_counts(query=query))


@pytest.mark.parametrize(
    ("place", "other"),
    [
        (0, mean_query("bounded-mean", budget=NO_BUDGET)),
        (1, constants_of(hats_per_vehicle=3)),
        (2, 2),
        (3, Decimal("1e-6")),
        (4, {"weight": {1: 2.0}}),
    ],
)
def test_public_constants_are_all_that_counts_in_relation_user(place: int, other: Any) -> None:
    public: list[Any] = [mean_query("bounded-mean"), constants_of(), 1, Decimal(0), {}]
    changed = [*public[:place], other, *public[place + 1 :]]
    assert inputs_by_constants(*public) == inputs_by_constants(*public)
    assert inputs_by_constants(*changed) != inputs_by_constants(*public)
