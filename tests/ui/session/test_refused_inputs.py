"""A field that shows what is not in the draft: nothing follows from it, and no figure passes as its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core.errors import InputError
from tests.ui.release_story import city_session
from tests.ui.small_city import TIMEOUT
from tests.ui.taxi_story import rest, user_session
from ui.budget.decide_column import NextButtons
from ui.budget.decide_panel import DecidePanel
from ui.parameters.page import ParametersPage
from ui.session.session import Session
from ui.session.steps import State, steps_of


def shares(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    """Of one range, which is selected."""
    (action,) = (one for one in page.published.add.menu().actions() if one.data() == "share")
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        action.trigger()
    page.ranges.propose.menu().actions()[0].trigger()
    rest(qtbot, session)


def typed(qtbot: QtBot, field: QLineEdit, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def bad_range(qtbot: QtBot, page: ParametersPage, session: Session) -> Callable[[], None]:
    shares(qtbot, page, session)
    page.ranges.rows[0].high.setValue(80)
    return lambda: page.ranges.rows[0].high.setValue(10)


def bad_percentiles(qtbot: QtBot, page: ParametersPage, session: Session) -> Callable[[], None]:
    shares(qtbot, page, session)
    typed(qtbot, page.ranges.percentiles, "85, 15")
    return session.undo_stack.undo


def bad_epsilon(qtbot: QtBot, page: ParametersPage, _session: Session) -> Callable[[], None]:
    (field,) = (one for one in page.knobs.epsilon.findChildren(QLineEdit) if one.isVisibleTo(page))
    before = field.text()
    typed(qtbot, field, "much")
    return lambda: typed(qtbot, field, before)


@pytest.mark.parametrize(
    ("refuse", "field"),
    [(bad_range, "Ranges"), (bad_percentiles, "Percentiles"), (bad_epsilon, "Epsilon")],
)
def test_figures_of_before_fade_and_the_way_to_the_release_is_closed(
    qtbot: QtBot, tmp_path: Path, refuse: Callable[..., Callable[[], None]], field: str
) -> None:
    """Far from the field it is said which one it is."""
    session = city_session(qtbot, tmp_path, limit="200", key=False)
    page, decide, buttons = ParametersPage(session), DecidePanel(session), NextButtons(session)
    for widget in (page, decide, buttons):
        qtbot.addWidget(widget)
    mend = refuse(qtbot, page, session)
    qtbot.waitUntil(lambda: decide.ink.on, timeout=TIMEOUT)
    assert not session.busy
    assert not decide.updating.isVisibleTo(decide)
    step = steps_of(session, of_before=decide.ink.on)[1]
    assert (step.state, step.note) == (State.ATTENTION, "an input was refused")
    assert not buttons.go_on.isEnabled()
    assert buttons.go_on.toolTip() == "Parameters: an input was refused."
    assert buttons.refusal.text().startswith(f"{field}: ")
    assert buttons.refusal.text().count(".") > 1, "and what to do"
    mend()
    rest(qtbot, session)
    qtbot.waitUntil(lambda: not decide.ink.on, timeout=TIMEOUT)
    assert steps_of(session)[1].note != "an input was refused"
    assert buttons.go_on.isEnabled()


def test_what_is_no_date_zone_or_box_is_refused_until_it_is_typed_anew(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    page = ParametersPage(session)
    qtbot.addWidget(page)
    dates, candidates = page.dates, page.hexagons.candidates

    def refused() -> InputError | None:
        return session.refused.first

    for field, wrong in (
        (dates.typed_first.edit, "tomorrow"),
        (dates.zone.edit, "Asia/Nowhere"),
    ):
        before = field.text()
        typed(qtbot, field, wrong)
        assert refused() is not None
        assert page.dates.message.isVisibleTo(page.dates)
        session.forecast_changed.emit()  # smoothing has ended
        assert page.dates.message.isVisibleTo(page.dates), "it is still not mended"
        typed(qtbot, field, before)
        assert refused() is None
        assert not page.dates.message.isVisibleTo(page.dates)
    candidates.way.setCurrentIndex(2)
    candidates.way.activated.emit(2)
    for edge in candidates.edges:
        edge.setText("north")
    candidates.edges[0].editingFinished.emit()
    assert refused() is not None
    session.edit("Title", title="Taxis")
    assert refused() is not None, "it has nothing to do with the box"
    candidates.way.activated.emit(1)
    assert refused() is None
    candidates.edges[0].editingFinished.emit()
    assert refused() is not None
    session.edit("Other hexagons", cells_file=str(tmp_path / "others.txt"))
    assert refused() is None, "others are named meanwhile"
    candidates.way.setCurrentIndex(2)
    for texts in (("21.1", "72.7", "21.3", "72.9"), ("north",) * 4, ("21.1", "72.7", "21.3", "72.9")):
        for edge, text in zip(candidates.edges, texts, strict=True):
            edge.setText(text)
        candidates.edges[0].editingFinished.emit()
        assert (refused() is None) is (texts[0] != "north"), "of the box that is named already too"
