"""Routes and directions are found by the names of columns alone, and proposed as a spec writes them."""

from __future__ import annotations

import tomllib

import pytest

from core.assist.public_columns import named_columns, public_columns


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (("vehicle_id", "route_id", "speed"), {"route": "route_id"}),
        (("trip_direction", "route", "speed"), {"route": "route", "direction": "trip_direction"}),
        (
            ("LineRef", "DirectionRef", "OperatorRef"),
            {"route": "LineRef", "direction": "DirectionRef", "agency": "OperatorRef"},
        ),
        (("vehicle.trip.route_id", "speed"), {"route": "vehicle.trip.route_id"}),
        (("speed", "wind_direction_max", "headline"), {}),
    ],
)
def test_columns_that_have_a_public_meaning(columns: tuple[str, ...], found: dict[str, str]) -> None:
    assert public_columns(columns) == found


def test_the_proposal_is_a_line_of_a_spec_whatever_a_column_is_called() -> None:
    line = named_columns({"route": 'the "line"\n= 5', "direction": "Richtung"})
    assert tomllib.loads(line) == {"columns": {"route": 'the "line"\n= 5', "direction": "Richtung"}}
