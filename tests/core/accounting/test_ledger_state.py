"""How events add up: entries add per vehicle, per date only those that cover the date."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_events import Evaluated, Event, Linked, Published, Spent
from core.accounting.ledger_state import (
    EntryState,
    add,
    cumulative_charge,
    fold,
    limits,
    spent_per_date,
    spent_per_vehicle,
)
from core.errors import LedgerError
from core.privacy import Charge, Relation, Unit
from tests.core.accounting.ledger_cases import BUSES, DAY, NEXT, charge_of, reserved_of, start_of

amounts = st.decimals(min_value=0, max_value=1000, places=6)
dates = st.integers(0, 5).map(lambda day: DAY + dt.timedelta(days=day))
charges = st.dictionaries(dates, amounts, min_size=1).map(charge_of)


def test_nothing_folds_to_an_empty_ledger() -> None:
    state = fold([])
    assert state.populations == {}
    assert state.entries == ()


@given(st.lists(charges, max_size=8))
def test_spent_is_the_sum_of_charges(listed: list[Charge]) -> None:
    state = fold(
        [
            *start_of(BUSES),
            *(reserved_of(number, charge) for number, charge in enumerate(listed, start=1)),
        ]
    )
    entries = state.charged_to(BUSES)
    assert spent_per_vehicle(entries) == sum((charge.per_vehicle for charge in listed), Decimal(0))
    for date, spent in spent_per_date(entries).items():
        assert spent == sum((charge.per_date.get(date, Decimal(0)) for charge in listed), Decimal(0))


@given(st.lists(charges, max_size=6), charges)
def test_cumulative_takes_the_costliest_date_of_the_request(listed: list[Charge], asked: Charge) -> None:
    state = fold([*start_of(BUSES), *(reserved_of(i, charge) for i, charge in enumerate(listed, start=1))])
    totals = cumulative_charge(state.charged_to(BUSES), asked, tuple(asked.per_date))
    everything = [*listed, asked]
    assert totals[Unit.VEHICLE] == sum(charge.per_vehicle for charge in everything)
    assert totals[Unit.VEHICLE_DAY] == max(
        sum(charge.per_date.get(date, Decimal(0)) for charge in everything) for date in asked.per_date
    )
    assert totals[Unit.VEHICLE_HAT_DAY] == max(
        sum(charge.per_vehicle_hat_day for charge in everything if date in charge.per_date)
        for date in asked.per_date
    )


def test_days_without_a_charge_still_cost_per_hat_and_day() -> None:
    asked = charge_of({DAY: "1"})
    assert cumulative_charge([], asked, (DAY, NEXT))[Unit.VEHICLE_HAT_DAY] == 1


def test_maxima_of_several_queries_may_exceed_every_date() -> None:
    asked = Charge(
        per_vehicle_hat_day=Decimal(1),
        per_vehicle_day=Decimal(3),
        per_vehicle=Decimal(4),
        per_date={DAY: Decimal(2), NEXT: Decimal(2)},
    )
    assert cumulative_charge([], asked, (DAY, NEXT))[Unit.VEHICLE_DAY] == 3


def test_sums_are_never_rounded_down() -> None:
    assert add(Decimal("1e60"), Decimal("1e-60")) > Decimal("1e60")
    assert add(Decimal("0.1"), Decimal("0.2")) == Decimal("0.3")


def test_an_entry_moves_from_reserved_to_spent_to_published() -> None:
    events: list[Event] = [*start_of(BUSES), reserved_of(1, charge_of({DAY: "1"}))]
    states = [fold(events).entry(1).state]
    spent = Spent(entry=1, draws="{}")
    published = Published(entry=1, bundle="b", manifest_sha256="0")
    for event in (spent, published, published):
        events.append(event)
        states.append(fold(events).entry(1).state)
    assert states == [EntryState.RESERVED, EntryState.SPENT, EntryState.PUBLISHED, EntryState.PUBLISHED]
    assert len(fold(events).entry(1).bundles) == 2


def test_populations_collect_relation_links_vehicles_and_the_latest_policy() -> None:
    charge = charge_of({DAY: "1"})
    state = fold(
        [
            *start_of("a", "b", per_vehicle="1"),
            reserved_of(1, charge, population="a", new_vehicles=["1", "2"]),
            reserved_of(2, charge, population="a", new_vehicles=["3"]),
            Linked(first="a", second="b"),
            reserved_of(3, charge, population="b", charged=("b", "a"), relation=Relation.USER),
            start_of("a", per_vehicle="7", per_vehicle_day="2")[2],
        ]
    )
    first, second = state.populations["a"], state.populations["b"]
    assert first.vehicles == {"1", "2", "3"}
    assert (first.relation, second.relation) == (Relation.VALUES, Relation.USER)
    assert (first.linked, second.linked) == (("b",), ("a",))
    assert limits(first.policy)[Unit.VEHICLE_DAY] == 2
    assert spent_per_vehicle(state.charged_to("a")) == 3
    assert spent_per_vehicle(state.charged_to("b")) == 1


def test_the_first_evaluation_counts() -> None:
    marks = [Evaluated(population="a", on=DAY), Evaluated(population="a", on=NEXT)]
    state = fold([*start_of("a", "b"), *marks])
    assert (state.populations["a"].evaluated_on, state.populations["b"].evaluated_on) == (DAY, None)


def test_draws_are_known_by_the_spec_alone() -> None:
    events: list[Event] = [*start_of(BUSES), reserved_of(1, charge_of({DAY: "1"}))]
    assert not fold(events).has_draws(BUSES, "b" * 64)
    events.append(Spent(entry=1, draws="{}"))
    assert fold(events).has_draws(BUSES, "b" * 64)
    assert not fold(events).has_draws("another", "b" * 64)
    assert not fold(events).has_draws(BUSES, "c" * 64)


@pytest.mark.parametrize(
    "events",
    [
        [reserved_of(1, charge_of({DAY: "1"}))],
        [*start_of(BUSES), start_of(BUSES)[1]],
        [start_of(BUSES)[2]],
        start_of(BUSES)[:2],
        [*start_of(BUSES), Linked(first=BUSES, second="unknown")],
        [*start_of(BUSES), Evaluated(population="unknown", on=DAY)],
        [*start_of(BUSES), reserved_of(2, charge_of({DAY: "1"}))],
        [*start_of(BUSES), reserved_of(1, charge_of({DAY: "1"}), charged=("other",))],
        [*start_of(BUSES), Spent(entry=1, draws="{}")],
        [*start_of(BUSES), Published(entry=1, bundle="b", manifest_sha256="0")],
        [
            *start_of(BUSES),
            reserved_of(1, charge_of({DAY: "1"})),
            Published(entry=1, bundle="b", manifest_sha256="0"),
        ],
        [
            *start_of(BUSES),
            reserved_of(1, charge_of({DAY: "1"})),
            Spent(entry=1, draws="{}"),
            Spent(entry=1, draws="{}"),
        ],
        [
            *start_of(BUSES),
            reserved_of(1, charge_of({DAY: "1"})),
            reserved_of(2, charge_of({DAY: "1"}), relation=Relation.USER),
        ],
    ],
)
def test_events_that_contradict_each_other_are_refused(events: list[Event]) -> None:
    with pytest.raises(LedgerError, match="contradict"):
        fold(events)


@pytest.mark.parametrize("number", [0, -1, 2])
def test_an_unknown_entry_is_a_ledger_error(number: int) -> None:
    with pytest.raises(LedgerError, match="no entry"):
        fold([*start_of(BUSES), reserved_of(1, charge_of({DAY: "1"}))]).entry(number)
