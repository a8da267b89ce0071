"""Coordinates whose side of the world stands in a column of its own."""

from __future__ import annotations

import pytest

from core.assist.column_guesses import find_columns, unread_position
from core.assist.suggested_choices import suggest_choices
from core.read.preview_rows import Preview


@pytest.mark.parametrize(
    ("cells", "sides"),
    [
        ({"latitude": "23.53", "longitude": "46.64", "ns": "S", "ew": "W"}, "ns"),
        ({"latitude": "2331.8", "longitude": "04638.4", "Lat Dir": "S", "Lon Dir": "W"}, "Lat Dir"),
        ({"latitude": "51.5", "longitude": "1.14", "hemisphere": "E"}, "hemisphere"),  # Greenwich is near
        ({"latitude": "51.5", "longitude": "13.14", "EW Indicator": "e"}, ""),
        ({"latitude": "23.53", "longitude": "72.64", "direction": "S"}, ""),  # where a bus goes
        ({"latitude": "-23.53", "longitude": "-46.64", "ns": "S", "ew": "W"}, ""),
        ({"latitude": "23.53S", "longitude": "46.64W", "ns": "S"}, ""),
    ],
)
def test_coordinates_without_a_sign_are_not_mirrored(cells: dict[str, str], sides: str) -> None:
    """Buses of Sao Paulo lay in Riyadh, and nothing said so."""
    preview = Preview(columns=tuple(cells), rows=(tuple(cells.values()),) * 10)
    assert ("latitude" in find_columns(preview)) == (not sides)
    said = f"latitude and longitude have no sign, and {sides} says where they lie south or west"
    assert unread_position(preview).startswith(said if sides else "")
    reasons = suggest_choices(preview).reasons
    assert all(reasons[part].startswith(said) for part in ("latitude", "longitude")) == bool(sides)
