"""Ranges and percentiles in words, and what is proposed by the bounds."""

from __future__ import annotations

import pytest

from core.quantity import SPEED, Quantity
from core.release.value_query import released_numbers
from core.statistics.share import ShareParams
from tests.builders import make_query, make_release
from tests.core.release.test_value_query import share_query
from ui.budget.range_texts import number_name, number_unit, range_text, shares_text, slow_and_fast

DELAY = Quantity(name="delay", column_unit="s", unit="s", lower=-600_000)


@pytest.mark.parametrize(
    ("ends", "quantity", "text"),
    [
        ((0.0, 10.0), SPEED, "below 10 km/h"),
        ((50.0, 65.0), SPEED, "50 to 65 km/h"),
        ((-60.0, 300.0), DELAY, "-60 to 300 s"),
        ((-600.0, 0.0), DELAY, "below 0 s"),
        ((0.5, 1.25), SPEED, "0.5 to 1.25 km/h"),
    ],
)
def test_a_range_in_words(ends: tuple[float, float], quantity: Quantity, text: str) -> None:
    assert range_text(ends, quantity) == text


def test_what_is_asked_in_short() -> None:
    assert shares_text(ShareParams(), SPEED) == "the proposed ranges"
    asked = ShareParams(ranges=((0.0, 10.0), (10.0, 65.0)), percentiles=(15.0, 50.0))
    assert shares_text(asked, SPEED) == "below 10 km/h, 10 to 65 km/h; percentiles 15, 50"


def test_either_end_follows_from_the_bounds() -> None:
    assert slow_and_fast(0, 65_000) == ((0.0, 10.0), (45.0, 65.0))
    assert slow_and_fast(-600_000, 2_400_000) == ((-600.0, -230.769), (1061.538, 1800.0))


def test_numbers_of_a_release_by_name_and_unit() -> None:
    numbers = released_numbers(make_release(queries=(share_query(),)))
    assert [(number_name(one, SPEED), number_unit(one)) for one in numbers] == [
        ("share below 10 km/h", "%"),
        ("share 10 to 65 km/h", "%"),
        ("speed, percentile 85", "km/h"),
        ("mean speed from shares", "km/h"),
    ]
    (mean,) = released_numbers(make_release(queries=(make_query(),)))
    assert number_name(mean, SPEED) == "mean speed"
