"""A whole evaluation: every curve at every epsilon, with progress that can stop it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.evaluate.compared_curves import all_series, series_of
from core.evaluate.evaluation import evaluate, exact_curve
from core.evaluate.replica import replica
from core.progress import Cancelled

HAT = replica(0)
EPSILONS = (Decimal("0.5"), Decimal(1))


def test_rows_come_series_by_series() -> None:
    series = all_series(["baseline", "levy"])
    table = evaluate(HAT, series, EPSILONS, source="replica", trials=50)
    assert [(row.mechanism, row.grouping, row.eps) for row in table.rows] == [
        (curve.mechanism.key, curve.grouping, epsilon) for curve in series for epsilon in EPSILONS
    ]
    assert all(row.trials == 50 for row in table.rows)
    assert table.source == "replica"


def test_exact_errors_can_be_had_with_trials_without_them_or_alone() -> None:
    series = series_of("levy")
    both = evaluate(HAT, [series], EPSILONS, source="replica", trials=50)
    alone = exact_curve(HAT, series, EPSILONS)
    plain = evaluate(HAT, [series], EPSILONS, source="replica", trials=50, exact=False)
    assert tuple(row.mae_exact for row in both.rows) == alone
    assert all(row.mae_exact is None for row in plain.rows)
    assert [row.mae for row in plain.rows] == [row.mae for row in both.rows]


def test_progress_runs_from_0_to_1_and_can_cancel() -> None:
    told: list[float] = []
    series = [series_of("baseline")]

    def listen(done: float, text: str = "") -> None:  # noqa: ARG001 - the protocol's shape
        told.append(done)

    evaluate(HAT, series, EPSILONS, source="replica", trials=5, progress=listen)
    assert told == [0.0, 0.5, 1.0]

    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - the protocol's shape
        raise Cancelled

    with pytest.raises(Cancelled):
        evaluate(HAT, series, EPSILONS, source="replica", progress=stop)
