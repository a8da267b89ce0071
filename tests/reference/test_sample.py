"""The bundled sample: what is said of its mechanisms is true, and its first release is worth looking at."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest

from core.accounting.compose import hats_per_vehicle
from core.advice.city_advice import advise_city
from core.advice.verdict import verdict_of
from core.contributions import EVALUATION_TIE_KEY, HatData, contributions_of, users_of
from core.evaluate.true_statistics import true_mean
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.registry import mechanisms_of
from core.noise.simulated import SimulatedNoise
from core.planning.counted_city import CountedCity
from core.planning.query_plan import query_errors
from core.planning.values_query import plan_query
from core.privacy import Relation
from core.selection.registry import select
from core.spec import load_spec
from core.spec.spec import ReleaseSpec
from core.store.load_records import load_records
from core.system.paths import resources

TRIALS = 1_000
ALIKE = 1.2
"""Measured errors that differ by less than this factor may stand in either order."""
PROUD = 3.0
"""km/h."""


@pytest.fixture(scope="module")
def spec() -> ReleaseSpec:
    return load_spec(resources() / "sample" / "sample.toml")


@pytest.fixture(scope="module")
def hats(spec: ReleaseSpec) -> list[HatData]:
    """Every HAT that the sample's spec releases."""
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    users = users_of(table, spec.unit, EVALUATION_TIE_KEY)
    chosen = select(table, spec.selection).index
    return [users.hat_data(index) for index in chosen[chosen >= 0].tolist()]


@pytest.mark.audit
def test_the_order_by_typical_error_is_that_of_true_errors(spec: ReleaseSpec, hats: list[HatData]) -> None:
    """Median over the HATs at epsilon 1 a HAT, BestFit, default parameters."""
    typical, measured = {}, {}
    for key, mechanism in mechanisms_of(Relation.VALUES).items():
        told, found = [], []
        for seed, hat in enumerate(hats):
            cache = PlanCache()
            plan = mechanism.plan(
                hat.public, Decimal(1), spec.data.rules.upper_bound, mechanism.Params(), cache
            )
            told.append(mechanism.accuracy(plan, hat.public, cache).typical_error)
            drawn = mechanism.run(plan, hat, SimulatedNoise(seed, TRIALS)).estimates / THOUSAND
            found.append(float(np.abs(drawn - true_mean(hat)).mean()))
        typical[key], measured[key] = float(np.median(told)), float(np.median(found))
    for one, other in combinations(typical, 2):
        less, more = sorted((one, other), key=measured.__getitem__)
        if measured[more] >= ALIKE * measured[less]:
            assert typical[less] < typical[more], (less, more)


def test_its_buses_dwell_as_real_ones_do(hats: list[HatData]) -> None:
    """A vehicle is slower by k for each unit of its log records a visit: .37 to .70 in real cities."""
    slower, longer = 0.0, 0.0
    for hat in hats:
        dwell = hat.public.dwell
        assert dwell is not None
        means = hat.sums() / hat.counts
        slower -= float(hat.public.shares * dwell @ (means / (hat.public.shares @ means) - 1.0))
        longer += float(hat.public.shares @ dwell**2)
    assert 0.3 < slower / longer < 0.5


def test_it_begins_on_the_grid_that_is_recommended_for_it(spec: ReleaseSpec) -> None:
    records = load_records(spec.data.paths(), spec.data.rules).records
    advice = advise_city(
        lambda resolution, over: contributions_of(records, resolution, over),
        spec.resolution,
        spec.window,
        spec.selection,
        spec.queries[0],
        unit=spec.unit,
        minimum_vehicles=spec.minimum_vehicles,
        delta=Decimal(0),
    )
    assert advice.own is not None
    assert advice.balanced == advice.own


def test_its_first_release_is_one_to_be_proud_of(spec: ReleaseSpec) -> None:
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    users = users_of(table, spec.unit, EVALUATION_TIE_KEY)
    selection = select(table, spec.selection)
    plan = plan_query(
        CountedCity(table, users, selection, minimum_vehicles=spec.minimum_vehicles), spec.queries[0]
    )
    assert (spec.queries[0].budget.total or 0) <= 10
    assert query_errors(plan.plans).typical.median < PROUD
    assert verdict_of(plan).informative
    shown, known = {hat.cell for hat in plan.published}, set(table.cell.tolist())
    assert len(shown) > 0.8 * len(known), "a first map with most of its hexagons empty shows nothing"
    published = np.zeros(table.hats, bool)
    published[[hat.index for hat in plan.published]] = True
    assert hats_per_vehicle(table, published, spec.unit) > 20  # its budget is shared by many HATs
