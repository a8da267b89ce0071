"""The whole window as it is built: what holds for every action, editor and widget of it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QAccessible, QAction, QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtQuickWidgets import QQuickWidget
from PySide6.QtTest import QTest
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDateTimeEdit,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QSpinBox,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.keys.signing_key import generate_key
from core.privacy import Relation
from core.progress import Progress
from tests.builders import make_bundle
from tests.records import SECRET
from tests.ui.letter_keys import labelled, mnemonics
from tests.ui.user_actions import open_sections, turn_wheel
from tests.ui.whole_window import (
    is_at_rest,
    out_of_place,
    places_of,
    refused_by_ledger,
    settle,
    stops,
    told_of,
    uneven_forms,
    unknown_looks,
    wait_until,
    whole_window,
)
from ui.kit.jobs import any_running
from ui.kit.stage import Stage
from ui.kit.theme import Mode
from ui.kit.wheel_guard import EDITORS
from ui.layout.window_columns import PAGE_WIDTH
from ui.parameters.page import ParametersPage
from ui.shell.exception_handler import ExceptionHandler
from ui.shell.main_window import MainWindow

_MOST_STOPS = 400
_OF_THE_PLATFORM = "This plugin does not support"
"""What only the platform without a screen says."""
_LEAST_ACTIONS = 50
_ASLEEP = {"Quit", "Stop the running work", "Export picture…", "Records", "Bundles", "Recent"}
"""Not to be pressed: one ends all, nothing runs here nor is public unless a bundle was verified; headings."""


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with whole_window(qapp, tmp_path_factory.mktemp("window")) as made:
        yield made


def complaints(qtlog: Any) -> list[str]:
    """What Qt has said so far in this test, its platform apart."""
    return [record.message for record in qtlog.records if _OF_THE_PLATFORM not in record.message]


@pytest.mark.usefixtures("window")
def test_it_is_built_without_a_complaint(qtlog: Any) -> None:
    """First of all: what is said while the window is built is said in its set-up."""
    assert [line for line in complaints(qtlog) if "QWidget" in line or "QObject" in line] == []


@pytest.fixture
def no_file_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each were closed at once."""
    for name in ("getOpenFileName", "getOpenFileNames", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, n=name: ([] if n.endswith("s") else "", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: "")


def actions_of(menu: QMenu) -> Iterator[QAction]:
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.menu() is not None:
            yield from actions_of(action.menu())
        elif not action.isSeparator():
            yield action


def all_actions(window: MainWindow) -> Iterator[QAction]:
    """Those of the bar, then those of buttons, whose menus may be others after each."""
    for top in window.menuBar().actions():
        yield from list(actions_of(top.menu()))
    for kind in (QPushButton, QToolButton):
        for button in window.findChildren(kind):
            if button.menu() is None or button.objectName().startswith("qt_"):
                continue
            done: set[str] = set()
            while left := [one for one in actions_of(button.menu()) if one.text() not in done]:
                done.add(left[0].text())
                yield left[0]


@pytest.mark.usefixtures("no_file_dialogs")
def test_no_action_of_any_menu_complains(
    window: MainWindow,
    qtlog: Any,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert window.workspace is not None
    monkeypatch.setattr(window.workspace.data, "open_sample", lambda: None)
    told: list[object] = []
    session, asleep = window.workspace.session, set()
    session.failed.connect(told.append)
    for threshold in (2, 3):
        session.edit(f"threshold {threshold}", threshold=threshold)
        settle(window)
    session.undo_stack.undo()  # both ways are open
    session.chosen.choose_hat(None)
    settle(window)
    before_all, done = session.draft, 0
    capfd.readouterr()
    before = len(complaints(qtlog))
    for action in all_actions(window):
        name = action.text().replace("&", "")
        if name == "Clear the marks":
            assert session.overview is not None
            session.chosen.choose_hat(session.overview.cells[0])
        if name == "Quit" or not action.isEnabled():
            asleep.add(name)
            continue
        action.trigger()
        for dialog in window.findChildren(QDialog):
            dialog.close()
        settle(window)
        assert complaints(qtlog)[before:] == [], name
        assert capfd.readouterr().err == "", name
        assert told == [], name
        done += 1
    assert done >= _LEAST_ACTIONS
    assert asleep <= _ASLEEP
    session.apply(before_all)
    window.workspace.places.show_steps()  # back from the ledger's place and the other
    window.workspace.map.strip.player.stop()
    window.workspace.map.strip.all_slots.setChecked(False)
    settle(window)


def value_of(editor: QWidget) -> object:
    for kind, read in (
        (QComboBox, QComboBox.currentIndex),
        (QDateTimeEdit, QDateTimeEdit.dateTime),
        (QSpinBox, QSpinBox.value),
        (QDoubleSpinBox, QDoubleSpinBox.value),
        (QAbstractSlider, QAbstractSlider.value),
        (QTabBar, QTabBar.currentIndex),
    ):
        if isinstance(editor, kind):
            return read(editor)
    raise AssertionError(f"the wheel would change {type(editor).__name__}, and no test reads it")


def test_the_wheel_changes_no_editor_that_has_not_the_keyboard(window: MainWindow) -> None:
    assert window.workspace is not None
    draft, tried = window.workspace.session.draft, 0
    for place in places_of(window):
        wait_until(lambda: not any_running())  # what is shown for the first time fills its lists
        window.workspace.steps.setFocus()
        for editor in place.findChildren(QWidget):
            if not isinstance(editor, EDITORS) or isinstance(editor, QScrollBar) or not editor.isVisible():
                continue
            before = value_of(editor)
            for area in (area for area in window.findChildren(QScrollArea) if area.isAncestorOf(editor)):
                area.ensureWidgetVisible(editor)
            turn_wheel(editor)
            turn_wheel(editor, notches=1)
            assert value_of(editor) == before, (type(place).__name__, editor.accessibleName())
            tried += 1
    assert tried >= 20
    assert window.workspace.session.draft == draft


def test_it_fits_a_small_screen_and_no_tab_moves_the_columns(window: MainWindow) -> None:
    assert window.workspace is not None
    columns = window.workspace.widget
    before = window.size()
    try:
        for width, height in ((1280, 640), (960, 468)):
            window.resize(width, height)
            assert (window.width(), window.height()) == (width, height)
            QApplication.processEvents()
            for place in places_of(window):
                QApplication.processEvents()
                steps, page, *_ = columns.sizes()
                assert steps <= 196, type(place).__name__
                assert page == PAGE_WIDTH or width < 1180, type(place).__name__
                assert (window.width(), window.height()) == (width, height), type(place).__name__
        window.resize(853, 468)
        window.workspace.choose_step("parameters")
        assert window.workspace.side.isHidden()  # no room beside the page
        window.workspace.places.fold.click()
        assert window.workspace.side.isVisible()
        assert window.width() == 853
    finally:
        window.resize(before)
    QApplication.processEvents()
    assert window.workspace.side.isVisible()


def need_of(page: QWidget) -> QSize:
    """What it needs to show all: where words wrap, the height that follows from its width."""
    least = page.minimumSizeHint()
    return QSize(least.width(), page.heightForWidth(page.width())) if page.hasHeightForWidth() else least


def test_whatever_is_cut_can_be_scrolled_to(window: MainWindow) -> None:
    assert window.workspace is not None
    before = window.size()
    window.resize(960, 468)
    try:
        for place in places_of(window):
            QApplication.processEvents()
            areas = [area for area in window.findChildren(QScrollArea) if area.isAncestorOf(place)]
            assert areas, type(place).__name__
            # plots that come later ask for more, and get it
            wait_until(
                lambda shown=place: (
                    not any_running() and shown.size() == shown.size().expandedTo(need_of(shown))
                )
            )
    finally:
        window.resize(before)
        QApplication.processEvents()


def test_an_exception_is_told_in_the_window_which_lives_on(
    qtbot: QtBot,
    window: MainWindow,
) -> None:
    def fail() -> None:
        raise ValueError(SECRET)

    handler = ExceptionHandler()
    handler.caught.connect(window.show_fault)
    handler.install()
    try:
        QTimer.singleShot(0, fail)
        qtbot.waitUntil(window.faults.isVisible)
    finally:
        handler.uninstall()
    assert "ValueError" in window.faults.text
    assert "in fail" in window.faults.text
    copy = next(item for item in window.faults.findChildren(QPushButton) if item.isVisible())
    copy.click()
    copied = QGuiApplication.clipboard().text()
    retained = window.home.fault_log.read_text("utf-8")
    for text in (copied, window.faults.text, window.log_dock.text, retained):
        assert SECRET not in text
    assert "in fail" in copied
    assert "in fail" in retained
    assert "ValueError" in window.log_dock.text
    assert window.workspace is not None
    window.workspace.steps.choose("parameters")
    assert window.workspace.stack.currentIndex() == 1
    window.faults.clear()


def test_a_long_wait_for_anything_is_said_with_how_far_it_is(qtbot: QtBot, window: MainWindow) -> None:
    go_on, seen = threading.Event(), Stage(None)
    before = window.note.text()

    def work(progress: Progress) -> None:
        go_on.wait(10)
        go_on.clear()
        progress(0.25, "a quarter of it")
        go_on.wait(10)

    seen.start(work, what="Counting sheep…")
    qtbot.waitUntil(lambda: window.note.text() == "Counting sheep…")
    assert window.progress.isVisible()
    assert window.progress.maximum() == 0  # how far is not known
    go_on.set()
    qtbot.waitUntil(lambda: window.note.text() == "a quarter of it")
    assert window.progress.value() * 4 == window.progress.maximum()
    go_on.set()
    qtbot.waitUntil(lambda: not window.progress.isVisible())
    assert window.note.text() == before


def test_a_note_that_is_too_long_ends_in_an_ellipsis_before_the_buttons(window: MainWindow) -> None:
    before = window.note.text()
    window.note.setText("a long note " * 40)
    QApplication.processEvents()
    assert window.note.toolTip().split() == window.note.text().split()  # all of it, in lines
    assert window.minimumSizeHint().width() < 900  # it asks for no room
    assert window.note.mapTo(window, window.note.rect().topRight()).x() < window.width()
    window.note.setText(before)


_AROUND = 6
_LEAST_CONTRAST = 3.0
LEAST_SHARE = 0.5
"""Of the widget's perimeter, in pixels that stand out."""


def luminance(window: MainWindow, area: QRect) -> NDArray[np.float64]:
    """Relative luminance of WCAG 2 of each pixel of a part of the window."""
    image = window.grab(area).toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    parts = rows[:, : image.width(), 2::-1] / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def take_keyboard(window: MainWindow) -> None:
    """Another test's window may have it."""
    window.activateWindow()
    wait_until(window.isActiveWindow)


def ring_share(window: MainWindow, widget: QWidget, focused: QWidget | None = None) -> float:
    """Pixels that stand out from what was there without the keyboard, as a share of the perimeter.

    focused: what takes the keyboard where that is a part of the widget.
    """
    for area in (area for area in window.findChildren(QScrollArea) if area.isAncestorOf(widget)):
        area.ensureWidgetVisible(widget)
    shown = widget.visibleRegion().boundingRect()
    if isinstance(widget, QTabBar):  # the ring is around the tab that the arrow keys leave
        shown = widget.tabRect(widget.currentIndex())
    frame = QRect(widget.mapTo(window, shown.topLeft()), shown.size())
    frame = frame.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
    before = luminance(window, frame)
    (focused or widget).setFocus(Qt.FocusReason.TabFocusReason)
    after = luminance(window, frame)
    low, high = np.minimum(before, after), np.maximum(before, after)
    contrast = (high + 0.05) / (low + 0.05)
    return float((contrast >= _LEAST_CONTRAST).sum() / (2 * (shown.width() + shown.height())))


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_every_stop_of_the_tab_key_shows_a_ring(window: MainWindow, mode: Mode) -> None:
    take_keyboard(window)
    window.theme.set_mode(mode)
    wait_until(lambda: not window.theme.polishing)
    faint, seen, tried = set(), set(), 0
    for place in places_of(window):
        wait_until(lambda: is_at_rest(window))
        for widget in stops(place):
            kind = (place, type(widget), widget.property("look"))
            if mode is Mode.DARK and kind in seen:
                continue  # in other colours one of each kind
            seen.add(kind)
            window.setFocus()
            if ring_share(window, widget) < LEAST_SHARE:
                faint.add((type(place).__name__, type(widget).__name__, widget.accessibleName()))
            tried += 1
    assert faint == set()
    assert tried > (60 if mode is Mode.LIGHT else 30)


def test_the_map_and_the_steps_show_a_ring(window: MainWindow) -> None:
    take_keyboard(window)
    assert window.workspace is not None
    window.workspace.tabs.setCurrentIndex(0)
    web = window.workspace.map.view.findChild(QWebEngineView)
    assert web is not None
    for widget, focused in ((window.workspace.steps, None), (window.workspace.map.view, web)):
        window.setFocus()
        assert ring_share(window, widget, focused) >= LEAST_SHARE


def left_out(window: QWidget, first: QWidget) -> set[tuple[str, str]]:
    """Stops that the Tab key does not come to, nor the arrow keys in a group of choices."""
    reached = walked(window, first)
    return {
        (type(one).__name__, one.accessibleName())
        for one in stops(window)
        if one not in reached and not (isinstance(one, QRadioButton) and not one.isChecked())
    }


def walked(window: QWidget, first: QWidget) -> set[QWidget]:
    """What the Tab key comes to in a window, from a stop until it is back there."""
    first.setFocus()
    reached: set[QWidget] = set()
    for _ in range(_MOST_STOPS):
        widget = QApplication.focusWidget()
        assert widget is not None
        if widget is first and reached:
            return reached
        reached.add(widget)
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_Tab)
        if isinstance(widget, QQuickWidget):  # the page goes through its own parts, and answers later
            answers: list[object] = []
            widget.parentWidget().page().runJavaScript("0", answers.append)
            wait_until(lambda answers=answers: bool(answers))
            QTest.qWait(20)
    raise AssertionError(f"the Tab key does not come back: it is at {widget}")


def test_a_preview_is_seen_where_the_map_has_no_column(window: MainWindow) -> None:
    """A press changed the button's own text and nothing else."""
    workspace, before = window.workspace, window.size()
    assert workspace is not None
    workspace.choose_step("parameters")
    workspace.tabs.setCurrentWidget(workspace.map)
    button = workspace.next.preview
    try:
        window.resize(911, 512)
        workspace.places.show_result(shown=False)
        wait_until(button.isEnabled)
        for preview in (True, False):
            assert workspace.map.isVisible() is not preview
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            assert workspace.map.isVisible() is preview
            assert workspace.parameters.isVisible() is not preview
    finally:
        workspace.session.preview.end()
        window.resize(before)
        QApplication.processEvents()


def test_the_tab_key_comes_to_every_stop(window: MainWindow) -> None:
    """A part that hands its focus to a later one had all between them left out."""
    take_keyboard(window)
    workspace = window.workspace
    assert workspace is not None
    workspace.tabs.setCurrentIndex(0)
    for key in workspace.pages:
        workspace.choose_step(key)
        workspace.tabs.setCurrentIndex(0)
        wait_until(lambda: is_at_rest(window))
        assert left_out(window, workspace.steps) == set(), key


def test_tab_goes_from_the_parameters_to_decide_and_then_to_the_map(window: MainWindow) -> None:
    take_keyboard(window)
    workspace = window.workspace
    assert workspace is not None
    workspace.tabs.setCurrentIndex(0)
    workspace.choose_step("parameters")
    workspace.parameters.sections["options"].head.setFocus()
    passed = []
    while workspace.widget.isAncestorOf(window.focusWidget()) and not workspace.tabs.isAncestorOf(
        window.focusWidget()
    ):
        passed.append(window.focusWidget())
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert workspace.decide.pin in passed
    assert workspace.decide.cards[0].error.number in passed


def test_whatever_is_seen_has_its_place_in_a_layout_and_a_look_that_there_is(window: MainWindow) -> None:
    found = {
        type(place).__name__: {*out_of_place(place), *unknown_looks(place)} for place in places_of(window)
    }
    found["beside them"] = unknown_looks(window)
    assert {place: strays for place, strays in found.items() if strays} == {}


@pytest.fixture
def opened(window: MainWindow) -> Iterator[ParametersPage]:
    """With every section of the parameters open; as it was at the end."""
    assert window.workspace is not None
    page = window.workspace.parameters
    before = {name: section.head.isChecked() for name, section in page.sections.items()}
    open_sections(page)
    yield page
    for name, section in page.sections.items():
        section.head.setChecked(before[name])


@pytest.mark.usefixtures("opened")
def test_fields_end_on_one_line(window: MainWindow) -> None:
    assert {one for place in places_of(window) for one in uneven_forms(place)} == set()


def test_every_field_of_the_parameters_says_more_when_hovered(
    window: MainWindow, opened: ParametersPage
) -> None:
    """But for those that stand above their own explanation."""
    assert window.workspace is not None
    window.workspace.choose_step("parameters")
    explained = {opened.knobs.mechanism, *opened.knobs.epsilon.findChildren(QWidget)}
    explained |= {*opened.dates.findChildren(QWidget)}
    fields = [one for one in stops(opened) if isinstance(one, QLineEdit | QComboBox | QAbstractSpinBox)]
    assert {told_of(one) for one in fields if not one.toolTip() and one not in explained} == set()
    assert len(fields) > 12


def test_every_stop_has_a_name_for_those_who_hear_it(window: MainWindow) -> None:
    assert window.workspace is not None
    nameless = set()
    for place in places_of(window):
        for widget in stops(place):
            if isinstance(widget, QQuickWidget):
                continue  # the page inside names itself
            if not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name):
                nameless.add((type(place).__name__, type(widget).__name__, widget.toolTip()))
    assert nameless == set()
    rows = window.workspace.steps
    spoken = [QAccessible.queryAccessibleInterface(rows).child(row) for row in range(rows.count())]
    assert all(row.text(QAccessible.Text.Name) == rows.item(at).text() for at, row in enumerate(spoken))
    assert "hexagons" in window.workspace.map.view.accessibleDescription()


def of_two_on_a_screen(window: MainWindow) -> dict[str, list[str]]:
    """Keys that lead to two places, where each step may stand beside each tab."""
    workspace = window.workspace
    assert workspace is not None
    seldom = [
        workspace.release.practice.start,  # for the sample
        workspace.release.key_box.backup,  # once there is a key
        workspace.release.verify,  # once there is a release
        workspace.table.marked_only,  # once hexagon slots are marked
        workspace.table.smoothed,  # once smoothed numbers are planned
        workspace.recovery,  # after a kill
    ]
    seldom = [one for one in seldom if one.isHidden()]
    for one in seldom:
        one.show()
    beside: dict[str, list[str]] = {}
    for number in range(workspace.tabs.count()):
        workspace.tabs.setCurrentIndex(number)
        shown = workspace.tabs.widget(number)
        sections = shown.findChild(QTabWidget)
        for section in range(sections.count() if sections else 1):
            if sections:
                sections.setCurrentIndex(section)
            QApplication.processEvents()
            beside[f"{number}.{section}"] = list(labelled(shown))
    workspace.tabs.setCurrentIndex(0)
    on_map = Counter(beside["0.0"])
    twice: dict[str, list[str]] = {}
    for key in workspace.pages:
        workspace.steps.choose(key)
        QApplication.processEvents()
        around = list((Counter(labelled(window)) - on_map).elements())
        for texts in beside.values():
            twice |= mnemonics([*around, *texts])
    workspace.steps.choose("data")
    for place in (workspace.places.to_ledger, workspace.places.to_compare):
        place.toggle()
        QApplication.processEvents()
        twice |= mnemonics(labelled(window))
        place.toggle()
    for one in seldom:
        one.hide()
    return twice


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("relation", [Relation.VALUES, Relation.USER])
def test_a_key_leads_to_one_place_on_every_screen(window: MainWindow, relation: Relation) -> None:
    """What is pinned and the card of a hexagon stand beside all."""
    assert window.workspace is not None
    session, before = window.workspace.session, window.workspace.session.draft
    assert session.overview is not None
    session.chosen.choose_hat(session.overview.cells[0])
    window.workspace.decide.pin.click()
    session.choose_relation("Relation", relation)
    wait_until(lambda: not session.busy)
    assert of_two_on_a_screen(window) == {}
    session.chosen.choose_hat(None)
    session.apply(before)
    settle(window)


def test_a_key_leads_to_one_place_when_the_ledger_refuses_too(window: MainWindow) -> None:
    """Its mends stand in step *Release* and beside it."""
    with refused_by_ledger(window):
        assert of_two_on_a_screen(window) == {}


def test_a_key_and_a_name_lead_to_one_entry_of_every_menu(window: MainWindow) -> None:
    menus = [menu for menu in window.findChildren(QMenu) if menu.actions()]
    assert len(menus) > 4
    for menu in menus:
        menu.aboutToShow.emit()
        assert mnemonics(action.text() for action in menu.actions()) == {}
        named = [action.text() for action in menu.actions() if action.text()]
        assert len(set(named)) == len(named), "a step and a tab are both called Errors"


def test_what_is_said_below_is_forgotten_and_the_log_has_it(window: MainWindow) -> None:
    window.workspace.session.noted.emit("Something was done.")  # type: ignore[union-attr]
    assert window.note.text() == "Something was done."
    assert window.forgetting.isActive()
    window.forgetting.timeout.emit()
    assert window.note.text() == ""
    assert window.log_dock.text.endswith("Something was done.")


def test_a_note_goes_with_what_it_was_of(window: MainWindow) -> None:
    """Below a sentence that was confirmed again stood that it is to be confirmed."""
    session = window.workspace.session  # type: ignore[union-attr]
    session.noted.emit("Confirm it again.")
    session.confirmation.stands.emit("Confirm it again.")
    assert window.note.text() == ""


def test_a_step_opened_by_a_key_or_a_click_has_the_keyboard_at_its_first_control(window: MainWindow) -> None:
    """It stayed where it was before: on Ledger, or in another step."""
    workspace = window.workspace
    assert workspace is not None
    take_keyboard(window)
    firsts = {
        "data": workspace.data.open_button,
        "parameters": workspace.parameters.knobs.place.kind,
        "errors": workspace.errors.rows,
        "release": workspace.release.fields["title"],
        "verify": workspace.verify.choose,
    }
    steps = workspace.steps
    for number, (key, first) in enumerate(firsts.items()):
        workspace.places.to_ledger.setFocus()
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_1 + number), Qt.KeyboardModifier.ControlModifier)
        wait_until(lambda: QApplication.focusWidget() is first)  # noqa: B023 - rows come with their curve
        workspace.places.to_ledger.setFocus()
        QTest.mouseClick(
            steps.viewport(), Qt.MouseButton.LeftButton, pos=steps.visualItemRect(steps.item(number)).center()
        )
        assert QApplication.focusWidget() is first, f"by a click: {key}"
    workspace.choose_step("data")


def test_the_step_release_begins_at_the_first_empty_field(qtbot: QtBot, window: MainWindow) -> None:
    """By a click or Enter; the arrow keys, which only pass it, stay in the list."""
    workspace = window.workspace
    assert workspace is not None
    session, page, steps, before = (
        workspace.session, workspace.release, workspace.steps, workspace.session.draft
    )  # fmt: skip
    at = steps.visualItemRect(steps.item(3)).center()
    window.activateWindow()

    def reached(*, mouse: bool = True) -> QWidget | None:
        steps.choose("parameters")
        steps.setFocus()
        if mouse:
            QTest.mouseClick(steps.viewport(), Qt.MouseButton.LeftButton, pos=at)
        else:
            QTest.keyClick(steps, Qt.Key.Key_Down)
            QTest.keyClick(steps, Qt.Key.Key_Down)
        assert page.isVisible()
        return QApplication.focusWidget()

    assert reached(mouse=False) is steps
    assert reached() is page.fields["title"]
    session.edit("Texts", title="Bus speeds", name="bus-speeds")
    assert reached() is page.fields["publisher"]
    session.edit("Texts", publisher="City", contact="opendata@city.example")
    assert reached() is page.key_box.make
    generate_key(window.home.default_key.with_suffix(""), "the first empty field")
    page.key_box.refresh()
    assert not page.start.isEnabled(), "nothing is confirmed here"
    assert reached() is page.fields["title"]
    session.apply(before)
    qtbot.waitUntil(lambda: not session.busy)


def _dropped(onto: QWidget, path: Path) -> bool:
    """As the system does it: entered, then dropped where somebody takes it."""
    data, copy = QMimeData(), Qt.DropAction.CopyAction
    data.setUrls([QUrl.fromLocalFile(str(path))])
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, left, keys)
    QApplication.sendEvent(onto, enter)
    taken = QDropEvent(QPointF(5, 5), copy, data, left, keys)
    QApplication.sendEvent(onto, taken)
    return enter.isAccepted()


def test_a_bundle_dropped_anywhere_is_verified(window: MainWindow, tmp_path: Path) -> None:
    """On every step and tab, and on what lies within: only Compare takes it for itself."""
    workspace = window.workspace
    assert workspace is not None
    bundle, spot = make_bundle(tmp_path), workspace.parameters.sections["hexagons"]
    for step, onto in (
        *((key, page) for key, page in workspace.pages.items()),
        ("data", workspace.data.open_button),
        ("parameters", spot),
        ("parameters", workspace.map.whole),
        ("release", workspace.table),
        ("release", workspace.ledger),
    ):
        workspace.choose_step(step)
        workspace.places.to_ledger.setChecked(onto is workspace.ledger)
        before = workspace.verify.result
        assert _dropped(onto, bundle), (step, onto)
        wait_until(lambda before=before: workspace.verify.result not in (None, before))
        assert workspace.verify.isVisible(), (step, onto)


def test_while_an_input_is_refused_no_figure_of_before_passes_as_its_own(window: MainWindow) -> None:
    """Rows of errors, the table and the error that drives epsilon stood there in full ink."""
    workspace = window.workspace
    assert workspace is not None
    session, views = workspace.session, workspace.error_views
    workspace.places.show_result()
    views.sections.setCurrentWidget(views.release)
    for tab in (workspace.table, views):
        workspace.tabs.setCurrentWidget(tab)
        settle(window)
    wait_until(lambda: views.release.complete)
    parts = (
        workspace.errors.rows,
        views.histogram.bars,
        workspace.table.view.viewport(),
        workspace.map.strip.chart,
        *(part for card in workspace.decide.cards for part in (card, card.typed)),
        workspace.decide.budget,
    )

    def faint() -> set[bool]:
        effects = (part.graphicsEffect() for part in parts)
        return {effect is not None and effect.isEnabled() for effect in effects}

    canvas = views.release.canvas
    assert canvas is not None

    def darkest() -> int:
        image = canvas.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        return int(np.frombuffer(image.constBits(), np.uint8).min())

    ink = darkest()
    field = QLineEdit()
    session.refused.note(field, InputError("That is no number.", mend="type one"))
    try:
        wait_until(lambda: faint() == {True})
        assert "an input was refused" in told_of(workspace.errors.stale)
        assert darkest() > ink
    finally:
        session.refused.mend(field)
    assert faint() == {False}
    assert darkest() == ink
