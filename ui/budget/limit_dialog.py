"""The dialog that sets a population's limits: an office's one decision, per vehicle, per day, delta."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QWidget

from core.accounting.epsilon_input import parse_delta, parse_epsilon
from core.accounting.epsilon_rounding import delta_text, plain
from core.accounting.ledger import Ledger
from core.accounting.ledger_rules import delta_warning
from core.accounting.zcdp import USUAL_DELTA
from core.errors import HexveilError
from core.progress import Progress
from ui.budget.limit_meaning import limit_meaning
from ui.budget.number_line import NumberLine
from ui.kit.cards import flowing
from ui.kit.jobs import Job
from ui.kit.labels import set_look
from ui.kit.list_box import ListBox
from ui.kit.message_bar import Message, MessageBar
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_content
from ui.session.session import Session

_WIDTH = 480


class LimitDialog(QDialog):
    """A limit per vehicle over all time, and optionally per vehicle and day."""

    def __init__(self, session: Session, parent: QWidget | None = None, *, pays: bool = True) -> None:
        """pays: for the draft too, where no population is chosen for that yet."""
        super().__init__(parent)
        self._session = session
        self._pays = pays
        self.setWindowTitle(self.tr("Limit of a population"))
        self.population = ListBox(self)
        self.population.setEditable(True)
        self.population.addItems([item.name for item in session.ledger.populations])
        self.population.setCurrentText(session.draft.population)
        self.per_vehicle = NumberLine(self)
        self.per_vehicle_day = NumberLine(self, placeholderText=self.tr("no limit"))
        self.delta = NumberLine("0", self)
        self.delta.setToolTip(
            in_lines(self.tr("Used to charge Gaussian noise, for the whole population and all its releases."))
        )
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self
        )
        set_look(self.buttons.button(QDialogButtonBox.StandardButton.Save), "primary")
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(self.tr("&Population"), self.population)
        form.addRow(self.tr("Epsilon per &vehicle, over all time"), self.per_vehicle)
        form.addRow(self.tr("Epsilon per vehicle and &day"), self.per_vehicle_day)
        form.addRow(self.tr("D&elta"), self.delta)
        about_delta = self._paragraph(
            self.tr(
                "A delta of 0 allows Laplace noise only. Gaussian noise is often smaller where "
                "vehicles visit many hexagon slots. It needs a delta, for instance {delta}, the "
                "probability with which the guarantee may fail. One delta applies to all releases of "
                "the population, earlier ones too."
            ).format(delta=USUAL_DELTA)
        )
        content = QWidget(self)
        in_column(
            content,
            self._paragraph(
                self.tr(
                    "Your office sets this limit for all its releases of these vehicles. The ledger "
                    "refuses any release that would exceed it."
                )
            ),
            form,
            self._paragraph(limit_meaning()),
            about_delta,
            1,
        )
        self._area = scrolling(content)
        in_column(self, (self._area, 1), self.message, self.buttons, margins=None)
        self.population.currentTextChanged.connect(self._show_known)
        self._show_known(self.population.currentText())
        self.population.currentTextChanged.connect(self._warn_of_delta)
        self.delta.textChanged.connect(self._warn_of_delta)
        self.setMinimumWidth(_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _paragraph(self, text: str) -> QLabel:
        """A text that the dialog is made tall enough for."""
        made = flowing(text, "muted")
        policy = made.sizePolicy()
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
        return made

    def _fit(self) -> None:
        """As tall as the texts are at this width, where the screen is."""
        fit_content(self, self._area)

    def _tell(self, error: object) -> None:
        self.message.show_error(error)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._fit()

    def reject(self) -> None:
        """Close, unless the limit is being written."""
        if self.buttons.isEnabled():
            super().reject()

    def _show_known(self, name: str) -> None:
        for item in self._session.ledger.populations:
            if item.name == name and item.own_per_vehicle is not None:
                day = item.own_per_vehicle_day
                self.per_vehicle.setText(plain(item.own_per_vehicle))
                self.per_vehicle_day.setText(plain(day) if day else "")
                self.delta.setText(delta_text(item.delta))

    def _warn_of_delta(self) -> None:
        """While it is typed: the larger it is, the likelier it fails for one of the vehicles seen."""
        name = self.population.currentText().strip()
        seen = max((one.vehicles for one in self._session.ledger.populations if one.name == name), default=0)
        try:
            delta = parse_delta(self.delta.text().strip() or "0", where=self.tr("Delta"))
        except HexveilError:  # saving tells it
            return
        warning = delta_warning(delta, seen)
        if warning:
            self.message.show_message(Message(what=core_text(warning)), look="warning")
            self._fit()
        else:
            self.message.clear()

    def _save(self) -> None:
        name = self.population.currentText().strip()
        try:
            per_vehicle = parse_epsilon(self.per_vehicle.text().strip(), where=self.tr("Epsilon per vehicle"))
            day = self.per_vehicle_day.text().strip()
            per_day = parse_epsilon(day, where=self.tr("Epsilon per vehicle and day")) if day else None
            delta = parse_delta(self.delta.text().strip() or "0", where=self.tr("Delta"))
        except HexveilError as error:
            self._tell(error)
            return
        self.buttons.setEnabled(False)
        job = Job(
            partial(_write, self._session.home.ledger, name, per_vehicle, per_day, delta),
            what=self.tr("Writing the ledger…"),
            parent=self,
        )
        job.succeeded.connect(lambda _: self._saved(name))
        job.failed.connect(self._failed)
        job.start()

    def _saved(self, name: str) -> None:
        self._session.ledger.read()
        if self._pays and not self._session.draft.population:
            self._session.edit(self.tr("Population"), population=name)
        self.accept()

    def _failed(self, error: object) -> None:
        self.buttons.setEnabled(True)
        self._tell(error)


def _write(
    ledger: Path, name: str, per_vehicle: Decimal, per_day: Decimal | None, delta: Decimal, _: Progress
) -> None:
    Ledger.open(ledger).set_limit(name, per_vehicle=per_vehicle, per_vehicle_day=per_day, delta=delta)
