"""Column mappings: what is checked when one is made."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.mapping import Box, ColumnMapping, ReadingRules, UnitRange, require_open_range
from core.errors import InputError
from tests.records import MAPPING, POINT_MAPPING, assert_tells, mapping_in

MARCH = dt.date(2015, 3, 1)


def _day(day: int) -> dt.date:
    return MARCH.replace(day=day)


def test_columns_are_listed_once_each() -> None:
    assert POINT_MAPPING.columns == (
        "license_plate",
        "observationDateTime",
        "location.coordinates",
        "speed",
    )
    assert mapping_in("km/h", value="latitude").columns == MAPPING.columns[:4]


@pytest.mark.parametrize(
    "position",
    [
        {"latitude": "", "longitude": ""},
        {"latitude": "lat", "longitude": ""},
        {"latitude": "", "longitude": "lon"},
        {"position": "point"},
        {"position": "point", "latitude": ""},
    ],
)
def test_a_position_is_one_column_or_two(position: dict[str, str]) -> None:
    with pytest.raises(InputError, match="position") as caught:
        mapping_in("km/h", **position)
    assert_tells(caught.value)


@pytest.mark.parametrize("part", ["vehicle", "time"])
def test_a_column_needs_a_name(part: str) -> None:
    """A file may have one without: its time was looked for in vain, and the program stopped."""
    with pytest.raises(InputError, match="without a name") as caught:
        mapping_in("km/h", **{part: ""})
    assert_tells(caught.value)
    assert caught.value.where == f"data.mapping.{part}"


def test_a_date_apart_is_read_before_its_time_of_day() -> None:
    apart = mapping_in("km/h", date="day")
    assert apart.time_columns == ("day", "observationDateTime")
    assert apart.columns == ("license_plate", "day", "observationDateTime", "latitude", "longitude", "speed")
    assert mapping_in("km/h").time_columns == ("observationDateTime",)


def test_a_date_apart_is_in_another_column() -> None:
    with pytest.raises(InputError, match="in one column") as caught:
        mapping_in("km/h", date="observationDateTime")
    assert_tells(caught.value)
    assert caught.value.where == "data.mapping.date"


@pytest.mark.parametrize("unit", ["", "knots", "KM/H", "kmh"])
def test_an_unknown_unit_is_refused(unit: str) -> None:
    with pytest.raises(InputError, match="unknown") as caught:
        mapping_in(unit)
    assert_tells(caught.value)


def test_no_unit_is_refused() -> None:
    with pytest.raises(InputError, match="missing") as caught:
        mapping_in("km/h", units=())
    assert_tells(caught.value)


def test_an_unknown_order_of_coordinates_is_refused() -> None:
    with pytest.raises(InputError, match="order") as caught:
        ColumnMapping(vehicle="a", time="b", value="c", position="d", position_order="y,x")
    assert_tells(caught.value)


def test_unit_ranges_may_be_open_and_touch() -> None:
    units = (UnitRange(unit="m/s", first=_day(3)), UnitRange(unit="mph", last=_day(2)))
    assert mapping_in("km/h", units=units).units == units


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((None, None), (None, None)),
        ((None, 3), (3, None)),
        ((2, 8), (4, 5)),
        ((None, None), (4, 5)),
    ],
)
def test_two_units_on_one_date_are_refused(
    first: tuple[int | None, int | None], second: tuple[int | None, int | None]
) -> None:
    units = [
        UnitRange(unit=unit, first=begin and _day(begin), last=end and _day(end))
        for unit, (begin, end) in (("mph", first), ("m/s", second))
    ]
    for order in (units, units[::-1]):
        with pytest.raises(InputError, match="Two units") as caught:
            mapping_in("km/h", units=tuple(order))
        assert_tells(caught.value)


def test_a_unit_range_that_runs_backwards_is_refused() -> None:
    with pytest.raises(InputError, match="backwards") as caught:
        mapping_in("km/h", units=(UnitRange(unit="mph", first=_day(3), last=_day(2)),))
    assert_tells(caught.value)


@pytest.mark.parametrize(
    "edges",
    [(2, 0, 1, 1), (0, 2, 1, 1), (0, 0, 91, 1), (0, -181, 1, 1), (1, 0, 1, 1), (float("nan"), 0, 1, 1)],
)
def test_edges_out_of_order_or_range_are_no_box(edges: tuple[float, float, float, float]) -> None:
    south, west, north, east = edges
    with pytest.raises(InputError, match="This is not a box"):
        mapping_in("km/h", box=Box(south=south, west=west, north=north, east=east))
    assert mapping_in("km/h", box=Box(south=-90, west=-180, north=90, east=180)).box is not None


def _rules(physical_kmh: float, upper_kmh: float) -> ReadingRules:
    mapping = mapping_in("km/h", physical_max=round(physical_kmh * 1000))
    return ReadingRules(mapping=mapping, zone="UTC", upper_bound=round(upper_kmh * 1000))


@pytest.mark.parametrize(("physical_kmh", "upper_kmh"), [(23, 65), (64.999, 65), (200, 200.001)])
def test_a_physical_limit_inside_the_protected_range_is_refused(
    physical_kmh: float, upper_kmh: float
) -> None:
    with pytest.raises(InputError, match="protected range") as refused:
        require_open_range(_rules(physical_kmh, upper_kmh))
    assert refused.value.where == "data.mapping.physical_max_kmh"
    assert f"{upper_kmh:g}" in refused.value.mend


@given(upper=st.integers(1, 300_000), beyond=st.integers(0, 50_000))
def test_a_limit_from_the_upper_bound_on_is_taken(upper: int, beyond: int) -> None:
    rules = _rules((upper + beyond) / 1000, upper / 1000)
    require_open_range(rules)
    assert rules.mapping.physical_max >= rules.upper_bound
