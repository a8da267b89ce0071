"""Offers names of zones and cities while they are typed, with or without their accents and underscores."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter

_SEARCHED = Qt.ItemDataRole.UserRole


class ZoneCompleter(QCompleter):
    """`Sao P` and `São Paulo` both find America/Sao_Paulo; a part of a name will do.

    Return takes what is highlighted, and the only one that is offered without a key to highlight it.
    """

    def __init__(self, names: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        model = QStandardItemModel(self)
        for name in names:
            item = QStandardItem(name)
            item.setData(_searched(name), _SEARCHED)
            model.appendRow(item)
        self.setModel(model)
        self.setCompletionRole(_SEARCHED)
        self.setFilterMode(Qt.MatchFlag.MatchContains)

    def splitPath(self, path: str) -> list[str]:  # noqa: N802 - Qt's name
        """What is looked for."""
        return [_searched(path)]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:  # noqa: N802 - Qt's name
        """What a chosen name becomes in the field: itself, not what it is found by."""
        return str(index.data() or "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        popup = self.popup()
        if (
            watched is popup
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not popup.currentIndex().isValid()
            and self.completionCount() == 1
        ):
            popup.setCurrentIndex(self.completionModel().index(0, 0))
        return super().eventFilter(watched, event)


@lru_cache(maxsize=4096)  # the names of all zones, which every dialog offers
def _searched(name: str) -> str:
    """A name as people type it to find it: no accents, no capitals, a space for an underscore."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).replace("_", " ")
