"""Section *Dates and hours*: days from a first one, dates of no kind, days with next to no records."""

from __future__ import annotations

import datetime as dt
from functools import partial

from PySide6.QtCore import QDate, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QDateEdit, QFormLayout, QHBoxLayout, QWidget

from core.errors import HexveilError, InputError
from core.hats.day_kinds import kind_of_dates, ranges_of_kind
from core.hats.record_dates import clip_ranges
from core.hats.slots import DAY_MINUTES, SlotLength, clock, parse_clock
from core.hats.window import DateRange, fitted_hours
from core.privacy import Relation
from ui.kit.labels import plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import caption_of, help_of, label_of
from ui.kit.tips import in_lines
from ui.language.translation import counted
from ui.layout.boxes import in_column, in_form
from ui.parameters.kind_of_day import KindOfDay
from ui.parameters.knob_line import KnobLine
from ui.parameters.table_lock import lock
from ui.parameters.typed_date import TypedDate
from ui.parameters.typed_zone import TypedZone
from ui.session.session import Session

_MOST_NAMED = 3
_OF_PLACE = ("hats.place", "hats.zones", "hats.group", "hats.labels", "hats.day_kinds", "data.filter")
_STEP = 30
"""Minutes between the times that hours may start at; slots that are shorter have their own."""


class DatesAndHours(QWidget):
    """Edits the draft's dates and hours; in relation `user` dates and zone are typed.

    `summarised(str)`: what it holds, in short.
    """

    summarised = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._typed_span = (dt.date.min, dt.date.min)
        """First and last date, of whatever kind the days between are."""
        self.message = MessageBar(self)
        self._build_editors()
        layout = in_column(self, self._window_form(), margins=(0, 0, 0, 6))
        self.sparse = KnobLine(self)
        self.sparse.taken.connect(self._leave_out)
        layout.addWidget(self.sparse)
        layout.addWidget(self.message)

    def _build_editors(self) -> None:
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
        self.days.refused.connect(self.message.show_error)
        self.start = ListBox(self)
        self.end = ListBox(self)
        self.start.activated.connect(self._edit_start)
        self.end.activated.connect(self._edit_hours)
        self.zone = TypedZone(self._session, self.message, self)
        self.typed_first = TypedDate(self.tr("First date"), self)
        self.typed_last = TypedDate(self.tr("Last date"), self)
        self.typed_first.changed.connect(lambda date: self._edit_typed(date, first=True))
        self.typed_last.changed.connect(lambda date: self._edit_typed(date, first=False))
        for typed in (self.typed_first, self.typed_last):
            typed.refused.connect(self.message.show_error)
            typed.refused.connect(partial(self._session.refused.note, typed))
            typed.mended.connect(partial(self._mend, typed))
        self.end.setAccessibleName(self.tr("End of the hours, exclusive"))
        self.days.setToolTip(in_lines(help_of("hats.days")))
        for box in (self.start, self.end, self.days):
            shrinkable(box)

    def _window_form(self) -> QFormLayout:
        form = in_form(down=5)
        form.addRow(label_of("data.zone"), self.zone)
        form.addRow(self.tr("F&irst date"), self.first)
        form.addRow(self.tr("&Last date"), self.last)
        form.addRow("", self.only_recorded)
        form.addRow(self.tr("F&irst date"), self.typed_first)
        form.addRow(self.tr("&Last date"), self.typed_last)
        form.addRow(label_of("hats.days"), self.days)
        hours, row = plain_label(label_of("hats.hours")), QHBoxLayout()
        hours.setBuddy(self.start)
        row.addWidget(self.start)
        row.addWidget(self.end)
        form.addRow(hours, row)
        self._form = form
        return form

    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        session, draft = self._session, self._session.draft
        self._show_dates(draft.date_ranges)
        self._fill_hours(draft.slot_minutes, draft.hours)
        typed = draft.relation is Relation.USER
        for row in (self.typed_first, self.typed_last):
            self._form.setRowVisible(row, typed)
        self._form.setRowVisible(self.zone, typed or session.table is not None)
        self.zone.refresh()
        for editor in (self.first, self.last, self.only_recorded):
            self._form.setRowVisible(editor, not typed)
        if typed:
            first, last = self._typed_span if draft.date_ranges else (None, None)
            self.typed_first.show_date(first)
            self.typed_last.show_date(last)
        else:
            for row in (self.typed_first, self.typed_last):
                session.refused.mend(row)
        self._lock()
        self._tell_sparse()
        self.summarised.emit(self._summary())

    def _tell_sparse(self) -> None:
        """A day of a failed feed costs a vehicle as much as any other: it is offered to be left out."""
        days = self._session.sparse_days if self._session.table is None else ()
        self.sparse.setVisible(bool(days))
        if not days:
            return
        texts = [
            counted("{date} has {n} record", "{date} has {n} records", day.records, date=day.date.isoformat())
            for day in days
        ]
        shown = _MOST_NAMED if len(texts) > _MOST_NAMED else len(texts)
        more = counted(
            ", and {n} more day has next to none", ", and {n} more days have next to none", len(texts) - shown
        )
        text = ", ".join(texts[:shown]) + (more if shown < len(texts) else "")
        self.sparse.tell_text(
            text, take=self.tr("Leave them out") if len(days) > 1 else self.tr("Leave it out")
        )

    def _leave_out(self) -> None:
        left = {day.date for day in self._session.sparse_days}
        ranges = ranges_of_kind(self._session.draft.date_ranges, lambda date: date not in left)
        self._session.edit(self.tr("Days with next to no records"), date_ranges=ranges)

    def _lock(self) -> None:
        """Of a table with several dates fewer may be chosen."""
        table = self._session.table
        dates: tuple[QWidget, ...] = (self.first, self.last, self.days, self.typed_first, self.typed_last)
        several = table is not None and len(table.offer.dates[table.table.resolution]) > 1
        usual = dict.fromkeys((*dates, self.only_recorded, self.start, self.end, self.zone), "")
        usual[self.days] = help_of("hats.days")
        lock(usual, locked=table is not None, open_ones=dates if several else ())

    def _summary(self) -> str:
        start, end = (time.removesuffix(":00") for time in self._session.draft.hours)
        hours = self.tr("{start}–{end} h").format(start=start, end=end)
        ranges = self._session.draft.date_ranges
        if not ranges:
            return hours
        first, last = _ends(ranges)
        dates = first.isoformat() if first == last else f"{first.isoformat()} – {last.isoformat()}"
        if len(ranges) > 1:
            days, span = sum(map(_days, ranges)), _days((first, last))
            dates = counted(
                "{n} of {span} days from {first}",
                "{n} of {span} days from {first}",
                days,
                span=span,
                first=first.isoformat(),
            )
        return f"{dates}, {hours}"

    def show_outcome(self) -> None:
        """Say here what of dates and hours does not fit the data."""
        problem = self._session.planning.problem
        if problem is not None and of_window(problem):
            self.message.show_error(problem)
        elif not any(map(self._session.refused.says, (self.typed_first, self.typed_last, self.zone))):
            self.message.clear()

    def _mend(self, typed: TypedDate) -> None:
        if self._session.refused.mend(typed):
            self.message.clear()

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
        step = length if isinstance(length, int) else _STEP
        starts = range(0, DAY_MINUTES, min(step, _STEP))
        # slots are counted from the start: an end is a whole number of them later
        ends = range(_minutes(hours[0]) + step, DAY_MINUTES + 1, step)
        for box, times, value in zip((self.start, self.end), (starts, ends), hours, strict=True):
            box.clear()
            # hours that do not fit the slot are shown too: the message beside them speaks of them
            box.addItems(sorted({*map(clock, times), value}))
            box.setCurrentIndex(box.findText(value))

    def _edit_typed(self, date: dt.date, *, first: bool) -> None:
        """One date alone is a window of one day until the other is typed."""
        begun = bool(self._session.draft.date_ranges)
        other = (self._typed_span[1] if first else self._typed_span[0]) if begun else date
        earlier, later = (date, max(date, other)) if first else (min(date, other), date)
        self.message.clear()
        self._typed_span = (earlier, later)
        self._take_dates(earlier, later)

    def _edit_dates(self) -> None:
        first, last = _date(self.first.date()), _date(self.last.date())
        if last < first:
            first, last = (first, first) if self.sender() is self.first else (last, last)
        self._typed_span = (first, last)
        self._take_dates(first, last)

    def _edit_days(self) -> None:
        if self._session.draft.date_ranges:
            self.message.clear()
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
        self.message.show_error(
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

    def _edit_start(self) -> None:
        """The end stays where it is, or moves to that of a slot."""
        draft = self._session.draft
        hours = fitting_hours(self.start.currentText(), draft.hours[1], draft.slot_minutes)
        if hours == draft.hours:  # whole slots from there would end after the day: the list goes back
            self.refresh()
        else:
            self._session.edit(caption_of("hats.hours"), hours=hours)

    def _edit_hours(self) -> None:
        self._session.edit(caption_of("hats.hours"), hours=(self.start.currentText(), self.end.currentText()))


def fitting_hours(start: str, end: str, length: SlotLength) -> tuple[str, str]:
    """Hours widened to whole slots; to one step where they would end before they start."""
    later = clock(min(_minutes(start) + _STEP, DAY_MINUTES))
    return fitted_hours((start, max(end, later)), length)


def _minutes(time: str) -> int:
    return parse_clock(time, where="hats.hours")


def of_window(problem: HexveilError) -> bool:
    """It is about dates, hours or slots, and not about which hexagon slots are selected."""
    return problem.where.startswith("hats.") and not of_place(problem)


def of_place(problem: HexveilError) -> bool:
    """It is about what a number is of: its place, its groups, which records count."""
    return problem.where.startswith(_OF_PLACE)


def _ends(ranges: tuple[DateRange, ...]) -> DateRange:
    return ranges[0][0], ranges[-1][1]


def _days(dates: DateRange) -> int:
    return (dates[1] - dates[0]).days + 1


def _qdate(date: dt.date) -> QDate:
    return QDate(date.year, date.month, date.day)


def _date(date: QDate) -> dt.date:
    return dt.date(date.year(), date.month(), date.day())
