"""Help: the words of the window, its keys, and what to tell us about a fault."""

from __future__ import annotations

import platform

from PySide6 import __version__ as qt_version
from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QMainWindow,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from core import __version__
from core.paths import Home, resources
from ui.kit.labels import label
from ui.kit.translation import translator

_tr = translator("Help")


def glossary() -> dict[str, str]:
    """Words and their meanings (method 1)."""
    return {
        _tr("HAT"): _tr("Hexagon and timeslot: one H3 cell in one slot of the day."),
        _tr("Resolution"): _tr(
            "How fine H3 divides the land: from 5 to 10 the hexagons shrink sevenfold a step."
        ),
        _tr("K_day"): _tr("The most HATs that one vehicle was in on one day."),
        _tr("Epsilon"): _tr(
            "How much a release may reveal. Smaller is safer and less exact. Epsilons of releases add up."
        ),
        _tr("Unit"): _tr(
            "Whose records are protected: a vehicle, a vehicle on one day, or in one HAT on one day."
        ),
        _tr("Relation"): _tr(
            "What neighbouring data sets differ in. With “values” the values of one unit may be anything "
            "between the bounds, and nobody can tell; who was where is public."
        ),
        _tr("Population"): _tr("A named set of vehicles with one budget in the ledger."),
        _tr("Upper bound U"): _tr(
            "A public bound of the speed. Faster records count as U. Never taken from data."
        ),
        _tr("Physical maximum"): _tr(
            "Values above it are impossible and dropped; values between U and it count as U."
        ),
        _tr("Box"): _tr("South, west, north, east in degrees: positions outside are dropped."),
        _tr("Derived speed"): _tr(
            "Distance over time between a vehicle's records, where the files have no speed. It follows from "
            "positions, so only the relation “user” may release it."
        ),
        _tr("Encoding"): _tr(
            "Which bytes stand for which letters. Files are UTF-8 unless they carry a mark; another encoding "
            "is guessed from their letters and taken only once it is chosen."
        ),
        _tr("Known mapping"): _tr(
            "How files were read at an earlier load. It is kept in the home folder by the names of their "
            "columns, never with a cell, and offered again for files of the same shape."
        ),
        _tr("Expected error"): _tr(
            "The noise to be expected plus the worst bias that the counts allow, in the unit of the value."
        ),
        _tr("Suppressed"): _tr("A selected HAT without a value, as too few vehicles were there."),
        _tr("Ledger"): _tr("The record of what was spent. It refuses what would exceed a limit."),
        _tr("Bundle"): _tr("The signed folder that is published."),
    }


class _Dialog(QDialog):
    """A titled dialog with a close button."""

    def __init__(self, title: str, body: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(560, 460)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(body, 1)
        layout.addWidget(self.buttons)


class GlossaryDialog(_Dialog):
    """What the words mean."""

    def __init__(self, parent: QWidget) -> None:
        text = QTextBrowser()
        text.setHtml("".join(f"<p><b>{word}</b><br>{meaning}</p>" for word, meaning in glossary().items()))
        super().__init__(_tr("Glossary"), text, parent)


class ShortcutsDialog(_Dialog):
    """Every key of the menus."""

    def __init__(self, parent: QMainWindow) -> None:
        keyed = [
            action
            for action in parent.findChildren(QAction)
            if action.text() and action.shortcut().toString()
        ]
        table = QTableWidget(len(keyed), 2)
        table.setHorizontalHeaderLabels([_tr("Action"), _tr("Key")])
        table.verticalHeader().hide()
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for row, action in enumerate(keyed):
            table.setItem(row, 0, QTableWidgetItem(action.text().replace("&", "")))
            table.setItem(row, 1, QTableWidgetItem(action.shortcut().toString()))
        table.setColumnWidth(0, 340)
        table.horizontalHeader().setStretchLastSection(True)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        super().__init__(_tr("Keyboard shortcuts"), table, parent)


def places(home: Home) -> dict[str, str]:
    """Where everything lies that Hexveil keeps; the program's own folder is never written to."""
    return {
        _tr("Home"): str(home.folder),
        _tr("Ledger"): str(home.ledger),
        _tr("Keys"): str(home.default_key.parent),
        _tr("Settings"): str(home.settings),
        _tr("Mappings"): str(home.known_mappings),
        _tr("Cache"): _tr("{place} (only Qt's, of drawing; records stay in memory)").format(
            place=QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)
        ),
        _tr("Program"): str(resources().parent),
    }


class AboutDialog(_Dialog):
    """Version, places, and diagnostic information to copy."""

    def __init__(self, home: Home, parent: QWidget) -> None:
        self.diagnostics = "\n".join(
            (
                f"Hexveil {__version__}",
                f"Python {platform.python_version()}, Qt {qt_version}",
                f"{platform.system()} {platform.release()} {platform.machine()}",
            )
        )
        body = label(
            "\n\n".join(
                (
                    self.diagnostics,
                    "\n".join(f"{what}: {place}" for what, place in places(home).items()),
                    _tr("Differential privacy bounds what a release reveals; it does not make it harmless."),
                )
            )
        )
        body.setAlignment(Qt.AlignmentFlag.AlignTop)
        super().__init__(_tr("About Hexveil"), body, parent)
        copy = QPushButton(_tr("Copy diagnostic information"), self)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.diagnostics))
        self.buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
