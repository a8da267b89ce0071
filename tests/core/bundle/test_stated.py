"""What published statements state, by the format that each names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.bundle.formats import FORMATS
from core.bundle.privacy_statement import privacy_statement
from core.bundle.stated import STATEMENTS
from core.codec import ShapeError, from_json, to_json
from core.signed.bundle_names import PRIVACY, STATEMENT_FORMAT
from tests.builders import NOW, make_key, make_mixed_release, make_texts

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob(f"v*/releases/*/{PRIVACY}"))
STATED = privacy_statement(make_mixed_release(), make_texts(), make_key().public, NOW.date())


def test_every_format_has_a_statement() -> None:
    assert STATEMENTS.keys() == FORMATS.keys()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: "/".join(path.parts[-4:-1]))
def test_published_statements_are_read_whole(path: Path) -> None:
    document = json.loads(path.read_bytes())
    assert to_json(from_json(STATEMENTS[document["format"]], document)) == document


def test_what_is_written_is_read_whole() -> None:
    assert to_json(from_json(STATEMENTS[STATEMENT_FORMAT], STATED)) == STATED


@pytest.mark.parametrize(
    ("path", "value", "wrong"),
    [
        (
            ("queries", 0, "made_by", "m_ub", "smallest"),
            True,
            r"queries\[0\].made_by.m_ub.smallest is no int",
        ),
        (("queries", 0, "made_by", "parameters", "limits"), {}, r"queries\[0\].made_by.parameters.limits is"),
        (("charges", "vehicle"), "3.50", "charges.vehicle is not of the form"),
        (("period", "date_ranges", 0, 0), "20240301", r"period.date_ranges\[0\]\[0\] is no date"),
        (("seed",), 1, "seed is unknown"),
    ],
)
def test_another_shape_names_its_place(path: tuple[Any, ...], value: Any, wrong: str) -> None:
    document = json.loads(json.dumps(STATED))
    place: Any = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(ShapeError, match=wrong):
        from_json(STATEMENTS[STATEMENT_FORMAT], document)


def test_the_first_format_tells_not_what_made_a_query() -> None:
    with pytest.raises(ShapeError, match="is unknown"):
        from_json(STATEMENTS["hexveil-privacy-1"], STATED)
