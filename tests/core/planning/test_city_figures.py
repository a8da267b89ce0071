"""What is told of a joint plan: from public counts, rounded so that the certificate holds."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from core.city.city_plan import CityPlan
from core.city.noise_kind import NoiseKind
from core.planning.city_figures import city_figures, hat_figures
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.spec import load_spec
from tests.city import write_city
from tests.core.advice.test_forecast import table
from tests.neighbours import data_of
from tests.queries import mean_query

DELTA = Decimal("0.000001")


def planned(folder: Path, delta: Decimal = Decimal(0), **params: object) -> QueryPlan:
    contributions = table(load_spec(write_city(folder)))
    return plan_query(
        contributions,
        data_of(contributions, Unit.VEHICLE).users,
        select(contributions, SelectionRequest(rule="hat", threshold=2)),
        mean_query("tokens", **params),
        minimum_vehicles=2,
        delta=delta,
    )


def city_of(plan: QueryPlan) -> CityPlan:
    assert plan.city is not None
    return plan.city


@pytest.mark.parametrize(
    ("delta", "params", "noise", "twice"),
    [
        (Decimal(0), {}, NoiseKind.LAPLACE, False),
        (DELTA, {"noise": "laplace"}, NoiseKind.LAPLACE, False),
        (DELTA, {"noise": "gauss"}, NoiseKind.GAUSS, False),
        (DELTA, {"zoom": True}, NoiseKind.GAUSS, True),
    ],
)
def test_the_noise_is_the_one_that_was_chosen(
    tmp_path: Path, delta: Decimal, params: dict[str, object], noise: NoiseKind, twice: bool
) -> None:
    told = city_figures(city_of(planned(tmp_path, delta, **params)))
    assert (told.noise, told.looks_twice, told.delta_allowed) == (noise, twice, delta > 0)


@pytest.mark.parametrize(
    ("gap", "told"), [(0.0, 0.0), (0.0041, 0.005), (0.005, 0.005), (0.00001, 0.001), (None, None)]
)
def test_the_certificate_is_never_told_better_than_it_is(
    tmp_path: Path, gap: float | None, told: float | None
) -> None:
    city = dataclasses.replace(city_of(planned(tmp_path)), gap=gap)
    assert city_figures(city).gap == told


def test_each_hat_has_the_figures_of_its_tokens(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    city, figures = city_of(plan), hat_figures(city_of(plan))
    assert sorted(figures) == sorted(hat.index for hat in plan.published)
    effective = [figures[index].effective_vehicles for index in city.hat_index.tolist()]
    assert effective == pytest.approx(city.effective_vehicles)
    assert city_figures(city).effective_vehicles == pytest.approx(np.median(effective))
    biases = [figures[index].modelled_bias for index in city.hat_index.tolist()]
    assert city_figures(city).modelled_bias == pytest.approx(np.median(biases))
    exact = city_figures(city_of(planned(tmp_path, mode="exact")))
    assert exact.modelled_bias < city_figures(city).modelled_bias or exact.modelled_bias < 0.01
