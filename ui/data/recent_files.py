"""The files that were loaded lately, to be opened with one click."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column

_FILES = Qt.ItemDataRole.UserRole
_ROW = 28


class RecentFiles(QWidget):
    """A list as high as its rows; nothing while it is empty."""

    wanted = Signal(object)
    """The paths of a row: a list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Recent files"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(self._on_chosen)
        self.list.itemActivated.connect(self._on_chosen)
        heading = label(self.tr("Recent"), "heading", self)
        heading.setBuddy(self.list)
        in_column(self, heading, self.list, margins=(0, 4, 0, 0), spacing=4)

    def show_files(self, loads: Sequence[Sequence[Path]]) -> None:
        """The newest load first, each with its files."""
        self.list.clear()
        for files in loads:
            name, others = files[0].name, len(files) - 1
            text = self.tr("{name} and {n} more").format(name=name, n=others) if others else name
            item = QListWidgetItem(text, self.list)
            item.setSizeHint(QSize(0, _ROW))
            item.setData(_FILES, [str(path) for path in files])
            item.setToolTip(in_lines("\n".join(str(path) for path in files)))
        self.list.setFixedHeight(len(loads) * _ROW + 4)
        self.setVisible(bool(loads))

    def _on_chosen(self, item: QListWidgetItem) -> None:
        self.wanted.emit([Path(name) for name in item.data(_FILES)])
