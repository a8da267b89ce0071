"""The made-up fleet: plates that differ, activity that is strongly uneven."""

from __future__ import annotations

import numpy as np
import pytest

from core.synthesize.fleet import PLATES, make_fleet


@pytest.mark.parametrize("size", [1, 300, PLATES])
def test_every_bus_has_its_own_plate(size: int) -> None:
    plates = make_fleet(np.random.default_rng(1), size).plate.to_pylist()
    assert len(set(plates)) == len(plates) == size
    assert plates == sorted(plates)


def test_few_buses_are_much_busier_than_most() -> None:
    fleet = make_fleet(np.random.default_rng(1), 760)
    assert fleet.activity.max() > 10 * np.median(fleet.activity)
    assert fleet.activity.min() > 0


def test_shares_and_paces_are_possible() -> None:
    fleet = make_fleet(np.random.default_rng(1), 760)
    assert ((fleet.attendance > 0) & (fleet.attendance < 1)).all()
    assert fleet.pace.min() >= 0.75
    assert fleet.pace.max() <= 1.25
