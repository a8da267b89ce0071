"""Labels of records: what a column with a public name says of each, a text from a short list (method 2.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from core.privacy import Confidential

NO_LABEL = -1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class LabelColumn(Confidential):
    """One label for each record."""

    texts: tuple[str, ...]
    """Each once; some may have no record."""
    code: NDArray[np.signedinteger[Any]]
    """Shape (n,): record -> its text; `NO_LABEL` where a row has none, which is no record then."""

    def __getitem__(self, rows: Any) -> LabelColumn:
        return LabelColumn(texts=self.texts, code=self.code[rows])


Labels = Mapping[str, LabelColumn]
"""By public name of the column, in the order of these names."""


def code_type(texts: int) -> DTypeLike:
    """The narrowest type of codes of so many texts."""
    return np.int16 if texts - 1 <= np.iinfo(np.int16).max else np.int32
