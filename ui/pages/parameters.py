"""Step *Parameters*: who is protected, by which mechanism, for how much epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.accounting.budgets import Budget
from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation, Unit
from core.release.review import PROTECTED, confirmation_sentence
from ui.messages import MessageBar
from ui.param_form import ParamForm
from ui.session import Session
from ui.widgets.advice_line import AdviceLine
from ui.widgets.epsilon import EpsilonInput
from ui.widgets.error_summary import ErrorSummary
from ui.widgets.labels import label, shrinkable


class ParametersPage(QWidget):
    """Edits the draft's privacy, mechanism and budget; relation and unit start unchosen."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._form: ParamForm | None = None
        layout = QVBoxLayout(self)
        layout.addWidget(self._budget_box())
        layout.addWidget(self._privacy_box())
        layout.addWidget(self._mechanism_box())
        layout.addStretch(1)
        session.data_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        session.preview_changed.connect(self._show_sentence)
        session.ledger_changed.connect(self._fill_populations)
        self.refresh()

    def _budget_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Epsilon"), self)
        self.as_total = QRadioButton(self.tr("&Total per vehicle, divided equally"), box)
        self.per_hat = QRadioButton(self.tr("The same for &each HAT"), box)
        self.epsilon = EpsilonInput(box)
        self.message = MessageBar(box)
        self.as_total.toggled.connect(self._edit_kind)
        self.epsilon.changed.connect(self._edit_epsilon)
        self.epsilon.refused.connect(self.message.show_error)
        layout = QVBoxLayout(box)
        for widget in (self.as_total, self.per_hat, self.epsilon, self.message):
            layout.addWidget(widget)
        layout.addWidget(ErrorSummary(self._session, box))
        return box

    def _privacy_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Who is protected"), self)
        layout = QVBoxLayout(box)
        layout.addWidget(label(self.tr("Relation: what may differ"), "heading", box))
        self.relations = self._choices(
            layout,
            box,
            {
                Relation.VALUES: self.tr("values: speeds are protected, presence is public"),
                Relation.USER: self.tr("user: presence too (arrives with strict mode)"),
            },
        )
        self.relations[Relation.USER].setEnabled(False)
        layout.addWidget(label(self.tr("Unit: whose records may differ"), "heading", box))
        self.units = self._choices(layout, box, {unit: f"{unit}: {PROTECTED[unit]}" for unit in Unit})
        self.sentence = label(parent=box)
        self.confirmed = QCheckBox(self.tr("I &confirm this for my data"), box)
        self.confirmed.clicked.connect(
            lambda checked: self._session.edit(self.tr("Confirmation"), confirmed=checked)
        )
        layout.addWidget(self.sentence)
        layout.addWidget(self.confirmed)
        for relation, button in self.relations.items():
            button.clicked.connect(
                lambda _=False, value=relation: self._session.edit(self.tr("Relation"), relation=value)
            )
        for unit, button in self.units.items():
            button.clicked.connect(
                lambda _=False, value=unit: self._session.edit(self.tr("Unit"), unit=value)
            )
        layout.addWidget(label(self.tr("Population: whose budget is charged"), "heading", box))
        self.population = QComboBox(box)
        self.population.setAccessibleName(self.tr("Population"))
        shrinkable(self.population)
        self.population.activated.connect(self._edit_population)
        layout.addWidget(self.population)
        return box

    def _choices(
        self, layout: QVBoxLayout, parent: QWidget, texts: Mapping[Any, str]
    ) -> dict[Any, QRadioButton]:
        group = QButtonGroup(parent)
        buttons = {}
        for value, text in texts.items():
            name, _, meaning = text.partition(": ")
            button = QRadioButton(name, parent)
            button.setAccessibleDescription(meaning)
            group.addButton(button)
            layout.addWidget(button)
            hint = label(meaning, "muted", parent)
            hint.setIndent(22)
            layout.addWidget(hint)
            buttons[value] = button
        return buttons

    def _mechanism_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Mechanism"), self)
        self.mechanism = QComboBox(box)
        self.mechanism.setAccessibleName(self.tr("Mechanism"))
        for mechanism in all_mechanisms().values():
            self.mechanism.addItem(mechanism.title, mechanism.key)
        shrinkable(self.mechanism)
        self.mechanism.activated.connect(
            lambda: self._session.edit(
                self.tr("Mechanism"), mechanism=self.mechanism.currentData(), parameters={}
            )
        )
        self.advice = AdviceLine(self._session, box)
        self._summary = label(look="muted", parent=box)
        self._mechanism_layout = QVBoxLayout(box)
        self._mechanism_layout.addWidget(self.mechanism)
        self._mechanism_layout.addWidget(self.advice)
        self._mechanism_layout.addWidget(self._summary)
        return box

    @Slot()
    def refresh(self) -> None:
        """Show the draft, whoever changed it."""
        draft = self._session.draft
        total = draft.budget.total is not None
        self.as_total.blockSignals(True)
        (self.as_total if total else self.per_hat).setChecked(True)
        self.as_total.blockSignals(False)
        self.epsilon.set_value(draft.budget.total or draft.budget.per_hat or Decimal(1))
        self.message.clear()
        _check(self.relations, draft.relation)
        _check(self.units, draft.unit)
        self.confirmed.setChecked(draft.confirmed)
        self.mechanism.setCurrentIndex(self.mechanism.findData(draft.mechanism))
        self._show_mechanism()
        self._fill_populations()
        self.setEnabled(self._session.loaded is not None)
        self._show_sentence()

    def _show_mechanism(self) -> None:
        draft = self._session.draft
        mechanism = all_mechanisms()[draft.mechanism]
        self._summary.setText(f"{mechanism.summary} [{mechanism.reference}]")
        if self._form is not None and self._form.shows(mechanism.Params, draft.parameters):
            return
        if self._form is not None:
            self._mechanism_layout.removeWidget(self._form)
            self._form.deleteLater()
        self._form = ParamForm(mechanism.Params, draft.parameters, self)
        self._form.changed.connect(
            lambda values: self._session.edit(self.tr("Mechanism parameter"), parameters=values)
        )
        self._mechanism_layout.addWidget(self._form)

    @Slot()
    def _fill_populations(self) -> None:
        chosen = self._session.draft.population
        names = [population.name for population in self._session.populations]
        self.population.clear()
        if chosen not in names:
            self.population.addItem(
                self.tr("choose…") if names else self.tr("none yet: set a limit (right panel)"), ""
            )
        for name in names:
            self.population.addItem(name, name)
        self.population.setCurrentIndex(max(0, self.population.findData(chosen)))

    @Slot()
    def _show_sentence(self) -> None:
        draft, shown = self._session.draft, self._session.preview
        selection = shown.selection if shown else None
        self.confirmed.setEnabled(False)
        if draft.relation is None or draft.unit is None:
            self.sentence.setText(self.tr("Choose relation and unit to read what you confirm."))
        elif shown is None or selection is None:
            self.sentence.setText(self.tr("What you confirm is told once hexagons are selected."))
        else:
            self.sentence.setText(
                confirmation_sentence(draft.relation, draft.unit, shown.single_vehicle, len(selection))
            )
            self.confirmed.setEnabled(True)

    @Slot()
    def _edit_population(self) -> None:
        if name := self.population.currentData():
            self._session.edit(self.tr("Population"), population=name)

    @Slot(bool)
    def _edit_kind(self, total: bool) -> None:
        budget = self._session.draft.budget
        value = budget.total or budget.per_hat
        self._session.set_budget(
            self.tr("Kind of budget"), Budget(total=value) if total else Budget(per_hat=value)
        )

    @Slot(object, bool)
    def _edit_epsilon(self, value: Decimal, dragging: bool) -> None:
        self.message.clear()
        budget = Budget(total=value) if self.as_total.isChecked() else Budget(per_hat=value)
        self._session.set_budget(self.tr("Epsilon"), budget, dragging=dragging)


def _check(buttons: Mapping[Any, QRadioButton], chosen: object) -> None:
    """Check the chosen button, or none: an exclusive group must be opened for that."""
    group = next(iter(buttons.values())).group()
    group.setExclusive(False)
    for value, button in buttons.items():
        button.setChecked(value == chosen)
    group.setExclusive(True)
