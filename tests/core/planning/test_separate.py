"""core.planning.separate: each HAT by itself."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import Contributions
from core.mechanisms.registry import require_mechanism
from core.noise.simulated import SimulatedNoise
from core.noise.single_trial import SingleTrial
from core.planning.separate import Separate
from core.planning.simulated_means import SimulatedDraws
from core.privacy import Unit
from tests.core.planning.test_values_query import city, planned
from tests.neighbours import Data

RELEASES = 20_000


@pytest.fixture
def contributed() -> Contributions:
    return city(3, 2, value=30_000)


@pytest.fixture
def both(contributed: Contributions) -> tuple[Separate, Data]:
    plan, data = planned(contributed, mechanism=require_mechanism("baseline"))
    assert isinstance(plan, Separate)
    return plan, data


def test_each_hat_may_spend_its_own_share(both: tuple[Separate, Data]) -> None:
    plan, _ = both
    assert [one.epsilon for one in plan.allowances] == [Decimal(5), Decimal(5)]
    assert [one.scope for one in plan.allowances] == [plan.scope(hat) for hat in plan.published]
    assert (plan.gaussian, plan.division, plan.merged, plan.retained) == (False, "equal", None, None)


def test_simulated_means_have_the_noise_that_is_planned(both: tuple[Separate, Data]) -> None:
    """Laplace noise of scale b misses b on average, and the mean of many releases is the true one."""
    plan, data = both
    drawn = plan.simulate(data.users, SimulatedDraws(RELEASES, 7, SimulatedNoise, SingleTrial))
    scales = np.array([one.lead.noise_scale for one in plan.plans])
    assert drawn.values.shape == drawn.scales.shape == (RELEASES, 2)
    assert np.abs(drawn.values - 30.0).mean(axis=0) == pytest.approx(scales, rel=0.03)
    assert drawn.values.mean(axis=0) == pytest.approx(np.full(2, 30.0), abs=0.1 * scales.max())
    assert drawn.corrected == ()
    assert (drawn.scales == scales).all()


def test_errors_and_half_widths_are_those_of_the_hats(both: tuple[Separate, Data]) -> None:
    plan, _ = both
    statistic = plan.query.question.statistic
    assert plan.errors_as_a_map.tolist() == [one.lead.typical_error for one in plan.plans]
    assert plan.half_widths is not None
    assert plan.half_widths.tolist() == [statistic.half_width(one) for one in plan.plans]


def test_what_a_hat_has_alone_is_its_epsilon(both: tuple[Separate, Data], contributed: Contributions) -> None:
    plan, data = both
    assert plan.epsilon_alone(contributed, data.users) == Decimal(5)
    assert plan.day_epsilons(contributed, Unit.VEHICLE) is None
