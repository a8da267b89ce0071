"""How many records: cities that grow with them, and totals that are split without remainder."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.synthesize.fleet import make_fleet
from core.synthesize.service_hours import DAY_END, DAY_START, SHIFT_JITTER
from core.synthesize.volumes import (
    counts_of_day,
    default_days,
    default_vehicles,
    largest_count,
    ping_interval,
    split,
)


@pytest.mark.parametrize(
    ("records", "vehicles", "days"),
    [
        (10, 40, 7),
        (220_000, 275, 7),
        (1_000_000, 760, 7),
        (20_000_000, 760, 42),
        (180_000_000, 760, 375),
    ],
)
def test_a_city_grows_to_the_size_of_the_reference_and_then_in_days(
    records: int, vehicles: int, days: int
) -> None:
    assert (default_vehicles(records), default_days(records)) == (vehicles, days)


@pytest.mark.parametrize("records", [10, 10_000, 220_000, 5_000_000, 20_000_000, 1_000_000_000])
def test_a_city_of_default_size_has_room_for_its_records(records: int) -> None:
    vehicles, days = default_vehicles(records), default_days(records)
    assert vehicles * days * largest_count(ping_interval(records, vehicles, days)) > 2 * records


def test_twenty_million_records_come_about_every_ten_seconds() -> None:
    assert ping_interval(20_000_000, 760, 42) == pytest.approx(10, abs=3)


@given(interval=st.integers(1, 60))
def test_the_most_pings_fit_into_the_shortest_shift(interval: int) -> None:
    assert largest_count(interval) * interval <= DAY_END - DAY_START - 2 * SHIFT_JITTER


@given(
    share=st.lists(st.floats(0.001, 1000), min_size=1, max_size=40),
    largest=st.integers(1, 1000),
    part=st.floats(0, 1),
)
def test_a_split_gives_everything_and_nobody_too_much(share: list[float], largest: int, part: float) -> None:
    total = int(part * largest * len(share))
    counts = split(total, np.array(share), largest)
    assert counts.sum() == total
    assert counts.max() <= largest
    assert counts.min() >= 0


def test_a_split_follows_the_shares() -> None:
    assert split(100, np.array([1.0, 3.0, 6.0]), 1000).tolist() == [10, 30, 60]
    assert split(100, np.array([1.0, 3.0, 6.0]), 50).sum() == 100


def test_a_days_records_are_all_sent_by_buses_that_run() -> None:
    rng = np.random.default_rng(1)
    fleet = make_fleet(rng, 100)
    counts = counts_of_day(rng, fleet, 5000, 1000)
    assert counts.sum() == 5000
    assert 5 < (counts == 0).sum() < 50
