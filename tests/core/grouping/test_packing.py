"""What a grouping gives."""

from __future__ import annotations

import numpy as np

from core.grouping.packing import Packing


def test_arrays_are_counted_by_their_sizes() -> None:
    packing = Packing(array=np.array([0, 1, 0]), taken=np.array([2, 2, 1]), sizes=np.array([3, 2]))
    assert packing.arrays == 2
