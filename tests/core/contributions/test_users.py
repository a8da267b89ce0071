"""Users of the protected unit, in their keyed order."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import (
    EVALUATION_TIE_KEY,
    Contributions,
    UserTable,
    contributions_of,
    tie_ranks,
    users_of,
)
from core.privacy import Unit
from tests.records import Ping, instant, make_records
from tests.strategies import RESOLUTION, HatData, contributions, window

KEY = b"k" * 32


def _users(
    table: Contributions, unit: Unit, key: bytes
) -> list[tuple[int, list[tuple[str, int, list[int]]]]]:
    """HAT -> users as (vehicle, day or -1, values), ordered as method 4 says: a literal version."""
    groups: dict[int, dict[tuple[str, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    for index in range(table.hat.size):
        day = -1 if unit is Unit.VEHICLE else int(table.day[index])
        name = table.vehicles[int(table.vehicle[index])]
        rows = table.values[int(table.start[index]) : int(table.start[index + 1])].tolist()
        groups[int(table.hat[index])][name, day] += rows

    def order(item: tuple[tuple[str, int], list[int]]) -> tuple[int, bytes, int]:
        (name, day), found = item
        return -len(found), hmac.new(key, name.encode(), hashlib.sha256).digest(), day

    return [
        (hat, [(name, day, found) for (name, day), found in sorted(users.items(), key=order)])
        for hat, users in sorted(groups.items())
    ]


def _values_of(hat: HatData) -> list[list[int]]:
    return [
        hat.values[start : start + count].tolist()
        for start, count in zip(hat.starts, hat.counts, strict=True)
    ]


@given(contributions(), st.sampled_from(list(Unit)), st.binary(min_size=32, max_size=32))
def test_users_are_a_literal_grouping_in_the_order_of_the_contract(
    table: Contributions, unit: Unit, key: bytes
) -> None:
    users = users_of(table, unit, key)
    for hat, expected in _users(table, unit, key):
        data = users.hat_data(hat)
        rows = slice(int(users.first[hat]), int(users.first[hat + 1]))
        assert [table.vehicles[code] for code in users.vehicle[rows]] == [name for name, _, _ in expected]
        assert _values_of(data) == [found for _, _, found in expected]
        assert (
            users.hat_counts(hat).tolist() == data.counts.tolist() == [len(found) for *_, found in expected]
        )
        assert data.upper_bound == table.upper_bound
    assert users.first[-1] == users.counts.size
    assert users.counts.sum() == len(table.values)


@given(contributions().filter(lambda table: table.visits is not None), st.sampled_from(list(Unit)))
def test_visits_of_a_user_are_those_of_its_rows_together(table: Contributions, unit: Unit) -> None:
    """A vehicle's are the sum over its days; `kept` leaves users out as it does for counts."""
    users = users_of(table, unit, KEY)
    assert table.visits is not None
    expected: dict[tuple[int, int, int], int] = defaultdict(int)
    for hat, vehicle, day, visits in zip(table.hat, table.vehicle, table.day, table.visits, strict=True):
        expected[int(hat), int(vehicle), -1 if unit is Unit.VEHICLE else int(day)] += int(visits)
    for hat in range(table.hats):
        rows = slice(int(users.first[hat]), int(users.first[hat + 1]))
        found, data = users.hat_visits(hat), users.hat_data(hat)
        assert found is not None
        assert data.visits is not None
        assert found.tolist() == data.visits.tolist()
        assert found.dtype == np.int64
        assert ((found >= 1) & (found <= data.counts)).all()
        here = [visits for (place, *_), visits in expected.items() if place == hat]
        assert sorted(found.tolist()) == sorted(here)
        if unit is Unit.VEHICLE:
            assert found.tolist() == [expected[hat, int(code), -1] for code in users.vehicle[rows]]
        retained = np.ones(users.counts.size, bool)
        retained[rows.start] = False
        left = users.hat_visits(hat, retained)
        assert left is not None
        assert left.tolist() == found[1:].tolist()
    timeless = users_of(dataclasses.replace(table, visits=None), unit, KEY)
    assert timeless.hat_visits(0) is None
    assert timeless.hat_data(0).visits is None


def test_first_records_follow_time_whatever_their_order_in_the_file() -> None:
    start = instant("2022-01-01T10:00:00")
    found = [Ping("bus", start + step * 1000, 21.17, 72.83, 60.0 - step) for step in (3, 0, 2, 1)]
    users = users_of(contributions_of(make_records(found), RESOLUTION, window()), Unit.VEHICLE, KEY)
    hat = users.hat_data(0)
    assert _values_of(hat) == [[60_000, 59_000, 58_000, 57_000]]
    assert hat.sums_of(np.array([0]), np.array([0]), np.array([2])).tolist() == [119_000]
    assert hat.sums_of(np.array([0]), np.array([2]), np.array([2])).tolist() == [115_000]
    assert hat.sums().tolist() == [234_000]


@given(st.permutations([f"bus {number}" for number in range(6)]))
def test_ties_are_ordered_by_the_key_and_not_by_position(names: list[str]) -> None:
    start = instant("2022-01-01T10:00:00")
    found = [Ping(name, start + number, 21.17, 72.83, 1.0) for number, name in enumerate(names)]
    table = contributions_of(make_records(found), RESOLUTION, window())
    users = users_of(table, Unit.VEHICLE, KEY)
    ordered = [table.vehicles[code] for code in users.vehicle]
    assert ordered == sorted(names, key=lambda name: hmac.digest(KEY, name.encode(), hashlib.sha256))


def test_another_key_orders_ties_otherwise() -> None:
    names = tuple(f"bus {number}" for number in range(20))
    assert tie_ranks(names, KEY).tolist() != tie_ranks(names, EVALUATION_TIE_KEY).tolist()
    assert sorted(tie_ranks(names, KEY).tolist()) == list(range(20))


def test_a_vehicle_that_goes_away_leaves_the_order_of_the_others() -> None:
    names = [f"bus {number}" for number in range(12)]
    ranks = dict(zip(names, tie_ranks(tuple(names), KEY), strict=True))
    fewer = [name for name in names if name != "bus 5"]
    assert sorted(fewer, key=ranks.__getitem__) == [
        fewer[index] for index in np.argsort(tie_ranks(tuple(fewer), KEY))
    ]


@given(contributions(), st.sampled_from(list(Unit)))
def test_tables_show_sizes_only(table: Contributions, unit: Unit) -> None:
    users: UserTable = users_of(table, unit, KEY)
    for thing in (table, users, users.hat_data(0)):
        assert repr(thing).startswith("<confidential ")
        assert "array" not in repr(thing)
