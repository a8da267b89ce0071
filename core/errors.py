"""The tree of errors: each says what happened, where, and how to mend it.

    HexveilError            exit code 1
    ├── InputError          2   wrong use or unusable input (also a ValueError)
    │   └── InputErrors         several together
    ├── BudgetRefused       3   the privacy budget does not allow the release
    ├── LedgerError         1   the ledger is damaged, rolled back or busy
    └── ReleaseAborted      1   a release stopped after its budget was reserved
    InternalError           our own bug (an AssertionError)

Messages never hold a true value, the content of a cell or the id of a vehicle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from core.texts import joined, text_of


class HexveilError(Exception):
    """An error a person can act on: what happened, where, and how to mend it.

    `InputError("There is no parameter {name} here.", name=name)`: with values, what happened is a template.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, /, *, where: str = "", mend: str = "", **values: object) -> None:
        self.what = text_of(what, **values)
        self.where = where
        self.mend = mend
        super().__init__(str(self))

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(text_of("where: {where}", where=self.where))
        if self.mend:
            mend = self.mend.replace("\n", "\n       ") if "\n" in self.mend else self.mend
            lines.append(text_of("fix:   {mend}", mend=mend))
        return joined("\n", lines)


class InputError(HexveilError, ValueError):
    """Wrong use, or an input that cannot be used."""

    exit_code = 2


class InputErrors(InputError):
    """Several things to mend together, each of which would have been refused by itself."""

    def __init__(self, what: str, problems: Sequence[InputError]) -> None:
        self.problems = tuple(problems)
        mends = (f"{problem.where}: {problem.what} {_sentence(problem.mend)}" for problem in problems)
        places = dict.fromkeys(problem.where.partition(".")[0] for problem in problems)
        super().__init__(what, where=joined(", ", places), mend=joined("\n", mends))

    def __reduce__(self) -> tuple[type[InputErrors], tuple[str, tuple[InputError, ...]]]:
        return InputErrors, (self.what, self.problems)


class BudgetRefused(HexveilError):
    """The ledger refuses: the release would cost more than the population's limit."""

    exit_code = 3


class LedgerError(HexveilError):
    """The ledger cannot be trusted or reached."""

    passing: ClassVar[bool] = False
    """Whether trying again later may help."""


class ReleaseAborted(HexveilError):
    """A release stopped after its budget had been reserved; the budget counts as spent."""


class InternalError(AssertionError):
    """A bug of ours: a state the program must never reach."""


def _sentence(mend: str) -> str:
    return f"{mend[:1].upper()}{mend[1:]}." if mend else ""
