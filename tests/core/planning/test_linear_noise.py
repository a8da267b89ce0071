"""Which noise HATs that are drawn one by one get, and what is refused."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.mechanisms.registry import mechanisms_of
from core.planning.linear_noise import (
    advise_noise,
    linear_noises,
    may_buy_rho,
    require_noise,
    takes_gaussian_noise,
)
from core.privacy import Relation
from core.statistics.question import question_of
from core.statistics.registry import all_statistics, require_statistic
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


def test_the_advice_says_from_how_many_hats_gaussian_noise_pays() -> None:
    ten, few, none = Decimal(10), Decimal("0.01"), Decimal(0)
    question = mean_query("baseline").question
    pays = advise_noise(question, ten, DELTA, 24)
    assert (pays.noise, pays.available) == ("gauss", True)
    assert pays.reason == (
        "At a total of 10 and delta 1e-6 Gaussian noise is smaller than Laplace noise where a "
        "vehicle visits 24 hexagon slots or more. Here it is about 24: take Gaussian "
        "noise."
    )
    unknown = advise_noise(question, ten, none, 24)
    assert (unknown.noise, unknown.available) == ("gauss", False)
    told = "The population must allow it first: give its limit a delta, for instance 1e-6."
    assert unknown.reason == f"{pays.reason} {told}"
    for delta in (DELTA, none):
        too_few = advise_noise(question, ten, delta, 23.5)
        assert (too_few.noise, too_few.available) == ("laplace", True)
        assert too_few.reason.endswith("Here it is about 23: take Laplace noise.")
    poor = advise_noise(question, few, DELTA, 23)
    assert (poor.noise, poor.available) == ("laplace", True)
    assert (
        poor.reason == "At a total of 0.01 and delta 1e-6 Gaussian noise is not possible. Take Laplace noise."
    )


@pytest.mark.parametrize(
    ("statistic", "parameters", "from_two", "from_ten"),
    [
        ("query1", {}, 18, 24),
        ("query2", {"limits": [30, 40, 50]}, 6, 8),
        ("query2", {"limits": [30, 40, 50], "histogram": True}, 8, 11),
        ("cdf", {"bins": 13}, 6, 8),
        ("cdf", {"bins": 650}, 2, 3),
    ],
)
def test_vectors_pay_from_fewer_hats_on(
    statistic: str, parameters: dict[str, object], from_two: int, from_ten: int
) -> None:
    """The table of method 7.5."""
    question = question_of(require_statistic(statistic), None, parameters)
    for total, fewest in ((Decimal(2), from_two), (Decimal(10), from_ten)):
        told = f"where a vehicle visits {fewest} hexagon slots or more"
        assert told in advise_noise(question, total, DELTA, 1).reason


def test_what_is_linear_alone_is_advised_on_it() -> None:
    taken = [
        key
        for key, one in mechanisms_of(Relation.VALUES).items()
        if takes_gaussian_noise(mean_query(key).question)
    ]
    assert taken == ["array-averaging", "baseline", "opt-array-averaging"]
    asked = {
        key: [question_of(one, None, {}, relation) for relation in sorted(one.relations)]
        for key, one in all_statistics().items()
        if one.method
    }
    linear = {key: [takes_gaussian_noise(one) for one in listed] for key, listed in asked.items()}
    # in relation user first, where all HATs are one plan
    both = [False, True]
    # a share is of the whole city, which has noise of either kind as one vector
    alone = {"mean_variance": [False], "share": [False, False]}
    assert linear == {"cdf": both, "query1": both, "query2": both} | alone


def test_only_what_may_be_gaussian_may_be_paid_in_rho() -> None:
    assert may_buy_rho(mean_query("tokens").question)
    assert may_buy_rho(mean_query("baseline", noise="auto").question)
    assert not may_buy_rho(mean_query("baseline").question)
    assert not may_buy_rho(mean_query("levy").question)
    require_noise(mean_query("tokens", noise="gauss").question, PER_HAT, Decimal(0))  # has its own refusals
