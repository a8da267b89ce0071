"""Card of A, pinned, and B, as it is now: return to A, or why their errors cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from core.accounting.privacy_loss import loss_of
from core.advice.forecast import Forecast
from core.advice.plan_difference import comparable
from core.draft.draft import Draft, QueryDraft
from core.planning.query_plan import QueryPlan, seen_errors
from core.privacy import Unit
from ui.budget.card_spacing import CARD_MARGINS
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.spec_words import caption_of
from ui.kit.tips import in_lines
from ui.language.translation import core_text, stopped, translator, whole
from ui.layout.boxes import in_column, in_grid, in_row
from ui.layout.empty_layout import empty
from ui.session.draft_charge import draft_charge, shown_sum, unrounded_epsilon
from ui.session.query_texts import error_figure, error_unit
from ui.session.session import Session

_tr = translator("ComparisonCard")

_UNKNOWN = "–"
_Row = tuple[str, str, str]
"""What, A, B."""


class ComparisonCard(QFrame):
    """Hidden while nothing is pinned; emits `map_wanted` for the difference on the map."""

    map_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("look", "card")
        self.rows: tuple[_Row, ...] = ()
        self._exact: tuple[str, ...] = ("", "")
        """What each set costs, to the last digit."""
        self._grid = in_grid(wide=0, across=12, down=2)
        self.changed = label(look="muted")
        self.on_map = QPushButton(self.tr("Difference on the map"), self)
        self.back = QPushButton(self.tr("&Back to A"), self)
        self.back.setToolTip(self.tr("Return to the pinned parameters; undo brings B back."))
        self.let_go = push_button(self.tr("Unpin"), self, tip=self.tr("Go on with B alone."))
        self.on_map.clicked.connect(self.map_wanted)
        self.back.clicked.connect(session.pins.take_pinned)
        self.let_go.clicked.connect(session.pins.unpin)
        pair = in_row(None, (self.back, 1), (self.let_go, 1))
        in_column(self, self._grid, self.changed, self.on_map, pair, margins=CARD_MARGINS)
        for signal in (
            session.pinned_changed,
            session.forecast_changed,
            session.draft_changed,
            session.ledger_changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show A beside the newest B."""
        pinned = self._session.pins.pinned
        self.setVisible(pinned is not None)
        if pinned is None:
            return
        shown = self._session.forecast if draft_charge(self._session) is not None else None
        names = changed_parts(pinned.draft, self._session.draft)
        self.changed.setText(
            stopped(self.tr("What differs in B: {parts}").format(parts="; ".join(names)))
            if names
            else self.tr("Change any parameter: A stays, B shows the change.")
        )
        self.back.setEnabled(bool(names))
        reason = self._not_on_map(pinned.forecast, shown, differs=bool(names))
        self.on_map.setEnabled(not reason)
        self.on_map.setToolTip(in_lines(reason))
        self.on_map.setAccessibleDescription(reason)
        rows = self._rows_of(pinned.forecast, shown)
        charged = self._costs(pinned.forecast, shown)
        exact = tuple(self._exactly(cost) for cost in charged)
        if (rows, exact) != (self.rows, self._exact):
            self.rows, self._exact = rows, exact
            self._show_rows()

    def _not_on_map(self, pinned: Forecast, shown: Forecast | None, *, differs: bool) -> str:
        """Why the map has no difference to show; empty where it has."""
        if not differs:
            return self.tr("B is still the same as A.")
        if self._session.contributions is not None and self._session.pins.pinned_in_slots is None:
            return self.tr("A and B use different timeslots and cannot be compared slot by slot.")
        if shown is None:
            return self.tr("The errors of B are not known yet.")
        if not _leading_pair(pinned, shown):
            return self.tr("A and B start with different statistics, so their errors cannot be compared.")
        return ""

    def _rows_of(self, pinned: Forecast, shown: Forecast | None) -> tuple[_Row, ...]:
        rows: list[_Row] = []
        theirs = {plan.query.id: plan for plan in shown.plans} if shown is not None else {}
        titled = len(pinned.plans) > 1 or len(theirs) > 1
        for plan in pinned.plans:
            other = theirs.pop(plan.query.id, None)
            rows += self._errors(plan, other, titled=titled)
        for plan in theirs.values():
            rows += [(name, _UNKNOWN, own) for name, own, _ in self._errors(plan, None, titled=True)]
        first, second = (_UNKNOWN if one is None else whole(_numbers(one)) for one in (pinned, shown))
        rows.append((self.tr("Numbers published"), first, second))
        first, second = (
            _UNKNOWN if one is None or one.charge is None else shown_sum(one, one.charge, Unit.VEHICLE, delta)
            for one, delta in self._payers(pinned, shown)
        )
        rows.append((self.tr("Cost per vehicle, epsilon"), first, second))
        return tuple(rows)

    def _errors(self, plan: QueryPlan, other: QueryPlan | None, *, titled: bool) -> list[_Row]:
        measure = plan.query.question.statistic.measures[0]
        pair = (plan, other if other is not None and comparable(plan, other) else None)
        spreads = [None if one is None else seen_errors(one) for one in pair]
        name = self.tr("Typical error") if not titled else core_text(plan.query.question.statistic.title)
        half = [_UNKNOWN if one is None else error_figure(one.median, measure) for one in spreads]
        least = [_UNKNOWN if one is None else error_figure(one.largest, measure) for one in spreads]
        return [
            (f"{name}, {error_unit(measure)}", half[0], half[1]),
            (self.tr("in the least accurate number"), least[0], least[1]),
        ]

    def _exactly(self, cost: Decimal | None) -> str:
        return "" if cost is None else self.tr("exactly {amount}").format(amount=unrounded_epsilon(cost))

    def _costs(self, pinned: Forecast, shown: Forecast | None) -> tuple[Decimal | None, Decimal | None]:
        first, second = (
            None if one is None or one.charge is None else loss_of(one.charge, Unit.VEHICLE).epsilon_at(delta)
            for one, delta in self._payers(pinned, shown)
        )
        return first, second

    def _payers(
        self, pinned: Forecast, shown: Forecast | None
    ) -> tuple[tuple[Forecast | None, Decimal], ...]:
        """Each with the delta of the population that would have paid."""
        pinned_forecast, mine = self._session.pins.pinned, self._session.ledger.delta
        before = pinned_forecast.delta if pinned_forecast is not None else mine
        return (pinned, before), (shown, mine)

    def _show_rows(self) -> None:
        empty(self._grid)
        for column, head in enumerate((self.tr("A"), self.tr("B")), start=1):
            self._put(head, 0, column, "heading")
        self._put(self.tr("A is pinned, B is now"), 0, 0, "muted")
        for row, (name, *figures) in enumerate(self.rows, start=1):
            self._put(name, row, 0, "muted")
            last = row == len(self.rows)  # the cost
            for column, text in enumerate(figures, start=1):
                self._put(text, row, column, "").setToolTip(in_lines(self._exact[column - 1] if last else ""))

    def _put(self, text: str, row: int, column: int, look: str) -> QLabel:
        made = label(text, look)
        made.setWordWrap(column == 0)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        made.setAlignment(side | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(made, row, column)
        return made


def _numbers(shown: Forecast) -> int:
    """What the leading query publishes: HATs, or regions in their place."""
    plan = shown.plans[0]
    return len(plan.regions) or len(plan.published)


def _leading_pair(first: Forecast, second: Forecast) -> bool:
    return comparable(first.plans[0], second.plans[0])


def _in_a_sentence(caption: str) -> str:
    return caption[:1].lower() + caption[1:]


def changed_parts(before: Draft, after: Draft) -> list[str]:
    """What of the parameters differs, by the names of the fields as they stand within a sentence."""
    parts = {
        caption_of("hats.resolution"): ("resolution", "mixed"),
        caption_of("hats.slot_minutes"): ("slot_minutes",),
        _tr("Dates"): ("date_ranges",),
        caption_of("hats.hours"): ("hours",),
        caption_of("data.zone"): ("zone",),
        caption_of("selection.rule"): ("rule", "cells_file"),
        caption_of("selection.threshold"): ("threshold",),
        caption_of("selection.minimum_vehicles"): ("minimum_vehicles",),
        caption_of("privacy.unit"): ("unit",),
        _tr("Hexagon slots per vehicle"): ("hats_per_vehicle",),
        _tr("Days per vehicle"): ("days_per_vehicle",),
        _tr("Known beforehand"): ("prior",),
        caption_of("privacy.population"): ("population",),
    }
    names = [
        _in_a_sentence(caption)
        for caption, fields in parts.items()
        if any(getattr(before, field) != getattr(after, field) for field in fields)
    ]
    return names + _changed_queries(before.queries, after.queries)


def _changed_queries(before: tuple[QueryDraft, ...], after: tuple[QueryDraft, ...]) -> list[str]:
    """What is asked, for how much, and how; the latter two of what both ask."""
    first, second = ({(query.id, query.statistic): query for query in queries} for queries in (before, after))
    common = [(query, second[asked]) for asked, query in first.items() if asked in second]
    differs = {
        _tr("statistics"): tuple(first) != tuple(second),
        _tr("budget"): any(one.budget != other.budget for one, other in common),
        _tr("method"): any(replace(one, budget=other.budget) != other for one, other in common),
    }
    return [name for name, differ in differs.items() if differ]
