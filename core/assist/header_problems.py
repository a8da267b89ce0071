"""Column names that may lead astray, each named with what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.assist.number_date_notation import NUMBER_LIKE

BLOCKING = frozenset({"duplicate", "unreadable", "empty"})
"""A column with such a name cannot be distinguished from another, so nothing may be read from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderProblem:
    """One problem of one column."""

    kind: str
    """`duplicate`, `unreadable`, `empty`, `padded`, `tab`, `numeric` or `single`."""
    column: str
    number: int
    """Which column, from 1."""

    @property
    def blocks(self) -> bool:
        """Nothing may be read from this column."""
        return self.kind in BLOCKING


def header_problems(columns: Sequence[str]) -> tuple[HeaderProblem, ...]:
    """Every problem, in the order of the columns; a repeated name is reported where it repeats."""
    found = [
        HeaderProblem(kind=kind, column=name, number=number)
        for number, name in enumerate(columns, start=1)
        for kind in _kinds(name)
    ]
    seen = Counter[str]()
    for number, name in enumerate(columns, start=1):
        seen[name] += 1
        if name.strip() and seen[name] == 2:
            found.append(HeaderProblem(kind="duplicate", column=name, number=number))
    if len(columns) == 1:
        found.append(HeaderProblem(kind="single", column=columns[0], number=1))
    return tuple(sorted(found, key=lambda problem: problem.number))


def _kinds(name: str) -> list[str]:
    if not name.strip():
        return ["empty"]
    kinds = []
    if "\ufffd" in name or "\0" in name:
        kinds.append("unreadable")
    if "\t" in name.strip():
        kinds.append("tab")
    if name != name.strip():
        kinds.append("padded")
    if NUMBER_LIKE.fullmatch(name):
        kinds.append("numeric")
    return kinds
