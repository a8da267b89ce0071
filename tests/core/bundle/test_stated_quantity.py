"""What a bundle says that it measured, read strictly."""

from __future__ import annotations

from typing import Any

import pytest

from core.bundle.stated_quantity import stated_bounds, stated_quantity
from core.quantity import SPEED, Quantity
from core.signed.findings import Finding

SPEEDS: dict[str, Any] = {"lower": "0.000", "upper": "65.000", "unit": "km/h"}
DELAYS: dict[str, Any] = {
    "name": "delay",
    "column_unit": "s",
    "lower": "-600.000",
    "upper": "1800.500",
    "unit": "s",
}


def test_without_a_name_it_is_a_speed() -> None:
    assert stated_quantity({"bounds": SPEEDS}, "privacy.json") is SPEED
    assert stated_bounds({"bounds": SPEEDS}, "privacy.json") == (0, 65_000)


def test_a_named_value_has_its_unit_and_lower_bound() -> None:
    delay = Quantity(name="delay", column_unit="s", unit="s", lower=-600_000)
    assert stated_quantity({"bounds": DELAYS}, "privacy.json") == delay
    assert stated_bounds({"bounds": DELAYS}, "privacy.json") == (-600_000, 1_800_500)


@pytest.mark.parametrize(
    "bounds",
    [
        None,
        {},
        [],
        SPEEDS | {"lower": "1.000"},
        SPEEDS | {"lower": "-1.000"},
        SPEEDS | {"unit": "s"},
        SPEEDS | {"upper": "0.000"},
        SPEEDS | {"upper": "65"},
        SPEEDS | {"upper": 65},
        DELAYS | {"lower": "-0.000"},
        DELAYS | {"lower": "1800.500"},
        DELAYS | {"upper": "1000000.001"},
        DELAYS | {"lower": "+1.000"},
        DELAYS | {"name": "De lay"},
        DELAYS | {"name": None},
        DELAYS | {"column_unit": "../s"},
        DELAYS | {"unit": "<script>"},
        {key: value for key, value in DELAYS.items() if key != "name"},
        {key: value for key, value in DELAYS.items() if key != "column_unit"},
    ],
)
def test_what_no_release_says_is_a_finding(bounds: object) -> None:
    with pytest.raises(Finding):
        stated_quantity({"bounds": bounds}, "privacy.json")
