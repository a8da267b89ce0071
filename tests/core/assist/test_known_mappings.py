"""core.assist.known_mappings: kept by shape, private, newest first; what is broken counts as absent."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import os
import stat
from pathlib import Path

import pytest

from core.assist.known_mappings import MOST_STORED, FileShape, recall, remember, shape_of
from core.assist.reading_choices import choices_of
from core.clean.mapping import Box, UnitRange
from core.errors import InputError
from core.read.file_format import FileFormat
from tests.records import COLUMNS, mapping_in, rules, sample_pings, write_csv, write_json

TODAY = dt.date(2026, 11, 20)
SHAPE = FileShape(kind="csv", columns=tuple(sorted(COLUMNS)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mappings.json"


def everything():
    units = (
        UnitRange(unit="mph", last=dt.date(2015, 12, 29)),
        UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
    )
    box = Box(south=21.0, west=72.5, north=21.5, east=73.0)
    mapping = mapping_in("mph", units=units, box=box, physical_max=120_000)
    file_format = FileFormat(encoding="cp1252", delimiter=";", decimal=",", date_order="dmy")
    return dataclasses.replace(rules(mapping), format=file_format)


@pytest.mark.parametrize("made", [rules(), everything()])
def test_a_mapping_comes_back_as_it_was(file: Path, made) -> None:
    remember(file, SHAPE, made, TODAY)
    known = recall(file, SHAPE)
    assert known is not None
    assert (known.saved, known.choices) == (TODAY, choices_of(made))


def test_the_shape_is_kind_and_names_in_any_order(file: Path, tmp_path: Path) -> None:
    table = write_csv(tmp_path / "other.csv.gz", sample_pings())
    shape = shape_of(table, tuple(reversed(COLUMNS)))
    assert shape == SHAPE
    remember(file, SHAPE, rules(), TODAY)
    assert recall(file, shape) is not None
    assert recall(file, shape_of(write_json(tmp_path / "a.json", sample_pings()), COLUMNS)) is None
    assert recall(file, shape_of(table, (*COLUMNS, "more"))) is None
    with pytest.raises(InputError):
        shape_of(Path("a.docx"), COLUMNS)


def test_the_newest_of_a_shape_replaces_the_one_before(file: Path) -> None:
    remember(file, SHAPE, rules(), TODAY)
    remember(file, SHAPE, rules(mapping_in("mph")), TODAY + dt.timedelta(days=1))
    known = recall(file, SHAPE)
    assert known is not None
    assert known.choices.units == (UnitRange(unit="mph"),)
    assert len(json.loads(file.read_text())) == 1


def test_only_the_newest_are_kept(file: Path) -> None:
    shapes = [
        FileShape(kind="csv", columns=tuple(sorted((*COLUMNS, f"c{n}")))) for n in range(MOST_STORED + 3)
    ]
    for shape in shapes:
        remember(file, shape, rules(), TODAY)
    assert len(json.loads(file.read_text())) == MOST_STORED
    assert recall(file, shapes[2]) is None
    assert recall(file, shapes[3]) is not None
    assert recall(file, shapes[-1]) is not None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_only_the_owner_may_read_it(file: Path) -> None:
    remember(file, SHAPE, rules(), TODAY)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_date_apart_is_kept_and_what_was_kept_before_it_has_none(file: Path) -> None:
    shape = FileShape(kind="csv", columns=tuple(sorted((*COLUMNS, "day"))))
    remember(file, shape, rules(mapping_in("mph", date="day")), TODAY)
    known = recall(file, shape)
    assert known is not None
    assert known.choices.date == "day"
    entries = json.loads(file.read_text())
    del entries[0]["choices"]["date"]
    file.write_text(json.dumps(entries))
    known = recall(file, shape)
    assert known is not None
    assert known.choices.date == ""


def damaged(**changes: object) -> str:
    entry = {
        "kind": SHAPE.kind,
        "columns": list(SHAPE.columns),
        "saved": "2026-11-20",
        "choices": {
            "vehicle": "license_plate",
            "time": "observationDateTime",
            "value": "speed",
            "latitude": "latitude",
            "longitude": "longitude",
            "units": [{"unit": "mph", "first": None, "last": None}],
            "box": None,
            "derived": None,
        },
    }
    choices = changes.pop("choices", {})
    return json.dumps([entry | changes | {"choices": entry["choices"] | choices}])  # type: ignore[operator]


def test_the_undamaged_entry_is_read(file: Path) -> None:
    file.write_text(damaged())
    assert recall(file, SHAPE) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{}",
        "[1, null]",
        "[" * 50_000,
        damaged(saved="yesterday"),
        damaged(choices={"vehicle": "no such column"}),
        damaged(choices={"units": [{"unit": "parsec", "first": None, "last": None}]}),
        damaged(choices={"units": None}),
        damaged(choices={"box": {"south": 1}}),
        damaged(choices={"box": {"south": 9, "west": 0, "north": 1, "east": 1}}),
        damaged(choices={"unheard_of": 1}),
    ],
)
def test_what_cannot_be_understood_counts_as_absent_and_is_written_over(file: Path, text: str) -> None:
    file.write_text(text)
    assert recall(file, SHAPE) is None
    remember(file, SHAPE, rules(), TODAY)
    assert recall(file, SHAPE) is not None


def test_a_zone_that_this_machine_does_not_know_is_asked_for(file: Path) -> None:
    file.write_text(damaged(choices={"zone": "Asia/Nowhere"}))
    known = recall(file, SHAPE)
    assert known is not None
    assert known.choices.zone == ""
    assert "zone" in known.choices.still_open


def test_nothing_was_kept_yet(file: Path) -> None:
    assert recall(file, SHAPE) is None


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        remember(tmp_path / "none" / "mappings.json", SHAPE, rules(), TODAY)
