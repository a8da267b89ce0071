from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatUsers
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.mechanisms.whole_release import WholeRelease
from core.privacy import Relation
from tests.records import assert_tells


def test_they_are_the_mechanisms_of_relation_user() -> None:
    found = mechanisms_of(Relation.USER)
    assert list(found) == ["bounded-mean", "plan-and-enforce"]
    assert all(isinstance(one, WholeRelease) and one.joint and not one.models_bias for one in found.values())
    assert not mechanisms_of(Relation.VALUES).keys() & found.keys()


@pytest.mark.parametrize("key", list(mechanisms_of(Relation.USER)))
def test_no_hat_is_planned_by_its_exact_counts(key: str) -> None:
    mechanism = all_mechanisms()[key]
    users = HatUsers(counts=np.array([3, 1], np.int64))
    with pytest.raises(InputError, match="uses exact counts of none") as caught:
        mechanism.plan(users, Decimal(1), 65_000, mechanism.Params(), PlanCache())
    assert_tells(caught.value)
