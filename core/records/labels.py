"""Labels of records: what a column with a public name says of each, a text from a short list (method 2.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from core.arrays import Floats
from core.privacy import Confidential

NO_LABEL = -1
LABEL_OF_ZONE = "zone-id"
"""Stands for the public name of a column where a record's label is the zone that it lies in."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class LabelColumn(Confidential):
    """One label for each record."""

    texts: tuple[str, ...]
    """Each once; some may have no record."""
    code: NDArray[np.signedinteger[Any]]
    """Shape (n,): record -> its text; `NO_LABEL` where a row has none, which is no record then."""

    def __getitem__(self, rows: Any) -> LabelColumn:
        return LabelColumn(texts=self.texts, code=self.code[rows])


class LabelledZones(Protocol):
    """Areas of a public layer, each of which labels what lies in it."""

    @property
    def ids(self) -> tuple[str, ...]: ...

    @property
    def digest(self) -> str:
        """Of what decides which zone a position is in."""
        ...

    def locate(self, longitude: Floats, latitude: Floats) -> NDArray[np.int32]:
        """The zone of each position, `NO_LABEL` outside of all; degrees."""
        ...


Labels = Mapping[str, LabelColumn]
"""By public name of the column, in the order of these names."""


def code_type(texts: int) -> DTypeLike:
    """The narrowest type of codes of so many texts."""
    return np.int16 if texts - 1 <= np.iinfo(np.int16).max else np.int32
