"""A ledger with a year behind it, for pictures and for tests of the ledger place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from unittest.mock import patch

from core.accounting import ledger as ledgers
from core.accounting.ledger import Ledger
from tests.core.accounting.ledger_cases import charge_of, request_of

BUSES, TAXIS, TRAMS = "Buses of the year", "Taxis of the year", "Trams"


def month(number: int) -> list[dt.date]:
    """The days of a month of 2022."""
    first = dt.date(2022, number, 1)
    after = dt.date(2022 + number // 12, number % 12 + 1, 1)
    return [first + dt.timedelta(days=step) for step in range((after - first).days)]


@contextmanager
def at(day: dt.date) -> Iterator[None]:
    """What is written into a ledger is written on this day."""
    morning = dt.datetime.combine(day, dt.time(9), dt.UTC)
    with patch.object(ledgers, "_now", lambda: morning):
        yield


def pay(
    ledger: Ledger,
    population: str,
    dates: list[dt.date],
    per_day: str,
    *,
    rho: str = "",
    bundle: str = "",
    manifest_sha256: str = "0" * 64,
    drawn: bool = True,
    vehicles: str = "bus",
    days_later: int = 3,
) -> None:
    """One entry; published where a bundle is named. days_later: than the last of its dates it is paid."""
    with at(dates[-1] + dt.timedelta(days=days_later)):
        reservation = ledger.reserve(
            request_of(
                population=population,
                zone="Asia/Kolkata",
                charge=charge_of(
                    dict.fromkeys(dates, per_day), rho=dict.fromkeys(dates, rho) if rho else None
                ),
                fingerprint=f"{population} {dates[0]} {bundle}",
                vehicles=[f"{vehicles}{number}" for number in range(40)],
            )
        )
        if drawn:
            reservation.store_draws({})
        if bundle:
            reservation.mark_published(bundle, manifest_sha256)


def year_behind(home_ledger: Path, *, vehicles: str = "bus") -> Ledger:
    """Buses: five months, a week, one broken off; one withdrawn, one corrected. Taxis: nothing yet.

    vehicles: how the names of the buses begin.
    """
    ledger = Ledger.open(home_ledger)
    ledger.set_limit(BUSES, per_vehicle=Decimal(120), per_vehicle_day=Decimal("0.5"))
    for number in range(1, 6):
        pay(
            ledger, BUSES, month(number), "0.3", bundle=f"bus-speed-2022-{number:02}-1.0.0", vehicles=vehicles
        )
    pay(ledger, BUSES, month(5), "0.15", bundle="bus-speed-2022-05-1.1.0", vehicles=vehicles, days_later=8)
    pay(ledger, BUSES, month(6)[5:12], "0.25", bundle="marathon-week-1.0.0", vehicles=vehicles)
    pay(ledger, BUSES, month(6)[20:21], "0.2", drawn=False, vehicles=vehicles)
    day = dt.date(2022, 7, 4)
    for bundle, notice, by in (
        ("bus-speed-2022-02-1.0.0", "withdrawn", ""),
        ("bus-speed-2022-05-1.0.0", "corrected", "bus-speed-2022-05-1.1.0"),
    ):
        with at(day):
            ledger.note_notice(bundle=bundle, manifest_sha256="0" * 64, notice=notice, replaced_by=by, on=day)
    ledger.set_limit(TAXIS, per_vehicle=Decimal(50), delta=Decimal("1e-6"))
    ledger.set_limit(TRAMS, per_vehicle=Decimal(8))
    pay(ledger, TRAMS, month(3)[:10], "0.7", bundle="trams-1.0.0", vehicles="tram")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(6))
    return ledger
