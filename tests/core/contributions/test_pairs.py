"""Records, sums and largest values of (HAT, vehicle, day)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions, contributions_of, pairs_of
from core.contributions import table as tables
from tests.records import Ping, instant, make_records
from tests.strategies import RESOLUTION, contributions, window


def _pairs(table: Contributions) -> list[list[tuple[str, int, int, int]]]:
    """For each HAT its pairs as (vehicle, records, sum, largest value): a literal version."""
    listed: list[list[tuple[str, int, int, int]]] = [[] for _ in range(table.hats)]
    for index in range(table.hat.size):
        found = table.values[int(table.start[index]) : int(table.start[index + 1])].tolist()
        name = table.vehicles[int(table.vehicle[index])]
        listed[int(table.hat[index])].append((name, len(found), sum(found), max(found)))
    return listed


@given(contributions(), st.sampled_from((1, 2, 5, 1 << 20)))
def test_pairs_are_a_literal_summary_of_each_vehicle_and_day(table: Contributions, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK_VALUES", block)
        pairs = pairs_of(table)
    for hat, expected in enumerate(_pairs(table)):
        one = pairs.hat(hat)
        names = [table.vehicles[code] for code in one.vehicle]
        columns = (one.counts.tolist(), one.sums.tolist(), one.maxima.tolist())
        assert list(zip(names, *columns, strict=True)) == expected
    assert pairs.first[-1] == table.hat.size
    assert pairs.pairs.counts.sum() == len(table.values)


def test_the_days_of_a_vehicle_are_pairs_of_their_own() -> None:
    times = ("2022-01-01T10:00:00", "2022-01-01T10:30:00", "2022-01-03T10:00:00")
    found = [
        Ping("bus", instant(time), 21.17, 72.83, speed)
        for time, speed in zip(times, (1.0, 5.0, 0.0), strict=True)
    ]
    one = pairs_of(contributions_of(make_records(found), RESOLUTION, window())).hat(0)
    assert (one.counts.tolist(), one.sums.tolist(), one.maxima.tolist()) == ([2, 1], [6_000, 0], [5_000, 0])


def test_sums_of_pairs_leave_32_bits() -> None:
    start = instant("2022-01-01T10:00:00")
    found = [Ping("bus", start + step, 21.17, 72.83, 65.0) for step in range(40_000)]
    one = pairs_of(contributions_of(make_records(found), RESOLUTION, window())).hat(0)
    assert one.sums.tolist() == [65_000 * 40_000]


@given(contributions())
def test_pairs_show_sizes_only(table: Contributions) -> None:
    pairs = pairs_of(table)
    assert repr(pairs.hat(0)).startswith("<confidential HatPairs: ")
    assert repr(pairs).startswith("<confidential PairTable: ")
    assert "array" not in repr(pairs) + repr(pairs.hat(0))
