from __future__ import annotations

import pytest

from core.statistics.error_figures import error_in_brief, error_scale, figure, significant, unit_of_errors
from core.statistics.registry import require_statistic


@pytest.mark.parametrize(
    ("statistic", "error", "told"),
    [("mean", 9.351, "9.35 km/h"), ("cdf", 0.16083, "16.08 percentage points")],
)
def test_errors_of_shares_are_read_in_percentage_points(statistic: str, error: float, told: str) -> None:
    measure = require_statistic(statistic).measures[0]
    assert f"{figure(error_scale(measure) * error, measure)} {unit_of_errors(measure)}" == told


@pytest.mark.parametrize(("statistic", "read"), [("mean", "3 km/h"), ("share", "3 points")])
def test_where_there_is_little_room_points_are_those_of_percent(statistic: str, read: str) -> None:
    assert error_in_brief("3", require_statistic(statistic).measures[0]) == read


def test_what_is_small_keeps_three_digits() -> None:
    measure = require_statistic("cdf").measures[0]
    assert figure(0.012345, measure) == "0.0123"


@pytest.mark.parametrize(
    ("value", "told"),
    [(2_412.7, "2,400"), (99.7, "100"), (141.2, "140"), (9.96, "10"), (0.0123, "0.012"), (0.0, "0")],
)
def test_a_large_number_has_no_power_of_ten(value: float, told: str) -> None:
    assert significant(value, 2) == told
