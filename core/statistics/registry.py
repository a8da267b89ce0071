"""The registry of statistics: a new file in this package is all a statistic needs."""

from __future__ import annotations

from functools import cache
from typing import cast

from core import statistics
from core.discovery import discover
from core.errors import InputError
from core.privacy import Relation
from core.statistics.base import AnyStatistic
from core.texts import text_of


@cache
def all_statistics() -> dict[str, AnyStatistic]:
    """Every discovered statistic by its key. Raises InternalError when there is none."""
    return cast(dict[str, AnyStatistic], discover(statistics, "STATISTIC"))


def statistics_of(relation: Relation) -> dict[str, AnyStatistic]:
    """Those that a relation offers."""
    return {key: one for key, one in all_statistics().items() if relation in one.relations}


@cache
def published_statistics() -> dict[str, AnyStatistic]:
    """What answers are published as, by key: every statistic, and the variants of some."""
    found = all_statistics()
    return found | {variant.key: variant for one in found.values() for variant in one.variants}


def require_statistic(key: str) -> AnyStatistic:
    """The statistic that is asked for, or published, by that key. Raises InputError for an unknown one."""
    if key not in published_statistics():
        raise InputError(
            "The statistic {key} is unknown.",
            key=f"{key!r}",
            where="query.statistic",
            mend=text_of("write one of {value}", value=", ".join(all_statistics())),
        )
    return published_statistics()[key]
