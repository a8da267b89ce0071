"""The registry of mechanisms: a new file in this package is all a mechanism needs."""

from __future__ import annotations

from functools import cache
from typing import cast

from core import mechanisms
from core.discovery import discover
from core.errors import InputError
from core.mechanisms.base import AnyMechanism
from core.privacy import Relation


@cache
def all_mechanisms() -> dict[str, AnyMechanism]:
    """Every discovered mechanism by its key. Raises InternalError when there is none."""
    return cast(dict[str, AnyMechanism], discover(mechanisms, "MECHANISM"))


def mechanisms_of(relation: Relation) -> dict[str, AnyMechanism]:
    """Those that a relation offers."""
    return {key: one for key, one in all_mechanisms().items() if relation in one.relations}


def require_mechanism(key: str) -> AnyMechanism:
    """The mechanism of that key. Raises InputError for an unknown one."""
    if key not in all_mechanisms():
        raise InputError(
            f"The mechanism {key!r} is unknown.",
            where="query.mechanism",
            mend="write one of " + ", ".join(all_mechanisms()),
        )
    return all_mechanisms()[key]
