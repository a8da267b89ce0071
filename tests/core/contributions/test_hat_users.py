"""What is public of the users of one HAT, and of those who left it."""

from __future__ import annotations

import numpy as np
import pytest

from core.contributions import HatUsers

STAYING = HatUsers(counts=np.array([6, 2]), visits=np.array([3, 1]))
LEFT = HatUsers(counts=np.array([9, 1]), visits=np.array([1, 1]))


def test_shares_and_records_are_those_of_who_stays() -> None:
    users = HatUsers(counts=STAYING.counts, visits=STAYING.visits, suppressed=LEFT)
    assert (users.size, users.records, users.all_records) == (2, 8, 18)
    assert users.shares.tolist() == [0.75, 0.25]


def test_everyone_is_who_stays_and_then_who_left() -> None:
    users = HatUsers(counts=STAYING.counts, visits=STAYING.visits, suppressed=LEFT)
    everyone = users.everyone
    assert everyone.counts.tolist() == [6, 2, 9, 1]
    assert everyone.visits is not None
    assert everyone.visits.tolist() == [3, 1, 1, 1]
    assert everyone.suppressed is None
    assert STAYING.everyone is STAYING


def test_visits_of_everyone_are_known_only_where_all_are() -> None:
    left = HatUsers(counts=LEFT.counts)
    assert HatUsers(counts=STAYING.counts, visits=STAYING.visits, suppressed=left).everyone.visits is None


def test_dwell_time_sums_to_nothing_over_the_records() -> None:
    dwell = STAYING.dwell
    assert dwell is not None
    assert float(STAYING.shares @ dwell) == pytest.approx(0.0)
    assert HatUsers(counts=STAYING.counts).dwell is None


def test_caches_tell_visits_and_who_left_apart() -> None:
    one, other = LEFT, HatUsers(counts=np.array([9, 1]))
    facts = {
        HatUsers(counts=STAYING.counts, visits=visits, suppressed=suppressed).other_facts
        for visits in (None, STAYING.visits)
        for suppressed in (None, one, other)
    }
    assert len(facts) == 6
