"""core.codec: what is written is read back, defaults leave no trace, other shapes are named."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.codec import Coded, ShapeError, from_json, key, to_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Pair(NamedTuple):
    least: int
    most: int = 9


Shouted = Annotated[str, Coded(str.upper, str.lower)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    name: str
    amount: Decimal
    day: dt.date
    colour: Colour
    known: bool
    share: float
    pair: Pair | None
    ranges: tuple[tuple[int, str], ...]
    by_day: Mapping[dt.date, Decimal]
    marks: frozenset[str]
    value: str | int | tuple[int, ...]
    said: Shouted = ""
    parts: Mapping[Colour, int] = field(default_factory=dict)
    renamed: int = field(default=0, metadata=key("other"))
    always: int = field(default=0, metadata=key(written=True))
    lately: str = field(metadata=key(absent="never"))
    unsaid: str = field(default="here", metadata=key(stored=False))


THING = Thing(
    name="bus",
    amount=Decimal("0.50"),
    day=dt.date(2026, 1, 2),
    colour=Colour.RED,
    known=True,
    share=0.5,
    pair=Pair(1),
    ranges=((1, "a"), (2, "b")),
    by_day={dt.date(2026, 1, 2): Decimal(1), dt.date(2026, 1, 1): Decimal(2)},
    marks=frozenset({"z", "a"}),
    value=(1, 2),
    lately="now",
)
STORED: dict[str, Any] = {
    "name": "bus",
    "amount": "0.50",
    "day": "2026-01-02",
    "colour": "red",
    "known": True,
    "share": 0.5,
    "pair": {"least": 1},
    "ranges": [[1, "a"], [2, "b"]],
    "by_day": {"2026-01-01": "2", "2026-01-02": "1"},
    "marks": ["a", "z"],
    "value": [1, 2],
    "always": 0,
    "lately": "now",
}


def test_a_record_is_an_object_without_its_defaults() -> None:
    written = to_json(THING)
    assert written == STORED
    assert list(written["by_day"]) == ["2026-01-01", "2026-01-02"]
    assert from_json(Thing, json.loads(json.dumps(written))) == THING


def test_what_is_not_the_default_is_written() -> None:
    other = dataclasses.replace(
        THING, said="hello", parts={Colour.BLUE: 2}, renamed=3, pair=None, unsaid="no"
    )
    written = to_json(other)
    assert written == STORED | {"said": "HELLO", "parts": {"blue": 2}, "other": 3, "pair": None}
    assert from_json(Thing, written) == dataclasses.replace(other, unsaid="here")


def test_a_key_that_came_later_may_be_missing() -> None:
    assert from_json(Thing, {name: one for name, one in STORED.items() if name != "lately"}).lately == "never"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 1}, "name is no text"),
        ({"known": 1}, "known is no truth value"),
        ({"pair": {"least": True}}, r"pair\.least is no integer"),
        ({"pair": {"least": 1, "best": 2}}, r"pair\.best is unknown"),
        ({"pair": {}}, r"pair\.least is missing"),
        ({"pair": [1, 2]}, "pair is no object"),
        ({"amount": "x"}, "amount is no decimal"),
        ({"amount": 1}, "amount is no text"),
        ({"day": "2026-02-30"}, "day is no date"),
        ({"colour": "green"}, "colour is not of the form"),
        ({"ranges": [[1, "a"], [2]]}, r"ranges\[1\] is no list of 2"),
        ({"ranges": {}}, "ranges is no list"),
        ({"by_day": {"x": "1"}}, "a key of by_day is no date"),
        ({"said": 5}, "said is not of the form"),
        ({"unsaid": "there"}, "unsaid is unknown"),
        ({"\x1b[2J" * 100: 1}, r"x1b.* is unknown"),
    ],
)
def test_another_shape_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError, match=message) as caught:
        from_json(Thing, STORED | change)
    assert len(str(caught.value)) < 120
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("stored", [None, [], "text", 3])
def test_what_is_no_object_is_no_record(stored: object) -> None:
    with pytest.raises(ShapeError, match="queries is no object"):
        from_json(Thing, stored, "queries")


@given(st.decimals(allow_nan=False, allow_infinity=False), st.integers(), st.dates())
def test_every_amount_comes_back_exactly(amount: Decimal, least: int, day: dt.date) -> None:
    thing = dataclasses.replace(THING, amount=amount, pair=Pair(least), by_day={day: amount})
    back = from_json(Thing, json.loads(json.dumps(to_json(thing))))
    assert back == thing
    assert back.amount.as_tuple() == amount.as_tuple()
