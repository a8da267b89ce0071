"""A whole window over the small city, built once for a test file."""

from __future__ import annotations

import contextlib
import faulthandler
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QTabWidget,
    QWidget,
)

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.draft.draft import DataSource
from core.privacy import Relation, Unit
from core.system.paths import Home
from tests.records import rules, write_csv
from tests.ui.small_city import pings
from ui.kit.jobs import any_running, cancel_all, longest_wait, wait_for_all
from ui.kit.style_sheet import style_sheet
from ui.kit.theme import Mode, Theme
from ui.session.guards.budget import ledger_refuses
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace
from ui.web_map.map_view import MapView

PATIENCE_MS = 30_000
_A_MOMENT_MS = 5_000


def wait_until(done: Callable[[], bool]) -> None:
    """Run the event loop until `done`: for fixtures that outlive a test, and so have no qtbot."""
    loop = QEventLoop()
    reached: list[bool] = []  # once is enough: what starts before the loop ends is another wait

    def look() -> None:
        if done():
            reached.append(True)
            loop.quit()

    poll = QTimer()
    poll.timeout.connect(look)
    poll.start(5)
    patience = QTimer(singleShot=True)  # goes with this wait: QTimer.singleShot would hold the loop till then
    patience.timeout.connect(loop.quit)
    patience.start(PATIENCE_MS)
    loop.exec()
    if not reached:
        faulthandler.dump_traceback(file=sys.__stderr__, all_threads=True)  # who works, and at what
        raise AssertionError(f"{done} is not so after {PATIENCE_MS} ms; of works: {longest_wait()}")


@contextlib.contextmanager
def bare_window(app: QApplication, home: Home) -> Iterator[MainWindow]:
    """With every page and tab, and nothing loaded."""
    theme = Theme(app, Mode.LIGHT)
    made = MainWindow(home, Settings(home), theme)
    made.show()
    begin = Workspace.begin
    Workspace.begin = lambda _, __=None: None  # type: ignore[method-assign] - without the sample
    try:
        made.build(Workspace)
    finally:
        Workspace.begin = begin  # type: ignore[method-assign]
    yield made
    cancel_all()
    assert wait_for_all(30)
    made.leave()
    made.dispose()
    for part in (made, theme):  # now, not whenever Python finds that nobody holds them, in some later test
        part.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@contextlib.contextmanager
def whole_window(app: QApplication, folder: Path) -> Iterator[MainWindow]:
    """Loaded and planned: relation values, unit vehicle, two of three hexagons selected."""
    with bare_window(app, Home(folder / "home")) as made:
        assert made.workspace is not None
        session = made.workspace.session
        session.load(DataSource(files=(write_csv(folder / "city.csv", pings()),), rules=rules()))
        wait_until(lambda: session.forecast is not None)
        session.edit("change", relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
        settle(made)
        yield made


def settle(window: MainWindow) -> None:
    """Until nothing is worked out or drawn."""
    workspace = window.workspace
    assert workspace is not None
    session = workspace.session

    def still_open() -> list[str]:
        awaited = {"work": session.busy, "plan": session.forecast is None}
        return [
            name for name, is_open in (awaited | {"map": not workspace.map.view.is_ready}).items() if is_open
        ]

    try:
        wait_until(lambda: not still_open())
    except AssertionError as late:
        raise AssertionError(f"awaited are {still_open()}: {late}") from None


def is_at_rest(widget: QWidget) -> bool:
    """Nothing works, nor waits a moment before it begins to: what then appears was not there to be walked.

    A note below is forgotten much later, which nobody has to wait for.
    """
    timers = [one for one in widget.findChildren(QTimer) if one.interval() < _A_MOMENT_MS]
    return not any_running() and not any(one.isActive() and one.isSingleShot() for one in timers)


@contextlib.contextmanager
def refused_by_ledger(window: MainWindow) -> Iterator[None]:
    """With a population that has less left than the draft costs; as it was before at the end."""
    assert window.workspace is not None
    session = window.workspace.session
    before = session.draft
    Ledger.open(window.home.ledger).set_limit("Buses", per_vehicle=Decimal(1))
    session.ledger.read()
    session.edit("Population", population="Buses", confirmed=True)
    session.set_budget("Epsilon", Budget(total=Decimal(80)))
    wait_until(lambda: not session.busy and ledger_refuses(session) is not None)
    try:
        yield
    finally:  # the window is that of other tests too
        session.apply(before)
        wait_until(lambda: not session.busy)


def stops(place: QWidget) -> Iterator[QWidget]:
    """What Tab reaches in a page or a dialog: of tabs their bar, and nothing that stands for another one.

    `focusProxy` would tell these too, but makes PySide take the editor for a part of it: with `viewport`
    or `lineEdit` each is a part of the other, and at the next collection both end, with all below them.
    """
    for widget in place.findChildren(QWidget):
        around = widget.parentWidget()
        stands_for = (
            isinstance(widget, QTabWidget)
            or (isinstance(around, QComboBox | QAbstractSpinBox) and isinstance(widget, QLineEdit))
            or (isinstance(around, QAbstractScrollArea) and type(widget) is QWidget)
        )
        if (
            widget.isVisible()
            and widget.isEnabled()
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not stands_for
            and widget.window() is place.window()
        ):
            yield widget


def nameless(place: QWidget) -> set[tuple[str, str, str]]:
    """What is seen, also where it cannot be used now, and those who hear it do not know what it is."""
    shown = [one for one in place.findChildren(QWidget) if one.isVisible()]
    unheard = {
        ("no name", type(one).__name__, one.toolTip())
        for one in shown
        if isinstance(one, QAbstractButton | QComboBox)
        and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not QAccessible.queryAccessibleInterface(one).text(QAccessible.Text.Name)
    }
    captions = [one for one in shown if isinstance(one, QLabel) and one.buddy() is not None]
    return unheard | {("no caption", type(one.buddy()).__name__, "") for one in captions if not one.text()}


def followed_while_typed(place: QWidget) -> set[tuple[str, str, str]]:
    """Numbers of which half may be typed when something already follows from them."""
    return {
        ("followed while typed", type(one).__name__, one.accessibleName())
        for one in place.findChildren(QAbstractSpinBox)
        if one.isVisible() and one.keyboardTracking()
    }


def out_of_place(place: QWidget) -> Iterator[tuple[str, str]]:
    """What no layout holds, beside what one does: it lies over others, or will once it is shown.

    Over a map things lie on purpose; a box of buttons lets go of those that are hidden.
    """
    for widget in place.findChildren(QWidget):
        around = widget.parentWidget()
        layout = around.layout()
        apart = widget.isWindow() or isinstance(around, MapView | QDialogButtonBox)
        apart = apart or widget.objectName().startswith("qt_")  # a part of a part of Qt's
        if not apart and layout is not None and not _holds(layout, widget):
            yield type(around).__name__, type(widget).__name__


def _holds(layout: QLayout, widget: QWidget) -> bool:
    items = [layout.itemAt(number) for number in range(layout.count())]
    inner = [item.layout() for item in items if item.layout() is not None]
    return any(item.widget() is widget for item in items) or any(_holds(one, widget) for one in inner)


def told_of(widget: QWidget) -> str:
    """What a part is called where one is found that should not be so."""
    return widget.accessibleName() or str(getattr(widget, "text", str)()) or type(widget).__name__


def unknown_looks(place: QWidget) -> set[tuple[str, str, str]]:
    """Looks that the style sheet has nothing to say about."""
    known = re.findall(r'look="(\w+)"', style_sheet())
    looks = {(type(one).__name__, str(one.property("look") or "")) for one in place.findChildren(QWidget)}
    return {("unknown look", *seen) for seen in looks if seen[1] not in ("", *known)}


def uneven_forms(place: QWidget) -> Iterator[tuple[str, str]]:
    """Fields below each other that do not end on one line."""
    for form in place.findChildren(QFormLayout):
        rows = filter(form.isRowVisible, range(form.rowCount()))
        items = [form.itemAt(row, QFormLayout.ItemRole.FieldRole) for row in rows]
        if len({item.geometry().right() for item in items if item is not None}) > 1:
            yield type(place).__name__, type(form.parentWidget()).__name__


def places_of(window: MainWindow) -> Iterator[QWidget]:
    """Every page and every tab, the ledger and a comparison, one after the other on the screen."""
    workspace = window.workspace
    assert workspace is not None
    for key, page in workspace.pages.items():
        workspace.choose_step(key)
        workspace.places.show_result(shown=False)  # in a narrow window the step Errors shows its views first
        yield page
    for number in range(workspace.tabs.count()):
        workspace.choose_tab(number)
        shown = workspace.tabs.widget(number)
        sections = shown.findChild(QTabWidget)
        for section in range(sections.count() if sections else 1):
            if sections:
                if not sections.isTabVisible(section):
                    continue
                sections.setCurrentIndex(section)
            yield shown
    workspace.places.to_compare.setChecked(True)
    wait_until(lambda: workspace.compare.page is not None)
    assert workspace.compare.page is not None
    yield workspace.compare.page
    workspace.places.to_ledger.setChecked(True)
    yield workspace.ledger
    workspace.places.show_steps()
    workspace.choose_step("data")
    workspace.tabs.setCurrentIndex(0)
