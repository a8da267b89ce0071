"""Words in cells that mean "no value": `NULL`, `N/A` and what `data.format.missing` names (method 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.text_columns import to_text
from core.read.file_format import MISSING_WORDS


def rows_with_word(column: pa.Array, rows: NDArray[np.bool_], words: Sequence[str]) -> NDArray[np.intp]:
    """Numbers of those of `rows`, shape (n,), that hold such a word. Of the usual words none can be read as
    anything else, so that only cells which were not read have to be looked at."""
    at = np.flatnonzero(rows)
    if not at.size or not words or pa.types.is_nested(column.type):
        return at[:0]
    return at[_are_words(column.take(pa.array(at)), words)]


def without_other_words(column: pa.Array, words: Sequence[str]) -> pa.Array:
    """The column with null for named words that are not among the usual ones: they may be readable."""
    others = tuple(set(words) - set(MISSING_WORDS))
    if not others or pa.types.is_nested(column.type):
        return column
    return pc.if_else(pa.array(~_are_words(column, others)), column, pa.scalar(None, column.type))


def _are_words(cells: pa.Array, words: Sequence[str]) -> NDArray[np.bool_]:
    trimmed = pc.utf8_trim_whitespace(to_text(cells))
    return np.asarray(pc.is_in(trimmed, value_set=pa.array(words, pa.string())))
