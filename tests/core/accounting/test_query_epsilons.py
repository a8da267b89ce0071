"""Epsilons of Query 1 and 2: the report's own figures, literal sums, from a scale."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.compose import charge_of, from_micro_epsilon, to_micro_epsilon
from core.accounting.query_epsilons import (
    QueryEpsilons,
    add_query_epsilons,
    epsilon_of_scale,
    query_epsilons,
)
from core.contributions import Contributions
from core.errors import InputError
from core.privacy import Unit
from tests.records import assert_tells
from tests.strategies import contributions, one_record_each
from tests.units import EVERY_UNIT

ONE = Decimal(1)
STEPS = st.integers(0, 5_000_000)

# TR III.E prints the smallest N (314), K_day = 89, 31 days and the sum of the 89 largest 65 / N, 12.361.
# Its other N are not printed: these grow evenly from 314, as fast as that sum asks for.
REPORT_DAYS = 31
REPORT_K = 89
REPORT_PAIRS = [314 + round(rank * 4.012) for rank in range(REPORT_K)] + [700] * 11


def city(pairs: list[int], visits: list[int]) -> Contributions:
    """HATs with so many pairs on 31 days; bus 0 visits `visits` on the first day, others one HAT each."""
    rows = [(hat, 0, 0) for hat in visits]
    for hat, size in enumerate(pairs):
        others = size - (hat in visits)
        rows += [(hat, 1 + 40 * hat + place // REPORT_DAYS, place % REPORT_DAYS) for place in range(others)]
    return one_record_each(rows, range(len(pairs)), days=REPORT_DAYS)


def report_steps(sensitivities: list[Fraction]) -> np.ndarray:
    return np.array([to_micro_epsilon(epsilon_of_scale(one, ONE)) for one in sensitivities])


def rounded(epsilon: Decimal) -> str:
    return str(epsilon.quantize(Decimal("0.001")))


def test_the_figures_of_the_report() -> None:
    """TR III.E and III.F, B = 1: 12.361 + 2.871 = 15.232 per day; the worst HAT of Query 1 has 65 / 314."""
    table = city(REPORT_PAIRS, list(range(REPORT_K)))
    first = query_epsilons(
        table, report_steps([Fraction(65, pairs) for pairs in REPORT_PAIRS]), Unit.VEHICLE_DAY
    )
    second = query_epsilons(
        table, report_steps([Fraction(1, REPORT_DAYS)] * len(REPORT_PAIRS)), Unit.VEHICLE_DAY
    )
    both = add_query_epsilons([first, second])
    assert [one.hats_per_day for one in (first, second, both)] == [89, 89, 89]
    assert [rounded(one.per_day_bound) for one in (first, second, both)] == ["12.361", "2.871", "15.232"]
    assert rounded(first.per_hat_day) == "0.207"
    assert [one.per_day for one in (first, second)] == [first.per_day_bound, second.per_day_bound]


def test_the_hats_really_visited_are_tighter_than_the_largest() -> None:
    """A bus in the 89 HATs with the most traffic: the bound is that of the 89 with the least."""
    visits = list(range(len(REPORT_PAIRS) - REPORT_K, len(REPORT_PAIRS)))
    table = city(REPORT_PAIRS, visits)
    steps = report_steps([Fraction(65, pairs) for pairs in REPORT_PAIRS])
    found = query_epsilons(table, steps, Unit.VEHICLE_DAY)
    assert rounded(found.per_day_bound) == "12.361"
    assert float(found.per_day) == pytest.approx(sum(65 / REPORT_PAIRS[hat] for hat in visits), abs=1e-4)
    assert found.per_day < found.per_day_bound - 1


def literal(table: Contributions, steps: list[int], unit: Unit) -> dict[str, Fraction | int]:
    """The definitions in loops, with exact fractions: each pair's part of its HAT's epsilon."""
    rows = list(zip(*(column.tolist() for column in (table.hat, table.vehicle, table.day)), strict=True))
    days: dict[tuple[int, int], int] = defaultdict(int)
    for hat, vehicle, _ in rows:
        days[hat, vehicle] += 1
    most = [
        max(many for (hat, _), many in days.items() if hat == place) if unit is Unit.VEHICLE else 1
        for place in range(table.hats)
    ]
    part = [Fraction(one, many) for one, many in zip(steps, most, strict=True)]
    of_day: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    hats: dict[tuple[int, int], int] = defaultdict(int)
    of_vehicle: dict[int, Fraction] = defaultdict(Fraction)
    for hat, vehicle, day in rows:
        of_day[vehicle, day] += part[hat]
        of_vehicle[vehicle] += part[hat]
        hats[vehicle, day] += steps[hat] > 0
    most_hats = max(hats.values())
    return {
        "per_hat_day": max(part),
        "hats_per_day": most_hats,
        "per_day_bound": sum(sorted(part, reverse=True)[:most_hats], Fraction(0)),
        "per_day": max(of_day.values()),
        "per_vehicle": max(of_vehicle.values()),
    }


@given(table=contributions(), unit=st.sampled_from(list(Unit)), data=st.data())
def test_they_are_literal_sums_rounded_up(table: Contributions, unit: Unit, data: st.DataObject) -> None:
    steps = data.draw(st.lists(STEPS, min_size=table.hats, max_size=table.hats))
    found, wanted = query_epsilons(table, np.array(steps), unit), literal(table, steps, unit)
    assert found.hats_per_day == wanted.pop("hats_per_day")
    for name, exact in wanted.items():
        listed = to_micro_epsilon(getattr(found, name))
        if unit is Unit.VEHICLE:
            assert exact <= listed < exact + table.hats
        else:
            assert listed == exact


@given(table=contributions(), unit=st.sampled_from(list(Unit)), data=st.data())
def test_no_figure_is_above_what_the_ledger_charges(
    table: Contributions, unit: Unit, data: st.DataObject
) -> None:
    steps = np.array(data.draw(st.lists(STEPS, min_size=table.hats, max_size=table.hats)))
    found, charge = query_epsilons(table, steps, unit), charge_of(table, steps, unit)
    assert found.per_hat_day <= charge.per_vehicle_hat_day
    assert found.per_day <= charge.per_vehicle_day
    assert found.per_vehicle <= charge.per_vehicle
    assert found.per_hat_day <= found.per_day <= found.per_day_bound
    assert found.per_day <= found.per_vehicle


@EVERY_UNIT
def test_a_vehicle_alone_on_two_days(unit: Unit) -> None:
    """Epsilon 1 covers both days of the vehicle together, or each of them."""
    table = city([2], [])
    found = query_epsilons(table, np.array([1_000_000]), unit)
    half = Decimal("0.5") if unit is Unit.VEHICLE else ONE
    assert found == QueryEpsilons(
        per_hat_day=half, hats_per_day=1, per_day_bound=half, per_day=half, per_vehicle=2 * half
    )


def test_nothing_published_costs_nothing() -> None:
    found = query_epsilons(city([3, 2], [0]), np.zeros(2, np.int64), Unit.VEHICLE)
    nothing = Decimal(0)
    assert found == QueryEpsilons(
        per_hat_day=nothing, hats_per_day=0, per_day_bound=nothing, per_day=nothing, per_vehicle=nothing
    )
    assert add_query_epsilons([]) == found


@pytest.mark.parametrize(
    ("sensitivity", "scale", "parts", "epsilon"),
    [
        (Fraction(65, 314), "1", 1, "0.207006"),
        (Fraction(65, 314), "0.5", 1, "0.414012"),
        (Fraction(1, 31), "1", 1, "0.032258"),
        (Fraction(1, 31), "1", 3, "0.096774"),
        (Fraction(1, 2), "2", 1, "0.249999"),
        (Fraction(1, 2), "2", 2, "0.499998"),
        (Fraction(1, 999_999), "1", 1, "0.000001"),
    ],
)
def test_an_epsilon_from_a_scale(sensitivity: Fraction, scale: str, parts: int, epsilon: str) -> None:
    assert epsilon_of_scale(sensitivity, Decimal(scale), parts) == Decimal(epsilon)


@given(
    sensitivity=st.fractions(min_value=Fraction(1, 100), max_value=65),
    scale=st.integers(1, 10_000).map(lambda value: Decimal(value) / 1_000),
    parts=st.integers(1, 5),
)
def test_the_noise_is_at_least_the_scale_and_by_less_than_a_step(
    sensitivity: Fraction, scale: Decimal, parts: int
) -> None:
    epsilon = epsilon_of_scale(sensitivity, scale, parts)
    assert to_micro_epsilon(epsilon) % parts == 0
    assert sensitivity / (Fraction(epsilon) / parts) >= Fraction(scale)
    next_one = Fraction(epsilon) / parts + Fraction(1, 1_000_000)
    assert sensitivity / next_one < Fraction(scale) / (1 - Fraction(1, 10**12))


@pytest.mark.parametrize(
    ("scale", "match"),
    [
        ("0", "above zero"),
        ("-1", "above zero"),
        ("NaN", "above zero"),
        ("Infinity", "above zero"),
        ("1000001", "below 0.000001"),
        ("0.0000001", "above 1000000"),
    ],
)
def test_a_scale_that_leads_nowhere_is_refused(scale: str, match: str) -> None:
    with pytest.raises(InputError, match=match) as caught:
        epsilon_of_scale(Fraction(1), Decimal(scale))
    assert_tells(caught.value)
    assert caught.value.where == "query.noise_scale"


def test_a_part_of_a_step_counts_as_a_step_but_a_whole_stay_as_what_it_costs() -> None:
    """Ten steps for three days: four a day, rounded up, and still ten together."""
    found = query_epsilons(city([3], []), np.array([10]), Unit.VEHICLE)
    assert (found.per_hat_day, found.per_day, found.per_day_bound) == (from_micro_epsilon(4),) * 3
    assert found.per_vehicle == from_micro_epsilon(10)
