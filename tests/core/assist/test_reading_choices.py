"""core.assist.reading_choices: what is open is named; complete choices are rules, and rules are choices."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from core.assist.reading_choices import Choices, choices_of
from core.clean.mapping import Box, DerivedSpeed, UnitRange
from core.errors import InputError
from core.read.file_format import FileFormat
from tests.records import UPPER_BOUND

DONE = Choices(
    vehicle="v",
    time="t",
    value="s",
    latitude="y",
    longitude="x",
    units=(UnitRange(unit="mph"),),
    zone="Asia/Kolkata",
    pings="events",
)
PLACED = {"one_column": True, "position": "p", "latitude": "", "longitude": ""}


def test_nothing_chosen_is_all_open_in_order() -> None:
    assert Choices().still_open == ("vehicle", "time", "zone", "latitude", "longitude", "value", "unit")
    assert Choices(one_column=True).still_open == ("vehicle", "time", "zone", "position", "value", "unit")


def test_complete_choices_are_rules() -> None:
    choices = dataclasses.replace(DONE, position="left over")
    assert choices.still_open == ()
    made = choices.rules(UPPER_BOUND)
    assert made.mapping.columns == ("v", "t", "y", "x", "s")
    assert (made.mapping.units[0].unit, made.zone, made.upper_bound) == ("mph", "Asia/Kolkata", UPPER_BOUND)


def test_a_date_apart_is_a_column_more_and_never_open() -> None:
    apart = dataclasses.replace(DONE, date="d")
    assert list(apart.columns.items())[:3] == [("vehicle", "v"), ("time", "t"), ("date", "d")]
    assert "date" not in DONE.columns
    assert apart.still_open == ()
    assert apart.rules(UPPER_BOUND).mapping.time_columns == ("d", "t")


def test_marks_that_are_open_block_and_count_as_usual() -> None:
    choices = dataclasses.replace(DONE, encoding=None, sheet=None, decimal=None, date_order=None)
    assert choices.still_open == ("encoding", "sheet", "decimal", "date_order")
    assert choices.file_format == FileFormat()


def test_a_derived_speed_needs_neither_column_nor_unit() -> None:
    choices = dataclasses.replace(
        DONE, value="left over", derived=DerivedSpeed(max_gap_seconds=30), units=(UnitRange(unit=""),)
    )
    assert choices.still_open == ()
    mapping = choices.rules(UPPER_BOUND).mapping
    assert (mapping.value, mapping.derived) == ("", DerivedSpeed(max_gap_seconds=30))
    assert mapping.units == (UnitRange(unit="km/h"),)


@pytest.mark.parametrize("units", [(), (UnitRange(unit="mph"), UnitRange(unit=""))])
def test_no_unit_and_a_unit_without_name_are_open(units: tuple[UnitRange, ...]) -> None:
    assert dataclasses.replace(DONE, units=units).still_open == ("unit",)


def test_units_that_overlap_are_refused() -> None:
    units = (UnitRange(unit="mph"), UnitRange(unit="m/s", first=dt.date(2015, 12, 30)))
    with pytest.raises(InputError, match="Two units"):
        dataclasses.replace(DONE, units=units).rules(UPPER_BOUND)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        PLACED | {"position_order": "lat,lon"},
        {"date": "d"},
        {"value": "", "derived": DerivedSpeed(max_gap_seconds=60), "units": (UnitRange(unit="km/h"),)},
        {
            "units": (
                UnitRange(unit="mph", last=dt.date(2015, 12, 29)),
                UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
            ),
            "physical_max": 120_000,
            "box": Box(south=30.0, west=-98.0, north=31.0, east=-97.0),
        },
        {"encoding": "cp1252", "delimiter": ";", "decimal": ",", "date_order": "dmy", "sheet": "May"},
    ],
)
def test_rules_are_choices_again(changes: dict[str, object]) -> None:
    choices = dataclasses.replace(DONE, **changes)  # type: ignore[arg-type]
    assert choices_of(choices.rules(UPPER_BOUND)) == choices


def test_a_column_that_is_chosen_for_several_parts_is_named_with_them() -> None:
    assert DONE.chosen_twice == {}
    doubled = dataclasses.replace(DONE, vehicle="y", value="x")
    assert doubled.chosen_twice == {"y": ("vehicle", "latitude"), "x": ("longitude", "value")}
    assert dataclasses.replace(doubled, derived=DerivedSpeed()).chosen_twice == {"y": ("vehicle", "latitude")}
    assert Choices().chosen_twice == {}, "what is open is no column"
