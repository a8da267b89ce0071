"""What a histogram says in words, for every chart of counts. Imports no pyqtgraph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A value that is pointed out by a line with a name."""

    value: int
    name: str
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """What a histogram counts, in words: titles with units, and the nouns of the read-out.

    Each is asked for when it is shown: what places and the protected are called is a choice.
    """

    across: Callable[[], str]
    up: Callable[[], str]
    value: Callable[[int, int], str]
    """What a bar stands for, from its first value to its last: `3–5 vehicles`."""
    items: Callable[[int], str]
    """How many there are: `12 HAT-days`."""
