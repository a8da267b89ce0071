"""Fields for the population that pays and its limit per vehicle; a name that is missing; *More…*."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from core.accounting.epsilon_input import parse_epsilon
from core.accounting.epsilon_rounding import plain
from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.errors import HexveilError, InputError
from ui.budget.limit_dialog import LimitDialog
from ui.budget.limit_meaning import limit_meaning
from ui.budget.number_line import NumberLine
from ui.kit.buttons import push_button
from ui.kit.glossary import explain
from ui.kit.info_sign import InfoSign
from ui.kit.jobs import Job
from ui.kit.labels import plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.spec_words import caption_of
from ui.kit.tips import in_lines
from ui.layout.boxes import in_grid
from ui.layout.tab_order import tab_through
from ui.session.session import Session


class LimitInput(QWidget):
    """Two rows; emits `refused(error)`. What the limit leaves to a day, and delta, are in a dialog."""

    refused = Signal(object)
    accepted = Signal()
    """The ledger holds what was typed."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._writing = False
        self.population = ListBox(self)
        self.population.setEditable(True)
        self.population.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.population.setAccessibleName(caption_of("privacy.population"))
        shrinkable(self.population)
        name = self.population.lineEdit()
        assert name is not None
        self.name: QLineEdit = name
        self.limit = NumberLine(self)
        self.limit.setAccessibleName(self.tr("Limit per vehicle, over all time"))
        self.limit.setPlaceholderText(self.tr("epsilon"))
        self.set = push_button(self.tr("Set"), self, name=self.tr("Set the limit"))
        self.more = QPushButton(self.tr("More…"), self)
        self.more.setToolTip(self.tr("Limit per day, and delta for Gaussian noise"))
        whose, most = plain_label(caption_of("privacy.population")), plain_label(self.tr("Limit"))
        explain("Population", whose, self.population)
        most.setToolTip(
            in_lines(
                self.tr(
                    "Epsilon per vehicle over all releases. The ledger refuses any release that would "
                    "exceed it."
                )
            )
        )
        self.limit.setToolTip(in_lines(most.toolTip()))
        self.meaning = InfoSign(self.tr("What the size of a limit means"), self)
        self.meaning.tell(limit_meaning())
        grid = in_grid(self, wide=1, down=4)
        grid.addWidget(whose, 0, 0)
        grid.addWidget(self.population, 0, 1, 1, 4)
        for column, widget in enumerate((most, self.limit, self.meaning, self.set, self.more)):
            grid.addWidget(widget, 1, column)
        tab_through([self.limit, self.meaning, self.set, self.more], self.limit)
        self.population.activated.connect(self._choose)
        self.name.textEdited.connect(self._on_typed)
        self.name.returnPressed.connect(self.limit.setFocus)
        self.limit.textEdited.connect(self._enable)
        self.limit.returnPressed.connect(self._save)
        self.set.clicked.connect(self._save)
        self.more.clicked.connect(lambda: LimitDialog(self._session, self).open())
        session.ledger_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the populations and the limit of the chosen one, but never over what somebody is typing."""
        if self.name.isModified() and self.name.text().strip() != self._session.draft.population:
            return
        names, chosen = (
            [item.name for item in self._session.ledger.populations],
            self._session.draft.population,
        )
        self.population.clear()
        for name in names if chosen in ("", *names) else [*names, chosen]:
            self.population.addItem(name, name)
        self.population.setCurrentIndex(self.population.findData(chosen) if chosen else -1)
        self.name.setPlaceholderText(
            self.tr("choose or name one") if names else self.tr("none yet: name one, such as City buses")
        )
        self._show_limit()

    def _known(self) -> PopulationSummary | None:
        typed = self.name.text().strip()
        return next((item for item in self._session.ledger.populations if item.name == typed), None)

    def _show_limit(self) -> None:
        known = self._known()
        limit = known.own_per_vehicle if known is not None else None
        self.limit.setText("" if limit is None else plain(limit))
        self._enable()

    def _on_typed(self) -> None:
        if self._known() is not None:
            self._show_limit()
        self._enable()

    def _enable(self) -> None:
        """A limit can be set where it would be another one."""
        known, typed = self._known(), self.limit.text().strip()
        limit = None if known is None or known.own_per_vehicle is None else plain(known.own_per_vehicle)
        named = bool(self.name.text().strip())
        other = known is not None and known.name != self._session.draft.population
        self.set.setEnabled(named and bool(typed) and (typed != limit or other) and not self._writing)

    def _choose(self, row: int) -> None:
        if name := self.population.itemData(row):
            self._take(name)

    def _take(self, name: str) -> None:
        self.name.setModified(False)
        if name != self._session.draft.population:
            self._session.edit(caption_of("privacy.population"), population=name)
        self.refresh()

    def _save(self) -> None:
        """Write the limit, and charge this population from now on."""
        name, known = self.name.text().strip(), self._known()
        if self._writing:
            return
        if not name:
            self.refused.emit(
                InputError(
                    self.tr("The population has no name yet."),
                    where=caption_of("privacy.population"),
                    mend=self.tr("name a set of vehicles with one budget, such as City buses"),
                )
            )
            self.name.setFocus()
            return
        try:
            limit = parse_epsilon(self.limit.text().strip(), where=self.limit.accessibleName())
        except HexveilError as error:
            self.refused.emit(error)
            return
        day = known.own_per_vehicle_day if known is not None else None
        delta, ledger = known.delta if known is not None else Decimal(0), self._session.home.ledger
        self._writing = True
        self._enable()
        job = Job(
            lambda _: Ledger.open(ledger).set_limit(
                name, per_vehicle=limit, per_vehicle_day=day, delta=delta
            ),
            parent=self,
        )
        job.succeeded.connect(lambda _: self._saved(name))
        job.failed.connect(self.refused)
        job.finished.connect(self._end_writing)
        job.start()

    def _saved(self, name: str) -> None:
        self._take(name)
        self._session.ledger.read()
        self.accepted.emit()

    def _end_writing(self) -> None:
        self._writing = False
        self._enable()
