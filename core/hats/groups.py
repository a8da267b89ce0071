"""Groups of rows, by label or kind of day: how many labels, refused ones, dates not listed (method 3.1)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.clean.record_filter import MOST_TEXT, is_public_text
from core.counted import count_of
from core.errors import InputError
from core.texts import Name, joined, text_of

DAY_KIND = "day_kind"
"""The group that no column tells: the date does."""
WEEKDAY, WEEKEND = "weekday", "weekend"
MOST_LABELS = 50
"""Labels of one group of rows."""
_SATURDAY = 5
DayKinds = tuple[tuple[dt.date, str], ...]


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """One of them."""

    name: str
    """Public name of the column, or `DAY_KIND`."""
    labels: tuple[str, ...] = ()
    """In their order; a record with another one counts nowhere. Empty: those that the records have."""
    kinds: DayKinds = ()
    """Of `DAY_KIND`: the kind of each date, where a file lists them; empty: weekday and weekend."""
    fewest: int = 1
    """So many vehicles have a label that is not typed, or it counts nowhere (relation `values`)."""

    @property
    def by_day(self) -> bool:
        """Dates tell the label, not records."""
        return self.name == DAY_KIND

    @property
    def is_open(self) -> bool:
        """Which labels there are, the records tell."""
        return not self.labels and not self.by_day

    def kind_of(self, date: dt.date) -> str:
        """The label of a date. Raises InputError for one that the file does not list."""
        if not self.kinds:
            return WEEKEND if date.weekday() >= _SATURDAY else WEEKDAY
        kind = dict(self.kinds).get(date)
        if kind is None:
            raise InputError(
                "The file of kinds of day does not list {date}.",
                date=date,
                where="hats.day_kinds",
                mend="write a line for each date of the release: 2026-12-25,holiday",
            )
        return kind

    def on(self, dates: Iterable[dt.date]) -> Group:
        """The group over these dates: of kinds of day those they have. Raises InputError as `kind_of`."""
        if not self.by_day:
            return self
        kinds = {date: self.kind_of(date) for date in dates}
        listed = tuple(sorted(kinds.items())) if self.kinds else ()
        return Group(self.name, labels_in_order(kinds.values()), listed)

    @property
    def text(self) -> str:
        """Name and labels, as far as they are known, as a part of a sentence."""
        if not self.labels:
            return Name(self.name)
        labels = joined(", ", map(Name, self.labels))
        return text_of("{name} ({labels})", name=Name(self.name), labels=labels)

    @property
    def words(self) -> str:
        """The same where the dates' group has a name as people say it, not as files have it."""
        name = text_of("kind of day") if self.by_day else Name(self.name)
        if not self.labels:
            return name
        labels = joined(", ", (day_kind_words(self.name, one) for one in self.labels))
        return text_of("{name} ({labels})", name=name, labels=labels)


Groups = tuple[Group, ...]


def day_kind_words(group: str, label: str) -> str:
    """A label as people say it: those of the calendar in any language, others as they are written."""
    word = "weekday" if label == WEEKDAY else "weekend"
    return word if group == DAY_KIND and label in (WEEKDAY, WEEKEND) else Name(label)


def labels_in_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Each once, as files sort them: by what is written there."""
    return tuple(sorted(set(labels), key=as_cell))


def as_cell(label: str) -> str:
    """A text as a cell of a file holds it, which no spreadsheet takes for a formula."""
    return f"'{label}" if label.lstrip().startswith(("=", "+", "-", "@")) else label


def require_group_labels(labels: Sequence[str], *, where: str) -> tuple[str, ...]:
    """Labels that may be published, in order. Raises InputError for others, none, or too many."""
    if not 0 < len(labels) <= MOST_LABELS:
        raise InputError(
            "A group has {counted_labels}: there may be 1 to {most}.",
            counted_labels=count_of(len(labels), "label"),
            most=MOST_LABELS,
            where=where,
            mend="group by a column with few values, or use data.filter to leave out what you do not want",
        )
    if not all(text == text.strip() and is_public_text(text) for text in labels):
        raise InputError(
            "A label is empty, longer than {most} characters, or has invisible ones.",
            most=MOST_TEXT,
            where=where,
            mend="write the text of the cells, without spaces at its ends",
        )
    return labels_in_order(labels)
