from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from core.bundle.public_constants import constants_of, plans_of
from core.errors import InputError
from core.spec import load_spec
from tests.records import assert_tells
from tests.taxis import BY_DAY, CELLS, DAYS, others, write_taxis


def test_a_spec_alone_says_all(tmp_path: Path) -> None:
    spec = load_spec(write_taxis(tmp_path))
    constants = constants_of(spec)
    assert (constants.hats_per_vehicle, constants.candidates) == (4, 3 * len(CELLS))
    (plan,) = plans_of(spec, Decimal(0))
    assert (plan.charge.per_vehicle, len(plan.hats)) == (40, 3 * len(CELLS))


def test_a_unit_that_is_not_protected_is_refused(tmp_path: Path) -> None:
    spec = load_spec(write_taxis(tmp_path, edits=[('"vehicle"\nhats', '"vehicle-hat-day"\nhats')]))
    with pytest.raises(InputError, match="does not protect") as caught:
        plans_of(spec, Decimal(0))
    assert_tells(caught.value)


def test_days_are_asked_for_where_each_of_them_counts_once(tmp_path: Path) -> None:
    spec = load_spec(write_taxis(tmp_path / "without", edits=others()))
    with pytest.raises(InputError, match="how many days is missing") as caught:
        plans_of(spec, Decimal(0))
    assert_tells(caught.value)
    assert constants_of(load_spec(write_taxis(tmp_path / "with", edits=(*DAYS, *others())))).days == 1
    one = ('"2022-01-03", "2022-01-04"', '"2022-01-03", "2022-01-03"')
    assert constants_of(load_spec(write_taxis(tmp_path / "one date", edits=(one, *others())))).days == 1
    by_day = load_spec(write_taxis(tmp_path / "by day", edits=(*BY_DAY, *others())))
    assert [plan.charge.per_vehicle_day for plan in plans_of(by_day, Decimal(0))] == [40, 40, 30, 60]
