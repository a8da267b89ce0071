"""core.city.mirror_descent: where the best shares are known by hand they are found, and steps end."""

from __future__ import annotations

import numpy as np
import pytest

from core.arrays import Floats
from core.city.mirror_descent import mirror_descent
from core.progress import silent

VEHICLE = np.array([0, 0, 0, 1, 1])
START = np.array([0.2, 0.2, 0.2, 0.9, 0.05])


def test_budgets_are_spent_where_they_are_worth_most() -> None:
    """The sum of costs / shares is least where shares follow the roots of the costs, and nothing is kept."""
    costs = np.array([1.0, 4.0, 9.0, 1.0, 16.0])
    found = mirror_descent(lambda u: (float((costs / u).sum()), -costs / u), VEHICLE, START, silent)
    assert not found.stuck
    assert found.shares == pytest.approx([1 / 6, 2 / 6, 3 / 6, 1 / 5, 4 / 5], rel=0.02)
    assert found.error == pytest.approx(36 + 25, rel=1e-3)


def test_a_share_that_does_harm_is_given_up() -> None:
    def error_at(shares: Floats) -> tuple[float, Floats]:
        return float(1.0 / shares[:3].sum() + 1.0 / shares[3] + 5.0 * shares[4]), np.array(
            [*(-shares[:3] / shares[:3].sum() ** 2), -1.0 / shares[3], 5.0 * shares[4]]
        )

    found = mirror_descent(error_at, VEHICLE, START, silent)
    assert found.shares[4] < 1e-3
    assert found.error == pytest.approx(2.0, rel=2e-3)
    assert np.bincount(VEHICLE, found.shares).max() <= 1 + 1e-12


def test_where_no_step_gains_it_is_stuck_at_the_best_that_was_seen() -> None:
    seen: list[float] = []

    def rising(shares: Floats) -> tuple[float, Floats]:
        seen.append(float(len(seen)))
        return seen[-1], -shares

    found = mirror_descent(rising, VEHICLE, START, silent)
    assert found.stuck
    assert found.error == 0.0
    assert len(seen) < 12
