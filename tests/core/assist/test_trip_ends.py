"""Rows of whole trips by the names of their columns."""

from __future__ import annotations

import pytest

from core.assist.trip_ends import trip_ends


@pytest.mark.parametrize(
    "columns",
    [
        ("vehicle_id", "start_lat", "start_lon", "end_lat", "end_lon"),
        ("tpep_pickup_datetime", "pickup_longitude", "dropoff_longitude"),
        ("Pickup Centroid Location", "Dropoff Centroid  Location"),
        ("startLatitude", "startLongitude", "endLatitude", "endLongitude"),
    ],
)
def test_a_place_at_each_end_is_told_by_its_columns(columns: tuple[str, ...]) -> None:
    said = trip_ends(columns)
    assert said.startswith("each row is a trip")
    assert said.count(columns[-1]) == 1


@pytest.mark.parametrize(
    "columns", [("start_time", "end_time", "lat", "lon"), ("start_lat", "start_lon", "trend"), ()]
)
def test_one_place_a_row_is_none(columns: tuple[str, ...]) -> None:
    assert trip_ends(columns) == ""
