"""Gaussian noise of Query 1, Query 2 and distributions HAT by HAT (method 7.5, 8.4, 9.4): sensitivities by
brute force, charges, intervals, whole bundles, and what draws betray.
"""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from core.accounting.budgets import DIVISIONS, Budget
from core.accounting.ledger import Ledger
from core.accounting.zcdp import epsilon_of, rho_of
from core.advice.forecast import noise_advice
from core.contributions import Contributions
from core.errors import InputError
from core.noise.secure import gaussian_scale
from core.noise.simulated import SimulatedNoise
from core.noise.single_trial import SingleTrial
from core.planning.counted_city import CountedCity
from core.planning.hats_of_one import hats_of_one
from core.planning.query_plan import Query, QueryPlan, query_errors
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.base import Estimate, HatCounts, HatPlan, HatRecords
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.audit import noise_by_law, rho_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.builders import forge
from tests.city import POPULATION, SPEC, write_city
from tests.contracts.test_gaussian_hats import LIES, failed, released
from tests.contracts.test_statistic_audits import Pair, unit_pair, users_pair
from tests.core.planning.test_values_query import city
from tests.fakes import RecordedGaussian, RecordingNoise, secure_noise
from tests.neighbours import Data, all_of, data_of, joint_losses, with_new_values
from tests.pairs import counts_of, neighbourhoods, records_of, table_of
from tests.strategies import U, contributions, presence
from tests.units import EVERY_UNIT

DELTA = Decimal("1e-6")
TOTAL = Decimal(10)
RHO = rho_of(TOTAL, DELTA)
ONE = Decimal(1)
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "query1": ("query1", {}),
    "query2, limits": ("query2", {"limits": [0.3, 0.6]}),
    "query2, histogram": ("query2", {"limits": [0.3, 0.6], "histogram": True}),
    "cdf, flat": ("cdf", {"bins": 4, "tree": "flat", "m_ub": "all"}),
    "cdf, binary": ("cdf", {"bins": 4, "tree": "binary", "m_ub": "all"}),
    "cdf, of vehicles": ("cdf", {"bins": 4, "tree": "binary", "weights": "user"}),
}
EVERY_WAY = pytest.mark.parametrize("way", WAYS)


def question(way: str, **changes: Any) -> Any:
    key, params = WAYS[way]
    return question_of(require_statistic(key), None, {**params, "noise": "gauss", **changes})


def hat_plan(way: str, counts: HatCounts, rho: Decimal = ONE, **changes: Any) -> HatPlan[Any]:
    asked = question(way, **changes)
    return asked.statistic.plan_gaussian(counts, rho, epsilon_of(Decimal(0), rho, DELTA), asked)


def asked_of(way: str, plan: HatPlan[Any], records: HatRecords) -> RecordedGaussian:
    """The one request of a HAT."""
    noise = RecordingNoise()
    require_statistic(WAYS[way][0]).draw(plan, records, noise)
    (only,) = noise.requests
    assert isinstance(only, RecordedGaussian)
    return only


# how far one user moves all numbers


@EVERY_WAY
@EVERY_UNIT
@settings(max_examples=6, deadline=None)
@given(
    table=contributions(most_vehicles=2, most_hats=1, most_records=2, upper_bound=1_000).filter(
        lambda table: table.values.size <= 4
    )
)
def test_no_values_of_one_user_move_the_vector_further(way: str, unit: Unit, table: Contributions) -> None:
    """All assignments of values in the first, a middle and the last bin; some attain it, but for rounding."""
    plan = hat_plan(way, counts_of(table, unit))
    reached, claimed = 0, 0
    for tables in neighbourhoods(table, unit, (0, 600, 1_000)):
        asked = [asked_of(way, plan, records_of(one, unit)) for one in tables]
        claimed = asked[0].sensitivity
        centres = [one.centres for one in asked]
        reached = max(
            reached,
            *(
                sum((a - b) ** 2 for a, b in zip(one, two, strict=True))
                for place, one in enumerate(centres)
                for two in centres[place:]
            ),
        )
    assert reached <= claimed**2
    assert reached >= (claimed * (1 - 2**-15)) ** 2


@EVERY_WAY
@EVERY_UNIT
@pytest.mark.parametrize("divide", DIVISIONS)
def test_the_charge_of_a_vehicle_is_attained(way: str, unit: Unit, divide: str) -> None:
    """Vehicle 0 goes from 0 to U in all HATs on both days: its own sum over its HATs is the charge."""
    contributed = city(1, 2, 3, value=0, days=2)
    plan, data = planned(way, contributed, unit=unit, divide=divide)
    neighbour = with_new_values(contributed, contributed.vehicle == 0, [U] * contributed.values.size)
    pure, rho = joint_losses(plan, data, neighbour)
    charge = plan.charge.rho.per_vehicle
    assert pure == plan.charge.per_vehicle == 0
    assert Fraction("0.9999") * Fraction(charge) <= rho <= Fraction(charge)
    assert Decimal("0.999999") * RHO < charge <= RHO


def planned(
    way: str,
    contributed: Contributions,
    *,
    unit: Unit = Unit.VEHICLE,
    divide: str = "equal",
    noise: str = "gauss",
    total: Decimal = TOTAL,
    delta: Decimal = DELTA,
) -> tuple[QueryPlan, Data]:
    data = data_of(contributed, unit)
    limits = {"limits": [20, 40]} if WAYS[way][0] == "query2" else {}
    query = Query(
        id=WAYS[way][0],
        question=question(way, noise=noise, **limits),
        budget=Budget(total=total, divide=divide),
    )
    plan = plan_query(
        CountedCity(contributed, data.users, all_of(contributed), minimum_vehicles=1, delta=delta), query
    )
    return plan, data


@EVERY_WAY
def test_auto_takes_what_misses_less(way: str) -> None:
    """In one HAT of Query 1 Laplace noise, in six Gaussian, at so large a delta."""
    if way == "query1":
        assert not planned(way, city(3), noise="auto")[0].gaussian
    many = presence(*((hat, vehicle, 0) for hat in range(6) for vehicle in range(9)))
    amounts = {"total": Decimal(4), "delta": Decimal("0.3")}
    auto, gauss, laplace = (
        planned(way, many, noise=noise, **amounts)[0] for noise in ("auto", "gauss", "laplace")
    )
    errors = [query_errors(plan.plans).typical.median for plan in (auto, gauss, laplace)]
    assert auto.gaussian
    assert errors[0] == errors[1] < errors[2]


@EVERY_WAY
def test_the_advice_takes_what_misses_less(way: str) -> None:
    """From one to six HATs of every vehicle; whichever noise was planned."""
    amounts = {"total": Decimal(4), "delta": Decimal("0.02")}
    told = []
    for hats in range(1, 7):
        contributed = presence(*((hat, vehicle, 0) for hat in range(hats) for vehicle in range(20)))
        both = {noise: planned(way, contributed, noise=noise, **amounts)[0] for noise in ("gauss", "laplace")}
        errors = {noise: query_errors(plan.plans).typical.median for noise, plan in both.items()}
        advised = {noise_advice(one, contributed, Unit.VEHICLE, amounts["delta"]) for one in both.values()}
        (advice,) = advised
        assert advice is not None
        assert advice.noise == min(errors, key=lambda noise: errors[noise])
        told.append(advice.noise)
    assert told == sorted(told, reverse=True)  # laplace first
    assert told[0] == "laplace"


@EVERY_WAY
@pytest.mark.parametrize("divide", DIVISIONS)
def test_the_advice_counts_days_and_unequal_shares_as_noise_does(way: str, divide: str) -> None:
    """By how many times Gaussian noise is the smaller one is what so many equal HATs make of it."""
    contributed = presence(
        *((hat, vehicle, day) for hat in range(4) for vehicle in range(3 + hat) for day in range(1 + hat % 2))
    )
    ratios = []
    for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY):
        both = [
            planned(way, contributed, noise=noise, unit=unit, divide=divide)[0]
            for noise in ("gauss", "laplace")
        ]
        gauss, laplace = (_noise_at_a_median_hat(plan) for plan in both)
        hats = hats_of_one(both[0], contributed, unit)
        assert hats == pytest.approx(hats_of_one(both[1], contributed, unit), rel=1e-4)
        ratios.append(gauss / laplace * math.sqrt(hats))
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-4)


def _noise_at_a_median_hat(plan: QueryPlan) -> float:
    """Scale over sensitivity: what the division makes of it."""
    return float(np.median([one.lead.noise_scale / one.lead.sensitivity for one in plan.plans]))


# how large it is


@pytest.mark.parametrize("way", ["query1", "query2, limits", "query2, histogram"])
def test_scales_by_hand(way: str) -> None:
    """Three days of a vehicle among five pairs on four days, rho 1/2: a deviation is the sensitivity."""
    table = table_of([[[10_000], [20_000], [30_000]], [[40_000]], [[50_000]]], days=4)
    lead = hat_plan(way, counts_of(table, Unit.VEHICLE), Decimal("0.5"), **_limits(way, 20, 30, 40)).lead
    moved = {
        "query1": 65 * 3 / 5,
        "query2, limits": math.sqrt(3) * 3 / 4,
        "query2, histogram": math.sqrt(2) * 3 / 4,
    }[way]
    terms = 2 if "histogram" in way else 1  # bins on the shorter side of the middle limit
    assert lead.sensitivity == lead.noise_scale == pytest.approx(moved, rel=1e-6)
    assert lead.typical_error == pytest.approx(math.sqrt(terms * 2 / math.pi) * moved, rel=1e-6)
    assert lead.error_at_worst == lead.typical_error


def _limits(way: str, *limits: float) -> dict[str, Any]:
    return {"limits": list(limits)} if way.startswith("query2") else {}


@EVERY_WAY
def test_intervals_hold_the_truth_and_errors_are_as_planned(way: str) -> None:
    """So many vehicles that nothing is cut off; intervals of fitted numbers may hold it more often."""
    table = table_of([[[speed * 100]] for speed in range(50, 650)], days=1)
    changes = _limits(way, 20.05, 30.05, 40.05, 50.05)
    counts, records = counts_of(table, Unit.VEHICLE), records_of(table, Unit.VEHICLE)
    plan, statistic = hat_plan(way, counts, **changes), require_statistic(WAYS[way][0])
    truths = np.array([one.value for one in statistic.draw(plan, records, RecordingNoise())])
    noise, trials = SingleTrial(5), 1_500
    drawn = [statistic.draw(plan, records, noise) for _ in range(trials)]
    low, value, high = (
        np.array([[getattr(one, name) for one in row] for row in drawn]) for name in ("low", "value", "high")
    )
    covered = ((low <= truths) & (truths <= high)).mean(axis=0)
    assert covered.min() >= 0.95 - 5 * math.sqrt(0.05 * 0.95 / trials)
    assert covered.min() <= 0.97
    decimals = 10 ** statistic.measures[0].decimals
    errors = np.abs(value - truths).mean(axis=0) / decimals
    found = errors.mean() if WAYS[way][0] == "cdf" else errors.max()
    assert 0.75 * plan.lead.typical_error <= found <= 1.1 * plan.lead.typical_error


def test_draws_of_the_simulation_have_the_planned_deviation() -> None:
    plan = hat_plan("query2, limits", counts_of(table_of([[[1]] * 3] * 9), Unit.VEHICLE), Decimal("0.02"))
    drawn = SimulatedNoise(3, 20_000).gaussian_vector(
        np.zeros(2, np.int64), plan.detail.moved, spend=plan.rho
    )
    per_day = plan.detail.unit * plan.detail.days
    assert drawn.std() / per_day == pytest.approx(plan.lead.noise_scale, rel=0.02)


# a whole release


QUERIES = """[[query]]
id = "pair_means"
statistic = "query1"
total = "3"{division}
[query.parameters]
noise = "gauss"

[[query]]
id = "limits"
statistic = "query2"
total = "3"{division}
[query.parameters]
limits = [20, 30, 40.5]
noise = "gauss"

[[query]]
id = "distribution"
statistic = "cdf"
total = "3"{division}
[query.parameters]
bins = 13
noise = "gauss"
"""
OPTIMAL = '\ndivision = "optimal"'
BY_DAY = ('unit = "vehicle"\nconfirmed', 'unit = "vehicle-day"\nconfirmed')


def spec_in(folder: Path, division: str, *edits: tuple[str, str]) -> Path:
    return write_city(
        folder, edit=((SPEC[SPEC.index("[[query]]") :], QUERIES.format(division=division)), *edits)
    )


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=TOTAL, delta=DELTA)
    return opened


@pytest.mark.parametrize(("division", "edits"), [("", ()), (OPTIMAL, (BY_DAY,))])
def test_a_release_is_paid_in_rho_verifies_and_finds_lies(
    division: str, edits: tuple[tuple[str, str], ...], tmp_path: Path, ledger: Ledger
) -> None:
    first = released(spec_in(tmp_path / "city", division, *edits), ledger, tmp_path / "out")
    assert failed(first.bundle) == set()
    (population,) = ledger.populations()
    assert population.loss.pure == 0
    document = json.loads((first.bundle / "privacy.json").read_text("utf-8"))
    total = sum(Decimal(one["charges_rho"]["vehicle"]) for one in document["queries"])
    assert total == population.loss.rho > 0
    for told in document["queries"]:
        assert told["noise"] == "discrete Gaussian"
        assert told["made_by"]["parameters"]["noise"] == told["made_by"]["details"]["noise"] == "gauss"
        assert told["made_by"]["day_epsilons"] is None
    assert "rho" in document["queries"][1]["made_by"]["details"]["budget_of_limits"]
    assert "rho" in document["queries"][2]["made_by"]["details"]["budget_of_levels"]
    for number, (name, edit) in enumerate(LIES.items() if not edits else ()):
        lied = json.loads(json.dumps(document))
        query = lied["queries"][number % len(lied["queries"])]
        edit(query["made_by"])
        forge(first.bundle, {"privacy.json": json.dumps(lied).encode()})
        assert failed(first.bundle) == {"privacy"}, (query["query_id"], name)
    again = released(
        spec_in(tmp_path / "city", division, *edits, ('"1.0.0"', '"1.0.1"')), ledger, tmp_path / "out"
    )
    assert again.repeated


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('total = "3"', 'epsilon = "0.5"', "a total"),
        ('total = "3"', 'noise_scale = "1"', "a total"),
        ("[query.parameters]\nnoise", "[query.parameters]\nsuppress_users = true\nnoise", "there is no rule"),
    ],
)
def test_what_cannot_be_had_is_refused_in_three_parts_and_spends_nothing(
    old: str, new: str, says: str, tmp_path: Path, ledger: Ledger
) -> None:
    text = QUERIES.format(division="").replace(old, new, 1)
    spec = write_city(tmp_path / "city", edit=((SPEC[SPEC.index("[[query]]") :], text),))
    (spec.parent / "records.csv").write_text("no records")
    with pytest.raises(InputError, match=says) as refused:
        released(spec, ledger, tmp_path / "out")
    assert refused.value.where.startswith("query")
    assert refused.value.mend
    assert ledger.populations()[0].spent == 0


def test_without_a_delta_it_is_refused_before_anything_is_read(tmp_path: Path, ledger: Ledger) -> None:
    ledger.set_limit(POPULATION, per_vehicle=TOTAL, delta=Decimal(0))
    spec = spec_in(tmp_path / "city", "")
    (spec.parent / "records.csv").write_text("no records")
    with pytest.raises(InputError, match="needs a delta") as refused:
        released(spec, ledger, tmp_path / "out")
    assert "--delta 1e-6" in refused.value.mend
    assert ledger.populations()[0].spent == 0


# what draws betray


PAIRS: dict[str, tuple[partial[Pair], dict[str, Any]]] = {
    "query1": (partial(unit_pair, Unit.VEHICLE, 9_000), {}),
    "query2, limits": (partial(unit_pair, Unit.VEHICLE, 45_000), {"limits": [40, 50]}),
    "query2, histogram": (partial(unit_pair, Unit.VEHICLE, 45_000), {"limits": [40]}),
    "cdf, flat": (partial(users_pair, [4, 3, 2, 1], [30_000] * 6), {}),
    "cdf, binary": (partial(users_pair, [4, 3, 2, 1], [30_000] * 6), {}),
    "cdf, of vehicles": (partial(users_pair, [4, 3, 2, 1], [30_000] * 6), {}),
}


def drawn_apart(way: str, trials: int, stretch: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draws on both neighbours, seen from where they lie apart: the best view there is of normal noise."""
    make, changes = PAIRS[way]
    records, counts = make()
    plan, rng = hat_plan(way, counts, **changes), np.random.default_rng(20_240_708)
    first, second = (asked_of(way, plan, one) for one in records)
    scale = gaussian_scale(first.sensitivity, first.spend) * stretch
    apart = (np.array(second.centres) - np.array(first.centres)) / scale
    samples = [
        sum(
            (centre + noise_by_law(rng, scale, trials, squared=True)) / scale * weight
            for centre, weight in zip(one.centres, apart.tolist(), strict=True)
        )
        for one in (first, second)
    ]
    return np.asarray(samples[0]), np.asarray(samples[1])


@EVERY_WAY
@pytest.mark.parametrize(
    ("trials", "least"), [(5_000, 0.3), pytest.param(1_000_000, 0.57, marks=pytest.mark.audit)]
)
def test_draws_betray_no_more_than_the_rho_and_halved_noise_is_caught(
    way: str, trials: int, least: float, audits: Audits
) -> None:
    """A user moves all numbers of a HAT as far as it can, which costs all of the HAT's rho."""
    key = WAYS[way][0]
    certified = rho_lower_bound(*drawn_apart(way, trials, 1.0), 1e-6)
    told = {"claimed": ONE, "trials": trials}
    audits.holds(key, WHOLE, setting=f"{way}, Gaussian", certified=certified, least=least, **told)
    spoiled = rho_lower_bound(*drawn_apart(way, trials, 0.5), 1e-6)
    audits.caught(key, WHOLE, setting=f"{way}, Gaussian, noise halved", certified=spoiled, **told)


@pytest.mark.audit
@pytest.mark.parametrize("way", ["query1", "query2, histogram", "cdf, flat"])
def test_the_very_source_of_published_numbers_passes(way: str, audits: Audits) -> None:
    """Metered, one HAT after the other, as a release draws and publishes it."""
    make, changes = PAIRS[way]
    records, counts = make()
    plan, statistic, trials = hat_plan(way, counts, **changes), require_statistic(WAYS[way][0]), 10_000
    samples = []
    for data in records:
        noise = secure_noise(Decimal(0), ONE * trials)
        rows: list[tuple[Estimate, ...]] = [statistic.draw(plan, data, noise) for _ in range(trials)]
        samples.append(np.array([float(row[0].unclamped or 0) for row in rows]))
    certified = rho_lower_bound(*samples, 1e-6)
    setting = f"{way}, Gaussian, metered, one by one"
    audits.holds(
        WAYS[way][0], WHOLE, setting=setting, claimed=ONE, certified=certified, trials=trials, least=0.1
    )
