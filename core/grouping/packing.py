"""What a grouping gives: which array each user's records go to, and how full the arrays are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Arrays of at most m_UB records, from counts alone."""

    array: NDArray[np.int64]
    """Shape (L,): the array of each user."""
    taken: NDArray[np.int64]
    """Shape (L,): Gamma_l, records that each user gives."""
    sizes: NDArray[np.int64]
    """Shape (Kbar,): records in each array, at least 1."""

    @property
    def arrays(self) -> int:
        return int(self.sizes.size)
