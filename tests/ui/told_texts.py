"""What a window tells in a made-up language: words of English that are left, and texts that are cut."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QRadioButton,
    QTabBar,
    QTableView,
    QTableWidget,
    QWidget,
)
from shiboken6 import isValid

from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import declared
from core.statistics.registry import all_statistics
from ui.data.zone_box import ZoneBox
from ui.kit.elided_label import ElidedLabel

NAMES = ("City", "city", "buses", "morning peak", "ids", "mean_speed")
"""What tests have typed, and a word whose letter for the keyboard stays without an accent."""
ZERO_WIDTH = "\u200b"
"""Lets a long name break into lines."""
_WORD = re.compile(r"(?<![^\W\d_])[A-Za-z]{3,}(?![^\W\d_])")
"""Without any accent; each text of the catalogue that has a letter for one has it."""
_DATA = re.compile(
    r"<[^>]+>|[\w./~-]*[./][\w./-]+|\b[0-9a-f]{15}\b|\b[0-9A-F]{16}\b|(?:\b[0-9a-f]{4}\s){3}[0-9a-f]{4}"
    r"|(?:Ctrl|Alt|Shift)\+\S+|\bEsc\b|observationDateTime|license_plate|\(úñít [\w-]+\)"
)
"""Marks of rich text, paths, names of files, cells and columns, keys, fingerprints and shortcuts, and the
term of a unit behind the pointer."""
_MARKED_LETTER = re.compile(r"&(?=\w)\w")
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
    "GTFS",
    "PDF",
    "SPDX",
    "SVG",
    "EPSG",
    "Surat",
    "ddmm",
    "dmy",
    "mdy",
    "std",
}
"""What a spec says stays as it is; so do names of the test's columns, and of its edit."""


class Told:
    """Words of English with where they stand, and what is cut, of all that is looked at."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """names: what a person has typed, which no language translates."""
        self._names = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names) or r"\Z")
        self._left: dict[str, list[str]] = {}
        self.english: set[str] = set()
        self.cut: set[str] = set()

    def read(self, text: str, where: str) -> None:
        """A text, and who says it; most stand in many scenes."""
        if text not in self._left:
            self._left[text] = english_in(self._names.sub(" ", text))
        self.english |= {f"{word}: {where} {text}" for word in self._left[text]}

    def look(self, scene: QWidget) -> None:
        """Everything that is seen of a window or dialog."""
        laid_out()
        for widget in (scene, *scene.findChildren(QWidget)):
            if not isValid(widget) or not widget.isVisible():
                continue
            for text in texts_of(widget):
                self.read(text, type(widget).__name__)
            if is_cut(widget) and stays_cut(widget):
                self.cut.add(f"{type(widget).__name__} {widget.size().toTuple()}: {widget.text()}")


def english_in(text: str) -> list[str]:
    """Words of a text, and of what is in its fields, that did not go through the catalogue."""
    line = " ".join(text.replace(ZERO_WIDTH, "").split())  # tips are broken into lines, anywhere
    told = _MARKED_LETTER.sub("é", re.sub(r"&\w+;", " ", line))
    bare = _DATA.sub(" ", told)
    return [word for word in _WORD.findall(bare) if word not in _TERMS]


def texts_of(widget: QWidget) -> Iterator[str]:
    """What a widget tells the eye, the pointer and assistive technology."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if widget.isWindow():
        yield widget.windowTitle()
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
    if isinstance(widget, QTableWidget | QListWidget):
        yield from _cells_of(widget)


def _cells_of(widget: QTableWidget | QListWidget) -> Iterator[str]:
    """What stands in rows, and behind the pointer."""
    if isinstance(widget, QListWidget):
        items = [widget.item(row) for row in range(widget.count())]
    else:
        places = itertools.product(range(widget.rowCount()), range(widget.columnCount()))
        items = [widget.item(row, column) for row, column in places]
    for item in items:
        if item is not None:
            yield from (item.text(), item.toolTip())


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
