"""What is public of the users of one HAT: shares, how long they stay, and who left."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given

from core.contributions import HatData, HatUsers
from tests.strategies import hat_data, hat_users

STAYING = HatUsers(counts=np.array([6, 2]), visits=np.array([3, 1]))
LEFT = HatUsers(counts=np.array([9, 1]), visits=np.array([1, 1]))


def test_shares_and_dwell_by_hand() -> None:
    """12 of 16 records in 3 visits, 4 in 4: h = ln 4 and 0, their mean over records 0.75 ln 4."""
    users = HatUsers(counts=np.array([12, 4]), visits=np.array([3, 4]))
    assert (users.size, users.records) == (2, 16)
    assert users.shares.tolist() == [0.75, 0.25]
    assert users.dwell is not None
    assert users.dwell == pytest.approx([0.25 * math.log(4), -0.75 * math.log(4)])


@given(users=hat_users())
def test_dwell_has_no_mean_over_records(users: HatUsers) -> None:
    """So that the mean over records is not moved by what depends on dwell alone."""
    assert users.shares.sum() == pytest.approx(1)
    if users.visits is None:
        assert users.dwell is None
        return
    assert users.dwell is not None
    assert users.shares @ users.dwell == pytest.approx(0, abs=1e-12)
    order = np.argsort(users.counts / users.visits)
    assert (np.diff(users.dwell[order]) >= -1e-12).all(), "longer stays, larger h"


@given(hat=hat_data())
def test_the_public_part_of_a_hat_holds_counts_and_visits_alone(hat: HatData) -> None:
    assert {field.name for field in dataclasses.fields(HatUsers)} == {"counts", "visits", "suppressed"}
    assert hat.public.counts is hat.counts
    assert hat.public.visits is hat.visits
    assert hat.public.suppressed is None


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


def test_caches_tell_visits_and_who_left_apart() -> None:
    one, other = LEFT, HatUsers(counts=np.array([9, 1]))
    facts = {
        HatUsers(counts=STAYING.counts, visits=visits, suppressed=suppressed).other_facts
        for visits in (None, STAYING.visits)
        for suppressed in (None, one, other)
    }
    assert len(facts) == 6
