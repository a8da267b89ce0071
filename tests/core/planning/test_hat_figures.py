"""What is told of each HAT of a joint plan, from public counts."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from core.city.city_plan import CityPlan
from core.city.noise_kind import NoiseKind
from core.planning.counted_city import CountedCity
from core.planning.hat_figures import hat_figures
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
        CountedCity(
            contributions,
            data_of(contributions, Unit.VEHICLE).users,
            select(contributions, SelectionRequest(rule="hat", threshold=2)),
            minimum_vehicles=2,
            delta=delta,
        ),
        mean_query("tokens", **params),
    )


def city_of(plan: QueryPlan) -> CityPlan:
    assert plan.city is not None
    return plan.city


@pytest.mark.parametrize(
    ("delta", "params", "noise"),
    [
        (Decimal(0), {}, NoiseKind.LAPLACE),
        (DELTA, {"noise": "laplace"}, NoiseKind.LAPLACE),
        (DELTA, {"noise": "gauss"}, NoiseKind.GAUSS),
        (DELTA, {"zoom": True}, NoiseKind.GAUSS),
    ],
)
def test_the_noise_is_the_one_that_was_chosen(
    tmp_path: Path, delta: Decimal, params: dict[str, object], noise: NoiseKind
) -> None:
    assert planned(tmp_path, delta, **params).noise_kind is noise


def test_each_hat_has_the_figures_of_its_tokens(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    city, figures = city_of(plan), hat_figures(city_of(plan))
    assert sorted(figures) == sorted(hat.index for hat in plan.published)
    effective = [figures[index].effective_vehicles for index in city.hat_index.tolist()]
    assert effective == pytest.approx(city.effective_vehicles)
    exact = city_of(planned(tmp_path, mode="exact"))
    biases = [np.median([one.modelled_bias for one in hat_figures(told).values()]) for told in (exact, city)]
    assert biases[0] < biases[1] or biases[0] < 0.01
