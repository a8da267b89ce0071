"""Each kind of value: what it takes, what it gives back, how the canonical form holds it."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from core.clean.mapping import Box, UnitRange
from core.errors import InputError
from core.privacy import Unit
from core.spec.key_checks import upper_bound_of
from core.spec.toml_section import Section
from core.spec.value_kinds import (
    Date,
    DateRanges,
    Edges,
    EnumMember,
    Epsilon,
    FileName,
    Flag,
    Hours,
    OneUnit,
    Option,
    Parameters,
    Text,
    Texts,
    Thousandths,
    Whole,
    is_one_unit,
)
from tests.records import assert_tells

FIRST, LAST = dt.date(2022, 1, 3), dt.date(2022, 1, 4)
MPH = UnitRange(unit="mph")
TAKEN: list[tuple[Any, Any, Any, Any, Any]] = [
    # kind, in the file, in memory, written, in the canonical form
    (Text(), "a", "a", "a", "a"),
    (FileName(), "a/b.csv", "a/b.csv", "a/b.csv", "a/b.csv"),
    (Texts(), ["a", "b"], ("a", "b"), ["a", "b"], ["a", "b"]),
    (Whole(), 3, 3, 3, 3),
    (Flag(), True, True, True, True),
    (Option(lambda: ("a", "b")), "b", "b", "b", "b"),
    (EnumMember(Unit), "vehicle-day", Unit.VEHICLE_DAY, "vehicle-day", "vehicle-day"),
    (Thousandths(upper_bound_of, ""), 65, 65_000, 65.0, 65_000),
    (Epsilon(), "0.50", Decimal("0.50"), "0.5", "0.5"),
    (Date(), "2022-01-03", FIRST, "2022-01-03", "2022-01-03"),
    (Date(), FIRST, FIRST, "2022-01-03", "2022-01-03"),
    (
        DateRanges(),
        ["2022-01-03", LAST],
        ((FIRST, LAST),),
        [["2022-01-03", "2022-01-04"]],
        [["2022-01-03", "2022-01-04"]],
    ),
    (
        DateRanges(),
        [["2022-01-03"] * 2, ["2022-01-04"] * 2],
        ((FIRST, FIRST), (LAST, LAST)),
        [["2022-01-03"] * 2, ["2022-01-04"] * 2],
        [["2022-01-03"] * 2, ["2022-01-04"] * 2],
    ),
    (Hours(), ["09:00", "21:00"], ("09:00", "21:00"), ["09:00", "21:00"], ["09:00", "21:00"]),
    (
        Edges(),
        [1, 2, 3, 4],
        Box(south=1, west=2, north=3, east=4),
        [1.0, 2.0, 3.0, 4.0],
        [1.0, 2.0, 3.0, 4.0],
    ),
    (OneUnit(), "mph", (MPH,), "mph", "mph"),
    (Parameters(), {"m_ub": 3}, {"m_ub": 3}, {"m_ub": 3}, {"m_ub": 3}),
]


@pytest.mark.parametrize(("kind", "there", "value", "written", "told"), TAKEN)
def test_a_value_is_taken_kept_and_told(kind: Any, there: Any, value: Any, written: Any, told: Any) -> None:
    section = Section("part", {"key": there})
    assert kind.read(section, "key", None) == value
    section.close()
    assert kind.write(value) == written
    assert kind.identity(value) == told
    assert kind.phrase()


@pytest.mark.parametrize("kind", [taken[0] for taken in TAKEN])
def test_a_value_of_another_kind_is_refused_where_it_stands(kind: Any) -> None:
    with pytest.raises(InputError) as caught:
        kind.read(
            Section("part", {"key": 5 if isinstance(kind, Parameters) else {"no": "value"}}), "key", None
        )
    assert_tells(caught.value)
    assert caught.value.where == "part.key"


@pytest.mark.parametrize(
    "edges", [[1, 2, 3], [3, 2, 1, 4], [0, 0, 91, 1], [0, 0, float("nan"), 1], ["1"] * 4]
)
def test_edges_that_are_no_box_are_refused(edges: object) -> None:
    with pytest.raises(InputError, match="not a valid key"):
        Edges().read(Section("part", {"key": edges}), "key", None)


def test_what_is_not_there_is_not_written() -> None:
    assert FileName().write("") is None
    assert OneUnit().write((UnitRange(unit="mph", last=FIRST),)) is None
    assert OneUnit().identity((MPH, MPH)) is None


def test_what_the_canonical_form_holds_where_nothing_is_named() -> None:
    assert Date().identity(None) == ""
    assert Epsilon().identity(None) is None
    assert Edges().identity(None) is None


def test_one_unit_is_one_without_dates() -> None:
    assert is_one_unit((MPH,))
    assert not is_one_unit((UnitRange(unit="mph", first=FIRST),))
    assert not is_one_unit((MPH, MPH))


def test_a_kind_says_what_may_be_written() -> None:
    assert Text().phrase() == "text"
    assert Text(lambda: ("a", "b")).phrase() == Option(lambda: ("a", "b")).phrase() == "one of `a`, `b`"
    assert Whole("at least 1").phrase() == "integer, at least 1"
    assert Thousandths(upper_bound_of, "above 0").phrase() == "number, above 0"
