"""The selection rules by key: one that is unknown, a threshold that leaves no hexagon slot."""

from __future__ import annotations

from functools import cache
from typing import cast

import core.selection as rules
from core.contributions import Contributions
from core.discovery import discover
from core.errors import InputError
from core.hats.larger_rows import larger_rows
from core.selection.base import Selection, SelectionRequest, SelectionRule
from core.texts import text_of


@cache
def all_rules() -> dict[str, SelectionRule]:
    """Every discovered rule by its key."""
    return cast(dict[str, SelectionRule], discover(rules, "RULE"))


def require_rule(key: str) -> SelectionRule:
    """The rule of that key. Raises InputError for an unknown one."""
    if key not in all_rules():
        raise InputError(
            "The selection rule {key} is unknown.",
            key=f"{key!r}",
            where="selection.rule",
            mend=text_of("write one of {value}", value=", ".join(all_rules())),
        )
    return all_rules()[key]


def select(contributions: Contributions, request: SelectionRequest) -> Selection:
    """Choose the HATs of a release. Raises InputError for an unknown rule or when none is left."""
    selection = require_rule(request.rule).select(contributions, request)
    if not len(selection):
        raise InputError(
            "The threshold leaves no hexagon slot.",
            where="selection.threshold",
            mend=text_of(
                "lower the threshold, or choose {larger}",
                larger=larger_rows(contributions.choice.place_kind, contributions.window),
            ),
        )
    return selection
