"""Widths of columns that do not all fit: the right edge cuts none in two, as a part of a figure misleads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def whole_columns(room: int, least: Sequence[int]) -> list[int]:
    """What the widths leave of the room, shared out among the columns that it holds as a whole."""
    ends = [end for end in accumulate(least) if end <= room]
    if not ends:
        return list(least)
    more, rest = divmod(room - ends[-1], len(ends))
    widths = [width + more + (column < rest) for column, width in enumerate(least[: len(ends)])]
    return [*widths, *least[len(ends) :]]
