"""Pairs of HAT and vehicle are those of the table, counted record by record."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.city.city_pairs import CityPairs, city_pairs, grouped_rows
from core.contributions import Contributions, users_of
from core.contributions.users import tie_ranks
from core.privacy import Unit
from tests.count_tables import TOWN, Counts, count_tables, pairs_of
from tests.neighbours import KEY
from tests.strategies import contributions

UNITS = (Unit.VEHICLE, Unit.VEHICLE_DAY)


def counted(table: Contributions) -> dict[tuple[int, int], tuple[int, int | None]]:
    """(HAT, vehicle) -> records and visits, one row of the table after the other."""
    found: dict[tuple[int, int], tuple[int, int | None]] = {}
    for row in range(table.hat.size):
        pair = int(table.hat[row]), int(table.vehicle[row])
        records, visits = found.get(pair, (0, 0))
        more = None if table.visits is None or visits is None else visits + int(table.visits[row])
        found[pair] = records + int(table.counts[row]), more
    return found


@given(counts=count_tables(), data=st.data())
def test_groups_hold_the_records_of_their_hats(counts: Counts, data: st.DataObject) -> None:
    pairs = pairs_of(counts)
    asked = st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=pairs.hats, max_size=pairs.hats)
    chosen = np.array(data.draw(asked.filter(lambda found: max(found) >= 0)))
    group = np.where(chosen < 0, -1, np.searchsorted(np.unique(chosen[chosen >= 0]), chosen))
    expected: dict[tuple[int, int], int] = {}
    for hat, vehicle, records in zip(pairs.hat, pairs.vehicle, pairs.records, strict=True):
        if group[hat] >= 0:
            key = int(group[hat]), int(vehicle)
            expected[key] = expected.get(key, 0) + int(records)
    found = pairs.grouped(group)
    told = zip(found.hat.tolist(), found.vehicle.tolist(), found.records.tolist(), strict=True)
    assert [((hat, vehicle), records) for hat, vehicle, records in told] == sorted(expected.items())


@pytest.mark.parametrize("unit", UNITS)
@given(table=contributions(), data=st.data())
def test_each_pair_is_counted_once_with_all_its_records(
    unit: Unit, table: Contributions, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.booleans(), min_size=table.hats, max_size=table.hats).filter(any))
    published = np.array(chosen)
    pairs = city_pairs(users_of(table, unit, KEY), published)
    numbers = np.flatnonzero(published)
    visits = [None] * pairs.hat.size if pairs.visits is None else pairs.visits.tolist()
    found = {
        (int(numbers[hat]), code): (records, visited)
        for hat, code, records, visited in zip(
            pairs.hat.tolist(), pairs.code.tolist(), pairs.records.tolist(), visits, strict=True
        )
    }
    assert found == {pair: counts for pair, counts in counted(table).items() if published[pair[0]]}
    assert len(found) == pairs.hat.size


@pytest.mark.parametrize("unit", UNITS)
@given(table=contributions())
def test_pairs_come_by_hat_and_keyed_hash_whatever_the_unit(unit: Unit, table: Contributions) -> None:
    """The order tells nothing but the population's key; vehicle numbers have no gaps."""
    pairs = city_pairs(users_of(table, unit, KEY), np.ones(table.hats, bool))
    ranks = tie_ranks(table.vehicles, KEY)[pairs.code]
    order = list(zip(pairs.hat.tolist(), ranks.tolist(), strict=True))
    assert order == sorted(order)
    assert sorted(set(pairs.vehicle.tolist())) == list(range(pairs.vehicles))
    numbered = dict(zip(pairs.code.tolist(), pairs.vehicle.tolist(), strict=True))
    assert [numbered[code] for code in pairs.code.tolist()] == pairs.vehicle.tolist()
    assert [ranks.tolist()[place] for place in np.argsort(pairs.vehicle, kind="stable")] == sorted(ranks)


@given(table=contributions())
def test_days_of_a_vehicle_make_one_pair_with_it(table: Contributions) -> None:
    """Tokens are the vehicle's in either unit: both give the same pairs."""
    everything = np.ones(table.hats, bool)
    by_vehicle, by_day = (city_pairs(users_of(table, unit, KEY), everything) for unit in UNITS)
    for name in ("hat", "vehicle", "code", "records"):
        assert getattr(by_vehicle, name).tolist() == getattr(by_day, name).tolist()


@given(table=contributions())
def test_rows_of_a_pair_lie_together(table: Contributions) -> None:
    users = users_of(table, Unit.VEHICLE_DAY, KEY)
    rows, first = grouped_rows(users, np.arange(table.hats))
    assert sorted(rows.tolist()) == list(range(users.hat.size))
    seen = [
        {(int(users.hat[row]), int(users.vehicle[row])) for row in part} for part in np.split(rows, first[1:])
    ]
    assert all(len(pair) == 1 for pair in seen)
    assert len(set().union(*seen)) == len(seen)


def test_sums_and_shares_of_a_small_city() -> None:
    pairs = pairs_of(TOWN)
    assert (pairs.hats, pairs.vehicles, pairs.hat.size) == (4, 5, 13)
    assert pairs.starts.tolist() == [0, 3, 6, 9]
    assert pairs.by_hat(pairs.records).tolist() == [15, 11, 14, 10]
    assert pairs.by_vehicle(pairs.records).tolist() == [6, 9, 22, 4, 9]
    assert pairs.shares[:3].tolist() == [5 / 15, 9 / 15, 1 / 15]
    assert pairs.by_hat(pairs.shares) == pytest.approx(1.0)


@given(counts=count_tables(), data=st.data())
def test_dwell_is_centred_in_each_hat(counts: Counts, data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 1000))
    visits = np.random.default_rng(seed).integers(1, np.maximum(counts, 1), endpoint=True)
    pairs = pairs_of(counts, visits)
    dwell = pairs.dwell
    assert dwell is not None
    assert pairs.by_hat(pairs.shares * dwell) == pytest.approx(0.0, abs=1e-12)
    one_visit = pairs_of(counts, np.minimum(counts, 1)).dwell
    assert one_visit is not None
    for hat in range(pairs.hats):
        logs = np.log(counts[counts[:, hat] > 0, hat])
        shares = counts[counts[:, hat] > 0, hat] / counts[:, hat].sum()
        assert one_visit[pairs.hat == hat] == pytest.approx(logs - shares @ logs, abs=1e-12)
    assert pairs_of(counts).dwell is None


@given(counts=count_tables(), data=st.data())
def test_leaving_hats_out_keeps_vehicles_and_renumbers_hats(counts: Counts, data: st.DataObject) -> None:
    pairs = pairs_of(counts, np.minimum(counts, 1))
    retained = np.array(
        data.draw(st.lists(st.booleans(), min_size=pairs.hats, max_size=pairs.hats).filter(any))
    )
    rest = pairs.only(retained)
    assert rest.hats == retained.sum()
    assert sorted(set(rest.hat.tolist())) == list(range(int(retained.sum())))
    left = np.where(retained, counts, 0)
    numbers = np.flatnonzero(retained)
    assert rest.records.tolist() == left[rest.vehicle, numbers[rest.hat]].tolist()
    assert rest.visits is not None
    assert rest.visits.tolist() == [1] * rest.hat.size
    assert (rest is pairs) is bool(retained.all())


def test_no_pairs_are_no_hats_and_no_vehicles() -> None:
    none = np.zeros(0, np.int32)
    empty = CityPairs(hat=none, vehicle=none, code=none, records=np.zeros(0, np.int64))
    assert (empty.hats, empty.vehicles) == (0, 0)
