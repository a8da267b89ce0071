"""The populations at the left: name, and how much of the limit is spent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.accounting.ledger_report import PopulationSummary
from ui.kit.model_index import ModelIndex
from ui.ledger.words import balance_in_brief

_NAME = Qt.ItemDataRole.UserRole
_PADDING = 4
_BESIDE = 3
"""That the style leaves at either side of a text, in pixels."""


class PopulationList(QListWidget):
    """Emits `population_chosen(name)`."""

    population_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Populations"))
        self.setSpacing(2)
        self.setItemDelegate(_AsWideAsTheList(self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet(f"QListView::item {{ padding: {_PADDING}px; }}")
        self.currentItemChanged.connect(self._tell)

    def show_populations(self, populations: Sequence[PopulationSummary], preferred: str) -> None:
        """Show the newest; the chosen one stays, else the preferred, else the first."""
        wanted = self.current or preferred
        self.blockSignals(True)
        self.clear()
        for population in populations:
            item = QListWidgetItem(f"{population.name}\n{balance_in_brief(population)}", self)
            item.setData(_NAME, population.name)
        names = [population.name for population in populations]
        self.setCurrentRow(names.index(wanted) if wanted in names else (0 if names else -1))
        self.blockSignals(False)

    def choose(self, name: str) -> None:
        """Make a population the chosen one, if it is listed."""
        for row in range(self.count()):
            if self.item(row).data(_NAME) == name:
                self.setCurrentRow(row)

    @property
    def current(self) -> str:
        """Name of the chosen population; empty where there is none."""
        item = self.currentItem()
        return "" if item is None else str(item.data(_NAME))

    def _tell(self) -> None:
        if self.current:
            self.population_chosen.emit(self.current)


class _AsWideAsTheList(QStyledItemDelegate):
    """As high as a text needs in the list's width; the style's own hint wraps it at another."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: N802 - Qt's name
        listed = self.parent()
        assert isinstance(listed, QListWidget)
        width = listed.viewport().width() - 2 * listed.spacing()
        room = QRect(0, 0, width - 2 * (_PADDING + _BESIDE), 10_000)
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        high = option.fontMetrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        return QSize(width, high + 2 * _PADDING)
