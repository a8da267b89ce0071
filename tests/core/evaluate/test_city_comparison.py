"""core.evaluate.city_comparison: every way to spend a total, predicted by counts, measured on true means."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import Contributions
from core.errors import InputError
from core.evaluate.city_comparison import METHODS, SMOOTHED_RELEASES, CityErrors, compare_city, methods_for
from core.planning.counted_city import CountedCity
from core.privacy import Unit
from core.progress import Cancelled, Progress, silent
from core.statistics.registry import require_statistic
from tests.count_tables import contributions_of
from tests.neighbours import all_of, data_of

RNG = np.random.default_rng(3)
COUNTS = RNG.integers(0, 9, (30, 6))
VALUES = [int(value) for value in RNG.integers(10_000, 40_000, int(COUNTS.sum()))]
DELTA = Decimal("1e-6")
TOTAL = Decimal(20)


def compared(
    table: Contributions,
    keys: list[str] | None = None,
    *,
    total: Decimal = TOTAL,
    releases: int = 0,
    progress: Progress = silent,
) -> dict[tuple[str, bool], CityErrors]:
    rows = compare_city(
        CountedCity(
            table, data_of(table, Unit.VEHICLE).users, all_of(table), minimum_vehicles=2, delta=DELTA
        ),
        require_statistic("mean"),
        [total],
        methods_for(DELTA, keys, where="--mechanisms"),
        releases=releases,
        progress=progress,
    )
    return {(row.method.key, row.smoothed): row for row in rows}


@pytest.fixture(scope="module")
def table() -> Contributions:
    return contributions_of(COUNTS, VALUES)


def test_predictions_read_no_value(table: Contributions) -> None:
    here, there = compared(table), compared(contributions_of(COUNTS))
    assert {key: row.to_json() for key, row in here.items()} == {
        key: row.to_json() for key, row in there.items()
    }
    assert all(row.median is None and row.releases == 0 for row in here.values())
    assert {key for key, _ in here} == {one.key for one in METHODS}


def test_measured_errors_are_near_what_noise_alone_predicts(table: Contributions) -> None:
    found = compared(table, ["tokens-laplace", "tokens-gauss", "equal-mean"], releases=400)
    for key in ("tokens-laplace", "tokens-gauss", "equal-mean"):
        row = found[key, False]
        assert row.median == pytest.approx(row.predicted, rel=0.2)
        assert row.releases == 400
        assert found[key, True].releases == SMOOTHED_RELEASES
        assert found[key, True].median is not None


def test_tokens_beat_equal_budgets_at_one_total(table: Contributions) -> None:
    found = compared(table, ["tokens-laplace", "equal-mean"])
    tokens, equal = found["tokens-laplace", False].predicted, found["equal-mean", False].predicted
    assert tokens < equal


def test_every_method_is_measured(table: Contributions) -> None:
    found = compared(table, releases=2)
    assert all(row.median is not None and np.isfinite(row.median) for row in found.values())
    assert found["regions", False].predicted > 0.0
    assert ("regions", True) not in found


def test_a_total_that_buys_nothing_leaves_a_method_out(table: Contributions) -> None:
    found = compared(table, ["tokens-laplace", "tokens-gauss"], total=Decimal("0.01"))
    assert {key for key, _ in found} == {"tokens-laplace"}


def test_methods_by_name_and_by_delta() -> None:
    assert not any(one.gaussian for one in methods_for(Decimal(0), where="--mechanisms"))
    with pytest.raises(InputError, match="no method 'magic'"):
        methods_for(DELTA, ["magic"], where="--mechanisms")


def test_a_stop_is_taken(table: Contributions) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        compared(table, progress=stop)
