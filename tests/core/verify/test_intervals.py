"""Intervals that follow from a rounded mean and weight: those that were drawn, and no narrower ones."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.bounding.bounded_mean import draw_bounded_mean, plan_bounded_mean
from core.bounding.bounding import candidate_rows, unit_entries
from core.bounding.candidates import candidate_hats
from core.bounding.entry_bound import reach_975
from core.bounding.plan_and_enforce import draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.bounding.quotients import quotients
from core.city.noise_kind import NoiseKind
from core.contributions import pairs_of
from core.privacy import Unit
from core.verify.intervals import interval_range
from tests.bounding import constants_of, entries_in, random_stays, table_of
from tests.fakes import ScriptedNoise
from tests.strategies import U

CONSTANTS = constants_of()
LISTED = candidate_hats(CONSTANTS)
PUBLIC = PublicCounts(units=np.full(len(LISTED), 3), records=np.full(len(LISTED), 2), fleet=6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("noise", list(NoiseKind))
@pytest.mark.parametrize("spend", ["0.5", "40"])
def test_what_was_drawn_is_within_and_half_of_it_is_not(seed: int, noise: NoiseKind, spend: str) -> None:
    """Means that were cut to the range, and intervals that tell nothing, too."""
    rng, stays = np.random.default_rng(seed), random_stays(seed, vehicles=9, visits=120)
    bounded = plan_bounded_mean(CONSTANTS, noise, Decimal(spend), 1)
    enforced = plan_enforced(PUBLIC.pairs(), LISTED, U, noise, Decimal(spend))
    table = table_of(stays)
    entries = unit_entries(candidate_rows(table, LISTED, Unit.VEHICLE), pairs_of(table))
    far = [int(x) for x in rng.normal(0, 1, 2 * len(LISTED)) * max(bounded.sensitivities.values())]
    one = draw_bounded_mean(bounded, entries_in(stays, CONSTANTS), lambda _: ScriptedNoise(*far))
    wide = [int(x) for x in rng.normal(0, 1, 2 * len(LISTED)) * enforced.sensitivity / 10]
    other = draw_enforced(enforced, entries, ScriptedNoise(*wide))
    for plan, drawn in ((bounded, one), (enforced, other)):
        means, columns = drawn.means, np.arange(len(LISTED))
        told = interval_range(plan, columns, means.value.astype(float), drawn.weight.astype(float))
        low, high = means.low.astype(float), means.high.astype(float)
        assert told.holds(low, high).all()
        clear = means.informative & (means.low > 20) & (means.high < U - 20) & (drawn.weight > 100)
        assert not told.holds(low + 20, high)[clear].any()
        assert not told.holds(low, high - 20)[clear].any()


@pytest.mark.parametrize("noise", list(NoiseKind))
@pytest.mark.parametrize("spend", ["0.5", "8", "70", "400"])
def test_a_row_whose_weight_is_the_least_that_counts_is_within(noise: NoiseKind, spend: str) -> None:
    """One vehicle, and nearly no noise: there a lighter weight counts as no lighter."""
    plan = plan_bounded_mean(CONSTANTS, noise, Decimal(spend), 1)
    values = np.linspace(-500.0, U + 500.0, 101)
    made = quotients(
        values - plan.middle,
        np.ones(values.size),
        reach=(reach_975(noise, plan.sum_scale) * 1000, reach_975(noise, plan.weight_scale)),
        least=1.0,
        centre=plan.middle,
        upper=U,
    )
    told = interval_range(plan, np.arange(values.size), made.value.astype(float), np.full(values.size, 1e3))
    assert told.holds(made.low.astype(float), made.high.astype(float)).all()
