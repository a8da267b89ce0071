"""ui.session.draft_charge: what a draft costs, as it is read."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from types import SimpleNamespace
from typing import cast

import pytest

from core.privacy import Charge, Unit
from ui.session.draft_charge import shown_charge
from ui.session.session import Session

_MONDAY = dt.date(2022, 1, 3)
_PLANNED = cast(
    Session,
    SimpleNamespace(
        release=SimpleNamespace(was_published=False),
        forecast=None,
        ledger=SimpleNamespace(delta=Decimal(0)),
    ),
)


@pytest.mark.parametrize(
    ("vehicle", "day", "visit", "read"),
    [
        ("79.998", "79.99762", "79.99761", ("79.998", "79.998", "79.998")),
        ("79.99812", "79.99762", "30.38", ("80", "80", "30.38")),
        ("30", "76.355", "76.35488", ("30", "76.355", "76.355")),
    ],
)
def test_no_part_of_a_vehicle_reads_as_dearer_than_the_vehicle_unless_it_is(
    vehicle: str, day: str, visit: str, read: tuple[str, ...]
) -> None:
    """A day rounded up to 80 stood below 79.998 for all of them."""
    charge = Charge(
        per_vehicle=Decimal(vehicle),
        per_vehicle_day=Decimal(day),
        per_vehicle_hat_day=Decimal(visit),
        per_date={_MONDAY: Decimal(day)},
    )
    assert tuple(shown_charge(_PLANNED, charge, unit) for unit in Unit) == read
