"""Which objects of a JSON text are records, and how they are taken out of what holds them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.read.json_records import RecordLists, lists_in, names_of, rows_of_columns, score

PING = {"id": "7", "time": 1, "lat": 59.9, "lon": 10.7}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"time": 1, "vehicles": [PING]}, "vehicles"),
        ({"routes": [{"id": 1, "vehicles": [PING]}]}, "routes.vehicles"),
        ({"7": PING, "8": PING}, "*"),
        ({"data": {"7": PING, "8": PING}}, "data.*"),
        ({"p1": {"results": [PING]}}, "p1.results"),
        ({"topic": "avl", "value": json.dumps([PING])}, "value"),
        ({"fields": list(PING), "rows": [list(PING.values())]}, "rows"),
        ({"meta": {"columns": [{"name": name} for name in PING]}, "data": [list(PING.values())]}, "data"),
    ],
)
def test_records_are_found_by_their_names_and_by_the_name_of_their_list(value: Any, name: str) -> None:
    assert RecordLists(frozenset(PING)).records(value) == [PING] * (2 if "*" in name else 1)
    assert RecordLists(frozenset(), name).records(value) == [PING] * (2 if "*" in name else 1)


def test_objects_of_other_kinds_are_counted_and_a_record_keeps_its_own_lists() -> None:
    vehicle = PING | {"stops": [{"time": 2, "lat": 59.0, "lon": 10.0}]}
    lists = RecordLists(names_of([vehicle]))
    value = {
        "errors": [{"code": 1}],
        "buses": [vehicle],
        "trams": [vehicle, vehicle],
        "agencies": [{"id": 1}],
    }
    assert lists.records(value) == [vehicle] * 3
    assert lists.unread == 2


@pytest.mark.parametrize("numbered", [False, True])
def test_a_list_for_each_column_holds_a_record_a_row(numbered: bool) -> None:
    """As programs write that have tables of columns; pandas names the rows by their numbers."""
    pings = [PING, PING | {"id": "8", "time": 2}]
    table: dict[str, Any] = {name: [ping[name] for ping in pings] for name in PING}
    if numbered:
        table = {name: {str(row): cell for row, cell in enumerate(cells)} for name, cells in table.items()}
    assert rows_of_columns(table) == pings
    assert RecordLists(frozenset(PING)).records(table) == pings
    assert RecordLists(frozenset(PING)).records({"made": 1, "data": table}) == pings
    assert RecordLists(frozenset(), "data").records({"data": table}) == pings


@pytest.mark.parametrize(
    "value",
    [
        PING,
        {"id": ["7"], "time": [1], "lat": [59.9, 60.0], "lon": [10.7]},
        {"id": [{"a": 1}], "time": [1], "lat": [59.9], "lon": [10.7]},
        {"a": [1], "b": [2], "c": [3], "d": [4]},
        {"time": [1], "position": [[59.9, 10.7]]},
        {name: {str(row): cell} for row, (name, cell) in enumerate(PING.items())},
        {"7": PING, "8": PING},
    ],
)
def test_whatever_is_no_table_of_columns_has_no_rows(value: object) -> None:
    assert rows_of_columns(value) == []


@pytest.mark.parametrize("name", ["", "data"])
def test_an_odd_cell_among_the_first_costs_its_row_alone(name: str) -> None:
    """It made a record of the whole table, which nobody could read."""
    odd = [PING | {"lat": {"of": "tram"}}, PING, PING]
    table = {key: [ping[key] for ping in odd] for key in PING}
    assert RecordLists(frozenset(PING), name).records({"data": table}) == odd


def test_a_named_table_is_one_whatever_its_cells_are() -> None:
    """In relation `user`, where no record decides how another is read."""
    odd = [PING | {"lat": {"of": "tram"}}]
    table = {key: [ping[key] for ping in odd] for key in PING}
    assert RecordLists(frozenset(), "data").records({"data": table}) == odd


@pytest.mark.parametrize("name", ["", "rows"])
@pytest.mark.parametrize("row", [[1], [*PING.values(), 1], "oops", {"id": "7"}, None])
def test_a_row_of_another_kind_or_length_is_no_record(row: Any, name: str) -> None:
    cells = list(PING.values())
    value = {"fields": list(PING), "rows": [row, cells, cells]}
    assert RecordLists(frozenset(PING), name).records(value) == [None, PING, PING]


def test_a_start_and_an_end_are_no_records_of_one_vehicle() -> None:
    trip = {"id": "7", "start": {"lat": 1.0, "time": 1}, "end": {"lat": 1.0, "time": 2}}
    assert list(lists_in(trip)) == []


def test_nesting_without_end_and_texts_that_begin_like_json_stop_nothing() -> None:
    deep: Any = [PING]
    for _ in range(50):
        deep = {"a": [deep]}
    assert RecordLists(frozenset(PING)).records({"a": deep, "b": "[" * 100_000, "c": "{x"}) == []


@pytest.mark.parametrize(
    ("names", "points"),
    [
        (["vehicleId", "lastLocationUpdateTime", "location.lat"], 2),
        (["attributes.GPSTIME", "geometry.x"], 2),
        (["id", "name", "timezone"], 1),
        (["plate", "platform", "relation", "colony"], 0),
    ],
)
def test_names_tell_a_position_and_a_time(names: list[str], points: int) -> None:
    assert score(names) == points
