"""What is public of ranges, as a bundle states it and `verify` expects it (city-release 14)."""

from __future__ import annotations

import math

from core.shares.mean_of_shares import gives_mean, hidden_by_ranges, middles_of
from core.shares.share_model import expected_shares
from core.shares.share_plan import SHARE_PARTS
from core.statistics.base import MadeBy
from core.statistics.ranges import Ranges
from core.statistics.share import HIDDEN, MILLIONTHS, AnyShareParams


def has_mean(ranges: Ranges, params: AnyShareParams) -> bool:
    """Whether a mean stands among the percentiles."""
    return bool(params.percentiles) and gives_mean(ranges)


def share_facts(ranges: Ranges, lower: int, *, mean: bool) -> dict[str, MadeBy]:
    """Atoms, Q, p_j and, with a mean, what stands for each range and what ranges hide.

    lower: where values are counted from, thousandths.
    """
    facts: dict[str, MadeBy] = {
        "parts_of_a_share": SHARE_PARTS,
        "edges_of_atoms_in_thousandths": tuple(edge + lower for edge in ranges.edges),
        "expected_shares_in_millionths": tuple(
            round(one * MILLIONTHS) for one in expected_shares(ranges).tolist()
        ),
    }
    if mean:
        facts |= {
            "middles_of_ranges_in_thousandths": tuple(
                round(one) + lower for one in middles_of(ranges).tolist()
            ),
            HIDDEN: math.ceil(hidden_by_ranges(ranges)),
        }
    return facts
