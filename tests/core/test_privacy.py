"""The vocabulary of protection."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib
import json
import pkgutil
from dataclasses import dataclass
from decimal import Decimal

import pytest

import core
from core.codec import ShapeError, from_json, to_json
from core.privacy import (
    NO_RHO,
    Allowance,
    Charge,
    Confidential,
    Relation,
    RhoCharge,
    StoredAllowance,
    Unit,
)

CHARGE = Charge(
    per_vehicle_hat_day=Decimal("0.5"),
    per_vehicle_day=Decimal("3.250001"),
    per_vehicle=Decimal("1E+1"),
    per_date={dt.date(2022, 1, 2): Decimal("3.25"), dt.date(2022, 1, 1): Decimal("1")},
)


def _confidential_types() -> list[type]:
    for module in pkgutil.walk_packages(core.__path__, "core."):
        importlib.import_module(module.name)
    found, left = [], [Confidential]
    while left:
        kinds = left.pop().__subclasses__()
        found += kinds
        left += kinds
    return found


def test_no_type_with_true_values_shows_them() -> None:
    kinds = _confidential_types()
    assert len(kinds) > 10
    for kind in kinds:
        assert kind.__repr__ is Confidential.__repr__, kind
        assert kind.__str__ is object.__str__, kind
        assert dataclasses.is_dataclass(kind), kind


def test_sizes_are_shown_and_contents_are_not() -> None:
    @dataclasses.dataclass(frozen=True, repr=False)
    class Thing(Confidential):
        names: tuple[str, ...]
        count: int

    assert repr(Thing(("SECRET123", "b"), 42)) == "<confidential Thing: names=2>"
    assert "SECRET123" not in f"{Thing(('SECRET123',), 1)}"


def test_words() -> None:
    assert [str(item) for item in Relation] == ["values", "user"]
    assert [str(item) for item in Unit] == ["vehicle", "vehicle-day", "vehicle-hat-day"]


def test_a_charge_by_unit() -> None:
    assert [CHARGE.of(unit) for unit in Unit] == [Decimal(10), Decimal("3.250001"), Decimal("0.5")]


def test_a_charge_survives_as_json_exactly() -> None:
    stored = json.loads(json.dumps(to_json(CHARGE)))
    assert from_json(Charge, stored) == CHARGE
    assert list(stored["per_date"]) == ["2022-01-01", "2022-01-02"]


RHO = RhoCharge(
    per_vehicle_hat_day=Decimal("0.125"),
    per_vehicle_day=Decimal("0.250000000001"),
    per_vehicle=Decimal("0.5"),
    per_date={dt.date(2022, 1, 2): Decimal("0.250000000001")},
)


def test_a_charge_without_rho_is_stored_as_ever() -> None:
    assert not CHARGE.rho
    assert CHARGE.rho is NO_RHO
    assert list(to_json(CHARGE)) == [
        "per_vehicle_hat_day",
        "per_vehicle_day",
        "per_vehicle",
        "per_date",
    ]


def test_rho_stands_beside_epsilon_and_is_never_added() -> None:
    charge = dataclasses.replace(CHARGE, rho=RHO)
    assert charge.rho
    assert [charge.of(unit) for unit in Unit] == [CHARGE.of(unit) for unit in Unit]
    assert [charge.rho.of(unit) for unit in Unit] == [
        Decimal("0.5"),
        Decimal("0.250000000001"),
        Decimal("0.125"),
    ]
    stored = json.loads(json.dumps(to_json(charge)))
    assert from_json(Charge, stored) == charge
    assert {key: value for key, value in stored.items() if key != "rho"} == to_json(CHARGE)


@dataclass(frozen=True)
class Stored:
    one: StoredAllowance


@pytest.mark.parametrize(
    ("allowance", "stored"),
    [
        (Allowance(scope="a 09", epsilon=Decimal("0.50")), ["a 09", "0.50"]),
        (Allowance(scope="a", epsilon=Decimal(0), rho=Decimal("0.125")), ["a", "0", "0.125"]),
        (Allowance(scope="a", epsilon=Decimal(1), rho=Decimal("1E-12")), ["a", "1", "1E-12"]),
    ],
)
def test_an_allowance_survives_as_json(allowance: Allowance, stored: list[str]) -> None:
    assert to_json(Stored(one=allowance)) == {"one": stored}
    assert from_json(Stored, {"one": stored}) == Stored(one=allowance)


@pytest.mark.parametrize("stored", [["a"], ["a", "1", "2", "3"]])
def test_an_allowance_of_another_shape_is_not_guessed_at(stored: list[str]) -> None:
    with pytest.raises(ShapeError, match="one is not of the form"):
        from_json(Stored, {"one": stored})
