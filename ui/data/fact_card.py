"""The card of what is open on the step *Data*: one large figure, and facts a row each. Confidential."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QWidget

from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column
from ui.session.origin_badge import OriginBadge

_ABOVE_GROUP = 30


def breakable(text: str) -> str:
    """Names of columns and files may be broken after a mark, or anywhere if they have none."""
    return re.sub(r"([._/-]|[^._/\s-]{16})", "\\1\u200b", text)


class FactCard(QFrame):
    """The frame; who inherits says what is in it, from the top on."""

    def __init__(
        self, title: str, why_confidential: str, parent: QWidget | None = None, *, made_up: bool = False
    ) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        header = QHBoxLayout()
        header.addWidget(label(title, "heading", self), 1)
        origin = OriginBadge(self, why_confidential)
        origin.show_origin(made_up=made_up)
        header.addWidget(origin, 0, Qt.AlignmentFlag.AlignTop)
        self._column = in_column(self, header, margins=(12, 10, 12, 12), spacing=6)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def _begin(self, files: str, paths: str, figure: str, of_what: str) -> None:
        """Names of files, with their paths behind the mouse; the figure; then comes the grid of facts."""
        name = label(breakable(files), "muted", self)
        name.setToolTip(in_lines(paths))
        self._column.addWidget(name)
        self._column.addWidget(label(figure, "figure", self))
        self._column.addWidget(label(of_what, "muted", self))
        self._column.addLayout(self._grid)

    def _add_group(self, title: str) -> None:
        row = self._grid.rowCount()
        self._grid.setRowMinimumHeight(row, _ABOVE_GROUP)
        self._grid.addWidget(label(title, "heading", self), row, 0, 1, 2, Qt.AlignmentFlag.AlignBottom)

    def _add(self, name: str, value: str) -> None:
        row = self._grid.rowCount()
        shown = label(breakable(value), "", self)
        # copied, the marks for breaking would go along unseen
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._grid.addWidget(label(name, "muted", self), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(shown, row, 1)
