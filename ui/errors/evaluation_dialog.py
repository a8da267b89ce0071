"""The question before true errors are shown: what follows from looking, and which population."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from core.accounting.ledger import Ledger
from core.accounting.ledger_rules import clean_name
from core.errors import HexveilError
from core.progress import Progress
from ui.kit.jobs import Job
from ui.kit.labels import label
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_content
from ui.session.session import Session

_WIDTH = 480


class EvaluationDialog(QDialog):
    """Says what looking means, and whose ledger keeps it; `accepted` once the ledger holds the mark."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setWindowTitle(self.tr("Confidential evaluation"))
        self.population = ListBox(self)
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.show_errors = self.buttons.addButton(
            self.tr("&Show true errors"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.show_errors.clicked.connect(self._mark)
        cancel = self.buttons.button(QDialogButtonBox.StandardButton.Cancel)
        cancel.setDefault(True)
        cancel.setFocus()  # a key pressed in passing confirms nothing
        self.buttons.rejected.connect(self.reject)
        content = QWidget(self, minimumWidth=_WIDTH)
        texts = in_column(
            content, label(self.tr("These errors follow from the true values"), "title", self), spacing=10
        )
        for text in (
            self.tr(
                "Anyone who sees them learns more about the vehicles than a release reveals. They stay "
                "on your screen and are never exported."
            ),
            self.tr(
                "If you choose parameters after looking, later releases protect less than they claim, "
                "and no budget covers it. Their privacy statements will say that parameters were "
                "chosen after a confidential evaluation."
            ),
            self.tr(
                "Made-up data shows most of this without true values. The ledger records your "
                "confirmation before anything is shown; this cannot be undone."
            ),
        ):
            self._add(text, texts)
        self._add_population(texts)
        texts.addWidget(self.message)
        texts.addStretch(1)
        self._area = scrolling(content)
        in_column(self, (self._area, 1), self.buttons, margins=None, spacing=10)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """With the fonts that it is painted in: before, they are others."""
        super().showEvent(event)
        fit_content(self, self._area)

    def _add(self, text: str, layout: QVBoxLayout, look: str = "") -> None:
        layout.addWidget(label(text, look, self))

    def _add_population(self, layout: QVBoxLayout) -> None:
        """The draft's population, or one to choose or name: the draft then charges it."""
        chosen = self._session.draft.population
        self.population.setEditable(not chosen)
        self.population.addItems(
            [chosen] if chosen else [item.name for item in self._session.ledger.populations]
        )
        self.population.setEnabled(not chosen)
        self.population.currentTextChanged.connect(self._allow)
        form = QFormLayout()
        form.addRow(self.tr("&Population of these vehicles"), self.population)
        layout.addLayout(form)
        if not chosen:
            self.population.setCurrentIndex(-1)
            self.population.clearEditText()
            self._add(
                self.tr(
                    "No population is chosen yet. Name the one these vehicles belong to; the release "
                    "will use it. A new name has no limit yet."
                ),
                layout,
                "muted",
            )
        self._allow()

    def _allow(self) -> None:
        self.show_errors.setEnabled(bool(self.population.currentText().strip()))

    def reject(self) -> None:
        """Close, unless the mark is being written."""
        if self.buttons.isEnabled():
            super().reject()

    def _mark(self) -> None:
        try:
            name = clean_name(self.population.currentText())
        except HexveilError as error:
            self.message.show_error(error)
            return
        self.buttons.setEnabled(False)
        path = self._session.home.ledger

        def work(_: Progress) -> None:
            Ledger.open(path).mark_evaluated(name)

        job = Job(work, parent=self)
        job.succeeded.connect(lambda _: self._marked(name))
        job.failed.connect(self._failed)
        job.start()

    def _marked(self, name: str) -> None:
        self._session.ledger.read()
        if not self._session.draft.population:
            self._session.edit(self.tr("Population"), population=name)
        self._session.ledger.set_evaluated(self._session.draft.population)
        self.accept()

    def _failed(self, error: object) -> None:
        self.buttons.setEnabled(True)
        self.message.show_error(error)
