"""Tables of a timetable: their lines, and times of day."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.read.gtfs_tables import STOPS, TRIPS, GtfsTables, seconds_of
from tests.records import assert_tells
from tests.timetables import write_timetable


def test_lines_are_cells_by_column_and_where_they_stand(tmp_path: Path) -> None:
    text = '\ufeffstop_id , stop_lat,stop_lon\n "s0" ,1\n\ns1,2,3,4\n'
    tables = GtfsTables(write_timetable(tmp_path, stops=text))
    assert list(tables.rows(STOPS, ("stop_id",))) == [
        ({"stop_id": '"s0"', "stop_lat": "1"}, f"{tmp_path / STOPS}, line 2"),
        ({"stop_id": "s1", "stop_lat": "2", "stop_lon": "3"}, f"{tmp_path / STOPS}, line 4"),
    ]
    assert tables.holds(TRIPS)
    assert not tables.holds("calendar.txt")


def test_some_columns_are_read_with_the_numbers_of_their_lines(tmp_path: Path) -> None:
    """Whatever stands beside them, and empty where a line or the table has none."""
    text = "stop_id , stop_lat,stop_lon\n s0 ,1\n\ns1,2,3,4\n"
    tables = GtfsTables(write_timetable(tmp_path, stops=text))
    rows = list(tables.columns(STOPS, ("stop_lon", "stop_id", "zone_id"), ("stop_id",)))
    assert rows == [(("", "s0", ""), 2), (("3", "s1", ""), 4)]
    assert tables.place(STOPS, 4) == f"{tmp_path / STOPS}, line 4"
    with pytest.raises(InputError, match="no column zone_id"):
        list(tables.columns(STOPS, ("zone_id",), ("zone_id",)))


@pytest.mark.parametrize(
    ("text", "seconds"), [("0:00:00", 0), ("09:05:07", 32_707), ("24:00:00", 86_400), ("100:00:59", 360_059)]
)
def test_times_go_on_beyond_midnight(text: str, seconds: int) -> None:
    assert seconds_of(text, "here") == seconds


@pytest.mark.parametrize(
    "text", ["", "9:00", "9:60:00", "9:00:60", "9:0x:00", "9:00:00:00", "1000:00:00", "٣:00:00"]
)
def test_other_texts_are_no_times(text: str) -> None:
    with pytest.raises(InputError) as caught:
        seconds_of(text, "here")
    assert_tells(caught.value)
