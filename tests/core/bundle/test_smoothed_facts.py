"""What a bundle says of smoothing: there and back as JSON, in the value's unit."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from core.bundle.query_facts import ErrorFigures
from core.bundle.smoothed_facts import (
    SPREADS,
    SmoothedFacts,
    caveat,
    smoothing_model,
)
from core.codec import ShapeError, from_json, to_json
from core.quantity import SPEED, Quantity

FACTS = SmoothedFacts(
    spreads=(Decimal("4.25"), Decimal("1E-3"), Decimal("3"), Decimal("2.125")),
    expected_error=ErrorFigures(median=Decimal("1.5"), largest=Decimal("4")),
)


def test_they_survive_the_file_exactly() -> None:
    stored = json.loads(json.dumps(to_json(FACTS)))
    assert from_json(SmoothedFacts, stored) == FACTS
    assert list(stored["spreads"]) == list(SPREADS)
    assert stored["spreads"]["hour"] == "0.001", "no reader has to know exponents"


@pytest.mark.parametrize("missing", [*SPREADS, "expected_error"])
def test_a_part_that_is_missing_is_an_error(missing: str) -> None:
    stored = to_json(FACTS)
    stored.pop(missing, None)
    stored["spreads"].pop(missing, None)
    with pytest.raises(ShapeError):
        from_json(SmoothedFacts, stored)


def test_the_model_is_told_in_the_unit_of_the_value() -> None:
    assert smoothing_model(65_000, SPEED) == {"mean": "22", "mean_spread": "12"}
    assert smoothing_model(130_000, SPEED) == {"mean": "44", "mean_spread": "24"}
    delay = Quantity(name="delay", column_unit="s", unit="s", lower=-20_000)
    assert smoothing_model(65_000, delay) == {"mean": "2", "mean_spread": "12"}


def test_the_caveat_says_where_not_to_trust_it() -> None:
    assert "estimate under a prior" in caveat()
    assert "covers 90 to 99 % of hexagon slots, unusually fast and slow hexagons less often" in caveat()
    assert "raw interval" in caveat()


def test_nothing_is_fast_that_is_no_speed() -> None:
    said = caveat(Quantity(name="delay", column_unit="s", unit="s", lower=-20_000))
    assert "hexagons of unusually high or low delay less often" in said
    assert "fast" not in said
