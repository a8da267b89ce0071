"""What is public of a HAT's users: shares, and how long they stay."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given

from core.contributions import HatData, HatUsers
from tests.strategies import hat_data, hat_users


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
        assert users.visits_key is None
        return
    assert users.dwell is not None
    assert users.shares @ users.dwell == pytest.approx(0, abs=1e-12)
    order = np.argsort(users.counts / users.visits)
    assert (np.diff(users.dwell[order]) >= -1e-12).all(), "longer stays, larger h"


def test_other_visits_have_another_key() -> None:
    counts = np.array([5, 3])
    keys = {
        HatUsers(counts=counts, visits=visits).visits_key
        for visits in (None, np.array([5, 3]), np.array([1, 1]), np.array([1, 3]))
    }
    assert len(keys) == 4


@given(hat=hat_data())
def test_the_public_part_of_a_hat_holds_counts_and_visits_alone(hat: HatData) -> None:
    assert {field.name for field in dataclasses.fields(HatUsers)} == {"counts", "visits"}
    assert hat.public.counts is hat.counts
    assert hat.public.visits is hat.visits
