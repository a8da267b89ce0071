from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.bounding.quotients import quotients
from core.bounding.unbiased_means import UnbiasedMeans
from core.planning.bounded_rows import rows_of_curves, rows_of_limits, rows_of_means

WEIGHT = np.array([5000, 1000, 4000])
PUBLISHED = np.array([True, False, True])


@pytest.mark.parametrize("squared", [True, False])
def test_a_mean_is_told_where_its_column_is_published(squared: bool) -> None:
    means = quotients(
        np.array([10.0, 20.0, 30.0]),
        np.array([5.0, 1.0, 4.0]),
        reach=(1.0, 0.5),
        least=1.0,
        centre=30_000.0,
        upper=65_000,
    )
    rows = rows_of_means(
        "speed",
        means,
        WEIGHT,
        UnbiasedMeans(value=np.array([20.0, 21.0, 22.0]), deviation=np.array([2.0, 3.0, 4.0])),
        PUBLISHED,
        columns=np.array([0, -1, 1, 2]),
        squared=squared,
    )
    assert [len(row) for row in rows.estimates] == [1, 0, 0, 1]
    assert [row[0].noisy_weight for row in rows.estimates if row] == [5000, 4000]
    assert rows.scales is not None
    assert rows.unbiased is not None
    assert rows.unbiased.tolist() == [20.0, 22.0]
    assert rows.scales == pytest.approx(np.array([2.0, 4.0]) / (1.0 if squared else np.sqrt(2.0)))


def grid(hats: int, numbers: int) -> np.ndarray[Any, Any]:
    return np.arange(hats * numbers).reshape(hats, numbers)


def test_every_hat_tells_every_limit() -> None:
    drawn: Any = SimpleNamespace(
        value=grid(2, 3), low=grid(2, 3), high=grid(2, 3), unclamped=grid(2, 3), informative=grid(2, 3) > 0
    )
    plan: Any = SimpleNamespace(limits=(10, 20, 30))
    rows = rows_of_limits("above", plan, drawn)
    assert [[one.label for one in row] for row in rows.estimates] == [[10, 20, 30]] * 2
    assert [one.value for row in rows.estimates for one in row] == list(range(6))
    assert [one.informative for one in rows.estimates[0]] == [False, True, True]
    assert all(one.noisy_weight is None for row in rows.estimates for one in row)
    assert rows.scales is None


def test_a_curve_is_told_with_its_total_where_it_is_published() -> None:
    drawn: Any = SimpleNamespace(
        published=PUBLISHED,
        total=WEIGHT,
        share=grid(3, 2),
        low=grid(3, 2),
        high=grid(3, 2),
        unclamped=grid(3, 2),
        informative=grid(3, 2) >= 0,
    )
    plan: Any = SimpleNamespace(edges=np.array([30_000, 65_000]))
    rows = rows_of_curves("share", plan, drawn)
    assert [len(row) for row in rows.estimates] == [2, 0, 2]
    assert [(one.label, one.value, one.noisy_weight) for one in rows.estimates[2]] == [
        (30_000, 4, 4000),
        (65_000, 5, 4000),
    ]
