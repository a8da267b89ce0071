"""core.planning.joint: all HATs as one vector."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import Contributions
from core.mechanisms.registry import require_mechanism
from core.noise.simulated import SimulatedNoise
from core.noise.single_trial import SingleTrial
from core.planning.joint import Joint
from core.planning.query_plan import QueryPlan
from core.planning.simulated_means import SimulatedDraws
from tests.core.planning.test_values_query import city, planned
from tests.neighbours import Data

RELEASES = 20_000


@pytest.fixture
def contributed() -> Contributions:
    return city(3, 2, value=30_000)


@pytest.fixture
def both(contributed: Contributions) -> tuple[Joint, Data]:
    plan, data = planned(contributed, mechanism=require_mechanism("tokens"))
    assert isinstance(plan, Joint)
    return plan, data


def test_all_hats_share_one_allowance(both: tuple[Joint, Data]) -> None:
    plan, _ = both
    (allowance,) = plan.allowances
    assert plan.gaussian is bool(allowance.rho)
    assert (plan.division, plan.merged) == ("joint", None)
    assert len(plan.region_epsilons) == len(plan.published)


def test_simulated_means_have_the_noise_that_is_planned(both: tuple[Joint, Data]) -> None:
    plan, data = both
    drawn = plan.simulate(data.users, SimulatedDraws(RELEASES, 7, SimulatedNoise, SingleTrial))
    missed = np.abs(drawn.values - drawn.values.mean(axis=0)).mean(axis=0)
    assert drawn.values.shape == drawn.scales.shape == (RELEASES, 2)
    assert missed == pytest.approx(plan.city.noise.mean_of_scale * drawn.scales[0], rel=0.03)
    assert plan.largest_error == pytest.approx(missed.max(), rel=0.03)


def test_biases_are_those_of_the_hats_where_a_city_is_looked_at_once(both: tuple[Joint, Data]) -> None:
    plan, _ = both
    leads = [one.lead for one in plan.plans]
    interval, typical = plan.biases(leads)
    assert interval.tolist() == [lead.interval_bias or 0.0 for lead in leads]
    assert typical.tolist() == QueryPlan.biases(plan, leads)[1].tolist()


def test_alone_a_hat_would_have_an_equal_share(both: tuple[Joint, Data], contributed: Contributions) -> None:
    """A vehicle is in both."""
    plan, data = both
    assert plan.epsilon_alone(contributed, data.users) == Decimal(5)


def test_figures_are_by_the_number_of_the_hat(both: tuple[Joint, Data]) -> None:
    plan, _ = both
    assert set(plan.hat_figures) == {hat.index for hat in plan.published}
