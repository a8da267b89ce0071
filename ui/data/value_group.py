"""A value that is no speed: its name, unit and bounds, to which values are raised or lowered."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from core.clean.bounded_value import BoundedValue, value_number
from core.errors import InputError
from core.fixed_point import THOUSAND
from ui.kit.form_grid import EDITOR_WIDTH, FormGrid
from ui.kit.labels import label
from ui.kit.message_bar import problem_line
from ui.kit.spec_words import caption_of
from ui.language.translation import translator
from ui.layout.boxes import in_column

_tr = translator("ValueGroup")

TEXTS = ("name", "column_unit", "unit")
NUMBERS = ("lower", "upper", "physical_min", "physical_max")
_NO_LETTER = re.compile(r"[^a-z0-9]+")


class ValueGroup(QWidget):
    """Seven fields, empty at first: what a column holds, and how far it goes, only people know."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = FormGrid(self)
        self._name_is_own = False
        self._faulty = ""
        self.fields = {part: QLineEdit(self.grid) for part in (*TEXTS, *NUMBERS)}
        parts = {
            "name": _tr("in columns and files"),
            "column_unit": _tr("its unit in names"),
            "unit": _tr("as people read it"),
            "lower": _tr("smaller values are raised to this"),
            "upper": _tr("larger values are lowered to this"),
            "physical_min": _tr("smaller values are dropped"),
            "physical_max": _tr("larger values are dropped"),
        }
        hints = {"name": "delay", "column_unit": "s", "unit": "s", "lower": "-600", "upper": "1800"}
        hints |= {"physical_min": "-7200", "physical_max": "7200"}
        self.fields["name"].textEdited.connect(self._own_name)  # before others hear and suggest
        for part, field in self.fields.items():
            field.setFixedWidth(EDITOR_WIDTH)
            field.setPlaceholderText(_tr("for instance {text}").format(text=hints[part]))
            field.textEdited.connect(self._on_edited)
            self.grid.add_key(part, f"data.value.{part}", field)
            self.grid.say(part, parts[part])
        self._error = label(look="error", parent=self)
        in_column(self, self.grid, self._error, spacing=2)
        self._check()

    @property
    def editors(self) -> list[QWidget]:
        """The fields in the order in which they stand."""
        return list(self.fields.values())

    @property
    def first_open(self) -> QLineEdit:
        """The first empty field, or the first of all."""
        return next(
            (field for field in self.fields.values() if not field.text().strip()), self.fields["name"]
        )

    @property
    def named(self) -> BoundedValue | None:
        """The value; None while a field is empty or does not fit."""
        try:
            return self._read()
        except InputError:
            return None

    @property
    def problem(self) -> str:
        """What does not fit, and how to mend it; empty while all does, or something is still open."""
        return self._error.text()

    @property
    def faulty(self) -> QLineEdit:
        """The field that the problem is about, or the first of all."""
        return self.fields[self._faulty or "name"]

    def show_named(self, named: BoundedValue | None) -> None:
        """Show this value; empty fields for none."""
        for part in TEXTS:
            self.fields[part].setText(getattr(named, part) if named else "")
        for part in NUMBERS:
            self.fields[part].setText(f"{getattr(named, part) / THOUSAND:.12g}" if named else "")
        self._name_is_own = named is not None
        self._check()

    def suggest_name(self, column: str) -> None:
        """Name the value after its column, unless a person has named it."""
        if not self._name_is_own:
            words = _NO_LETTER.sub("_", column.rpartition(".")[2].lower()).strip("_")
            self.fields["name"].setText(words.lstrip("0123456789_"))
            self._check()

    def _read(self) -> BoundedValue | None:
        texts = {part: field.text().strip() for part, field in self.fields.items()}
        if not all(texts.values()):
            return None
        read: dict[str, Any] = {part: texts[part] for part in TEXTS}
        read |= {part: _number(texts[part], caption_of(f"data.value.{part}")) for part in NUMBERS}
        return BoundedValue(**read)

    def _own_name(self) -> None:
        self._name_is_own = bool(self.fields["name"].text().strip())

    def _on_edited(self) -> None:
        self._check()
        self.changed.emit()

    def _check(self) -> None:
        text = self._faulty = ""
        try:
            self._read()
        except InputError as error:
            text = problem_line(error)
            keys = {part: f"data.value.{part}" for part in self.fields}
            parts = (part for part, key in keys.items() if error.where in (key, caption_of(key)))
            self._faulty = next(parts, "")
        self._error.setText(text)
        self._error.setVisible(bool(text))


def _number(text: str, name: str) -> int:
    try:
        number = float(text)
    except ValueError:
        raise InputError(
            _tr("{field} is not a number.").format(field=name),
            where=name,
            mend=_tr("write a number such as -600"),
        ) from None
    return value_number(number, where=name)
