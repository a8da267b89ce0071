"""ui.session.draft_charge: what a draft costs, as it is read."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.privacy_loss import UNBOUNDED
from core.privacy import Charge, RhoCharge, Unit
from tests.ui.small_city import edit, planned_session
from ui.session.draft_charge import asked_before_reading, charged_epsilon, least_limit, shown_charge
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


def test_a_limit_for_twelve_is_enough_for_what_the_ledger_asks_before_the_last_one(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """It asks for the whole total before it reads, of which plans leave something."""
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(total=Decimal("7.0000005")))
    assert session.forecast is not None
    charge, asked = session.forecast.charge, asked_before_reading(session)
    assert charge is not None
    assert asked is not None
    charged = charged_epsilon(session, charge, Unit.VEHICLE)
    assert charged < asked
    spent = sum([charged] * 11)
    assert least_limit(session, charge, 12) >= spent + asked
    assert least_limit(session, charge, 1) == asked


def test_what_has_no_bound_needs_a_limit_without_one(qtbot: QtBot, tmp_path: Path) -> None:
    """Gaussian noise that no delta allows ended in a fault of the window."""
    session = planned_session(qtbot, tmp_path)
    none, one = (
        {
            "per_vehicle": amount,
            "per_vehicle_day": amount,
            "per_vehicle_hat_day": amount,
            "per_date": {_MONDAY: amount},
        }
        for amount in (Decimal(0), Decimal(1))
    )
    charge = Charge(**none, rho=RhoCharge(**one))
    assert least_limit(session, charge, 12) == least_limit(session, charge) == UNBOUNDED
