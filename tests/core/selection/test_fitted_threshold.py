"""core.selection.fitted_threshold: the usual one, or one that leaves HATs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.selection.fitted_threshold import fitted_threshold
from tests.selections import vehicle_days_of
from tests.strategies import contributions


@given(contributions(most_hats=7), st.integers(1, 6))
def test_some_hat_is_left_wherever_there_is_one(table: Contributions, usual: int) -> None:
    found = sorted(vehicle_days_of(table).values())
    days = table.window.days
    fitted = fitted_threshold(table, usual)
    assert 1 <= fitted <= usual
    if not found or found[-1] // days >= usual:
        assert fitted == usual
    else:
        # at least half of the HATs reach it, but for those with fewer vehicle-days than the window has dates
        assert fitted == 1 or sum(count >= days * fitted for count in found) >= len(found) / 2
