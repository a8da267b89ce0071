"""The dialogs of Help: the tour, the glossary, the keys, where files lie, what Hexveil does not do."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QAction, QGuiApplication, QImage, QShowEvent, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QMainWindow,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QWidget,
)

from core.system.paths import Home, resources
from ui.kit.glossary import glossary
from ui.kit.labels import label
from ui.kit.system_facts import system_facts
from ui.language.translation import spoken_language, translator, without_mnemonic
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_content, fit_screen
from ui.shell.step_action import StepAction

_tr = translator("Help")

_SIZE, _TOUR_SIZE = QSize(560, 460), QSize(820, 660)
_PICTURE_WIDTH = 720
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\([^)]+\)")
"""To another page, which is not beside this one in an installed program."""
_LEFT = Qt.AlignmentFlag.AlignLeft
_PADDING = 8
_ITEM_MARGIN = 3
"""Pixels that Qt leaves beside a cell's text in any case."""


class _Dialog(QDialog):
    """A titled dialog with a close button."""

    def __init__(self, title: str, body: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.rejected.connect(self.reject)
        body.setAccessibleName(title)
        in_column(self, (body, 1), self.buttons, margins=None)
        fit_screen(self, _SIZE)


class GlossaryDialog(_Dialog):
    """What the words mean."""

    def __init__(self, parent: QWidget) -> None:
        text = QTextBrowser()
        text.document().setDocumentMargin(_PADDING)
        text.setHtml(
            "".join(
                f"<p><b>{escape(word)}</b><br>{escape(meaning)}</p>" for word, meaning in glossary().items()
            )
        )
        super().__init__(_tr("Glossary"), text, parent)


class _Page(QTextBrowser):
    """A page of a folder whose pictures are as wide as it shows them; it leads nowhere else."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self._folder = page.parent
        self.setOpenLinks(False)
        self.document().setDocumentMargin(_PADDING)
        self.setMarkdown(_LINK.sub(r"\1", page.read_text(encoding="utf-8")))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802 - Qt's name
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        picture = QImage(str(self._folder / Path(QUrl(name).path()).name))
        return picture.scaledToWidth(_PICTURE_WIDTH, Qt.TransformationMode.SmoothTransformation)


class TourDialog(_Dialog):
    """The tour with its pictures, in the window's language, from the program's own folder."""

    def __init__(self, parent: QWidget) -> None:
        folder = resources() / "tour"
        spoken = folder / f"tour.{spoken_language()}.md"
        page = _Page(spoken if spoken.is_file() else folder / "tour.md")
        super().__init__(_tr("Tour"), page, parent)
        fit_screen(self, _TOUR_SIZE)


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
        table.horizontalHeader().setDefaultAlignment(_LEFT | Qt.AlignmentFlag.AlignVCenter)
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {_PADDING - _ITEM_MARGIN}px; }}")
        table.verticalHeader().hide()
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for row, action in enumerate(keyed):
            table.setItem(row, 0, QTableWidgetItem(without_mnemonic(_named(action))))
            table.setItem(row, 1, QTableWidgetItem(action.shortcut().toString()))
        table.setColumnWidth(0, 340)
        table.horizontalHeader().setStretchLastSection(True)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)  # it would never let go of the keyboard
        table.setAlternatingRowColors(True)
        super().__init__(_tr("Keyboard shortcuts"), table, parent)


def _named(action: QAction) -> str:
    """What it does at any time: undoing, whatever step would be undone now."""
    return action.bare if isinstance(action, StepAction) else action.text()


def places(home: Home) -> dict[str, str]:
    """Where everything lies that Hexveil keeps; the program's own folder is never written to."""
    return {
        _tr("Home"): str(home.folder),
        _tr("Ledger"): str(home.ledger),
        _tr("Keys"): str(home.default_key.parent),
        _tr("Settings"): str(home.settings),
        _tr("Mappings"): str(home.known_mappings),
        _tr("Copies of records"): _tr("{place} (private; see and delete them in step Data)").format(
            place=home.cache
        ),
        _tr("Drawing cache"): QStandardPaths.writableLocation(
            QStandardPaths.StandardLocation.GenericCacheLocation
        ),
        _tr("Program"): str(resources().parent),
    }


class AboutDialog(_Dialog):
    """Version, places, and diagnostic information to copy."""

    def __init__(self, home: Home, parent: QWidget) -> None:
        self.diagnostics = system_facts()
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
        self._area = scrolling(body)
        super().__init__(_tr("About Hexveil"), self._area, parent)
        self.setMinimumWidth(_SIZE.width())
        copy = QPushButton(_tr("Copy diagnostic information"), self)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.diagnostics))
        self.buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """As high as its words are, with the fonts that they are painted in."""
        super().showEvent(event)
        fit_content(self, self._area)
