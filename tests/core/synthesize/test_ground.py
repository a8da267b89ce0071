"""Kilometres from the middle as degrees."""

from __future__ import annotations

import numpy as np

from core.synthesize.ground import latitude_of, longitude_of


def test_the_middle_and_a_degree_north_of_it() -> None:
    assert latitude_of(np.array([0.0, 110.6])).tolist() == [21.18, 22.18]
    assert longitude_of(np.array([0.0])).tolist() == [72.83]
    east = longitude_of(np.array([1.0]), 3)[0]
    assert east == 72.84
