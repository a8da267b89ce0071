"""Which noise HATs that are drawn one by one may get (method 7.5)."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.budgets import Budget
from core.accounting.zcdp import rho_of
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.grouping.suppression_field import SUPPRESS_USERS
from core.mechanisms.tokens import AUTO, GAUSS, LAPLACE
from core.planning.constant_choice import noises_of
from core.statistics.base import AnyQuestion

_LAPLACE_INSTEAD = f'noise = "{LAPLACE}"'


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
