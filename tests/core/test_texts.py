"""core.texts: English byte for byte, with the template beside it; values are never read as templates."""

from __future__ import annotations

import ast
import copy
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counted import count_of
from core.errors import InputError, InputErrors
from core.signed.findings import NAMED_FILES, Finding, require
from core.texts import FilledText, Name, joined, text_of
from tests.syntax_tree import nodes_of

HOSTILE = ("{where}", "{0.__class__}", "{name}", "{{}}", "}", "{", "{name!r:>{width}}")
VALUES = st.text() | st.sampled_from(HOSTILE)


@given(VALUES, st.integers())
def test_a_value_is_shown_as_it_is(name: str, number: int) -> None:
    text = text_of("no {name} in line {number}", name=name, number=number)
    assert text == f"no {name} in line {number}"
    assert InputError("no {name} in line {number}", name=name, number=number).what == text
    assert str(Finding("no {name}", name=name)) == f"no {name}"


@given(VALUES)
def test_a_text_without_values_is_itself_braces_and_all(text: str) -> None:
    assert text_of(text) == text
    assert str(InputError(text, mend=text)) == str(InputError(text, mend=Name(text)))


@given(st.lists(VALUES), VALUES)
def test_texts_in_a_row_and_sums_are_those_of_strings(texts: list[str], tail: str) -> None:
    assert joined(", ", texts) == ", ".join(texts)
    text = text_of("{tail};", tail=tail)
    assert (text + tail, tail + text) == (f"{tail};{tail}", f"{tail}{tail};")


def test_a_text_is_compared_hashed_and_written_as_its_english() -> None:
    text = text_of("{rows} of {path}", rows=count_of(2, "row"), path="a")
    assert {text: 1} == {"2 rows of a": 1}
    assert json.dumps([text]) == '["2 rows of a"]'
    assert type(str(text)) is str


@pytest.mark.parametrize("copied", [lambda text: pickle.loads(pickle.dumps(text)), copy.deepcopy])
def test_a_text_keeps_its_template_between_processes(copied: object) -> None:
    assert callable(copied)
    text = text_of("{rows} of {path}", rows=count_of(2, "row"), path="a")
    other = copied(text)
    assert other == text
    assert isinstance(other, FilledText)
    assert (other.template, other.values, other.values["rows"].many) == (
        "{rows} of {path}",
        {"rows": "2 rows", "path": "a"},
        "{n} rows",
    )


def test_errors_keep_the_templates_of_what_they_say() -> None:
    error = pickle.loads(pickle.dumps(InputError("no {name}", name="{x}", mend=text_of("a {b}", b="{c}"))))
    assert (error.what.template, error.mend.template) == ("no {name}", "a {b}")
    assert str(error) == "no {x}\nfix:   a {c}"
    assert str(InputErrors("two", [error])) == "two\nfix:   : no {x} A {c}."


def test_what_holds_fills_no_template() -> None:
    class Unread:
        def __str__(self) -> str:
            raise AssertionError

    require(True, "no {name}", name=Unread())
    with pytest.raises(Finding, match="no such"):
        require(False, "no {name}", name="such")


SOURCES = Path(__file__).resolve().parents[2]
TEMPLATED = {"text_of", "Finding", "require", "InputError", "BudgetRefused", "LedgerError", "ReleaseAborted"}
PASSED_ON = {"core/errors.py", "core/quantity.py", "core/signed/findings.py", "core/texts.py"}
"""What they fill in was written out by who calls them."""


def _filled() -> Iterator[tuple[str, ast.expr, set[str]]]:
    """Where a template is filled in, the template, and the names of the values."""
    for path in sorted((SOURCES / "core").rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        text = path.read_text(encoding="utf-8")
        for call in nodes_of(ast.parse(text)) if any(map(text.__contains__, TEMPLATED)) else ():
            called = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
            if called not in TEMPLATED or name in PASSED_ON:
                continue
            values = {str(keyword.arg) for keyword in call.keywords}
            values -= {"where", "mend"} if called not in {"text_of", "Finding", "require"} else set()
            if values and called in {"Finding", "require"}:
                values |= NAMED_FILES.keys()
            if values:
                yield f"{name}, line {call.lineno}", call.args[called == "require"], values


def test_templates_are_written_out_with_a_value_for_every_field() -> None:
    """Nothing that a person wrote is a template; without its value a field would fail when it is said."""
    found = [one for one in _filled() if not re.match(r"_?[A-Z_]+\b", ast.unparse(one[1]))]
    assert len(found) > 500
    for where, template, values in found:
        texts = [template.body, template.orelse] if isinstance(template, ast.IfExp) else [template]
        for text in texts:
            assert isinstance(text, ast.Constant), where
            fields = {field for _, field, *_ in Formatter().parse(str(text.value)) if field is not None}
            assert fields | (values & NAMED_FILES.keys()) == values, where
