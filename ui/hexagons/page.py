"""Step *Hexagons*: resolution, timeslot, window, and which HATs are selected."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
from PySide6.QtCore import QDate, QMimeData, QSignalBlocker, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QDateEdit,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.advice.forecast import Forecast
from core.errors import InputError
from core.hats.cells import RESOLUTIONS, area_around_km2, mean_area_km2
from core.hats.day_kinds import kind_of_dates
from core.hats.record_dates import clip_ranges
from core.hats.slots import ALL, DAY_MINUTES, SLOT_LENGTHS, SlotLength, clock, parse_clock
from core.hats.window import DateRange, fitted_hours
from core.privacy import Relation
from core.release.loaded_table import LoadedTable
from core.selection.boundary import Boundary
from core.selection.registry import all_rules
from ui.hexagons.candidates import Candidates
from ui.hexagons.kind_of_day import KindOfDay
from ui.hexagons.typed_date import TypedDate
from ui.hexagons.typed_zone import TypedZone
from ui.kit.labels import label, plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import caption_of, help_of, label_of
from ui.kit.tips import in_lines
from ui.language.counted_words import counted_hexagons
from ui.language.translation import core_text, counted, percent, stopped, whole
from ui.layout.scroll_areas import scroll_to
from ui.session.guards import TYPED_HEXAGONS, TYPED_WINDOW, first_reason
from ui.session.selected_counts import counts_of_regions, selected_counts, suppressed_count
from ui.session.session import Session
from ui.session.slot_texts import slot_length_text
from ui.session.table_texts import made_for_text

_MOST_THRESHOLD = 100_000
_STEP = 30
"""Minutes between the times that hours may start at; slots that are shorter have their own."""
_MORE_THAN_ONE = 2


class HexagonsPage(QWidget):
    """Edits the draft's grid, window and selection; says immediately what they leave.

    A GeoJSON file dropped on the page becomes the boundary; any other drop goes on to the window.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._typed_span = (dt.date.min, dt.date.min)
        """First and last date, of whatever kind the days between are."""
        self.setAcceptDrops(True)
        self._message = MessageBar(self)
        self._message.appeared.connect(lambda: scroll_to(self._message))  # it stands below all else
        self._build_editors()
        self.of_table = label(look="muted", parent=self)
        self._outcome = label(look="heading", parent=self)
        self._detail = label(look="muted", parent=self)
        layout = QVBoxLayout(self)
        layout.addWidget(self.of_table)
        layout.addLayout(self._grid_form())
        layout.addWidget(self._outcome)
        layout.addWidget(self._detail)
        layout.addWidget(self._message)
        layout.addStretch(1)
        layout.setContentsMargins(-1, -1, -1, 0)  # the style's, but nobody scrolls for an empty margin
        session.data_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        session.forecast_changed.connect(self._show_outcome)
        self.refresh()

    def _build_editors(self) -> None:
        self.resolution = ListBox(self)
        for number in RESOLUTIONS:
            self.resolution.addItem("", number)
        self._show_areas()
        self.resolution.activated.connect(
            lambda: self._session.edit(
                caption_of("hats.resolution"), resolution=self.resolution.currentData()
            )
        )
        self.slot_minutes = ListBox(self)
        for length in SLOT_LENGTHS:
            self.slot_minutes.addItem(slot_length_text(length), length)
        self.slot_minutes.activated.connect(self._edit_slot)
        self.first = QDateEdit(self)
        self.last = QDateEdit(self)
        for edit in (self.first, self.last):
            edit.setCalendarPopup(True)
            edit.setDisplayFormat("yyyy-MM-dd")
            edit.setKeyboardTracking(False)
            edit.dateChanged.connect(self._edit_dates)
        self.only_recorded = QCheckBox(self.tr("Only dates with records"), self)
        self.only_recorded.setChecked(True)
        self.only_recorded.toggled.connect(self._edit_dates)
        self.days = KindOfDay(self)
        self.days.chosen.connect(self._edit_days)
        self.days.refused.connect(self._message.show_error)
        self.start = ListBox(self)
        self.end = ListBox(self)
        self.start.activated.connect(self._edit_start)
        self.end.activated.connect(self._edit_hours)
        self.rule = ListBox(self)
        for rule in all_rules().values():
            self.rule.addItem(core_text(rule.title), rule.key)
        self.rule.activated.connect(self._edit_rule)
        self.threshold = QSpinBox(self)
        self.threshold.setRange(1, _MOST_THRESHOLD)
        self.threshold.setKeyboardTracking(False)
        self.threshold.valueChanged.connect(
            lambda value: self._session.edit(
                caption_of("selection.threshold"), dragging=True, threshold=value
            )
        )
        self.cells_file = QPushButton(self)
        self.cells_file.clicked.connect(lambda: self._choose_file(self._session.draft.rule))
        self.zone = TypedZone(self._session, self._message, self)
        self.typed_first = TypedDate(self.tr("First date"), self)
        self.typed_last = TypedDate(self.tr("Last date"), self)
        self.typed_first.changed.connect(lambda date: self._edit_typed(date, first=True))
        self.typed_last.changed.connect(lambda date: self._edit_typed(date, first=False))
        self.candidates = Candidates(self._session, self)
        self.candidates.file_wanted.connect(self._choose_file)
        for typed in (self.typed_first, self.typed_last, self.candidates):
            typed.refused.connect(self._message.show_error)
        self.minimum = QSpinBox(self)
        self.minimum.setRange(1, _MOST_THRESHOLD)
        self.minimum.setKeyboardTracking(False)
        self.minimum.valueChanged.connect(
            lambda value: self._session.edit(
                caption_of("selection.minimum_vehicles"), dragging=True, minimum_vehicles=value
            )
        )

    def _grid_form(self) -> QFormLayout:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        _add(form, "hats.resolution", self.resolution)
        _add(form, "hats.slot_minutes", self.slot_minutes)
        form.addRow(label_of("data.zone"), self.zone)
        form.addRow(self.tr("F&irst date"), self.first)
        form.addRow(self.tr("&Last date"), self.last)
        form.addRow("", self.only_recorded)
        form.addRow(self.tr("F&irst date"), self.typed_first)
        form.addRow(self.tr("&Last date"), self.typed_last)
        _add(form, "hats.days", self.days)
        hours = plain_label(label_of("hats.hours"), self)
        hours.setBuddy(self.start)
        form.addRow(hours, _pair(self.start, self.end))
        form.addRow(self.tr("&Candidates"), self.candidates)
        _add(form, "selection.rule", self.rule)
        _add(form, "selection.threshold", self.threshold)
        _add(form, "selection.file", self.cells_file)
        _add(form, "selection.minimum_vehicles", self.minimum)
        self.end.setAccessibleName(self.tr("End of the hours, exclusive"))
        for box in (self.resolution, self.slot_minutes, self.start, self.end, self.rule, self.days):
            shrinkable(box)
        # its usual policy insists on room for the largest threshold there can be
        self.threshold.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._form = form
        return form

    @Slot()
    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        draft = self._session.draft
        editors = (self.first, self.last, self.only_recorded, self.threshold, self.minimum)
        for editor in editors:
            editor.blockSignals(True)
        self.resolution.setCurrentIndex(self.resolution.findData(draft.resolution))
        self.slot_minutes.setCurrentIndex(self.slot_minutes.findData(draft.slot_minutes))
        self._show_dates(draft.date_ranges)
        self._fill_hours(draft.slot_minutes, draft.hours)
        self.rule.setCurrentIndex(self.rule.findData(draft.rule))
        a_day = counted(" vehicle/day", " vehicles/day", draft.threshold)
        self.threshold.setSuffix("" if draft.relation is Relation.USER else a_day)
        self.threshold.setValue(draft.threshold)
        self.minimum.setValue(draft.minimum_vehicles)
        file = all_rules()[draft.rule].cell_file
        self._show_areas()
        self._show_rows(typed=draft.relation is Relation.USER, listed=file is not None)
        self.cells_file.setText(Path(draft.cells_file).name or self.tr("Choose file…"))
        self.cells_file.setToolTip(in_lines(f"{core_text(file.title)}\n{draft.cells_file}" if file else ""))
        for editor in editors:
            editor.blockSignals(False)
        self.setEnabled(self._session.has_data)
        self._lock()
        self._show_outcome()

    def _lock(self) -> None:
        """What a contribution table has decided is shown, and cannot be chosen."""
        table = self._session.table
        text = self.tr("A contribution table is open: what it was made for cannot be changed here.")
        if self._session.draft.relation is Relation.USER:
            text += " " + self.tr("In relation user, it must not have been chosen by looking at the records.")
        self.of_table.setText(text)
        self.of_table.setVisible(table is not None)
        for editor, usual in self._usual_tips().items():
            locked = table is not None and not self._chosen_of(table, editor)
            editor.setEnabled(not locked)
            editor.setToolTip(in_lines(made_for_text() if locked else usual))
            editor.setAccessibleDescription(made_for_text() if locked else "")
        offered = self.resolution.model()
        assert isinstance(offered, QStandardItemModel)
        for row, number in enumerate(RESOLUTIONS):
            offered.item(row).setEnabled(table is None or number in table.offer.dates)

    def _chosen_of(self, table: LoadedTable, editor: QWidget) -> bool:
        """Whether the table leaves a choice: of several dates fewer, of several resolutions one."""
        if editor is self.resolution:
            return len(table.offer.resolutions) > 1
        several = len(table.offer.dates[table.table.resolution]) > 1
        return several and editor in (self.first, self.last, self.days, self.typed_first, self.typed_last)

    def _usual_tips(self) -> dict[QWidget, str]:
        """Editors that a table may lock, with their usual tooltips."""
        untold = (self.first, self.last, self.only_recorded, self.start, self.end)
        typed = (self.zone, self.typed_first, self.typed_last)
        return {
            self.resolution: help_of("hats.resolution"),
            self.slot_minutes: help_of("hats.slot_minutes"),
            self.days: help_of("hats.days"),
        } | dict.fromkeys((*untold, *typed), "")

    @Slot()
    def _show_areas(self) -> None:
        """Of hexagons where the records are; worldwide where these are nobody's to see, or not there yet."""
        private = self._session.draft.relation is Relation.USER
        around = None if private else self._session.usual_box
        text = self.tr("{n} (about {area:.3g} km²)") if around else self.tr("{n} ({area:.3g} km² on average)")
        for row in range(self.resolution.count()):
            number = self.resolution.itemData(row)
            area = mean_area_km2(number) if around is None else area_around_km2(around, number)
            self.resolution.setItemText(row, text.format(n=number, area=area))

    def _show_rows(self, *, typed: bool, listed: bool) -> None:
        """typed: everything that would follow from records is typed (relation `user`); listed: in a file."""
        constants: tuple[QWidget, ...] = (self.typed_first, self.typed_last, self.candidates)
        for row in constants:
            self._form.setRowVisible(row, typed)
        self._form.setRowVisible(self.zone, typed or self._session.table is not None)
        self.zone.refresh()
        by_counts: tuple[QWidget, ...] = (self.first, self.last, self.only_recorded, self.rule, self.minimum)
        for row in by_counts:
            self._form.setRowVisible(row, not typed)
        self._form.setRowVisible(self.threshold, typed or not listed)
        self._form.setRowVisible(self.cells_file, listed and not typed)
        if typed:
            ranges = self._session.draft.date_ranges
            first, last = self._typed_span if ranges else (None, None)
            self.typed_first.show_date(first)
            self.typed_last.show_date(last)
            self.candidates.refresh()

    def _show_dates(self, ranges: tuple[DateRange, ...]) -> None:
        """First and last date, and which of those between: by a kind of day, with or without records."""
        if not ranges:
            self.days.forget_dates()
            return
        if self._asked_ranges(*self._span) == ranges:
            return  # what is shown is what they came from
        ends, ticked = _ends(ranges), self.only_recorded.isChecked()
        # the kind may leave out dates at the ends; where every date has records both ticks say the same
        ways = [(span, by_records) for span in (self._span, ends) for by_records in (ticked, not ticked)]
        wholes = [self._between(*span, by_records=by_records) for span, by_records in ways]
        found = kind_of_dates(ranges, wholes, self.days.kinds)
        if found is not None:
            kind, number = found
            self.days.show_kind(kind)
            self._show_span(*ways[number][0], by_records=ways[number][1])
            return
        self.days.show_dates(ranges)
        recorded = self.days.retained(self._between(*ends, by_records=True)) == ranges
        self._show_span(*ends, by_records=ticked and recorded)

    def _show_span(self, first: dt.date, last: dt.date, *, by_records: bool) -> None:
        self._typed_span = (first, last)
        with QSignalBlocker(self.first), QSignalBlocker(self.last), QSignalBlocker(self.only_recorded):
            self.first.setDate(_qdate(first))
            self.last.setDate(_qdate(last))
            self.only_recorded.setChecked(by_records or self._session.table is not None)

    def _fill_hours(self, length: SlotLength, hours: tuple[str, str]) -> None:
        step = _STEP if length == ALL else length
        starts = range(0, DAY_MINUTES, min(step, _STEP))
        # slots are counted from the start: an end is a whole number of them later
        ends = range(_minutes(hours[0]) + step, DAY_MINUTES + 1, step)
        for box, times, value in zip((self.start, self.end), (starts, ends), hours, strict=True):
            box.clear()
            # hours that do not fit the slot are shown too: the message beside them speaks of them
            box.addItems(sorted({*map(clock, times), value}))
            box.setCurrentIndex(box.findText(value))

    @Slot()
    def _show_outcome(self) -> None:
        if self._session.draft.relation is Relation.USER:
            self._show_candidates()
            return
        problem, shown = self._session.planning.problem, self._session.forecast
        selection = shown.selection if shown else None
        if problem is not None and (selection is None or problem.where.startswith("selection")):
            self._message.show_error(problem)
        else:
            self._message.clear()
        if selection is None or shown is None:
            self._outcome.setText("")
            self._detail.setText("")
            return
        # sorted by cell, and perhaps millions: counted without sorting anew
        hexagons = 1 + int(np.count_nonzero(np.diff(selection.cell)))
        recorded, empty = selected_counts(selection)
        least = self._session.draft.minimum_vehicles
        few, alone = suppressed_count(shown, least), shown.single_vehicle
        shown_once = few == alone and least == _MORE_THAN_ONE  # fewer than two are a single one
        self._outcome.setText(
            counted(
                "{hats} of {n} hexagon slot selected",
                "{hats} of {n} hexagon slots selected",
                len(shown.overview.cells),
                hats=whole(recorded),
            )
        )
        lines = [
            self.tr("in {hexagons}; {single}").format(
                hexagons=counted_hexagons(hexagons),
                # of what is selected: others with a single vehicle are seen on the map
                single=self._alone(alone, suppressed=shown_once),
            )
        ]
        if few and not shown_once:
            lines.append(
                counted(
                    "{n} of them has fewer than {least} vehicles: published as suppressed",
                    "{n} of them have fewer than {least} vehicles: published as suppressed",
                    few,
                    least=least,
                )
            )
        if empty:
            lines.append(
                self.tr("{empty} more without records: published as suppressed").format(empty=whole(empty))
            )
        lines += self._of_regions(shown)
        if loaded := self._session.loaded:  # a table knows no others than its own
            retained, of_all = int(shown.overview.records.sum()), len(loaded.records)
            # one decimal, as Distributions tells it; rounded down: 100 leaves none out
            share = percent(1) if retained == of_all else percent(1000 * retained // of_all / 1000, 1)
            lines.append(self.tr("{share} of records are in these dates and hours").format(share=share))
        self._detail.setText("\n".join(lines))

    def _alone(self, slots: int, *, suppressed: bool) -> str:
        """How many of the selected hexagon slots hold one vehicle; suppressed: none else is."""
        if not slots:
            return self.tr("none holds only one vehicle")
        if suppressed:
            return counted(
                "{n} of these slots holds a single vehicle: published as suppressed",
                "{n} of these slots hold a single vehicle: published as suppressed",
                slots,
            )
        return counted(
            "{n} of these slots holds a single vehicle",
            "{n} of these slots hold a single vehicle",
            slots,
        )

    def _show_candidates(self) -> None:
        """What is typed leaves so many HATs, whatever the records are; or what is still missing."""
        problem, shown = self._session.planning.problem, self._session.forecast
        selection = shown.selection if shown else None
        reason = first_reason(self._session, TYPED_HEXAGONS)
        if problem is not None and selection is None and reason is None:
            self._message.show_error(problem)  # what nobody has typed yet is no mistake
        else:
            self._message.clear()
        if selection is None or reason is not None:
            self._outcome.setText(reason.what if reason else "")
            self._detail.setText(" ".join([reason.mend, *self._of_map_before()]) if reason else "")
            return
        hexagons = 1 + int(np.count_nonzero(np.diff(selection.cell)))
        self._outcome.setText(
            counted(
                "{n} candidate hexagon slot in {hexagons}",
                "{n} candidate hexagon slots in {hexagons}",
                len(selection),
                hexagons=counted_hexagons(hexagons),
            )
        )
        if text := self._of_regions(shown):
            self._detail.setText("\n".join(map(stopped, text)))
            return
        self._detail.setText(
            self.tr(
                "Each gets a row, with records or without. A hexagon slot is published where its "
                "noisy number of "
                "vehicles (or records) reaches {threshold}."
            ).format(threshold=self._session.draft.threshold)
        )

    def _of_map_before(self) -> list[str]:
        """That hexagons on the map are none of this draft, where zone or dates are still open."""
        if self._session.contributions is None or first_reason(self._session, TYPED_WINDOW) is None:
            return []
        return [self.tr("Until then the map shows what was counted before.")]

    def _of_regions(self, shown: Forecast | None) -> list[str]:
        """What is published where that is not what the rule selects: hexagons with all of their slots."""
        counts = None if shown is None else counts_of_regions(shown)
        if counts is None:
            return []
        regions, hats = counts
        return [
            counted(
                "{n} region holds {hats} hexagon slots: these hexagons in all hours, where the promise holds",
                "{n} regions hold {hats} hexagon slots: these hexagons in all hours, where the promise holds",
                regions,
                hats=whole(hats),
            )
        ]

    def _edit_typed(self, date: dt.date, *, first: bool) -> None:
        """One date alone is a window of one day until the other is typed."""
        begun = bool(self._session.draft.date_ranges)
        other = (self._typed_span[1] if first else self._typed_span[0]) if begun else date
        earlier, later = (date, max(date, other)) if first else (min(date, other), date)
        self._message.clear()
        self._typed_span = (earlier, later)
        self._take_dates(earlier, later)

    @Slot()
    def _edit_slot(self) -> None:
        length = self.slot_minutes.currentData()
        hours = _fitting(*self._session.draft.hours, length)
        self._session.edit(caption_of("hats.slot_minutes"), slot_minutes=length, hours=hours)

    @Slot()
    def _edit_dates(self) -> None:
        first, last = _date(self.first.date()), _date(self.last.date())
        if last < first:
            first, last = (first, first) if self.sender() is self.first else (last, last)
        self._typed_span = (first, last)
        self._take_dates(first, last)

    @Slot()
    def _edit_days(self) -> None:
        if self._session.draft.date_ranges:
            self._message.clear()
            self._take_dates(*self._span)

    def _take_dates(self, first: dt.date, last: dt.date) -> None:
        """The dates from first to last that are wanted; where they are none or others, everything stays."""
        ranges = self._asked_ranges(first, last)
        if ranges and not self.days.goes_beyond(first, last):
            self._session.edit(self.tr("Dates"), date_ranges=ranges)
            return
        what = self.tr("None of these dates is of that kind.")
        mend = self.tr("choose other dates, or all days")
        if ranges:
            what = self.tr("These days stay as chosen: no others are added.")
            mend = self.tr("first choose which days count")
            ends = _ends(self._session.draft.date_ranges)
            self._show_span(*ends, by_records=self.only_recorded.isChecked())
        self.days.go_back()
        self.refresh()
        self._message.show_error(
            InputError(what, where=self.tr("{first} to {last}").format(first=first, last=last), mend=mend)
        )

    @property
    def _span(self) -> tuple[dt.date, dt.date]:
        """First and last date as they are shown, of whatever kind the days between are."""
        if self._session.draft.relation is Relation.USER:
            return self._typed_span
        return _date(self.first.date()), _date(self.last.date())

    def _asked_ranges(self, first: dt.date, last: dt.date) -> tuple[DateRange, ...]:
        """Dates between of the chosen kind; in relation `values` those with records, where wanted.

        Of a contribution table those that it was made for.
        """
        return self.days.retained(self._between(first, last, by_records=self.only_recorded.isChecked()))

    def _between(self, first: dt.date, last: dt.date, *, by_records: bool) -> tuple[DateRange, ...]:
        """The dates between of every kind."""
        public = self._session.draft.relation is not Relation.USER
        if (by_records and public) or self._session.table is not None:
            return clip_ranges(self._session.recorded_dates, first, last) or ((first, last),)
        return ((first, last),)

    @Slot()
    def _edit_start(self) -> None:
        """The end stays where it is, or moves to that of a slot."""
        draft = self._session.draft
        hours = _fitting(self.start.currentText(), draft.hours[1], draft.slot_minutes)
        if hours == draft.hours:  # whole slots from there would end after the day: the list goes back
            self.refresh()
        else:
            self._session.edit(caption_of("hats.hours"), hours=hours)

    @Slot()
    def _edit_hours(self) -> None:
        self._session.edit(caption_of("hats.hours"), hours=(self.start.currentText(), self.end.currentText()))

    @Slot()
    def _edit_rule(self) -> None:
        key = self.rule.currentData()
        if all_rules()[key].cell_file is None:
            self._session.edit(self.tr("Selection rule"), rule=key, cells_file="")
        elif key != self._session.draft.rule:
            self._choose_file(key)

    def _choose_file(self, key: str) -> None:
        """Ask for the file of that rule; without one everything stays as it was."""
        file = all_rules()[key].cell_file
        assert file is not None
        endings = " ".join(f"*{suffix}" for suffix in file.suffixes)
        kinds = self.tr("Usual files ({endings});;All files (*)").format(endings=endings)
        path, _ = QFileDialog.getOpenFileName(self, core_text(file.title), "", kinds)
        if path:
            self._take_file(key, path)
        else:
            self.refresh()

    def _take_file(self, key: str, path: str) -> None:
        self._session.edit(self.tr("File of cells"), rule=key, cells_file=path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if _dropped_boundary(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        path = _dropped_boundary(event.mimeData())
        if path:
            event.acceptProposedAction()
            self._take_file(Boundary.key, path)


def _dropped_boundary(data: QMimeData) -> str:
    """The path of a single GeoJSON file; empty for any other drop (`.json` may be records)."""
    paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].lower().endswith(".geojson") else ""


def _add(form: QFormLayout, path: str, editor: QWidget) -> None:
    """A row for a key of the spec, which says what it is called and what it means."""
    form.addRow(label_of(path), editor)
    editor.setToolTip(in_lines(help_of(path)))


def _pair(first: QWidget, second: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(first)
    row.addWidget(second)
    return row


def _fitting(start: str, end: str, length: SlotLength) -> tuple[str, str]:
    """Hours widened to whole slots; to one step where they would end before they start."""
    later = clock(min(_minutes(start) + _STEP, DAY_MINUTES))
    return fitted_hours((start, max(end, later)), length)


def _minutes(time: str) -> int:
    return parse_clock(time, where="hats.hours")


def _ends(ranges: tuple[DateRange, ...]) -> DateRange:
    return ranges[0][0], ranges[-1][1]


def _qdate(date: dt.date) -> QDate:
    return QDate(date.year, date.month, date.day)


def _date(date: QDate) -> dt.date:
    return dt.date(date.year(), date.month(), date.day())
