"""JSON: previews, records that are none, fields that nest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.ingest.load import load_records
from core.ingest.readers.json_files import READER
from tests.records import POINT_MAPPING, as_itms, assert_same, make_records, rules, sample_pings

PINGS = sample_pings()


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_no_object_counts_as_unparsable(tmp_path: Path) -> None:
    items = [1, *as_itms(PINGS), "text", None, [2]]
    loaded = load_records([_write(tmp_path / "a.json", json.dumps(items))], rules(POINT_MAPPING))
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.dropped == {"unparsable": 4}
    assert loaded.report.rows_read == len(items)


def test_absent_fields_and_nulls_are_counted_by_what_is_missing(tmp_path: Path) -> None:
    whole = as_itms(PINGS)
    spoilt = [
        {key: value for key, value in whole[0].items() if key != "license_plate"},
        whole[1] | {"observationDateTime": None},
        whole[2] | {"location": None},
        whole[3] | {"speed": None},
    ]
    loaded = load_records([_write(tmp_path / "a.json", json.dumps(spoilt + whole[4:]))], rules(POINT_MAPPING))
    assert loaded.report.dropped == {"no_id": 1, "no_time": 1, "no_position": 1, "no_value": 1}
    assert_same(loaded.records, make_records(PINGS[4:]))


def test_preview_flattens_names_in_order_of_appearance(tmp_path: Path) -> None:
    objects = [{"a": {"b": 1, "c": [1.5, 2]}, "d": None}, {"d": "x", "e": True}]
    preview = READER.preview(_write(tmp_path / "a.json", json.dumps(objects)))
    assert preview.columns == ("a.b", "a.c", "d", "e")
    assert preview.rows == (("1", "[1.5, 2]", "", ""), ("", "", "x", "True"))


def test_preview_reads_at_most_200_objects(tmp_path: Path) -> None:
    preview = READER.preview(_write(tmp_path / "a.jsonl", '{"a": 1}\n' * 300))
    assert len(preview.rows) == 200


def test_an_escaped_half_of_a_character_stops_nothing(tmp_path: Path) -> None:
    odd = as_itms(PINGS[:1])[0] | {"license_plate": "\ud800"}
    loaded = load_records(
        [_write(tmp_path / "a.json", json.dumps([odd, *as_itms(PINGS)]))], rules(POINT_MAPPING)
    )
    assert loaded.report.rows_used == len(PINGS) + 1


def test_a_field_that_no_record_has_is_named_with_those_there_are(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", json.dumps([{"plate": "x", "location": {"lat": 1}}]))
    with pytest.raises(InputError, match="No record has the field 'license_plate'") as caught:
        list(READER.batches(path, ["license_plate"]))
    assert "plate, location.lat" in caught.value.mend
