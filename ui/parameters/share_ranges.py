"""Fields of ranges and percentiles: the share of the records in each, and how their noise grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from PySide6.QtCore import QLocale, QSignalBlocker, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QMenu, QWidget

from core.errors import InputError
from core.fixed_point import THOUSAND
from core.parameter_fields import Pair, Parameter, build, declared
from core.privacy import Relation
from core.quantity import MOST_OF_VALUE
from core.statistics.ranges import MOST_RANGES
from core.statistics.registry import require_statistic
from core.statistics.share import ShareParams, asked_ranges, proposed_ranges
from ui.budget.range_texts import USUAL_PERCENTILES, range_text, shares_text, slow_and_fast
from ui.kit.buttons import push_button
from ui.kit.labels import label, plain_label
from ui.kit.tips import in_lines
from ui.language.translation import core_text, sentence
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scroll_to
from ui.parameters.query_list import QueryList
from ui.session.session import Session

_RANGES, _PERCENTILES = "ranges", "percentiles"
EDITED_HERE = (_RANGES, _PERCENTILES)
"""Parameters that have their place here, and not among the options."""
_PARTS = 13
"""About so many presses of a key lie between the bounds."""
_WHERE = "query.parameters"


class RangeEnd(QDoubleSpinBox):
    """One end of a range, without zeros that say nothing."""

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's name
        return self.locale().toString(value, "g", 12)


class RangeRow(QWidget):
    """One range: both ends, what it is called, and a button that takes it out."""

    edited = Signal()
    removed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.low, self.high = self._end(self.tr("From")), self._end(self.tr("To"))
        self.called = plain_label()
        self.called.setProperty("look", "muted")
        self.remove = push_button("✕", self, self.removed, look="flat")
        to = plain_label(self.tr("to"))
        in_row(self, (self.low, 2), to, (self.high, 2), (self.called, 3), self.remove)

    def _end(self, name: str) -> RangeEnd:
        made = RangeEnd(self, decimals=3, minimum=-MOST_OF_VALUE, maximum=MOST_OF_VALUE)
        locale = QLocale(made.locale())
        locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        made.setLocale(locale)
        made.setKeyboardTracking(False)
        made.setAccessibleName(name)
        made.setMinimumWidth(made.fontMetrics().horizontalAdvance("-1000.0") + 40)
        made.valueChanged.connect(self.edited)
        return made

    @property
    def ends(self) -> Pair:
        return self.low.value(), self.high.value()

    def show_range(self, ends: Pair, called: str, step: float) -> None:
        for box, end in zip((self.low, self.high), ends, strict=True):
            with QSignalBlocker(box):
                box.setSingleStep(step)
                box.setValue(end)
        self.called.setText(called)
        self.remove.setAccessibleName(self.tr("Remove the range {range}").format(range=called))
        self.remove.setToolTip(in_lines(self.remove.accessibleName()))


class ShareRanges(QWidget):
    """Each change is an undo step; what the core refuses changes nothing, and is said below."""

    def __init__(self, session: Session, chosen: QueryList) -> None:
        super().__init__()
        self._session = session
        self._chosen = chosen
        self.rows: list[RangeRow] = []
        self.head = label(self.tr("Share of the records in each range:"))
        self.add = push_button(self.tr("Add a range"), self, self._add)
        self.propose = push_button(self.tr("Proposed"), self, name=self.tr("Proposed ranges"))
        self.propose.setMenu(QMenu(self.propose))
        self.percentiles = QLineEdit(self)
        self.percentiles.editingFinished.connect(self._type_percentiles)
        self.percentiles.setAccessibleName(self.tr("Percentiles"))
        self.percentiles.setPlaceholderText(self.tr("none"))
        self.caption = plain_label(self.tr("Percentiles"))
        self.note = label(look="muted")
        self.refusal = label(look="error")
        self._column = in_column(None, spacing=3)
        in_column(
            self,
            self.head,
            self._column,
            in_row(None, self.add, self.propose, 1),
            in_row(None, self.caption, (self.percentiles, 1), spacing=8),
            self.note,
            self.refusal,
            margins=(0, 6, 0, 4),
            spacing=5,
        )
        chosen.selected_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        self.refresh()

    @property
    def _declared(self) -> dict[str, Parameter]:
        """Of the selected query's statistic."""
        statistic = require_statistic(self._chosen.query.statistic)
        params = statistic.params_in(self._session.draft.relation or Relation.VALUES)
        return {one.name: one for one in declared(params)}

    @property
    def _bounds(self) -> tuple[int, int]:
        """Lower bound and U, thousandths."""
        source = self._session.source
        return self._session.quantity.lower, 0 if source is None else source.rules.upper_bound

    @property
    def _asked(self) -> ShareParams:
        """Of the draft, which may come from a file."""
        given = self._chosen.query.parameters
        return ShareParams(**{name: given[name] for name in EDITED_HERE if name in given})

    @property
    def _shown(self) -> tuple[Pair, ...]:
        """The ranges that are asked for, or that are taken where none are."""
        return self._asked.ranges or proposed_ranges(*self._bounds)

    def summary(self, number: int) -> str:
        """What a query asks of shares, in short; empty where it asks for none."""
        query = self._session.draft.queries[number]
        known = {one.name for one in declared(require_statistic(query.statistic).Params)}
        if not known.issuperset(EDITED_HERE):
            return ""
        given = {name: query.parameters[name] for name in EDITED_HERE if name in query.parameters}
        return shares_text(ShareParams(**given), self._session.quantity)

    def refresh(self) -> None:
        """Show the selected query, wherever it was changed."""
        shown = self._declared.keys() >= set(EDITED_HERE) and self._session.source is not None
        self.setVisible(shown)
        if not shown:
            self._session.refused.mend(self)
            return
        quantity, ranges = self._session.quantity, self._shown
        lower, upper_bound = self._bounds
        step = 10.0 ** math.floor(math.log10(upper_bound / THOUSAND / _PARTS))
        for row, ends in zip_longest(self.rows.copy(), ranges):
            if ends is None:
                self._drop(row)
                continue
            (row or self._new_row()).show_range(ends, range_text(ends, quantity), step)
        for row in self.rows:
            row.remove.setEnabled(len(self.rows) > 1)
        self.add.setEnabled(len(ranges) < MOST_RANGES)
        asked = self._asked
        self.percentiles.setText(Parameter.written(asked.percentiles))
        self.percentiles.setToolTip(in_lines(core_text(self._declared[_PERCENTILES].help)))
        self._offer(lower, upper_bound)
        try:
            distance = asked_ranges(asked, lower, upper_bound).distance
        except InputError as error:  # of a spec, which the plan refuses too
            self._refuse(error)
            return
        self._refuse(None)
        self.note.setText(self._noise_text(distance))

    def _noise_text(self, distance: int) -> str:
        if distance == 1:
            return self.tr("The least noise: one record can change one share.")
        return self.tr(
            "One record can change {d} of these shares, so their noise is {d} times that of a single "
            "range ({root} times with Gaussian noise). All share one epsilon."
        ).format(d=distance, root=f"{math.sqrt(distance):.2g}")

    def _new_row(self) -> RangeRow:
        row = RangeRow(self)
        row.edited.connect(self._edit_rows)
        row.removed.connect(partial(self._remove, row))
        before: QWidget = self.rows[-1].remove if self.rows else self._chosen.up
        self.rows.append(row)
        self._column.addWidget(row)
        for stop in (row.low, row.high, row.remove):
            QWidget.setTabOrder(before, stop)
            before = stop
        QWidget.setTabOrder(before, self.add)
        return row

    def _drop(self, row: RangeRow | None) -> None:
        if row is not None:
            self.rows.remove(row)
            self._column.removeWidget(row)
            row.hide()  # until Qt deletes it, it must not take the keyboard
            row.deleteLater()

    def _offer(self, lower: int, upper_bound: int) -> None:
        """Ranges by the bounds alone."""
        slow, fast = slow_and_fast(lower, upper_bound)
        quantity, menu = self._session.quantity, self.propose.menu()
        tiled = self.tr("{n} ranges from {low} to {high} {unit}").format(
            n=len(proposed_ranges(lower, upper_bound)),
            low=f"{slow[0]:g}",
            high=f"{fast[1]:g}",
            unit=quantity.unit,
        )
        usual = Parameter.written(USUAL_PERCENTILES)
        with_percentiles = self.tr("{ranges}, percentiles {usual}").format(ranges=tiled, usual=usual)
        offers: tuple[tuple[str, Sequence[Pair], Sequence[float]], ...] = (
            (range_text(slow, quantity), (slow,), ()),
            (range_text(fast, quantity), (fast,), ()),
            (tiled, (), ()),
            (with_percentiles, (), USUAL_PERCENTILES),
        )
        if [action.text() for action in menu.actions()] == [text for text, _, _ in offers]:
            return
        menu.clear()
        for text, ranges, percentiles in offers:
            action = menu.addAction(text)
            action.triggered.connect(
                lambda _=False, ranges=ranges, percentiles=percentiles: self._take(ranges, percentiles)
            )

    def _edit_rows(self) -> None:
        for row in self.rows:  # refused ranges too: a row never goes by the name of those before
            row.called.setText(range_text(row.ends, self._session.quantity))
        self._take([row.ends for row in self.rows], self._asked.percentiles)

    def _remove(self, row: RangeRow) -> None:
        self._take([one.ends for one in self.rows if one is not row], self._asked.percentiles)

    def _add(self) -> None:
        """The first proposed range that is not there yet, or half of the last one, to be typed over."""
        lower, upper_bound = self._bounds
        there = set(self._shown)
        offered = (*slow_and_fast(lower, upper_bound), *proposed_ranges(lower, upper_bound))
        low, high = self._shown[-1]
        fresh = next((one for one in offered if one not in there), (low, round((low + high) / 2, 3)))
        self._take((*self._shown, fresh), self._asked.percentiles)
        place = next((row for row in self.rows if row.ends == fresh), None)
        if place is not None:
            place.low.setFocus()
            place.low.selectAll()

    def _type_percentiles(self) -> None:
        if self.isHidden():  # with the statistic gone, the field has lost the keyboard
            return
        typed = ",".join(part for part in self.percentiles.text().split(",") if part.strip())
        try:
            found = self._declared[_PERCENTILES].accept_text(typed, where=f"{_WHERE}, {_PERCENTILES}")
        except InputError as error:
            self._refuse(error)
            return
        if isinstance(found, tuple) and found != self._asked.percentiles:
            self._take(self._asked.ranges, found)

    def _take(self, ranges: Sequence[Pair], percentiles: Sequence[Any]) -> None:
        """Into the draft, if the core takes them."""
        lower, upper_bound = self._bounds
        listed = () if tuple(ranges) == proposed_ranges(lower, upper_bound) else tuple(ranges)
        asked: dict[str, Any] = {_RANGES: listed, _PERCENTILES: tuple(percentiles)}
        try:
            asked_ranges(build(ShareParams, asked, where=_WHERE), lower, upper_bound)
        except InputError as error:
            self._refuse(error)
            return
        others = {
            name: value for name, value in self._chosen.query.parameters.items() if name not in EDITED_HERE
        }
        given = {name: value for name, value in asked.items() if value}
        self._session.edit_query(
            self.tr("Ranges"), number=self._chosen.number, parameters={**others, **given}
        )
        self._refuse(None)

    def _refuse(self, error: InputError | None) -> None:
        """What, and how to mend it; where is here."""
        said = "" if self.refusal.isHidden() else self.refusal.text()
        self.refusal.setVisible(error is not None)
        self.note.setVisible(error is None)
        if error is None:
            self._session.refused.mend(self)
        else:
            self._session.refused.note(self, error)
            self.refusal.setText(f"{core_text(error.what)} {sentence(core_text(error.mend))}")
            if self.refusal.text() != said:
                scroll_to(self.refusal)
