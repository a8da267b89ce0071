"""Which query of a release maps and tables show."""

from __future__ import annotations

from core.release.value_query import smoothed_name, value_query
from tests.builders import make_city_query, make_query, make_release


def test_the_first_query_with_one_speed_a_hat() -> None:
    mean, moments = make_query(), make_query(query_id="moments", statistic="mean_variance")
    counts = make_query(query_id="counts", statistic="query2")
    assert value_query(make_release(queries=(counts, moments, mean))) is moments
    assert value_query(make_release(queries=(mean, moments))) is mean


def test_shares_and_numbers_of_vehicles_are_no_speeds() -> None:
    only = tuple(make_query(query_id=key, statistic=key) for key in ("query2", "cdf"))
    assert value_query(make_release(queries=only)) is None


def test_smoothed_numbers_have_their_name_where_there_are_any() -> None:
    query = make_city_query()
    release = make_release(queries=(query,))
    assert smoothed_name(release, query) == "speed_smoothed_kmh"
    assert smoothed_name(release, make_query()) is None
    first = query.rows[0]
    raw, smoothed = first.first, first.number("speed_smoothed_kmh")
    assert raw is not None
    assert smoothed is not None
    assert smoothed.value == raw.value + 1000
    assert first.number(raw.measure) is raw
    assert make_query().rows[0].number("speed_smoothed_kmh") is None
