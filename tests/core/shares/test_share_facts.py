"""What a bundle states of ranges."""

from __future__ import annotations

import pytest

from core.shares.share_facts import HIDDEN, has_mean, share_facts
from core.statistics.ranges import Ranges
from core.statistics.share import ShareParams

STANDING = Ranges(((0, 1000), (1000, 20_000), (20_000, 65_000)), 65_000)


def test_ranges_are_stated_as_values_are_and_a_mean_only_where_there_is_one() -> None:
    facts = share_facts(STANDING, -600_000, mean=True)
    assert facts["edges_of_atoms_in_thousandths"] == (-600_000, -599_000, -580_000, -535_000)
    assert facts["middles_of_ranges_in_thousandths"] == (-600_000, -589_500, -564_250)
    assert sum(facts["expected_shares_in_millionths"]) == pytest.approx(10**6, abs=2)
    assert facts[HIDDEN] > 0
    assert {*facts} - {*share_facts(STANDING, 0, mean=False)} == {HIDDEN, "middles_of_ranges_in_thousandths"}


def test_a_mean_stands_among_percentiles_only() -> None:
    assert has_mean(STANDING, ShareParams(percentiles=(50.0,)))
    assert not has_mean(STANDING, ShareParams())
    assert not has_mean(Ranges(((0, 20_000), (20_000, 65_000)), 65_000), ShareParams(percentiles=(50.0,)))
