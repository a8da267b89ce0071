"""What a selection rule gets and gives (SPEC 3, TR III.C)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions
from core.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionRequest:
    """Which rule, with what threshold (distinct vehicles a day) or list of cells."""

    rule: str
    threshold: int | None = None
    cells: tuple[int, ...] = ()
    """Cells of a fixed list, as integers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The chosen HATs, sorted by (cell, slot). Public in relation `values`."""

    cell: NDArray[np.uint64]
    slot: NDArray[np.int16]
    index: NDArray[np.int64]
    """Shape (H,): the HAT's number in the contributions, -1 where it has no records."""

    def __len__(self) -> int:
        return int(self.cell.size)


class SelectionRule(Protocol):
    """One way to choose HATs."""

    key: ClassVar[str]
    title: ClassVar[str]
    needs_threshold: ClassVar[bool]

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        """Choose HATs by counts only. Raises InputError when none is left."""
        ...


def vehicle_days(contributions: Contributions) -> NDArray[np.int64]:
    """Shape (G,): distinct vehicles of each HAT and day, summed over the days."""
    return np.bincount(contributions.hat, minlength=contributions.hats)


def required(contributions: Contributions, request: SelectionRequest) -> int:
    """The sum over days that a HAT must reach: at least `days x threshold`."""
    if request.threshold is None:
        raise InputError(
            "This rule needs a threshold.", where="selection.threshold", mend="write threshold = 10"
        )
    return contributions.window.days * request.threshold


def chosen(contributions: Contributions, keep: NDArray[np.bool_]) -> Selection:
    """The HATs with records that are kept. Raises InputError when none is."""
    index = np.flatnonzero(keep)
    if not index.size:
        raise InputError(
            "The threshold leaves no HAT.",
            where="selection.threshold",
            mend="lower the threshold, choose a coarser resolution or a longer slot",
        )
    return Selection(cell=contributions.cell[index], slot=contributions.slot[index], index=index)
