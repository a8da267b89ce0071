"""Rows that name vehicle, time, position and value, with reasons; speed by distance since the last record."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget

from core.assist.column_guesses import guess_unit
from core.assist.number_date_notation import Evidence
from core.assist.reading_choices import OPEN_UNIT, Choices
from core.clean.mapping import EVENTS, REGULAR, DerivedSpeed, UnitRange
from core.clean.placed_positions import DEGREES, DEGREES_AND_MINUTES, POSITION_UNITS, WGS84
from ui.data.unit_rows import UnitRows
from ui.data.zone_box import ZoneBox
from ui.kit.form_grid import EDITOR_WIDTH, FormGrid, combo
from ui.kit.labels import label, set_look
from ui.kit.spec_words import help_of, label_of
from ui.kit.tips import in_lines
from ui.language.translation import core_text, translator

_tr = translator("MappingRows")

COLUMN_PARTS = ("vehicle", "time", "date", "position", "latitude", "longitude", "value")
_LONGEST_GAP = 86_400
_NAMED = "named "
"""How reasons begin that repeat the name of a column."""


class MappingRows(FormGrid):
    """Emits `changed` whenever a person chooses."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zone_is_own = False
        self._pings_are_own = False
        self._has_pings = True
        self._unit_reason = ""
        self._build_editors()
        self._add_rows()
        self._connect()
        self._show_kinds()

    def _build_editors(self) -> None:
        # editors are born where they stay: a change of parent polishes them anew
        self.boxes = {part: combo(self) for part in COLUMN_PARTS}
        self.one_column = combo(
            self, (_tr("latitude and longitude"), False), (_tr("one column for both"), True), chosen=True
        )
        self.order = combo(
            self,
            (_tr("longitude, latitude"), "lon,lat"),
            (_tr("latitude, longitude"), "lat,lon"),
            chosen=True,
        )
        in_units = {
            DEGREES: _tr("Numbers in degrees"),
            DEGREES_AND_MINUTES: _tr("Numbers in degrees and minutes"),
        }
        named = (
            (in_units.get(unit, _tr("Numbers in {unit}").format(unit=unit)), unit) for unit in POSITION_UNITS
        )
        self.position_unit = combo(self, *named, chosen=True)
        self.position_unit.setToolTip(in_lines(help_of("data.mapping.position_unit")))
        self.crs = QLineEdit(self, placeholderText=WGS84)
        self.crs.setToolTip(in_lines(help_of("data.mapping.crs")))
        self.crs.setAccessibleName(_tr("Reference system"))
        self.crs.setFixedWidth(EDITOR_WIDTH)
        self.measured = combo(self, (_tr("speed"), True), (_tr("another quantity"), False), chosen=True)
        self.source = combo(
            self, (_tr("from a column"), False), (_tr("derived from positions"), True), chosen=True
        )
        self.gap = QSpinBox(
            self, minimum=1, maximum=_LONGEST_GAP, value=DerivedSpeed().max_gap_seconds, suffix=_tr(" s")
        )
        self.gap.setFixedWidth(EDITOR_WIDTH)
        self._derived_note = label(
            _tr(
                "Distance divided by the time since the vehicle's previous record. Such speeds follow "
                "from positions, so they can only be released where presence is protected too."
            ),
            "muted",
            self,
        )
        self._within: tuple[str, ...] = ()
        self.within = QCheckBox(self)
        self.vehicle_fold = QCheckBox(label_of("data.mapping.vehicle_fold"), self)
        self.vehicle_fold.setToolTip(in_lines(help_of("data.mapping.vehicle_fold")))
        self.time_format = label("", "muted", self)
        self.date_format = label("", "muted", self)
        self.unit_rows = UnitRows(self)
        self.zone = ZoneBox(self)
        self.pings = combo(
            self, (_tr("pings at a fixed rate"), REGULAR), (_tr("events, as trip ends"), EVENTS), chosen=True
        )

    def _add_rows(self) -> None:
        self.add_key("vehicle", "data.mapping.vehicle", self.boxes["vehicle"])
        self.add_below("within", self.within)
        self.add_below("vehicle_fold", self.vehicle_fold)
        self.add_key("time", "data.mapping.time", self.boxes["time"])
        self.add_below("time_format", self.time_format)
        self.add_key("date", "data.mapping.date", self.boxes["date"])
        self.add_below("date_format", self.date_format)
        self.add_key("zone", "data.zone", self.zone)
        self.add_key("pings", "data.pings", self.pings)
        self.add("kind", _tr("&Position as"), self.one_column)
        self.add_key("position", "data.mapping.position", self.boxes["position"])
        self.add_key("order", "data.mapping.position_order", self.order)
        self.add_key("latitude", "data.mapping.latitude", self.boxes["latitude"])
        self.add_key("longitude", "data.mapping.longitude", self.boxes["longitude"])
        self.add_below("position_unit", self.position_unit)
        self.add_below("crs", self.crs)
        self.add("measured", _tr("&Quantity"), self.measured)
        self.add("source", _tr("&Speed"), self.source)
        self.add_key("value", "data.mapping.value", self.boxes["value"])
        self.add_key("gap", "data.derived_speed.max_gap_seconds", self.gap)
        self.add_below("derived", self._derived_note)
        self.add_key("unit", "data.mapping.unit", self.unit_rows, beside=lambda: self.unit)
        self.say("gap", _tr("no speed after a longer one"))

    def _connect(self) -> None:
        for part, box in self.boxes.items():
            box.activated.connect(lambda _, part=part: self._choose_column(part))
        self.order.activated.connect(lambda: self._choose("order"))
        self.position_unit.activated.connect(self.changed)
        self.crs.editingFinished.connect(self.changed)
        self.vehicle_fold.clicked.connect(self.changed)
        self.within.clicked.connect(self.changed)
        self.one_column.activated.connect(self._choose_kind)
        self.measured.activated.connect(lambda: self._choose_source("measured"))
        self.source.activated.connect(lambda: self._choose_source("source"))
        self.unit_rows.changed.connect(self._choose_units)
        self.zone.activated.connect(self._choose_zone)
        self.zone.edit.textEdited.connect(self._choose_zone)
        self.pings.activated.connect(self._choose_pings)
        self.gap.valueChanged.connect(self.changed)

    @property
    def unit(self) -> QComboBox:
        """The list of the first unit."""
        return self.unit_rows.unit

    @property
    def tab_order(self) -> list[QWidget]:
        """The editors in the order in which they are gone through."""
        editors = [self.unit if editor is self.unit_rows else editor for editor in self.editors]
        return [editors[0], self.within, self.vehicle_fold, *editors[1:], self.unit_rows.add]

    # what the form sets

    def offer(
        self, columns: Sequence[str], zones: Sequence[str], cities: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Offer these columns and zones, and cities by the name of their zone; nothing is chosen."""
        for part, box in self.boxes.items():
            box.clear()
            if part == "date":
                box.addItem(_tr("(in the time column)"))
            box.addItems(list(dict.fromkeys(columns)))
            box.setCurrentIndex(0 if part == "date" else -1)
        self.zone.offer(zones, cities)

    def offer_pings(self, offered: bool) -> None:
        """Ask whether records come at a fixed rate; in relation user that plays no part."""
        self._has_pings = offered
        self._show_kinds()

    def show_choices(self, choices: Choices, reasons: Mapping[str, str], *, own: bool) -> None:
        """Preselect these choices and tell why; own: a person's, so that contents do not change them."""
        with QSignalBlocker(self), QSignalBlocker(self.unit_rows):
            for part, box in self.boxes.items():
                unnamed = 0 if part == "date" else -1
                box.setCurrentIndex(box.findText(column) if (column := getattr(choices, part)) else unnamed)
                self.say(part, *_texts_of(reasons.get(part, "")))
            self.vehicle_fold.setChecked(choices.vehicle_fold)
            self._within = choices.vehicle_within
            self.within.setChecked(bool(self._within))
            self.within.setText(_tr("Id with {columns}").format(columns=" / ".join(self._within)))
            self.one_column.setCurrentIndex(self.one_column.findData(choices.one_column))
            self.order.setCurrentIndex(self.order.findData(choices.position_order))
            self.say("order", _tr("check the map"))
            self.position_unit.setCurrentIndex(self.position_unit.findData(choices.position_unit))
            self.crs.setText(choices.crs)
            self.measured.setCurrentIndex(self.measured.findData(choices.is_speed))
            self.source.setCurrentIndex(self.source.findData(choices.derived is not None))
            self.say("source", core_text(reasons.get("value", "")) if choices.derived else "")
            self.gap.setValue((choices.derived or DerivedSpeed()).max_gap_seconds)
            self.unit_rows.show_units(choices.units)
            self._unit_reason = core_text(reasons.get("unit", ""))
            self._zone_is_own = own and bool(choices.zone)
            self._show_zone(choices.zone, core_text(reasons.get("zone", "")))
            # what is as usual is no choice: this file may still ask for another
            self._pings_are_own = own and choices.pings != REGULAR
            self._show_pings(choices.pings, core_text(reasons.get("pings", "")))
            self._show_kinds()

    def tell_zone(self, evidence: Evidence) -> bool:
        """Follow what the times say about the zone, unless a person has chosen; whether anything changed."""
        if self._zone_is_own:
            return False
        zone = evidence.choice or ""
        changed = zone != self.zone.currentText()
        self._show_zone(zone, core_text(evidence.reason))
        return changed

    def tell_pings(self, evidence: Evidence) -> bool:
        """Follow what the spacing of times tells, unless a person has chosen; whether anything changed."""
        if self._pings_are_own or evidence.choice is None:
            return False
        changed = bool(evidence.choice != self.pings.currentData())
        self._show_pings(evidence.choice, core_text(evidence.reason))
        return changed

    def tell_alike(self, evidence: Evidence) -> None:
        """How many ids of the first rows are alike."""
        name, why = label_of("data.mapping.vehicle_fold"), core_text(evidence.reason)
        self.vehicle_fold.setText(f"{name} ({why})" if why else name)

    def tell_time_format(self, evidence: Evidence) -> None:
        """How the times are read, by the shape of their cells, or why not: below the field that is meant."""
        of_date = evidence.part == "date"
        self.time_format.setText("" if of_date else core_text(evidence.reason))
        self.date_format.setText(core_text(evidence.reason) if of_date else "")
        for row in (self.time_format, self.date_format):
            set_look(row, "muted" if evidence.choice else "warning")
        self._show_formats()

    def _show_formats(self) -> None:
        self.set_shown(
            {"time_format": bool(self.time_format.text()), "date_format": bool(self.date_format.text())}
        )

    def mark_open(self, still_open: Collection[str]) -> None:
        """Show by a look and by a mark which parts have still to be chosen."""
        super().mark_open(still_open)
        is_open = "unit" in still_open and not self.unit_rows.problem
        self.unit_rows.say(self._unit_reason, is_open=is_open)

    def swap(self) -> None:
        """Turn the order of the coordinates around."""
        if self.one_column.currentData():
            self.order.setCurrentIndex(1 - self.order.currentIndex())
            self._choose("order")
            return
        latitude, longitude = self.boxes["latitude"], self.boxes["longitude"]
        before = latitude.currentIndex()
        latitude.setCurrentIndex(longitude.currentIndex())
        longitude.setCurrentIndex(before)
        self.say("latitude", _tr("your choice"))
        self._choose("longitude")

    # what the form reads

    @property
    def choices(self) -> Choices:
        """What is chosen here; a zone that is none counts as open."""
        derived = bool(self.source.currentData())
        columns: dict[str, Any] = {part: box.currentText() for part, box in self.boxes.items()}
        if self.boxes["date"].currentIndex() < 1 or columns["date"] == columns["time"]:
            columns["date"] = ""
        return Choices(
            **columns,
            derived=DerivedSpeed(max_gap_seconds=self.gap.value()) if derived else None,
            vehicle_fold=self.vehicle_fold.isChecked(),
            vehicle_within=self._within if self.within.isChecked() else (),
            is_speed=self.is_speed,
            one_column=bool(self.one_column.currentData()),
            position_order=self.order.currentData(),
            position_unit=self.position_unit.currentData(),
            crs=self.crs.text().strip(),
            units=self.unit_rows.units,
            zone=self.zone.zone,
            pings=self.pings.currentData(),
        )

    @property
    def problem(self) -> str:
        """What does not fit and stands in the way of a load; shown beside its editor as well."""
        return self.unit_rows.problem if self.is_speed and not self.source.currentData() else ""

    @property
    def is_speed(self) -> bool:
        """The value is a speed."""
        return bool(self.measured.currentData())

    # what the person does

    def _choose(self, part: str) -> None:
        self.say(part, _tr("your choice"))
        self.changed.emit()

    def _choose_column(self, part: str) -> None:
        """A person's column; a unit in the name of the value's is taken where none is chosen yet."""
        if part == "value" and self.unit_rows.units == (OPEN_UNIT,):
            unit, reason = guess_unit(self.boxes["value"].currentText())
            if unit:
                self._unit_reason = reason
                with QSignalBlocker(self.unit_rows):
                    self.unit_rows.show_units((UnitRange(unit=unit),))
        self._choose(part)

    def _choose_units(self) -> None:
        self._unit_reason = _tr("your choice")
        self.changed.emit()

    def _choose_kind(self) -> None:
        self._show_kinds()
        self.changed.emit()

    def _choose_source(self, part: str) -> None:
        self._show_kinds()
        self._choose(part)

    def _choose_zone(self) -> None:
        self._zone_is_own = True
        self.say("zone", _tr("your choice") if self.zone.zone else _tr("no such zone"))
        self.changed.emit()

    def _choose_pings(self) -> None:
        self._pings_are_own = True
        self._choose("pings")

    def _show_pings(self, pings: str, reason: str) -> None:
        self.pings.setCurrentIndex(self.pings.findData(pings))
        self.say("pings", reason)

    def _show_zone(self, zone: str, reason: str) -> None:
        self.zone.show_zone(zone)
        self.say("zone", reason)

    def _show_kinds(self) -> None:
        one, speed = bool(self.one_column.currentData()), self.is_speed
        derived = speed and bool(self.source.currentData())
        self._show_formats()
        self.set_shown(
            {
                "within": bool(self._within),
                "position": one,
                "order": one,
                "latitude": not one,
                "longitude": not one,
                "pings": speed and self._has_pings,
                "source": speed,
                "value": not derived,
                "unit": speed and not derived,
                "gap": derived,
                "derived": derived,
            }
        )


def _texts_of(reason: str) -> tuple[str, str]:
    """A reason of the core, and a shorter one that leaves out what stands in the list beside it."""
    return core_text(reason), _tr("by its name") if reason.startswith(_NAMED) else ""
