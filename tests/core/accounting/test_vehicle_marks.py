"""Hashes of vehicles in each form of their ids: what is stored of them, and when populations overlap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.vehicle_marks import VehicleMarks, marks_of

KEY = b"v" * 32
IDS = st.sets(st.sampled_from(["1", "01", "1.0", "bus 1", "ｂｕｓ 1", "bus-2", '"2"', "2"]))


@given(IDS, IDS)
def test_marks_come_back_from_what_is_stored_and_add_up(some: set[str], more: set[str]) -> None:
    one, both = marks_of(KEY, some, {}), marks_of(KEY, some | more, {})
    assert VehicleMarks.from_json(one.to_json()) == one
    assert one | VehicleMarks.from_json((both - one).to_json()) == both


def test_ids_that_are_their_own_folds_are_stored_once() -> None:
    assert list(marks_of(KEY, ["bus-1", "bus-2"], {}).to_json()) == ["new_vehicles"]
    assert list(marks_of(KEY, ["bus-1", "02"], {}).to_json()) == ["new_vehicles", "new_vehicles_further"]


def test_what_an_older_ledger_stored_stands_for_every_form() -> None:
    marks = VehicleMarks.from_json({"new_vehicles": ["ab", "cd"]})
    assert marks.folds == ({"ab", "cd"},) * 4


@pytest.mark.parametrize(("shared", "refused"), [(5, False), (6, True)])
def test_vehicles_that_fold_together_are_few(shared: int, refused: bool) -> None:
    """100 vehicles of which some are another population's; writings of one vehicle count as one."""
    ours = marks_of(KEY, [f"a{number}" for number in range(100)], {})
    theirs = marks_of(
        KEY, [f"0a{number}" for number in range(shared)] + [f"b{number}" for number in range(200)], {}
    )
    assert ours.overlap(theirs) is theirs.overlap(ours) is refused
    writings = marks_of(
        KEY, ["1", "01", "1.0", '"1"', "=1", "001", *(f"c{number}" for number in range(100))], {}
    )
    assert not writings.overlap(marks_of(KEY, ["1", *(f"d{number}" for number in range(100))], {}))


def test_marks_show_no_hash() -> None:
    assert repr(marks_of(KEY, ["bus-1"], {})) == "VehicleMarks()"


def test_numbers_of_vehicles_are_found_under_ids_of_several_columns_and_agencies_are_none() -> None:
    numbers = [str(number) for number in range(100, 140)]
    fleet = marks_of(KEY, [f"{agency}\x1f{number}" for agency in "ab" for number in numbers], {})
    assert fleet.overlap(marks_of(KEY, numbers, {}))
    others = marks_of(KEY, [f"a\x1f{number}" for number in range(500, 540)], {})
    assert not fleet.overlap(others)
    assert VehicleMarks.from_json(fleet.to_json()) == fleet
