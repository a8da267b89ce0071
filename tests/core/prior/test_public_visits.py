"""A table of visits as counts, and as pairs for a plan."""

from __future__ import annotations

import numpy as np

from core.prior.public_visits import PublicVisits

VISITS = PublicVisits(
    hats=4,
    column=np.array([0, 0, 2, 2, 2]),
    unit=np.array([0, 1, 0, 1, 2]),
    records=np.array([3, 4, 1, 1, 9]),
)


def test_counts_are_of_every_candidate() -> None:
    public = VISITS.counts()
    assert public.units.tolist() == [2, 0, 3, 0]
    assert public.records.tolist() == [4, 1, 4, 1], "means, rounded up"
    assert public.fleet == 3


def test_pairs_are_of_those_that_are_visited() -> None:
    pairs = VISITS.pairs()
    assert VISITS.visited.tolist() == [True, False, True, False]
    assert (pairs.hats, pairs.vehicles) == (2, 3)
    assert pairs.by_hat(pairs.records).tolist() == [7, 11]
