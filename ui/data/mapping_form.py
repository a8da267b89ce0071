"""The form that says how a file is read: its mapping, its written form, its limits."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from core.assist.number_date_notation import Evidence
from core.assist.reading_choices import Choices
from ui.data.format_group import GUESSED, FormatGroup
from ui.data.limits_group import LimitsGroup
from ui.data.mapping_rows import MappingRows
from ui.data.public_columns_box import PublicColumnsBox
from ui.data.value_group import ValueGroup
from ui.kit.form_grid import align_names
from ui.layout.boxes import in_column


class MappingForm(QWidget):
    """Emits `changed` whenever the choices are others, `reread` where the rows become others too."""

    changed = Signal()
    reread = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = MappingRows(self)
        self.value = ValueGroup(self)
        self.value.hide()
        self.format = FormatGroup(self)
        self.format.set_kind("")
        self.named = PublicColumnsBox(self)
        self.limits = LimitsGroup(self)
        self._of_spec: dict[str, Any] = {}
        """What nothing here alters."""
        groups = (self.grid, self.value, self.format, self.named, self.limits)
        in_column(self, *groups, 1, margins=(0, 0, 6, 0), spacing=9)
        self.grid.changed.connect(self._on_choice)
        self.value.changed.connect(self._on_choice)
        self.format.changed.connect(self._on_choice)
        self.format.reread.connect(self.reread)
        for part in (self.named, self.limits):
            part.changed.connect(self.changed)
        align_names(self.grid, self.value.grid, self.format.grid, self.limits.grid)
        self._set_tab_order()
        self.mark_open()

    def _set_tab_order(self) -> None:
        limits, file_format = self.limits, self.format
        editors: list[QWidget] = [
            *self.grid.tab_order,
            *self.value.editors,
            file_format.fold,
            *file_format.grid.editors,
            file_format.skip_damaged,
            self.named.add,
            limits.bound,
            limits.physical,
            *limits.box.edges,
            limits.box.from_points,
            limits.box.none,
        ]
        for before, after in itertools.pairwise(editors):
            QWidget.setTabOrder(before, after)

    def editor(self, part: str) -> QWidget:
        """Where a part that is open is chosen."""
        columns = self.grid.boxes
        if part in columns:
            return columns[part]
        if part == "quantity":
            return self.value.first_open
        return getattr(self.grid if part in ("unit", "zone") else self.format, part)  # type: ignore[no-any-return]

    # what the dialog sets

    def show_choices(
        self,
        choices: Choices,
        reasons: Mapping[str, str],
        contents: dict[str, Evidence],
        *,
        own: bool = False,
    ) -> None:
        """Preselect these choices and tell why; what is open asks to be chosen.

        own: they were a person's, so that contents do not change them.
        """
        with QSignalBlocker(self), QSignalBlocker(self.limits):
            self.grid.show_choices(choices, reasons, own=own)
            self.grid.tell_alike(contents["vehicle_fold"])
            self.grid.tell_time_format(contents["time_format"])
            self.value.show_named(choices.named)
            self.limits.show_limits(choices.physical_max, choices.box)
            self._show_measured()
            self.format.show_choices(choices)
            self.named.show_named(choices.public_columns)
            self._of_spec = {"filters": choices.filters}
            if own:
                # what is as usual is no choice: this file may still ask for another
                self.format.own([part for part in GUESSED if getattr(choices, part) not in (".", "")])
            self.format.tell(contents)
            self.mark_open()
        self.changed.emit()

    def tell(self, contents: dict[str, Evidence]) -> None:
        """Follow what the cells of the chosen columns tell, unless the person has chosen."""
        changed = [
            self.format.tell(contents),
            self.grid.tell_zone(contents["zone"]),
            self.grid.tell_pings(contents["pings"]),
        ]
        self.grid.tell_alike(contents["vehicle_fold"])
        self.grid.tell_time_format(contents["time_format"])
        self.mark_open()
        if any(changed):
            self.changed.emit()

    # what the dialog reads

    @property
    def choices(self) -> Choices:
        """What is chosen; a zone that is none counts as open, limits that do not fit as absent."""
        return dataclasses.replace(
            self.grid.choices,
            named=None if self.grid.is_speed else self.value.named,
            physical_max=self.limits.physical_max,
            box=self.limits.box.box,
            public_columns=self.named.named,
            **self.format.values,
            **self._of_spec,
        )

    @property
    def problem(self) -> str:
        """What does not fit and stands in the way of a load; shown beside its editor as well."""
        value = "" if self.grid.is_speed else self.value.problem
        return (
            self.grid.problem or value or self.named.problem or self.limits.problem or self.limits.box.problem
        )

    @property
    def faulty(self) -> QWidget | None:
        """Where the problem is mended."""
        if self.grid.problem:
            return self.grid.unit
        if not self.grid.is_speed and self.value.problem:
            return self.value.faulty
        if self.named.problem:
            return self.named.faulty
        if self.limits.problem:
            return self.limits.physical
        return self.limits.box.edges[0] if self.limits.box.problem else None

    @property
    def upper_bound(self) -> int:
        """U in thousandths. Raises InputError when it does not fit."""
        return self.limits.upper_bound

    def _show_measured(self) -> None:
        """The fields of a speed, or those of another value, named after its column."""
        speed = self.grid.is_speed
        self.value.setVisible(not speed)
        self.limits.set_speed(speed)
        if not speed:
            self.value.suggest_name(self.grid.boxes["value"].currentText())

    def _on_choice(self) -> None:
        self._show_measured()
        self.mark_open()
        self.changed.emit()

    def mark_open(self) -> None:
        """Mark what has still to be chosen."""
        still_open = self.choices.still_open
        self.grid.mark_open(still_open)
        self.format.grid.mark_open(still_open)
