"""Section *Who is protected*: how much of a vehicle, the relation, the sentence to confirm."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.bounding.constants import BOUNDED_UNITS
from core.bundle.protection_texts import protected_by
from core.errors import InputError
from core.privacy import Relation, Unit
from core.subject import VEHICLE
from ui.budget.limit_input import LimitInput
from ui.kit.cards import card, flowing
from ui.kit.glossary import explain
from ui.kit.labels import label, plain_label
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import caption_of, help_of, label_of
from ui.kit.tips import in_lines
from ui.language.translation import core_text, stopped
from ui.layout.boxes import in_column
from ui.layout.reflowing_grid import ReflowingGrid
from ui.layout.scroll_areas import scroll_to
from ui.parameters.relation_choice import RelationChoice, check_one
from ui.session.guards.parameters import CONFIRMATION, DERIVED
from ui.session.guards.reasons import first_reason
from ui.session.session import Session

_BETWEEN_UNITS = 6
"""Pixels."""


class WhoIsProtected(QWidget):
    """Edits the draft's privacy; relation and unit start unchosen."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.relation = RelationChoice(self)
        self.relations = self.relation.buttons
        layout = in_column(self, self.relation, margins=(0, 0, 0, 6), spacing=3)
        self.refusal = label(look="warning")
        layout.addWidget(self.refusal)
        self.units, self.unit_hints = self._choices(layout)
        self.relation.chosen.connect(
            lambda relation: self._session.choose_relation(caption_of("privacy.relation"), relation)
        )
        for unit, button in self.units.items():
            button.clicked.connect(
                lambda _=False, value=unit: self._session.edit(caption_of("privacy.unit"), unit=value)
            )
        self.limit = LimitInput(self._session, self)
        self.population = self.limit.population
        self.message = MessageBar(self)
        self.limit.refused.connect(self.message.show_error)
        self.limit.accepted.connect(self.message.clear)
        self.sentence = label()
        self.confirmed = QCheckBox(label_of("privacy.confirmed"), self)
        self.confirmed.clicked.connect(lambda checked: self._session.confirmation.answer(confirmed=checked))
        frame = card(self, "warning", self.sentence, self.confirmed)
        for widget in (self.limit, self.message, frame):
            layout.addWidget(widget)
        # what is left to do here, and what the words above it are about
        self.limit.accepted.connect(lambda: scroll_to(frame))
        self.called = tuple(self._word(name) for name in ("subject", "subject_plural"))
        words = QHBoxLayout()
        for name, edit in zip(("subject", "subject_plural"), self.called, strict=True):
            words.addWidget(plain_label(label_of(f"privacy.{name}")))
            words.addWidget(edit, 1)
        layout.addLayout(words)
        self.refresh()

    def asked_first(self) -> tuple[QWidget, ...]:
        """What can be chosen of that which is not: whether presence is protected, then the unit."""
        draft = self._session.draft
        if draft.relation is None:
            return tuple(self.relations.values())
        return tuple(self.units.values()) if draft.unit is None else ()

    def _word(self, name: str) -> QLineEdit:
        """One that is typed on leaving it; several follow from one, where nothing else is typed."""
        edit = QLineEdit(self)
        edit.setAccessibleName(caption_of(f"privacy.{name}"))
        edit.setToolTip(in_lines(help_of(f"privacy.{name}")))
        edit.setPlaceholderText(self.tr("vehicle") if name == "subject" else self.tr("vehicles"))
        edit.editingFinished.connect(lambda: self._call(name, edit.text().strip()))
        return edit

    def _call(self, name: str, typed: str) -> None:
        """Take the word over, or say why it cannot be one; without one it is called as the program does."""
        draft = self._session.draft
        text = typed or getattr(VEHICLE, "name" if name == "subject" else "plural")
        if text == getattr(draft.protects, "name" if name == "subject" else "plural"):
            return
        changes: dict[str, Any] = {name: text} | (
            {"subject_plural": VEHICLE.plural} if name == "subject" else {}
        )
        try:
            _ = dataclasses.replace(draft, **changes).protects
        except InputError as error:
            self.message.show_error(error)
            return
        self.message.clear()
        self._session.edit(caption_of("privacy.subject"), **changes)

    def _choices(self, layout: QVBoxLayout) -> tuple[dict[Unit, QRadioButton], dict[Unit, QLabel]]:
        """In one row where there is room; below it what the chosen one protects, in as much as any takes."""
        caption = label(self.tr("Of"), "heading", wraps=False)
        group, row, place = QButtonGroup(self), QHBoxLayout(), QWidget()
        row.addWidget(caption, 0, Qt.AlignmentFlag.AlignTop)
        beside = ReflowingGrid(place, across=_BETWEEN_UNITS, down=4)
        buttons = {}
        for unit, text in {
            Unit.VEHICLE: self.tr("a vehicle"),
            Unit.VEHICLE_DAY: self.tr("a day of it"),
            Unit.VEHICLE_HAT_DAY: self.tr("one visit"),
        }.items():
            buttons[unit] = QRadioButton(text)
            group.addButton(buttons[unit])
            beside.addWidget(buttons[unit])
        first = buttons[Unit.VEHICLE]
        caption.setMinimumHeight(first.sizeHint().height())  # its middle, though it stands at the top
        row.addWidget(place, 1)
        layout.addLayout(row)
        self._unit_question = flowing("", "muted")
        hints = {unit: flowing("", "muted") for unit in Unit}
        one_place = QGridLayout()
        for hint in (self._unit_question, *hints.values()):
            policy = hint.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            hint.setSizePolicy(policy)
            one_place.addWidget(hint, 0, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(one_place)
        explain("Unit", caption)
        return buttons, hints

    def _show_units(self) -> None:
        """What each protects in the relation; one that it does not offer is not shown."""
        relation, chosen = self._session.draft.relation, self._session.draft.unit
        for unit, button in self.units.items():
            text = core_text(protected_by(relation or Relation.VALUES, unit))
            button.setAccessibleDescription(text)
            button.setToolTip(in_lines(self.tr("{words} (unit {unit})").format(words=text, unit=unit)))
            offered = relation is not Relation.USER or unit in BOUNDED_UNITS
            button.setVisible(offered)
            hidden = stopped(self.tr("Protected: {words}").format(words=text))
            self.unit_hints[unit].setText(hidden if offered else "")
            self.unit_hints[unit].setVisible(unit is chosen)
        self._unit_question.setText(
            self.tr(
                "Protect all of a vehicle's data, or one day of it. Protecting less allows better accuracy."
            )
            if relation is Relation.USER
            else self.tr(
                "Protect all of a vehicle's data, one day of it, or a single visit. Protecting less allows "
                "better accuracy."
            )
        )
        self._unit_question.setVisible(chosen is None)

    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        draft, refusal = self._session.draft, first_reason(self._session, DERIVED)
        self.refusal.setText(f"! {refusal.what}\n{refusal.mend}" if refusal else "")
        self.refusal.setVisible(refusal is not None)
        self.relation.show_relation(draft.relation)
        check_one(self.units, draft.unit)
        words = (draft.protects.name, draft.protects.plural)
        for edit, word, usual in zip(self.called, words, (VEHICLE.name, VEHICLE.plural), strict=True):
            edit.setText("" if word == usual else word)
        self._show_units()
        self.confirmed.setChecked(draft.confirmed)
        self.show_sentence()

    def show_sentence(self) -> None:
        """What there is to confirm, with the figures of the newest forecast."""
        reason = first_reason(self._session, CONFIRMATION)
        self.confirmed.setEnabled(reason is None)
        if reason is not None:
            self.sentence.setText(reason.what)
            return
        sentence = self._session.confirmation.sentence
        assert sentence is not None
        self.sentence.setText(core_text(sentence))
