"""Pure epsilon and rho add side by side and are compared at a delta."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.privacy_loss import (
    UNBOUNDED,
    LossPair,
    PrivacyLoss,
    add,
    loss_of,
    losses_by_date,
    sum_of,
)
from core.accounting.zcdp import epsilon_of
from core.codec import from_json, to_json
from core.privacy import Unit
from tests.core.accounting.ledger_cases import DAY, NEXT, charge_of

MILLIONTH = Decimal("1e-6")
CHARGE = charge_of({DAY: "1.5"}, rho={DAY: "0.25", NEXT: "0.125"})
losses = st.builds(
    PrivacyLoss,
    st.decimals(min_value=0, max_value=1000, places=6),
    st.decimals(min_value=0, max_value=1000, places=12),
)


def test_sums_are_never_rounded_down() -> None:
    assert add(Decimal("1e60"), Decimal("1e-60")) > Decimal("1e60")
    assert add(Decimal("0.1"), Decimal("0.2")) == Decimal("0.3")
    assert add() == 0


@given(st.lists(losses, max_size=6))
def test_both_parts_add_exactly(listed: list[PrivacyLoss]) -> None:
    found = sum_of(listed)
    assert found.pure == sum((loss.pure for loss in listed), Decimal(0))
    assert found.rho == sum((loss.rho for loss in listed), Decimal(0))


@given(losses)
def test_it_comes_to_what_the_conversion_says(loss: PrivacyLoss) -> None:
    assert loss.epsilon_at(MILLIONTH) == epsilon_of(loss.pure, loss.rho, MILLIONTH)


def test_rho_without_a_delta_has_no_bound() -> None:
    nothing = Decimal(0)
    assert PrivacyLoss(Decimal(2)).epsilon_at(nothing) == 2
    assert PrivacyLoss(Decimal(2), MILLIONTH).epsilon_at(nothing) == UNBOUNDED > Decimal("1e50")


@pytest.mark.parametrize(
    ("unit", "pure", "rho"),
    [
        (Unit.VEHICLE, "1.5", "0.375"),
        (Unit.VEHICLE_DAY, "1.5", "0.25"),
        (Unit.VEHICLE_HAT_DAY, "1.5", "0.25"),
    ],
)
def test_a_charge_by_unit_in_both_parts(unit: Unit, pure: str, rho: str) -> None:
    assert loss_of(CHARGE, unit) == PrivacyLoss(Decimal(pure), Decimal(rho))


def test_a_charge_by_date_in_both_parts() -> None:
    assert losses_by_date(CHARGE) == {
        DAY: PrivacyLoss(Decimal("1.5"), Decimal("0.25")),
        NEXT: PrivacyLoss(rho=Decimal("0.125")),
    }


@dataclass(frozen=True)
class Parts:
    parts: Mapping[Unit, LossPair]


def test_losses_survive_as_json() -> None:
    parts = Parts({unit: loss_of(CHARGE, unit) for unit in Unit})
    stored = json.loads(json.dumps(to_json(parts)))
    assert stored["parts"]["vehicle"] == [str(CHARGE.per_vehicle), str(CHARGE.rho.per_vehicle)]
    assert from_json(Parts, stored) == parts
    assert sum_of([]) == PrivacyLoss()
