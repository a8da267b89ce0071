"""Window *Help > Methods compared*: the papers' plot, every method for the whole city, and the figures."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from ui.errors.city_methods import CityMethodsSection
from ui.errors.error_plot import ErrorPlotTab
from ui.errors.figure_export import FigureExport
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.layout.boxes import in_column
from ui.layout.tab_pages import TabPages
from ui.layout.window_size import fit_screen
from ui.session.error_sources import Source
from ui.session.session import Session

_SIZE = QSize(900, 720)


class MethodsWindow(QDialog):
    """Beside the main window, which it closes with; what it shows follows the session while it is open."""

    true_errors_gone = Signal()
    """None of the loaded records is on screen, or about to be."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Methods compared"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.plot = ErrorPlotTab(session, theme)
        self.city = CityMethodsSection(session, theme)
        self.figures = FigureExport(session, self)
        self.sections = TabPages()
        self.sections.tabBar().setAccessibleName(self.windowTitle())
        self.sections.add_page(self.tr("The papers' plot"), self.plot)
        self.sections.add_page(self.tr("Whole city"), self.city)
        in_column(self, (self.sections, 1), self.figures, margins=None)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a list would press one
        self.sections.tabBar().setFocus()
        fit_screen(self, _SIZE)
        on_any(
            self._tell_true_errors,
            self.sections.currentChanged,
            self.plot.bar.changed,
            self.city.job.finished,
            session.data_changed,
            session.draft_changed,
            session.ledger_changed,
        )

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        if not event.spontaneous():  # a window that is made small shows them again
            self.true_errors_gone.emit()

    def _tell_true_errors(self) -> None:
        section = self.sections.currentWidget()
        of_plot = section is self.plot and self.plot.bar.source is Source.LOADED
        of_city = section is self.city and (self.city.measured or self.city.job.running)
        if not (of_plot or of_city):
            self.true_errors_gone.emit()
