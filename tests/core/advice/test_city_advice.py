"""core.advice.city_advice: grids ranked by counts alone; what a constant beats is not recommended."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.city_advice import MOST_OPTIONS, CityAdvice, advise_city
from core.city.noise_kind import NoiseKind
from core.contributions import Contributions
from core.errors import InputError
from core.hats.window import Window
from core.planning.query_plan import Query
from core.privacy import Unit
from core.progress import Cancelled, Progress, silent
from core.selection.base import SelectionRequest
from tests.count_tables import contributions_of
from tests.queries import mean_query

COUNTS = np.random.default_rng(5).integers(0, 9, (30, 6))
DELTA = Decimal("1e-6")


def advised(
    total: str,
    counts: np.ndarray = COUNTS,
    *,
    query: Query | None = None,
    delta: Decimal = DELTA,
    values: list[int] | None = None,
    progress: Progress = silent,
    others: np.ndarray | None = None,
) -> CityAdvice:
    """Every grid holds the same table, under its own name; others: what all but the first hold."""
    table = contributions_of(counts, values)
    beside = table if others is None else contributions_of(others, values)

    def tables(resolution: int, window: Window) -> Contributions:
        if (resolution, window) != (table.resolution, table.window):
            return dataclasses.replace(beside, resolution=resolution) if window == table.window else beside
        return dataclasses.replace(table, resolution=resolution) if window == table.window else table

    asked = query or mean_query("tokens", budget=Budget(total=Decimal(total)))
    return advise_city(
        tables,
        table.resolution,
        table.window,
        SelectionRequest(rule="hat", threshold=1),
        asked,
        unit=Unit.VEHICLE,
        minimum_vehicles=2,
        delta=delta,
        progress=progress,
    )


def test_the_best_are_told_first_and_nothing_worse_than_a_constant_before_them() -> None:
    found = advised("20")
    assert 0 < len(found.options) <= MOST_OPTIONS
    ranks = [(not one.worthwhile, one.error) for one in found.options]
    assert ranks == sorted(ranks)
    # nine grids hold the same few HATs, where Laplace noise is the smaller one: it fills the list
    assert {one.noise for one in found.options} == {NoiseKind.LAPLACE}
    assert found.own is not None
    assert found.own.worthwhile
    assert found.needed is None
    assert "times better than publishing one constant" in found.reason
    assert f"typical error of {found.own.error:.2g} km/h" in found.reason
    assert all(one.gain == pytest.approx(7.0 / one.error) for one in found.options)


def test_the_grid_that_was_asked_about_is_listed_however_far_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.advice.city_advice.MOST_OPTIONS", 1)
    found = advised("20", others=COUNTS[:, :2])
    assert found.options[1:] == (found.own,), "the reason tells of it"
    assert found.options[0].error < found.options[1].error


def test_too_little_is_not_recommended_and_what_would_do_is_said() -> None:
    found = advised("0.01")
    assert found.own is not None
    assert not found.own.worthwhile
    assert found.needed is not None
    assert "is not worth spending" in found.reason
    assert f"typically be off by {found.own.error:.2g} km/h" in found.reason
    assert f"a total of {found.needed:f}" in found.reason
    enough = advised(str(found.needed))
    assert enough.own is not None
    assert enough.own.worthwhile


def test_one_slot_for_all_hours_is_the_window_and_no_day() -> None:
    own = advised("20").own
    assert own is not None
    assert own.slots == f"{own.window.slot_minutes} minutes"
    window = dataclasses.replace(own.window, start=540, end=1260, slot_minutes=720)
    assert dataclasses.replace(own, window=window).slots == "the whole window"


def test_noise_is_what_the_query_and_the_population_allow() -> None:
    gaussian = mean_query("tokens", budget=Budget(total=Decimal(20)), noise="gauss")
    assert {one.noise for one in advised("20", query=gaussian).options} == {NoiseKind.GAUSS}
    with pytest.raises(InputError, match="delta"):
        advised("20", query=gaussian, delta=Decimal(0))
    assert {one.noise for one in advised("20", delta=Decimal(0)).options} == {NoiseKind.LAPLACE}
    # so little buys no Gaussian noise at all
    little = mean_query("tokens", budget=Budget(total=Decimal("0.01")), noise="gauss")
    assert advised("0.01", query=little).own is None


def test_values_change_nothing() -> None:
    number = int(COUNTS.sum())
    low, high = (advised("20", values=[value] * number).to_json() for value in (0, 65_000))
    assert low == high


def test_the_bound_counts_hats_and_vehicles() -> None:
    found = advised("20")
    assert found.own is not None
    least = found.own.hats * 65.0 / (found.vehicles * 2.0)
    assert f"takes a total of {least:.3g} at least" in found.bound
    assert found.bound.startswith("Laplace noise of 2 km/h in each of ")


def test_a_total_for_no_hat_at_all_says_so() -> None:
    found = advised("20")
    assert found.bound.endswith("hexagon slots at most.")
    little = dataclasses.replace(found, total=Decimal("0.001"))
    assert little.bound.endswith("0.001 is too little for a single one.")


@pytest.mark.parametrize(
    "query",
    [
        mean_query("baseline"),
        mean_query("tokens", budget=Budget(per_hat=Decimal(1))),
        mean_query("tokens", regions=True),
    ],
    ids=["by hexagon slot", "no total", "regions"],
)
def test_only_a_joint_release_of_a_total_is_advised(query: Query) -> None:
    with pytest.raises(InputError):
        advised("20", query=query)


def test_grids_without_a_hat_are_left_out() -> None:
    found = advised("20", np.eye(3, dtype=np.int64))
    assert found.options == ()
    assert found.own is None
    assert found.bound == ""
    assert "only a much larger total" in found.reason


def test_a_stop_is_taken() -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        advised("20", progress=stop)
