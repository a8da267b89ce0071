"""What the draft would cost, as planned; the ledger's charge may differ slightly."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

from core.accounting.budgets import Budget, unit_of_total
from core.accounting.compose import add_charges
from core.accounting.epsilon_rounding import at_a_glance, plain, sum_at_a_glance
from core.accounting.fitted_budgets import at_whole_total, scaled_budget, share_that_fits
from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import UNBOUNDED, loss_of
from core.advice.forecast import Forecast
from core.planning.linear_noise import known_total
from core.planning.query_plan import QueryPlan
from core.privacy import Charge, Relation, Unit
from core.release.series import epsilon_of_several
from ui.language.translation import translator, whole
from ui.session.session import Session

_tr = translator("DraftCharge")


def draft_charge(session: Session) -> Charge | None:
    """Of the newest plan; None until relation and unit are chosen and planning has ended.

    Of what was just published it is what the ledger was charged, whatever is planned by now.
    """
    draft, shown, published = session.draft, session.forecast, session.release.published
    if not shown or not draft.relation or not draft.unit:
        return None
    return (
        published.release.charge if published is not None and session.release.was_published else shown.charge
    )


def asked_before_reading(session: Session) -> Decimal | None:
    """The totals of the newest plan, which the ledger is asked for before it knows what plans leave of them.

    None where it asks for what is charged alone: in relation `user`, and where noise may be Gaussian.
    """
    shown = session.forecast
    if shown is None or session.draft.relation is not Relation.VALUES:
        return None
    return known_total(
        ((plan.query.question, plan.query.budget) for plan in shown.plans), session.ledger.delta
    )


def is_of_all_queries(session: Session) -> bool:
    """Whether the charge is of the draft's statistics: while another is planned, it is of those before."""
    shown = session.forecast
    if shown is None or session.release.was_published:
        return True
    return {plan.query.id for plan in shown.plans} == {query.id for query in session.draft.queries}


def plan_charge(session: Session, plan: QueryPlan) -> Charge:
    """The same of one query."""
    published = session.release.published
    if published is not None and session.release.was_published:
        for query in published.release.queries:
            if query.query_id == plan.query.id:
                return query.charge
    return plan.charge


def cost_tip(session: Session, charge: Charge, unit: Unit) -> str:
    """An epsilon to its last digit, and whether the ledger is charged just that.

    It is in relation `user`, where all follows from constants, once the population's key orders users, and of
    what was published.
    """
    amount = unrounded_epsilon(charged_epsilon(session, charge, unit))
    if is_as_charged(session):
        return _tr("exactly {amount}").format(amount=amount)
    return _tr(
        "{amount} as planned. The ledger's charge may differ slightly, as each population has its own "
        "order of vehicles with equally many records. Choose a population with a limit to see it "
        "exactly."
    ).format(amount=amount)


def is_as_charged(session: Session) -> bool:
    """Whether figures of the plan are those of the release: the population's key orders users, or nothing
    depends on their order.
    """
    private = session.draft.relation is Relation.USER
    return private or session.release.was_published or session.planning.is_planned_as_charged


def charged_epsilon(session: Session, charge: Charge, unit: Unit) -> Decimal:
    """What a charge alone comes to, with Gaussian noise at the delta of the draft's population."""
    return loss_of(charge, unit).epsilon_at(session.ledger.delta)


def least_limit(session: Session, charge: Charge, releases: int = 1) -> Decimal:
    """What a limit has to allow for so many like this one.

    Also what the ledger is asked for before it reads the records of the last of them.
    """
    charged = charged_epsilon(session, charge, Unit.VEHICLE)
    asked = asked_before_reading(session) or charged
    left = asked - charged if asked > charged else Decimal(0)  # Gaussian noise without a delta has no bound
    return epsilon_of_several(releases, charge, session.ledger.delta) + left


def unrounded_epsilon(amount: Decimal) -> str:
    """An epsilon to its last digit; Gaussian noise without a delta has none."""
    if amount == UNBOUNDED:
        return _tr("no bound")
    digits, point, decimals = plain(amount).partition(".")
    return f"{whole(int(digits))}{point}{decimals}"


def shown_epsilon(amount: Decimal) -> str:
    """The same to be read at a glance, never less than it is."""
    return unrounded_epsilon(_read(amount))


def shown_sum(shown: Forecast, charge: Charge, unit: Unit, delta: Decimal) -> str:
    """What all statistics of a forecast cost together, as the sum of what is read of each."""
    return unrounded_epsilon(_read_sum(shown, charge, unit, delta))


def shown_charge(session: Session, charge: Charge, unit: Unit) -> str:
    """What the whole draft costs, at a glance; of what was published, as the ledger has it.

    It reads no more than the same of a wider unit that costs as much: 79.9976 of a day is no 80 below 79.998
    of the vehicle.
    """
    amount = charged_epsilon(session, charge, unit)
    widest_first = tuple(Unit)
    as_dear = [
        each
        for each in widest_first[: widest_first.index(unit) + 1]
        if charged_epsilon(session, charge, each) >= amount
    ]
    return unrounded_epsilon(min(_read_charge(session, charge, each) for each in as_dear))


def _read_charge(session: Session, charge: Charge, unit: Unit) -> Decimal:
    if session.release.was_published or session.forecast is None:
        return _read(charged_epsilon(session, charge, unit))
    return _read_sum(session.forecast, charge, unit, session.ledger.delta)


def _read_sum(shown: Forecast, charge: Charge, unit: Unit, delta: Decimal) -> Decimal:
    amount, *parts = (
        loss_of(each, unit).epsilon_at(delta) for each in (charge, *(plan.charge for plan in shown.plans))
    )
    return amount if UNBOUNDED in (amount, *parts) else sum_at_a_glance(amount, parts)


def _read(amount: Decimal) -> Decimal:
    return amount if amount == UNBOUNDED else at_a_glance(amount)


def left_epsilon(population: PopulationSummary) -> str:
    """What is left of a limit, at a glance: never more than it is, nor than what reads as spent leaves."""
    left, limit, spent = population.left, population.per_vehicle, population.spent
    shown = at_a_glance(left, rounding=ROUND_DOWN)
    if limit is not None and spent != UNBOUNDED:
        shown = max(min(shown, limit - at_a_glance(spent)), Decimal(0))
    return unrounded_epsilon(shown)


def fitted_budgets(session: Session) -> tuple[Budget, ...] | None:
    """The budgets of the queries made smaller until the ledger takes them; None where that cannot be."""
    population, shown, draft = session.ledger.population, session.forecast, session.draft
    if shown is None or not shown.plans or population is None or draft.relation is None or draft.unit is None:
        return None
    limited, delta = unit_of_total(draft.unit, draft.relation), session.ledger.delta
    charge = add_charges(
        at_whole_total(plan.charge, plan.query.budget, limited, delta) for plan in shown.plans
    )
    gaussian = (plan.query.budget.total for plan in shown.plans if plan.charge.rho)
    share = share_that_fits(population, charge, [total for total in gaussian if total is not None])
    if share is None or not 0 < share < 1:
        return None
    fitted = [scaled_budget(query.budget, share) for query in draft.queries]
    whole = tuple(budget for budget in fitted if budget is not None)
    return whole if len(whole) == len(fitted) else None
