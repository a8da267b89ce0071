"""Guessing the mapping from names and contents."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.ingest.guess import guess_mapping
from core.ingest.readers.base import Preview
from tests.records import SECRET, assert_tells

CELLS = {
    "license_plate": "GJ05BX1234",
    "observationDateTime": "2022-01-01T10:10:35+05:30",
    "location.coordinates": "[72.83, 21.19]",
    "speed": "30",
    "latitude": "21.19",
    "longitude": "72.83",
}


def _preview(*names: str, **changes: str) -> Preview:
    cells = CELLS | changes
    row = tuple(cells.get(name, "x") for name in names)
    return Preview(columns=names, rows=(row,) * 10)


def test_itms_is_recognised() -> None:
    guess = guess_mapping(
        _preview("trip_delay", "license_plate", "speed", "observationDateTime", "location.coordinates"),
        where="a",
    )
    assert guess.mapping.columns == ("license_plate", "observationDateTime", "location.coordinates", "speed")
    assert guess.mapping.units[0].unit == "km/h"
    assert set(guess.reasons) == {"vehicle", "time", "position", "value", "unit"}


def test_two_columns_are_recognised_and_both_named() -> None:
    guess = guess_mapping(
        _preview("license_plate", "observationDateTime", "latitude", "longitude", "speed"), where="a"
    )
    assert guess.mapping.position_columns == ("latitude", "longitude")
    assert guess.reasons["position"] == "named latitude, longitude"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("speed", "km/h"),
        ("Speed (km/h)", "km/h"),
        ("speed_kph", "km/h"),
        ("speed_mps", "m/s"),
        ("SpeedMPH", "mph"),
    ],
)
def test_the_unit_follows_the_name(name: str, unit: str) -> None:
    preview = _preview("license_plate", "observationDateTime", "location.coordinates", name, **{name: "3.5"})
    guess = guess_mapping(preview, where="a")
    assert guess.mapping.value == name
    assert guess.mapping.units[0].unit == unit


@pytest.mark.parametrize(
    ("part", "column"),
    [
        ("vehicle", "license_plate"),
        ("time", "observationDateTime"),
        ("position", "location.coordinates"),
        ("value", "speed"),
    ],
)
def test_a_part_without_a_column_is_named_and_no_cell_is_quoted(part: str, column: str) -> None:
    names = ["license_plate", "observationDateTime", "location.coordinates", "speed"]
    names[names.index(column)] = "remark"
    with pytest.raises(InputError, match=f"No column looks like the {part}") as caught:
        guess_mapping(_preview(*names, remark=SECRET), where="a.csv")
    assert_tells(caught.value)
    assert "remark" in caught.value.where


def test_contents_must_fit_the_name() -> None:
    preview = _preview("license_plate", "observationDateTime", "latitude", "longitude", "speed", speed="fast")
    with pytest.raises(InputError, match="value"):
        guess_mapping(preview, where="a")


def test_a_few_bad_cells_do_not_spoil_a_guess() -> None:
    good = _preview("license_plate", "observationDateTime", "location.coordinates", "speed")
    rows = (("", "noon", "", "fast"), *good.rows, *good.rows)
    assert guess_mapping(Preview(columns=good.columns, rows=rows), where="a").mapping.value == "speed"


def test_empty_columns_are_not_guessed() -> None:
    preview = _preview("license_plate", "vehicle_id", "observationDateTime", "location.coordinates", "speed")
    emptied = Preview(columns=preview.columns, rows=tuple(("", *row[1:]) for row in preview.rows))
    assert guess_mapping(emptied, where="a").mapping.vehicle == "vehicle_id"
