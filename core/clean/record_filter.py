"""Which records count by a column's texts, such as a direction, of 80 characters at most (method 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.text_columns import to_text
from core.records.labels import NO_LABEL, LabelColumn
from core.texts import Name, joined, text_of

NOT = "not_"
"""In front of a column's public name: records with these values are left out."""
MOST_TEXT = 80
"""Characters of a text that records are filtered by: it is published."""
_SEEN = dict.fromkeys(map(ord, "\u200c\u200d\xa0"), " ")
"""Signs that shape or part the letters beside them, in Hindi for instance: they are text."""
_FORMULA = ("=", "+", "-", "@")
_PUBLIC = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RecordFilter:
    """Only records with one of these values count, or only those with none of them."""

    name: str
    """The column's public name."""
    values: tuple[str, ...]
    """Trimmed, sorted, each once."""
    excluded: bool = False

    @property
    def key(self) -> str:
        """How a spec and a statement name it."""
        return f"{NOT}{self.name}" if self.excluded else self.name

    def passes(self, cells: pa.Array) -> NDArray[np.bool_]:
        """Shape (n,): which records count, each by its cell alone. An empty cell has none of the values."""
        listed = pa.array(self.values, pa.string())
        found: NDArray[np.bool_] = np.asarray(pc.is_in(_texts(cells), value_set=listed))
        return ~found if self.excluded else found


def labels_of(cells: pa.Array, missing: Sequence[str]) -> LabelColumn:
    """What the cells of a column say, each by itself; none for a word or what may not be published."""
    found = _texts(cells).dictionary_encode()
    texts = found.dictionary.to_pylist()
    public = [text for text in texts if is_public_text(text) and text not in missing]
    place = {text: code for code, text in enumerate(public)}
    codes = np.array([*(place.get(text, NO_LABEL) for text in texts), NO_LABEL], np.int32)
    # the last one is that of an empty cell
    return LabelColumn(texts=tuple(public), code=codes[np.asarray(found.indices.fill_null(len(texts)))])


def _texts(cells: pa.Array) -> pa.Array:
    """Cells as texts without blanks around them."""
    texts = pc.utf8_trim_whitespace(to_text(cells))
    if pa.types.is_floating(cells.type):  # a whole number in a column with gaps
        texts = pc.replace_substring_regex(texts, r"\.0$", "")
    return texts


def is_public_name(text: str) -> bool:
    """Whether a column may be called so in what is published."""
    fits = _PUBLIC.fullmatch(text) is not None and not text.startswith(NOT)
    return fits and text not in ("id", "time", "position", "value")  # for which a reason of `dropped` stands


def is_public_text(text: str) -> bool:
    """Whether a text of a cell may be published: it can be seen, and is short."""
    quoted = text.startswith("'") and text[1:].lstrip()[:1] in _FORMULA  # what such a text is published as
    return bool(text.strip()) and is_seen(text) and len(text) <= MOST_TEXT and not quoted


def is_seen(text: str) -> bool:
    """Whether each sign of a text can be seen, or shapes those beside it."""
    return text.translate(_SEEN).isprintable()


def filters_text(filters: Iterable[RecordFilter]) -> str:
    """What the filters let through, as a part of a sentence: `direction is UP or DN`."""
    return joined(", ", map(_condition, filters))


def _condition(item: RecordFilter) -> str:
    typed = map(Name, item.values)
    if item.excluded:
        return text_of("{name} is none of {values}", name=item.name, values=joined(", ", typed))
    return text_of("{name} is {values}", name=item.name, values=joined(" or ", typed))


def stated_filters(filters: Iterable[RecordFilter]) -> dict[str, list[str]]:
    """The filters as a spec and a statement write them; the inverse of `filters_of`."""
    return {item.key: list(item.values) for item in sorted(filters)}


def filters_of(stated: Mapping[str, Sequence[str]]) -> tuple[RecordFilter, ...]:
    """The filters that a table of texts names, in the order of their names."""
    return tuple(
        sorted(
            RecordFilter(
                name=key.removeprefix(NOT),
                values=tuple(sorted({text.strip() for text in values})),
                excluded=key.startswith(NOT),
            )
            for key, values in stated.items()
        )
    )
