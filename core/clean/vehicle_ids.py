"""Vehicle ids as they are read: text, trimmed and case-folded, never numbers (method 2)."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from core.read.file_format import MISSING_WORDS
from core.records.id_folds import PART, id_folds

SCIENTIFIC = r"^[-+]?\d([eE]\+|[.,]\d+[eE]\+?)\d+$"
"""What a spreadsheet leaves of a long number, `3.58E+14`, or a program, `3.58e14`: no id, since its last
digits are lost."""
_EXACT_BELOW = float(2**53)
"""From here on not every whole number has its own float."""


def parse_ids(column: pa.Array, missing: Sequence[str] = MISSING_WORDS) -> pa.DictionaryArray:
    """The ids as a dictionary of distinct texts; null where a cell is empty or a word. Shape (n,).

    The first form of `id_folds`, from which the id follows where records of all batches come together.

    Whole numbers of an integer or float column become their decimal text: a spreadsheet with a gap
    turns the id 1234 into 1234.0, which is no part of the id. Other floats keep the text that Arrow
    writes for them. Text is never read as a number: `007`, `7` and `7.0` are three ids.
    """
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    names = pc.utf8_trim_whitespace(_as_text(encoded.dictionary))
    if pc.any(pc.match_substring(names, PART)).as_py():
        names = pc.replace_substring(names, PART, " ")
    none = pc.or_(
        pc.is_in(names, value_set=pa.array(missing, pa.string())),
        pc.fill_null(pc.match_substring_regex(names, SCIENTIFIC), False),
    )
    names = _folded(pc.if_else(none, "", names))
    distinct = pc.if_else(pc.equal(names, ""), None, names).dictionary_encode()
    codes = encoded.indices.cast(pa.int32())
    if len(distinct.dictionary) < len(names):  # some are empty or alike
        codes = distinct.indices.take(codes)
    return pa.DictionaryArray.from_arrays(codes, distinct.dictionary)


def parse_joined(columns: Sequence[pa.Array], missing: Sequence[str] = MISSING_WORDS) -> pa.DictionaryArray:
    """The ids of one or several columns, joined by `PART`; null where any cell of a row is none."""
    parts = [parse_ids(column, missing) for column in columns]
    if len(parts) == 1:
        return parts[0]
    texts = [part.dictionary_decode() for part in parts]
    return pc.binary_join_element_wise(*texts, PART).dictionary_encode()


def _folded(names: pa.Array) -> pa.Array:
    if pc.all(pc.string_is_ascii(names), min_count=0).as_py():
        return pc.ascii_lower(names)
    return pa.array([name and id_folds(name).as_read for name in names.to_pylist()], pa.string())


def _as_text(names: pa.Array) -> pa.Array:
    if not pa.types.is_floating(names.type):
        return names.cast(pa.string())
    numbers = names.cast(pa.float64())
    whole = pc.and_(pc.equal(pc.round(numbers), numbers), pc.less(pc.abs(numbers), _EXACT_BELOW))
    digits = pc.if_else(whole, numbers, None).cast(pa.int64()).cast(pa.string())
    known = pc.if_else(pc.is_nan(numbers), None, numbers)
    return pc.coalesce(digits, known.cast(pa.string()))
