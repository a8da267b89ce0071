"""The choice between the relations: a picture each, whose data it is for, and what becomes public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QWidget

from core.privacy import Relation
from ui.kit.cards import flowing
from ui.kit.glossary import term_tip
from ui.kit.spec_words import relation_texts
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_row
from ui.parameters.relation_picture import RelationPicture

_ROUND = 8.0


class RelationCard(QFrame):
    """One relation; a click anywhere in it is one on its button."""

    def __init__(self, relation: Relation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        texts = relation_texts()[relation.value]
        self.setProperty("look", "card")
        self.setToolTip(in_lines(f"{texts.public}\n{term_tip('Relation')}"))
        self.picture = RelationPicture(relation)
        self.button = QRadioButton(texts.title, self)
        self.button.setStyleSheet("QRadioButton { font-weight: 700; }")
        self.button.setAccessibleDescription(f"{texts.examples} {texts.brief} {texts.public}")
        self.examples = flowing(texts.examples)
        self.public = flowing(texts.brief, "muted")
        in_column(
            self,
            (self.picture, 0, Qt.AlignmentFlag.AlignHCenter),
            self.button,
            self.examples,
            self.public,
            1,
            margins=(8, 5, 6, 5),
            spacing=2,
        )
        for text in (self.examples, self.public):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            text.installEventFilter(self)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """The chosen one has a frame in the accent colour, beside the dot of its button."""
        super().paintEvent(event)
        if self.button.isChecked():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _ROUND, _ROUND)
            painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.MouseButtonRelease:
            self._press()
            return True
        return super().eventFilter(watched, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._press()

    def _press(self) -> None:
        self.button.setFocus(Qt.FocusReason.MouseFocusReason)
        self.button.click()


class RelationChoice(QWidget):
    """Emits `chosen(Relation)`; none is chosen at first."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = {relation: RelationCard(relation, self) for relation in Relation}
        self._group = QButtonGroup(self)
        layout = in_row(self, spacing=8)
        for relation, card in self.cards.items():
            self._group.addButton(card.button)
            layout.addWidget(card, 1)
            card.button.clicked.connect(lambda _=False, value=relation: self.chosen.emit(value))

    def show_relation(self, relation: Relation | None) -> None:
        """Show which is chosen, or none."""
        check_one(self.buttons, relation)
        for card in self.cards.values():
            card.update()

    @property
    def buttons(self) -> dict[Relation, QRadioButton]:
        """Of each relation; arrow keys go from one to the other."""
        return {relation: card.button for relation, card in self.cards.items()}


def check_one(buttons: Mapping[Any, QRadioButton], chosen: object) -> None:
    """Check the chosen button, or none: an exclusive group must be opened for that."""
    group = next(iter(buttons.values())).group()
    group.setExclusive(False)
    for value, button in buttons.items():
        button.setChecked(value == chosen)
    group.setExclusive(True)
