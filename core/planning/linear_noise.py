"""Laplace or Gaussian noise for HATs drawn one by one: take the one; a missing delta (method 7.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import delta_text, plain
from core.accounting.zcdp import USUAL_DELTA, rho_of
from core.city.noise_kind import NoiseKind
from core.counted import count_of
from core.errors import InputError
from core.grouping.suppression_field import SUPPRESS_USERS
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import AUTO, GAUSS, LAPLACE
from core.planning.constant_choice import gaussian_pays_from, noises_of
from core.statistics.base import AnyQuestion
from core.texts import joined, text_of

_LAPLACE_INSTEAD = f'noise = "{LAPLACE}"'


def takes_gaussian_noise(question: AnyQuestion) -> bool:
    """Whether its HATs, drawn one by one, may get Gaussian noise: what is released of one is linear."""
    return not question.joint and hasattr(question.params, NOISE_FIELD)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseAdvice:
    """Which noise to take where each HAT may get either, and why."""

    noise: str
    """`gauss` or `laplace`: the smaller one in the mean."""
    available: bool
    """It is to be had as things stand; otherwise `reason` says how."""
    reason: str
    """A sentence or two for the analyst, of public figures."""


def advise_noise(question: AnyQuestion, total: Decimal, delta: Decimal, hats: float) -> NoiseAdvice:
    """From how many HATs per vehicle on Gaussian noise is smaller, and whether it is here.

    question: one that takes it; total: that is divided over the HATs; delta: what the population allows, 0:
    nothing, and a usual one is named; hats: of one vehicle (`hats_of_one`).
    """
    at = delta or Decimal(USUAL_DELTA)
    vectors = question.statistic.equal_numbers(question)
    fewest = gaussian_pays_from(total, at, vectors=vectors)
    known = text_of("At a total of {total} and delta {at}", total=plain(total), at=delta_text(at))
    if fewest is None:
        return NoiseAdvice(
            noise=LAPLACE,
            available=True,
            reason=text_of("{known} Gaussian noise is not possible. Take Laplace noise.", known=known),
        )
    start = count_of(fewest, "hexagon slot")
    most = int(hats)
    pays = text_of(
        "{known} Gaussian noise is smaller than Laplace noise where a vehicle visits {start} or more.",
        known=known,
        start=start,
    )
    if hats < fewest:
        here = text_of("Here it is about {most}: take Laplace noise.", most=most)
        return NoiseAdvice(noise=LAPLACE, available=True, reason=joined(" ", (pays, here)))
    sentences = [pays, text_of("Here it is about {most}: take Gaussian noise.", most=most)]
    if not delta:
        sentences.append(
            text_of(
                "The population must allow it first: give its limit a delta, for instance {usual_delta}.",
                usual_delta=USUAL_DELTA,
            )
        )
    return NoiseAdvice(noise=GAUSS, available=delta > 0, reason=joined(" ", sentences))


def may_buy_rho(question: AnyQuestion) -> bool:
    """Whether a total of it may be spent on Gaussian noise."""
    return question.joint or question.noise_of_hats != LAPLACE


def known_total(asked: Iterable[tuple[AnyQuestion, Budget]], delta: Decimal) -> Decimal | None:
    """What several questions cost a vehicle at most, where totals alone tell it; None where they do not.

    A total that may be spent as rho adds less than itself to rho that was spent before: it is not known.
    """
    pairs = list(asked)
    totals = [budget.total for _, budget in pairs if budget.total is not None]
    converted = delta > 0 and any(may_buy_rho(question) for question, _ in pairs)
    return None if converted or len(totals) < len(pairs) else sum(totals, Decimal(0))


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
            "Gaussian noise in each hexagon slot needs a total per vehicle, because its cost adds up "
            "in rho, not in epsilon.",
            where="query.epsilon",
            mend=text_of(
                'write for instance total = "10" instead, or {laplace_instead}',
                laplace_instead=_LAPLACE_INSTEAD,
            ),
        )
    if suppresses:
        raise InputError(
            "Suppression follows the errors of Laplace noise; there is no rule for Gaussian noise.",
            where=f"query.parameters, {SUPPRESS_USERS}",
            mend=text_of(
                "write {suppress_users} = false, or {laplace_instead}",
                suppress_users=SUPPRESS_USERS,
                laplace_instead=_LAPLACE_INSTEAD,
            ),
        )
    if asked == GAUSS:
        rho_of(budget.total, delta)
    return noises_of(asked, delta, budget.total)
