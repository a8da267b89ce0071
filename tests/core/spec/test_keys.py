"""The declared keys: each is read, refused, written and told, and a new one needs one row."""

from __future__ import annotations

import copy
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from core.clean.mapping import ReadingRules
from core.draft.draft import Draft, QueryDraft, document, draft_of
from core.errors import InputError
from core.spec import SPEC, identity, parse_spec
from core.spec.column_kinds import Filters, GroupLabels, NamedColumns
from core.spec.schema import Key, Sub, Table, Tables
from core.spec.toml_section import Retired
from core.spec.value_kinds import Parameters, Text
from docs.write_keys import keys_text
from tests.records import assert_tells
from tests.specs import SMALL, example_of, folder_of_files, read_alone, spec_with, table_at

KEYS = dict(SPEC.walk())
PLAIN = {
    path: key for path, key in KEYS.items() if key.inner is None and not isinstance(key.kind, Parameters)
}


def wrong_for(key: Key) -> Any:
    """A value of a kind that the key does not take."""
    of_tables = isinstance(key.kind, Parameters | NamedColumns | Filters | GroupLabels)
    return 5 if key.inner is not None or of_tables else {"no": "value"}


def refused(spec: dict[str, Any], folder: Path, schema: Table = SPEC) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_spec(spec, folder, schema)
    assert_tells(caught.value)
    return caught.value


def test_every_key_is_read_where_it_may_stand(tmp_path: Path) -> None:
    folder = folder_of_files(tmp_path)
    for path, key in KEYS.items():
        spec = parse_spec(spec_with(path, key), folder)
        assert spec.texts.name, path
        assert spec.queries, path


def test_a_value_of_another_kind_is_refused_by_the_name_of_its_key(tmp_path: Path) -> None:
    folder, named = folder_of_files(tmp_path), {}
    for path, key in KEYS.items():
        spec = spec_with(path, key)
        table_at(spec, path)[key.name] = wrong_for(key)
        named[path] = refused(spec, folder).where
    assert named == {path: path for path in KEYS}


def test_a_key_that_is_needed_and_not_there_is_named(tmp_path: Path) -> None:
    folder, named = folder_of_files(tmp_path), {}
    needed = [path for path, key in KEYS.items() if key.required]
    for path in needed:
        spec = spec_with(path, KEYS[path])
        del table_at(spec, path)[KEYS[path].name]
        named[path] = refused(spec, folder).where
    assert named == {path: path for path in needed}


def test_every_key_is_told_in_the_documents() -> None:
    text = keys_text()
    for path, key in KEYS.items():
        if key.inner is not None:
            assert f"#### `[{path}]`" in text or f"#### `[[{path}]]`" in text, path
        else:
            assert f"\n| `{key.name}` | " in text, path
        assert key.help.endswith("."), path
        assert key.help in text or "." not in path, path


def test_a_key_has_an_example_or_a_default_that_can_be_read() -> None:
    for path, key in PLAIN.items():
        for value in filter(lambda value: value is not None, (example_of(key, path), *_default(key))):
            read = read_alone(key, value)
            assert key.check is None or key.check(read) == read, path
            assert read_alone(key, key.kind.write(read)) == read, path  # type: ignore[union-attr]
        assert key.example or key.default is not None, path


def _default(key: Key) -> list[Any]:
    return [] if key.default is None else [key.kind.write(key.default)]  # type: ignore[union-attr]


def test_an_optional_key_says_what_happens_without_it() -> None:
    silent = [
        path
        for path, key in KEYS.items()
        if not key.required and not key.without and (key.default is None or key.default == "")
    ]
    assert silent == []


def test_what_carries_a_table_has_the_defaults_of_its_keys() -> None:
    for path, key in KEYS.items():
        if key.inner is None or not dataclasses.is_dataclass(key.inner.carrier):
            continue
        defaults = {field.name: field.default for field in dataclasses.fields(key.inner.carrier)}
        for inner in key.inner.keys:
            if inner.carried and not inner.part and not inner.required and inner.default is not None:
                assert defaults[inner.carried] == inner.default, f"{path}.{inner.name}"


def test_the_window_begins_with_the_defaults_of_the_keys() -> None:
    for name in ("hats", "selection", "privacy"):
        for key in SPEC.table(name).keys:
            if key.default is not None:
                assert getattr(Draft(), key.carried) == key.default, key.name
    assert QueryDraft().budget.divide == SPEC.key("query.division").default


def test_letters_that_lead_to_a_field_are_there() -> None:
    for path, key in KEYS.items():
        assert key.label.count("&") <= 1, path
        assert not key.label.endswith("&"), path


# a key of tomorrow: one row in the table, one field in what carries it


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NotedRules(ReadingRules):
    """Rules with a note."""

    note: str = ""


NOTE = Key(
    name="note",
    kind=Text(),
    help="What the next analyst should know.",
    default="",
    without="nothing is noted",
    identity="data.note",
    example='"new sensors since May"',
)
TOMORROW = SPEC.with_table("data", entries=(*SPEC.table("data").entries, NOTE), carrier=NotedRules)


def _noted(note: object) -> dict[str, Any]:
    spec = copy.deepcopy(SMALL)
    spec["data"]["note"] = note
    return spec


def test_a_key_of_tomorrow_is_read_written_and_told(tmp_path: Path) -> None:
    folder = folder_of_files(tmp_path)
    spec = parse_spec(_noted("new sensors"), folder, TOMORROW)
    assert spec.data.rules.note == "new sensors"  # type: ignore[attr-defined]
    written = document(*draft_of(spec), folder, TOMORROW)
    assert written["data"]["note"] == "new sensors"
    assert parse_spec(written, folder, TOMORROW).data.rules == spec.data.rules
    row = (
        '| `note` | text: `"new sensors since May"` | nothing is noted | both '
        "| What the next analyst should know. |"
    )
    assert row in keys_text(TOMORROW)
    assert "`note`" not in keys_text()


@pytest.mark.parametrize("value", [5, True, ["a"], {"no": "value"}])
def test_a_key_of_tomorrow_is_refused_when_it_is_wrong(value: object, tmp_path: Path) -> None:
    assert refused(_noted(value), tmp_path, TOMORROW).where == "data.note"


def test_a_key_of_tomorrow_is_unknown_today(tmp_path: Path) -> None:
    error = refused(_noted("new sensors"), tmp_path)
    assert (error.what, error.where) == ("The key 'note' is unknown.", "data.note")


def test_a_key_of_tomorrow_leaves_the_requests_of_today_as_they_are(tmp_path: Path) -> None:
    folder = folder_of_files(tmp_path)
    today = identity(parse_spec(copy.deepcopy(SMALL), folder))
    tomorrow = parse_spec(copy.deepcopy(SMALL), folder, TOMORROW)
    assert identity(tomorrow, TOMORROW) == today
    assert "note" not in document(*draft_of(tomorrow), folder, TOMORROW)["data"]
    noted = identity(parse_spec(_noted("new sensors"), folder, TOMORROW), TOMORROW)
    assert noted["data"].pop("note") == "new sensors"
    assert noted == today


def test_a_key_that_existed_once_says_what_took_its_place(tmp_path: Path) -> None:
    gone = Retired(name="note", instead='write it into title = "..."')
    error = refused(_noted("old"), tmp_path, SPEC.with_table("data", retired=(gone,)))
    assert (error.what, error.where) == ("The key 'note' is no longer used.", "data.note")
    assert error.mend == 'write it into title = "..."'


def test_tables_and_lists_of_tables_are_all_there() -> None:
    inner = {path for path, key in KEYS.items() if isinstance(key.kind, Sub | Tables)}
    assert {"release", "data", "data.mapping", "data.units", "data.format", "query"} <= inner


def test_meanings_of_keys_say_hexagon_slot() -> None:
    told = [key.help for _, key in SPEC.walk()]
    assert told
    assert not [text for text in told if re.search(r"\bHATs?\b", text)]
