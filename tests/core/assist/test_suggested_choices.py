"""core.assist.suggested_choices: every part with its reason; what nothing tells stays open."""

from __future__ import annotations

import dataclasses

import pytest

from core.assist.reading_choices import PARTS
from core.assist.suggested_choices import (
    check_positions,
    read_contents,
    suggest_choices,
    suggested_zone,
    zone_to_look,
)
from core.clean.mapping import DerivedSpeed
from core.read.file_format import FileFormat
from core.read.preview_rows import Preview

COLUMNS = ("plate", "time", "lat", "lon", "speed")
GOOD = ("A", "2022-01-01T10:00:00+05:30", "21.1", "72.8", "30")


def preview_of(*rows: tuple[str, ...], columns: tuple[str, ...] = COLUMNS) -> Preview:
    return Preview(columns=columns, rows=rows)


def with_(**cells: str) -> tuple[str, ...]:
    return tuple(cells.get(name, good) for name, good in zip(COLUMNS, GOOD, strict=True))


def test_all_parts_are_suggested_but_a_unit_that_nothing_tells() -> None:
    suggestion = suggest_choices(preview_of(GOOD))
    choices = suggestion.choices
    assert choices.columns == {
        "vehicle": "plate",
        "time": "time",
        "latitude": "lat",
        "longitude": "lon",
        "value": "speed",
    }
    assert (choices.zone, choices.decimal, choices.date_order) == ("Asia/Kolkata", ".", "")
    assert choices.still_open == ("unit",)
    assert suggestion.reasons["value"] == "named speed"
    assert suggestion.reasons["time"] == "named time"
    assert suggestion.reasons["zone"] == "fits the offsets"
    assert suggestion.reasons["unit"] == "the file does not say"


def test_a_unit_in_the_name_is_taken() -> None:
    suggestion = suggest_choices(preview_of(GOOD, columns=(*COLUMNS[:4], "speed_kmh")))
    assert suggestion.choices.units[0].unit == "km/h"
    assert suggestion.reasons["unit"] == "its name ends in a unit: km/h"


def test_one_column_for_both_coordinates() -> None:
    preview = preview_of(
        ("A", GOOD[1], "[72.8, 21.1]", "30"), columns=("plate", "time", "location.coordinates", "speed")
    )
    choices = suggest_choices(preview).choices
    assert choices.one_column
    assert choices.position == "location.coordinates"
    assert choices.still_open == ("unit",)


@pytest.mark.parametrize(
    ("name", "still_open"),
    [
        ("plate", {"vehicle", "unit", "value"}),
        ("lat", {"latitude", "unit", "value"}),
        ("lon", {"longitude", "unit", "value"}),
    ],
)
def test_what_cannot_be_guessed_stays_open_and_the_rest_is_kept(name: str, still_open: set[str]) -> None:
    columns = tuple("unheard of" if column in (name, "speed") else column for column in COLUMNS)
    columns = tuple(
        f"{column}{number}" if column == "unheard of" else column for number, column in enumerate(columns)
    )
    suggestion = suggest_choices(preview_of(GOOD, columns=columns))
    assert set(suggestion.choices.still_open) == still_open
    assert suggestion.reasons["value"] == "nothing found: choose"


def test_times_are_known_by_their_cells_alone() -> None:
    columns = tuple("unheard of" if name == "time" else name for name in COLUMNS)
    suggestion = suggest_choices(preview_of(GOOD, columns=columns))
    assert suggestion.choices.time == "unheard of"
    assert suggestion.reasons["time"] == "looks like times"


def test_the_form_of_the_times_follows_the_column_that_is_chosen() -> None:
    preview = preview_of(("A", GOOD[1], "31.12.2023"), columns=("plate", "time", "when"))
    choices = suggest_choices(preview).choices
    read = read_contents(preview, choices)["time_format"]
    assert read.choice == "ISO 8601"
    assert "Read as ISO 8601, like 2023-01-02T03:04:05+05:30" in read.reason
    other = read_contents(preview, dataclasses.replace(choices, time="when"))["time_format"]
    assert other.choice is None
    assert other.reason == (
        'In the column when, "99.99.9999" is not read: a date without a time of day. '
        "9 stands for a digit, a for a letter. "
        "Choose another column, or write its times in a form of docs/file-formats.md. "
        "In a spec file the key data.mapping.time decides this."
    )


def test_a_column_that_is_named_like_a_time_and_holds_none_is_told_by_its_shape() -> None:
    suggestion = suggest_choices(preview_of(with_(time="31/12/2023 10u15")))
    assert suggestion.choices.time == ""
    assert suggestion.reasons["time"] == "nothing found: choose"
    assert suggestion.reasons["time_format"] == (
        'time is named like a time, but "99/99/9999 99a99" is not read: it matches no known form of times. '
        "9 stands for a digit, a for a letter. "
        "Choose another column, or write its times in a form of docs/file-formats.md. "
        "In a spec file the key data.mapping.time decides this."
    )


def test_the_order_of_dates_is_named_where_it_decides_whether_times_are_read() -> None:
    preview = preview_of(("A", GOOD[1], "31/12/2023 10:15"), columns=("plate", "time", "when"))
    choices = dataclasses.replace(suggest_choices(preview).choices, time="when", date_order="mdy")
    reason = read_contents(preview, choices)["time_format"].reason
    assert reason.startswith('In the column when, "99/99/9999 99:99" is not read')
    assert "Choose the other order of day and month. " in reason
    assert "In a spec file the key data.format.date_order decides this." in reason


def test_a_speed_is_derived_where_only_it_is_missing() -> None:
    columns = (*COLUMNS[:4], "unheard of")
    suggestion = suggest_choices(preview_of(GOOD, columns=columns))
    assert suggestion.choices.derived == DerivedSpeed()
    assert suggestion.choices.still_open == ()
    assert suggestion.reasons["value"] == "no column looks like a speed"


def test_commas_and_dates_are_told_from_the_cells() -> None:
    rows = [
        with_(time=f"{day:02d}/03/2023 10:00:00", lat="21,1", lon="72,8", speed="3,5") for day in range(5, 25)
    ]
    choices = suggest_choices(preview_of(*rows)).choices
    assert (choices.decimal, choices.date_order) == (",", "dmy")


def test_what_may_be_read_in_two_ways_stays_open() -> None:
    rows = [with_(time="03/04/2023 10:00:00", speed="1,234", lat="21", lon="72")]
    choices = suggest_choices(preview_of(*rows)).choices
    assert (choices.decimal, choices.date_order) == (None, None)
    assert {"decimal", "date_order"} <= set(choices.still_open)


def test_contents_follow_the_columns_that_are_chosen() -> None:
    preview = preview_of(with_(speed="3,5", lat="21,1", lon="72"))
    choices = suggest_choices(preview).choices
    assert read_contents(preview, choices)["decimal"].choice == ","
    assert read_contents(preview_of(GOOD), choices)["decimal"].choice == "."
    ordered = preview_of(with_(time="31/12/2022 10:00:00 +0530"))
    assert read_contents(ordered, choices)["zone"].choice == "Asia/Kolkata"
    naive = preview_of(with_(time="31/12/2022 10:00:00"))
    zone = read_contents(naive, choices)["zone"]
    assert (zone.choice, zone.reason) == (
        None, "times without offset; the positions are near Surat: Asia/Kolkata"
    )  # fmt: skip
    in_utc = Preview(columns=("time (UTC)",), rows=(("2022-12-31 10:00:00",),))
    zone = read_contents(in_utc, dataclasses.replace(choices, time="time (UTC)"))["zone"]
    assert zone.reason.startswith("times without offset, and time (UTC) is named UTC: choose UTC, or write Z")
    other = preview_of(("A",), columns=("plate",))
    assert read_contents(other, choices)["zone"].choice is None


def test_a_file_without_rows_suggests_nothing() -> None:
    assert set(suggest_choices(preview_of()).choices.still_open) == set(PARTS) - {
        "encoding",
        "sheet",
        "position",
        "quantity",
        "decimal",
        "date_order",
    }


@pytest.mark.parametrize(
    ("times", "zone"),
    [
        (["2022-01-01T10:00:00+05:30"], "Asia/Kolkata"),
        (["2016-11-24T00:00:51-06:00", "2016-07-24T00:00:51-05:00"], "America/Chicago"),
        (["2019-04-04 16:47:20"], ""),
        (["2019-04-04T16:47:20Z"], ""),
        (["2022-01-01T10:00:00+05:30", "2019-04-04 16:47:20"], ""),
        (["2022-01-01T10:00:00+05:31"], ""),
        ([""], ""),
    ],
)
def test_the_zone_comes_from_offsets_or_not_at_all(times: list[str], zone: str) -> None:
    assert suggested_zone(preview_of(*(with_(time=text) for text in times)), "time") == zone


@pytest.mark.parametrize(
    ("times", "zone"),
    [
        (["2022-01-01T10:00:00+05:30"], ""),
        (["2019-04-04 16:47:20"], ""),
        (["2019-04-04T16:47:20Z"], "UTC"),
        (["1641030035", ""], "UTC"),
        (["1641030035", "2019-04-04 16:47:20"], ""),
    ],
)
def test_instants_that_tell_no_zone_can_be_counted_in_utc(times: list[str], zone: str) -> None:
    assert zone_to_look(preview_of(*(with_(time=text) for text in times)), "time") == zone


def test_times_whose_order_is_named_are_known_to_lack_an_offset() -> None:
    preview = preview_of(*(with_(time=f"{day}/03/2025 10:00") for day in (10, 14)))
    assert zone_to_look(preview, "time", FileFormat(date_order="dmy")) == ""


@pytest.mark.parametrize(
    ("place", "zone", "reason"),
    [
        (("40.4", "-3.7"), "Europe/Madrid", "fits the offsets, and Madrid is near"),
        (("52.5", "13.4"), "Europe/Berlin", "fits the offsets"),
        (("", ""), "Europe/Berlin", "fits the offsets"),
        (("-40.0", "-130.0"), "Europe/Berlin", "fits the offsets"),
    ],
)
def test_of_the_zones_that_fit_the_offsets_the_nearest_is_taken(
    place: tuple[str, str], zone: str, reason: str
) -> None:
    rows = [with_(time=f"2022-0{month}-01T10:00:00+0{1 + month // 7}:00", lat=place[0], lon=place[1])
            for month in (1, 7)]  # fmt: skip
    found = suggest_choices(preview_of(*rows))
    wanted = (
        found.choices if place[0] else dataclasses.replace(found.choices, latitude="lat", longitude="lon")
    )
    contents = read_contents(preview_of(*rows), wanted)["zone"]
    assert (contents.choice, contents.reason) == (zone, reason)


def test_instants_without_a_zone_are_told_the_place_they_are_near() -> None:
    preview = preview_of(with_(time="2022-01-01T10:00:00Z", lat="30.27", lon="-97.74"))
    found = suggest_choices(preview)
    assert found.choices.zone == ""
    assert found.reasons["zone"] == "the times do not say; the positions are near Austin: America/Chicago"


def test_positions_are_looked_at_in_the_order_that_is_chosen() -> None:
    preview = preview_of(("A", "[72.8, 21.1]"), columns=("plate", "location"))
    choices = suggest_choices(preview).choices
    assert check_positions(preview, choices, ".").latitude.tolist() == [21.1]
    other = dataclasses.replace(choices, position_order="lat,lon", zone="Asia/Kolkata")
    assert check_positions(preview, other, ".").swap_advised == "zone"
    assert check_positions(preview, dataclasses.replace(choices, position="?"), ".").drawn == 0


APART = ("plate", "Date", "Heure", "lat", "lon", "speed")


def apart(*times: tuple[str, str]) -> Preview:
    return preview_of(*(("A", *pair, *GOOD[2:]) for pair in times), columns=APART)


def test_a_date_apart_is_suggested_with_what_both_columns_tell() -> None:
    suggestion = suggest_choices(apart(("05/10/2026", "06:12:07"), ("14/10/2026", "06:12:17")))
    assert (suggestion.choices.date, suggestion.choices.time) == ("Date", "Heure")
    assert suggestion.choices.date_order == "dmy"
    assert suggestion.reasons["date"] == "named Date"
    assert suggestion.reasons["zone"].startswith("times without offset")
    assert suggestion.time_format == "day first"


def test_offsets_behind_a_time_of_day_suggest_the_zone() -> None:
    preview = apart(("2022-01-01", "10:00:00+05:30"))
    assert suggest_choices(preview).choices.zone == "Asia/Kolkata"
    assert suggested_zone(preview, "Heure", "Date") == "Asia/Kolkata"
    assert zone_to_look(preview, "Heure", date="Date") == ""
    assert zone_to_look(apart(("2022-01-01", "10:00:00Z")), "Heure", date="Date") == "UTC"


@pytest.mark.parametrize(
    ("date", "clock", "part", "told"),
    [
        ("05-10-26", "06:12:07", "date", 'In the column Date, "99-99-99" is not read: a year of two digits.'),
        (
            "14/10/2026",
            "6u12",
            "time",
            'In the column Heure, "9a99" is not read: it matches no known form of times.',
        ),
    ],
)
def test_of_two_columns_the_one_whose_cells_are_not_read_is_named(
    date: str, clock: str, part: str, told: str
) -> None:
    preview = apart((date, clock))
    choices = dataclasses.replace(suggest_choices(preview).choices, time="Heure", date="Date")
    found = read_contents(preview, choices)["time_format"]
    assert (found.choice, found.part) == (None, part)
    assert found.reason.startswith(f"{told} 9 stands for a digit, a for a letter. Choose another column, or ")
    assert f"write its {part}s in a form of docs/file-formats.md. " in found.reason
    assert found.reason.endswith(f"In a spec file the key data.mapping.{part} decides this.")


@pytest.mark.parametrize(
    ("date", "clock", "shape"),
    [("05-10-26", "6u12", "99-99-99 9a99"), ("14/10/2026", "061207", "99/99/9999 999999")],
)
def test_two_columns_that_are_no_times_together_are_both_named(date: str, clock: str, shape: str) -> None:
    preview = apart((date, clock))
    choices = dataclasses.replace(suggest_choices(preview).choices, time="Heure", date="Date")
    found = read_contents(preview, choices)["time_format"]
    assert found.reason.startswith(f'In the column Date + Heure, "{shape}" is not read: ')
    assert found.part == "date"


def test_dates_of_the_other_order_are_told_of_the_column_of_the_date() -> None:
    preview = apart(("14/10/2026", "06:12:07"))
    choices = dataclasses.replace(suggest_choices(preview).choices, date_order="mdy")
    found = read_contents(preview, choices)["time_format"]
    assert found.reason.startswith('In the column Date, "99/99/9999" is not read: no calendar')
    assert "Choose the other order of day and month. " in found.reason
    assert found.part == "date"


def test_how_times_are_read_is_told_of_the_column_that_ends_them() -> None:
    whole, pair = preview_of(GOOD), apart(("14/10/2026", "06:12:07"))
    parts = [read_contents(one, suggest_choices(one).choices)["time_format"].part for one in (whole, pair)]
    assert parts == ["time", "date"]
