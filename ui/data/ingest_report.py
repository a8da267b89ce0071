"""The ingest report in words: what was read, what was dropped and why. Confidential."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.clean.ingest_report import Examples, IngestReport
from core.clean.mapping import Box, ReadingRules
from core.draft import DataSource
from core.values import THOUSAND
from ui.data.part_names import part_names
from ui.kit.labels import badge, label
from ui.kit.translation import core_text, counted, translator, whole

_tr = translator("IngestReport")


def reason_names(box: Box | None) -> dict[str, str]:
    """Why a row was dropped, in words, by the keys of the report.

    box: of the analyst; with one, whatever lies elsewhere is outside of it, and nothing is wrong with it.
    """
    return {
        "unparsable": _tr("not readable"),
        "no_id": _tr("no vehicle"),
        "no_time": _tr("no time"),
        "no_position": _tr("no position"),
        "no_value": _tr("no value"),
        "value_limit": _tr("impossible value"),
        "position_limit": _tr("outside the box") if box else _tr("impossible position"),
        "time_limit": _tr("impossible time"),
    }


def hours_text(hours: Sequence[int]) -> str:
    """Hours of the day as ranges that include their last minute."""
    runs: list[list[int]] = []
    for hour in hours:
        if runs and runs[-1][1] == hour:
            runs[-1][1] = hour + 1
        else:
            runs.append([hour, hour + 1])
    return ", ".join(f"{first:02d}:00–{end:02d}:00" for first, end in runs)


def files_text(source: DataSource) -> str:
    """Which files, in one line."""
    first, others = source.files[0].name, len(source.files) - 1
    return _tr("{name} and {n} more").format(name=first, n=others) if others else first


def places_text(places: Examples) -> list[str]:
    """Where the first of some rows stand, a line for each file."""
    lines: dict[str, list[str]] = {}
    for name, line in places:
        lines.setdefault(name, []).append(str(line))
    return [
        _tr("{name}, line {n}").format(name=name, n=", ".join(numbers)) for name, numbers in lines.items()
    ]


def breakable(text: str) -> str:
    """Names of columns and files may be broken after a mark, or anywhere if they have none."""
    return re.sub(r"([._/-]|[^._/\s-]{16})", "\\1\u200b", text)


class ReportCard(QFrame):
    """Shows one report; made anew for each load."""

    def __init__(self, report: IngestReport, source: DataSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.setAccessibleName(self.tr("Ingest report, confidential"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 12)
        layout.setSpacing(6)
        layout.addLayout(self._header())
        name = label(breakable(files_text(source)), "muted", self)
        name.setToolTip("\n".join(str(path) for path in source.files))
        layout.addWidget(name)
        layout.addWidget(label(whole(report.rows_used), "figure", self))
        layout.addWidget(
            label(counted("of {n} row used", "of {n} rows used", report.rows_read), "muted", self)
        )
        layout.addLayout(self._grid)
        self._fill(report, source)

    def _header(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(label(self.tr("Ingest report"), "heading", self), 1)
        tip = self.tr("True counts of the records: for the office only, never part of a release.")
        row.addWidget(badge(self.tr("Confidential"), tip, self), 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _fill(self, report: IngestReport, source: DataSource) -> None:
        south, west, north, east = report.box
        self._add(self.tr("Vehicles"), whole(report.users))
        self._add(self.tr("From"), _moment(report.first_time))
        self._add(self.tr("To"), _moment(report.last_time))
        self._add(self.tr("Local hours"), hours_text(report.local_hours))
        self._add(self.tr("Zone"), report.zone)
        self._add(self.tr("Latitude"), _degrees(south, north))
        self._add(self.tr("Longitude"), _degrees(west, east))
        self._add_group(self.tr("Not used as they were"))
        words = reason_names(source.rules.mapping.box)
        for reason, count in report.dropped.items():
            told = [self.tr("{n} dropped").format(n=_n(count)), *places_text(report.examples.get(reason, ()))]
            self._add(words[reason].capitalize(), "\n".join(told))
        if not report.dropped:
            self._add(self.tr("Dropped"), self.tr("none"))
        self._add_clamped(source.rules, report.clamped)
        self._add(self.tr("Repeats"), self.tr("{n} removed").format(n=_n(report.repeats)))
        self._add_group(self.tr("How it was read"))
        self._add_mapping(source)

    def _add_clamped(self, rules: ReadingRules, clamped: int) -> None:
        quantity = rules.quantity
        lower, upper = (end / THOUSAND for end in (quantity.lower, quantity.lower + rules.upper_bound))
        if rules.value is None:
            outside = self.tr("Above {u} {unit}").format(u=f"{upper:g}", unit=quantity.unit)
            self._add(outside, self.tr("{n} set to it").format(n=_n(clamped)))
        else:
            outside = self.tr("Outside {lower} to {upper} {unit}").format(
                lower=f"{lower:g}", upper=f"{upper:g}", unit=quantity.unit
            )
            self._add(outside, self.tr("{n} set to the nearer end").format(n=_n(clamped)))

    def _add_mapping(self, source: DataSource) -> None:
        mapping, words = source.rules.mapping, part_names()
        for part in ("vehicle", "time", "position", "latitude", "longitude", "value"):
            if column := getattr(mapping, part):
                self._add(words[part].capitalize(), column)
        if mapping.position:
            self._add(self.tr("Order"), mapping.position_order)
        units = ", ".join(
            " ".join(str(item) for item in (part.unit, part.first or "", part.last or "") if item)
            for part in mapping.units
        )
        if value := source.rules.value:
            self._add(words["quantity"].capitalize(), core_text(value.quantity.title))
            units = value.unit
        self._add(words["unit"].capitalize(), units)

    def _add_group(self, title: str) -> None:
        row = self._grid.rowCount()
        self._grid.setRowMinimumHeight(row, 30)
        heading = label(title, "heading", self)
        self._grid.addWidget(heading, row, 0, 1, 2, Qt.AlignmentFlag.AlignBottom)

    def _add(self, name: str, value: str) -> None:
        row = self._grid.rowCount()
        shown = label(breakable(value), "", self)
        shown.setTextFormat(Qt.TextFormat.PlainText)
        # copied, the marks for breaking would go along unseen
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._grid.addWidget(label(name, "muted", self), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(shown, row, 1)


def _n(count: int) -> str:
    return whole(count)


def _moment(text: str) -> str:
    """A local ISO time without seconds and offset: the zone stands in its own row."""
    return text[:16].replace("T", " ")


def _degrees(low: float, high: float) -> str:
    return f"{low:.4f}° … {high:.4f}°"
