"""core.spec.first_spec: a spec as text, with blanks that are refused until they are filled."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from core.errors import InputError
from core.spec import SPEC, parse_spec
from core.spec.first_spec import FILL_IN, first_spec
from core.spec.schema import Sub, Tables
from tests.city import SPEC as CITY


def flat(table: dict[str, Any], above: str = "") -> dict[str, Any]:
    """Path -> value of every key; of a list of tables the first."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        one = value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else value
        found |= flat(one, f"{above}{name}.") if isinstance(one, dict) else {f"{above}{name}": one}
    return found


GIVEN = flat(tomllib.loads(CITY)) | {"data.mapping.vehicle": 'a "b" \\ \x7f é'}
GIVEN = {path: value for path, value in GIVEN.items() if not path.startswith("query.parameters")}


def test_what_is_given_is_read_again_as_it_was() -> None:
    assert flat(tomllib.loads(first_spec(GIVEN, {}))) == GIVEN


def test_every_key_comes_with_its_sentence() -> None:
    text = " ".join(first_spec(GIVEN, {}).replace("\n# ", " ").split())
    for path in GIVEN:
        assert SPEC.key(path).help in text, path
    assert max(map(len, first_spec(GIVEN, {}).splitlines())) <= 110


@pytest.mark.parametrize("path", [path for path in GIVEN if path not in ("selection.threshold",)])
def test_a_blank_is_valid_toml_marked_and_refused_or_as_if_absent(path: str, tmp_path: Any) -> None:
    given = {name: value for name, value in GIVEN.items() if name != path}
    text = first_spec(given, {path: ""})
    (line,) = [
        line for line in text.splitlines() if line.startswith(path.rpartition(".")[2]) and FILL_IN in line
    ]
    document = tomllib.loads(text)
    if path == "privacy.confirmed":
        assert not parse_spec(document, tmp_path).confirmed
        return
    if path in ("hats.resolution", "hats.slot_minutes", "hats.hours", "selection.minimum_vehicles"):
        return  # these have defaults, and nobody leaves them blank
    with pytest.raises(InputError) as caught:
        parse_spec(document, tmp_path)
    assert path.rpartition(".")[2] in str(caught.value), line


def test_a_hint_stands_beside_the_blank() -> None:
    text = first_spec({}, {"hats.dates": "", "privacy.relation": "", "query.mechanism": "yours"})
    assert 'relation = ""  # FILL IN: one of "values", "user"' in text
    assert 'dates = []  # FILL IN: for instance ["2016-11-24", "2016-11-27"]' in text
    assert 'mechanism = ""  # FILL IN: yours' in text
    assert "[[query]]" in text
    assert "[data]" not in text


def test_tables_have_no_line_of_their_own() -> None:
    tables = {path for path, key in SPEC.walk() if isinstance(key.kind, Sub | Tables)}
    assert not tables & GIVEN.keys()
