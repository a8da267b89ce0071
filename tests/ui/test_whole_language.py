"""The window in a made-up language that is 40 % longer: no English is left, and nothing is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QTabBar,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import declared
from core.privacy import Relation
from core.statistics.registry import all_statistics
from tests.records import write_csv
from tests.ui.languages import CLOSED, OPENED, pseudo_language, spoken
from tests.ui.small_city import pings
from tests.ui.whole_window import places_of, settle, wait_until, whole_window
from ui.budget.limit_dialog import LimitDialog
from ui.data.import_dialog import ImportDialog
from ui.data.same_vehicles import SameVehiclesDialog
from ui.data.zone_box import ZoneBox
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.kit.elided_label import ElidedLabel
from ui.kit.translation import catalogue_of
from ui.release.key_dialog import KeyDialog
from ui.shell.help import AboutDialog, GlossaryDialog, ShortcutsDialog
from ui.shell.main_window import MainWindow
from ui.shell.settings_dialog import SettingsDialog

SIZE = QSize(1366, 768)
_SAID = re.compile(f"{OPENED}[^{OPENED}{CLOSED}]*{CLOSED}")
"""What went through the catalogue; what is in its fields went through it before."""
ZERO_WIDTH = "\u200b"
"""Lets a long name break into lines."""
_WORD = re.compile(r"[A-Za-z]{3,}")
_DATA = re.compile(
    r"<[^>]+>|&\w+;|[\w./~-]*[./][\w./-]+|\b[0-9a-f]{15}\b|(?:Ctrl|Alt|Shift)\+[\w+]+|observationDateTime|license_plate"
)
"""Marks of rich text, paths, names of files, cells and columns, and shortcuts."""
_TERMS = frozenset(
    option
    for part in (*all_mechanisms().values(), *all_statistics().values())
    for parameter in declared(part.Params)
    for option in parameter.options
) | {
    "BestFit",
    "WrapAround",
    "Hexveil",
    "Python",
    "Linux",
    "latitude",
    "longitude",
    "speed",
    "change",
    "English",
    "mph",
}
"""What a spec says stays as it is; so do names of the test's columns, and of its edit."""


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with (
        spoken(qapp, pseudo_language(catalogue_of("hi").entries)),
        whole_window(qapp, tmp_path_factory.mktemp("window")) as made,
    ):
        made.resize(SIZE)
        settle(made)
        yield made


def english_in(text: str) -> list[str]:
    """Words of a text that did not go through the catalogue."""
    rest, found = text.replace(ZERO_WIDTH, ""), 1
    while found:
        rest, found = _SAID.subn(" ", rest)
    return [word for word in _WORD.findall(_DATA.sub(" ", rest)) if word not in _TERMS]


def texts_of(widget: QWidget) -> Iterator[str]:
    """What a widget tells the eye, the pointer and assistive technology."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    elif isinstance(widget, QComboBox) and not isinstance(widget, ZoneBox):  # zones have one name
        yield from (widget.itemText(number) for number in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(number) for number in range(widget.count()))
    elif isinstance(widget, QTableView) and widget.model() is not None:
        model = widget.model()
        for number in range(model.columnCount()):
            yield str(model.headerData(number, Qt.Orientation.Horizontal) or "")


def is_cut(widget: QWidget) -> bool:
    """Whether a text that may not be shortened has less room than it asks for."""
    if isinstance(widget, ElidedLabel) or widget.visibleRegion().isEmpty():
        return False
    if isinstance(widget, QLabel) and widget.text():
        wraps = widget.wordWrap()
        needed = widget.heightForWidth(widget.width()) if wraps else widget.sizeHint().height()
        return widget.height() < needed or (not wraps and widget.width() < widget.sizeHint().width())
    if isinstance(widget, QPushButton | QCheckBox | QRadioButton) and widget.text():
        return widget.width() < widget.minimumSizeHint().width()
    return False


def stays_cut(widget: QWidget) -> bool:
    """Not only until its layout has heard of its text; what has gone meanwhile is not cut."""
    laid_out()
    return isValid(widget) and widget.isVisible() and is_cut(widget)


def laid_out() -> None:
    """What was asked of layouts is done, and what that asks in turn."""
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def dialogs_of(window: MainWindow, files: Path) -> Iterator[QDialog]:
    """What opens over the window, one after the other."""
    workspace = window.workspace
    assert workspace is not None
    session = workspace.session
    for made in (
        GlossaryDialog(window),
        ShortcutsDialog(window),
        AboutDialog(window.home, window),
        SettingsDialog(window.settings, window.theme, window),
        LimitDialog(session, window),
        KeyDialog(window.home, window),
        EvaluationDialog(session, window),
        SameVehiclesDialog("City buses", typed=False, parent=window),
        ImportDialog([write_csv(files / "city.csv", pings())], window),
    ):
        made.show()
        wait_until(lambda shown=made: not getattr(shown, "busy", False))
        laid_out()
        yield made
        made.close()
        made.deleteLater()


def scenes(window: MainWindow, files: Path) -> Iterator[QWidget]:
    """The window in every place of both relations, and its dialogs."""
    workspace = window.workspace
    assert workspace is not None
    for relation in (Relation.VALUES, Relation.USER):
        workspace.session.edit("change", relation=relation)
        for _ in places_of(window):
            laid_out()
            yield window
    workspace.to_ledger.click()
    laid_out()
    yield window
    workspace.to_ledger.click()
    yield from dialogs_of(window, files)


@pytest.fixture(scope="module")
def told(window: MainWindow, tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Of all scenes: words of English with where they stand, and what is cut."""
    english, cut = set(), set()
    for action in window.findChildren(QAction):
        english |= {f"{word}: {action.text()}" for word in english_in(f"{action.text()} {action.toolTip()}")}
    for scene in scenes(window, tmp_path_factory.mktemp("files")):
        for widget in (scene, *scene.findChildren(QWidget)):
            if not isValid(widget) or not widget.isVisible():
                continue
            for text in texts_of(widget):
                english |= {f"{word}: {type(widget).__name__} {text}" for word in english_in(text)}
            if is_cut(widget) and stays_cut(widget):
                cut.add(f"{type(widget).__name__} {widget.size().toTuple()}: {widget.text()}")
    return english, cut


def test_no_english_is_left_anywhere(told: tuple[set[str], set[str]]) -> None:
    assert told[0] == set()


def test_nothing_is_cut(told: tuple[set[str], set[str]]) -> None:
    assert told[1] == set()
