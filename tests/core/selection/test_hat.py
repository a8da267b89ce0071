"""Rule `hat` against a literal version."""

from __future__ import annotations

from hypothesis import given

from core.contributions import Contributions
from tests.selections import THRESHOLDS, check, vehicle_days_of
from tests.strategies import contributions


@given(contributions(most_hats=7), THRESHOLDS)
def test_each_hat_is_judged_by_itself(table: Contributions, threshold: int) -> None:
    need = table.window.days * threshold
    expected = sorted(place for place, found in vehicle_days_of(table).items() if found >= need)
    check("hat", threshold, table, expected)
