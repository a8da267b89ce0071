"""core.planning.planning_room: pairs are counted before anything is planned."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.accuracy_first import city_outline
from core.contributions import EVALUATION_TIE_KEY, users_of
from core.errors import InputError
from core.mechanisms.tokens import BOUNDED, SPLIT
from core.planning import planning_room
from core.planning.counted_city import CountedCity
from core.planning.planning_room import ROOM, NoRoom, require_room, require_room_for
from core.planning.user_query import plan_user_query
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.selection.base import SelectionRequest
from core.selection.registry import select
from tests.bounding import constants_of
from tests.count_tables import TOWN, contributions_of
from tests.queries import mean_query

TABLE = contributions_of(TOWN)
ALL = np.ones(4, np.bool_)


def test_a_city_beyond_the_limit_is_refused_with_its_cost_and_the_limit_can_be_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require_room_for(TABLE, ALL, SPLIT)
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    monkeypatch.setenv(ROOM, "12.5")
    with pytest.raises(InputError, match=r"up to 13 GB of memory and 1 min to plan; 12\.5 GB are allowed"):
        require_room_for(TABLE, ALL, SPLIT)
    monkeypatch.setenv(ROOM, "13")
    require_room_for(TABLE, ALL, SPLIT)
    monkeypatch.delenv(ROOM)
    with pytest.raises(InputError, match="8 GB are allowed"):
        require_room_for(TABLE, ALL, SPLIT)
    require_room_for(TABLE, np.array([True, True, False, False]), SPLIT)


@pytest.mark.parametrize("text", ["much", "nan", "inf", "-1", "0"])
def test_a_limit_that_is_no_number_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOM, text)
    with pytest.raises(InputError, match="HEXVEIL_PLANNING_GB is not a number above 0"):
        require_room(13)


def test_bounded_weights_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    monkeypatch.setattr(planning_room, "_BOUNDED_SECONDS", 60.0)
    with pytest.raises(NoRoom, match="and 13 min to plan"):
        require_room(13, BOUNDED)


TOTAL = Budget(total=Decimal(5))


def by_counts(planned: Callable[..., object], **params: Any) -> object:
    """Of relation `values`."""
    users = users_of(TABLE, Unit.VEHICLE, EVALUATION_TIE_KEY)
    selection = select(TABLE, SelectionRequest(rule="hat", threshold=1))
    query = mean_query("tokens", budget=TOTAL, **params)
    return planned(CountedCity(TABLE, users, selection, minimum_vehicles=2), query)


def by_constants() -> object:
    """Of relation `user`, by what is typed: it looks at nothing else."""
    query = mean_query("plan-and-enforce", budget=TOTAL, fleet=9, vehicles=2, records=2)
    return plan_user_query(query, constants_of(), 1)


@pytest.mark.parametrize(
    "plan",
    [
        partial(by_counts, city_outline),
        partial(by_counts, plan_query),
        partial(by_counts, plan_query, regions=True, promised_error=60.0),
        by_constants,
    ],
)
def test_no_plan_of_a_city_begins_without_room(
    plan: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan()
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    with pytest.raises(NoRoom):
        plan()
