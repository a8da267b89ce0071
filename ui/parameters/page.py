"""Step *Parameters*: what is published, for how much epsilon, who is protected, by which mechanism."""

from __future__ import annotations

from collections.abc import Mapping
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

from core.privacy import Relation, Unit
from core.release.protection_texts import PROTECTED, confirmation_sentence
from ui.kit.labels import label, shrinkable
from ui.kit.spec_words import caption_of, label_of, relation_words
from ui.parameters.budget_box import BudgetBox
from ui.parameters.method_box import MethodBox
from ui.parameters.query_list import QueryList
from ui.session.guards import CONFIRMATION, first_reason, values_derived
from ui.session.session import Session


class ParametersPage(QWidget):
    """Edits the draft's queries and its privacy; relation and unit start unchosen."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        layout = QVBoxLayout(self)
        layout.addWidget(self._published_box())
        self.budget = BudgetBox(session, self.published, self)
        self.method = MethodBox(session, self.published, self)
        layout.addWidget(self.budget)
        layout.addWidget(self.method)
        layout.addWidget(self._privacy_box())
        layout.addStretch(1)
        self.published.selected_changed.connect(self._show_selected)
        session.data_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        session.forecast_changed.connect(self._show_sentence)
        session.ledger_changed.connect(self._fill_populations)
        self.refresh()

    def _published_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("What is published"), self)
        self.published = QueryList(self._session, box)
        QVBoxLayout(box).addWidget(self.published)
        return box

    def _privacy_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Who is protected"), self)
        layout = QVBoxLayout(box)
        layout.addWidget(label(self.tr("Relation: what may differ"), "heading", box))
        words = relation_words()
        self.relations = self._choices(layout, box, {relation: words[relation] for relation in Relation})
        self.relations[Relation.USER].setEnabled(False)
        self.refusal = label(look="warning", parent=box)
        layout.addWidget(self.refusal)
        layout.addWidget(label(self.tr("Unit: whose records may differ"), "heading", box))
        self.units = self._choices(layout, box, {unit: f"{unit}: {PROTECTED[unit]}" for unit in Unit})
        self.sentence = label(parent=box)
        self.confirmed = QCheckBox(label_of("privacy.confirmed"), box)
        self.confirmed.clicked.connect(
            lambda checked: self._session.edit(self.tr("Confirmation"), confirmed=checked)
        )
        layout.addWidget(self.sentence)
        layout.addWidget(self.confirmed)
        for relation, button in self.relations.items():
            button.clicked.connect(
                lambda _=False, value=relation: self._session.edit(
                    caption_of("privacy.relation"), relation=value
                )
            )
        for unit, button in self.units.items():
            button.clicked.connect(
                lambda _=False, value=unit: self._session.edit(caption_of("privacy.unit"), unit=value)
            )
        layout.addWidget(label(self.tr("Population: whose budget is charged"), "heading", box))
        self.population = QComboBox(box)
        self.population.setAccessibleName(caption_of("privacy.population"))
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

    @Slot()
    def refresh(self) -> None:
        """Show the draft, whoever changed it."""
        draft, refusal = self._session.draft, values_derived(self._session)
        self.refusal.setText(f"! {refusal.what}\n{refusal.mend}" if refusal else "")
        self.refusal.setVisible(refusal is not None)
        _check(self.relations, draft.relation)
        _check(self.units, draft.unit)
        self.confirmed.setChecked(draft.confirmed)
        self._show_selected()
        self._fill_populations()
        self.setEnabled(self._session.loaded is not None)
        self._show_sentence()

    @Slot()
    def _show_selected(self) -> None:
        self.budget.refresh()
        self.method.refresh()

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
        reason = first_reason(self._session, CONFIRMATION)
        self.confirmed.setEnabled(reason is None)
        if reason is not None:
            self.sentence.setText(reason.what)
            return
        draft, shown = self._session.draft, self._session.forecast
        assert draft.relation is not None
        assert draft.unit is not None
        assert shown is not None
        assert shown.selection is not None
        self.sentence.setText(
            confirmation_sentence(draft.relation, draft.unit, shown.single_vehicle, len(shown.selection))
        )

    @Slot()
    def _edit_population(self) -> None:
        if name := self.population.currentData():
            self._session.edit(caption_of("privacy.population"), population=name)


def _check(buttons: Mapping[Any, QRadioButton], chosen: object) -> None:
    """Check the chosen button, or none: an exclusive group must be opened for that."""
    group = next(iter(buttons.values())).group()
    group.setExclusive(False)
    for value, button in buttons.items():
        button.setChecked(value == chosen)
    group.setExclusive(True)
