"""The page of file formats has the keys and the forms of times that the program reads."""

from __future__ import annotations

import pytest

from core.clean.time_formats import TIME_FORMATS
from core.errors import InputError
from core.privacy import Relation, Unit
from core.spec import SPEC
from core.spec.toml_section import Retired
from docs.write_keys import BEGIN, END, FORMATS_HEAD, PAGE, format_rows, keys_text, with_formats, with_keys


def test_a_table_has_a_heading_its_rules_and_its_keys() -> None:
    text = keys_text()
    part = text.split("#### `[data]`\n\n", 1)[1].split("\n\n#### ", 1)[0]
    assert part.startswith("Which files, and how they are read. Either `files` or `contributions`.")
    assert (
        '| `zone` | text: `"America/Chicago"` | required | both | IANA time zone of the data set. |' in part
    )
    assert "| `units` | `[[data.units]]` below |" in part
    of_hexagons = (
        "H3 resolution of the hexagons. With two or three, such as `[6, 8]`, a record counts in the finest "
        'of its hexagons that is chosen. Only with `place = "h3"`. |'
    )
    several = "integer, 5 to 10; or list of two or three, from coarse to fine"
    assert f"| `resolution` | {several} | `7` | both | {of_hexagons}" in text


def test_parameters_are_told_as_their_methods_declare_them() -> None:
    text = keys_text().split("#### `[query.parameters]`", 1)[1]
    assert "| `levy` | `gamma` | a number from 0.001 to 1 | `0.2` | `values` |" in text
    assert "| `query2` | `limits` |" in text
    assert "`[40.0, 50.0, 60.0]`" in text


def test_every_key_is_there_with_its_kind_its_default_and_its_relation() -> None:
    text = keys_text()
    for path, key in SPEC.walk():
        above, _, name = path.rpartition(".")
        if not above:
            assert f"#### `[{path}]`" in text or f"#### `[[{path}]]`" in text, path
            continue
        (part,) = [
            part for part in text.split("#### ") if part.startswith((f"`[{above}]`", f"`[[{above}]]`"))
        ]
        (row,) = [line for line in part.splitlines() if line.startswith(f"| `{name}` |")]
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        assert len(cells) == 5, row
        assert all(cells), row
        assert cells[3] in ("both", "`values`", "`user`"), row
        assert key.help in row
        # what may be written is seen: an example, the values themselves, a default or a table of its own
        assert (
            key.inner or key.example or key.default is not None or "`" in cells[1] or "table" in cells[1]
        ), row


def test_a_key_of_one_relation_is_told_as_its_condition_has_it() -> None:
    for path, key in SPEC.walk():
        if key.only is not None and "relation" in key.only.says and "rule" not in key.only.says:
            assert key.relation is not None, path
            (other,) = set(Relation) - {key.relation}
            for relation in (key.relation, other):
                answers = {"relation": relation, "unit": Unit.VEHICLE}
                assert key.means_something(answers) == (relation is key.relation), path
    assert SPEC.key("query.public_counts").relation is Relation.USER


def test_what_a_new_query_proposes_stands_beside_the_default() -> None:
    assert "| `cdf` | `bins` | an integer from 2 to 10000 | `650`; a new query names 13 |" in keys_text()


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


def test_the_page_has_the_forms_that_are_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_formats(page) == page, "run make docs"


def test_each_example_is_a_row() -> None:
    rows = format_rows().split("\n")
    assert len(rows) == sum(len(one.examples) for one in TIME_FORMATS)
    assert rows[0] == "| ISO 8601 | `2023-01-02T03:04:05+05:30` | 2023-01-01 21:34:05 UTC |"
    assert "| day first, `dmy` | `31/12/2023 10:15` | 2023-12-31 10:15:00 |" in rows


def test_rows_are_written_between_what_stands_around_them() -> None:
    assert with_formats(f"a\n{FORMATS_HEAD}| old |\n\nb") == f"a\n{FORMATS_HEAD}{format_rows()}\n\nb"


@pytest.mark.parametrize("page", ["", FORMATS_HEAD, "a\n\nb"])
def test_a_page_without_the_table_is_refused(page: str) -> None:
    with pytest.raises(InputError, match="no place"):
        with_formats(page)
