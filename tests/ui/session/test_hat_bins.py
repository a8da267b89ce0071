"""ui.session.hat_bins: every HAT in one bar, and back from the bars to the HATs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.advice.value_bins import value_bins
from tests.ui.small_city import planned_session
from ui.session.hat_bins import HatBins, bins_of_errors, bins_of_vehicles


def test_vehicles_of_hats(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    overview = session.overview
    assert overview is not None
    held = bins_of_vehicles(overview)
    assert held.hats[0] == (overview.cells[0], overview.slots[0])
    assert len(held.hats) == len(overview.cells) == int(held.bins.counts.sum())
    bars, end = held.bars("vehicles")
    most = next(place for place, bar in enumerate(bars) if bar.start == "5")
    assert held.hats_between(most, most) == [
        hat for hat, count in zip(held.hats, overview.vehicles.tolist(), strict=True) if count == 5
    ]
    assert bars[most].words.endswith("vehicles: 2 hexagon slots")
    assert float(end) > 5
    assert np.diff(held.bins.edges).min() >= 1
    marked = frozenset(held.hats_between(most, most)[:1])
    assert held.marked_counts(marked)[most] == 1
    assert sum(held.marked_counts(frozenset())) == 0
    assert held.marked_counts(frozenset(held.hats)) == tuple(held.bins.counts.tolist())


def test_errors_of_planned_hats(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.forecast is not None
    assert session.forecast.plan is not None
    held = bins_of_errors(session.forecast)
    planned = {(hat.cell_text, hat.slot) for hat in session.forecast.plan.hats if hat.plan is not None}
    assert set(held.hats) == planned
    assert set(held.hats_between(0, held.bins.counts.size - 1)) == planned
    assert np.diff(held.bins.edges).max() < 1, "half a km/h is a difference, half a vehicle is none"


@pytest.mark.parametrize(
    ("values", "starts", "end"),
    [
        ([1.3, 1.6], ["1.300", "1.325", "1.350", "1.375", "1.400"], "1.600"),
        ([0.0, 40_000.0], ["0", "2,500", "5,000"], "40,000"),
        ([0.0, 2e-5], ["0.000000", "0.000001"], "0.000020"),
    ],
)
def test_ends_of_bars_have_the_same_decimals(values: list[float], starts: list[str], end: str) -> None:
    bars, last = HatBins(hats=(), bins=value_bins(np.array(values))).bars("km/h")
    assert ([bar.start for bar in bars[: len(starts)]], last) == (starts, end)
