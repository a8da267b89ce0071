"""What stands in the way of a load, beside the button that it keeps shut."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.assist.header_problems import HeaderProblem
from core.assist.mapping_trial import Trial
from core.assist.reading_choices import Choices
from ui.data.header_texts import blocked_text
from ui.data.import_texts import unusable_text
from ui.data.part_names import part_names
from ui.kit.labels import label


class OpenLine(QWidget):
    """It is in sight on every screen: the form and the check of the rows may have to be scrolled to."""

    wanted = Signal()
    """What does not fit or is still to choose is to be shown: it may lie further down than the form shows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = label(look="warning", parent=self)
        self._told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._told.hide()
        # without a letter: those of "there" lead to fields of the form
        self.go = QPushButton(self.tr("Go there"), self)
        self.go.setAutoDefault(False)
        self.go.clicked.connect(self.wanted)
        self.go.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self._told, 1)
        layout.addWidget(self.go, 0, Qt.AlignmentFlag.AlignBottom)

    @property
    def text(self) -> str:
        """What is told; empty where nothing is in the way."""
        return self._told.text()

    def show_open(
        self,
        choices: Choices,
        problems: Sequence[HeaderProblem] = (),
        problem: str = "",
        trial: Trial | None = None,
    ) -> bool:
        """Tell what stands in the way of a load; whether anything does."""
        words = part_names()
        # what does not fit together is told as the problem that it is
        told_else = set() if choices.units else {"unit"}
        if problem:
            told_else.add("quantity")
        still_open = [part for part in choices.still_open if part not in told_else]
        parts = ", ".join(words[part] for part in still_open)
        told = [self.tr("! Still to choose: {parts}").format(parts=parts)] if parts else []
        blocked = blocked_text(problems, set(choices.columns.values()))
        unusable = "" if parts or trial is None else unusable_text(trial, choices.box)
        told += [text for text in (problem, blocked, unusable) if text]
        self._told.setText("\n".join(told))
        self._told.setVisible(bool(told))
        self.go.setVisible(bool(parts or problem))
        return bool(told)
