"""Events survive being written and read; requests that contradict themselves are our own bug."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from decimal import Decimal

import pytest

from core.accounting.ledger_events import (
    Different,
    Evaluated,
    Event,
    LedgerCreated,
    Linked,
    PolicySet,
    PopulationCreated,
    Published,
    Spent,
    read_event,
    write_parts,
)
from core.accounting.privacy_loss import PrivacyLoss
from core.accounting.vehicle_marks import VehicleMarks
from core.errors import InternalError, LedgerError
from core.privacy import Allowance, Charge, RhoCharge, Unit
from tests.core.accounting.ledger_cases import DAY, FLEET, NEXT, charge_of, request_of, reserved_of

EVENTS: list[Event] = [
    LedgerCreated(vehicle_key=bytes(range(32))),
    PopulationCreated(population="Bussé", tie_key=b"t" * 32, hmac_key=b"h" * 32),
    PolicySet(population="x", per_vehicle=Decimal("10.50"), per_vehicle_day=None, delta=Decimal("1e-6")),
    PolicySet(population="x", per_vehicle=Decimal(10), per_vehicle_day=Decimal(3), delta=Decimal(0)),
    Linked(populations=("x", "y")),
    Different(populations=("x", "y")),
    Evaluated(population="x", on=DAY),
    reserved_of(1, charge_of({DAY: "0.5", NEXT: "0.25"}), charged=("City buses", "y"), new_vehicles=["ab"]),
    Spent(entry=1, draws='{"b": 1, "a": [0.1, null]}'),
    Published(entry=1, bundle="city-1.0.0", manifest_sha256="0" * 64),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_an_event_reads_back_as_it_was_written(event: Event) -> None:
    body, private = write_parts(event)
    assert read_event(event.kind, body, private) == event


def test_a_reservation_of_an_older_ledger_says_nothing_of_an_evaluation_or_zone() -> None:
    event = reserved_of(1, charge_of({DAY: "1"}), zone="")
    body, private = write_parts(dataclasses.replace(event, evaluated=True, zone="Asia/Kolkata"))
    stored = json.loads(body)
    assert stored.pop("evaluated") is True
    assert stored.pop("zone") == "Asia/Kolkata"
    assert read_event(event.kind, json.dumps(stored), private) == event


def test_parts_are_canonical() -> None:
    body, private = write_parts(EVENTS[1])
    assert body == '{"population":"Buss\\u00e9"}'
    assert list(json.loads(private)) == ["hmac_key", "tie_key"]


def test_private_parts_are_not_in_the_body_or_the_text_of_an_event() -> None:
    for event in EVENTS:
        body, private = write_parts(event)
        for secret in json.loads(private).values():
            for text in [secret] if isinstance(secret, str) else secret:
                assert text not in body
                assert text not in repr(event)
    assert "bytes" not in repr(EVENTS[0])


@pytest.mark.parametrize(
    ("kind", "body", "private"),
    [
        ("unheard_of", "{}", "{}"),
        ("linked", "not json", "{}"),
        ("linked", '{"populations":["x"]}', "{}"),
        ("linked", "[]", "{}"),
        ("policy_set", '{"population":"x","per_vehicle":"ten","per_vehicle_day":null,"delta":"0"}', "{}"),
        ("ledger_created", '{"format":3}', '{"vehicle_key":"00"}'),
        ("spent", '{"entry":1}', "{}"),
        ("evaluated", '{"population":"x","on":"yesterday"}', "{}"),
    ],
)
def test_an_unreadable_event_is_a_ledger_error(kind: str, body: str, private: str) -> None:
    with pytest.raises(LedgerError, match="cannot read"):
        read_event(kind, body, private)


def test_a_request_shows_sizes_only_and_keeps_its_vehicles_once_iterated() -> None:
    request = dataclasses.replace(request_of(), vehicles=(name for name in sorted(FLEET)))  # type: ignore[arg-type]
    assert len(list(request.vehicles)) == len(list(request.vehicles)) == 40
    assert "vehicle-id" not in repr(request)
    assert "vehicles=40" in repr(request)


def _charge(hat: str, day: str, vehicle: str, per_date: dict[dt.date, str]) -> Charge:
    return Charge(
        per_vehicle_hat_day=Decimal(hat),
        per_vehicle_day=Decimal(day),
        per_vehicle=Decimal(vehicle),
        per_date={date: Decimal(amount) for date, amount in per_date.items()},
    )


@pytest.mark.parametrize(
    "charge",
    [
        _charge("-1", "1", "1", {DAY: "1"}),
        _charge("NaN", "1", "1", {DAY: "1"}),
        _charge("1", "1", "Infinity", {DAY: "1"}),
        _charge("2", "1", "1", {DAY: "1"}),
        _charge("1", "2", "1", {DAY: "1"}),
        _charge("1", "1", "1", {NEXT: "1"}),
        _charge("1", "1", "2", {DAY: "2"}),
        _charge("1", "1", "1", {}),
        _charge("1", "1", "1", {DAY: "0"}),
    ],
)
def test_a_charge_that_contradicts_itself_is_refused(charge: Charge) -> None:
    with pytest.raises(InternalError):
        request_of(charge=charge, dates=(DAY,))


@pytest.mark.parametrize(
    "rho",
    [
        _charge("-1", "1", "1", {DAY: "1"}),
        _charge("2", "1", "1", {DAY: "1"}),
        _charge("1", "1", "1", {NEXT: "1"}),
        _charge("1", "1", "1", {}),
        _charge("0", "0", "0", {DAY: "1"}),
    ],
)
def test_rho_that_contradicts_itself_is_refused_likewise(rho: Charge) -> None:
    part = RhoCharge(
        per_vehicle_hat_day=rho.per_vehicle_hat_day,
        per_vehicle_day=rho.per_vehicle_day,
        per_vehicle=rho.per_vehicle,
        per_date=rho.per_date,
    )
    with pytest.raises(InternalError):
        request_of(charge=dataclasses.replace(charge_of({DAY: "1"}), rho=part), dates=(DAY,))


def test_an_entry_with_rho_survives_being_written() -> None:
    charge = charge_of({DAY: "0"}, rho={DAY: "0.125", NEXT: "1e-12"})
    event = dataclasses.replace(
        reserved_of(1, charge),
        allowances=(Allowance(scope="tokens", epsilon=Decimal(0), rho=Decimal("0.125")),),
        cumulative_parts={unit: PrivacyLoss(Decimal("0.5"), charge.rho.of(unit)) for unit in Unit},
        delta=Decimal("1e-6"),
    )
    assert read_event(event.kind, *write_parts(event)) == event


def test_a_version_without_rho_cannot_read_it_and_so_cannot_understate_it() -> None:
    """It unpacks each allowance into two."""
    event = dataclasses.replace(
        reserved_of(1, charge_of({DAY: "0"}, rho={DAY: "0.125"})),
        allowances=(Allowance(scope="tokens", epsilon=Decimal(0), rho=Decimal("0.125")),),
    )
    body = json.loads(write_parts(event)[0])
    with pytest.raises(ValueError, match="unpack"):
        [scope for scope, _ in body["allowances"]]


def test_rho_that_nobody_is_charged_for_buys_no_noise() -> None:
    free = (Allowance(scope="tokens", epsilon=Decimal(0), rho=Decimal("0.125")),)
    with pytest.raises(InternalError, match="nobody is charged"):
        dataclasses.replace(request_of(), allowances=free)


def test_dates_are_needed_once_each() -> None:
    for dates in [(DAY, DAY), ()]:
        with pytest.raises(InternalError, match="dates"):
            dataclasses.replace(request_of(), dates=dates)


def test_an_event_nested_without_measure_is_one_that_cannot_be_read() -> None:
    with pytest.raises(LedgerError, match="cannot read"):
        read_event("population_created", "[" * 50_000, "{}")


def test_forms_of_vehicles_survive_being_written() -> None:
    marks = VehicleMarks(frozenset({"1"}), frozenset({"2"}), frozenset({"2"}))
    event = dataclasses.replace(reserved_of(1, charge_of({DAY: "1"})), new_vehicles=marks)
    assert read_event(event.kind, *write_parts(event)) == event
