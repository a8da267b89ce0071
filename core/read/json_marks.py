"""Likely boundaries between records, found in a few passes over the bytes of a block.

A comma between `}` and `{` stands between two records, between two objects of one record, or in a
string. In place of such a comma a line end means as much between records, and nothing anywhere else:
JSON wants a comma within an array and no line end within a string. So a parser of records that stand
one after the other accepts the marked block only where every mark was a boundary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LINE_END, _BLANK, _COMMA, _OPEN, _CLOSE, _NULL = b"\n ,{}n"
_MOST_BLANKS = 64
"""Blanks looked past on either side of a likely boundary of JSON records; beyond, none is seen."""


def mark(data: NDArray[np.uint8], commas: NDArray[np.intp]) -> None:
    """Put line ends in place of commas."""
    data[commas] = _LINE_END


def unmark(data: NDArray[np.uint8], commas: NDArray[np.intp]) -> None:
    """The block as it was."""
    data[commas] = _COMMA


def behind_objects(data: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Where the next byte that is not blank stands behind each `}`, or beyond the end; data: shape (n,)."""
    return _past_blanks(data, np.flatnonzero(data == _CLOSE), 1)


def commas_between(data: NDArray[np.uint8], behind: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where commas stand between `}` and `{`; behind: as `behind_objects` gives it."""
    commas = behind[_is(data, behind, _COMMA)]
    return commas[_is(data, _past_blanks(data, commas, 1), _OPEN)]


def commas_before_objects(data: NDArray[np.uint8], ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where a comma follows one of the ends and `{` follows the comma."""
    return commas_between(data, _past_blanks(data, ends, 1))


def lines_are_whole(data: NDArray[np.uint8]) -> bool:
    """Whether each line begins with `{` and ends in `}`, or is blank: then none breaks a record."""
    ends = np.flatnonzero(data == _LINE_END)
    before, after = _past_blanks(data, ends, -1), _past_blanks(data, ends, 1)
    return bool(
        (_is(data, before, _CLOSE) | (before < 0)).all()
        and (_is(data, after, _OPEN) | (after >= data.size)).all()
    )


def only_objects(data: NDArray[np.uint8], behind: NDArray[np.intp]) -> bool:
    """Whether no null stands where a record should: Arrow (26) crashes on it instead of refusing it."""
    if not data.size or not _is(data, _past_blanks(data, np.array([-1]), 1), _OPEN).all():
        return False
    return not (_is(data, behind, _NULL) | _are_blank(data, behind)).any()


def _past_blanks(data: NDArray[np.uint8], places: NDArray[np.intp], step: int) -> NDArray[np.intp]:
    """The nearest places before (-1) or after (1) these that are not blank, or lie outside."""
    found = places + step
    blank = np.flatnonzero(_are_blank(data, found))
    for _ in range(_MOST_BLANKS):
        if not blank.size:
            break
        found[blank] += step
        blank = blank[_are_blank(data, found[blank])]
    return found


def _are_blank(data: NDArray[np.uint8], places: NDArray[np.intp]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = data.take(places, mode="clip") <= _BLANK
    return found & (places >= 0) & (places < data.size)


def _is(data: NDArray[np.uint8], places: NDArray[np.intp], byte: int) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = data.take(places, mode="clip") == byte
    return found & (places >= 0) & (places < data.size)
