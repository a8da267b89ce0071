from __future__ import annotations

import pytest

from core.errors import InputError
from core.spec import SPEC
from core.spec.keys_page import BEGIN, END, keys_text, with_keys
from core.spec.toml_section import Retired


def test_a_table_has_a_heading_its_rules_and_its_keys() -> None:
    text = keys_text()
    part = text.split("#### `[data]`\n\n", 1)[1].split("\n\n#### ", 1)[0]
    assert part.startswith("Which files, and how they are read. Either `files` or `contributions`.")
    assert '| `zone` | text: `"America/Chicago"` | required | IANA time zone of the data set. |' in part
    assert "| `units` | `[[data.units]]` below |" in part
    assert "| `resolution` | integer, 5 to 10 | `7` | H3 resolution of the hexagons. |" in text


def test_parameters_are_told_as_their_methods_declare_them() -> None:
    text = keys_text().split("#### `[query.parameters]`", 1)[1]
    assert "| `levy` | `gamma` | a number from 0.001 to 1 | `0.2` |" in text
    assert "| `query2` | `limits` |" in text
    assert "`[40.0, 50.0, 60.0]`" in text


def test_a_retired_key_is_told_with_what_took_its_place() -> None:
    gone = Retired(name="pace", instead='write value = "speed"')
    text = keys_text(SPEC.with_table("data.mapping", retired=(gone,)))
    assert '- `pace` is no longer used: write value = "speed".' in text


def test_a_page_keeps_what_stands_around_the_keys() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    once = with_keys(page)
    assert once.startswith(f"before\n{BEGIN}\n\n#### `[release]`")
    assert once.endswith(f"\n\n{END}\nafter\n")
    assert "old\n" not in once
    assert with_keys(once) == once


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}"])
def test_a_page_without_a_place_for_the_keys_is_refused(page: str) -> None:
    with pytest.raises(InputError, match="no place"):
        with_keys(page)
