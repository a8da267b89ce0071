"""How events add up: entries add per vehicle, per date only those that cover the date."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_events import Evaluated, Event, Linked, Published, Spent
from core.accounting.ledger_fold import fold
from core.accounting.ledger_state import (
    EntryState,
    LossSums,
    costliest,
    cumulative_charge,
    delta_of,
    limits,
)
from core.accounting.privacy_loss import NO_LOSS, PrivacyLoss
from core.errors import LedgerError
from core.privacy import Charge, Relation, Unit
from tests.core.accounting.ledger_cases import BUSES, DAY, NEXT, ZONE, charge_of, reserved_of, start_of

NO_DELTA = Decimal(0)
MILLIONTH = Decimal("1e-6")
amounts = st.decimals(min_value=0, max_value=1000, places=6)
dates = st.integers(0, 5).map(lambda day: DAY + dt.timedelta(days=day))
charges = st.dictionaries(dates, amounts, min_size=1).map(charge_of)


def test_nothing_folds_to_an_empty_ledger() -> None:
    state = fold([])
    assert state.populations == {}
    assert len(state.entries) == 0


@given(st.lists(charges, max_size=8))
def test_spent_is_the_sum_of_charges(listed: list[Charge]) -> None:
    state = fold(
        [
            *start_of(BUSES),
            *(reserved_of(number, charge) for number, charge in enumerate(listed, start=1)),
        ]
    )
    spending = state.spending_of(BUSES, ZONE)
    assert spending.per_vehicle.pure == sum((charge.per_vehicle for charge in listed), Decimal(0))
    for date, spent in spending.by_date.items():
        assert spent.pure == sum((charge.per_date.get(date, Decimal(0)) for charge in listed), Decimal(0))


@given(st.lists(charges, max_size=6), charges)
def test_cumulative_takes_the_costliest_date_of_the_request(listed: list[Charge], asked: Charge) -> None:
    state = fold([*start_of(BUSES), *(reserved_of(i, charge) for i, charge in enumerate(listed, start=1))])
    totals = cumulative_charge(state.spending_of(BUSES, ZONE), asked, tuple(asked.per_date), NO_DELTA)
    everything = [*listed, asked]
    assert totals[Unit.VEHICLE].pure == sum(charge.per_vehicle for charge in everything)
    assert totals[Unit.VEHICLE_DAY].pure == max(
        sum(charge.per_date.get(date, Decimal(0)) for charge in everything) for date in asked.per_date
    )
    assert totals[Unit.VEHICLE_HAT_DAY].pure == max(
        sum(charge.per_vehicle_hat_day for charge in everything if date in charge.per_date)
        for date in asked.per_date
    )


def test_days_without_a_charge_still_cost_per_hat_and_day() -> None:
    asked = charge_of({DAY: "1"})
    assert cumulative_charge(LossSums(), asked, (DAY, NEXT), NO_DELTA)[Unit.VEHICLE_HAT_DAY].pure == 1


def test_maxima_of_several_queries_may_exceed_every_date() -> None:
    asked = Charge(
        per_vehicle_hat_day=Decimal(1),
        per_vehicle_day=Decimal(3),
        per_vehicle=Decimal(4),
        per_date={DAY: Decimal(2), NEXT: Decimal(2)},
    )
    assert cumulative_charge(LossSums(), asked, (DAY, NEXT), NO_DELTA)[Unit.VEHICLE_DAY].pure == 3


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
            Linked(populations=("a", "b")),
            reserved_of(3, charge, population="b", charged=("b", "a"), relation=Relation.USER),
            start_of("a", per_vehicle="7", per_vehicle_day="2")[2],
        ]
    )
    first, second = state.populations["a"], state.populations["b"]
    assert first.vehicles.id == {"1", "2", "3"}
    assert (first.relation, second.relation) == (Relation.VALUES, Relation.USER)
    assert (state.relation_of("a"), state.relation_of("b")) == (Relation.VALUES, Relation.USER)
    assert (first.linked, second.linked) == (("b",), ("a",))
    assert limits([first])[Unit.VEHICLE_DAY] == 2
    assert limits([first])[Unit.VEHICLE] == 7
    assert limits(state.group("a"))[Unit.VEHICLE] == 1


def test_a_link_counts_every_entry_of_all_that_it_leads_to() -> None:
    charge = charge_of({DAY: "1"})
    entries: list[Event] = [
        reserved_of(number, charge, population=name) for number, name in enumerate("abcd", start=1)
    ]
    links = [Linked(populations=("a", "b")), Linked(populations=("c", "b"))]
    state = fold([*start_of("a", "b", "c", "d"), *entries, *links])
    assert [member.name for member in state.group("c")] == ["c", "a", "b"]
    assert state.populations["a"].linked == ("b", "c")
    for name, spent in (("a", 3), ("b", 3), ("c", 3), ("d", 1)):
        assert state.spent_per_vehicle(name) == PrivacyLoss(Decimal(spent))


def test_what_is_fixed_holds_for_those_that_are_linked() -> None:
    events = [*start_of("a", "b", "c"), reserved_of(1, charge_of({DAY: "1"}), population="a")]
    state = fold([*events, Linked(populations=("a", "b"))])
    assert (state.populations["b"].zone, state.zone_of("b")) == ("", ZONE)
    assert (state.relation_of("b"), state.relation_of("c")) == (Relation.VALUES, None)
    assert state.zone_of("c") == ""


KOLKATA = "Asia/Kolkata"


def _old(*zones: str | None) -> list[Event]:
    """An older ledger: entries of one day each, the draws of which tell the zone; None: without draws."""
    events = start_of(BUSES)
    for number, zone in enumerate(zones, start=1):
        date = DAY + dt.timedelta(days=10 * number)
        events.append(reserved_of(number, charge_of({date: "1"}), zone=""))
        if zone is not None:
            draws = json.dumps({"hours": ["09:00"], "zone": zone, "queries": [{"query_id": "zone"}]})
            events.append(Spent(entry=number, draws=draws))
    return events


@pytest.mark.parametrize(
    ("zones", "zone", "uncertain"),
    [
        ((), "", []),
        ((KOLKATA, KOLKATA), KOLKATA, []),
        ((None,), "", [1]),
        ((KOLKATA, None), KOLKATA, [2]),
        ((ZONE, KOLKATA), KOLKATA, [1]),
        ((KOLKATA, ZONE, KOLKATA), KOLKATA, [1, 2]),
    ],
)
def test_an_older_population_has_the_zone_of_its_stored_draws(
    zones: tuple[str | None, ...], zone: str, uncertain: list[int]
) -> None:
    state = fold(_old(*zones))
    assert state.populations[BUSES].zone == zone
    assert [entry.number for entry in state.entries if entry.uncertain] == uncertain
    asked_in = zone or ZONE
    spent = state.spending_of(BUSES, asked_in).by_date
    for number in range(1, len(zones) + 1):
        date = DAY + dt.timedelta(days=10 * number)
        reach = 1 if number in uncertain else 0
        for away in (-2, -1, 0, 1, 2):
            expected = 1 if abs(away) <= reach else 0
            assert spent.get(date + dt.timedelta(days=away), NO_LOSS).pure == expected


def test_dates_that_are_not_surely_a_zones_own_count_on_their_neighbours_for_every_unit() -> None:
    spent = fold(_old(ZONE, KOLKATA)).spending_of(BUSES, KOLKATA)
    date = DAY + dt.timedelta(days=11)
    totals = cumulative_charge(spent, charge_of({date: "1"}), (date,), NO_DELTA)
    expected = {Unit.VEHICLE: 3, Unit.VEHICLE_DAY: 2, Unit.VEHICLE_HAT_DAY: 2}
    assert totals == {unit: PrivacyLoss(Decimal(amount)) for unit, amount in expected.items()}


def test_days_of_another_zone_overlap_two() -> None:
    (entry,) = fold([*start_of(BUSES), reserved_of(1, charge_of({DAY: "1"}))]).entries
    assert entry.days_of(DAY, ZONE) == (DAY,)
    assert entry.days_of(NEXT, KOLKATA) == (DAY, NEXT, NEXT + dt.timedelta(days=1))


def test_an_evaluated_population_needs_no_limit() -> None:
    state = fold([*start_of("a"), start_of("b")[1], Evaluated(population="b", on=DAY)])
    assert state.populations["b"].policy is None
    assert limits(state.group("b")) == dict.fromkeys(Unit)


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
        [*start_of(BUSES), Linked(populations=(BUSES, "unknown"))],
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
        [
            *start_of(BUSES),
            reserved_of(1, charge_of({DAY: "1"})),
            reserved_of(2, charge_of({DAY: "1"}), zone="Asia/Kolkata"),
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


def test_rho_adds_exactly_per_vehicle_and_per_date_beside_epsilon() -> None:
    listed = [
        charge_of({DAY: "1", NEXT: "0.5"}, rho={DAY: "0.1"}),
        charge_of({DAY: "0"}, rho={DAY: "0.2", NEXT: "0.000000000001"}),
    ]
    events = [*start_of(BUSES), *(reserved_of(i, charge) for i, charge in enumerate(listed, start=1))]
    spent = fold(events).spending_of(BUSES, ZONE)
    assert spent.per_vehicle == PrivacyLoss(Decimal("1.5"), Decimal("0.300000000001"))
    assert spent.by_date == {
        DAY: PrivacyLoss(Decimal(1), Decimal("0.3")),
        NEXT: PrivacyLoss(Decimal("0.5"), Decimal("0.000000000001")),
    }


def test_the_costliest_date_is_told_by_what_both_parts_come_to() -> None:
    """1 of rho is about 8.3 of epsilon at a delta of a millionth, and 14.6 at one of 1e-30."""
    asked = charge_of({DAY: "9", NEXT: "0"}, rho={NEXT: "1"})
    assert cumulative_charge(LossSums(), asked, (DAY, NEXT), MILLIONTH) == {
        Unit.VEHICLE: PrivacyLoss(Decimal(9), Decimal(1)),
        Unit.VEHICLE_DAY: PrivacyLoss(Decimal(9), Decimal(1)),
        Unit.VEHICLE_HAT_DAY: PrivacyLoss(Decimal(9), Decimal(1)),
    }
    both = [PrivacyLoss(Decimal(9)), PrivacyLoss(rho=Decimal(1))]
    assert costliest(both, MILLIONTH) == both[0]
    assert costliest(both, Decimal("1e-30")) == costliest(both, NO_DELTA) == both[1]
    assert costliest([], MILLIONTH) == NO_LOSS


def test_the_delta_of_those_who_pay_together_is_the_smallest() -> None:
    link = Linked(populations=("a", "b"))
    state = fold([*start_of("a", delta="1e-6"), *start_of("b", delta="1e-9")[1:], link])
    assert delta_of(state.group("a")) == Decimal("1e-9")
    assert delta_of([state.populations["a"]]) == MILLIONTH
    none = fold([*start_of("a", delta="1e-6"), *start_of("b")[1:], link])
    assert delta_of(none.group("a")) == delta_of([]) == 0
