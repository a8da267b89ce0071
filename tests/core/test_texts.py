"""core.texts: English byte for byte, with the template beside it; values are never read as templates."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counted import count_of
from core.errors import InputError, InputErrors
from core.signed.findings import Finding, require
from core.texts import Name, FilledText, joined, text_of

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
    assert str(error) == "no {x}\nmend:  a {c}"
    assert str(InputErrors("two", [error])) == "two\nmend:  : no {x} A {c}."


def test_what_holds_fills_no_template() -> None:
    class Unread:
        def __str__(self) -> str:
            raise AssertionError

    require(True, "no {name}", name=Unread())
    with pytest.raises(Finding, match="no such"):
        require(False, "no {name}", name="such")
