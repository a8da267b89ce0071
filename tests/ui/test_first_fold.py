"""Nothing that must be chosen or read first lies below the fold: the real window at 1366x768."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from decimal import Decimal

import pytest
from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QScrollBar, QWidget

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from core.statistics.registry import require_statistic
from tests.ui.whole_window import refused_by_ledger, wait_until
from ui.language.translation import translator
from ui.release import practice_box
from ui.session.guards.budget import ledger_refuses
from ui.session.query_texts import new_query
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace

_tr = translator("Guards")


@pytest.fixture(scope="module")
def window(spoken_window: MainWindow) -> MainWindow:
    spoken_window.resize(1366, 768)
    return spoken_window


@pytest.fixture(scope="module")
def _key(window: MainWindow) -> None:
    generate_key(window.home.default_key.with_suffix(""), "seen without scrolling")


def seen_whole(widget: QWidget) -> bool:
    """All of it is on the screen, as the page lies before anybody scrolls."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    assert isinstance(area, QScrollArea)
    top = widget.mapTo(area.viewport(), QPoint(0, 0))
    return (
        widget.isVisible()
        and top.y() >= 0
        and top.y() + widget.height() <= area.viewport().height()
        and top.x() + widget.width() <= area.viewport().width()
    )


def chosen(window: MainWindow, relation: Relation | None, unit: Unit | None) -> Workspace:
    """The page as it stands for these choices."""
    workspace = window.workspace
    assert workspace is not None
    workspace.steps.choose("parameters")
    session = workspace.session
    if session.draft.relation is not relation:
        session.edit("Relation", relation=None) if relation is None else session.choose_relation(
            "Relation", relation
        )
    session.edit("Unit", unit=unit)
    wait_until(lambda: not session.busy)
    for _ in range(2):  # texts that wrap learn their width first, and their height then
        QApplication.processEvents()
    return workspace


def all_seen(widget: QWidget) -> bool:
    """Nothing of it is cut off or scrolled away."""
    return widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()


@contextlib.contextmanager
def at_150_percent(window: MainWindow) -> Iterator[None]:
    """What 1366x768 leave there, with *Decide* beside the page."""
    before = window.size()
    window.resize(911, 512)
    try:
        yield
    finally:
        window.resize(before)
        QApplication.processEvents()


def ledger_refusal(workspace: Workspace) -> str:
    reason = ledger_refuses(workspace.session)
    assert reason is not None
    return reason.what


@pytest.mark.parametrize("unit", [None, *Unit])
@pytest.mark.parametrize("relation", [None, Relation.VALUES])
def test_relation_unit_population_limit_and_confirmation_are_seen_at_once(
    window: MainWindow, relation: Relation | None, unit: Unit | None
) -> None:
    assert (window.width(), window.height()) == (1366, 768)
    page = chosen(window, relation, unit).parameters
    page._open("protected")
    for _ in range(3):
        QApplication.processEvents()
    for widget in (
        *(card for card in page.protected.relation.cards.values()),
        *(button for button in page.protected.units.values()),
        page.protected.population,
        page.protected.limit.limit,
        page.protected.limit.set,
        page.protected.sentence,
        page.protected.confirmed,
    ):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__


def test_error_epsilon_verdict_and_balance_are_seen_beside(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    (card,) = workspace.decide.cards
    budget = workspace.budget
    for widget in (card.error.number, card.verdict, workspace.decide.pin):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__
    assert seen_whole(budget.set_limit)


@pytest.mark.usefixtures("_key")
def test_the_review_is_a_click_away_in_step_release(window: MainWindow) -> None:
    """With a key and a name that takes its whole line."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    session, release, before = workspace.session, workspace.release, workspace.session.draft
    session.edit("Texts", title="Bus speeds by hexagon and hour", name="bus-speeds-by-hexagon-and-hour")
    workspace.steps.choose("release")
    for _ in range(2):
        QApplication.processEvents()
    assert release.key_box.backup.isVisible()
    for widget in (*release.fields.values(), release.folder, release.key_box.backup, release.start):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__
    assert release.folder_name.shown_text.endswith("bus-speeds-by-hexagon-and-hour-1.0.0")
    session.apply(before)
    wait_until(lambda: not session.busy)


@pytest.mark.usefixtures("_key")
def test_a_practice_release_is_offered_above_the_fold(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the sample, with the office's own key beside it."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    workspace.steps.choose("release")
    practice = workspace.release.practice
    with monkeypatch.context() as patch:
        patch.setattr(practice_box, "is_sample", lambda _: True)
        practice.refresh()
        for _ in range(2):
            QApplication.processEvents()
        assert seen_whole(practice.start)
        assert seen_whole(practice.about)
    practice.refresh()


def test_a_refusal_and_what_mends_it_are_seen_at_once_in_step_release(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    release = workspace.release
    workspace.steps.choose("release")
    with refused_by_ledger(window):
        for _ in range(2):
            QApplication.processEvents()
        assert release.refusal.text() == ledger_refusal(workspace)
        for widget in (release.refusal, release.mends.fit, release.mends.limit):
            assert seen_whole(widget), widget.accessibleName() or type(widget).__name__
        assert not release.blocked.isVisible(), "it is not said twice"
    assert not release.refusal.isVisible()


def test_what_comes_next_and_what_is_refused_is_seen_at_150_percent(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    following, release = workspace.next, workspace.release
    with at_150_percent(window), refused_by_ledger(window):
        for _ in range(2):
            QApplication.processEvents()
        assert not following.go_on.isEnabled()
        assert all_seen(following.refusal)
        assert all_seen(following.go_on)
        workspace.steps.choose("release")
        wait_until(lambda: all_seen(release.refusal) and all_seen(release.start))
    assert not following.refusal.isVisible()


def test_why_an_input_was_refused_comes_in_sight_at_150_percent(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    session, page, before = workspace.session, workspace.parameters, workspace.session.draft
    source = session.source
    assert source is not None
    added = new_query(session.draft, require_statistic("share"), source.rules.upper_bound)
    session.edit("Add", queries=(added,))
    with at_150_percent(window):
        window.activateWindow()  # else no keyboard comes to the field
        wait_until(window.isActiveWindow)
        page.sections["published"].open()
        wait_until(lambda: not session.busy)
        field, refusal = page.ranges.percentiles, page.ranges.refusal
        field.setFocus()
        wait_until(lambda: all_seen(field))
        field.setText("50,20")
        field.editingFinished.emit()
        wait_until(lambda: all_seen(refusal))
        assert all_seen(workspace.next.refusal)
        session.refused.mend(page.ranges)
        session.apply(before)
        wait_until(lambda: not session.busy)


@pytest.mark.parametrize("way", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_what_tab_reaches_is_seen_at_150_percent_either_way(
    window: MainWindow, way: Qt.KeyboardModifier
) -> None:
    """Shift+Tab into *Decide* stopped at a button below the fold, and Tab at one above it."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    with at_150_percent(window):
        window.activateWindow()
        wait_until(window.isActiveWindow)
        for step in ("data", "parameters", "release"):
            workspace.choose_step(step)
            for _ in range(40):
                for _ in range(3):
                    QApplication.processEvents()
                stop = QApplication.focusWidget()
                assert stop is not None
                seen = stop.visibleRegion().boundingRect().height()
                assert seen >= min(stop.height(), 40), stop.accessibleName() or type(stop).__name__
                QTest.keyClick(stop, Qt.Key.Key_Tab, way)


def test_in_relation_user_heads_say_what_must_be_typed(window: MainWindow) -> None:
    workspace = chosen(window, Relation.USER, Unit.VEHICLE)
    page = workspace.parameters
    told = {name: section.head.summary.text() for name, section in page.sections.items()}
    assert told["dates"] == f"! {_tr('type the time zone')}"
    assert told["hexagons"].startswith("! ")
    assert page.sections["constants"].isVisibleTo(page)
    chosen(window, Relation.VALUES, Unit.VEHICLE)
    assert not page.sections["constants"].isVisibleTo(page)


@pytest.mark.parametrize("several", [False, True])
def test_the_four_parameters_and_their_advice_never_scroll(window: MainWindow, *, several: bool) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    session, knobs, before = workspace.session, workspace.parameters.knobs, workspace.session.draft
    if several:
        source = session.source
        assert source is not None
        added = new_query(session.draft, require_statistic("query1"), source.rules.upper_bound)
        session.edit("Add", queries=(*session.draft.queries, added))
    for section in workspace.parameters.sections.values():
        section.open()
    wait_until(lambda: not session.busy)
    for _ in range(2):
        QApplication.processEvents()
    for widget in (
        *(knobs.resolution, knobs.slot_minutes, knobs.epsilon, knobs.mechanism, knobs.options),
        *(knobs.of_place, knobs.of_timeslot, knobs.of_epsilon, knobs.of_mechanism),
    ):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__
    assert knobs.chips.isVisible() is several
    session.apply(before)
    wait_until(lambda: not session.busy)


def test_rows_and_curve_of_this_release_are_seen_with_their_words(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    workspace.steps.choose("errors")
    workspace.tabs.setCurrentWidget(workspace.error_views)
    release, page = workspace.error_views.release, workspace.errors
    wait_until(lambda: release.complete and release.canvas is not None and release.canvas.isVisible())
    assert release.canvas is not None
    for widget in (release.title, release.canvas, page.about, page.rows, page.hint):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__


def test_the_name_of_each_layer_of_the_map_is_read_whole_at_150_percent(window: MainWindow) -> None:
    """What 1366x768 leave there, with the steps beside the map; the field below is read whole as well."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    page, before, beside = workspace.map, window.size(), workspace.places.fold.isChecked()
    workspace.tabs.setCurrentWidget(page)
    shown = page.layer.currentIndex()
    try:
        window.resize(911, 512)
        workspace.places.show_result()
        workspace.places.fold.setChecked(False)
        for _ in range(2):
            QApplication.processEvents()
        for number in range(page.layer.count()):
            with QSignalBlocker(page.layer):
                page.layer.setCurrentIndex(number)
            assert page.layer.shown_text == page.layer.itemText(number)
        assert page.slot.width() >= 100
        hint = page.search.fontMetrics().horizontalAdvance(page.search.placeholderText())
        assert page.search.width() >= hint + 20
        assert seen_whole(page.whole)
    finally:
        with QSignalBlocker(page.layer):
            page.layer.setCurrentIndex(shown)
        workspace.places.fold.setChecked(beside)
        window.resize(before)
        QApplication.processEvents()


def test_decide_is_seen_whole_on_1920x1080_at_150_percent(window: MainWindow) -> None:
    """With one statistic that is planned, and all that is told of it: Gaussian noise, smoothed numbers."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    session, draft = workspace.session, workspace.session.draft
    before, beside = window.size(), workspace.places.fold.isChecked()
    Ledger.open(window.home.ledger).set_limit("City buses", per_vehicle=Decimal(5000), delta=Decimal("1e-6"))
    session.ledger.read()
    session.edit("Population", population="City buses", confirmed=True)
    session.set_mechanism("Mechanism", "tokens", {"noise": "gauss"})
    session.set_budget("Epsilon", Budget(total=Decimal(400)))
    try:
        window.resize(1280, 720)
        workspace.places.fold.setChecked(True)
        wait_until(lambda: not session.busy and not session.planning.smoothing and bool(session.ledger.delta))
        for _ in range(2):
            QApplication.processEvents()
        (card,) = workspace.decide.cards
        assert card.error.isVisible()
        assert card.verdict.property("look") != "warning"
        assert seen_whole(workspace.decide)
        for told in workspace.decide.findChildren(QLabel):
            assert not told.isVisible() or told.height() >= told.heightForWidth(told.width()), told.text()
    finally:
        workspace.places.fold.setChecked(beside)
        window.resize(before)
        session.apply(draft)
        wait_until(lambda: not session.busy)


@pytest.mark.parametrize("step", ["data", "verify"])
def test_no_figures_of_the_draft_come_beside_a_step_on_which_nothing_is_decided(
    window: MainWindow, step: str
) -> None:
    """Beside a bundle that is not valid stood *Good*, once the window had been small for a moment."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    before = window.size()
    workspace.steps.choose(step)
    try:
        for width in (640, 911):
            window.resize(width, 512)
            assert workspace.side.isHidden()
        workspace.reset_layout()
        assert workspace.side.isHidden()
        workspace.steps.choose("parameters")
        assert workspace.side.isVisible()
    finally:
        window.resize(before)


def test_a_choice_moves_nothing_that_is_still_to_be_chosen(window: MainWindow) -> None:
    for relation in Relation:
        page = chosen(window, relation, None).parameters
        below = [
            *page.protected.relation.cards.values(),
            *page.protected.units.values(),
            page.protected.population,
            page.protected.limit.set,
        ]
        at_first = [widget.mapTo(page.protected, QPoint(0, 0)) for widget in below]
        for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY):
            chosen(window, relation, unit)
            assert [widget.mapTo(page.protected, QPoint(0, 0)) for widget in below] == at_first


def test_the_way_on_from_the_data_is_seen_without_scrolling_and_has_a_key(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    page = workspace.data
    workspace.choose_step("data")
    with at_150_percent(window):
        wait_until(lambda: all_seen(page.go_on))
    wait_until(lambda: all_seen(page.go_on))
    QTest.keyClick(page.open_button, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    wait_until(workspace.parameters.isVisible)
    assert workspace.parameters.isAncestorOf(window.focusWidget())


@pytest.mark.parametrize("relation", list(Relation))
def test_what_is_pressed_stays_where_it_is_whatever_appears_above_it(
    window: MainWindow, relation: Relation
) -> None:
    """Grids are recommended above it, or dates are asked for; what is asked next stays in sight as well."""
    workspace = chosen(window, None, None)
    page, session = workspace.parameters, workspace.session
    page.sections["grids"].open()
    page.sections["dates"].head.setChecked(False)
    page._open("protected")
    card = page.protected.relation.cards[relation]
    (area,) = (one for one in page.findChildren(QScrollArea) if one.isAncestorOf(card))
    QTest.qWait(100)
    area.verticalScrollBar().triggerAction(
        QScrollBar.SliderAction.SliderSingleStepSub
    )  # as it is no section's
    QTest.qWait(100)
    parts = (card.button, page.protected.units[Unit.VEHICLE])
    before = [part.mapTo(window, QPoint(0, 0)) for part in parts]
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    wait_until(lambda: session.draft.relation is relation and not session.busy)
    QTest.qWait(300)
    assert [part.mapTo(window, QPoint(0, 0)) for part in parts] == before
    assert page.sections["dates"].is_open is (relation is Relation.USER)
    assert all_seen(parts[1])
