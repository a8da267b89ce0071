"""How many of the preview's rows are usable, which are dropped, and clock changes. Confidential."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLabel, QWidget

from core.assist.date_readings import DateReading
from core.assist.example_rows import Example
from core.assist.header_problems import HeaderProblem
from core.assist.mapping_trial import EXAMPLES, Spread, Trial
from core.assist.reading_choices import Choices
from core.quantity import SPEED
from ui.data.import_texts import header_text
from ui.data.ingest_report import reason_names
from ui.data.part_names import part_names
from ui.kit.elided_label import ElidedLabel
from ui.kit.labels import badge, label, plain_label, set_look
from ui.language.translation import core_text, counted, translator, whole
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling

_LONGEST = 32
_LONGEST_CELLS = 60
_NOTHING = "–"
_ROWS = 4
_LOCAL_TIME = "2022-12-28 08:48:48…"
_WIDE = 400
"""Pixels in which a sentence stands beside a tag; in less it would have a word or two a row."""
_PLACES = ((0, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1), (2, 0, 1, 2))
"""Row, column and spans of an example's cells: three times to compare do not fit beside each other."""
_BESIDE = QBoxLayout.Direction.LeftToRight
_UP = QBoxLayout.Direction.BottomToTop
_TOP_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
_tr = translator("CheckPanel")


def position_text(latitude: float, longitude: float) -> str:
    """Four decimals, which is about ten metres, and the hemispheres."""
    north = _tr("N") if latitude >= 0 else _tr("S")
    east = _tr("E") if longitude >= 0 else _tr("W")
    return f"{abs(latitude):.4f}° {north}, {abs(longitude):.4f}° {east}"


class CheckPanel(QFrame):
    """How many rows are usable and why not, three rows from raw to local, and the numbers as read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        area = scrolling(parent=self)
        content = QWidget(area.viewport())
        self._line = label(look="heading", parent=content)
        self._reasons = label(look="muted", parent=content)
        self._doubts = label(look="warning", parent=content)
        self._headers = label(look="warning", parent=content)
        self._notes = label(look="muted", parent=content)
        self._readings = label(look="warning", parent=content)
        self._readings.hide()
        examples = self._examples = QWidget(content)
        self._cells: list[list[QLabel]] = [
            [*(_cell(examples) for _ in range(3)), _cell(examples, "muted")] for _ in range(EXAMPLES)
        ]
        self._lay_out_examples()
        spreads = self._spreads = QWidget(content)
        self._numbers = [[plain_label(parent=spreads) for _ in range(4)] for _ in range(3)]
        self._lay_out_spreads()
        tip = self.tr("Rows of the file, for your office only.")
        self.badge = badge(self.tr("Confidential"), tip, content)
        self._head = QBoxLayout(_UP)
        self._head.addWidget(self._line, 1)
        self._head.addWidget(self.badge, 0, _TOP_RIGHT)
        self._head.setSpacing(7)
        in_column(
            content,
            self._head,
            self._readings,
            self._reasons,
            self._headers,
            self._notes,
            self._doubts,
            self._examples,
            self._spreads,
            1,
            margins=(0, 0, 4, 0),
            spacing=7,
        )
        area.setWidget(content)
        self._area, self._content = area, content
        content.installEventFilter(self)
        self._keep_width()
        in_column(self, (area, 1), margins=(12, 10, 8, 10))
        self.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._head.setDirection(_BESIDE if self.width() >= _WIDE else _UP)

    def _lay_out_examples(self) -> None:
        grid = QGridLayout(self._examples)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(1)
        titles = (self.tr("In the file"), self.tr("As read"), self.tr("Local time"))
        for title, place in zip(titles, _PLACES, strict=False):
            heading = plain_label(title, self._examples)
            heading.setProperty("look", "muted")
            grid.addWidget(heading, *place)
        for column in range(2):
            grid.setColumnStretch(column, 1)
        # times are compared by their hours; the cell of the file is seen in the preview too
        grid.setColumnMinimumWidth(1, self.fontMetrics().horizontalAdvance(_LOCAL_TIME) + 2)
        for number, cells in enumerate(self._cells, start=1):
            for cell, (row, column, high, wide) in zip(cells, _PLACES, strict=True):
                grid.addWidget(cell, _ROWS * number + row, column, high, wide)
            grid.setRowMinimumHeight(_ROWS * number - 1, 6)

    def _lay_out_spreads(self) -> None:
        grid = QGridLayout(self._spreads)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(1)
        titles = (self.tr("As read"), self.tr("smallest"), self.tr("median"), self.tr("largest"))
        for column, title in enumerate(titles):
            heading = plain_label(title, self._spreads)
            heading.setProperty("look", "muted")
            grid.addWidget(heading, 0, column, _alignment(column))
            grid.setColumnStretch(column, 1)
        for row, cells in enumerate(self._numbers, start=1):
            for column, cell in enumerate(cells):
                grid.addWidget(cell, row, column, _alignment(column))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.LayoutRequest and watched is self._content:
            self._keep_width()
        return super().eventFilter(watched, event)

    def _keep_width(self) -> None:
        """Figures and badge are never cut, nor does the bar lie over them; nor does their coming widen it."""
        bar = self._area.verticalScrollBar().sizeHint().width()
        parts = (self._content, self._examples, self._spreads)
        self._area.setMinimumWidth(max(part.minimumSizeHint().width() for part in parts) + bar)

    @property
    def text(self) -> str:
        """Everything that is shown, for tests."""
        cells = [cell for row in [*self._cells, *self._numbers] for cell in row]
        labels = [self._line, self._readings, self._reasons, self._headers, self._notes, self._doubts, *cells]
        return "\n".join(item.text() for item in labels if item.text())

    def clear(self, line: str = "") -> None:
        """Nothing to show, but for a line and the column names."""
        self._line.setText(line)
        set_look(self._line, "heading")
        cells = [cell for row in [*self._cells, *self._numbers] for cell in row]
        for item in (self._reasons, self._doubts, *cells):
            item.clear()
        for part in (self._reasons, self._doubts, self._examples, self._spreads):
            part.hide()
        for texts in (self._headers, self._notes):
            texts.setVisible(bool(texts.text()))
        self.badge.setHidden(self._readings.isHidden())

    def show_headers(self, problems: Sequence[HeaderProblem], notes: Sequence[str] = ()) -> None:
        """Tell which column names may lead astray, and what is odd about how the file was read."""
        self._headers.setText(header_text(problems))
        self._headers.setVisible(bool(problems))
        self._notes.setText("\n".join(map(core_text, notes)))
        self._notes.setVisible(bool(notes))

    def tell_readings(self, readings: Sequence[DateReading]) -> None:
        """Show both readings of dates whose order the cells do not tell; a person knows which were meant."""
        texts = [
            self.tr("These dates can mean:"),
            *(core_text(reading.text) for reading in readings),
        ]
        self._readings.setText("\n".join(texts) if readings else "")
        self._readings.setVisible(bool(readings))
        self.badge.setHidden(self._readings.isHidden() and self._examples.isHidden())

    def show_waiting(self, parts: Sequence[str]) -> None:
        """Tell that no row can be judged before these open parts are chosen."""
        words = part_names()
        self.clear(
            self.tr("! To check the rows, choose: {parts}").format(
                parts=", ".join(words[part] for part in parts)
            )
        )
        set_look(self._line, "warning")

    def show_trial(self, trial: Trial, choices: Choices, *, see_map: bool) -> None:
        """Show the outcome; `choices` are those that were tried; see_map: the map shows a fault."""
        line = counted(
            "{usable} of {n} preview row usable",
            "{usable} of {n} preview rows usable",
            trial.rows,
            usable=whole(trial.usable),
        )
        if see_map:  # which may lie below the fold
            line = self.tr("{line}, but look at the map").format(line=line)
        is_good = trial.usable == trial.rows and trial.rows > 0 and not see_map
        self._line.setText(f"✓ {line}" if is_good else f"! {line}")
        set_look(self._line, "good" if is_good else "warning")
        self._show_dropped(trial, choices)
        self._show_doubts(trial, choices)
        self._examples.show()
        self.badge.show()
        for cells, number in zip(self._cells, range(EXAMPLES), strict=True):
            known = number < len(trial.examples)
            texts = self._texts(trial.examples[number], choices) if known else ("", "", "", "")
            for cell, text in zip(cells, texts, strict=True):
                cell.setText(text)
        self._spreads.setVisible(bool(trial.spreads))
        for row, numbers in enumerate(self._numbers):
            known = row < len(trial.spreads)
            shown = self._spread_texts(trial.spreads[row], choices) if known else ("",) * 4
            for cell, text in zip(numbers, shown, strict=True):
                cell.setText(text)

    def _show_dropped(self, trial: Trial, choices: Choices) -> None:
        words = reason_names(choices.box)
        why = [
            self.tr("dropped: {n} {reason}, such as {cells}").format(
                n=count,
                reason=words[reason],
                cells=_short(trial.dropped_cells[reason], _LONGEST_CELLS) or "“”",
            )
            for reason, count in trial.dropped.items()
        ]
        if trial.clamped and (choices.derives or not {"unit", "quantity"} & set(choices.still_open)):
            text = self.tr("{n} above U") if choices.is_speed else self.tr("{n} outside the bounds")
            why.append(text.format(n=trial.clamped))
        self._reasons.setText("\n".join(why))
        self._reasons.setVisible(bool(why))

    def _show_doubts(self, trial: Trial, choices: Choices) -> None:
        """What may well be a mistake, though the rows can be read so."""
        words = part_names()
        texts = [
            self.tr("! {column} is chosen for {parts}.").format(
                column=_short(column), parts=", ".join(words[part] for part in parts)
            )
            for column, parts in choices.chosen_twice.items()
        ]
        if trial.in_gap:
            texts.append(
                counted(
                    "! {n} local time does not exist because the clocks went forward. It is moved forward.",
                    "! {n} local times do not exist because the clocks went forward. They are moved forward.",
                    trial.in_gap,
                )
            )
        if trial.in_overlap:
            texts.append(
                counted(
                    "! {n} local time exists twice because the clocks went back. The first is used.",
                    "! {n} local times exist twice because the clocks went back. The first is used.",
                    trial.in_overlap,
                )
            )
        self._doubts.setText("\n".join(texts))
        self._doubts.setVisible(bool(texts))

    def _spread_texts(self, spread: Spread, choices: Choices) -> tuple[str, str, str, str]:
        numbers = (f"{number:.6g}" for number in (spread.least, spread.median, spread.most))
        least, median, most = numbers
        part = part_names()[spread.part]
        if spread.part == "value" and not {"unit", "quantity"} & set(choices.still_open):
            part = self.tr("{part}, {unit}").format(part=part, unit=_published_unit(choices))
        return part, least, median, most

    def _texts(self, example: Example, choices: Choices) -> tuple[str, str, str, str]:
        local = example.local or (self.tr("needs the zone") if example.parsed else _NOTHING)
        about = [position_text(*example.place)] if example.place else []
        if example.dropped:
            about.append(
                self.tr("dropped: {reason}").format(reason=reason_names(choices.box)[example.dropped])
            )
        elif choices.derives:
            about.append(self.tr("speed from the record before"))
        elif {"unit", "quantity"} & set(choices.still_open):
            # units that do not fit together, and what is typed of a quantity, are chosen and shown elsewhere
            chosen = not (choices.is_speed and choices.units)
            texts = self.tr("value {raw}") if chosen else self.tr("value {raw}, unit not chosen")
            about.append(texts.format(raw=_short(example.value)))
        else:
            about.append(f"{_short(example.value)} → {example.amount} {_published_unit(choices)}")
        return _short(example.time) or _NOTHING, example.parsed or _NOTHING, local, " · ".join(about)


def _published_unit(choices: Choices) -> str:
    return choices.named.unit if choices.named and not choices.is_speed else SPEED.unit


def _alignment(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft


def _cell(parent: QWidget, look: str = "") -> ElidedLabel:
    cell = ElidedLabel(look=look, parent=parent)
    cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return cell


def _short(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
