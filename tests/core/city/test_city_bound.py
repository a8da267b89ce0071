"""core.city.city_bound: no allocation beats it, and the best one stands close."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from core.city.allocation import allocate
from core.city.city_bound import effective_vehicles, least_epsilon, most_hats
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from tests.count_tables import Counts, count_tables, pairs_of

U = 65.0


def test_figures_by_hand() -> None:
    assert least_epsilon(100, 50, 2.0, U) == pytest.approx(65.0)
    assert most_hats(65.0, 50, 2.0, U) == 100
    assert most_hats(64.9, 50, 2.0, U) == 99


@given(count_tables())
def test_no_allocation_beats_the_bounds(counts: Counts) -> None:
    pairs: CityPairs = pairs_of(counts)
    exact = allocate(pairs, NoiseKind.LAPLACE, 1).exactness
    # epsilon 1: b_g = U / x_g
    assert float(exact.sum()) <= pairs.vehicles * (1.0 + 1e-9)
    squared = allocate(pairs, NoiseKind.GAUSS, 1).exactness
    deviation = U / np.sqrt(squared)
    used = (1.0 / (effective_vehicles(pairs) * deviation**2)).sum()
    assert used <= 2.0 * pairs.vehicles / U**2 * (1.0 + 1e-9)


def test_vehicles_of_equal_weight_all_count() -> None:
    pairs = pairs_of(np.array([[3, 1], [3, 0], [3, 9]]))
    assert effective_vehicles(pairs).tolist() == pytest.approx([3.0, 1.0 / (0.01 + 0.81)])
