"""Texts that nest too deep are refused as any that are not sound, soon, wherever they are read."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from core.assist.known_mappings import FileShape, recall
from core.draft.project_file import read_project
from core.errors import InputError
from core.selection.candidate_files import read_box
from core.selection.geojson import read_polygons
from core.signed.findings import Finding, json_object
from core.spec import load_spec
from core.system.nested_texts import MOST_NESTED, json_value, toml_document

ROOT = Path(__file__).resolve().parents[3]
DEEP_TOML = {
    "lists": "a = " + "[" * 100_000,
    "closed lists": f"a = {'[' * 200}{']' * 200}",
    "tables": "a = " + "{a = " * 100_000,
    "a key": ".".join(["a"] * 100_000) + " = 1",
    "a quoted key": " . ".join(['"a"', "'b'"] * 50_000) + " = 1",
    "a table's name": f"[{'.'.join(['a'] * 100_000)}]",
}
DEEP_JSON = {
    "lists": "[" * 100_000,
    "closed lists": f"{'[' * 400}{']' * 400}",
    "objects": '{"a":' * 100_000,
    "closed objects": '{"a":' * 400 + "1" + "}" * 400,
}


@pytest.mark.parametrize("text", DEEP_TOML.values(), ids=DEEP_TOML)
def test_deep_toml_is_no_toml(text: str) -> None:
    with pytest.raises(ValueError, match="levels deep"):
        toml_document(text.encode())


@pytest.mark.parametrize("text", DEEP_JSON.values(), ids=DEEP_JSON)
def test_deep_json_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match="levels deep"):
        json_value(text)


def test_what_is_deep_enough_for_anybody_is_read() -> None:
    levels = MOST_NESTED
    assert json_value("[" * levels + "]" * levels)
    assert toml_document(f"a = {'[' * (levels - 1)}{']' * (levels - 1)}".encode())
    assert toml_document(f"{'.'.join(['a'] * (levels - 1))} = 1".encode())
    assert toml_document(b'a = "' + b"word. " * 99 + b'"')


def test_a_byte_order_mark_is_no_part_of_a_text() -> None:
    assert toml_document("a = 'é'".encode("utf-8-sig")) == {"a": "é"}
    assert json_value('{"a": "é"}'.encode("utf-8-sig")) == {"a": "é"}


READ: dict[str, tuple[str, dict[str, str], Callable[[Path], object]]] = {
    "spec": ("spec.toml", DEEP_TOML, load_spec),
    "project": ("a.hexveil-project", DEEP_TOML, read_project),
    "boundary": ("a.geojson", DEEP_JSON, read_polygons),
}


@pytest.mark.parametrize(("what", "kind"), [(what, kind) for what in READ for kind in READ[what][1]])
def test_a_deep_file_is_an_error_of_input(what: str, kind: str, tmp_path: Path) -> None:
    name, texts, read = READ[what]
    (tmp_path / name).write_text(texts[kind], encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read(tmp_path / name)
    assert str(tmp_path / name) in caught.value.where
    assert caught.value.mend


@pytest.mark.parametrize("text", DEEP_JSON.values(), ids=DEEP_JSON)
def test_deep_json_of_bundles_tables_and_the_home_is_malformed(text: str, tmp_path: Path) -> None:
    with pytest.raises(Finding, match="not valid JSON"):
        json_object("privacy.json", text.encode())
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert read_box(tmp_path / "a.json") is None
    assert recall(tmp_path / "a.json", FileShape(kind="", columns=())) is None


@pytest.mark.parametrize("room", ["core", "ui"])
def test_texts_are_parsed_by_these_two_alone(room: str) -> None:
    """What the program itself has just written is no exception: one rule is easier to keep."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / room).rglob("*.py")
        if ".load" in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and node.attr in ("loads", "load") and _is_parser(node.value))
    }
    assert found <= {"core/system/nested_texts.py", "core/catalogue.py"}  # the other reads what ships


def _is_parser(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("json", "tomllib")
