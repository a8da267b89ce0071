"""core.planning.planning_room: pairs are counted before anything is planned."""

from __future__ import annotations

import numpy as np
import pytest

from core.contributions import EVALUATION_TIE_KEY, users_of
from core.errors import InputError
from core.planning import planning_room
from core.planning.planning_room import ROOM, require_room
from core.privacy import Unit
from tests.count_tables import TOWN, contributions_of

USERS = users_of(contributions_of(TOWN), Unit.VEHICLE, EVALUATION_TIE_KEY)
ALL = np.ones(4, np.bool_)


def test_a_city_beyond_the_limit_is_refused_with_its_cost_and_the_limit_can_be_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require_room(USERS, ALL)
    monkeypatch.setattr(planning_room, "_PAIR_BYTES", 10**9)
    monkeypatch.setenv(ROOM, "12.5")
    with pytest.raises(InputError, match=r"up to 13 GB of memory and 1 min to plan; 12\.5 GB are allowed"):
        require_room(USERS, ALL)
    monkeypatch.setenv(ROOM, "13")
    require_room(USERS, ALL)
    monkeypatch.delenv(ROOM)
    with pytest.raises(InputError, match="8 GB are allowed"):
        require_room(USERS, ALL)
    require_room(USERS, np.array([True, True, False, False]))


def test_a_limit_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOM, "much")
    with pytest.raises(InputError, match="HEXVEIL_PLANNING_GB is no number"):
        require_room(USERS, ALL)
