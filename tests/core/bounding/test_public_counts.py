"""Typed numbers of HATs: what they come to, and what cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.bounding.public_counts import PublicCounts
from core.errors import InputError, InternalError
from tests.bounding import constants_of
from tests.records import assert_tells


def counts_of(units: list[int], records: int = 3, fleet: int = 0) -> PublicCounts:
    return PublicCounts(units=np.array(units), records=np.full(len(units), records), fleet=fleet)


@pytest.mark.parametrize(
    ("units", "changes"),
    [([], {}), ([1, -1], {}), ([1], {"records": 0}), ([1], {"fleet": -1}), ([1, 9], {"fleet": 8})],
)
def test_numbers_that_cannot_be_are_refused(units: list[int], changes: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        counts_of(units, **changes)
    assert_tells(caught.value)


def test_columns_belong_together() -> None:
    with pytest.raises(InternalError):
        PublicCounts(units=np.ones(2, np.int64), records=np.ones(3, np.int64), fleet=0)


def test_hats_beyond_the_constant_do_not_count() -> None:
    """Ten vehicles with three HATs each, of which two count."""
    counts = counts_of([10, 10, 5, 5], fleet=10)
    assert counts.hats_of_one == 3
    assert counts.retained(constants_of()) == pytest.approx([20 / 3, 20 / 3, 10 / 3, 10 / 3])
    assert counts.retained(constants_of(hats_per_vehicle=9)).tolist() == [10, 10, 5, 5]
    assert counts_of([10, 10, 5, 5]).retained(constants_of()).tolist() == [10, 10, 5, 5]


@pytest.mark.parametrize("seed", range(10))
def test_units_are_dealt_out_evenly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = rng.integers(1, 8, 12)
    public = counts_of(units.tolist(), records=4, fleet=9)
    pairs = public.pairs()
    assert pairs.by_hat(np.ones(pairs.hat.size)).tolist() == units.tolist()
    visits = pairs.by_vehicle(np.ones(pairs.hat.size))
    assert visits.max() - visits.min() <= 1
    assert set(pairs.records.tolist()) == {4}
    both = list(zip(pairs.hat.tolist(), pairs.vehicle.tolist(), strict=True))
    assert both == sorted(set(both)), "sorted, and nobody twice in a hexagon slot"


@pytest.mark.parametrize(("units", "fleet"), [([1, 0], 4), ([1, 2], 0)])
def test_a_plan_needs_a_fleet_and_no_empty_hat(units: list[int], fleet: int) -> None:
    with pytest.raises(InputError) as caught:
        counts_of(units, fleet=fleet).pairs()
    assert_tells(caught.value)
