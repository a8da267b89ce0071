"""Which grid is advised: from counts, by the rule that the documents state."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import contributions_of
from core.errors import InputError
from core.hats.slots import SlotLength
from core.hats.window import Window, build_window
from core.planning.grid_advice import ENOUGH_RECORDS, advise_grid
from core.planning.resolution_table import resolution_row
from tests.records import Ping, assert_tells, instant, make_records


@dataclass(frozen=True)
class Counts:
    """What a row would tell, whatever the threshold."""

    resolution: int
    window: Window
    k_day: int
    hats: int
    share: float

    def busy_hats(self, threshold: int) -> int:  # noqa: ARG002 - as rows are asked
        return self.hats

    def busy_records(self, threshold: int) -> float:  # noqa: ARG002 - as rows are asked
        return self.share


def grid(
    resolution: int, length: SlotLength, *, hats: int = 10, share: float = 0.9, k_day: int = 5
) -> Counts:
    day = dt.date(2022, 1, 1)
    over = build_window(((day, day),), ("09:00", "21:00"), length)
    return Counts(resolution, over, k_day, hats, share)


GRIDS = st.builds(
    grid,
    st.integers(5, 10),
    st.sampled_from((15, 30, 60, 120, 240, "all")),
    hats=st.integers(0, 5),
    share=st.sampled_from((0.0, 0.5, 0.74, ENOUGH_RECORDS, 0.9, 1.0)),
    k_day=st.integers(1, 3),
)


@given(st.lists(GRIDS, min_size=1, max_size=12, unique_by=lambda row: (row.resolution, row.window)))
def test_the_finest_that_keeps_enough_and_else_what_keeps_most(rows: list[Counts]) -> None:
    found = advise_grid(rows, 10)
    chosen = found.row
    assert chosen in rows
    good = [row for row in rows if row.share >= ENOUGH_RECORDS]
    assert found.enough == bool(good)
    if good:
        assert chosen.busy_records(10) >= ENOUGH_RECORDS
        most = max(row.hats for row in good)
        assert chosen.busy_hats(10) == most
        assert chosen.k_day == min(row.k_day for row in good if row.hats == most)
    else:
        assert chosen.busy_records(10) == max(row.share for row in rows)
    assert advise_grid(rows[::-1], 10).row is chosen, "their order decides nothing"


def test_the_sentence_says_what_why_and_at_what_cost() -> None:
    reason = advise_grid([grid(7, 60, hats=1381, share=0.81, k_day=96), grid(8, 60, share=0.36)], 10).reason
    for part in (
        "resolution 7 with slots of 60 minutes",
        "1,381 hexagon slots",
        "10 vehicles",
        "81 %",
        "75 %",
        "96 hexagon slots",
    ):
        assert part in reason
    assert "the most such hexagon slots of all grids compared where they hold at least 75 %" in reason
    assert reason.startswith("Take ")
    assert reason.endswith(".")
    assert reason.count(". ") == 0
    assert "one slot of 720 minutes" in advise_grid([grid(7, "all")], 10).reason


def test_one_hexagon_slot_and_one_vehicle_are_told_as_one() -> None:
    reason = advise_grid([grid(7, 60, hats=1, share=0.81, k_day=1)], 1).reason
    assert "81 % of the records are in 1 hexagon slot with 1 vehicle a day or more, " in reason
    assert reason.endswith("a vehicle is in up to 1 hexagon slot a day.")


def test_where_no_grid_keeps_enough_it_says_so() -> None:
    reason = advise_grid([grid(9, 15, share=0.1), grid(8, 60, share=0.36)], 4).reason
    assert reason.startswith("No grid compared has 75 %")
    assert "resolution 8 with slots of 60 minutes" in reason
    assert "lower the threshold" in reason


def test_where_no_hat_is_busy_none_is_advised() -> None:
    reason = advise_grid([grid(9, 15, hats=0, share=0.0), grid(8, 60, hats=0, share=0.0)], 4).reason
    assert reason.startswith("No grid compared has a hexagon slot with 4 vehicles a day: ")
    assert "resolution" not in reason


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        advise_grid([], 10)
    assert_tells(caught.value)


@given(st.integers(0, 65), st.integers(0, 65))
def test_values_move_nothing(one: int, other: int) -> None:
    """Counts alone, which relation values makes public."""
    day = dt.date(2022, 1, 1)
    reasons = set()
    for speed in (one, other):
        city = [
            Ping(f"bus{bus}", instant(f"2022-01-01T{9 + bus % 3:02}:05:00"), 21.17, 72.83, speed)
            for bus in range(9)
        ]
        rows = [
            resolution_row(
                contributions_of(
                    make_records(city), resolution, build_window(((day, day),), ("09:00", "12:00"), length)
                )
            )
            for resolution in (6, 7)
            for length in (60, 30)
        ]
        reasons.add(advise_grid(rows, 2).reason)
    assert len(reasons) == 1
