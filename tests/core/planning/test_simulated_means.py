"""core.planning.simulated_means: what no noise protects shows sizes alone."""

from __future__ import annotations

import numpy as np

from core.planning.simulated_means import SimulatedMeans
from core.privacy import Confidential


def test_simulated_means_show_sizes_alone() -> None:
    drawn = SimulatedMeans(np.full((3, 2), 31.25), np.full((3, 2), 0.125))
    assert isinstance(drawn, Confidential)
    assert repr(drawn) == f"{drawn}" == "<confidential SimulatedMeans: values=3, scales=3, corrected=0>"
    assert "31" not in repr(drawn)
