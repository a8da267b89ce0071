"""core.cli.begin_spec: what of a look is written down, by relation; the whole way is tried with `inspect`."""

from __future__ import annotations

import datetime as dt
import tomllib
from pathlib import Path
from typing import Any

import pytest

from core.assist.guessed_parts import guessed_parts
from core.assist.proposed_format import ProposedFormat
from core.assist.suggested_choices import suggest_choices
from core.cli.begin_spec import begin_spec, named_files, require_new_file, write_spec
from core.errors import InputError
from core.privacy import Relation
from core.read.preview_rows import Preview

COLUMNS = ("plate", "time", "lat", "lon", "speed")
ROW = ("A", "31/03/2021 10:00:00 +0530", "21,1", "72,8", "30,5")
DAY = dt.date(2021, 3, 31)


def begun(relation: Relation | None, row: tuple[str, ...] = ROW, columns: tuple[str, ...] = COLUMNS) -> Any:
    """The spec as nested tables, and its blanks."""
    suggestion = suggest_choices(Preview(columns=columns, rows=(row,) * 5))
    parts = guessed_parts(suggestion, ProposedFormat(encodings=(), sheets=()))
    spec = begin_spec(
        suggestion.choices, parts, files=["a.csv"], relation=relation, date_ranges=((DAY, DAY),)
    )
    return tomllib.loads(spec.text), spec.blanks


def test_in_relation_values_what_the_records_tell_is_written_down() -> None:
    document, blanks = begun(Relation.VALUES)
    assert document["data"]["zone"] == "Asia/Kolkata"
    assert document["data"]["format"] == {"decimal": ",", "date_order": "dmy"}
    assert document["hats"]["dates"] == ["2021-03-31", "2021-03-31"]
    assert "privacy.relation" not in blanks


@pytest.mark.parametrize("relation", [Relation.USER, None])
def test_elsewhere_it_is_left_blank(relation: Relation | None) -> None:
    document, blanks = begun(relation)
    assert document["data"]["mapping"]["vehicle"] == "plate"
    told = {"data.zone", "data.format.decimal", "data.format.date_order", "hats.dates"}
    assert told <= set(blanks)
    assert document["data"]["zone"] == ""
    assert document["data"]["format"] == {"decimal": "", "date_order": ""}
    assert document["hats"]["dates"] == []
    assert {"pings", "units"}.isdisjoint(document["data"])
    assert "box" not in document["data"]["mapping"]


def test_the_constants_of_relation_user_are_asked_for() -> None:
    _, blanks = begun(Relation.USER)
    assert {"selection.rule", "selection.file", "privacy.hats_per_vehicle", "query.mechanism"} <= set(blanks)
    _, open_relation = begun(None)
    assert {"privacy.relation", "selection.rule", "query.mechanism"} <= set(open_relation)


def test_a_unit_is_asked_for_among_those_of_the_relation() -> None:
    offered = {}
    for relation in Relation:
        suggestion = suggest_choices(Preview(columns=COLUMNS, rows=(ROW,) * 5))
        parts = guessed_parts(suggestion, ProposedFormat(encodings=(), sheets=()))
        spec = begin_spec(suggestion.choices, parts, files=["a.csv"], relation=relation)
        blanks = (line for line in spec.text.splitlines() if line.startswith('unit = ""  # FILL IN'))
        (line,) = (line for line in blanks if "vehicle" in line)
        offered[relation] = line.partition("FILL IN: ")[2]
    assert '"vehicle-hat-day"' in offered[Relation.VALUES]
    assert offered[Relation.USER] == '"vehicle" or "vehicle-day"'


def test_a_speed_from_positions_has_a_table_of_its_own() -> None:
    document, blanks = begun(
        Relation.VALUES, ("A", "2021-03-31T10:00:00Z", "[72.8, 21.1]"), ("plate", "time", "location")
    )
    assert document["data"]["derived_speed"] == {"max_gap_seconds": 120}
    assert document["data"]["mapping"]["position_order"] == "lon,lat"
    assert {"data.mapping.value", "data.mapping.unit"}.isdisjoint(blanks)
    assert "data.zone" in blanks


def test_a_file_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "city.toml"
    require_new_file(path, overwrite=False)
    path.write_text("mine")
    spec = begin_spec(
        suggest_choices(Preview(columns=COLUMNS, rows=(ROW,))).choices,
        guessed_parts(
            suggest_choices(Preview(columns=COLUMNS, rows=(ROW,))), ProposedFormat(encodings=(), sheets=())
        ),
        files=["a.csv"],
        relation=None,
    )
    with pytest.raises(InputError, match="there already"):
        write_spec(path, spec, overwrite=False)
    assert path.read_text() == "mine"
    write_spec(path, spec, overwrite=True)
    assert path.read_text(encoding="utf-8") == spec.text
    assert [one.name for one in tmp_path.iterdir()] == ["city.toml"]
    write_spec(tmp_path / "new" / "city.toml", spec, overwrite=False)
    assert (tmp_path / "new" / "city.toml").is_file()
    with pytest.raises(InputError, match="cannot be created"):
        write_spec(path / "below" / "city.toml", spec, overwrite=False)


def test_files_are_named_from_where_the_spec_lies(tmp_path: Path) -> None:
    named = named_files(
        [str(tmp_path / "a" / "*.csv"), str(tmp_path / "b.csv")], tmp_path / "a" / "city.toml"
    )
    assert named == ["*.csv", "../b.csv"]


@pytest.mark.parametrize("relation", [*Relation, None])
def test_public_names_are_proposed_and_never_taken(relation: Relation | None) -> None:
    """A spec says nothing of a column that nobody chose; the line is there for who takes it."""
    suggestion = suggest_choices(Preview(columns=COLUMNS, rows=(ROW,) * 5))
    parts = guessed_parts(suggestion, ProposedFormat(encodings=(), sheets=()))
    text = begin_spec(
        suggestion.choices, parts, files=["a.csv"], relation=relation, named={"route": "route_id"}
    ).text
    line = 'columns = { route = "route_id" }'
    assert f"\n# {line}\n" in text
    assert "columns" not in tomllib.loads(text)["data"]["mapping"]
    assert tomllib.loads(text.replace(f"# {line}", line))["data"]["mapping"]["columns"] == {
        "route": "route_id"
    }
