"""ui.language.counted_words: one is not many."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ui.language.counted_words import (
    counted_hat_days,
    counted_hats,
    counted_hexagons,
    counted_records,
    counted_vehicle_days,
    counted_vehicles,
)


@pytest.mark.parametrize(
    ("words", "one", "many"),
    [
        (counted_hats, "1 hexagon slot", "1,200 hexagon slots"),
        (counted_hexagons, "1 hexagon", "1,200 hexagons"),
        (counted_vehicles, "1 vehicle", "1,200 vehicles"),
        (counted_records, "1 record", "1,200 records"),
        (counted_hat_days, "1 slot-day", "1,200 slot-days"),
        (counted_vehicle_days, "1 vehicle-day", "1,200 vehicle-days"),
    ],
)
def test_the_form_follows_the_number(words: Callable[[int], str], one: str, many: str) -> None:
    assert (words(1), words(1200)) == (one, many)
