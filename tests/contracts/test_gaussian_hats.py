"""Gaussian noise HAT by HAT in relation `values` (7.5): what it costs, how large it is, what bundles tell."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.accounting.budgets import DIVISIONS, Budget
from core.accounting.ledger import Ledger
from core.accounting.zcdp import rho_of
from core.advice.division_savings import division_savings
from core.advice.smoothed import smoothing_facts
from core.bundle.csv_columns import EPSILON_SUMMARY
from core.contributions import Contributions, HatUsers
from core.errors import InputError, InternalError
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import LinearMechanism, epsilon_of_same_variance
from core.mechanisms.registry import all_mechanisms
from core.noise.simulated import SimulatedNoise
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan, query_errors
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.signed.bundle_names import PRIVACY
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.audit import gaussian_draws, rho_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.builders import forge, make_key
from tests.city import POPULATION, write_city
from tests.core.planning.test_values_query import city
from tests.draws import draw_query
from tests.fakes import RecordingNoise
from tests.neighbours import (
    Data,
    all_of,
    assert_neighbours_covered,
    data_of,
    joint_losses,
    neighbours_of,
    with_new_values,
)
from tests.queries import mean_query
from tests.strategies import U, contributions, hat_data, presence, values
from tests.taxis import NOW
from tests.units import EVERY_UNIT

DELTA = Decimal("1e-6")
TOTAL = Decimal(10)
RHO = rho_of(TOTAL, DELTA)
KEYS = [key for key, one in all_mechanisms().items() if isinstance(one, LinearMechanism)]
EVERY_LINEAR = pytest.mark.parametrize("key", KEYS)
EVERY_DIVISION = pytest.mark.parametrize("divide", DIVISIONS)


def planned(
    contributed: Contributions,
    key: str = "array-averaging",
    *,
    noise: str = "gauss",
    divide: str = "equal",
    unit: Unit = Unit.VEHICLE,
    total: Decimal = TOTAL,
    delta: Decimal = DELTA,
) -> tuple[QueryPlan, Data]:
    data = data_of(contributed, unit)
    # the rule of Opt-Array-Averaging goes by the amount, which the optimal division does not know beforehand
    rules = {"m_ub": "median"} if key == "opt-array-averaging" else {}
    query = mean_query(key, budget=Budget(total=total, divide=divide), noise=noise, **rules)
    plan = plan_query(
        CountedCity(contributed, data.users, all_of(contributed), minimum_vehicles=1, delta=delta), query
    )
    return plan, data


def test_the_linear_mechanisms_take_it() -> None:
    assert KEYS == ["array-averaging", "baseline", "opt-array-averaging"]


# what it costs


@EVERY_LINEAR
@EVERY_DIVISION
@settings(max_examples=10)
@given(data=st.data(), unit=st.sampled_from(list(Unit)))
def test_neighbours_cost_no_more_rho_than_the_charge(
    key: str, divide: str, data: st.DataObject, unit: Unit
) -> None:
    """Also a whole vehicle where one of its days is the unit: what moves is added before it is squared."""
    contributed = data.draw(contributions())
    row = data.draw(st.integers(0, contributed.hat.size - 1))
    new = data.draw(st.just([U] * contributed.values.size) | values(contributed.values.size))
    plan, source = planned(contributed, key, divide=divide, unit=unit)
    assert plan.charge.rho.per_vehicle <= RHO
    assert plan.charge.of(Unit.VEHICLE) == 0
    assert_neighbours_covered(plan, source, neighbours_of(contributed, row, new, unit))


@EVERY_UNIT
@EVERY_DIVISION
def test_the_charge_of_a_vehicle_is_attained(unit: Unit, divide: str) -> None:
    """Vehicle 0 is in all three HATs on both days and goes from 0 to U in each."""
    contributed = city(1, 2, 3, value=0, days=2)
    plan, data = planned(contributed, "baseline", divide=divide, unit=unit)
    neighbour = with_new_values(contributed, contributed.vehicle == 0, [U] * contributed.values.size)
    pure, rho = joint_losses(plan, data, neighbour)
    charge = plan.charge.rho.per_vehicle
    assert pure == 0
    assert Fraction("0.999999") * Fraction(charge) <= rho <= Fraction(charge)
    assert Decimal("0.999999") * RHO < charge <= RHO
    # both days of a vehicle move a HAT twice as far as one of them does: four times its rho
    times = 1 if unit is Unit.VEHICLE else 4
    assert charge == times * sum(one.rho for one in plan.plans)
    assert plan.charge.rho.per_vehicle_day == sum(one.rho for one in plan.plans)


def test_equal_and_optimal_shares_by_hand() -> None:
    """HATs of 1 and 4 vehicles: U and U/4 sensitive; squares of 1 and 1/16 share what vehicle 0 has."""
    equal, _ = planned(city(1, 4), "baseline")
    optimal, _ = planned(city(1, 4), "baseline", divide="optimal")
    assert [float(one.rho / RHO) for one in equal.plans] == pytest.approx([0.5, 0.5])
    assert [float(one.rho / RHO) for one in optimal.plans] == pytest.approx([16 / 17, 1 / 17])
    scale = 65 * math.sqrt(17) / 4 / math.sqrt(2 * float(RHO))
    assert [one.lead.noise_scale for one in optimal.plans] == pytest.approx([scale, scale])
    for plan in (*equal.plans, *optimal.plans):
        stated = float(plan.epsilon)
        assert escaping(stated, plan.rho) <= DELTA < escaping(stated - 1e-4, plan.rho)


def escaping(epsilon: float, rho: Decimal) -> float:
    """By how much a Gaussian mechanism of `mu = sqrt(2 rho)` misses it (Balle and Wang, theorem 8)."""
    mu, normal = math.sqrt(2 * float(rho)), NormalDist()
    return normal.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal.cdf(-mu / 2 - epsilon / mu)


@EVERY_LINEAR
def test_each_hat_spends_its_rho_and_no_epsilon(key: str) -> None:
    plan, data = planned(city(3, 2, 4, days=2), key)
    noise = RecordingNoise()
    draw_query(plan, data.users, data.pairs, noise)
    allowed = {one.scope: one for one in plan.allowances}
    assert len(noise.requests) == len(noise.gaussians) == len(allowed) == 3
    for asked, hat in zip(noise.gaussians, plan.published, strict=True):
        assert (allowed[asked.scope].epsilon, allowed[asked.scope].rho) == (0, asked.spend)
        assert hat.plan is not None
        assert asked.sensitivity == hat.plan.detail.plan.sensitivity


# how large it is


@EVERY_LINEAR
@given(hat=hat_data())
def test_the_sensitivity_is_that_of_laplace_noise(key: str, hat: Any) -> None:
    """One number moves by as much in L1 as in L2; rules go by Laplace noise of the same variance."""
    mechanism, rho = all_mechanisms()[key], Decimal("0.01")
    given_to = HatUsers(counts=hat.counts), U, mechanism.Params(), PlanCache()
    users, *rest = given_to
    gaussian = mechanism.plan_gaussian(users, rho, *rest)
    laplace = mechanism.plan(users, epsilon_of_same_variance(rho), *rest)
    assert dataclasses.replace(gaussian, rho=Decimal(0)) == laplace
    assert gaussian.noise_scale == pytest.approx(gaussian.sensitivity_kmh / math.sqrt(0.02))
    assert gaussian.noise_scale == pytest.approx(math.sqrt(2) * laplace.noise_scale)
    assert gaussian.mean_noise == pytest.approx(math.sqrt(2 / math.pi) * gaussian.noise_scale)
    assert gaussian.error_at_worst <= gaussian.upper_kmh


def test_draws_have_the_planned_deviation_and_intervals_their_coverage() -> None:
    """A HAT of so many records that nothing is cut off."""
    mechanism, counts = all_mechanisms()["baseline"], np.full(400, 3)
    users = HatUsers(counts=counts)
    plan = mechanism.plan_gaussian(users, Decimal("0.02"), U, mechanism.Params(), PlanCache())
    told = mechanism.accuracy(plan, users, PlanCache())
    total = 30_000 * int(counts.sum())
    noise = SimulatedNoise(3, 40_000)
    drawn = (
        noise.gaussian_vector(np.array([total]), plan.sensitivity, spend=plan.rho)[:, 0] / plan.divisor - 30
    )
    assert drawn.std() == pytest.approx(plan.noise_scale, rel=0.02)
    assert np.abs(drawn).mean() == pytest.approx(told.typical_error, rel=0.02)
    assert (np.abs(drawn) <= told.half_width).mean() == pytest.approx(0.95, abs=0.005)


def test_auto_takes_what_misses_less() -> None:
    """In one HAT Laplace noise, in six Gaussian, at so large a delta."""
    few, _ = planned(city(3), "baseline", noise="auto")
    assert not few.gaussian
    assert few.charge.of(Unit.VEHICLE) == TOTAL
    many = presence(*((hat, vehicle, 0) for hat in range(6) for vehicle in range(2)))
    amounts = {"total": Decimal(4), "delta": Decimal("0.3")}
    auto, gauss, laplace = (
        planned(many, "baseline", noise=noise, **amounts)[0] for noise in ("auto", "gauss", "laplace")
    )
    errors = [query_errors(plan.plans).typical.median for plan in (auto, gauss, laplace)]
    assert auto.gaussian
    assert errors[0] == errors[1] < errors[2]
    assert smoothing_facts(auto).gaussian


def test_the_other_division_is_compared_at_the_same_noise() -> None:
    contributed = city(1, 4)
    plan, data = planned(contributed, "baseline")
    found = division_savings(
        plan, CountedCity(contributed, data.users, all_of(contributed), minimum_vehicles=1, delta=DELTA)
    )
    assert found.saved == pytest.approx(1 - math.sqrt(17 / 16) / math.sqrt(2), rel=1e-6)


def test_a_statistic_or_mechanism_without_it_is_no_place_for_it() -> None:
    levy = mean_query("levy").question
    with pytest.raises(InternalError, match="takes none"):
        levy.plan_gaussian(None, Decimal(1))  # type: ignore[attr-defined]


# a whole release


def spec_in(folder: Path, *edits: tuple[str, str]) -> Path:
    noise = ("[query.parameters]\n", '[query.parameters]\nnoise = "gauss"\n')
    return write_city(folder, edit=(noise, *edits))


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=TOTAL, delta=DELTA)
    return opened


def released(spec: Path, ledger: Ledger, out: Path) -> PublishedRelease:
    return publish(prepare(load_spec(spec), ledger), ledger, key=make_key(), out=out, now=NOW)


def failed(bundle: Path) -> set[str]:
    return {check.name for check in verify_bundle(bundle).checks if not check.passed}


OPTIMAL = ('total = "6"', 'total = "6"\ndivision = "optimal"')
BY_DAY = ('unit = "vehicle"\nconfirmed', 'unit = "vehicle-day"\nconfirmed')


@pytest.mark.parametrize("edits", [(), (OPTIMAL,), (BY_DAY,), (OPTIMAL, BY_DAY)])
def test_a_release_is_paid_in_rho_verifies_and_repeats_for_nothing(
    edits: tuple[tuple[str, str], ...], tmp_path: Path, ledger: Ledger
) -> None:
    first = released(spec_in(tmp_path / "city", *edits), ledger, tmp_path / "out")
    assert failed(first.bundle) == set()
    (population,) = ledger.populations()
    assert population.loss.pure == 0
    assert Decimal("5.9") < population.spent <= 6
    told = json.loads((first.bundle / "privacy.json").read_text("utf-8"))["queries"][0]
    assert told["noise"] == "discrete Gaussian"
    assert told["made_by"]["details"]["noise"] == told["made_by"]["parameters"]["noise"] == "gauss"
    assert Decimal(told["made_by"]["details"]["rho_of_a_hat"].split(" to ")[-1]) == Decimal(
        told["charges_rho"]["vehicle-hat-day"]
    )
    readme = (first.bundle / "README.md").read_text("utf-8")
    assert "gauss noise" in readme
    assert "a rho of" in readme
    ledger.set_limit(POPULATION, per_vehicle=TOTAL, delta=Decimal(0))
    again = released(spec_in(tmp_path / "city", *edits, ('"1.0.0"', '"1.0.1"')), ledger, tmp_path / "out")
    assert again.repeated
    assert again.release == first.release


LIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a smaller scale": lambda made_by: _shrink(made_by["measures"][0]["noise_scale"]),
    "a smaller sensitivity": lambda made_by: _shrink(made_by["measures"][0]["sensitivity"]),
    "less rho": lambda made_by: made_by["details"].update(rho_of_a_hat="0.001"),
    "no rho": lambda made_by: made_by["details"].pop("rho_of_a_hat"),
    "rho that falls": lambda made_by: made_by["details"].update(rho_of_a_hat="2 to 1"),
    "Laplace noise in a detail": lambda made_by: made_by["details"].update(noise="laplace"),
    "Laplace noise in a parameter": lambda made_by: made_by["parameters"].update(noise="laplace"),
    "a smaller total": lambda made_by: made_by["asked"].update(total="0.000001"),
}


def _shrink(figures: dict[str, str]) -> None:
    figures.update({name: f"{float(one) * 0.999:.9g}" for name, one in figures.items()})


@pytest.mark.parametrize("edits", [(), (OPTIMAL, BY_DAY)])
def test_signed_lies_about_the_noise_are_found(
    edits: tuple[tuple[str, str], ...], tmp_path: Path, ledger: Ledger
) -> None:
    """Each is told alike in the statement and in the summary."""
    bundle = released(spec_in(tmp_path / "city", *edits), ledger, tmp_path / "out").bundle
    statement, summary = ((bundle / name).read_text("utf-8") for name in (PRIVACY, EPSILON_SUMMARY.path))
    for name, edit in LIES.items():
        document, table = json.loads(statement), summary
        query = document["queries"][0]
        edit(query["made_by"])
        for one in ("noise_scale", "sensitivity"):
            largest = f"{float(query['made_by']['measures'][0][one]['largest']):.6f}".rstrip("0")
            table = table.replace(f",{query[one]},", f",{largest},")
            query[one] = largest
        forge(bundle, {PRIVACY: json.dumps(document).encode(), EPSILON_SUMMARY.path: table.encode()})
        assert failed(bundle) == {"privacy"}, name


def test_what_cannot_be_had_is_refused_before_anything_is_read(tmp_path: Path, ledger: Ledger) -> None:
    per_hat, total = spec_in(tmp_path / "a", ('total = "6"', 'epsilon = "0.5"')), spec_in(tmp_path / "b")
    for spec in (per_hat, total):
        (spec.parent / "records.csv").write_text("no records")
    with pytest.raises(InputError, match="needs a total"):
        released(per_hat, ledger, tmp_path / "out")
    ledger.set_limit(POPULATION, per_vehicle=TOTAL, delta=Decimal(0))
    with pytest.raises(InputError, match="needs a delta"):
        released(total, ledger, tmp_path / "out")
    assert ledger.populations()[0].spent == 0


# what draws betray


@pytest.mark.parametrize(
    ("trials", "stretch", "least"),
    [
        (3_000, 1.0, 0.15),
        (3_000, 0.5, None),
        pytest.param(1_000_000, 1.0, 0.57, marks=pytest.mark.audit),
        pytest.param(100_000, 0.5, None, marks=pytest.mark.audit),
    ],
)
def test_draws_of_all_hats_of_a_vehicle_betray_no_more_than_its_rho(
    trials: int, stretch: float, least: float | None, audits: Audits
) -> None:
    """A vehicle moves both of its HATs as far as it can; as these have the same noise, the adversary looks at
    the sum of what is drawn.
    """
    contributed = city(2, 2, value=0)
    plan, data = planned(contributed, "baseline")
    neighbour = data_of(with_new_values(contributed, contributed.vehicle == 0, [U] * 4), Unit.VEHICLE)
    sums = []
    for drawn_from in (data, neighbour):
        noise = RecordingNoise()
        draw_query(plan, drawn_from.users, drawn_from.pairs, noise)
        asked = noise.gaussians
        drawn = [
            gaussian_draws(np.array(one.centres), one.sensitivity, one.spend, trials, stretch=stretch)
            for one in asked
        ]
        sums.append(np.sum(drawn, axis=0)[:, 0].astype(np.float64))
    certified = rho_lower_bound(*sums, 1e-6)
    claimed = plan.charge.rho.per_vehicle
    said = {"claimed": claimed, "certified": certified, "trials": trials}
    if least is None:
        audits.caught("baseline", WHOLE, setting="Gaussian in two HATs, noise halved", **said)
    else:
        audits.holds("baseline", WHOLE, setting="Gaussian in two HATs", least=least, **said)
