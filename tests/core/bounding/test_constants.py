"""Constants that bound nothing, or leave nothing, are refused in words."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest

from core.bounding.constants import BoundingConstants
from core.errors import InputError
from core.privacy import Unit
from tests.bounding import constants_of
from tests.records import assert_tells
from tests.strategies import CELLS


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"hats_per_vehicle": 0}, "privacy.hats_per_vehicle"),
        ({"hats_per_vehicle": -1}, "privacy.hats_per_vehicle"),
        ({"days_per_vehicle": 0}, "privacy.days_per_vehicle"),
        ({"days_per_vehicle": 4}, "privacy.days_per_vehicle"),
        ({"cells": ()}, "selection.file"),
        ({"cells": tuple(range(1_000_000))}, "selection.file"),
        ({"upper_bound": 0}, "data.upper_bound_kmh"),
        ({"unit": Unit.VEHICLE_HAT_DAY}, "privacy.unit"),
    ],
)
def test_constants_without_sense_are_refused(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(InputError) as caught:
        constants_of(**changes)
    assert caught.value.where == where
    assert_tells(caught.value)


def test_no_more_hats_count_than_there_are() -> None:
    assert constants_of().candidates == 18
    assert constants_of().hats == 2
    assert constants_of(hats_per_vehicle=500).hats == 18
    assert constants_of(cells=(*CELLS[:2], *CELLS[:2])).candidates == 6


def test_a_vehicle_day_has_one_day() -> None:
    assert constants_of(Unit.VEHICLE).days == 2
    assert constants_of(Unit.VEHICLE_DAY).days == 1


def test_no_constant_has_a_default() -> None:
    """Whatever stands there unasked might come from the data."""
    assert all(field.default is MISSING for field in fields(BoundingConstants))
    assert all(field.default_factory is MISSING for field in fields(BoundingConstants))
