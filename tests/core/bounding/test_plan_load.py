"""The load of a plan: noise against what other weights than records lean by."""

from __future__ import annotations

import numpy as np
import pytest

from core.bounding.plan_load import LOADS, chosen_load, modelled_lean
from core.city.noise_kind import NoiseKind
from tests.count_tables import pairs_of

PUBLIC = pairs_of(np.array([[1, 1], [3, 0], [4, 4]]))
"""Three units; the first two HATs hold 1 + 3 + 4 and 1 + 4 records."""


def test_weights_of_records_lean_nothing() -> None:
    assert modelled_lean(PUBLIC, PUBLIC.shares, 65.0).tolist() == [0.0, 0.0]


def test_the_lean_is_that_of_the_public_model() -> None:
    even = 1.0 / PUBLIC.by_hat(np.ones(PUBLIC.hat.size))[PUBLIC.hat]
    spread = 25.0 + 324.0 / np.array([1, 4])
    expected = np.sqrt((spread * (np.array([0.5, 0.5]) - np.array([0.2, 0.8])) ** 2).sum())
    assert modelled_lean(PUBLIC, even, 65.0)[1] == pytest.approx(expected)
    assert modelled_lean(PUBLIC, even, 130.0)[1] == pytest.approx(2 * expected)


@pytest.mark.parametrize("kind", list(NoiseKind))
@pytest.mark.parametrize(("noise", "load"), [(1e-9, LOADS[0]), (1e8, LOADS[-1])])
def test_much_noise_asks_for_a_load_and_none_for_weights_of_records(
    kind: NoiseKind, noise: float, load: int
) -> None:
    def tokens_at(times: int) -> np.ndarray:  # type: ignore[type-arg]
        # the last unit is as busy as can be: it pays no more whatever the load is
        share = np.where(PUBLIC.vehicle == 2, 1, times)
        return (1_000_000 * share * PUBLIC.records).astype(np.int64)

    assert chosen_load(PUBLIC, tokens_at, kind, noise, 65.0) == load


def test_equal_loads_are_the_smallest() -> None:
    assert chosen_load(PUBLIC, lambda _: PUBLIC.records * 1_000, NoiseKind.LAPLACE, 1.0, 65.0) == LOADS[0]
