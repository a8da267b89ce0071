"""core.advice.city_advice: three grids by counts alone."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from functools import cache

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.city_advice import ENOUGH_RECORDS, CityAdvice, GridOption, GridRole, advise_city
from core.advice.smoothed import with_expected_error
from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from core.city.noise_kind import NoiseKind
from core.contributions import EVALUATION_TIE_KEY, Contributions, users_of
from core.errors import InputError
from core.hats.slots import ALL, SlotLength
from core.hats.window import Window, build_window
from core.planning.counted_city import CountedCity
from core.planning.planning_room import ROOM
from core.planning.query_plan import Query, smoothed_errors
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.progress import Cancelled, Progress, silent
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.statistics.mean import STATISTIC
from core.statistics.question import question_of
from core.statistics.share import STATISTIC as SHARES
from tests.count_tables import contributions_of
from tests.queries import mean_query

COUNTS = np.random.default_rng(5).integers(0, 9, (30, 6))
DELTA = Decimal("1e-6")
DAY = dt.date(2022, 1, 3)


def advised(
    total: str,
    counts: np.ndarray = COUNTS,
    *,
    query: Query | None = None,
    delta: Decimal = DELTA,
    values: list[int] | None = None,
    progress: Progress = silent,
    threshold: int = 1,
    request: SelectionRequest | None = None,
    noting: Callable[[int, Window], None] = lambda *_: None,
    resolution: int = 7,
    length: SlotLength = 60,
) -> CityAdvice:
    """Every grid holds the same table, under its own name; length: of the slots that are asked about."""
    table = contributions_of(counts, values)
    window = build_window(table.window.date_ranges, table.window.hours, length)

    def tables(resolution: int, window: Window) -> Contributions:
        noting(resolution, window)
        if window.slot_minutes > table.window.slot_minutes:
            return table
        finer = table.window.slot_minutes // window.slot_minutes
        slot = (table.slot * finer).astype(np.int16)
        return dataclasses.replace(table, resolution=resolution, window=window, slot=slot)

    asked = query or mean_query("tokens", budget=Budget(total=Decimal(total)))
    return advise_city(
        tables,
        resolution,
        window,
        request or SelectionRequest(rule="hat", threshold=threshold),
        asked,
        unit=Unit.VEHICLE,
        minimum_vehicles=2,
        delta=delta,
        progress=progress,
    )


@cache
def usual() -> CityAdvice:
    return advised("20")


def option(
    resolution: int, minutes: SlotLength, error: float, *, hats: int = 100, empty: float = 0.0
) -> GridOption:
    window = build_window(((DAY, DAY),), ("08:00", "20:00"), minutes)
    return GridOption(
        resolution=resolution,
        window=window,
        noise=NoiseKind.LAPLACE,
        hats=hats,
        empty=empty,
        records=0.9,
        raw_error=error,
        smoothed_error=None,
        constant=7.0,
        good=2.0,
    )


def advice_of(*grids: GridOption, of_places: bool = False) -> CityAdvice:
    return CityAdvice(
        of_places=of_places,
        total=Decimal(10),
        grids=tuple(sorted(grids, key=lambda one: one.fineness)),
        own=None,
        nearest="",
        needed=None,
        vehicles=0,
        upper=65.0,
        measure=STATISTIC.measures[0],
        too_large="",
    )


def test_the_three_grids() -> None:
    """Worked out by hand from the issue's rule."""
    useless, rough = option(9, 60, 8.0, hats=900), option(8, 60, 3.0, hats=500)
    good, exact, few = option(8, 240, 1.9), option(7, ALL, 0.9, hats=20), option(5, ALL, 0.1, hats=19)
    found = advice_of(few, exact, good, rough, useless)
    assert (found.finest, found.balanced, found.most_exact) == (rough, good, exact)
    assert found.options == (rough, good, exact)
    assert "resolution 8 with slots of 4 hours, the finest grid that is good at a total of 10" in found.reason
    assert found.roles(good) == (GridRole.BALANCED,)


def test_no_other_recommended_grid_is_more_exact_than_the_most_exact() -> None:
    """The finest that is good, or the best of error / sqrt(rows), may have less than twenty rows."""
    good, rich = option(6, 240, 1.8, hats=12), option(5, 60, 2.4, hats=25)
    assert (advice_of(good, rich).balanced, advice_of(good, rich).most_exact) == (good, good)
    fine, few = option(8, 60, 6.0, hats=100), option(6, ALL, 2.1, hats=18)  # 6/10 > 2.1/4.2
    assert (advice_of(fine, few).balanced, advice_of(fine, few).most_exact) == (few, few)


def test_without_a_good_grid_the_balanced_one_loses_least() -> None:
    fine, coarse = option(8, 60, 6.0, hats=900), option(7, 60, 3.0, hats=100)  # 6/30 < 3/10
    found = advice_of(fine, coarse)
    assert (found.finest, found.balanced, found.most_exact) == (fine, fine, coarse)
    assert "this one is least inaccurate for its number of hexagon slots" in found.reason, "coarse errs less"


def test_a_grid_of_no_use_is_not_recommended_beside_one_of_use() -> None:
    large, small = option(7, 60, 7.5, hats=400), option(5, ALL, 6.0, hats=4)  # 7.5/20 < 6/2
    found = advice_of(large, small)
    assert (found.finest, found.balanced) == (small, small)


def test_who_asks_about_routes_is_advised_of_routes() -> None:
    """Hexagons were proposed in their place, with a larger error, and the routes would have gone unsaid."""
    hexagons, coarse = option(6, 60, 1.5), option(5, ALL, 0.7)
    hourly, daily = option(0, 60, 2.4), option(0, ALL, 1.1, hats=8)
    found = advice_of(hexagons, coarse, hourly, daily, of_places=True)
    assert (found.finest, found.balanced, found.most_exact) == (hourly, daily, daily)
    assert found.further == (hexagons,), "what hexagons would bring is listed by its name"
    assert advice_of(hexagons, coarse, of_places=True).balanced is None
    assert advice_of(hexagons, coarse, hourly, daily).balanced == hexagons, "of hexagons of several sizes"


def test_where_all_is_of_no_use_that_is_said() -> None:
    found = advice_of(option(7, 60, 7.0), option(6, 60, 1.0, empty=0.5))
    assert found.finest is None
    assert found.reason.startswith("At a total of 10 no grid compared is useful")


def test_the_grid_that_was_asked_about_is_judged() -> None:
    found = usual()
    assert found.own is not None
    assert found.own in found.options
    assert found.needed is None
    assert all(one.records >= ENOUGH_RECORDS for one in found.grids)
    assert [one.fineness for one in found.grids] == sorted(one.fineness for one in found.grids)
    assert {(one.resolution, one.window) for one in found.grids} <= {
        (cells, over)
        for cells in range(5, 10)
        for over in (found.own.window, *{g.window for g in found.grids})
    }


def test_too_little_is_no_use_and_what_would_do_is_said() -> None:
    found = advised("0.01")
    assert found.own is not None
    assert found.own.usefulness is Usefulness.NO_USE
    assert found.needed is not None
    assert f"From a total of {found.needed:f} on" in found.reason
    enough = advised(str(found.needed))
    assert enough.own is not None
    assert enough.own.usefulness is not Usefulness.NO_USE


def test_a_grid_without_records_enough_is_no_candidate() -> None:
    """One of its HATs has the 3 vehicles that are asked for, and some of the records."""
    counts = np.array([[2, 1, 1], [2, 1, 1], [2, 0, 1], [0, 1, 4]])
    found = advised("20", counts, threshold=4)
    assert (found.grids, found.balanced) == ((), None)
    assert found.own is not None
    assert "records; resolution" in found.reason
    assert f"with {100 * found.own.records:.0f} %" in found.reason


def test_noise_is_what_the_query_and_the_population_allow() -> None:
    gaussian = mean_query("tokens", budget=Budget(total=Decimal(20)), noise="gauss")
    assert {one.noise for one in advised("20", query=gaussian).grids} == {NoiseKind.GAUSS}
    with pytest.raises(InputError, match="delta"):
        advised("20", query=gaussian, delta=Decimal(0))
    assert {one.noise for one in advised("20", delta=Decimal(0)).grids} == {NoiseKind.LAPLACE}
    # so little buys no Gaussian noise at all
    little = mean_query("tokens", budget=Budget(total=Decimal("0.01")), noise="gauss")
    assert advised("0.01", query=little).own is None


def test_values_change_nothing() -> None:
    number = int(COUNTS.sum())
    low, high = (advised("20", values=[value] * number).to_json() for value in (0, 65_000))
    assert low == high


def test_the_bound_counts_hats_and_vehicles() -> None:
    found = usual()
    assert found.own is not None
    least = found.own.hats * 65.0 / (found.vehicles * 2.0)
    assert f"needs a total of at least {least:.3g}" in found.bound
    assert found.bound.startswith("Noise of 2 km/h in all ")


def test_a_total_for_no_hat_at_all_says_so() -> None:
    found = usual()
    little = dataclasses.replace(found, total=Decimal("0.001"))
    assert little.bound.endswith("0.001 would pay for none.")


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


@pytest.mark.parametrize(("resolution", "length"), [(10, 60), (7, 30)])
def test_a_grid_that_is_no_candidate_is_judged_and_not_recommended(
    resolution: int, length: SlotLength
) -> None:
    found = advised("2000", resolution=resolution, length=length)
    assert found.own is not None
    assert found.own in found.options
    assert found.own not in found.grids
    assert found.roles(found.own) == ()


def test_the_grids_that_are_compared() -> None:
    asked: list[tuple[int, SlotLength]] = []

    def noting(resolution: int, window: Window) -> None:
        asked.append((resolution, window.slot_length))

    advised("20", noting=noting)
    assert asked[0] == (7, 60)
    assert sorted(map(str, asked)) == sorted(
        str((cells, slots)) for cells in range(5, 10) for slots in (60, 240, ALL)
    )
    asked.clear()
    cells = tuple(map(int, contributions_of(COUNTS).cell[:2]))
    advised("20", noting=noting, request=SelectionRequest(rule="cells", cells=cells))
    assert {resolution for resolution, _ in asked} == {7}, "a list of hexagons has one resolution"


def test_two_looks_are_judged_by_their_whole_plan() -> None:
    query = mean_query("tokens", budget=Budget(total=Decimal(40)), zoom=True)
    found = advised("40", query=query)
    assert found.own is not None
    table = contributions_of(COUNTS)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    selection = select(table, SelectionRequest(rule="hat", threshold=1))
    plan = plan_query(CountedCity(table, users, selection, minimum_vehicles=2, delta=DELTA), query)
    assert found.own.raw_error == pytest.approx(plan.errors.typical.median)
    assert found.own.noise is NoiseKind.GAUSS


def test_a_grid_too_large_to_plan_is_said_and_what_is_wrong_otherwise_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(ROOM, "1e-9")
    assert "Larger grids are left out. This city takes up to" in advised("20").reason
    monkeypatch.setenv(ROOM, "much")
    with pytest.raises(InputError, match="is not a number"):
        advised("20")


def test_grids_without_a_hat_are_left_out() -> None:
    found = advised("20", np.eye(3, dtype=np.int64))
    assert found.options == ()
    assert found.own is None
    assert found.bound == ""
    assert "Lower the threshold" in found.reason


def test_a_stop_is_taken() -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        advised("20", progress=stop)


def test_grids_of_shares_are_compared_in_percentage_points() -> None:
    """An outline's figures are those of the whole plan, for one range and for ranges that tile."""
    for asked in ({"ranges": ((0.0, 10.0),)}, {}):
        query = Query(id="q", question=question_of(SHARES, None, asked), budget=Budget(total=Decimal(40)))
        found = advised("40", query=query)
        own = found.own
        assert own is not None
        table = contributions_of(COUNTS)
        request = SelectionRequest(rule="hat", threshold=1)
        plan = with_expected_error(
            plan_query(
                CountedCity(
                    table,
                    users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY),
                    select(table, request),
                    minimum_vehicles=2,
                    delta=DELTA,
                ),
                query,
            )
        )
        assert own.noise is plan.noise_kind
        assert own.raw_error == pytest.approx(plan.errors.typical.median, rel=0.02)
        smoothed = smoothed_errors(plan)
        assert smoothed is not None
        assert own.smoothed_error == pytest.approx(smoothed.median, rel=0.05)
        assert own.usefulness is verdict_of(plan).usefulness
        assert own.constant == verdict_of(plan).constant
        assert own.good == 0.05
        assert "Noise of 5 percentage points in all" in found.bound
        said = found.to_json()
        assert said["unit"] == "percentage points"
        assert said["own"]["error_raw"] == pytest.approx(100 * own.raw_error)
