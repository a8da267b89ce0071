"""core.portal.map_classes: limits follow from bounds."""

from __future__ import annotations

import pytest

from core.portal.map_classes import class_limits
from core.quantity import SPEED, Quantity
from core.statistics.registry import published_statistics

DELAY = Quantity(name="delay", column_unit="s", unit="s", lower=-600_000)


def limits(
    statistic: str, quantity: Quantity = SPEED, span: int = 65_000, values: list[float] | None = None
) -> object:
    measure = published_statistics()[statistic].of(quantity).measures[-1]
    return class_limits(measure, quantity, span, values or [])


def test_speeds_have_the_same_limits_whatever_their_bound() -> None:
    assert limits("mean") == (0, 10, 20, 30, 40, 50, 65)
    assert limits("mean", span=45_000) == (0, 10, 20, 30, 40, 45)


def test_another_value_has_round_limits_between_its_bounds() -> None:
    found = limits("mean", DELAY, 2_400_000)
    assert found == (-600, -500, 0, 500, 1000, 1500, 1800)


def test_shares_have_equal_parts_and_counts_those_of_what_is_published() -> None:
    assert limits("cdf") == pytest.approx((0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1), abs=1e-6)
    assert limits("query2", values=[3.0, 12.0]) == (0, 2, 4, 6, 8, 10, 12)
    assert limits("query2")
