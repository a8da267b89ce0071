"""The form that says how a file is read: one row for each part, its choice, and the reason for it."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSpinBox, QVBoxLayout, QWidget

from core.ingest.choices import Choices
from core.ingest.mapping import Box, DerivedSpeed
from core.ingest.notation import Finding
from ui.pages.form_grid import EDITOR_WIDTH, FormGrid, combo
from ui.pages.format_group import TOLD, FormatGroup
from ui.pages.limits_group import LimitsGroup
from ui.pages.unit_rows import UnitRows
from ui.pages.zone_box import ZoneBox
from ui.widgets.labels import label

COLUMN_PARTS = ("vehicle", "time", "position", "latitude", "longitude", "value")
_LONGEST_GAP = 86_400


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
        "decimal": _tr("decimal mark"),
        "date_order": _tr("order of day and month"),
    }


class MappingForm(QWidget):
    """Emits `changed` whenever the choices are others, `reread` where the rows become others too."""

    changed = Signal()
    reread = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zone_is_own = False
        self._unit_reason = ""
        self._build_editors()
        self._add_rows()
        self.limits = LimitsGroup(self)
        self.format = FormatGroup(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(9)
        layout.addWidget(self.grid)
        layout.addWidget(self.format)
        layout.addWidget(self.limits)
        layout.addStretch(1)
        self._connect()
        self._set_tab_order()
        self._show_kinds()

    def _build_editors(self) -> None:
        # editors are born where they stay: a change of parent polishes them anew
        grid = self.grid = FormGrid(self)
        self.boxes = {part: combo(grid) for part in COLUMN_PARTS}
        self.one_column = combo(
            grid, (_tr("latitude and longitude"), False), (_tr("one column for both"), True), chosen=True
        )
        self.order = combo(
            grid,
            (_tr("longitude, latitude"), "lon,lat"),
            (_tr("latitude, longitude"), "lat,lon"),
            chosen=True,
        )
        self.source = combo(
            grid, (_tr("from a column"), False), (_tr("derived from positions"), True), chosen=True
        )
        self.gap = QSpinBox(grid)
        self.gap.setRange(1, _LONGEST_GAP)
        self.gap.setValue(DerivedSpeed().max_gap_seconds)
        self.gap.setSuffix(_tr(" s"))
        self.gap.setFixedWidth(EDITOR_WIDTH)
        self._derived_note = label(
            _tr(
                "Distance over time since the vehicle's record before. Such speeds follow from positions, so "
                "they can only be released in relation “user”."
            ),
            "muted",
            grid,
        )
        self.unit_rows = UnitRows(grid)
        self.zone = ZoneBox(grid)
        self.zone_edit = self.zone.edit

    def _add_rows(self) -> None:
        self.grid.add("vehicle", self.tr("&Vehicle"), self.boxes["vehicle"])
        self.grid.add("time", self.tr("&Time"), self.boxes["time"])
        self.grid.add("zone", self.tr("Time &zone"), self.zone)
        self.grid.add("kind", self.tr("&Position as"), self.one_column)
        self.grid.add("position", self.tr("&Column"), self.boxes["position"])
        self.grid.add("order", self.tr("O&rder"), self.order)
        self.grid.add("latitude", self.tr("L&atitude"), self.boxes["latitude"])
        self.grid.add("longitude", self.tr("L&ongitude"), self.boxes["longitude"])
        self.grid.add("source", self.tr("&Speed"), self.source)
        self.grid.add("value", self.tr("Val&ue (speed)"), self.boxes["value"])
        self.grid.add("gap", self.tr("Longest &gap"), self.gap)
        self.grid.add_below("derived", self._derived_note)
        self.grid.add("unit", self.tr("U&nit"), self.unit_rows, wide=True)
        self.grid.say("gap", self.tr("no speed after a longer one"))

    def _connect(self) -> None:
        for part, box in self.boxes.items():
            box.activated.connect(lambda _, part=part: self._chosen(part))
        self.one_column.activated.connect(self._choose_kind)
        self.source.activated.connect(self._choose_source)
        self.order.activated.connect(lambda: self._chosen("order"))
        self.unit_rows.changed.connect(self._choose_units)
        self.zone.activated.connect(self._choose_zone)
        self.zone_edit.textEdited.connect(self._choose_zone)
        self.gap.valueChanged.connect(self.changed)
        self.limits.changed.connect(self.changed)
        self.format.changed.connect(self._on_format)
        self.format.reread.connect(self.reread)
        self.unit_rows.setFocusProxy(self.unit_rows.unit)

    def _set_tab_order(self) -> None:
        limits, form = self.limits, self.format
        editors: list[QWidget] = [
            *(self.unit if editor is self.unit_rows else editor for editor in self.grid.editors),
            self.unit_rows.add,
            form.fold,
            *form.grid.editors,
            limits.bound,
            limits.physical,
            *limits.box.edges,
            limits.box.from_points,
            limits.box.none,
        ]
        for before, after in itertools.pairwise(editors):
            QWidget.setTabOrder(before, after)

    @property
    def unit(self) -> QComboBox:
        """The list of the first unit."""
        return self.unit_rows.unit

    @property
    def bound(self) -> QWidget:
        """The editor of U."""
        return self.limits.bound

    # what the dialog sets

    def set_columns(self, columns: Sequence[str], zones: Sequence[str]) -> None:
        """Offer these columns and zones; nothing is chosen."""
        for box in self.boxes.values():
            box.clear()
            box.addItems(list(dict.fromkeys(columns)))
            box.setCurrentIndex(-1)
        self.zone.offer(zones)

    def show_choices(
        self, choices: Choices, reasons: Mapping[str, str], contents: dict[str, Finding], *, own: bool = False
    ) -> None:
        """Preselect these choices and tell why; what is open asks to be chosen.

        own: they were a person's, so that contents do not change them.
        """
        with QSignalBlocker(self), QSignalBlocker(self.limits), QSignalBlocker(self.unit_rows):
            for part, box in self.boxes.items():
                box.setCurrentIndex(box.findText(getattr(choices, part)) if getattr(choices, part) else -1)
                self.grid.say(part, reasons.get(part, ""))
            self.one_column.setCurrentIndex(self.one_column.findData(choices.one_column))
            self.order.setCurrentIndex(self.order.findData(choices.position_order))
            self.grid.say("order", self.tr("check the map"))
            self.source.setCurrentIndex(self.source.findData(choices.derived is not None))
            self.grid.say("source", reasons.get("value", "") if choices.derived else "")
            self.gap.setValue((choices.derived or DerivedSpeed()).max_gap_seconds)
            self.unit_rows.show_units(choices.units)
            self._unit_reason = reasons.get("unit", "")
            self.limits.show_limits(choices.physical_max, choices.box)
            self.format.show_choices(choices)
            if own:
                # what is as usual is no choice: this file may still ask for another
                self.format.own([part for part in TOLD if getattr(choices, part) not in (".", "")])
            self._zone_is_own = own and bool(choices.zone)
            self._show_zone(choices.zone, reasons.get("zone", ""))
            self.format.tell(contents)
            self._show_kinds()
        self.changed.emit()

    def tell(self, contents: dict[str, Finding]) -> None:
        """Follow what the cells of the chosen columns tell, unless the person has chosen."""
        changed = self.format.tell(contents)
        zone = contents["zone"].choice or ""
        if not self._zone_is_own:
            changed = changed or zone != self.zone.currentText()
            self._show_zone(zone, contents["zone"].reason)
        self._mark_open()
        if changed:
            self.changed.emit()

    def _show_zone(self, zone: str, reason: str) -> None:
        self.zone.show_zone(zone)
        self.grid.say("zone", reason)

    def swap(self) -> None:
        """Turn the order of the coordinates around."""
        if self.one_column.currentData():
            self.order.setCurrentIndex(1 - self.order.currentIndex())
            self._chosen("order")
            return
        latitude, longitude = self.boxes["latitude"], self.boxes["longitude"]
        before = latitude.currentIndex()
        latitude.setCurrentIndex(longitude.currentIndex())
        longitude.setCurrentIndex(before)
        self.grid.say("latitude", self.tr("your choice"))
        self._chosen("longitude")

    def take_box(self, box: Box) -> None:
        """Put a box that the person asked for into its editor."""
        self.limits.box.take(box)

    # what the dialog reads

    @property
    def choices(self) -> Choices:
        """What is chosen; a zone that is none counts as open, limits that do not fit as absent."""
        derived = bool(self.source.currentData())
        chosen = Choices(
            **{part: box.currentText() for part, box in self.boxes.items()},
            derived=DerivedSpeed(max_gap_seconds=self.gap.value()) if derived else None,
            one_column=bool(self.one_column.currentData()),
            position_order=self.order.currentData(),
            units=self.unit_rows.units,
            zone=self.zone.zone,
            physical_max=self.limits.physical_max,
            box=self.limits.box.box,
        )
        return dataclasses.replace(chosen, **self.format.values)  # type: ignore[arg-type]

    @property
    def problem(self) -> str:
        """What does not fit and stands in the way of a load; told beside its editor as well."""
        units = "" if self.source.currentData() else self.unit_rows.problem
        return units or self.limits.box.problem

    @property
    def upper_bound(self) -> int:
        """U in thousandths. Raises InputError when it does not fit."""
        return self.limits.upper_bound

    # what the person does

    def _chosen(self, part: str) -> None:
        self.grid.say(part, self.tr("your choice"))
        self._mark_open()
        self.changed.emit()

    @Slot()
    def _choose_units(self) -> None:
        self._unit_reason = self.tr("your choice")
        self._mark_open()
        self.changed.emit()

    @Slot()
    def _choose_kind(self) -> None:
        self._show_kinds()
        self.changed.emit()

    @Slot()
    def _choose_source(self) -> None:
        self.grid.say("source", self.tr("your choice"))
        self._show_kinds()
        self.changed.emit()

    @Slot()
    def _choose_zone(self) -> None:
        self._zone_is_own = True
        known = bool(self.zone.zone)
        self.grid.say("zone", self.tr("your choice") if known else self.tr("no such zone"))
        self._mark_open()
        self.changed.emit()

    @Slot()
    def _on_format(self) -> None:
        self._mark_open()
        self.changed.emit()

    def _show_kinds(self) -> None:
        one, derived = bool(self.one_column.currentData()), bool(self.source.currentData())
        self.grid.set_shown(
            {
                "position": one,
                "order": one,
                "latitude": not one,
                "longitude": not one,
                "value": not derived,
                "unit": not derived,
                "gap": derived,
                "derived": derived,
            }
        )
        self._mark_open()

    def _mark_open(self) -> None:
        still_open = self.choices.still_open
        self.grid.mark_open(still_open)
        self.format.grid.mark_open(still_open)
        self.unit_rows.say(self._unit_reason, is_open="unit" in still_open and not self.unit_rows.problem)
