"""What was read and dropped, in words: true counts, repeats, ids, values set to an end. Confidential."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from core.clean.ingest_report import Examples, IngestReport
from core.clean.mapping import Box, ReadingRules
from core.draft.draft import DataSource
from core.fixed_point import THOUSAND
from core.release.practice import is_sample
from ui.data.fact_card import FactCard
from ui.data.part_names import part_names
from ui.language.translation import core_text, counted, sentence, translator, whole

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
        "filtered": _tr("left out by the filter"),
        "position_outside_zones": _tr("outside all zones"),
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


class ReportCard(FactCard):
    """Shows one report; made anew for each load."""

    def __init__(self, report: IngestReport, source: DataSource, parent: QWidget | None = None) -> None:
        why = self.tr("True counts, for your office only. They are never part of a release.")
        sample = is_sample(source)
        title = self.tr("Sample: made-up records") if sample else self.tr("What was read")
        super().__init__(title, why, parent, made_up=sample)
        self.setAccessibleName(title if sample else self.tr("What was read, confidential"))
        paths = "\n".join(str(path) for path in source.files)
        rows = counted("of {n} row read", "of {n} rows read", report.rows_read)
        self._begin(files_text(source), paths, whole(report.rows_used), rows)
        self._fill(report, source)

    def _fill(self, report: IngestReport, source: DataSource) -> None:
        south, west, north, east = report.box
        self._add(self.tr("Vehicles"), whole(report.users))
        if report.ids_alike:
            mend = self.tr(
                "{n}: the same vehicle may be written in several ways. Open the records again to treat "
                "such ids as one."
            )
            self._add(self.tr("Ids written alike"), mend.format(n=_n(report.ids_alike)))
        if report.rows_used:
            self._add(self.tr("From"), _moment(report.first_time))
            self._add(self.tr("To"), _moment(report.last_time))
            self._add(self.tr("Local hours"), hours_text(report.local_hours))
        self._add(self.tr("Zone"), report.zone)
        if report.rows_used:
            self._add(self.tr("Latitude"), _degrees(south, north))
            self._add(self.tr("Longitude"), _degrees(west, east))
        self._add_group(self.tr("Changed or dropped"))
        words = reason_names(source.rules.mapping.box)
        for reason, count in report.dropped.items():
            texts = [
                self.tr("{n} dropped").format(n=_n(count)),
                *places_text(report.examples.get(reason, ())),
            ]
            self._add(words[reason].capitalize(), "\n".join(texts))
        if not report.dropped:
            self._add(self.tr("Dropped"), self.tr("none"))
        self._add_clamped(source.rules, report.clamped)
        if report.arrays_unread:
            others = counted(
                "{n} object of another kind, not read",
                "{n} objects of other kinds, not read",
                report.arrays_unread,
            )
            self._add(self.tr("Other lists"), others)
        if report.missing_words:
            cells = counted("{n} cell", "{n} cells", report.missing_words)
            self._add(self.tr("Words for missing"), cells)
        if report.files_empty:
            self._add(
                self.tr("Files without records"), self.tr("{n} passed over").format(n=_n(report.files_empty))
            )
        if report.names_damaged:
            texts = [self.tr("{n} left out").format(n=_n(report.files_damaged)), *report.names_damaged]
            self._add(self.tr("Files that cannot be read"), "\n".join(texts))
        self._add(self.tr("Repeats"), self.tr("{n} removed").format(n=_n(report.repeats)))
        if report.repeats_far:
            far = self.tr("{n} of them more than 200 m away: several vehicles share an id")
            self._add(self.tr("Repeats elsewhere"), far.format(n=_n(report.repeats_far)))
        self._add_group(self.tr("How it was read"))
        self._add_mapping(source)

    def show_doubts(self, doubts: Sequence[str]) -> None:
        """What else should be looked at, once it is known."""
        if doubts:
            self._add_group(self.tr("Look at this"))
        for number, doubt in enumerate(doubts, start=1):
            self._add(str(number), sentence(core_text(doubt)))

    def _add_clamped(self, rules: ReadingRules, clamped: int) -> None:
        quantity = rules.quantity
        lower, upper = (end / THOUSAND for end in (quantity.lower, quantity.lower + rules.upper_bound))
        if rules.value is None:
            outside = self.tr("Above {u} {unit}").format(u=f"{upper:g}", unit=quantity.unit)
            self._add(outside, self.tr("{n} lowered to it").format(n=_n(clamped)))
        else:
            outside = self.tr("Outside {lower} to {upper} {unit}").format(
                lower=f"{lower:g}", upper=f"{upper:g}", unit=quantity.unit
            )
            self._add(outside, self.tr("{n} set to the nearer end").format(n=_n(clamped)))

    def _add_mapping(self, source: DataSource) -> None:
        mapping, words = source.rules.mapping, part_names()
        for part in ("vehicle", "time", "date", "position", "latitude", "longitude", "value"):
            if column := getattr(mapping, part):
                text = column if isinstance(column, str) else " / ".join(column)
                self._add(words[part].capitalize(), text)
        if mapping.position:
            orders = {"lon,lat": self.tr("longitude, latitude"), "lat,lon": self.tr("latitude, longitude")}
            self._add(self.tr("Order"), orders[mapping.position_order])
        units = ", ".join(
            " ".join(str(item) for item in (part.unit, part.first or "", part.last or "") if item)
            for part in mapping.units
        )
        if value := source.rules.value:
            self._add(words["quantity"].capitalize(), core_text(value.quantity.title))
            units = value.unit
        self._add(words["unit"].capitalize(), units)


def _n(count: int) -> str:
    return whole(count)


def _moment(text: str) -> str:
    """A local ISO time without seconds and offset: the zone stands in its own row."""
    return text[:16].replace("T", " ")


def _degrees(low: float, high: float) -> str:
    return f"{low:.4f}° … {high:.4f}°"
