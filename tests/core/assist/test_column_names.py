"""Names by which columns are known: written as names are compared, and each for one part only."""

from __future__ import annotations

import pytest

from core.assist import column_names
from core.assist.column_guesses import find_columns
from core.read.preview_rows import Preview

LISTS = {
    "vehicle": (*column_names.VEHICLE_NAMES, *column_names.UNSURE_VEHICLE_NAMES),
    "time": column_names.TIME_NAMES,
    "position": column_names.POSITION_NAMES,
    "latitude": column_names.LATITUDE_NAMES,
    "longitude": column_names.LONGITUDE_NAMES,
    "value": column_names.VALUE_NAMES,
}
CELLS = {
    "vehicle": "GJ-05-AB-1234",
    "time": "2024-03-01T09:00:00+05:30",
    "position": "[72.83, 21.17]",
    "latitude": "21.17",
    "longitude": "72.83",
    "value": "31.5",
}


def test_no_name_stands_for_two_parts() -> None:
    names = [name for listed in LISTS.values() for name in listed]
    assert len(names) == len(set(names))
    assert all(name == name.lower() and name.isalnum() for name in names)


def test_every_name_of_a_date_and_of_a_time_of_day_is_found_beside_the_other() -> None:
    for names in (column_names.DATE_NAMES, column_names.CLOCK_NAMES):
        assert len(names) == len(set(names))
        assert all(name == name.lower() and name.isalnum() for name in names)
    pairs = [(name, "heure") for name in column_names.DATE_NAMES]
    for date, clock in [*pairs, *(("jour", name) for name in column_names.CLOCK_NAMES)]:
        # more of each kind: only the names tell which are meant
        preview = Preview(
            columns=("begun", date, clock, "due"), rows=(("2023-01-01", "2024-03-01", "09:00", "10:00"),) * 5
        )
        found = find_columns(preview)
        assert (found["date"].column, found["time"].column) == (date, clock)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("num_véhicule", "vehicle"),
        ("Fahrzeugkennzeichen", "vehicle"),
        ("vahan number", "vehicle"),
        ("gaadi_no", "vehicle"),
        ("ts", "time"),
        ("akshans", "latitude"),
        ("rapidez_kmh", "value"),
        ("GPS-Geschwindigkeit", "value"),
    ],
)
def test_names_as_strangers_wrote_them(name: str, part: str) -> None:
    preview = Preview(columns=("other", name), rows=(("-", CELLS[part]),) * 5)
    assert find_columns(preview)[part].reason == f"named {name}"


@pytest.mark.parametrize("part", LISTS)
def test_every_name_is_found(part: str) -> None:
    for name in LISTS[part]:
        preview = Preview(columns=("other", name), rows=(("-", CELLS[part]),) * 5)
        found = find_columns(preview)[part]
        assert found is not None, name
        assert found.column == name
