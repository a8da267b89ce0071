"""Where and when HATs are."""

from __future__ import annotations

import numpy as np

from core.city.city_places import CityPlaces

PLACES = CityPlaces(
    cells=np.array([5, 6, 7], np.int64), hours=np.array([1.0, 2.0, 3.0]), ids=("one", "two", "three")
)


def test_some_of_the_hats_keep_their_place_hour_and_id() -> None:
    some = PLACES.only(np.array([True, False, True]))
    assert (some.cells.tolist(), some.hours.tolist(), some.ids) == ([5, 7], [1.0, 3.0], ("one", "three"))


def test_facts_hold_squares_of_noise_and_bias() -> None:
    facts = PLACES.facts(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 4.0]), 65.0)
    assert facts.noise_variance.tolist() == [1.0, 4.0, 9.0]
    assert facts.bias_variance.tolist() == [0.0, 1.0, 16.0]
    assert (facts.gaussian, facts.upper_kmh, facts.ids) == (True, 65.0, PLACES.ids)
    assert facts.hours.tolist() == PLACES.hours.tolist()
