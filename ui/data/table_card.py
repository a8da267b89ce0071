"""What an open contribution table contains and does not: True values, for your office only. Confidential."""

from __future__ import annotations

import datetime as dt

import numpy as np
from PySide6.QtWidgets import QWidget

from core.fixed_point import THOUSAND
from core.hats.slots import day_periods_text
from core.hats.window import DateRange, Window
from core.release.loaded_table import LoadedTable
from ui.data.fact_card import FactCard
from ui.kit.labels import label
from ui.kit.spec_words import caption_of
from ui.language.translation import core_text, counted, whole
from ui.session.hat_texts import slot_length_text

_GAP = 6
_MOST_DATES = 4
"""Ranges that are listed; the rest is counted."""


class TableCard(FactCard):
    """Shows one table; made anew for each load."""

    def __init__(self, loaded: LoadedTable, parent: QWidget | None = None) -> None:
        why = self.tr("True values and vehicles, for your office only. They are never part of a release.")
        super().__init__(self.tr("Contribution table"), why, parent)
        self.setAccessibleName(self.tr("Contribution table, confidential"))
        path = loaded.source.files[0]
        rows = counted("records in {n} row", "records in {n} rows", loaded.table.hat.size)
        self._begin(path.name, str(path), whole(len(loaded.table.values)), rows)
        self._fill(loaded)
        self._column.addSpacing(_GAP)
        self._column.addWidget(label(self.tr("What a table does not contain"), "heading", self))
        for text in self._unknown(loaded):
            self._column.addWidget(label(text, "muted", self))

    def _fill(self, loaded: LoadedTable) -> None:
        table, quantity = loaded.table, loaded.source.rules.quantity
        self._add(self.tr("Vehicles"), whole(len(table.vehicles)))
        self._add(self.tr("Hexagons"), whole(np.unique(table.cell).size))
        self._add(self.tr("Hexagon slots"), whole(table.hats))
        self._add_group(self.tr("Made for"))
        self._add(self.tr("Resolution"), ", ".join(whole(number) for number in loaded.offer.resolutions))
        self._add(self.tr("Timeslot of each row"), _slots(table.window))
        if table.window.groups:
            groups = ", ".join(core_text(group.words) for group in table.window.groups)
            self._add(self.tr("Rows apart by"), groups)
        self._add(self.tr("Dates"), _dates(loaded.offer.ranges(table.resolution)))
        self._add(self.tr("Hours"), "–".join(table.window.hours))
        self._add(self.tr("Zone"), table.zone)
        if loaded.offer.bound is not None:
            text = self.tr("swapped, added or lost parts are noticed")
            if not loaded.offer.bound:
                text = self.tr("by an earlier version, which does not notice swapped parts; write it again")
            self._add(self.tr("Encrypted"), text)
        lower, upper = (end / THOUSAND for end in (quantity.lower, quantity.lower + table.upper_bound))
        if loaded.source.rules.value is None:
            self._add(caption_of("data.upper_bound_kmh"), f"{upper:g} {quantity.unit}")
            text = self.tr("derived from positions") if table.derived else self.tr("measured")
            self._add(self.tr("Speeds"), text)
        else:
            bounds = self.tr("{lower} to {upper} {unit}")
            self._add(self.tr("Value"), core_text(quantity.title))
            self._add(
                self.tr("Bounds"), bounds.format(lower=f"{lower:g}", upper=f"{upper:g}", unit=quantity.unit)
            )

    def _unknown(self, loaded: LoadedTable) -> list[str]:
        """In plain words, where somebody looks for the report of what was read."""
        found = [
            self.tr("How many rows were read, dropped or repeated, as the records were cleaned elsewhere."),
            self.tr("Where in its hexagon a vehicle was, when in its slot, and which way it went."),
            self.tr("Other resolutions, timeslots, dates and hours. For these make another table."),
        ]
        if loaded.table.visits is None:
            found.append(self.tr("How often a vehicle came to a hexagon; the mean is planned without it."))
        return found


def _slots(window: Window) -> str:
    """What its rows are sums of: when within them a record came, the table does not say."""
    if window.periods:
        return core_text(day_periods_text(window.periods))
    return slot_length_text(window.slot_length)


def _dates(ranges: tuple[DateRange, ...]) -> str:
    lines = [_range(first, last) for first, last in ranges[:_MOST_DATES]]
    if others := len(ranges) - _MOST_DATES:
        lines += [counted("and {n} more range", "and {n} more ranges", others)] if others > 0 else []
    return "\n".join(lines)


def _range(first: dt.date, last: dt.date) -> str:
    return f"{first}" if first == last else f"{first} – {last}"
