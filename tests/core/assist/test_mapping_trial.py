"""core.assist.mapping_trial: the preview's rows are judged as a load would, whatever is still open."""

from __future__ import annotations

import dataclasses
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assist.mapping_trial import (
    EXAMPLES,
    Trial,
    require_shape,
    try_mapping,
)
from core.clean.mapping import Box, ColumnMapping, DerivedSpeed
from core.clean.time_formats import TIME_FORMATS
from core.errors import InputError
from core.progress import Cancelled
from core.read.file_batches import DamagedFiles
from core.read.file_format import FileFormat
from core.read.preview_rows import Preview
from core.read.reader_registry import reader_for
from core.store.load_records import load_records
from tests.records import (
    MAPPING,
    POINT_MAPPING,
    SECRET,
    UPPER_BOUND,
    mapping_in,
    rules,
    sample_pings,
    write_csv,
    write_json,
)

COLUMNS = ("plate", "time", "lat", "lon", "speed")
GOOD = ("A", "2022-01-01T10:00:00+05:30", "21.1", "72.8", "30")
PLAIN = {"vehicle": "plate", "time": "time", "latitude": "lat", "longitude": "lon"}
OURS = ColumnMapping(vehicle="plate", time="time", latitude="lat", longitude="lon", value="speed")


def preview_of(*rows: tuple[str, ...], columns: tuple[str, ...] = COLUMNS) -> Preview:
    return Preview(columns=columns, rows=rows)


def with_(**cells: str) -> tuple[str, ...]:
    return tuple(cells.get(name, good) for name, good in zip(COLUMNS, GOOD, strict=True))


def tried(*rows: tuple[str, ...], zone: str | None = None, mapping: ColumnMapping = OURS) -> Trial:
    return try_mapping(preview_of(*rows), rules(mapping, zone=zone))


def test_a_good_row_from_raw_to_local() -> None:
    trial = tried(GOOD)
    assert (trial.rows, trial.usable, trial.dropped, trial.zone) == (1, 1, {}, "Asia/Kolkata")
    (example,) = trial.examples
    assert example.time == "2022-01-01T10:00:00+05:30"
    assert example.parsed == "2022-01-01 04:30:00Z"
    assert example.local == "2022-01-01 10:00:00 +0530"
    assert example.place == (21.1, 72.8)
    assert (example.value, example.amount, example.dropped) == ("30", "30", "")


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"plate": ""}, "no_id"),
        ({"time": ""}, "no_time"),
        ({"time": "yesterday"}, "unparsable"),
        ({"time": "1963-01-01T00:00:00Z"}, "time_limit"),
        ({"lat": ""}, "no_position"),
        ({"lat": "97.1"}, "position_limit"),
        ({"speed": ""}, "no_value"),
        ({"speed": "fast"}, "unparsable"),
        ({"speed": "-1"}, "value_limit"),
    ],
)
def test_each_reason_is_counted_and_told_at_the_row(cells: dict[str, str], reason: str) -> None:
    trial = tried(with_(**cells), zone="Asia/Kolkata")
    assert (trial.usable, trial.dropped) == (0, {reason: 1})
    assert trial.examples[0].dropped == reason
    assert trial.examples[0].amount == ""


def test_the_value_is_converted_and_clamped() -> None:
    mapping = ColumnMapping(
        vehicle="plate",
        time="time",
        latitude="lat",
        longitude="lon",
        value="speed",
        units=mapping_in("m/s").units,
    )
    trial = tried(with_(speed="10"), with_(speed="50"), mapping=mapping)
    assert [example.amount for example in trial.examples] == ["36", f"{UPPER_BOUND / 1000:g}"]
    assert trial.clamped == 1


def test_times_of_every_form_are_tried_as_the_table_says() -> None:
    examples = [(form, *example) for form in TIME_FORMATS for example in form.examples]
    for one, cell, meaning in examples:
        written = dataclasses.replace(rules(OURS, zone=None), format=FileFormat(date_order=one.date_order))
        (example,) = try_mapping(preview_of(with_(time=cell)), written).examples
        second, _, mark = meaning.partition(".")
        assert example.parsed == second + ("Z" if mark.endswith("Z") else ""), cell


def test_naive_times_stay_a_wall_clock_until_there_is_a_zone() -> None:
    naive = with_(time="2019-04-04 16:47:20")
    before, after = tried(naive), tried(naive, zone="Asia/Bangkok")
    assert (before.zone, before.usable) == ("", 1)
    assert (before.examples[0].parsed, before.examples[0].local) == ("2019-04-04 16:47:20", "")
    assert after.zone == "Asia/Bangkok"
    assert after.examples[0].parsed == "2019-04-04 09:47:20Z"
    assert after.examples[0].local == "2019-04-04 16:47:20 +0700"


def test_a_time_beyond_every_calendar_is_no_crash() -> None:
    example = tried(with_(time="9999-12-31T23:59:59-05:00"), zone="Asia/Kolkata").examples[0]
    assert (example.parsed, example.local) == ("", "")


@pytest.mark.parametrize(("count", "shown"), [(0, []), (1, ["0"]), (2, ["0", "1"]), (7, ["0", "3", "6"])])
def test_the_examples_are_spread_over_the_rows(count: int, shown: list[str]) -> None:
    trial = tried(*(with_(speed=str(number)) for number in range(count)))
    assert trial.rows == trial.usable == count
    assert [example.value for example in trial.examples] == shown


def test_neither_trial_nor_example_shows_a_cell() -> None:
    trial = tried(with_(plate=SECRET, time=SECRET))
    assert SECRET not in repr(trial)
    assert SECRET not in repr(trial.examples[0])


@pytest.mark.parametrize(("mapping", "write"), [(MAPPING, write_csv), (POINT_MAPPING, write_json)])
def test_a_trial_of_a_small_file_counts_as_its_load(tmp_path: Path, mapping, write) -> None:
    path = write(tmp_path / ("a.csv" if write is write_csv else "a.json"), sample_pings())
    trial = try_mapping(reader_for(path).preview(path), rules(mapping))
    report = load_records([path], rules(mapping)).report
    assert (trial.rows, trial.usable) == (report.rows_read, report.rows_used)


def test_a_derived_speed_is_not_tried_and_all_else_is() -> None:
    mapping = mapping_in("km/h", value="", derived=DerivedSpeed(), **PLAIN)
    trial = tried(GOOD, with_(lat="97.1"), mapping=mapping)
    assert (trial.usable, trial.dropped) == (1, {"position_limit": 1})
    assert [spread.part for spread in trial.spreads] == ["latitude", "longitude"]
    assert (trial.examples[0].value, trial.examples[0].amount) == ("", "")


def test_the_first_rows_of_each_reason_are_found_with_their_cells() -> None:
    rows = [GOOD] * 40
    for number in (3, 7, 8, 30, 39):
        rows[number] = with_(lat="97.1")
    rows[20] = with_(plate="")
    trial = tried(*rows)
    assert trial.dropped == {"position_limit": 5, "no_id": 1}
    assert trial.dropped_rows == {"position_limit": (3, 7, 8), "no_id": (20,)}
    assert trial.dropped_cells == {"position_limit": "97.1, 72.8", "no_id": ""}


@given(bad=st.sets(st.integers(0, 24)))
def test_the_first_rows_are_those_of_a_plain_search(bad: set[int]) -> None:
    rows = [with_(speed="fast") if number in bad else GOOD for number in range(25)]
    expected = {"unparsable": tuple(sorted(bad)[:EXAMPLES])} if bad else {}
    assert tried(*rows).dropped_rows == expected


def test_the_numbers_as_they_were_read() -> None:
    trial = tried(with_(speed="1"), with_(speed="fast"), with_(speed="7"), with_(speed="2"))
    value = trial.spreads[0]
    assert (value.part, value.least, value.median, value.most) == ("value", 1.0, 2.0, 7.0)


def test_the_numbers_are_those_of_the_rows_that_are_kept() -> None:
    trial = tried(GOOD, with_(lat="0", lon="0"), with_(speed="9000"), with_(plate="", speed="1"))
    spreads = {spread.part: (spread.least, spread.most) for spread in trial.spreads}
    assert spreads == {"value": (30.0, 30.0), "latitude": (21.1, 21.1), "longitude": (72.8, 72.8)}


def test_where_no_row_is_kept_the_numbers_are_those_of_all() -> None:
    trial = tried(with_(lat="97.1"), with_(lat="98.1"))
    latitude = next(spread for spread in trial.spreads if spread.part == "latitude")
    assert (trial.usable, latitude.least, latitude.most) == (0, 97.1, 98.1)


def test_a_trial_knows_whether_times_are_there_and_none_is_read() -> None:
    assert tried(with_(time="10u15"), with_(time="")).no_time_read
    assert not tried(with_(time="10u15"), GOOD).no_time_read
    assert not tried(with_(time="")).no_time_read


def test_times_that_the_clocks_make_doubtful_are_counted() -> None:
    times = ("2023-03-26 02:30:00", "2023-10-29 02:30:00", "2023-07-01 02:30:00")
    trial = tried(*(with_(time=text) for text in times), zone="Europe/Berlin")
    assert (trial.in_gap, trial.in_overlap) == (1, 1)


def test_the_box_is_told_with_the_positions() -> None:
    mapping = mapping_in("km/h", box=Box(south=21, west=72, north=22, east=73), value="speed", **PLAIN)
    coordinates = tried(GOOD, with_(lat="23.5"), mapping=mapping).coordinates
    assert (coordinates.drawn, coordinates.inside.tolist()) == (2, [True, False])


# other files


def test_files_of_one_shape_pass(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / name, sample_pings()) for name in ("a.csv", "b.csv.gz")]
    told: list[float] = []
    require_shape(files, rules(MAPPING), lambda done, _="": told.append(done))
    assert len(told) >= len(files)


def test_a_file_of_another_shape_is_named_with_the_column(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="license_plate") as caught:
        require_shape([write_csv(tmp_path / "a.csv", sample_pings()), other], rules(MAPPING))
    assert caught.value.where == str(other)


def test_a_json_file_without_a_field_is_passed_over(tmp_path: Path) -> None:
    late = tmp_path / "late.jsonl"
    rows = [dict(zip(COLUMNS, (*GOOD[:4], speed), strict=True)) for speed in (None, "3")]
    late.write_text("\n".join(json.dumps(row) for row in rows))
    other = tmp_path / "other.json"
    other.write_text(json.dumps(rows[:1]))
    seen: list[float] = []
    require_shape([late, other], rules(OURS), lambda done, _="": seen.append(done))
    assert seen[-1] == 1.0


def test_all_files_that_cannot_be_read_are_named_unless_they_are_left_out(tmp_path: Path) -> None:
    """Of none that can be read, what is wrong with the first: nothing else tells how to read them."""
    good, *bad = (tmp_path / name for name in ("a.csv", "b.csv", "c.json", "d.pb"))
    write_csv(good, sample_pings())
    for path in bad:
        path.write_text("<!DOCTYPE html>, 502 Bad Gateway")
    with pytest.raises(DamagedFiles, match="3 files cannot be read") as caught:
        require_shape([good, *bad], rules(MAPPING))
    assert all(f"{path}: " in caught.value.where for path in bad)
    assert set(caught.value.names.values()) == {path.name for path in bad}
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # workers send it
    require_shape([good, *bad], dataclasses.replace(rules(MAPPING), skip_damaged=True))
    with pytest.raises(InputError) as alone:
        require_shape(bad, rules(MAPPING))
    assert not isinstance(alone.value, DamagedFiles)


def test_looking_into_files_can_be_stopped(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        require_shape([write_csv(tmp_path / "a.csv", sample_pings())], rules(MAPPING), stop)


def test_a_date_apart_is_tried_and_shown_with_its_time_of_day() -> None:
    columns = ("plate", "day", "time", "lat", "lon", "speed")
    rows = [("A", "2022-01-01", clock, *GOOD[2:]) for clock in ("10:00:00+05:30", "noon", "")]
    mapping = dataclasses.replace(OURS, date="day")
    trial = try_mapping(preview_of(*rows, columns=columns), rules(mapping, zone=None))
    assert (trial.usable, trial.zone) == (1, "Asia/Kolkata")
    assert trial.dropped == {"unparsable": 1, "no_time": 1}
    assert trial.dropped_cells["no_time"] == "2022-01-01, “”"
    assert trial.dropped_cells["unparsable"].startswith("2022-01-01, noon, ")
    assert trial.examples[0].time == "2022-01-01 10:00:00+05:30"
    assert trial.examples[0].local == "2022-01-01 10:00:00 +0530"


def test_an_empty_one_of_two_cells_is_told_as_empty() -> None:
    """A bare comma told nothing, and one coordinate without the other read as if it were all."""
    rows = [(*GOOD[:2], "", "", *GOOD[4:]), (*GOOD[:2], "", *GOOD[3:])]
    for row, told in zip(rows, ("“”, “”", f"“”, {GOOD[3]}"), strict=True):
        trial = try_mapping(preview_of(row), rules(OURS))
        assert trial.dropped_cells == {"no_position": told}


def test_a_value_is_told_in_the_unit_that_is_published() -> None:
    """As the rows beside it, but for what is lowered to the bound."""
    trial = tried(with_(speed="10"), with_(speed="20"), mapping=mapping_in("m/s", **PLAIN))
    assert (trial.spreads[0].least, trial.spreads[0].most) == (36.0, 72.0)
    assert [example.amount for example in trial.examples] == ["36", "65"]
