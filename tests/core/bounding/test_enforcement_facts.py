"""Caps and prices, told and read again."""

from __future__ import annotations

import pytest

from core.bounding.enforcement_facts import EnforcementFacts
from core.codec import ShapeError, from_json, to_json

FACTS = EnforcementFacts(caps=(3, 0, 7), prices=(2**40, 0, 1), load=2)


def test_what_is_told_is_read_again() -> None:
    told = to_json(FACTS)
    assert told == {"record_caps": "3 0 7", "record_prices": f"{2**40} 0 1", "load": 2}
    assert from_json(EnforcementFacts, told) == FACTS


def test_what_is_no_number_is_no_price() -> None:
    with pytest.raises(ShapeError, match="record_prices is not of the form"):
        from_json(EnforcementFacts, {"record_caps": "3", "record_prices": "x", "load": 1})
