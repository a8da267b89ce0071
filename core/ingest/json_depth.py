"""Cutting an array between records whose own fields hold arrays of objects: by depth of brackets.

Slower than looking for `}` `,` `{`, but it sees which of them stand inside a record or a string. The
bulk reader refuses what is cut wrongly here, too (a text that is no JSON): see `json_scan`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.ingest.json_scan import before_closing

_QUOTE, _BACKSLASH, _COMMA, _SPACE, _LINE_END, _RETURN = b'"\\, \n\r'
_CASE = 0x20
"""The bit in which square and curly brackets differ."""
_OPEN, _CLOSE = b"{}"


def cut_by_depth(buffer: bytes, depth: int, *, last: bool) -> tuple[bytes, bytes] | None:
    """(records one a line, what follows them), or None where no cut is seen.

    `depth`: the objects around the array; `last`: the text ends with the buffer.
    """
    whole = before_closing(buffer, depth) if last else buffer
    if whole is None:
        return None
    data = np.frombuffer(whole, np.uint8)
    ends = _ends(data)
    commas = np.flatnonzero(data == _COMMA)
    following = np.searchsorted(commas, ends)
    followed = following < commas.size
    cuts = commas[following[followed]]
    if not ends.size or (not last and not cuts.size):
        return None
    size = data.size if last else int(ends[followed][-1]) + 1
    rest = b"" if last else whole[int(cuts[-1]) + 1 :]
    records = data[:size].copy()
    records[(records == _LINE_END) | (records == _RETURN)] = _SPACE
    records[cuts[cuts < size]] = _LINE_END
    return records.tobytes(), rest


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
