"""The vocabulary of protection."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib
import json
import pkgutil
from decimal import Decimal

import core
from core.privacy import Charge, Confidential, Relation, Unit, charge_from_json, charge_to_json

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
    stored = json.loads(json.dumps(charge_to_json(CHARGE)))
    assert charge_from_json(stored) == CHARGE
    assert list(stored["per_date"]) == ["2022-01-01", "2022-01-02"]
