"""The order of rows by several columns, through one sort of packed integers where they fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_BITS = 63


def order_of(*columns: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The stable order by the columns, the first one leading; each of shape (n,), 0 or more.

    Where the columns and the number of a row fit into 63 bits together, plain integers are sorted:
    several times faster than an indirect sort, and the row's number makes it stable.
    """
    rows = columns[0].size
    if not rows:
        return np.zeros(0, np.int64)
    bits = [int(column.max()).bit_length() for column in columns]
    number_bits = (rows - 1).bit_length()
    if sum(bits) + number_bits > _BITS:
        return np.lexsort(columns[::-1])
    key = np.zeros(rows, np.int64)
    for column, width in zip(columns, bits, strict=True):
        key <<= width
        key |= column
    key <<= number_bits
    key |= np.arange(rows)
    key.sort()
    key &= (1 << number_bits) - 1
    return key
