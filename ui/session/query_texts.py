"""The queries of a draft in words, with their plans, and a new one with its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from core.accounting.budgets import OPTIMAL_DIVISION, Budget
from core.accounting.epsilon_rounding import plain
from core.draft.draft import Draft, QueryDraft, proposed_parameters, usual_id
from core.planning.query_plan import QueryPlan, seen_errors
from core.privacy import Relation
from core.quantity import SPEED, Quantity
from core.statistics.base import AnyStatistic, Measure
from core.statistics.error_figures import error_scale, figure, significant, unit_of_errors
from core.statistics.mean import MeanQuestion
from core.statistics.registry import require_statistic, statistics_of
from ui.language.translation import core_text, translator
from ui.session.session import Session

_tr = translator("Queries")

_USUAL_TOTAL = Decimal(10)


def open_statistics(draft: Draft, quantity: Quantity = SPEED) -> tuple[AnyStatistic, ...]:
    """Those that the draft does not publish yet; a release holds each once."""
    taken = {query.statistic for query in draft.queries}
    offered = statistics_of(draft.relation or Relation.VALUES)
    return tuple(item.of(quantity) for key, item in offered.items() if key not in taken)


def new_query(draft: Draft, statistic: AnyStatistic, upper_bound: int) -> QueryDraft:
    """A query to add: the leading one's total, and what is proposed below U (thousandths)."""
    query_id = usual_id(statistic.key, statistic.quantity)
    while query_id in {query.id for query in draft.queries}:  # a spec file may use any name
        query_id += "_"
    return QueryDraft(
        id=query_id,
        statistic=statistic.key,
        parameters=proposed_parameters(statistic, upper_bound),
        budget=Budget(total=draft.leading.budget.total or _USUAL_TOTAL),
    )


def shown_plans(session: Session) -> Mapping[str, QueryPlan]:
    """Plan of each query by its id; none until relation and unit are chosen."""
    draft, shown = session.draft, session.forecast
    if shown is None or draft.relation is None or draft.unit is None:
        return {}
    return {plan.query.id: plan for plan in shown.plans}


def by_public_counts(session: Session, plan: QueryPlan) -> bool:
    """Whether errors are those of HATs as busy as public counts say; by constants alone, of the least one."""
    counted = isinstance(plan.query.question, MeanQuestion) and session.draft.prior.enough
    return plan.of_a_usual_hat and counted


def statistic_title(query: QueryDraft, quantity: Quantity) -> str:
    """Title of the statistic."""
    return core_text(require_statistic(query.statistic).of(quantity).title)


def short_title(query: QueryDraft, quantity: Quantity) -> str:
    """What tells its title from all others: the name in brackets, where it has one."""
    return statistic_title(query, quantity).removesuffix(")").rpartition("(")[2]


def compared_title(session: Session) -> str:
    """Of several statistics the one that grids are compared for; empty of a single one."""
    draft = session.draft
    if len(draft.queries) == 1 or draft.compared is None:
        return ""
    return short_title(draft.compared, session.quantity)


def first_measure(query: QueryDraft, quantity: Quantity) -> Measure:
    """The measure whose error and noise are shown."""
    return require_statistic(query.statistic).of(quantity).measures[0]


def with_unit(figure: str, unit: str) -> str:
    """A figure and its unit; a share has none."""
    return f"{figure} {core_text(unit)}" if unit else figure


def error_unit(measure: Measure) -> str:
    """The unit that errors of the measure are shown in."""
    return core_text(unit_of_errors(measure))


def error_figure(value: float, measure: Measure) -> str:
    """An error as it is read, without its unit."""
    return figure(error_scale(measure) * value, measure)


def error_with_unit(value: float, measure: Measure) -> str:
    """An error as it is read."""
    return f"{error_figure(value, measure)} {error_unit(measure)}"


def short_error(value: float, measure: Measure) -> str:
    """The same to two digits, as verdicts have it."""
    return f"{short_figure(value, measure)} {short_error_unit(measure)}"


def short_figure(value: float, measure: Measure) -> str:
    """The same without its unit."""
    return significant(error_scale(measure) * value, 2)


def budget_text(budget: Budget) -> str:
    """How a query's epsilon is given, in short."""
    if budget.per_hat is not None:
        return _tr("epsilon {amount} per hexagon slot").format(amount=plain(budget.per_hat))
    if budget.noise_scale is not None:
        return _tr("noise scale {amount}").format(amount=plain(budget.noise_scale))
    text = (
        _tr("epsilon {amount} optimally")
        if budget.divide == OPTIMAL_DIVISION
        else _tr("epsilon {amount} in all")
    )
    return text.format(amount=plain(budget.total or Decimal(0)))


def error_text(plan: QueryPlan) -> str:
    """The typical error of the median number that readers see, with its unit."""
    return short_error(seen_errors(plan).median, plan.query.question.statistic.measures[0])


def typical_number(plan: QueryPlan) -> str:
    """The same without it, as exactly as it is said everywhere."""
    return short_figure(seen_errors(plan).median, plan.query.question.statistic.measures[0])


def short_error_unit(measure: Measure) -> str:
    """The unit that errors of the measure are shown in, where there is little room."""
    return error_unit(measure) if measure.unit else _tr("points")


def of_quantity(text: str, quantity: Quantity) -> str:
    """A text with what the measured quantity is called: fields `value`, `Value`, `values` and `unit`."""
    value = core_text(quantity.title)
    return text.format(
        value=value,
        Value=value[:1].upper() + value[1:],
        values=core_text(quantity.plural),
        unit=quantity.unit,
    )
