"""Section *This release*: the typical error against the budget, with the verdict's bands."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.accounting.budgets import Budget, unit_of_total
from core.advice.error_curve import (
    ErrorCurve,
    ErrorPoint,
    amounts_around,
    error_curve,
    points_by_constants,
    points_by_counts,
)
from core.advice.verdict import least_useful
from core.planning.city_accuracy import no_total_for_regions
from core.planning.query_plan import QueryPlan
from core.privacy import Confidential, Relation, Unit
from core.statistics.base import Measure
from ui.budget.budget_edits import edit_budget
from ui.budget.charged_units import unit_names
from ui.kit.jobs import JobWork
from ui.kit.labels import label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import message_of
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.language.translation import core_text, translator
from ui.layout.boxes import in_column
from ui.layout.half_ink import HalfInk
from ui.plots.plot_section import PlotSection
from ui.session.guards.parameters import ERROR_SUMMARY
from ui.session.guards.reasons import first_reason, no_data, still_planning
from ui.session.planning import public_choices
from ui.session.query_texts import first_measure, shown_plans, statistic_title, with_unit
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.errors.release_canvas import ReleaseCanvas

_tr = translator("ReleasePlot")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownCurve(Confidential):
    """A curve, and what its axes are called."""

    curve: ErrorCurve
    measure: Measure
    amounts: str
    """What the budget's amounts are."""


def amounts_name(budget: Budget, measure: Measure, unit: Unit) -> str:
    """What a budget's amount is; unit: whose total it is."""
    if budget.noise_scale is not None:
        return with_unit(_tr("Noise scale B"), core_text(measure.unit))
    if budget.per_hat is not None:
        return _tr("Epsilon per hexagon slot")
    return _tr("Epsilon, {unit}").format(unit=unit_names()[unit])


def _canvas_class() -> type[ReleaseCanvas]:
    from ui.errors.release_canvas import ReleaseCanvas  # brings pyqtgraph

    return ReleaseCanvas


class ReleasePlotSection(QWidget):
    """The plan's own point is there with the plan; the others are computed while the section is shown."""

    shown = Signal(object)
    """A `ShownCurve`; None where there is nothing to show."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._points: tuple[ErrorPoint, ...] = ()
        """Of what was computed last, which may be wanted again."""
        self._shown_of: object = None
        """What the curve follows from."""
        self.ink = HalfInk(self._is_interim, self)
        """While another tab is shown no curve is computed: rows of one may be of choices before."""
        self.curve: ErrorCurve | None = None
        self.canvas: ReleaseCanvas | None = None
        self.statistics = ListBox(self)
        self.statistics.setAccessibleName(self.tr("Statistic whose errors are shown"))
        shrinkable(self.statistics)
        self.title = label(look="heading", parent=self)
        self.plot = PlotSection(theme, _canvas_class, [self._make_canvas], parent=self)
        self.plot.wanted.connect(self._follow)
        self.plot.explained.connect(self._on_explained)
        self.plot.failed.connect(session.failed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self._taken = False
        """A person has chosen the statistic; until then it is the least exact one."""
        self.statistics.activated.connect(self._take)
        in_column(self, self.statistics, self.title, (self.plot, 1), margins=(12, 10, 12, 10), spacing=6)
        on_any(self._on_changed, session.data_changed, session.draft_changed, session.forecast_changed)
        session.refused.changed.connect(self.ink.follow)
        self.ink.changed.connect(self._fade)

    def _take(self) -> None:
        self._taken = True
        self.plot.refresh()

    def _make_canvas(self, canvas_class: type[ReleaseCanvas]) -> ReleaseCanvas:
        self.canvas = canvas_class(self)
        self.canvas.setAccessibleName(self.tr("Typical error against epsilon"))
        self.canvas.amount_chosen.connect(self.choose)
        self.canvas.fade(self.ink.on)
        return self.canvas

    def _fade(self, faint: bool) -> None:
        if self.canvas is not None:
            self.canvas.fade(faint)

    @property
    def complete(self) -> bool:
        """Every point of what is asked for is shown."""
        computing = self.plot.computing
        return self.plot.ready and computing.asked is not None and computing.asked == computing.taken

    @property
    def number(self) -> int:
        """Of the statistic that is shown."""
        return max(self.statistics.currentIndex(), 0)

    def _on_changed(self) -> None:
        self.plot.refresh()
        if not self.plot.isVisible() and self.curve is not None:
            self._offer_statistics()
            plan, before = self._plan(), self._session.planning.is_of_before
            if plan is not None and not before and self._key(plan) == self.plot.computing.taken:
                self._show()
        self.ink.follow()

    def _is_interim(self) -> bool:
        return self.is_of_before or (self.curve is not None and self._session.planning.smoothing)

    @property
    def is_of_before(self) -> bool:
        """The curve that is shown is of other choices than the draft's."""
        if self.curve is None:
            return False
        plan = self._plan()
        return (
            self._session.planning.is_of_before or plan is None or self._follows_from(plan) != self._shown_of
        )

    @property
    def is_refused(self) -> bool:
        """What was typed last is to be mended first."""
        return self._session.refused.first is not None

    def _follows_from(self, plan: QueryPlan) -> object:
        return self._key(plan), plan.query.budget

    def _follow(self) -> None:
        session = self._session
        self._offer_statistics()
        if session.planning.is_of_before:
            return  # the forecast of now is on its way
        reason, plan = first_reason(session, (no_data, *ERROR_SUMMARY)), self._plan()
        if reason is None and plan is None:
            reason = still_planning()
        if plan is None or reason is not None:
            assert reason is not None
            self.plot.rest()
            self.plot.explain(reason)
        elif plan.query.question.by_region:
            self.plot.rest()
            self.plot.explain(message_of(no_total_for_regions(plan.query.id)))
        else:
            self.plot.computing.ask(self._key(plan), self._work(plan), what=self.tr("Computing errors…"))
            self._show()

    def _offer_statistics(self) -> None:
        queries, number = self._session.draft.queries, self.number
        titles = [statistic_title(query, self._session.quantity) for query in queries]
        if titles != [self.statistics.itemText(row) for row in range(self.statistics.count())]:
            self.statistics.clear()
            self.statistics.addItems(titles)
            self.statistics.setCurrentIndex(min(number, len(titles) - 1))
            self._taken = False
        self.statistics.setVisible(len(titles) > 1)
        worst = least_useful(shown_plans(self._session).values())
        if worst is not None and not self._taken:
            ids = [query.id for query in queries]
            self.statistics.setCurrentIndex(ids.index(worst.query.id) if worst.query.id in ids else 0)

    def _plan(self) -> QueryPlan | None:
        return shown_plans(self._session).get(self._session.draft.queries[self.number].id)

    def _key(self, plan: QueryPlan) -> object:
        """What the points follow from: the chosen amount says only how far they reach."""
        session, amounts = self._session, amounts_around(plan.query.budget.amount)
        query = session.draft.queries[self.number]
        return session.planning.question_but_amount(query), amounts

    def _work(self, plan: QueryPlan) -> JobWork:
        session, draft = self._session, self._session.draft
        if draft.relation is Relation.USER:
            assert session.source is not None
            beside = session.prior_reader, session.ledger.delta, session.planning.cache
            return partial(points_by_constants, plan, public_choices(draft, session.source, *beside))
        city = session.planning.by_counts()
        assert city is not None
        return partial(points_by_counts, plan, city)

    def _on_computed(self, points: tuple[ErrorPoint, ...]) -> None:
        self._points = points
        if not self._session.planning.is_of_before:  # else these are of choices that are no more
            self._show()

    def _show(self) -> None:
        plan, draft = self._plan(), self._session.draft
        if plan is None or draft.unit is None or draft.relation is None:
            return
        points = self._points if self._key(plan) == self.plot.computing.taken else ()
        query, self.curve = draft.queries[self.number], error_curve(plan, points)
        measure = first_measure(query, self._session.quantity)
        amounts = amounts_name(query.budget, measure, unit_of_total(draft.unit, draft.relation))
        shown = ShownCurve(curve=self.curve, measure=measure, amounts=amounts)
        self.title.setText(
            self.tr("{statistic}: what each epsilon buys").format(
                statistic=statistic_title(query, self._session.quantity)
            )
        )
        self.shown.emit(shown)
        self._shown_of = self._follows_from(plan)
        self.ink.follow()
        if self.canvas is not None and self.plot.ready:
            self.canvas.show_curve(shown)
            self.plot.show_plot()

    def _on_explained(self) -> None:
        self.curve = None
        self.ink.follow()
        self.title.setText(self.tr("What each epsilon buys"))
        self.shown.emit(None)

    def choose(self, amount: Decimal) -> None:
        """Release with another amount; the statistic stays, whichever is the least exact then."""
        self._taken = True
        budget = self._session.draft.queries[self.number].budget
        if amount != budget.amount:
            edit_budget(self._session, self.number, budget.of_amount(amount), self.tr("Epsilon"))
