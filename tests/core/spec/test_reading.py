"""The release spec: what it says when all is well, and what it refuses."""

from __future__ import annotations

import copy
import datetime as dt
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.clean.mapping import Box, UnitRange
from core.errors import InputError
from core.privacy import Relation, Unit
from core.spec import (
    TABLE_MAPPING,
    ReleaseSpec,
    SpecParts,
    load_parts,
    load_spec,
    parse_spec,
    reading_rules,
)
from core.spec.identity import identity
from tests.geojson import box, polygon, write_geojson
from tests.records import SECRET, assert_tells

CONTRACT = """
[release]
name = "austin-bus-speed"
version = "1.0.0"
title = "Bus speeds by hexagon and hour"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"

[data]
files = ["records/*.csv.gz"]
zone = "America/Chicago"
upper_bound_kmh = 65.0
[data.mapping]
vehicle = "vehicle_id"
time = "timestamp"
latitude = "latitude"
longitude = "longitude"
value = "speed"
unit = "m/s"

[hats]
resolution = 7
slot_minutes = 60
dates = ["2016-11-24", "2016-11-27"]
hours = ["09:00", "21:00"]

[selection]
rule = "hat"
threshold = 3
minimum_vehicles = 2

[privacy]
population = "Austin buses"
relation = "values"
unit = "vehicle"
confirmed = true

[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "array-averaging"
total = "10"
division = "equal"
[query.parameters]
grouping = "bestfit"
m_ub = "median"
"""
GOOD = tomllib.loads(CONTRACT)
DROP = object()
Path_ = tuple[str | int, ...]


def _changed(changes: dict[Path_, Any]) -> dict[str, Any]:
    document = copy.deepcopy(GOOD)
    for path, value in changes.items():
        *above, last = path
        table: Any = document
        for step in above:
            table = table[step]
        if value is DROP:
            del table[last]
        else:
            table[last] = value
    return document


def _parsed(changes: dict[Path_, Any], folder: Path = Path()) -> ReleaseSpec:
    return parse_spec(_changed(changes), folder)


def _write(folder: Path, text: str) -> Path:
    path = folder / "release.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_spec_of_the_contract_is_understood(tmp_path: Path) -> None:
    spec = load_spec(_write(tmp_path, CONTRACT))
    assert spec.texts.folder == "austin-bus-speed-1.0.0"
    assert (spec.data.folder, spec.data.files) == (tmp_path, ("records/*.csv.gz",))
    assert (spec.data.rules.zone, spec.data.rules.upper_bound) == ("America/Chicago", 65_000)
    assert spec.data.rules.mapping.units == (UnitRange(unit="m/s"),)
    assert (spec.resolution, spec.window.days, list(spec.window.slots)) == (7, 4, list(range(9, 21)))
    assert (spec.selection.rule, spec.selection.threshold, spec.minimum_vehicles) == ("hat", 3, 2)
    assert (spec.population, spec.relation, spec.unit) == ("Austin buses", Relation.VALUES, Unit.VEHICLE)
    assert spec.confirmed
    assert (spec.queries[0].id, spec.queries[0].question.key) == ("mean_speed", "array-averaging")
    assert (spec.queries[0].budget.total, spec.queries[0].budget.per_hat) == (Decimal(10), None)


def test_what_may_be_left_out_has_the_defaults_of_the_contract() -> None:
    spec = _parsed(
        {
            ("hats", "resolution"): DROP,
            ("hats", "slot_minutes"): DROP,
            ("hats", "hours"): DROP,
            ("selection", "threshold"): DROP,
            ("selection", "minimum_vehicles"): DROP,
            ("privacy", "confirmed"): DROP,
            ("query", 0, "division"): DROP,
            ("query", 0, "parameters"): DROP,
        }
    )
    assert (spec.resolution, spec.window.slot_minutes, spec.window.hours) == (7, 60, ("09:00", "21:00"))
    assert (spec.selection.threshold, spec.minimum_vehicles, spec.confirmed) == (10, 2, False)


def test_the_whole_window_is_one_slot() -> None:
    spec = _parsed({("hats", "slot_minutes"): "all", ("hats", "hours"): ["05:20", "21:00"]})
    assert (spec.window.slot_minutes, len(spec.window.slots)) == (940, 1)
    assert spec.window.grid.label(spec.window.slots[0]) == "05:20"


def test_the_days_of_a_kind_are_dates_like_any_others(tmp_path: Path) -> None:
    fortnight = {("hats", "dates"): ["2022-01-01", "2022-01-14"]}
    monday, friday = dt.date(2022, 1, 3), dt.date(2022, 1, 7)
    week = dt.timedelta(days=7)
    weekdays = _parsed(fortnight | {("hats", "days"): "weekday"})
    assert weekdays.window.date_ranges == ((monday, friday), (monday + week, friday + week))
    listed = _parsed(
        {("hats", "dates"): [[str(first), str(last)] for first, last in weekdays.window.date_ranges]}
    )
    assert identity(weekdays) == identity(listed)
    (tmp_path / "feasts.txt").write_text("2022-01-06\n")
    feast = _parsed(fortnight | {("hats", "days"): "feasts.txt"}, tmp_path)
    assert feast.window.dates == (dt.date(2022, 1, 6),)
    with pytest.raises(InputError, match="None of these dates") as refused:
        _parsed({("hats", "dates"): ["2022-01-01", "2022-01-02"], ("hats", "days"): "weekday"})
    assert refused.value.where == "hats.days"


def test_other_ways_to_write_things() -> None:
    spec = _parsed(
        {
            ("data", "mapping", "unit"): DROP,
            ("data", "units"): [
                {"unit": "mph", "to": "2015-09-06"},
                {"unit": "m/s", "from": dt.date(2015, 12, 30)},
            ],
            ("data", "mapping", "latitude"): DROP,
            ("data", "mapping", "longitude"): DROP,
            ("data", "mapping", "position"): "point",
            ("data", "mapping", "position_order"): "lat,lon",
            ("data", "mapping", "physical_max_kmh"): 150,
            ("data", "mapping", "box"): [30, -98.5, 31, -97],
            ("hats", "dates"): [["2015-03-18", "2015-03-19"], ["2015-03-07", "2015-03-08"]],
            ("query", 0, "total"): DROP,
            ("query", 0, "division"): DROP,
            ("query", 0, "epsilon"): "0.5",
        }
    )
    mapping = spec.data.rules.mapping
    assert mapping.units == (
        UnitRange(unit="mph", last=dt.date(2015, 9, 6)),
        UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
    )
    assert (mapping.position_columns, mapping.position_order) == (("point",), "lat,lon")
    assert (mapping.physical_max, mapping.box) == (150_000, Box(south=30, west=-98.5, north=31, east=-97))
    assert spec.window.dates[0] == dt.date(2015, 3, 7)
    assert (spec.queries[0].budget.total, spec.queries[0].budget.per_hat) == (None, Decimal("0.5"))


REFUSED: dict[str, tuple[Path_, list[Any]]] = {
    "name": (("release", "name"), [DROP, "", 1, "Not Good", "a\n"]),
    "version": (("release", "version"), [DROP, 1.0, "1.0"]),
    "title": (("release", "title"), [DROP, "", "two\nlines"]),
    "files": (("data", "files"), [DROP, [], "a.csv", [1]]),
    "zone": (("data", "zone"), [DROP, "", "Mars/Olympus", 5, "localtime"]),
    "bound": (("data", "upper_bound_kmh"), [DROP, 0, -65, "65", 65.0001, 1e9, float("nan"), True]),
    "mapping": (("data", "mapping"), [DROP, "speed", []]),
    "vehicle": (("data", "mapping", "vehicle"), [DROP, "", 1]),
    "latitude": (("data", "mapping", "latitude"), [DROP, "", 1]),
    "both positions": (("data", "mapping", "position"), ["point"]),
    "order": (("data", "mapping", "position_order"), ["up,down", 1]),
    "unit": (("data", "mapping", "unit"), [DROP, "", "knots", 1]),
    "units twice": (("data", "units"), [[{"unit": "km/h"}], "km/h", [], [1]]),
    "physical": (("data", "mapping", "physical_max_kmh"), [0, -1, 23, 64.999, "200", float("inf")]),
    "box": (
        ("data", "mapping", "box"),
        [
            [1, 2, 3],
            [31, -98, 30, -97],
            ["a", 1, 2, 3],
            "box",
            [0, 0, 91, 1],
            [0, 0, float("nan"), 1],
            [10**400] * 4,
        ],
    ),
    "resolution": (("hats", "resolution"), [4, 11, 7.0, "7", True]),
    "slot": (("hats", "slot_minutes"), [0, 7, 45, 90, 720, "60", "ALL", "", 60.0]),
    "dates": (
        ("hats", "dates"),
        [
            DROP,
            [],
            "2016-11-24",
            ["2016-11-24"],
            ["2016-11-24", "2016-11-31"],
            ["24.11.2016", "27.11.2016"],
            ["2016-11-27", "2016-11-24"],
            [["2016-11-24", "2016-11-27"], ["2016-11-27", "2016-11-28"]],
            [["2016-11-24"], ["2016-11-27"]],
            [dt.datetime(2016, 11, 24, 1, tzinfo=dt.UTC)] * 2,
        ],
    ),
    "hours": (
        ("hats", "hours"),
        [
            [],
            ["09:00"],
            "09:00",
            ["09:00", "21:30"],
            ["09:30", "21:00"],
            ["22:00", "06:00"],
            ["09:00", "09:00"],
            ["9", "21"],
            ["09:00", "25:00"],
            ["09:00", "12:00", "21:00"],
        ],
    ),
    "rule": (("selection", "rule"), [DROP, "", "best", 1]),
    "threshold": (("selection", "threshold"), [0, -3, "3", 2.5, True]),
    "minimum": (("selection", "minimum_vehicles"), [0, -1, "2"]),
    "population": (("privacy", "population"), [DROP, "", 1]),
    "relation": (("privacy", "relation"), [DROP, "", "people", 1]),
    "unit of protection": (("privacy", "unit"), [DROP, "", "trip", 1]),
    "confirmed": (("privacy", "confirmed"), ["yes", 1]),
    "query": (("query",), [DROP, [], {}, "mean", [1], [GOOD["query"][0]] * 2]),
    "query id": (("query", 0, "id"), [DROP, "", "mean speed", "Mean", "1a", "größe", "a-b"]),
    "statistic": (("query", 0, "statistic"), [DROP, "median", 1]),
    "mechanism": (("query", 0, "mechanism"), [DROP, "", "magic", 1]),
    "total": (
        ("query", 0, "total"),
        [DROP, "0", "-1", "inf", "nan", "much", "", 10, 10.0, "0.0000001", "1e999", True],
    ),
    "both budgets": (("query", 0, "epsilon"), ["1", "0.5"]),
    "division": (("query", 0, "division"), ["unfair", 1]),
    "parameters": (
        ("query", 0, "parameters"),
        [1, "a", {"colour": "red"}, {"m_ub": 0}, {"grouping": "worst"}],
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_values_are_refused(kind: str) -> None:
    path, values = REFUSED[kind]
    for value in values:
        with pytest.raises(InputError) as caught:
            _parsed({path: value})
        assert_tells(caught.value)


@pytest.mark.parametrize("value", [4, 11, 7.0, "7", True])
def test_a_wrong_resolution_is_told_the_default(value: object) -> None:
    with pytest.raises(InputError) as caught:
        _parsed({("hats", "resolution"): value})
    assert caught.value.mend in ("write resolution = 7", "write 5 to 10; the default is 7")


@pytest.mark.parametrize(("name", "what"), [("zoom", "measured in two steps"), ("regions", "put together")])
def test_what_needs_hexagons_of_one_resolution_says_so_of_itself(name: str, what: str) -> None:
    joint: dict[Path_, Any] = {("query", 0, "mechanism"): "tokens", ("query", 0, "division"): DROP}
    whole: dict[Path_, Any] = {("hats", "place"): "none", ("hats", "resolution"): DROP}
    with pytest.raises(InputError, match=f"Only hexagons of one resolution can be {what}"):
        _parsed({**joint, **whole, ("query", 0, "parameters"): {name: True}})


@pytest.mark.parametrize("text", ["0", "-0.5", "inf", "-inf", "nan", "half", "0.1234567", 0.5, 1, True, []])
def test_a_bad_epsilon_per_hat_is_refused_where_it_stands(text: object) -> None:
    with pytest.raises(InputError) as caught:
        _parsed({("query", 0, "total"): DROP, ("query", 0, "division"): DROP, ("query", 0, "epsilon"): text})
    assert_tells(caught.value)
    assert caught.value.where == "query.epsilon"


TABLES: list[Path_] = [
    (),
    ("release",),
    ("data",),
    ("data", "mapping"),
    ("hats",),
    ("selection",),
    ("privacy",),
    ("query", 0),
    ("query", 0, "parameters"),
]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_an_unknown_key_is_refused_in_every_table(table: Path_) -> None:
    with pytest.raises(InputError, match="colour") as caught:
        _parsed({(*table, "colour"): "red"})
    assert_tells(caught.value)


def test_a_parameter_that_is_gone_says_so_and_what_to_delete() -> None:
    """Two-step clipping once took what its posterior estimate expected."""
    old = {("query", 0, "mechanism"): "two-step-clipping", ("query", 0, "parameters"): {"typical": 22.0}}
    with pytest.raises(InputError, match=r"'typical' is gone: .* without a posterior estimate") as caught:
        _parsed(old)
    assert_tells(caught.value)
    assert caught.value.where == "query.parameters, typical"
    assert caught.value.mend == "delete the line that starts with typical"


def test_an_unknown_key_of_a_unit_range_is_refused() -> None:
    with pytest.raises(InputError, match="'until' is unknown"):
        _parsed(
            {("data", "mapping", "unit"): DROP, ("data", "units"): [{"unit": "mph", "until": "2015-09-06"}]}
        )


@pytest.mark.parametrize(
    "units",
    [
        [{"unit": "mph", "to": "2015-09-06"}, {"unit": "m/s", "from": "2015-09-06"}],
        [{"unit": "mph", "from": "2015-09-06", "to": "2015-09-05"}],
        [{"unit": "knots"}],
        [{"from": "2015-09-06"}],
        [{"unit": "mph", "from": "yesterday"}],
    ],
)
def test_units_by_date_that_do_not_fit_are_refused(units: list[dict[str, str]]) -> None:
    with pytest.raises(InputError) as caught:
        _parsed({("data", "mapping", "unit"): DROP, ("data", "units"): units})
    assert_tells(caught.value)


@pytest.mark.parametrize("table", ["release", "data", "hats", "selection", "privacy"])
def test_a_missing_table_is_named(table: str) -> None:
    with pytest.raises(InputError, match="missing") as caught:
        _parsed({(table,): DROP})
    assert_tells(caught.value)
    assert caught.value.where == table


def test_relation_user_needs_its_constant() -> None:
    with pytest.raises(InputError, match="hats_per_vehicle is missing") as caught:
        _parsed({("privacy", "relation"): "user"})
    assert_tells(caught.value)


def test_a_mechanism_of_relation_values_is_none_of_user(tmp_path: Path) -> None:
    (tmp_path / "cells.txt").write_text("8742d9d69ffffff\n", encoding="utf-8")
    with pytest.raises(InputError, match="not offered in relation 'user'") as caught:
        _parsed(
            {
                ("privacy", "relation"): "user",
                ("privacy", "hats_per_vehicle"): 5,
                ("selection",): {"rule": "cells", "file": "cells.txt", "threshold": 3},
            },
            tmp_path,
        )
    assert_tells(caught.value)
    assert "bounded-mean" in caught.value.mend


def _with_cells(folder: Path, lines: str, resolution: int = 7) -> ReleaseSpec:
    (folder / "cells.csv").write_text(lines, encoding="utf-8")
    return _parsed(
        {
            ("selection",): {"rule": "cells", "file": "cells.csv"},
            ("hats", "resolution"): resolution,
        },
        folder,
    )


def test_a_list_of_cells_is_read_sorted_and_each_once(tmp_path: Path) -> None:
    lines = "h3_cell,name\n# west\n8742d9d69ffffff,a\n\n8742D9D68FFFFFF # east\n8742d9d69ffffff\n"
    spec = _with_cells(tmp_path, lines)
    assert spec.selection.cells == (0x8742D9D68FFFFFF, 0x8742D9D69FFFFFF)
    assert (spec.selection.threshold, spec.cells_file) == (None, "cells.csv")


@pytest.mark.parametrize(
    ("lines", "resolution", "what"),
    [
        ("8742d9d69ffffff\n", 8, "resolution 7, not 8"),
        (f"8742d9d69ffffff\n{SECRET}\n", 7, "not an H3 cell"),
        ("ffffffffffffffffffffffff\n", 7, "not an H3 cell"),
        ("8742d9d69fffff\xff\n", 7, "not an H3 cell"),
    ],
)
def test_a_list_with_another_thing_in_it_is_refused_by_line(
    lines: str, resolution: int, what: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=what) as caught:
        _with_cells(tmp_path, lines, resolution)
    assert_tells(caught.value)
    assert f"line {lines.count(chr(10))}" in caught.value.where


def test_a_boundary_is_read_into_the_cells_of_the_resolution(tmp_path: Path) -> None:
    write_geojson(tmp_path / "ward.geojson", polygon(box(72.8, 21.1, 72.9, 21.2)))
    sizes = []
    for resolution in (6, 7, 8):
        spec = _parsed(
            {
                ("selection",): {"rule": "boundary", "file": "ward.geojson"},
                ("hats", "resolution"): resolution,
            },
            tmp_path,
        )
        assert (spec.selection.rule, spec.selection.threshold) == ("boundary", None)
        assert spec.cells_file == "ward.geojson"
        sizes.append(len(spec.selection.cells))
    assert sizes[0] < sizes[1] < sizes[2]


@pytest.mark.parametrize("rule", ["cells", "boundary"])
@pytest.mark.parametrize("file", ["absent.csv", ".", ""])
def test_a_file_that_cannot_be_read_is_refused(rule: str, file: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _parsed({("selection",): {"rule": rule, "file": file}}, tmp_path)
    assert_tells(caught.value)


def test_each_rule_takes_its_own_keys_only() -> None:
    for selection in (
        {"rule": "cells", "threshold": 3},
        {"rule": "boundary"},
        {"rule": "boundary", "threshold": 3},
        {"rule": "hat", "file": "cells.csv"},
    ):
        with pytest.raises(InputError) as caught:
            _parsed({("selection",): selection})
        assert_tells(caught.value)


@pytest.mark.parametrize(
    "text",
    ["[release", 'name = "a"\nname = "b"', "a = 2016-02-30", "a = " + "9" * 5000, "\0"],
    ids=["open", "twice", "no date", "long", "zero"],
)
def test_a_file_that_is_no_toml_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not valid TOML") as caught:
        load_spec(_write(tmp_path, text))
    assert_tells(caught.value)


def test_a_spec_that_is_not_there_not_utf8_or_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes('title = "Öl"'.encode("latin-1"))
    for name in ("absent.toml", "latin.toml", "."):
        with pytest.raises(InputError) as caught:
            load_spec(tmp_path / name)
        assert_tells(caught.value)


def test_a_contribution_table_stands_in_place_of_files(tmp_path: Path) -> None:
    table = {("data", "files"): DROP, ("data", "contributions"): "table.parquet"}
    spec = _parsed(table, tmp_path)
    assert spec.data.table_path == tmp_path / "table.parquet"
    assert spec.data.files == ()
    assert spec.data.rules == _parsed({}).data.rules
    without = _parsed(table | {("data", "mapping"): DROP}, tmp_path)
    assert without.data.rules.mapping == TABLE_MAPPING
    assert without.data.rules.zone == "America/Chicago"


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({("data", "contributions"): "table.parquet"}, "data.files"),
        ({("data", "files"): DROP}, "data.files"),
        ({("data", "files"): DROP, ("data", "contributions"): ""}, "data.contributions"),
        ({("data", "files"): DROP, ("data", "contributions"): 5}, "data.contributions"),
        ({("data", "mapping"): DROP}, "data.mapping"),
    ],
)
def test_data_are_files_or_a_table(changes: dict[Path_, Any], key: str) -> None:
    with pytest.raises(InputError) as caught:
        _parsed(changes)
    assert caught.value.where is not None
    assert caught.value.where.startswith(key)
    assert_tells(caught.value)


DELAY: dict[str, Any] = {
    "name": "delay",
    "column_unit": "s",
    "unit": "s",
    "lower": -600,
    "upper": 1800,
    "physical_min": -7200,
    "physical_max": 7200,
}
OF_DELAYS: dict[Path_, Any] = {
    ("data", "value"): DELAY,
    ("data", "upper_bound_kmh"): DROP,
    ("data", "mapping", "unit"): DROP,
}


def test_another_value_has_bounds_and_limits_of_its_own() -> None:
    rules = _parsed(OF_DELAYS).data.rules
    assert rules.value is not None
    assert (rules.upper_bound, rules.quantity.lower) == (2_400_000, -600_000)
    assert rules.physical_limits == (-7_200_000, 7_200_000)
    assert rules.quantity.unit == "s"
    assert not rules.tell_dwell


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("data", "upper_bound_kmh"), 65.0),
        (("data", "mapping", "physical_max_kmh"), 200),
        (("data", "mapping", "unit"), "km/h"),
        (("data", "mapping", "unit_kmh"), 3.6),
        (("data", "units"), [{"unit": "km/h"}]),
        (("data", "derived_speed"), {"max_gap_seconds": 60}),
    ],
)
def test_what_is_of_a_speed_has_no_place_beside_another_value(path: Path_, value: Any) -> None:
    with pytest.raises(InputError, match="is of a speed") as refused:
        _parsed(OF_DELAYS | {path: value})
    assert_tells(refused.value)
    assert refused.value.where == ".".join(map(str, path))


@pytest.mark.parametrize(("key", "example"), [("lower", -600), ("physical_max", 7200)])
def test_a_number_that_is_missing_is_asked_for_by_one_that_may_stand_there(key: str, example: int) -> None:
    without = {name: value for name, value in DELAY.items() if name != key}
    with pytest.raises(InputError, match="is missing") as refused:
        _parsed(OF_DELAYS | {("data", "value"): without})
    assert refused.value.mend == f"write {key} = {example}"


def test_a_factor_that_is_no_number_is_asked_for_by_the_example_of_a_factor() -> None:
    with pytest.raises(InputError, match="must be a number") as refused:
        _parsed({("data", "mapping", "unit"): DROP, ("data", "mapping", "unit_kmh"): "0,1"})
    assert refused.value.mend == "write unit_kmh = 0.036"


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        *((key, DROP, key) for key in DELAY),
        ("lower", 1800, "lower"),
        ("lower", 2000, "lower"),
        ("physical_min", -599.999, "physical_min"),
        ("physical_max", 1799.999, "physical_max"),
        ("physical_max", -8000, "physical_min"),
        ("upper", 1_000_000.001, "upper"),
        ("name", "", "name"),
        ("unit", 5, "unit"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_the_name_of_its_key(
    key: str, value: Any, where: str
) -> None:
    table = {name: old for name, old in (DELAY | {key: value}).items() if old is not DROP}
    with pytest.raises(InputError) as refused:
        _parsed(OF_DELAYS | {("data", "value"): table})
    assert_tells(refused.value)
    assert refused.value.where == f"data.value.{where}"


def test_another_value_needs_its_column() -> None:
    with pytest.raises(InputError, match="column of the value") as refused:
        _parsed(OF_DELAYS | {("data", "mapping", "value"): DROP})
    assert refused.value.where == "data.mapping.value"


def test_the_unit_none_is_refused_with_the_lines_to_write() -> None:
    with pytest.raises(InputError, match="no longer used") as refused:
        _parsed({("data", "mapping", "unit"): "none"})
    lines = "\n".join(refused.value.mend.splitlines()[1:])
    assert tomllib.loads(lines)["data"]["value"] == DELAY


@pytest.mark.parametrize(("bound", "limit"), [(65, 200), (200, 200), (250.5, 250.5), (1000, 1000)])
def test_the_usual_physical_limit_holds_every_speed_up_to_u(bound: float, limit: float) -> None:
    rules = _parsed({("data", "upper_bound_kmh"): bound}).data.rules
    assert rules.physical_limits == (0, round(limit * 1000))


def test_parts_are_read_each_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(CONTRACT, encoding="utf-8")
    whole, parts = load_spec(path), load_parts(path, "hats", "privacy", "selection", "query")
    for name in ("resolution", "window", "selection", "minimum_vehicles", "unit", "relation", "population"):
        assert getattr(parts, name) == getattr(whole, name), name
    assert parts.queries == whole.queries
    assert load_parts(path) == SpecParts()
    assert load_parts(path, "hats") == SpecParts(resolution=whole.resolution, window=whole.window)
    assert reading_rules(path) == whole.data.rules


@pytest.mark.parametrize("counts_only", [False, True])
def test_blanks_count_as_absent_for_counts_alone(tmp_path: Path, *, counts_only: bool) -> None:
    path = tmp_path / "spec.toml"
    mapping = 'vehicle = "a"\ntime = "b"\nposition = "c"\nvalue = "d"\nunit = ""\nlatitude = ""\n'
    path.write_text(f'[data]\nzone = ""\n[data.mapping]\n{mapping}[data.format]\nsheet = ""\n')
    if counts_only:
        rules = reading_rules(path, counts_only=True)
        assert (rules.zone, rules.upper_bound, rules.mapping.units[0].unit) == (None, 65_000, "km/h")
    else:
        with pytest.raises(InputError, match="zone"):
            reading_rules(path)


@pytest.mark.parametrize("counts_only", [False, True])
def test_that_no_word_means_a_missing_value_is_no_blank(tmp_path: Path, *, counts_only: bool) -> None:
    path = tmp_path / "spec.toml"
    mapping = 'vehicle = "a"\ntime = "b"\nposition = "c"\nvalue = "d"\nunit = "km/h"\n'
    bound = "upper_bound_kmh = 65.0\n"
    path.write_text(f"[data]\n{bound}[data.mapping]\n{mapping}[data.format]\nmissing = []\n")
    assert reading_rules(path, counts_only=counts_only).format.missing == ()
