"""Which noise HATs that are drawn one by one may get (method 7.5)."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.budgets import Budget
from core.accounting.zcdp import USUAL_DELTA, rho_of
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.grouping.suppression_field import SUPPRESS_USERS
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import AUTO, GAUSS, LAPLACE
from core.planning.constant_choice import gaussian_pays_from, noises_of
from core.statistics.base import AnyQuestion
from core.values import plain

_LAPLACE_INSTEAD = f'noise = "{LAPLACE}"'


def takes_gaussian_noise(question: AnyQuestion) -> bool:
    """Whether its HATs, drawn one by one, may get Gaussian noise: what is released of one is linear."""
    return not question.joint and hasattr(question.params, NOISE_FIELD)


def on_gaussian_noise(total: Decimal, delta: Decimal, hats: int) -> str:
    """A sentence after others: from how many HATs per vehicle Gaussian noise pays, and whether to take it.

    total: divided equally over the HATs; hats: the most of one vehicle. Empty where nothing is to be said:
    without a delta, unless one would pay.
    """
    at = delta or Decimal(USUAL_DELTA)
    fewest = gaussian_pays_from(total, at, vectors=1)
    pays = fewest is not None and hats >= fewest
    if not (delta or pays):
        return ""
    known = f" At a total of {plain(total)} and delta {at:.3g}"
    if fewest is None:
        return f"{known} no Gaussian noise is to be had."
    compared = f"{known} Gaussian noise is smaller from {fewest} HATs per vehicle on; the most are {hats}: "
    if not pays:
        return f"{compared}Laplace noise does."
    allow = "" if delta else f" Allow it with ledger set-limit --delta {USUAL_DELTA}."
    return f"{compared}HAT by HAT, take Gaussian noise.{allow}"


def may_buy_rho(question: AnyQuestion) -> bool:
    """Whether a total of it may be spent on Gaussian noise."""
    return question.joint or question.noise_of_hats != LAPLACE


def require_noise(question: AnyQuestion, budget: Budget, delta: Decimal) -> None:
    """Before any record is read: raises InputError for noise of HATs drawn one by one that cannot be had."""
    if not question.joint:
        linear_noises(question, budget, delta)


def linear_noises(question: AnyQuestion, budget: Budget, delta: Decimal) -> list[NoiseKind]:
    """The kind that is asked for, or each that may be had; of a question that is not joint.

    Raises InputError for Gaussian noise that is not to be had: with another budget than a total, where users
    leave HATs, without a delta, and for a total that buys none.
    """
    asked = question.noise_of_hats
    if asked == LAPLACE:
        return [NoiseKind.LAPLACE]
    suppresses = getattr(question.params, SUPPRESS_USERS, False)
    if asked == AUTO and (budget.total is None or suppresses):
        return [NoiseKind.LAPLACE]
    if budget.total is None:
        raise InputError(
            "Gaussian noise in each HAT takes a total per vehicle: its cost adds up in rho, not in epsilon.",
            where="query.epsilon",
            mend=f'write for instance total = "10" in place of it, or {_LAPLACE_INSTEAD}',
        )
    if suppresses:
        raise InputError(
            "Users leave HATs by what Laplace noise misses there, and no rule is known for Gaussian noise.",
            where=f"query.parameters, {SUPPRESS_USERS}",
            mend=f"write {SUPPRESS_USERS} = false, or {_LAPLACE_INSTEAD}",
        )
    if asked == GAUSS:
        rho_of(budget.total, delta)
    return noises_of(asked, delta, budget.total)
