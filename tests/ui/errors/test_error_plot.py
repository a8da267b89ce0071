"""The error plot: whose curves, from what, and what the analyst can do with them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation, Unit
from core.spec.defaults import DEFAULT_MECHANISM
from core.system.paths import find_home
from tests.ui.small_city import add_queries, edit, loaded_session, planned_session
from ui.errors.curve_request import curve_request
from ui.errors.curve_styles import curve_styles, symbol_path
from ui.errors.curves import CurveCache, CurveRequest, epsilon_grid, known_curves
from ui.errors.error_plot import ErrorPlotTab
from ui.kit.jobs import wait_for_all
from ui.kit.message_bar import Message
from ui.kit.theme import DARK, LIGHT, Mode, Theme
from ui.session.error_sources import Source
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")

KNOWN = CurveCache()
"""Of the tests that ask what is drawn, not how it comes about: most of them ask for the same curves."""


def show(
    qtbot: QtBot,
    session: Session,
    theme: Theme,
    source: Source = Source.REPLICA,
    cache: CurveCache | None = None,
) -> ErrorPlotTab:
    tab = ErrorPlotTab(session, theme, cache=cache)
    tab.bar.show_source(source)
    qtbot.addWidget(tab)
    tab.resize(760, 560)
    tab.show()
    qtbot.waitUntil(lambda: tab.plot.ready, timeout=10_000)
    return tab


def plotted(qtbot: QtBot, session: Session, theme: Theme, source: Source = Source.REPLICA) -> ErrorPlotTab:
    tab = show(qtbot, session, theme, source, KNOWN)
    qtbot.waitUntil(lambda: tab.plot.currentWidget() is tab.canvas, timeout=10_000)
    qtbot.waitUntil(lambda: tab.complete, timeout=10_000)
    return tab


def looked_at(qtbot: QtBot, folder: Path) -> Session:
    """Planned; somebody has confirmed to see true errors."""
    session = planned_session(qtbot, folder)
    session.edit("Population", population="Buses")
    session.ledger.set_evaluated("Buses")
    return session


def request_of(session: Session) -> CurveRequest:
    request = curve_request(session, Source.LOADED)
    assert isinstance(request, CurveRequest)
    return request


def test_a_hidden_tab_builds_no_plot(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = ErrorPlotTab(session, theme)
    qtbot.addWidget(tab)
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
    assert tab.canvas is None


def test_without_data_the_tab_says_what_to_do(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme, Source.LOADED)
    assert tab.plot.empty.reason.text() == "No data yet"
    assert not tab.badge.isVisible()
    assert not any(box.isVisible() for box in tab.switches.values())


def test_without_relation_and_unit_there_are_no_curves(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme, Source.LOADED)
    assert tab.plot.empty.reason.text() == "Who is protected is not chosen yet"
    edit(qtbot, session, unit=Unit.VEHICLE)
    assert tab.plot.empty.reason.text() == "Who is protected is not chosen yet"
    assert tab.plot.currentWidget() is not tab.canvas


def test_relation_user_shows_nothing_from_exact_counts(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, relation=Relation.USER)
    message = curve_request(session, Source.LOADED)
    assert isinstance(message, Message)
    assert message.what == "No error curves for this protection"


def test_a_draft_that_does_not_fit_is_explained(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = looked_at(qtbot, tmp_path)
    tab = plotted(qtbot, session, theme, Source.LOADED)
    edit(qtbot, session, threshold=500)
    assert tab.plot.empty.reason.text() == "The threshold leaves no hexagon slot."
    assert tab.plot.currentWidget() is not tab.canvas
    edit(qtbot, session, threshold=3)
    qtbot.waitUntil(lambda: tab.plot.currentWidget() is tab.canvas, timeout=10_000)


def test_the_hat_in_the_middle_is_taken_until_one_is_chosen(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    session = looked_at(qtbot, tmp_path)
    tab = plotted(qtbot, session, theme, Source.LOADED)
    # selected: two HATs of five vehicles and two of three
    assert request_of(session).vehicles == 3
    assert ": 3 vehicles, 9 records" in tab.title.text()
    overview = session.overview
    assert overview is not None
    busiest = int(overview.vehicles.argmax())
    session.chosen.choose_hat(overview.cells[busiest], int(overview.slots[busiest]))
    qtbot.waitUntil(lambda: ": 5 vehicles, 20 records" in tab.title.text(), timeout=10_000)
    assert overview.cells[busiest] in tab.title.text()
    assert tab.subtitle.text().endswith("The hexagon slot you chose.")


def test_a_chosen_hat_without_records_is_named(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    session.chosen.choose_hat(session.overview.cells[0], 20)
    message = curve_request(session, Source.LOADED)
    assert isinstance(message, Message)
    assert message.what == f"Hexagon {session.overview.cells[0]} at 20:00 holds no records"


def test_the_repr_of_curves_tells_no_counts(qtbot: QtBot, tmp_path: Path) -> None:
    request = request_of(planned_session(qtbot, tmp_path))
    assert repr(request).startswith("<confidential CurveRequest")
    assert repr(known_curves(request, CurveCache())).startswith("<confidential Curves")


@pytest.mark.parametrize("chosen", ["0.000001", "0.039525", "0.25", "0.5", "4", "300", "1000000"])
def test_the_grid_holds_the_chosen_epsilon(chosen: str) -> None:
    grid = epsilon_grid(Decimal(chosen))
    assert float(chosen) in grid
    assert (np.diff(grid) > 0).all()
    assert grid[0] == min(0.5, float(chosen))
    assert grid[-1] == max(2.0, float(chosen))
    assert grid.size < 130


def test_the_line_reads_the_epsilon_that_the_text_tells(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    session.set_budget("b", Budget(per_hat=Decimal("0.644332")))
    tab = plotted(qtbot, session, theme)
    qtbot.waitUntil(lambda: "At epsilon 0.645 per hexagon slot" in tab.summary.text(), timeout=10_000)
    canvas = tab.canvas
    assert canvas is not None
    assert canvas._line.label.toPlainText() == "ε 0.645"
    read = canvas._read(0.644332)
    assert read is not None
    assert "Epsilon 0.645" in read[1]


def test_the_legend_switches_curves_and_read_out(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = plotted(qtbot, planned_session(qtbot, tmp_path), theme)
    canvas = tab.canvas
    assert canvas is not None
    canvas.read_out(1.31, QPointF(200, 100))
    assert "Epsilon 1.3:" in canvas.readout
    assert "Baseline" in canvas.readout
    tab.switches["baseline"].click()
    assert canvas.readout == ""
    assert not canvas._lines["baseline"].isVisible()
    canvas.read_out(1.31, QPointF(200, 100))
    assert "Baseline" not in canvas.readout
    assert "Array-Averaging" in canvas.readout


def test_with_every_curve_off_the_plot_still_stands(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = plotted(qtbot, planned_session(qtbot, tmp_path), theme)
    for box in tab.switches.values():
        box.setChecked(False)
    assert tab.canvas is not None
    tab.canvas.read_out(1.0, QPointF(10, 10))
    assert not tab.grab().isNull()


def test_the_read_out_follows_the_pointer_and_goes_with_it(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    tab = plotted(qtbot, planned_session(qtbot, tmp_path), theme)
    canvas = tab.canvas
    assert canvas is not None
    qtbot.waitExposed(tab)
    middle = canvas._item.getViewBox().sceneBoundingRect().center()
    canvas._plot.scene().sigMouseMoved.emit(middle)
    assert ": error, km/h" in canvas.readout
    QApplication.sendEvent(canvas._plot.viewport(), QEvent(QEvent.Type.Leave))
    assert canvas.readout == ""


def test_the_theme_is_followed_without_new_widgets(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = plotted(qtbot, planned_session(qtbot, tmp_path), theme)
    canvas = tab.canvas
    assert canvas is not None
    theme.set_mode(Mode.DARK)
    assert tab.canvas is canvas
    assert canvas._plot.backgroundBrush().color().name() == DARK.surface
    theme.set_mode(Mode.LIGHT)


def test_only_the_last_wanted_curves_are_shown(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = looked_at(qtbot, tmp_path)
    tab = plotted(qtbot, session, theme, Source.LOADED)
    overview = session.overview
    assert overview is not None
    for index in (0, 1, 2):
        session.chosen.choose_hat(overview.cells[index], int(overview.slots[index]))
    session.chosen.choose_hat(overview.cells[3], 20)
    assert wait_for_all(10)
    assert tab.plot.empty.reason.text().endswith("holds no records")
    assert tab.plot.currentWidget() is not tab.canvas


def complete(tab: ErrorPlotTab, source: Source, *, simulated: bool = False) -> bool:
    curves = tab._curves
    return (
        tab.complete
        and curves is not None
        and curves.request.source is source
        and curves.request.simulated is simulated
        and tab.canvas is not None
    )


def test_the_plot_opens_on_the_replica_before_any_data(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme, Source.REPLICA, KNOWN)
    qtbot.waitUntil(lambda: complete(tab, Source.REPLICA), timeout=60_000)
    assert tab.title.text() == "Replica of the papers: 217 vehicles, 17,166 records"
    assert not tab.badge.isVisible()
    assert tab.bar.export.isEnabled()
    curves = tab._curves
    assert curves is not None
    assert {"baseline", "levy/bestfit", "levy/wraparound"} <= set(curves.errors)
    assert curves.epsilons.size == 16
    retained = curves.errors["baseline"]
    tab.bar.show_source(Source.LOADED)
    assert tab.plot.empty.reason.text() == "No data yet"
    tab.bar.show_source(Source.REPLICA)  # at once, without an event
    assert tab._curves is not None
    np.testing.assert_array_equal(tab._curves.errors["baseline"], retained)


def test_figures_of_a_replica_are_told_to_be_none_of_the_release(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """There another curve may be the lowest: who reads on the replica that he chose a worse one errs."""
    session = planned_session(qtbot, tmp_path)
    tab = plotted(qtbot, session, theme)
    own = "made-up example"
    tab.bar.show_source(Source.REPLICA)
    qtbot.waitUntil(lambda: tab.complete and own in tab.summary.text(), timeout=20_000)
    assert tab.summary.text().startswith("At epsilon ")
    assert tab.summary.text().endswith(
        "This is one made-up example; for your release another method may be best."
    )


def test_simulated_errors_stand_beside_the_exact_ones(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = show(qtbot, looked_at(qtbot, tmp_path), theme, Source.LOADED)
    tab.bar.trials.click()
    qtbot.waitUntil(lambda: complete(tab, Source.LOADED, simulated=True), timeout=60_000)
    curves = tab._curves
    assert curves is not None
    for row, exact in zip(curves.rows["baseline"], curves.errors["baseline"], strict=True):
        assert abs(row.mae - exact) < 5 * row.standard_error
    assert tab.badge.isVisible()
    assert tab.canvas is not None
    tab.canvas.read_out(1.0, QPointF(100, 100))
    assert "(exact, simulated)" in tab.canvas.readout


def test_wraparound_is_dashed() -> None:
    styles = curve_styles(DARK)
    assert styles["levy/bestfit"].stroke is Qt.PenStyle.SolidLine
    assert styles["levy/wraparound"].stroke is Qt.PenStyle.DashLine
    assert styles["levy/bestfit"].colour == styles["levy/wraparound"].colour


def test_each_mechanism_has_a_colour_and_a_symbol_of_its_own() -> None:
    for colours in (LIGHT, DARK):
        marks = {key.partition("/")[0]: style for key, style in curve_styles(colours).items()}
        assert list(marks) == list(mechanisms_of(Relation.VALUES))
        assert len({style.colour for style in marks.values()}) == len(marks)
        shapes = {corners(symbol_path(style.symbol)) for style in marks.values()}
        assert len(shapes) == len(marks)


def corners(path: QPainterPath) -> frozenset[tuple[float, float]]:
    found = (path.elementAt(number) for number in range(path.elementCount()))
    return frozenset((round(one.x, 3), round(one.y, 3)) for one in found)


def test_the_curves_are_the_mean_s_wherever_that_stands(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="levy", parameters={}, budget=Budget(per_hat=Decimal(2)))
    before = request_of(session)
    assert before.strong.startswith("levy")
    add_queries(qtbot, session, "query2")
    mean, query2 = session.draft.queries
    edit(qtbot, session, queries=(query2, mean))
    after = request_of(session)
    assert (after.strong, after.epsilon, after.hat) == (before.strong, before.epsilon, before.hat)
    edit(qtbot, session, queries=(query2,))
    alone = request_of(session)
    assert session.forecast is not None
    assert session.forecast.plan is not None
    assert (alone.strong, alone.epsilon) == (DEFAULT_MECHANISM, session.forecast.plan.plans[0].epsilon)
    replica = curve_request(session, Source.REPLICA)
    assert isinstance(replica, CurveRequest)
    assert replica.epsilon == alone.epsilon
