"""Fields for how a file is written: encoding, delimiter, decimal mark, order of dates, sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QMenu, QSpinBox, QToolButton, QWidget

from core.assist.format_options import DELIMITER_MARKS, ENCODINGS, options_of
from core.assist.number_date_notation import Evidence
from core.assist.reading_choices import Choices
from core.read.file_format import ALL_SHEETS, EITHER_MARK, MISSING_WORDS, MOST_SKIPPED
from ui.kit.form_grid import FormGrid, combo
from ui.kit.labels import label
from ui.kit.spec_words import help_of, label_of
from ui.kit.tips import in_lines
from ui.language.translation import core_text, translator
from ui.layout.boxes import in_column

_tr = translator("FormatGroup")

GUESSED = ("decimal", "date_order")
"""Guessed from the cells unless a person has chosen."""
_READING = ("encoding", "delimiter", "sheet")
"""Other ones of these make other rows of the file."""


def _languages() -> dict[str, str]:
    return {
        "utf-8": _tr("Any language"),
        "utf-16": _tr("Any language"),
        "cp1252": _tr("Western European"),
        "latin-1": _tr("Western European"),
        "iso8859-15": _tr("Western European with €"),
        "cp1250": _tr("Central European"),
        "iso8859-2": _tr("Central European"),
        "cp1251": _tr("Cyrillic"),
        "koi8-r": _tr("Cyrillic"),
        "cp1253": _tr("Greek"),
        "cp1254": _tr("Turkish"),
        "cp1255": _tr("Hebrew"),
        "cp1256": _tr("Arabic"),
        "shift_jis": _tr("Japanese"),
        "gb18030": _tr("Chinese, simplified"),
        "big5": _tr("Chinese, traditional"),
        "euc_kr": _tr("Korean"),
        "cp850": _tr("Western European, of DOS"),
        "cp437": _tr("English, of DOS"),
        "mac-roman": _tr("Western European, of old Macs"),
    }


def encoding_name(code: str) -> str:
    """`Western European (cp1252)`; a code that is not known stands for itself."""
    language = _languages().get(code)
    return code if language is None else f"{language} ({code})"


class FormatGroup(QWidget):
    """Emits `changed`, and `reread` where the rows have to be read anew."""

    changed = Signal()
    reread = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: set[str] = set()
        self._missing: tuple[str, ...] = MISSING_WORDS
        self._records = ""
        self._skips = False
        self._options: tuple[str, ...] = ()
        self._guesses: tuple[str, ...] = ()
        self._evidence: dict[str, Evidence] = {}
        self.fold = QToolButton(self)
        self.fold.setText(_tr("File format"))
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.toggled.connect(self._on_fold)
        self._build_editors()
        in_column(self, (self.fold, 0, Qt.AlignmentFlag.AlignLeft), self.grid, spacing=5)
        self._on_fold(False)

    def _build_editors(self) -> None:
        grid = self.grid = FormGrid(self)
        self._lines = label(look="muted", parent=grid)
        self.encoding = combo(grid)
        marks = {",": _tr("comma"), ";": _tr("semicolon"), "\t": _tr("tab"), "|": _tr("bar")}
        self.delimiter = combo(
            grid,
            (_tr("as found"), ""),
            *((f"{marks[mark]}  {mark.strip()}".rstrip(), mark) for mark in DELIMITER_MARKS),
            chosen=True,
        )
        self.decimal = combo(
            grid,
            (_tr("point  1.5"), "."),
            (_tr("comma  1,5"), ","),
            (_tr("either  1.5  1,5"), EITHER_MARK),
            chosen=True,
        )
        self.date_order = combo(
            grid,
            (_tr("no such dates"), ""),
            (_tr("day first  31/12/2023"), "dmy"),
            (_tr("month first  12/31/2023"), "mdy"),
            chosen=True,
        )
        self.sheet = combo(grid)
        self.several = QToolButton(grid)
        self.several.setText(_tr("Several…"))
        self.several.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.several.setMenu(QMenu(self.several))
        self.skip_lines = QSpinBox(grid, minimum=0, maximum=MOST_SKIPPED, prefix=_tr("lines skipped: "))
        self.skip_lines.setAccessibleName(help_of("data.format.skip_lines"))
        self.skip_lines.setToolTip(in_lines(help_of("data.format.skip_lines")))
        self.skip_lines.setKeyboardTracking(False)  # each reading is of a number that somebody has typed
        self.skip_lines.valueChanged.connect(self.reread)
        self.skip_damaged = QCheckBox(label_of("data.skip_damaged"), grid)
        self.skip_damaged.setToolTip(in_lines(help_of("data.skip_damaged")))
        self.skip_damaged.clicked.connect(self.changed)
        self.grid.add_key("encoding", "data.format.encoding", self.encoding)
        self.grid.add_below("lines", self._lines)
        self.grid.add_key("delimiter", "data.format.delimiter", self.delimiter)
        self.grid.add_key("sheet", "data.format.sheet", self.sheet)
        self.grid.add_below("several", self.several)
        self.grid.add_below("skip_lines", self.skip_lines)
        self.grid.add_key("decimal", "data.format.decimal", self.decimal)
        self.grid.add_key("date_order", "data.format.date_order", self.date_order)
        self.grid.add_below("skip_damaged", self.skip_damaged)
        self.date_order.setAccessibleName(_tr("Order of day and month"))
        for part in _READING:
            self._combo(part).activated.connect(self.reread)
        self.set_encodings(())
        for part in GUESSED:
            self._combo(part).activated.connect(lambda _, part=part: self._choose(part))

    def _combo(self, part: str) -> QComboBox:
        box: QComboBox = getattr(self, part)
        return box

    def set_kind(self, kind: str) -> None:
        """Show the options that apply to a kind of file (a reader's key)."""
        self._options = options_of(kind)
        parts = {part: part in self._options for part in (*_READING, "skip_lines", *GUESSED)}
        self.grid.set_shown(parts | {"lines": "encoding" in self._options and bool(self._lines.text())})
        self.setVisible(bool(self._options))

    def offer_skipping(self, offered: bool) -> None:
        """Whether files may be left out: there are several, and nobody's presence is private."""
        self._skips = offered
        self.grid.set_shown({"skip_damaged": offered})
        self.setVisible(bool(self._options) or offered)

    def set_encodings(self, guesses: Sequence[str]) -> None:
        """Offer encodings, guesses first; with guesses the file is not UTF-8, and one has to be chosen."""
        self._guesses, wanted = tuple(guesses), self.encoding.currentData()
        self.encoding.clear()
        if guesses:
            for name in guesses:
                self.encoding.addItem(encoding_name(name), name)
            self.encoding.insertSeparator(len(guesses))
        else:
            self.encoding.addItem(_tr("as found (UTF-8)"), "")
        for name in ENCODINGS:
            if name not in guesses and not (guesses and name == "utf-8"):
                self.encoding.addItem(encoding_name(name), name)
        self._show("encoding", None if guesses and not wanted else wanted or "")

    def set_sheets(self, names: Sequence[str]) -> None:
        """Offer sheets; the only one is chosen."""
        wanted = self.sheet.currentData()
        self.sheet.clear()
        for name in names:
            text = _tr("all sheets, one after another") if name == ALL_SHEETS == names[0] else name
            self.sheet.addItem(text, name if len(names) > 1 else "")
        several = [name for name in names if name != ALL_SHEETS]
        self.several.menu().clear()
        for name in several:
            action = self.several.menu().addAction(name.replace("&", "&&"))
            action.setData(name)
            action.setCheckable(True)
            action.triggered.connect(self._choose_sheets)
        self.grid.set_shown({"several": len(several) > 2})
        chosen = (wanted,) if isinstance(wanted, str) else wanted or ()
        there = bool(chosen) and set(chosen) <= set(names)
        self._show("sheet", wanted if there else None if len(names) > 1 else "")
        self._say_sheet()

    def _choose_sheets(self) -> None:
        """Those that are ticked, one after another."""
        chosen = tuple(action.data() for action in self.several.menu().actions() if action.isChecked())
        self._show("sheet", chosen[0] if len(chosen) == 1 else chosen or None)
        self._say_sheet()
        self.reread.emit()

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show what the encoding makes of lines beyond ASCII."""
        self._lines.setText("\n".join(lines))
        self._lines.setAccessibleName(_tr("Lines with letters beyond ASCII, as this encoding reads them"))
        broken = any("\ufffd" in line for line in lines)
        if self.encoding.currentIndex() < 0 and self._guesses:
            text = _tr("looks like {name}").format(name=self._guesses[0])
        elif not lines:
            text = _tr("no letters beyond ASCII found")
        else:
            text = _tr("� is not readable: choose") if broken else _tr("look at these letters")
        self.grid.say("encoding", text)
        self.grid.set_shown({"lines": "encoding" in self._options and bool(lines)})

    def show_choices(self, choices: Choices) -> None:
        """Show how a file is written; the person has chosen nothing yet."""
        self._own.clear()
        self._missing, self._records = choices.missing, choices.records
        with QSignalBlocker(self.skip_lines):
            self.skip_lines.setValue(choices.skip_lines)
        self.skip_damaged.setChecked(choices.skip_damaged)
        for part in _READING:
            self._show(part, getattr(choices, part))
        self._say_sheet()
        for part in GUESSED:
            self._set(part, getattr(choices, part))
        if choices.encoding is None or choices.sheet is None:
            self.unfold()

    def _show(self, part: str, wanted: str | tuple[str, ...] | None) -> None:
        """Show a choice, or that there is none; what is not offered is offered from now on."""
        box = self._combo(part)
        if wanted is not None and box.count() and box.findData(wanted) < 0:
            text = wanted if isinstance(wanted, str) else ", ".join(wanted)
            box.addItem(repr(wanted) if part == "delimiter" else text, wanted)
        box.setCurrentIndex(-1 if wanted is None else box.findData(wanted))
        if part == "sheet":
            named = wanted if isinstance(wanted, tuple) else (wanted,)
            for action in self.several.menu().actions():
                action.setChecked(action.data() in named)

    def _say_sheet(self) -> None:
        several = self.sheet.count() > 1
        if self.sheet.currentIndex() < 0 and several:
            self.grid.say("sheet", _tr("several sheets: choose"))
        else:
            self.grid.say("sheet", _tr("your choice") if several else _tr("the only one with data"))

    def own(self, parts: Sequence[str]) -> None:
        """Take these as the person's own choice, which contents do not change."""
        self._own |= {part for part in parts if part in GUESSED}

    def tell(self, evidence: dict[str, Evidence]) -> bool:
        """Follow what the cells tell, unless the person has chosen; whether anything changed."""
        before = {part: self._combo(part).currentIndex() for part in GUESSED}
        for part in GUESSED:
            found = self._evidence[part] = evidence[part]
            if part not in self._own:
                self._set(part, found.choice)
            self._say(part)
        if any(evidence[part].choice is None and part not in self._own for part in GUESSED):
            self.fold.setChecked(True)
        return before != {part: self._combo(part).currentIndex() for part in GUESSED}

    def unfold(self) -> None:
        """Show the options: they may be the cure."""
        self.fold.setChecked(True)

    @property
    def values(self) -> dict[str, Any]:
        """The fields of `Choices` that are chosen here."""
        return {
            "encoding": self.encoding.currentData(),
            "delimiter": self.delimiter.currentData() or "",
            "sheet": self.sheet.currentData() if self.sheet.count() else "",
            "decimal": self.decimal.currentData(),
            "date_order": self.date_order.currentData(),
            "missing": self._missing,
            "records": self._records,
            "skip_lines": self.skip_lines.value(),
            "skip_damaged": self._skips and self.skip_damaged.isChecked(),
        }

    def _set(self, part: str, choice: str | None) -> None:
        box = self._combo(part)
        box.setCurrentIndex(-1 if choice is None else box.findData(choice))

    def _say(self, part: str) -> None:
        found = self._evidence[part]
        both = part == "decimal" and self.decimal.currentData() == EITHER_MARK
        if part in self._own and found.contradictory and not both:
            self.grid.say(part, _tr("your choice, but {why}").format(why=core_text(found.reason)))
        elif part in self._own:
            self.grid.say(part, _tr("your choice"))
        else:
            self.grid.say(part, core_text(found.reason))

    def _choose(self, part: str) -> None:
        self._own.add(part)
        if part in self._evidence:
            self._say(part)
        self.changed.emit()

    def _on_fold(self, unfolded: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
        self.grid.setVisible(unfolded)
