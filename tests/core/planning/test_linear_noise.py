"""Which noise HATs that are drawn one by one get, and what is refused."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.planning.linear_noise import linear_noises, may_buy_rho, require_noise
from tests.queries import TEN, mean_query

DELTA = Decimal("1e-6")
PER_HAT = Budget(per_hat=Decimal(1))
LAPLACE, GAUSS = NoiseKind.LAPLACE, NoiseKind.GAUSS


@pytest.mark.parametrize(
    ("noise", "budget", "delta", "kinds"),
    [
        ("laplace", PER_HAT, DELTA, [LAPLACE]),
        ("laplace", TEN, DELTA, [LAPLACE]),
        ("gauss", TEN, DELTA, [GAUSS]),
        ("auto", TEN, DELTA, [LAPLACE, GAUSS]),
        ("auto", TEN, Decimal(0), [LAPLACE]),
        ("auto", PER_HAT, DELTA, [LAPLACE]),
        ("auto", Budget(total=Decimal("0.01")), DELTA, [LAPLACE]),
    ],
)
def test_what_may_be_had(noise: str, budget: Budget, delta: Decimal, kinds: list[NoiseKind]) -> None:
    assert linear_noises(mean_query("baseline", noise=noise).question, budget, delta) == kinds


@pytest.mark.parametrize(
    ("budget", "delta", "suppress", "where"),
    [
        (PER_HAT, DELTA, False, "query.epsilon"),
        (TEN, Decimal(0), False, "delta"),
        (TEN, DELTA, True, "query.parameters, suppress_users"),
        (Budget(total=Decimal("0.01")), DELTA, False, "epsilon"),
    ],
)
def test_gaussian_noise_that_cannot_be_had_is_refused_in_three_parts(
    budget: Budget, delta: Decimal, suppress: bool, where: str
) -> None:
    question = mean_query("array-averaging", noise="gauss", suppress_users=suppress).question
    with pytest.raises(InputError) as refused:
        require_noise(question, budget, delta)
    assert refused.value.where == where
    assert refused.value.mend


def test_only_what_may_be_gaussian_may_be_paid_in_rho() -> None:
    assert may_buy_rho(mean_query("tokens").question)
    assert may_buy_rho(mean_query("baseline", noise="auto").question)
    assert not may_buy_rho(mean_query("baseline").question)
    assert not may_buy_rho(mean_query("levy").question)
    require_noise(mean_query("tokens", noise="gauss").question, PER_HAT, Decimal(0))  # has its own refusals
