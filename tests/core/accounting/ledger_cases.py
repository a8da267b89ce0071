"""Requests and events that the tests of the ledger share."""

from __future__ import annotations

import dataclasses
import datetime as dt
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.accounting.ledger_chain import advance_head, extend
from core.accounting.ledger_events import (
    Event,
    LedgerCreated,
    PolicySet,
    PopulationCreated,
    ReservationRequest,
    Reserved,
    Spent,
)
from core.accounting.ledger_file import add_rows, hash_of_draws
from core.accounting.ledger_reading import head_path
from core.accounting.ledger_state import Place
from core.accounting.vehicle_marks import VehicleMarks
from core.privacy import NO_RHO, Allowance, Charge, Relation, RhoCharge, Unit

DAY = dt.date(2016, 11, 24)
NEXT = dt.date(2016, 11, 25)
BUSES = "City buses"
ZONE = "America/Chicago"
FLEET = frozenset(f"vehicle-id-{number:03}" for number in range(40))


def charge_of(
    per_date: Mapping[dt.date, str | Decimal],
    *,
    hat: str | Decimal | None = None,
    rho: Mapping[dt.date, str] | None = None,
) -> Charge:
    """A charge whose vehicle pays the largest amount on every date, of epsilon and of rho."""
    charge = Charge(**_amounts(per_date), rho=RhoCharge(**_amounts(rho)) if rho else NO_RHO)
    return charge if hat is None else dataclasses.replace(charge, per_vehicle_hat_day=Decimal(hat))


def _amounts(per_date: Mapping[dt.date, str | Decimal]) -> dict[str, Any]:
    amounts = {date: Decimal(amount) for date, amount in per_date.items()}
    largest = max(amounts.values())
    return {
        "per_vehicle_hat_day": largest,
        "per_vehicle_day": largest,
        "per_vehicle": sum(amounts.values(), Decimal(0)),
        "per_date": amounts,
    }


def request_of(
    epsilon: str = "1",
    *,
    population: str = BUSES,
    relation: Relation = Relation.VALUES,
    zone: str = ZONE,
    charge: Charge | None = None,
    dates: tuple[dt.date, ...] | None = None,
    vehicles: Iterable[str] = FLEET,
    fingerprint: str = "f" * 64,
    spec_fingerprint: str = "",
    place_fingerprint: str = "",
) -> ReservationRequest:
    """A request of one day that costs `epsilon` per vehicle, unless a charge is given."""
    paid = charge or charge_of({DAY: epsilon})
    return ReservationRequest(
        population=population,
        relation=relation,
        unit=Unit.VEHICLE,
        dates=dates or tuple(paid.per_date),
        hours=("09:00", "21:00"),
        zone=zone,
        mechanisms=("array-averaging",),
        epsilons={"mean_speed": epsilon},
        constants={"resolution": "7"},
        code_version="0.1.0",
        charge=paid,
        allowances=(
            Allowance(
                scope="mean_speed 20 8742d9d69ffffff",
                epsilon=Decimal(epsilon),
                rho=paid.rho.per_vehicle_hat_day,
            ),
        ),
        fingerprint=fingerprint,
        spec_fingerprint=spec_fingerprint,
        place_fingerprint=place_fingerprint,
        vehicles=frozenset(vehicles),
    )


def reserved_of(
    entry: int,
    charge: Charge,
    *,
    population: str = BUSES,
    charged: tuple[str, ...] | None = None,
    relation: Relation = Relation.VALUES,
    zone: str = ZONE,
    new_vehicles: Iterable[str] = (),
) -> Reserved:
    """The event of an entry that covers the dates of its charge; without a zone: one of an older ledger."""
    return Reserved(
        entry=entry,
        population=population,
        charged=charged or (population,),
        relation=relation,
        unit=Unit.VEHICLE,
        dates=tuple(charge.per_date),
        hours=("09:00", "21:00"),
        mechanisms=("baseline", "levy"),
        epsilons={"mean_speed": "0.50"},
        constants={"resolution": "7"},
        code_version="0.1.0",
        charge=charge,
        allowances=(Allowance(scope="mean_speed 20 8742d9d69ffffff", epsilon=Decimal("0.50")),),
        reserved_on=DAY,
        cumulative={unit: charge.of(unit) for unit in Unit},
        limits={Unit.VEHICLE: Decimal(10), Unit.VEHICLE_DAY: None, Unit.VEHICLE_HAT_DAY: None},
        zone=zone,
        fingerprint="a" * 64,
        spec_fingerprint="b" * 64,
        new_vehicles=VehicleMarks(*[frozenset(new_vehicles)] * 4),
    )


def start_of(
    *names: str, per_vehicle: str = "10", per_vehicle_day: str | None = None, delta: str = "0"
) -> list[Event]:
    """The events that create a ledger with populations."""
    events: list[Event] = [LedgerCreated(vehicle_key=b"v" * 32)]
    for name in names:
        events.append(PopulationCreated(population=name, tie_key=b"t" * 32, hmac_key=b"h" * 32))
        events.append(
            PolicySet(
                population=name,
                per_vehicle=Decimal(per_vehicle),
                per_vehicle_day=None if per_vehicle_day is None else Decimal(per_vehicle_day),
                delta=Decimal(delta),
            )
        )
    return events


def write_old(path: Path, events: Iterable[Event]) -> None:
    """A ledger of format 1, with its head: one table, and the draws in their events."""
    guard = (
        "CREATE TRIGGER events_are_not_{} BEFORE {} ON events BEGIN SELECT RAISE(ABORT, 'append only'); END"
    )
    last = Place()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute(
            "CREATE TABLE events (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL,"
            " body TEXT NOT NULL, private TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT"
        )
        connection.execute(guard.format("edited", "UPDATE"))
        connection.execute(guard.format("removed", "DELETE"))
        connection.execute("PRAGMA application_id = 0x48584C47")
        for event in events:
            (row,) = extend(last, [event], at="2026-01-01T00:00:00+00:00")
            add_rows(connection, [row])
            last = row.place
        connection.execute("COMMIT")
    advance_head(head_path(path), row)


def drawn(entry: int, draws: str, *, old: bool) -> Spent:
    """The event of an entry whose draws lie in it (format 1) or beside it."""
    return Spent(entry=entry, draws=draws) if old else Spent(entry=entry, draws_sha256=hash_of_draws(draws))
