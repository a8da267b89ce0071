"""The form that says how a file is read: one row for each part, its choice, and the reason for it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from core.ingest.mapping import UNIT_FACTORS
from core.ingest.trial import Choices, Suggestion
from core.spec import DEFAULT_UPPER_BOUND, upper_bound_of
from core.values import THOUSAND
from ui.widgets.labels import set_look

COLUMN_PARTS = ("vehicle", "time", "position", "latitude", "longitude", "value")
_MOST_KMH = 1000
_NO_SPEED = "none"


def _tr(text: str) -> str:
    return QCoreApplication.translate("MappingForm", text)


def part_words() -> dict[str, str]:
    """Each part of a mapping in words."""
    return {
        "vehicle": _tr("vehicle"),
        "time": _tr("time"),
        "position": _tr("position"),
        "latitude": _tr("latitude"),
        "longitude": _tr("longitude"),
        "value": _tr("value"),
        "unit": _tr("unit"),
        "zone": _tr("zone"),
    }


class MappingForm(QWidget):
    """Emits `changed` whenever the choices are others."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zones: dict[str, str] = {}
        self._zone_is_own = False
        self._rows: dict[str, tuple[QLabel, QWidget]] = {}
        self._reasons: dict[str, QLabel] = {}
        self.boxes = {part: _combo(self) for part in COLUMN_PARTS}
        self._build_other_editors()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(2, 1)
        self._add_rows()
        for part, box in self.boxes.items():
            box.activated.connect(lambda _, part=part: self._chosen(part))
        self.one_column.activated.connect(self._choose_kind)
        self.order.activated.connect(lambda: self._chosen("order"))
        self.unit.activated.connect(lambda: self._chosen("unit"))
        self.zone.activated.connect(self._choose_zone)
        self.zone_edit.textEdited.connect(self._choose_zone)
        self.bound.valueChanged.connect(self.changed)
        self._show_kind()

    def _build_other_editors(self) -> None:
        self.one_column = _combo(self)
        self.one_column.addItem(self.tr("latitude and longitude"), False)
        self.one_column.addItem(self.tr("one column for both"), True)
        self.order = _combo(self)
        self.order.addItem(self.tr("longitude, latitude"), "lon,lat")
        self.order.addItem(self.tr("latitude, longitude"), "lat,lon")
        self.unit = _combo(self)
        for unit in UNIT_FACTORS:
            self.unit.addItem(self.tr("no speed: as it stands") if unit == _NO_SPEED else unit, unit)
        self.unit.setCurrentIndex(-1)
        self.zone = _combo(self)
        self.zone_edit = QLineEdit(self)
        # the padding of a line edit of its own would cut the text inside the box
        self.zone_edit.setStyleSheet("border: none; padding: 0; background: transparent;")
        self.zone_edit.setPlaceholderText(self.tr("Choose or type…"))
        self.zone.setLineEdit(self.zone_edit)
        self.zone.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.bound = _Kmh(self)
        self.bound.setRange(0.001, _MOST_KMH)
        self.bound.setDecimals(3)
        self.bound.setSuffix(self.tr(" km/h"))
        self.bound.setValue(DEFAULT_UPPER_BOUND / THOUSAND)
        self.bound.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _add_rows(self) -> None:
        self._add("vehicle", self.tr("&Vehicle"), self.boxes["vehicle"])
        self._add("time", self.tr("&Time"), self.boxes["time"])
        self._add("zone", self.tr("Time &zone"), self.zone)
        self._add("kind", self.tr("&Position as"), self.one_column)
        self._add("position", self.tr("&Column"), self.boxes["position"])
        self._add("order", self.tr("O&rder"), self.order)
        self._add("latitude", self.tr("L&atitude"), self.boxes["latitude"])
        self._add("longitude", self.tr("L&ongitude"), self.boxes["longitude"])
        self._add("value", self.tr("Val&ue (speed)"), self.boxes["value"])
        self._add("unit", self.tr("U&nit"), self.unit)
        self._add("bound", self.tr("Upper &bound U"), self.bound)
        self._say("bound", self.tr("larger values become U"))
        editors = [editor for _, editor in self._rows.values()]
        for before, after in itertools.pairwise(editors):
            QWidget.setTabOrder(before, after)

    def _add(self, part: str, text: str, editor: QWidget) -> None:
        row = self._grid.rowCount()
        name = QLabel(text, self)
        name.setBuddy(editor)
        reason = QLabel(self)
        reason.setProperty("look", "muted")
        reason.setTextFormat(Qt.TextFormat.PlainText)
        # a long column name must not widen the dialog
        reason.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        editor.setAccessibleName(text.replace("&", ""))
        for column, widget in enumerate((name, editor, reason)):
            self._grid.addWidget(widget, row, column)
        self._rows[part] = (name, editor)
        self._reasons[part] = reason

    # what the dialog sets

    def set_columns(self, columns: Sequence[str], zones: Sequence[str]) -> None:
        """Offer these columns and zones; nothing is chosen."""
        for box in self.boxes.values():
            box.clear()
            box.addItems(list(dict.fromkeys(columns)))
            box.setCurrentIndex(-1)
        self._zones = {zone.casefold(): zone for zone in zones}
        self.zone.addItems(list(zones))
        self.zone.setCurrentIndex(-1)
        completer = QCompleter(list(zones), self.zone)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.zone.setCompleter(completer)

    def suggest(self, suggestion: Suggestion) -> None:
        """Preselect what was guessed and tell why; the rest asks to be chosen."""
        choices = suggestion.choices
        for part, box in self.boxes.items():
            box.setCurrentIndex(box.findText(getattr(choices, part)) if getattr(choices, part) else -1)
            told = part in suggestion.recognised
            self._say(part, self.tr("by name and content") if told else self.tr("! not recognised"))
        self.one_column.setCurrentIndex(self.one_column.findData(choices.one_column))
        self.order.setCurrentIndex(self.order.findData(choices.position_order))
        self._say("order", self.tr("check the places"))
        self.unit.setCurrentIndex(self.unit.findData(choices.unit) if choices.unit else -1)
        told = "unit" in suggestion.recognised
        self._say("unit", self.tr("by the column's name") if told else self.tr("! not told by the file"))
        self.suggest_zone(choices.zone)
        self._show_kind()
        self.changed.emit()

    def suggest_zone(self, zone: str) -> None:
        """Preselect the zone that the offsets of the times fit, unless the person has chosen one."""
        if self._zone_is_own:
            return
        if zone:
            self._say("zone", self.tr("fits the offsets"))
        else:
            self._say("zone", self.tr("! the times do not tell"))
        if zone != self.zone.currentText():
            self.zone.setCurrentIndex(self.zone.findText(zone) if zone else -1)
            self.zone.setEditText(zone)
            self.changed.emit()
        self._mark_open()

    # what the dialog reads

    @property
    def choices(self) -> Choices:
        """What is chosen; a zone that is none counts as open."""
        return Choices(
            **{part: box.currentText() for part, box in self.boxes.items()},
            one_column=bool(self.one_column.currentData()),
            position_order=self.order.currentData(),
            unit=self.unit.currentData() or "",
            zone=self._zones.get(self.zone.currentText().strip().casefold(), ""),
        )

    @property
    def upper_bound(self) -> int:
        """U in thousandths. Raises InputError when it does not fit."""
        return upper_bound_of(self.bound.value(), where=self.tr("Upper bound U"))

    # what the person does

    def _chosen(self, part: str) -> None:
        self._say(part, self.tr("your choice"))
        self._mark_open()
        self.changed.emit()

    @Slot()
    def _choose_kind(self) -> None:
        self._show_kind()
        self._mark_open()
        self.changed.emit()

    @Slot()
    def _choose_zone(self) -> None:
        self._zone_is_own = True
        known = bool(self.choices.zone)
        self._say("zone", self.tr("your choice") if known else self.tr("! no such zone"))
        self._mark_open()
        self.changed.emit()

    def _show_kind(self) -> None:
        one = bool(self.one_column.currentData())
        # else every widget shown lays out the whole dialog anew
        self._grid.setEnabled(False)
        for part in ("position", "order", "latitude", "longitude"):
            shown = one == (part in ("position", "order"))
            for widget in (*self._rows[part], self._reasons[part]):
                if widget.isHidden() is shown:
                    widget.setVisible(shown)
        self._grid.setEnabled(True)
        self._grid.invalidate()
        self._mark_open()

    def _say(self, part: str, text: str) -> None:
        reason = self._reasons[part]
        reason.setText(text)
        reason.setToolTip(text)
        self._rows[part][1].setAccessibleDescription(text)

    def _mark_open(self) -> None:
        still_open = self.choices.still_open
        for part, reason in self._reasons.items():
            look = "warning" if part in still_open else "muted"
            if reason.property("look") != look:
                set_look(reason, look)


class _Kmh(QDoubleSpinBox):
    """Shows no more decimals than the number has."""

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's name
        return f"{value:g}"


def _combo(parent: QWidget) -> QComboBox:
    box = QComboBox(parent)
    box.setPlaceholderText(_tr("Choose…"))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(20)
    box.setMaxVisibleItems(16)
    return box
