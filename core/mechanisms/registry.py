"""The registry of mechanisms: a new file in this package is all a mechanism needs."""

from __future__ import annotations

from functools import cache
from typing import cast

from core import mechanisms
from core.discovery import discover
from core.errors import InputError
from core.mechanisms.base import AnyMechanism
from core.privacy import Relation
from core.texts import text_of


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
            "The mechanism {key} is unknown.",
            key=f"{key!r}",
            where="query.mechanism",
            mend=text_of("write one of {value}", value=", ".join(all_mechanisms())),
        )
    return all_mechanisms()[key]
