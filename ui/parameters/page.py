"""Step *Parameters*: what is published, for how much epsilon, who is protected, by which mechanism."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.bounding.constants import BOUNDED_UNITS
from core.privacy import Relation, Unit
from core.release.protection_texts import CONSTANTS_ARE_PUBLIC, confirmation_sentence, protected_by
from ui.kit.labels import label, shrinkable
from ui.kit.spec_words import caption_of, label_of
from ui.parameters.budget_box import BudgetBox
from ui.parameters.constants_box import ConstantsBox
from ui.parameters.method_box import MethodBox
from ui.parameters.query_list import QueryList
from ui.parameters.relation_choice import RelationChoice, check_one
from ui.session.guards import CONFIRMATION, first_reason, values_derived
from ui.session.session import Session


class ParametersPage(QWidget):
    """Edits the draft's queries and its privacy; relation and unit start unchosen."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        layout = QVBoxLayout(self)
        layout.addWidget(self._privacy_box())
        self.constants = ConstantsBox(session, self)
        layout.addWidget(self.constants)
        layout.addWidget(self._published_box())
        self.budget = BudgetBox(session, self.published, self)
        self.method = MethodBox(session, self.published, self)
        layout.addWidget(self.budget)
        layout.addWidget(self.method)
        layout.addWidget(self._confirmation_box())
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
        self.relation = RelationChoice(box)
        self.relations = self.relation.buttons
        layout.addWidget(self.relation)
        self.refusal = label(look="warning", parent=box)
        layout.addWidget(self.refusal)
        layout.addWidget(label(self.tr("Unit: whose records may differ"), "heading", box))
        self.units, self.unit_hints = self._choices(layout, box)
        self.relation.chosen.connect(
            lambda relation: self._session.choose_relation(caption_of("privacy.relation"), relation)
        )
        for unit, button in self.units.items():
            button.clicked.connect(
                lambda _=False, value=unit: self._session.edit(caption_of("privacy.unit"), unit=value)
            )
        return box

    def _confirmation_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Confirmation and budget"), self)
        layout = QVBoxLayout(box)
        self.sentence = label(parent=box)
        self.constants_note = label(look="muted", parent=box)
        self.confirmed = QCheckBox(label_of("privacy.confirmed"), box)
        self.confirmed.clicked.connect(
            lambda checked: self._session.edit(self.tr("Confirmation"), confirmed=checked)
        )
        for widget in (self.sentence, self.constants_note, self.confirmed):
            layout.addWidget(widget)
        layout.addWidget(label(self.tr("Population: whose budget is charged"), "heading", box))
        self.population = QComboBox(box)
        self.population.setAccessibleName(caption_of("privacy.population"))
        shrinkable(self.population)
        self.population.activated.connect(self._edit_population)
        layout.addWidget(self.population)
        return box

    def _choices(
        self, layout: QVBoxLayout, parent: QWidget
    ) -> tuple[dict[Unit, QRadioButton], dict[Unit, QLabel]]:
        group = QButtonGroup(parent)
        buttons, hints = {}, {}
        for unit in Unit:
            buttons[unit] = QRadioButton(unit.value, parent)
            group.addButton(buttons[unit])
            layout.addWidget(buttons[unit])
            hints[unit] = label("", "muted", parent)
            hints[unit].setIndent(22)
            layout.addWidget(hints[unit])
        return buttons, hints

    def _show_units(self) -> None:
        """What each protects in the relation; one that it does not offer is not shown."""
        relation = self._session.draft.relation
        for unit, button in self.units.items():
            told = protected_by(relation or Relation.VALUES, unit)
            button.setAccessibleDescription(told)
            self.unit_hints[unit].setText(told)
            offered = relation is not Relation.USER or unit in BOUNDED_UNITS
            button.setVisible(offered)
            self.unit_hints[unit].setVisible(offered)

    @Slot()
    def refresh(self) -> None:
        """Show the draft, whoever changed it."""
        draft, refusal = self._session.draft, values_derived(self._session)
        self.refusal.setText(f"! {refusal.what}\n{refusal.mend}" if refusal else "")
        self.refusal.setVisible(refusal is not None)
        self.relation.show_relation(draft.relation)
        check_one(self.units, draft.unit)
        self._show_units()
        self.constants.refresh()
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
        presence = self._session.draft.relation is Relation.USER
        self.constants_note.setText(self.tr("Public: {what}.").format(what=CONSTANTS_ARE_PUBLIC))
        self.constants_note.setVisible(presence and reason is None)
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
