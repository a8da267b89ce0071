"""What the chosen mapping makes of the preview's rows. Confidential."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.ingest.trial import EXAMPLES, Choices, Example, Trial
from ui.pages.ingest_report import reason_words
from ui.pages.mapping_form import part_words
from ui.widgets.labels import badge, label, set_look

_LONGEST = 32
_NOTHING = "–"


class CheckPanel(QFrame):
    """A line that tells how many rows are usable, and three rows from raw to local."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self._line = label(look="heading", parent=self)
        self._reasons = label(look="muted", parent=self)
        self._open = label(look="warning", parent=self)
        self._examples = QWidget(self)
        self._cells = [[_cell(self) for _ in range(3)] + [_cell(self, "muted")] for _ in range(EXAMPLES)]
        self._lay_out_examples()
        header = QHBoxLayout()
        header.addWidget(self._line, 1)
        tip = self.tr("These are rows of the file: for the office only.")
        header.addWidget(badge(self.tr("Confidential"), tip, self), 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        layout.addLayout(header)
        layout.addWidget(self._reasons)
        layout.addWidget(self._examples)
        layout.addStretch(1)
        layout.addWidget(self._open)
        self.clear()

    def _lay_out_examples(self) -> None:
        grid = QGridLayout(self._examples)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(1)
        for column, title in enumerate((self.tr("In the file"), self.tr("Parsed"), self.tr("Local time"))):
            heading = QLabel(title, self)
            heading.setProperty("look", "muted")
            grid.addWidget(heading, 0, column)
            grid.setColumnStretch(column, 1)
        for number, cells in enumerate(self._cells):
            row = 1 + 3 * number
            for column, cell in enumerate(cells[:3]):
                grid.addWidget(cell, row, column)
            grid.addWidget(cells[3], row + 1, 0, 1, 3)
            grid.setRowMinimumHeight(row + 2, 7)

    @property
    def text(self) -> str:
        """Everything that is shown, for tests."""
        labels = [self._line, self._reasons, *(cell for row in self._cells for cell in row), self._open]
        return "\n".join(item.text() for item in labels if item.text())

    def clear(self, line: str = "") -> None:
        """Nothing to show, but for a line."""
        self._line.setText(line)
        set_look(self._line, "heading")
        for item in (self._reasons, self._open, *(cell for row in self._cells for cell in row)):
            item.clear()
        for part in (self._reasons, self._open, self._examples):
            part.hide()

    def show_open(self, choices: Choices) -> None:
        """Tell what has still to be chosen."""
        words = part_words()
        parts = ", ".join(words[part] for part in choices.still_open)
        self._open.setText(self.tr("! Still to choose: {parts}").format(parts=parts) if parts else "")
        self._open.setVisible(bool(parts))

    def show_trial(self, trial: Trial, choices: Choices) -> None:
        """Show the outcome; `choices` are those that were tried."""
        line = self.tr("{n} of {m} preview rows usable").format(n=trial.usable, m=trial.rows)
        whole = trial.usable == trial.rows and trial.rows > 0
        self._line.setText(f"✓ {line}" if whole else f"! {line}")
        set_look(self._line, "good" if whole else "warning")
        words = reason_words()
        why = [f"{count} {words[reason]}" for reason, count in trial.dropped.items()]
        if trial.clamped and choices.unit:
            why.append(self.tr("{n} above U").format(n=trial.clamped))
        self._reasons.setText(", ".join(why))
        self._reasons.setVisible(bool(why))
        self._examples.show()
        for cells, number in zip(self._cells, range(EXAMPLES), strict=True):
            known = number < len(trial.examples)
            texts = self._texts(trial.examples[number], choices) if known else ("", "", "", "")
            for cell, text in zip(cells, texts, strict=True):
                cell.setText(text)
                cell.setToolTip(text)

    def _texts(self, example: Example, choices: Choices) -> tuple[str, str, str, str]:
        local = example.local or (self.tr("needs the zone") if example.parsed else _NOTHING)
        about = [example.place] if example.place else []
        if example.dropped:
            about.append(self.tr("dropped: {reason}").format(reason=reason_words()[example.dropped]))
        elif not choices.unit:
            about.append(self.tr("value {raw}, unit not chosen").format(raw=_short(example.value)))
        else:
            about.append(f"{_short(example.value)} → {example.kmh} {self._shown_unit(choices)}".rstrip())
        return _short(example.time) or _NOTHING, example.parsed or _NOTHING, local, " · ".join(about)

    def _shown_unit(self, choices: Choices) -> str:
        return "" if choices.unit == "none" else self.tr("km/h")


def _cell(parent: QWidget, look: str = "") -> QLabel:
    cell = QLabel(parent)
    # a cell of a file may hold markup
    cell.setTextFormat(Qt.TextFormat.PlainText)
    cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    cell.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    if look:
        cell.setProperty("look", look)
    return cell


def _short(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
