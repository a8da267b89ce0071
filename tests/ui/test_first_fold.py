"""Nothing that must be chosen or read first lies below the fold: the real window at 1366x768."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSignalBlocker, QSize
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from tests.geojson import box, polygon, write_geojson
from tests.ui.whole_window import refused_by_ledger, wait_until
from ui.language.translation import translator
from ui.layout.window_size import first_size
from ui.session.guards import ledger_refuses
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace

_tr = translator("Guards")


@pytest.fixture(scope="module")
def window(spoken_window: MainWindow) -> MainWindow:
    spoken_window.resize(1366, 768)
    return spoken_window


def seen_whole(widget: QWidget) -> bool:
    """All of it is on the screen, as the page lies before anybody scrolls."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    assert isinstance(area, QScrollArea)
    assert area.verticalScrollBar().value() == 0
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
    for widget in (
        *(card for card in page.relation.cards.values()),
        *(button for button in page.units.values()),
        page.population,
        page.limit.limit,
        page.limit.set,
        page.sentence,
        page.confirmed,
    ):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__


def test_error_epsilon_verdict_and_balance_are_seen_beside(window: MainWindow) -> None:
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    (card,) = workspace.decide.cards
    budget = workspace.budget
    for widget in (card.error.number, card.epsilon, card.verdict, card.cost, workspace.decide.pin):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__
    assert seen_whole(budget.set_limit)


def test_the_review_is_a_click_away_in_step_release(window: MainWindow) -> None:
    """With a key and a name that takes its whole line."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    generate_key(window.home.default_key.with_suffix(""), "seen without scrolling")
    session, release, before = workspace.session, workspace.release, workspace.session.draft
    session.edit("Texts", title="Bus speeds by hexagon and hour", name="bus-speeds-by-hexagon-and-hour")
    workspace.steps.choose("release")
    for _ in range(2):
        QApplication.processEvents()
    assert release.key_box.backup.isVisible()
    for widget in (*release.fields.values(), release.folder, release.key_box.backup, release.start):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__
    assert release.folder_name.shown_text == "bus-speeds-by-hexagon-and-hour-1.0.0"
    session.apply(before)
    wait_until(lambda: not session.busy)


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


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
def test_in_relation_user_the_constant_that_must_be_typed_is_seen_too(window: MainWindow, unit: Unit) -> None:
    page = chosen(window, Relation.USER, unit).parameters
    for widget in (page.population, page.limit.limit, page.confirmed, page.constants.hats):
        assert seen_whole(widget), widget.accessibleName()


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
def test_the_constant_is_seen_too_once_hexagons_are_named(
    window: MainWindow, tmp_path: Path, unit: Unit
) -> None:
    """Only then is all told that is to be confirmed; also below the title bar of a screen of that size."""
    workspace = chosen(window, Relation.USER, unit)
    session, page, before = workspace.session, workspace.parameters, window.size()
    draft = session.draft
    ward = write_geojson(tmp_path / "ward.geojson", polygon(box(72.78, 21.08, 72.84, 21.22)))
    day = dt.date(2022, 1, 1)
    session.edit(
        "Hexagons", zone="Asia/Kolkata", date_ranges=((day, day),), rule="boundary", cells_file=str(ward)
    )
    wait_until(lambda: not session.busy)
    window.resize(1366, first_size(QSize(1366, 768)).height())
    assert window.height() < 768
    try:
        for _ in range(2):
            QApplication.processEvents()
        assert page.confirmed.isEnabled()
        for widget in (page.population, page.limit.limit, page.sentence, page.confirmed, page.constants.hats):
            assert seen_whole(widget), widget.accessibleName()
        notes = {step.key: step.note for step in workspace.current_steps()}
        assert notes["parameters"] == notes["errors"] == _tr("type how many hexagon slots count")
        assert notes["release"].endswith(_tr("type how many hexagon slots count"))
    finally:
        window.resize(before)
        session.apply(draft)
        wait_until(lambda: not session.busy)


def test_the_words_below_the_error_plot_are_seen_with_it(window: MainWindow) -> None:
    """Above it stand a legend and a note whose words wrap: Qt kept the height they need in a narrow page."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    workspace.steps.choose("errors")
    workspace.tabs.setCurrentWidget(workspace.error_views)
    plot = workspace.plot
    wait_until(lambda: plot.complete and plot.canvas is not None and plot.canvas.isVisible())
    for size in (QSize(1366, 700), QSize(1366, 768)):  # of a size that is new, areas ask again
        window.resize(size)
        for _ in range(2):
            QApplication.processEvents()
    assert plot.canvas is not None
    for widget in (plot.bar, plot.artificial, plot.legend, plot.canvas, plot.summary):
        assert seen_whole(widget), widget.accessibleName() or type(widget).__name__


def test_the_name_of_each_layer_of_the_map_is_read_whole_at_150_percent(window: MainWindow) -> None:
    """What 1366x768 leave there, with the steps beside the map; the field below is read whole as well."""
    workspace = chosen(window, Relation.VALUES, Unit.VEHICLE)
    page, before, beside = workspace.map, window.size(), workspace.places.fold.isChecked()
    workspace.tabs.setCurrentWidget(page)
    shown = page.layer.currentIndex()
    try:
        window.resize(911, 512)
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
        assert card.error.smoothed.isVisible()
        assert card.verdict.property("look") != "warning"
        assert seen_whole(workspace.decide)
        for told in workspace.decide.findChildren(QLabel):
            assert not told.isVisible() or told.height() >= told.heightForWidth(told.width()), told.text()
    finally:
        workspace.places.fold.setChecked(beside)
        window.resize(before)
        session.apply(draft)
        wait_until(lambda: not session.busy)


def test_a_choice_moves_nothing_that_is_still_to_be_chosen(window: MainWindow) -> None:
    for relation in Relation:
        page = chosen(window, relation, None).parameters
        below = [*page.relation.cards.values(), *page.units.values(), page.population, page.limit.set]
        at_first = [widget.mapTo(page, QPoint(0, 0)) for widget in below]
        for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY):
            chosen(window, relation, unit)
            assert [widget.mapTo(page, QPoint(0, 0)) for widget in below] == at_first
