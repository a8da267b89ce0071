"""Boundaries between records whose own fields hold arrays of objects: by depth of brackets.

Slower than looking for `}` `,` `{`, but it sees which of them stand inside a record or a string. In a
text that is no JSON these may be wrong, too: see `json_marks`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.read.json_marks import commas_before_objects

_QUOTE, _BACKSLASH = b'"\\'
_CASE = 0x20
"""The bit in which square and curly brackets differ."""
_OPEN, _CLOSE = b"{}"


def commas_by_depth(data: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Where a comma stands between a whole value of an array and `{`; data: shape (n,), from a value on.

    None are seen where the array ends within.
    """
    return commas_before_objects(data, _ends(data))


def last_cut_by_depth(buffer: bytes | bytearray) -> tuple[int, int] | None:
    """(end of the last record that such a comma follows, begin of what is behind it), or None."""
    commas = commas_by_depth(np.frombuffer(buffer, np.uint8))
    return (int(commas[-1]), int(commas[-1]) + 1) if commas.size else None


def _ends(data: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Where brackets outside strings close as many as were opened: the last byte of each value."""
    folded = data | _CASE
    brackets = np.flatnonzero((folded == _OPEN) | (folded == _CLOSE))
    outside = np.searchsorted(_quotes(data), brackets) % 2 == 0
    brackets = brackets[outside]
    height = np.cumsum(np.where(folded[brackets] == _OPEN, 1, -1))
    if height.size and height.min() < 0:
        # the array ends within: what follows is for reading one by one
        height = height[:0]
    ends: NDArray[np.intp] = brackets[: height.size][height == 0]
    return ends


def _quotes(data: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Where strings begin and end: quotation marks that no odd number of backslashes precedes."""
    quotes = np.flatnonzero(data == _QUOTE)
    strokes = np.flatnonzero(data == _BACKSLASH)
    if not strokes.size:
        return quotes
    runs = strokes[np.diff(strokes, prepend=-2) != 1]
    run = np.searchsorted(runs, quotes) - 1
    follows = (run >= 0) & (data[quotes - 1] == _BACKSLASH) & (quotes > 0)
    length = np.where(follows, quotes - runs[run], 0)
    marks: NDArray[np.intp] = quotes[length % 2 == 0]
    return marks
