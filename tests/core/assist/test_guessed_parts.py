"""core.assist.guessed_parts: all parts, each with its reason and the key of the spec that decides it."""

from __future__ import annotations

import pytest

from core.assist.guessed_parts import DERIVED_KEY, KEYS, GuessedPart, guessed_parts
from core.assist.proposed_format import ProposedFormat
from core.assist.suggested_choices import suggest_choices
from core.read.preview_rows import Preview
from core.spec import SPEC

NOTHING = ProposedFormat(encodings=(), sheets=())
COLUMNS = ("plate", "time", "lat", "lon", "speed_kmh")
GOOD = ("A", "2022-01-01T10:00:00+05:30", "21.1", "72.8", "30")


def parts_of(columns: tuple[str, ...], row: tuple[str, ...] = GOOD, rows: int = 5) -> dict[str, GuessedPart]:
    suggestion = suggest_choices(Preview(columns=columns, rows=(row,) * rows))
    return {part.part: part for part in guessed_parts(suggestion, NOTHING)}


@pytest.mark.parametrize("key", [*KEYS.values(), DERIVED_KEY])
def test_every_key_is_one_of_the_spec(key: str) -> None:
    assert SPEC.key(key)


def test_a_file_that_tells_all_leaves_nothing_open() -> None:
    parts = parts_of(COLUMNS)
    assert [part.part for part in parts.values() if part.open] == []
    assert parts["zone"].to_json() == {
        "part": "zone",
        "found": "Asia/Kolkata",
        "open": False,
        "reason": "fits the offsets",
        "key": "data.zone",
    }
    assert (parts["time_format"].found, parts["unit"].found) == ("ISO 8601", "km/h")
    assert "position" not in parts


def test_a_file_that_tells_nothing_leaves_everything_open_at_once() -> None:
    parts = parts_of(("a", "b"), ("foo", "bar"))
    assert [part.part for part in parts.values() if part.blocks] == ["vehicle", "time", "position", "value"]
    assert parts["position"].reason == "nothing found: name position, or latitude and longitude"
    assert (parts["unit"].open, parts["unit"].blocks) == (True, False)


def test_times_that_are_not_read_name_column_form_and_key() -> None:
    time = parts_of(COLUMNS, ("A", "31-12-23 10:15", *GOOD[2:]))["time"]
    assert (time.blocks, time.key) == (True, "data.mapping.time")
    assert time.reason.startswith(
        'time is named like a time, but "99-99-99 99:99" is not read: a year of two'
    )


def test_a_date_and_a_clock_in_two_columns_are_two_parts() -> None:
    columns, row = ("plate", "Datum", "Uhrzeit", "lat", "lon"), ("A", "03.04.2019", "10:15", "21.1", "72.8")
    parts = parts_of(columns, row)
    assert (parts["time"].found, parts["time"].reason) == ("Uhrzeit", "named Uhrzeit")
    assert parts["date"].to_json() == {
        "part": "date",
        "found": "Datum",
        "open": False,
        "reason": "named Datum",
        "key": "data.mapping.date",
    }
    assert parts["time_format"].found == "day first"
    assert list(parts).index("date") == list(parts).index("time") + 1


@pytest.mark.parametrize(
    ("column", "cell", "why"),
    [
        ("Datum", "03.04.2019", "a date without a time of day"),
        ("Uhrzeit", "10:15", "a time of day without a date"),
    ],
)
def test_a_date_or_a_clock_alone_is_no_time(column: str, cell: str, why: str) -> None:
    parts = parts_of(("plate", column, "lat", "lon"), ("A", cell, "21.1", "72.8"))
    assert parts["time"].open
    assert why in parts["time"].reason
    assert "date" not in parts


def test_a_derived_speed_and_one_column_of_positions_have_keys_of_their_own() -> None:
    parts = parts_of(("plate", "time", "location"), ("A", GOOD[1], "[72.8, 21.1]"))
    assert (parts["value"].found, parts["value"].key) == ("derived from positions", DERIVED_KEY)
    assert parts["unit"].reason == "a derived speed is in km/h"
    assert parts["position"].found == "location, lon,lat"
    assert not {"latitude", "longitude"} & parts.keys()


def test_encoding_and_sheet_are_parts_where_a_look_took_them() -> None:
    suggestion = suggest_choices(Preview(columns=COLUMNS, rows=(GOOD,)))
    looked = guessed_parts(
        suggestion, ProposedFormat(encodings=("cp1252", "latin-1"), sheets=("May", "June"))
    )
    told = {part.part: part.reason for part in looked if part.open}
    assert told == {
        "encoding": "not UTF-8; looks like cp1252, latin-1",
        "sheet": "several sheets contain data: May, June",
    }
