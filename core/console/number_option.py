"""An option that is a whole number from 1 on."""

from __future__ import annotations

from core.errors import InputError


def number_typed(given: int | None, usual: int, most: int, *, called: str, where: str) -> int:
    """What was typed, or the usual number. Raises InputError unless it is from 1 to `most`.

    called: what is counted, in words; where: the option.
    """
    number = usual if given is None else given
    if not 1 <= number <= most:
        raise InputError(
            f"This number of {called} is not offered.", where=where, mend=f"write a number from 1 to {most}"
        )
    return number
