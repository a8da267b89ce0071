"""Beside the ways to divide a total: largest and mean noise, equally or optimally."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from core.advice.division_savings import DivisionSavings, divides_optimally, division_savings
from core.errors import HexveilError
from core.planning.query_plan import QueryPlan
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale
from ui.kit.labels import label
from ui.kit.stage import Stage
from ui.language.translation import percent, translator
from ui.layout.boxes import in_column
from ui.session.query_texts import error_figure, error_unit, error_with_unit, shown_plans
from ui.session.session import Session

_tr = translator("DivisionLine")

_INDENT = 22


class DivisionLine(QWidget):
    """Compares both divisions of the selected query in a worker; hidden where there is nothing to compare."""

    def __init__(self, session: Session, selected: Callable[[], str]) -> None:
        super().__init__()
        self._session = session
        self._selected = selected
        self._plan: QueryPlan | None = None
        self.text = label(look="muted")
        in_column(self, self.text, margins=(_INDENT, 0, 0, 0))
        self._job = Stage(self, self._show, failed=self._on_failed)
        session.forecast_changed.connect(self.refresh)
        self.hide()

    def refresh(self) -> None:
        """Compare for the selected query of the newest forecast."""
        plan = self._comparable()
        if plan is self._plan:
            return
        same = plan is not None and self._plan is not None and plan.query.id == self._plan.query.id
        self._plan = plan
        self._job.drop()
        if not same:  # of the same query the old figures stay until the new ones are there
            self.hide()
        city = self._session.planning.by_counts()
        if plan is not None and city is not None:
            self._job.start(partial(division_savings, plan, city))

    def _comparable(self) -> QueryPlan | None:
        plan = shown_plans(self._session).get(self._selected())
        divided = plan is not None and plan.query.budget.total is not None
        return plan if plan is not None and divided and divides_optimally(plan.query.question) else None

    def _show(self, savings: DivisionSavings) -> None:
        assert self._plan is not None
        measure = self._plan.query.question.statistic.measures[0]
        self.text.setText(savings_text(savings, measure, self._plan.upper_bound))
        self.show()

    def _on_failed(self, error: object) -> None:
        """Where the other division leaves a HAT without epsilon there is nothing to compare."""
        self.hide()
        if not isinstance(error, HexveilError):
            self._session.failed.emit(error)


def savings_text(savings: DivisionSavings, measure: Measure, upper_bound: int) -> str:
    """Largest and mean noise of both divisions, in the unit of the measure; upper_bound: U, thousandths."""
    equal, optimal = savings.equal, savings.optimal
    noise_text = partial(_noise_text, measure=measure, upper_bound=upper_bound)
    share = percent(abs(savings.saved))
    if share == percent(0):
        worst = _tr("Nothing to gain: the largest noise of a hexagon slot is {optimal} either way.")
    elif savings.saved > 0:
        worst = _tr("Largest noise of a hexagon slot: {equal} equally, {optimal} optimally ({share} less).")
    else:
        worst = _tr("Largest noise of a hexagon slot: {equal} equally, {optimal} optimally ({share} more).")
    worst = worst.format(
        equal=noise_text(equal.worst), optimal=noise_text(optimal.worst, unit=True), share=share
    )
    mean = _tr("Mean noise: {equal} equally, {optimal} optimally.").format(
        equal=noise_text(equal.mean), optimal=noise_text(optimal.mean)
    )
    return f"{worst} {mean}"


def _noise_text(noise: float, *, measure: Measure, upper_bound: int, unit: bool = False) -> str:
    """unit: with its unit. Of noise that is wider than all that a number can be, the size says nothing."""
    widest = measure.largest_for(upper_bound)
    range_of_numbers = None if widest is None else widest / 10**measure.decimals
    if range_of_numbers is None or noise <= range_of_numbers:
        return error_with_unit(noise, measure) if unit else error_figure(noise, measure)
    amount = f"{error_scale(measure) * range_of_numbers:g}"
    noise_text = _tr("more than {range} (no information)")
    return noise_text.format(range=f"{amount} {error_unit(measure)}" if unit else amount)
