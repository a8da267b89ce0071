"""What the draft would cost, as far as that is known."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import UNBOUNDED, loss_of
from core.privacy import Charge, Unit
from core.values import plain
from ui.session.session import Session


def draft_charge(session: Session) -> Charge | None:
    """Of the newest plan; None until relation and unit are chosen and planning has ended."""
    draft, shown = session.draft, session.forecast
    return shown.charge if shown and draft.relation and draft.unit else None


def epsilon_text(population: PopulationSummary | None, charge: Charge, unit: Unit) -> str:
    """What a charge comes to as an epsilon, at the delta of a population."""
    delta = Decimal(0) if population is None else population.shared_delta
    amount = loss_of(charge, unit).epsilon_at(delta)
    return "∞" if amount == UNBOUNDED else plain(amount)


def was_published(session: Session) -> bool:
    """Whether this window has just published what the draft describes: the same again costs nothing."""
    published, draft = session.published, session.draft
    return (
        published is not None
        and published.release.charge == draft_charge(session)
        and published.release.unit is draft.unit
        and [query.mechanism for query in published.release.queries]
        == [query.asked_of(session.quantity).question.key for query in draft.queries]
    )
