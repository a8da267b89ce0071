"""ui.errors.release_plot: what each epsilon buys in this release, as a curve and as rows."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.usefulness import Usefulness, verdict_word
from core.advice.verdict import verdict_of
from core.statistics.error_figures import significant
from tests.taxis import pings as taxis
from tests.ui.held_plans import HeldPlans
from tests.ui.small_city import TIMEOUT, add_queries, edit, loaded_session, pings, planned_session
from tests.ui.taxi_story import rest, user_session
from tests.ui.user_actions import are_faint, show, texts
from ui.errors import release_plot
from ui.errors.page import ErrorsPage
from ui.errors.release_plot import ReleasePlotSection
from ui.kit.theme import Theme
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")


def plotted(qtbot: QtBot, session: Session, theme: Theme) -> ReleasePlotSection:
    section = ReleasePlotSection(session, theme)
    show(qtbot, section, width=700, height=500)
    qtbot.waitUntil(lambda: section.complete, timeout=TIMEOUT)
    return section


def words(section: ReleasePlotSection) -> list[str]:
    assert section.canvas is not None
    return section.canvas.accessibleDescription().splitlines()


def test_the_plan_s_point_is_what_decide_says_and_others_lie_around_it(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    session.set_budget("b", Budget(total=Decimal(300)))
    section = plotted(qtbot, session, theme)
    qtbot.waitUntil(lambda: section.curve is not None and len(section.curve.points) > 9, timeout=TIMEOUT)
    curve, plan = section.curve, session.forecast.plan if session.forecast else None
    assert curve is not None
    assert plan is not None
    verdict, chosen = verdict_of(plan), curve.points[curve.chosen]
    assert (chosen.amount, chosen.error, chosen.usefulness) == (300, verdict.error, verdict.usefulness)
    word = verdict_word(verdict.usefulness).lower()
    assert f"300: {significant(verdict.error, 2)} km/h, {word}" in words(section)
    assert words(section)[0].startswith("0.1: ")
    assert words(section)[0].endswith(", no use")
    assert section.title.text() == "Mean speed: what each epsilon buys"
    canvas = section.canvas
    assert canvas is not None
    assert canvas.limits[Usefulness.GOOD].toPlainText() == "Good up to 2 km/h"
    assert canvas.limits[Usefulness.NO_USE].toPlainText() == "No use from 7 km/h on"
    # each where the curve is farthest from it, on a ground over the line that is dragged
    left, right = canvas._chosen.bounds()
    assert [canvas.limits[one].pos().x() for one in (Usefulness.GOOD, Usefulness.NO_USE)] == [left, right]
    assert canvas.limits[Usefulness.NO_USE].zValue() > canvas._chosen.zValue()
    assert canvas.limits[Usefulness.NO_USE].fill.color().alpha() == 255
    read = canvas._read(2.5)
    assert read is not None
    assert "300: " in read[1]


def test_another_epsilon_moves_the_point_and_computes_no_other_anew(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    section = plotted(qtbot, session, theme)
    others = section._points
    edit(qtbot, session, budget=Budget(total=Decimal(11)))
    assert section.complete
    assert section._points is others
    assert section.curve is not None
    assert section.curve.points[section.curve.chosen].amount == 11


def test_a_choice_undone_before_its_curve_is_there_brings_back_the_curve_of_before(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all points the plan's own was left, for good."""
    section, may_end = plotted(qtbot, session, theme), threading.Event()
    before, compute = words(section), release_plot.points_by_counts

    def held(*given: Any) -> Any:
        assert may_end.wait(TIMEOUT / 1000)
        return compute(*given)

    monkeypatch.setattr(release_plot, "points_by_counts", held)
    edit(qtbot, session, threshold=1)
    qtbot.waitUntil(lambda: words(section) != before, timeout=TIMEOUT)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    qtbot.waitUntil(lambda: section.complete, timeout=TIMEOUT)
    may_end.set()
    assert words(section) == before


def test_other_values_give_the_same_curve(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    seen = []
    for name, speed in (("slow", lambda *_: 3.0), ("fast", lambda bus, step: 60.0 - bus * step)):
        section = plotted(qtbot, planned_session(qtbot, tmp_path / name, pings(speed)), theme)
        seen.append(words(section))
    assert seen[0] == seen[1]
    assert len(seen[0]) > 9


def test_in_relation_user_no_record_has_a_part_in_it(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    seen = []
    for name, rows in (("usual", taxis()), ("few", taxis()[:3])):
        session = user_session(qtbot, tmp_path / name, rows)
        seen.append(words(plotted(qtbot, session, theme)))
        rest(qtbot, session)
    assert seen[0] == seen[1]
    assert len(seen[0]) > 9


def test_before_anybody_is_protected_the_reason_stands_in_its_place(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=3)
    section = ReleasePlotSection(session, theme)
    show(qtbot, section, width=700, height=500)
    reason = "Errors and cost appear once you have chosen who is protected."
    qtbot.waitUntil(lambda: section.plot.empty.reason.text() == reason)


def test_one_of_several_statistics_is_chosen(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = plotted(qtbot, session, theme)
    assert not section.statistics.isVisible()
    add_queries(qtbot, session, "query1")
    assert section.statistics.isVisible()
    section.statistics.setCurrentIndex(1)
    section.statistics.activated.emit(1)
    qtbot.waitUntil(lambda: section.complete, timeout=TIMEOUT)
    assert section.title.text().startswith(section.statistics.itemText(1))


@pytest.fixture
def _every_move_counts() -> Iterator[None]:
    """Pyqtgraph passes over moves that follow too fast for a screen: a test sends them immediately."""
    limit = pg.getConfigOption("mouseRateLimit")
    pg.setConfigOption("mouseRateLimit", -1)
    yield
    pg.setConfigOption("mouseRateLimit", limit)


@pytest.mark.usefixtures("_every_move_counts")
def test_the_line_is_dragged_to_another_total_in_one_undo_step(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    section = plotted(qtbot, session, theme)
    canvas, steps = section.canvas, session.undo_stack.count()
    assert canvas is not None
    box, view = canvas._item.getViewBox(), canvas._plot.viewport()
    canvas._plot.grab()  # the view takes its new range when it is painted
    height = box.viewRect().center().y()

    def send(kind: QEvent.Type, exponent: float, buttons: Qt.MouseButton) -> None:
        at = QPointF(canvas._plot.mapFromScene(box.mapViewToScene(QPointF(exponent, height))))
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(view, QMouseEvent(kind, at, view.mapToGlobal(at), left, buttons, none))

    start, held = float(canvas._chosen.value()), Qt.MouseButton.LeftButton
    send(QEvent.Type.MouseMove, start, Qt.MouseButton.NoButton)
    send(QEvent.Type.MouseButtonPress, start, held)
    for share in (0.25, 0.5, 0.75, 1.0, 1.0):
        send(QEvent.Type.MouseMove, start + (0.5 - start) * share, held)
    send(QEvent.Type.MouseButtonRelease, 0.5, Qt.MouseButton.NoButton)
    total = session.draft.leading.budget.total
    assert total is not None
    assert float(total) == pytest.approx(10**0.5, abs=0.1)
    assert len(plain(total).replace(".", "")) <= 2
    assert session.undo_stack.count() == steps + 1


def test_a_row_of_the_step_takes_its_epsilon(qtbot: QtBot, session: Session, theme: Theme) -> None:
    page, section = ErrorsPage(), ReleasePlotSection(session, theme)
    section.shown.connect(page.show_curve)
    page.chosen.connect(section.choose)
    show(qtbot, page, width=400)
    show(qtbot, section, width=700, height=500)
    qtbot.waitUntil(lambda: section.complete, timeout=TIMEOUT)
    assert page.rows.horizontalHeaderItem(0).text() == "Epsilon, each vehicle"
    header = page.rows.horizontalHeader()
    assert header.length() <= page.rows.viewport().width()
    assert header.sectionSize(0) >= header.sectionSizeHint(0)
    assert not page.rows.verticalScrollBar().isVisible()
    found = [page.rows.item(row, 0).text() for row in range(page.rows.rowCount())]
    assert page.rows.currentRow() == found.index("10")
    page.rows.setFocus()
    page.rows.setCurrentCell(found.index("50"), 0)
    qtbot.keyClick(page.rows, Qt.Key.Key_Return)
    assert session.draft.leading.budget.total == 50
    assert page.rows.item(0, 2).text() == "No use"
    assert page.sampled.isHidden(), "the rows are what Decide will say"
    shown = page._shown
    assert shown is not None
    page.show_curve(dataclasses.replace(shown, curve=dataclasses.replace(shown.curve, sampled=16)))
    assert "estimates from 16 hexagon slots" in page.sampled.text()
    assert page.sampled.isVisible()


def test_rows_of_choices_before_fade_while_another_tab_is_shown(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    """They stood in full ink beside figures of the choices of now."""
    section, page = plotted(qtbot, session, theme), ErrorsPage()
    section.shown.connect(page.show_curve)
    section.ink.changed.connect(lambda: page.fade_with(section))
    qtbot.waitUntil(lambda: section.curve is not None and len(section.curve.points) > 9, timeout=TIMEOUT)
    section.plot.refresh()
    show(qtbot, page)
    section.hide()

    def faint() -> bool:
        return are_faint(page.rows) == (True,)

    def bold() -> list[str]:
        cells = [page.rows.item(row, 0) for row in range(page.rows.rowCount())]
        return [cell.text() for cell in cells if cell.font().bold()]

    session.edit("Title", title="Speeds")
    assert not faint(), "nothing of them has changed"
    edit(qtbot, session, budget=Budget(total=Decimal(11)))
    assert (bold(), faint()) == (["11"], False), "the same curve, another amount"
    edit(qtbot, session, threshold=2)
    qtbot.waitUntil(faint, timeout=TIMEOUT)
    assert "previous settings" in texts(page)
    section.show()
    qtbot.waitUntil(lambda: section.complete and not faint(), timeout=TIMEOUT)
    assert "previous settings" not in texts(page)


def test_the_curve_is_at_half_ink_until_its_plan_is_smoothed(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own point was the raw one, in full ink."""
    section, held = plotted(qtbot, session, theme), HeldPlans(monkeypatch, "with_smoothing")
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    qtbot.waitUntil(lambda: section.complete and section.ink.on, timeout=TIMEOUT)
    raw = words(section)
    assert not section.is_of_before
    held.may_end.set()
    qtbot.waitUntil(lambda: not section.ink.on, timeout=TIMEOUT)
    assert words(section) != raw


def test_the_least_exact_statistic_is_shown_until_a_person_takes_another(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    """The list of steps said no use, and the curve of the first statistic said good."""
    add_queries(qtbot, session, "query1")
    session.set_budget("Epsilon", Budget(total=Decimal(500)))
    session.set_budget("Epsilon", Budget(total=Decimal("0.1")), number=1)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    section = plotted(qtbot, session, theme)
    assert section.number == 1
    section.statistics.setCurrentIndex(0)
    section.statistics.activated.emit(0)
    edit(qtbot, session, budget=Budget(total=Decimal(400)))
    assert section.number == 0
