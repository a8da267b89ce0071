"""The two groupings by their keys, and what help says of grouping and m_UB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.grouping.assignment import Assignment
from core.grouping.bestfit import bestfit
from core.grouping.m_ub import RULE_TITLES, RULES
from core.grouping.wraparound import wraparound
from core.parameter_fields import choice

BESTFIT = "bestfit"
WRAPAROUND = "wraparound"
GROUPINGS: dict[str, Callable[[NDArray[np.int64], int], Assignment]] = {
    BESTFIT: bestfit,
    WRAPAROUND: wraparound,
}


def grouping_field() -> Any:
    """The parameter `grouping` of a mechanism."""
    return choice(
        BESTFIT,
        tuple(GROUPINGS),
        label="Grouping",
        help="How users' records are packed into arrays.",
        titles={BESTFIT: "best fit", WRAPAROUND: "wrapped around"},
    )


def m_ub_field(default: str) -> Any:
    """The parameter `m_ub` of a mechanism: a rule, or a number of one's own."""
    return choice(
        default,
        tuple(RULES),
        integer_from=1,
        label="Records per vehicle",
        help=(
            "m_UB: how many records per user count at most, from a rule on the counts or a number you "
            "type; where nobody has so many, all count."
        ),
        titles=RULE_TITLES,
    )
