"""Public names of columns and filters by them: what a spec may say, and what it may not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from core.clean.record_filter import RecordFilter
from core.errors import InputError
from core.spec import keys, parse_spec
from core.spec.declared_tables import answers_of, write_table
from core.spec.identity import identity
from tests.city import SPEC
from tests.records import assert_tells

NAMED = 'way = "trip_direction", fast = "speed", when = "time", north = "lat", bus = "vehicle"'
MAPPED = SPEC.replace('unit = "km/h"', f'unit = "km/h"\ncolumns = {{ {NAMED} }}')
FILTERED = MAPPED.replace("[hats]", '[data.filter]\nway = ["UP"]\nnot_way = ["DN"]\n\n[hats]')


def test_a_filter_is_read_written_and_part_of_the_request() -> None:
    spec = parse_spec(tomllib.loads(FILTERED), Path())
    rules = spec.data.rules
    assert set(rules.filters) == {
        RecordFilter(name="way", values=("UP",)),
        RecordFilter(name="way", values=("DN",), excluded=True),
    }
    assert "trip_direction" in rules.mapping.columns
    table = keys.SPEC.table("data")
    written = write_table(table, answers_of(table, rules))
    assert written["filter"] == {"not_way": ["DN"], "way": ["UP"]}
    assert written["mapping"]["columns"] == tomllib.loads(f"columns = {{ {NAMED} }}")["columns"]
    assert identity(spec)["data"]["filter"] == {"not_way": ["DN"], "way": ["UP"]}
    assert "filter" not in identity(parse_spec(tomllib.loads(MAPPED), Path()))["data"]


@pytest.mark.parametrize(
    ("edit", "where", "words"),
    [
        (('way = ["UP"]', 'road = ["UP"]'), "data.filter.road", ("No column", "road")),
        (('way = ["UP"]', 'fast = ["30"]'), "data.filter.fast", ("column of the value", "protected")),
        (('way = ["UP"]', 'when = ["x"]'), "data.filter.when", ("column of the time",)),
        (('way = ["UP"]', 'north = ["x"]'), "data.filter.north", ("column of the latitude",)),
        (('way = ["UP"]', 'bus = ["bus-1"]'), "data.filter.bus", ("would publish ids",)),
        (('way = ["UP"]', 'way = ["\\u200b"]'), "data.filter.way", ("invisible",)),
        (('way = ["UP"]', "way = []"), "data.filter.way", ("list of texts",)),
        (("{ way =", "{ Way ="), "data.mapping.columns.Way", ("lower-case",)),
        (("{ way =", "{ time ="), "data.mapping.columns.time", ("not id, time",)),
        (("{ way =", "{ not_way ="), "data.mapping.columns.not_way", ("lower-case",)),
    ],
)
def test_what_cannot_be_is_refused_by_its_key(
    edit: tuple[str, str], where: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(InputError) as refused:
        parse_spec(tomllib.loads(FILTERED.replace(*edit)), Path())
    assert_tells(refused.value)
    assert refused.value.where == where
    assert all(word in refused.value.what for word in words)


def test_what_is_no_vehicle_may_be_left_out_by_its_text() -> None:
    text = FILTERED.replace('way = ["UP"]', 'not_bus = ["0"]')
    filters = parse_spec(tomllib.loads(text), Path()).data.rules.filters
    assert RecordFilter(name="bus", values=("0",), excluded=True) in filters
