"""ui.session.hat_bins: every HAT in one bar, and back from the bars to the HATs."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.ui.small_city import planned_session
from ui.session.hat_bins import alike, bins_of_errors, bins_of_vehicles


def test_vehicles_of_hats(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    overview = session.overview
    assert overview is not None
    held = bins_of_vehicles(overview)
    assert len(held.hats) == len(overview.cells) == int(held.bins.counts.sum())
    bars, end = held.bars("vehicles")
    most = next(place for place, bar in enumerate(bars) if bar.start == "5")
    assert held.hats_between(most, most) == [
        hat for hat, count in zip(held.hats, overview.vehicles.tolist(), strict=True) if count == 5
    ]
    assert bars[most].words.endswith("vehicles: 2 hexagon slots")
    assert float(end) > 5
    marked = frozenset(held.hats_between(most, most)[:1])
    assert held.marked_counts(marked)[most] == 1
    assert sum(held.marked_counts(frozenset())) == 0


def test_errors_of_planned_hats(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.forecast is not None
    assert session.forecast.plan is not None
    held = bins_of_errors(session.forecast)
    planned = {(hat.cell_text, hat.slot) for hat in session.forecast.plan.hats if hat.plan is not None}
    assert set(held.hats) == planned
    assert set(held.hats_between(0, held.bins.counts.size - 1)) == planned


def test_the_numbers_of_an_axis_have_as_many_decimals_as_each_other() -> None:
    assert alike([1.38, 1.39, 1.4, 1.41]) == ["1.38", "1.39", "1.40", "1.41"]
    assert alike([0.0, 5.0, 10.0]) == ["0", "5", "10"]
