"""The line of a route is the shape that most of its trips take."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.geodata import route_lines
from core.geodata.route_lines import read_route_lines
from tests.timetables import write_timetable

ROUTES = "route_id,route_short_name\nr1,10\nr2,10\n7,r1\nr4,\n"
TRIPS = "route_id,trip_id,shape_id\n" + "".join(
    f"{route},t{number},{shape}\n"
    for number, (route, shape) in enumerate(
        [("r1", "a"), ("r1", "b"), ("r1", "b"), ("r2", "c"), ("r2", "c"), ("7", "d"), ("7", "a"), ("r4", "")]
    )
)
SHAPES = "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n" + "".join(
    f"{shape},{number},{30 + number / 100},{-97 - index}.12345678\n"
    for index, shape in enumerate("abcd")
    for number in (10, 9, 1)
)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_label_is_a_route_or_else_its_short_name(tmp_path: Path, zipped: bool) -> None:
    path = write_timetable(tmp_path, zipped=zipped, routes=ROUTES, trips=TRIPS, shapes=SHAPES, stops=None)
    lines = read_route_lines(path, ["r1", "10", "7", "r4", "no"])
    assert lines["r1"] == ((-98.123457, 30.01), (-98.123457, 30.09), (-98.123457, 30.1)), (
        "most trips, in order"
    )
    assert lines["10"] == lines["r1"], "two routes of one short name: equally often, the smaller id"
    assert lines["7"][0] == (-97.123457, 30.01)
    assert set(lines) == {"r1", "10", "7"}


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"shapes": None}, r"no shapes\.txt"),
        ({"shapes": SHAPES + "b,x,1,1\n"}, "not a point of a shape"),
        ({"shapes": SHAPES + "b,1,1,nan\n"}, "not a point of a shape"),
        ({"shapes": SHAPES + "b,1,91,1\n"}, "not a point of a shape"),
        ({"trips": "trip_id\n1\n"}, "no column route_id"),
    ],
)
def test_a_timetable_at_fault_is_refused(tmp_path: Path, changes: dict[str, str | None], what: str) -> None:
    tables = {"routes": ROUTES, "trips": TRIPS, "shapes": SHAPES}
    path = write_timetable(tmp_path, zipped=True, **{**tables, **changes})
    with pytest.raises(InputError, match=what):
        read_route_lines(path, ["r1"])


def test_shapes_beyond_any_map_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_lines, "MOST_LINE_CORNERS", 2)
    path = write_timetable(tmp_path, zipped=True, routes=ROUTES, trips=TRIPS, shapes=SHAPES)
    with pytest.raises(InputError, match="more than 2 points"):
        read_route_lines(path, ["r1"])
