"""The HATs with the most records: their names, counts and order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.planning.busiest_hats import busiest_hats, require_top
from core.privacy import Confidential
from tests.records import assert_tells
from tests.strategies import contributions


@given(contributions(most_hats=7), st.integers(1, 9))
def test_those_with_most_records_come_first(table: Contributions, top: int) -> None:
    found = busiest_hats(table, top)
    assert len(found) == min(top, table.hats)
    names = [table.hat_name(index) for index in range(table.hats)]
    places = [names.index(hat.name) for hat in found]
    assert len(set(places)) == len(places)
    for place, hat in zip(places, found, strict=True):
        rows = table.hat == place
        assert hat.records == int(table.counts[rows].sum())
        assert hat.vehicles == np.unique(table.vehicle[rows]).size
        assert hat.vehicle_days == int(rows.sum())
    ranked = sorted(range(table.hats), key=lambda place: (-int(table.records[place]), place))
    assert places == ranked[:top]


@pytest.mark.parametrize("top", [0, -3])
def test_fewer_than_one_are_refused(top: int) -> None:
    with pytest.raises(InputError) as caught:
        require_top(top, where="--top")
    assert_tells(caught.value)


@given(contributions())
def test_nothing_of_a_hat_shows_in_its_repr(table: Contributions) -> None:
    (hat,) = busiest_hats(table, 1)
    assert isinstance(hat, Confidential)
    assert repr(hat).startswith("<confidential ")
