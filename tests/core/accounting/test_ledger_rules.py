"""When the ledger refuses, and what it then says."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_events import (
    Different,
    Event,
    Linked,
    ReservationRequest,
    Spent,
    write_parts,
)
from core.accounting.ledger_fold import fold
from core.accounting.ledger_rules import (
    check_limits,
    clean_name,
    decide_different,
    decide_known,
    decide_link,
    decide_reservation,
    require_state,
)
from core.accounting.ledger_state import EntryState, LedgerState
from core.accounting.privacy_loss import PrivacyLoss
from core.accounting.vehicle_marks import marks_of
from core.accounting.zcdp import epsilon_of
from core.errors import BudgetRefused, InputError, LedgerError
from core.privacy import Charge, Relation, Unit
from tests.core.accounting.ledger_cases import (
    BUSES,
    DAY,
    FLEET,
    NEXT,
    ZONE,
    charge_of,
    request_of,
    reserved_of,
    start_of,
)


def _grown(events: list[Event], *requests: ReservationRequest) -> list[Event]:
    for request in requests:
        events = [*events, decide_reservation(fold(events), request, today=DAY)]
    return events


def _ids(numbers: Iterable[int]) -> frozenset[str]:
    return frozenset(f"id-{number}" for number in numbers)


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\nb", "a\x00b", "a\ud800"])
def test_unusable_names_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        clean_name(name)


def test_names_are_stripped_and_have_one_unicode_form() -> None:
    assert clean_name("  City buses ") == "City buses"
    assert clean_name("Cite\u0301") == clean_name("Cit\u00e9")
    assert clean_name("x" * 80)


@pytest.mark.parametrize(
    ("vehicle", "day", "delta"),
    [
        ("NaN", None, "0"),
        ("-1", None, "0"),
        ("Infinity", None, "0"),
        ("1", "-1", "0"),
        ("1", None, "0.0011"),
    ],
)
def test_limits_are_finite_and_not_negative(vehicle: str, day: str | None, delta: str) -> None:
    with pytest.raises(InputError):
        check_limits(
            per_vehicle=Decimal(vehicle),
            per_vehicle_day=None if day is None else Decimal(day),
            delta=Decimal(delta),
        )


def test_without_a_limit_nothing_is_released() -> None:
    with pytest.raises(BudgetRefused) as refused:
        decide_known(LedgerState(), BUSES, Relation.VALUES, ZONE, per_vehicle=None, least=Decimal(1))
    assert 'main.py ledger set-limit "City buses" --per-vehicle X' in refused.value.mend
    with pytest.raises(BudgetRefused, match="no limit"):
        decide_reservation(LedgerState(), request_of(), today=DAY)


@pytest.mark.parametrize(
    ("name", "shown"), [('the "old" ones', "'the \"old\" ones'"), ("$HOME", "'$HOME'"), ("Zug 1", '"Zug 1"')]
)
def test_the_line_to_type_is_safe_in_a_shell(name: str, shown: str) -> None:
    with pytest.raises(BudgetRefused, match=re.escape(f"set-limit {shown} --per")):
        decide_known(LedgerState(), name, Relation.VALUES, ZONE, per_vehicle=None, least=Decimal(1))


def test_the_first_check_knows_the_charge_or_the_cost_of_one_hat() -> None:
    state = fold(_grown(start_of(BUSES), request_of("9.5")))
    decide_known(state, BUSES, Relation.VALUES, ZONE, per_vehicle=Decimal("0.5"), least=Decimal(5))
    decide_known(state, BUSES, Relation.VALUES, ZONE, per_vehicle=None, least=Decimal("0.5"))
    with pytest.raises(BudgetRefused, match=r"this release.*limit 10, spent 9\.5, asked 0\.500001"):
        decide_known(
            state, BUSES, Relation.VALUES, ZONE, per_vehicle=Decimal("0.500001"), least=Decimal("0.000001")
        )
    with pytest.raises(BudgetRefused, match=r"even one hexagon slot.*limit 10, spent 9\.5, asked 1\."):
        decide_known(state, BUSES, Relation.VALUES, ZONE, per_vehicle=None, least=Decimal(1))


def test_a_refusal_names_limit_spent_asked_and_the_way_out() -> None:
    events = _grown(start_of(BUSES, per_vehicle="1E+1", per_vehicle_day="8.0"), request_of("6"))
    with pytest.raises(BudgetRefused) as refused:
        decide_reservation(fold(events), request_of("4.5"), today=DAY)
    assert "limit 10, spent 6, asked 4.5." in refused.value.what
    assert 'main.py ledger set-limit "City buses" --per-vehicle 10 --per-vehicle-day 8' in refused.value.mend
    assert "lower epsilon or fewer hexagon slots" in refused.value.mend


def test_the_limit_itself_may_be_reached() -> None:
    events = _grown(start_of(BUSES), request_of("6"), request_of("4"))
    with pytest.raises(BudgetRefused):
        decide_reservation(fold(events), request_of("0.000001"), today=DAY)


def test_days_compose_by_maximum_and_dates_add() -> None:
    events = _grown(
        start_of(BUSES, per_vehicle="100", per_vehicle_day="3"),
        request_of(charge=charge_of({DAY: "2"})),
        request_of(charge=charge_of({NEXT: "3"})),
        request_of(charge=charge_of({DAY: "1"})),
    )
    with pytest.raises(BudgetRefused, match=r"per vehicle and day.*limit 3, spent 3, asked 0\.5\."):
        decide_reservation(fold(events), request_of(charge=charge_of({DAY: "0.5"})), today=DAY)


def test_several_queries_meet_the_day_limit_with_the_sum_of_their_maxima() -> None:
    charge = Charge(
        per_vehicle_hat_day=Decimal(1),
        per_vehicle_day=Decimal(3),
        per_vehicle=Decimal(4),
        per_date={DAY: Decimal(2), NEXT: Decimal(2)},
    )
    with pytest.raises(BudgetRefused, match="limit 2, spent 0, asked 3"):
        decide_reservation(fold(start_of(BUSES, per_vehicle_day="2")), request_of(charge=charge), today=DAY)


def test_the_relation_is_fixed_by_the_first_reservation() -> None:
    state = fold(_grown(start_of(BUSES), request_of()))
    other = dataclasses.replace(request_of(), relation=Relation.USER)
    with pytest.raises(BudgetRefused, match='relation "values"'):
        decide_reservation(state, other, today=DAY)
    with pytest.raises(BudgetRefused, match='relation "values"'):
        decide_known(state, BUSES, Relation.USER, ZONE, per_vehicle=Decimal(1), least=Decimal(1))


@given(shared=st.integers(0, 100), mine=st.integers(0, 100), others=st.integers(0, 100))
def test_more_than_five_percent_of_the_smaller_set_is_refused(shared: int, mine: int, others: int) -> None:
    common = _ids(range(shared))
    first = common | _ids(range(1000, 1000 + others))
    second = common | _ids(range(2000, 2000 + mine))
    state = fold(_grown(start_of("first", "second"), request_of(population="first", vehicles=first)))
    request = request_of(population="second", vehicles=second)
    if shared > 0.05 * min(len(first), len(second)):
        with pytest.raises(BudgetRefused, match='"first"') as refused:
            decide_reservation(state, request, today=DAY)
        assert 'main.py ledger link "second" "first"' in refused.value.mend
        assert "id-" not in str(refused.value)
    else:
        decide_reservation(state, request, today=DAY)


def test_overlap_counts_the_vehicles_of_all_earlier_entries() -> None:
    halves = [_ids(range(100)), _ids(range(100, 200))]
    events = _grown(start_of("a", "b"), *(request_of(population="a", vehicles=half) for half in halves))
    with pytest.raises(BudgetRefused, match="belong to"):
        decide_reservation(fold(events), request_of(population="b", vehicles=halves[0]), today=DAY)


def test_a_small_request_does_not_hide_among_earlier_vehicles() -> None:
    events = _grown(
        start_of("a", "b"),
        request_of(population="a", vehicles=_ids(range(100))),
        request_of(population="b", vehicles=_ids(range(1000, 2000))),
    )
    with pytest.raises(BudgetRefused, match="belong to"):
        decide_reservation(fold(events), request_of(population="b", vehicles=_ids(range(4))), today=DAY)


def test_many_requests_do_not_add_up_to_an_overlap() -> None:
    events = _grown(start_of("a", "b"), request_of("0.1", population="a", vehicles=_ids(range(20))))
    events = _grown(events, request_of("0.1", population="b", vehicles=_ids([0, *range(1000, 1999)])))
    with pytest.raises(BudgetRefused, match="belong to"):
        decide_reservation(
            fold(events), request_of("0.1", population="b", vehicles=_ids([1, *range(1000, 1999)])), today=DAY
        )


WRITINGS = {
    "with .0": "{}.0",
    "zeros in front": "000{}",
    "quoted": '"{}"',
    "as a formula": '="{}"',
    "with zero-width signs": "\u200b{}\ufeff",
    "in blanks": " {}\u00a0",
    "as it was": "{}",
}


@pytest.mark.parametrize("pattern", WRITINGS.values(), ids=WRITINGS.keys())
@pytest.mark.parametrize("first", [False, True])
def test_the_same_vehicles_are_found_however_they_are_written(pattern: str, first: bool) -> None:
    """Plain first, or in that writing first; all 200 of them, of which 6 % would do."""
    fleets = [[str(number) for number in range(1000, 1200)]]
    fleets.insert(first, [pattern.format(name) for name in fleets[0]])
    _refused(*fleets)


def test_thousands_marks_and_wide_digits_hide_no_vehicle() -> None:
    plain = [str(number) for number in range(1001, 1201)]  # 1.000 may be a 1 with decimals
    for mark in ",.\u202f' ":
        _refused(plain, [f"{int(name):,}".replace(",", mark) for name in plain])
    wide = {ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"}
    _refused(plain, [name.translate(wide) for name in plain])


def _refused(earlier: Iterable[str], later: Iterable[str]) -> None:
    events = _grown(start_of("a", "b"), request_of(population="a", vehicles=earlier))
    state, marks = fold(events), [fold(events).populations["a"].vehicles]
    with pytest.raises(BudgetRefused, match="belong to"):
        decide_reservation(state, request_of(population="b", vehicles=later), today=DAY)
    marks.append(marks_of(state.vehicle_key, frozenset(later), {}))
    assert max(len(one & two) for one, two in zip(marks[0].folds, marks[1].folds, strict=True)) == 200


def test_a_vehicle_that_an_older_ledger_knows_as_it_was_read_is_found() -> None:
    """Ids were trimmed and case-folded then; the records still say so, whatever the id is by now."""
    read = {f"bus {number}": (f"ｂｕｓ  {number}",) for number in range(100)}
    old = marks_of(b"v" * 32, [text for (text,) in read.values()], {}).as_read
    events = [*start_of("a", "b"), reserved_of(1, charge_of({DAY: "1"}), population="a", new_vehicles=old)]
    request = request_of(population="b", vehicles=read)
    decide_reservation(fold(events), request, today=DAY)  # nothing tells how they were read
    with pytest.raises(BudgetRefused, match="belong to"):
        decide_reservation(fold(events), dataclasses.replace(request, other_texts=read), today=DAY)


def test_populations_of_different_things_may_have_ids_that_look_alike() -> None:
    events = _grown(
        start_of("sensors", "buses", "trams"), request_of(population="sensors", vehicles=_ids(range(50)))
    )
    request = request_of(population="buses", vehicles=_ids(range(50)))
    with pytest.raises(BudgetRefused, match="belong to") as refused:
        decide_reservation(fold(events), request, today=DAY)
    assert 'main.py ledger different "buses" "sensors"' in refused.value.mend
    told = decide_different(fold(events), "buses", "sensors")
    assert told == Different(populations=("buses", "sensors"))
    state = fold([*events, told])
    assert decide_different(state, "sensors", "buses") is None
    assert (state.populations["buses"].different, state.populations["sensors"].different) == (
        ("sensors",),
        ("buses",),
    )
    reserved = decide_reservation(state, request, today=DAY)
    assert reserved.charged == ("buses",)
    with pytest.raises(BudgetRefused, match="belong to"):  # of a third population nobody said it
        decide_reservation(state, dataclasses.replace(request, population="trams"), today=DAY)


def test_what_is_linked_is_not_different_and_a_link_counts_for_more() -> None:
    events: list[Event] = [
        *start_of("a", "b"),
        Different(populations=("a", "b")),
        Linked(populations=("b", "a")),
    ]
    state = fold(events)
    assert (state.populations["a"].linked, state.populations["a"].different) == (("b",), ())
    with pytest.raises(BudgetRefused, match="are linked"):
        decide_different(state, "a", "b")
    with pytest.raises(BudgetRefused, match="no limit"):
        decide_different(state, "a", "unknown")


def test_linked_populations_both_pay_and_both_limits_hold() -> None:
    link = Linked(populations=("a", "b"))
    events = _grown(
        [*start_of("a", per_vehicle="5"), *start_of("b", per_vehicle="10")[1:], link],
        request_of("3", population="b"),
    )
    reserved = decide_reservation(fold(events), request_of("2", population="a"), today=DAY)
    assert reserved.charged == ("a", "b")
    assert reserved.cumulative[Unit.VEHICLE] == 5
    with pytest.raises(BudgetRefused, match=r'"a".*limit 5, spent 3, asked 4'):
        decide_reservation(fold(events), request_of("4", population="b"), today=DAY)
    with pytest.raises(BudgetRefused, match=r'"a".*limit 5, spent 3, asked 4'):
        decide_known(fold(events), "b", Relation.VALUES, ZONE, per_vehicle=Decimal(4), least=Decimal(1))


def test_entries_from_before_a_link_count_for_all_that_it_leads_to() -> None:
    events = _grown(
        start_of("a", "b", "c", per_vehicle="10"),
        request_of("3", population="a", vehicles=["a"]),
        request_of("3", population="b", vehicles=["b"]),
        request_of("3", population="c", vehicles=["c"]),
    )
    for pair in (("a", "b"), ("b", "c")):
        events.append(_linked(events, *pair))
    reserved = decide_reservation(fold(events), request_of("1", population="c"), today=DAY)
    assert reserved.charged == ("c", "a", "b")
    assert reserved.cumulative[Unit.VEHICLE] == 10
    for ask in (request_of("1.1", population="a"), request_of("1.1", population="c")):
        with pytest.raises(BudgetRefused, match=r"limit 10, spent 9, asked 1\.1"):
            decide_reservation(fold(events), ask, today=DAY)


def _linked(events: list[Event], first: str, second: str) -> Linked:
    link = decide_link(fold(events), first, second)
    assert link is not None
    return link


def test_the_smallest_limit_of_linked_populations_is_stored() -> None:
    events = [
        *start_of("a", per_vehicle="5"),
        *start_of("b", per_vehicle="10", per_vehicle_day="4")[1:],
        Linked(populations=("a", "b")),
    ]
    reserved = decide_reservation(fold(events), request_of("2", population="b"), today=DAY)
    assert reserved.limits == {Unit.VEHICLE: 5, Unit.VEHICLE_DAY: 4, Unit.VEHICLE_HAT_DAY: None}


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"per_vehicle": "5"}, r"over all time: limit 5, spent 6\."),
        ({"per_vehicle": "50", "per_vehicle_day": "4"}, r"costliest date: limit 4, spent 6\."),
    ],
)
def test_linked_populations_over_a_limit_release_nothing_until_it_is_raised(
    limits: dict[str, str], told: str
) -> None:
    events = _grown(
        start_of("a", "b", **limits),
        request_of("3", population="a", vehicles=["a"]),
        request_of("3", population="b", vehicles=["b"]),
    )
    events.append(_linked(events, "a", "b"))
    elsewhere = request_of(charge=charge_of({DAY + dt.timedelta(days=9): "0.000001"}), population="b")
    for ask in (
        lambda state: decide_reservation(state, elsewhere, today=DAY),
        lambda state: decide_known(
            state, "b", Relation.VALUES, ZONE, per_vehicle=None, least=Decimal("0.000001")
        ),
    ):
        with pytest.raises(BudgetRefused, match=told) as refused:
            ask(fold(events))
        assert "release nothing until it is raised" in refused.value.what
        assert 'main.py ledger set-limit "b" --per-vehicle' in refused.value.mend
    raised = [*events, *(start_of(name, per_vehicle="60", per_vehicle_day="7")[2] for name in "ab")]
    decide_reservation(fold(raised), elsewhere, today=DAY)


def test_a_lowered_limit_of_a_day_leaves_other_days_free() -> None:
    events = _grown(start_of(BUSES), request_of("3"))
    events.append(start_of(BUSES, per_vehicle_day="2")[2])
    decide_reservation(fold(events), request_of(charge=charge_of({NEXT: "2"})), today=DAY)


def test_the_zone_is_fixed_by_the_first_reservation() -> None:
    state = fold(_grown(start_of(BUSES), request_of()))
    with pytest.raises(BudgetRefused, match='in the zone "America/Chicago"') as refused:
        decide_reservation(state, request_of(zone="Asia/Kolkata"), today=DAY)
    assert refused.value.exit_code == 3
    assert "data.zone" in refused.value.where
    assert 'choose the zone "America/Chicago"' in refused.value.mend
    with pytest.raises(BudgetRefused, match='in the zone "America/Chicago"'):
        decide_known(state, BUSES, Relation.VALUES, "UTC", per_vehicle=None, least=Decimal(1))


def test_an_old_name_of_the_zone_fixes_the_same_days() -> None:
    """Entries have the name that was typed, before every zone was read under its main one."""
    typed = reserved_of(1, charge_of({DAY: "2"}), zone="US/Central")
    same = reserved_of(2, charge_of({NEXT: "2"}))
    state = fold([*start_of(BUSES, per_vehicle="100", per_vehicle_day="3"), typed, same])
    decide_reservation(state, request_of(charge=charge_of({DAY: "1"})), today=DAY)
    decide_reservation(state, request_of(charge=charge_of({NEXT: "1"})), today=DAY)
    for date in (DAY, NEXT):
        with pytest.raises(BudgetRefused, match="limit 3, spent 2, asked 2"):
            decide_reservation(state, request_of(charge=charge_of({date: "2"})), today=DAY)


def test_the_same_instants_under_another_zone_do_not_escape_the_limit_of_a_day() -> None:
    """An older ledger took them: half of a day's charge lay under each of two dates."""
    old = [
        *start_of(BUSES, per_vehicle="100", per_vehicle_day="3"),
        reserved_of(1, charge_of({DAY: "2"}), zone=""),
        Spent(entry=1, draws='{"zone": "Asia/Kolkata"}'),
        reserved_of(2, charge_of({DAY + dt.timedelta(days=9): "2"}), zone=""),
        Spent(entry=2, draws='{"zone": "America/Chicago"}'),
    ]
    state = fold(old)
    for date in (DAY - dt.timedelta(days=1), DAY, NEXT):
        with pytest.raises(BudgetRefused, match="limit 3, spent 2, asked 2"):
            decide_reservation(state, request_of(charge=charge_of({date: "2"})), today=DAY)
    decide_reservation(state, request_of(charge=charge_of({DAY + dt.timedelta(days=2): "2"})), today=DAY)
    decide_reservation(state, request_of(charge=charge_of({DAY + dt.timedelta(days=8): "2"})), today=DAY)


def test_what_is_fixed_binds_linked_populations_too() -> None:
    events = _grown(start_of("a", "b"), request_of(population="a"))
    events.append(_linked(events, "b", "a"))
    with pytest.raises(BudgetRefused, match='"b" counts its days in the zone "America/Chicago"'):
        decide_reservation(fold(events), request_of(population="b", zone="Asia/Kolkata"), today=DAY)
    with pytest.raises(BudgetRefused, match='"b" has the relation "values"'):
        decide_reservation(fold(events), request_of(population="b", relation=Relation.USER), today=DAY)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (request_of(population="b", vehicles=["b"], zone="Asia/Kolkata"), "different zones, America/Chicago"),
        (request_of(population="b", vehicles=["b"], relation=Relation.USER), "different relations, user and"),
    ],
)
def test_populations_of_different_relations_or_zones_are_not_linked(
    other: ReservationRequest, told: str
) -> None:
    events = _grown(start_of("a", "b", "c"), request_of(population="a", vehicles=["a"]), other)
    with pytest.raises(BudgetRefused, match=told) as refused:
        decide_link(fold(events), "a", "b")
    assert refused.value.mend
    events.append(_linked(events, "c", "b"))
    with pytest.raises(BudgetRefused, match=told):
        decide_link(fold(events), "c", "a")


def test_linked_populations_are_not_linked_again() -> None:
    events: list[Event] = [*start_of("a", "b", "c"), Linked(populations=("a", "b"))]
    assert decide_link(fold(events), "b", "a") is None
    events.append(_linked(events, "b", "c"))
    assert decide_link(fold(events), "a", "c") is None


def test_only_vehicles_not_seen_before_are_stored() -> None:
    events = _grown(start_of(BUSES), request_of(vehicles=_ids(range(10))))
    again = decide_reservation(fold(events), request_of(vehicles=_ids(range(5, 12))), today=DAY)
    assert len(again.new_vehicles) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", vehicle) for vehicle in again.new_vehicles.id)


def test_hashes_of_vehicles_depend_on_the_key_of_the_ledger() -> None:
    state = fold(start_of(BUSES))
    other = dataclasses.replace(state, vehicle_key=b"w" * 32)
    first, second = (decide_reservation(each, request_of(), today=DAY) for each in (state, other))
    assert len(first.new_vehicles) == len(second.new_vehicles) == len(FLEET)
    assert not first.new_vehicles.id & second.new_vehicles.id


def test_a_step_needs_its_state() -> None:
    entry = fold([*start_of(BUSES), reserved_of(1, charge_of({DAY: "1"}))]).entry(1)
    require_state(entry, EntryState.RESERVED)
    with pytest.raises(LedgerError, match='is "reserved"'):
        require_state(entry, EntryState.SPENT, EntryState.PUBLISHED)


MILLIONTH = Decimal("1e-6")


def _with_rho(rho: str, epsilon: str = "0", **others: Any) -> ReservationRequest:
    return request_of(charge=charge_of({DAY: epsilon}, rho={DAY: rho}), **others)


def test_a_population_without_a_delta_refuses_gaussian_noise_and_shows_the_line() -> None:
    state = fold(start_of(BUSES, per_vehicle="10", per_vehicle_day="4"))
    with pytest.raises(BudgetRefused, match="allows no Gaussian noise: its delta is 0") as refused:
        decide_reservation(state, _with_rho("1e-12"), today=DAY)
    line = 'main.py ledger set-limit "City buses" --per-vehicle 10 --per-vehicle-day 4 --delta 0.000001'
    assert line in refused.value.mend
    assert refused.value.exit_code == 3


def test_the_limit_is_met_by_epsilon_converted_at_the_delta() -> None:
    """method 13: 1.330353000902 of rho is the most that epsilon 10 allows at a delta of a millionth."""
    state = fold(start_of(BUSES, delta="1e-6"))
    reserved = decide_reservation(state, _with_rho("1.330353000902"), today=DAY)
    assert reserved.cumulative[Unit.VEHICLE] == 10
    assert reserved.cumulative_parts[Unit.VEHICLE] == PrivacyLoss(rho=Decimal("1.330353000902"))
    assert reserved.delta == MILLIONTH
    for more in (_with_rho("1.330353000903"), _with_rho("1.330353000902", "0.000001")):
        with pytest.raises(
            BudgetRefused, match=r"limit 10, spent 0, with this release 10\.000001 \(at delta"
        ):
            decide_reservation(state, more, today=DAY)


def test_epsilons_of_rho_are_not_added_but_converted_together() -> None:
    """Twice 0.5 of rho: 5.68 each, 8.35 together."""
    events = _grown(start_of(BUSES, delta="1e-6"), _with_rho("0.5"))
    reserved = decide_reservation(fold(events), _with_rho("0.5"), today=DAY)
    assert reserved.cumulative[Unit.VEHICLE] == epsilon_of(Decimal(0), Decimal(1), MILLIONTH)
    with pytest.raises(BudgetRefused, match=r"spent 8\.348235, with this release"):
        decide_reservation(fold([*events, reserved]), _with_rho("0.5"), today=DAY)


def test_pure_releases_add_to_what_rho_came_to() -> None:
    events = _grown(start_of(BUSES, delta="1e-6"), _with_rho("1"))
    reserved = decide_reservation(fold(events), request_of("1.651765"), today=DAY)
    assert reserved.cumulative[Unit.VEHICLE] == 10
    assert reserved.delta == MILLIONTH
    with pytest.raises(BudgetRefused, match=r"with this release 10\.000001"):
        decide_reservation(fold(events), request_of("1.651766"), today=DAY)
    with pytest.raises(BudgetRefused, match=r"even one hexagon slot.*with this release 10\.000001"):
        decide_known(fold(events), BUSES, Relation.VALUES, ZONE, per_vehicle=None, least=Decimal("1.651766"))


def test_rho_composes_over_dates_by_maximum_and_on_one_date_by_sum() -> None:
    events = _grown(
        start_of(BUSES, per_vehicle="100", per_vehicle_day="8.348235", delta="1e-6"),
        request_of(charge=charge_of({DAY: "0"}, rho={DAY: "0.75"})),
        request_of(charge=charge_of({NEXT: "0"}, rho={NEXT: "1"})),
        request_of(charge=charge_of({DAY: "0"}, rho={DAY: "0.25"})),
    )
    state = fold(events)
    with pytest.raises(BudgetRefused, match=r"vehicle and day.*limit 8\.348235, spent 8\.348235, with this"):
        decide_reservation(state, request_of(charge=charge_of({DAY: "0"}, rho={DAY: "1e-9"})), today=DAY)
    later = DAY + dt.timedelta(days=9)
    asked = request_of(charge=charge_of({later: "0"}, rho={later: "1"}))
    reserved = decide_reservation(state, asked, today=DAY)
    assert reserved.cumulative[Unit.VEHICLE_DAY] == reserved.cumulative[Unit.VEHICLE_HAT_DAY]
    assert reserved.cumulative[Unit.VEHICLE_DAY] == Decimal("8.348235")
    assert reserved.cumulative[Unit.VEHICLE] == epsilon_of(Decimal(0), Decimal(3), MILLIONTH)


def test_each_of_those_who_pay_together_is_judged_at_its_own_delta() -> None:
    link = Linked(populations=("a", "b"))
    events = [*start_of("a", delta="1e-6"), *start_of("b", delta="1e-9", per_vehicle="11")[1:], link]
    reserved = decide_reservation(fold(events), _with_rho("1", population="a"), today=DAY)
    assert reserved.delta == Decimal("1e-9")
    assert reserved.cumulative[Unit.VEHICLE] == epsilon_of(Decimal(0), Decimal(1), Decimal("1e-9"))
    with pytest.raises(
        BudgetRefused, match=r'"b".*limit 11, spent 0, with this release .*delta 0\.000000001'
    ):
        decide_reservation(fold(events), _with_rho("1.33", population="a"), today=DAY)
    none = [*start_of("a", delta="1e-6"), *start_of("b")[1:], link]
    with pytest.raises(BudgetRefused, match='"b" allows no Gaussian noise'):
        decide_reservation(fold(none), _with_rho("0.1", population="a"), today=DAY)


def test_linked_populations_over_a_limit_by_rho_release_nothing() -> None:
    events = _grown(
        start_of("a", "b", delta="1e-6"),
        _with_rho("1", population="a", vehicles=["a"]),
        _with_rho("1", population="b", vehicles=["b"]),
    )
    events.append(_linked(events, "a", "b"))
    with pytest.raises(BudgetRefused, match=r"limit 10, spent 12\.992705 \(at delta 0\.000001\)"):
        decide_reservation(fold(events), request_of("0.000001", population="b"), today=DAY)


def test_a_delta_that_was_taken_back_stops_every_release_until_one_is_set() -> None:
    events = [*_grown(start_of(BUSES, delta="1e-6"), _with_rho("0.1")), start_of(BUSES)[2]]
    for ask in (
        lambda state: decide_reservation(state, request_of("0.000001"), today=DAY),
        lambda state: decide_known(
            state, BUSES, Relation.VALUES, ZONE, per_vehicle=None, least=Decimal("0.000001")
        ),
    ):
        with pytest.raises(BudgetRefused, match="of earlier ones, has no bound"):
            ask(fold(events))
    again = fold([*events, start_of(BUSES, delta="1e-9")[2]])
    reserved = decide_reservation(again, request_of("1"), today=DAY)
    assert reserved.cumulative[Unit.VEHICLE] == epsilon_of(Decimal(1), Decimal("0.1"), Decimal("1e-9"))


@given(st.lists(st.tuples(st.integers(0, 3 * 10**6), st.integers(0, 3 * 10**11)), min_size=1, max_size=6))
def test_no_order_of_releases_passes_a_limit(asked: list[tuple[int, int]]) -> None:
    """Adaptive or not: what the ledger let through never comes to more than the limit."""
    events = start_of(BUSES, delta="1e-6")
    for micro, trillionths in asked:
        if not micro and not trillionths:
            continue
        amounts = Decimal(micro) / 10**6, Decimal(trillionths) / 10**12
        request = _with_rho(str(amounts[1]), str(amounts[0])) if trillionths else request_of(str(amounts[0]))
        spent = fold(events).spent_per_vehicle(BUSES) + PrivacyLoss(*amounts)
        if spent.epsilon_at(MILLIONTH) <= 10:
            events = _grown(events, request)
        else:
            with pytest.raises(BudgetRefused):
                decide_reservation(fold(events), request, today=DAY)
    assert fold(events).spent_per_vehicle(BUSES).epsilon_at(MILLIONTH) <= 10


def test_without_rho_an_entry_is_stored_as_ever() -> None:
    """Also where a delta is allowed: an older version reads it."""
    event = decide_reservation(fold(start_of(BUSES, delta="1e-6")), request_of("1"), today=DAY)
    body = json.loads(write_parts(event)[0])
    assert "delta" not in body
    assert "cumulative_parts" not in body
    assert "rho" not in body["charge"]
    assert body["allowances"] == [["mean_speed 20 8742d9d69ffffff", "1"]]
