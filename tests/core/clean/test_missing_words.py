"""Words for "missing": empty in every column, counted, and never where they can be read as something."""

from __future__ import annotations

import dataclasses

import pyarrow as pa
import pytest

from core.clean.drop_and_clamp import CleanBatch, clean_batch, parse_batch
from core.clean.mapping import ColumnMapping
from core.read.file_format import MISSING_WORDS, FileFormat
from tests.records import ZONE, instant, rules

APART = ColumnMapping(vehicle="id", date="day", time="at", latitude="lat", longitude="lon", value="kmh")
GOOD = {"id": "7", "day": "2022-01-01", "at": "10:00:00", "lat": "21.19", "lon": "72.83", "kmh": "30"}
ONE_COLUMN = dataclasses.replace(APART, latitude="", longitude="", position="at_both")
REASONS = {"id": "no_id", "day": "no_time", "at": "no_time", "lat": "no_position", "kmh": "no_value"}


def cleaned(*rows: dict[str, str], mapping: ColumnMapping = APART, missing: tuple[str, ...]) -> CleanBatch:
    table = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in mapping.columns})
    reading = dataclasses.replace(rules(mapping, zone=ZONE), format=FileFormat(missing=missing))
    return clean_batch(parse_batch(table, reading), reading, ZONE, instant("2022-06-01T00:00:00Z"))


def reasons(batch: CleanBatch) -> dict[str, int]:
    return {reason: count for reason, count in batch.dropped.items() if count}


@pytest.mark.parametrize("word", MISSING_WORDS)
def test_a_word_for_missing_is_an_empty_cell_of_any_column(word: str) -> None:
    for column, reason in REASONS.items():
        batch = cleaned(GOOD, GOOD | {column: f" {word}"}, missing=MISSING_WORDS)
        assert (reasons(batch), batch.missing_words) == ({reason: 1}, 1), column
    both = GOOD | {"at_both": "[72.83, 21.19]"}
    batch = cleaned(both, both | {"at_both": word}, mapping=ONE_COLUMN, missing=MISSING_WORDS)
    assert (reasons(batch), batch.missing_words) == ({"no_position": 1}, 1)


def test_without_words_cells_are_read_as_they_stand() -> None:
    batch = cleaned(GOOD | {"id": "NULL"}, GOOD | {"kmh": "NULL"}, missing=())
    assert (reasons(batch), batch.names, batch.missing_words) == ({"unparsable": 1}, ("null", "7"), 0)


def test_other_words_count_even_where_they_could_be_read() -> None:
    rows = (GOOD | {"id": "0"}, GOOD | {"kmh": "0"}, GOOD | {"kmh": "NULL"}, GOOD)
    batch = cleaned(*rows, missing=("0",))
    assert reasons(batch) == {"no_id": 1, "no_value": 1, "unparsable": 1}
    assert (batch.value.size, batch.missing_words) == (1, 2)


def test_a_number_that_is_none_is_missing_in_columns_of_numbers() -> None:
    table = pa.table({name: pa.array([cell, cell]) for name, cell in GOOD.items()})
    table = table.set_column(5, "kmh", pa.array([30.0, float("nan")]))
    reading = rules(APART, zone=ZONE)
    batch = clean_batch(parse_batch(table, reading), reading, ZONE, instant("2022-06-01T00:00:00Z"))
    assert (reasons(batch), batch.missing_words) == ({"no_value": 1}, 1)
