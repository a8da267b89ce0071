"""A counted city tells nobody who is in it, and is planned again from what was planned before."""

from __future__ import annotations

from core.grouping.plan_cache import PlanCache
from core.planning.counted_city import CountedCity
from core.planning.values_query import plan_query
from core.privacy import Unit
from tests.bounding import random_stays, table_of
from tests.neighbours import all_of, data_of
from tests.queries import mean_query

TABLE = table_of(random_stays(1))
CITY = CountedCity(TABLE, data_of(TABLE, Unit.VEHICLE).users, all_of(TABLE), minimum_vehicles=1)


def test_its_text_names_no_vehicle() -> None:
    assert "bus 0" in TABLE.vehicles
    assert "bus" not in repr(CITY)


def test_the_same_query_has_one_plan_where_there_is_a_cache() -> None:
    cached, query = CITY.cached(), mean_query()
    assert plan_query(cached, query) is plan_query(cached, query)
    assert plan_query(CITY, query) is not plan_query(CITY, query)


def test_the_cache_of_an_owner_stays() -> None:
    cache = PlanCache()
    assert (
        CountedCity(TABLE, CITY.users, CITY.selection, minimum_vehicles=1, cache=cache).cached().cache
        is cache
    )
