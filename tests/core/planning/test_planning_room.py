"""core.planning.planning_room: pairs are counted before anything is planned."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.accuracy_first import city_outline
from core.contributions import EVALUATION_TIE_KEY, users_of
from core.errors import InputError
from core.mechanisms.tokens import BOUNDED, SPLIT
from core.planning import planning_room
from core.planning.planning_room import ROOM, NoRoom, require_room
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.selection.base import SelectionRequest
from core.selection.registry import select
from tests.count_tables import TOWN, contributions_of
from tests.queries import mean_query

USERS = users_of(contributions_of(TOWN), Unit.VEHICLE, EVALUATION_TIE_KEY)
ALL = np.ones(4, np.bool_)


def test_a_city_beyond_the_limit_is_refused_with_its_cost_and_the_limit_can_be_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require_room(USERS, ALL, SPLIT)
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    monkeypatch.setenv(ROOM, "12.5")
    with pytest.raises(InputError, match=r"up to 13 GB of memory and 1 min to plan; 12\.5 GB are allowed"):
        require_room(USERS, ALL, SPLIT)
    monkeypatch.setenv(ROOM, "13")
    require_room(USERS, ALL, SPLIT)
    monkeypatch.delenv(ROOM)
    with pytest.raises(InputError, match="8 GB are allowed"):
        require_room(USERS, ALL, SPLIT)
    require_room(USERS, np.array([True, True, False, False]), SPLIT)


@pytest.mark.parametrize("text", ["much", "nan", "inf", "-1", "0"])
def test_a_limit_that_is_no_number_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOM, text)
    with pytest.raises(InputError, match="HEXVEIL_PLANNING_GB is no number above 0"):
        require_room(USERS, ALL, SPLIT)


def test_bounded_weights_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    monkeypatch.setattr(planning_room, "_BOUNDED_SECONDS", 60.0)
    with pytest.raises(NoRoom, match="and 13 min to plan"):
        require_room(USERS, ALL, BOUNDED)


@pytest.mark.parametrize("planned", [city_outline, plan_query])
def test_no_plan_of_a_city_begins_without_room(
    planned: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = contributions_of(TOWN)
    selection = select(table, SelectionRequest(rule="hat", threshold=1))
    query = mean_query("tokens", budget=Budget(total=Decimal(5)))
    given = {"minimum_vehicles": 2, "delta": Decimal(0)}
    planned(table, USERS, selection, query, **given)
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    with pytest.raises(NoRoom):
        planned(table, USERS, selection, query, **given)
