"""Total epsilon before and after suppression, against single runs."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.errors import InputError
from core.statistics.suppression import Stop, suppress
from core.statistics.suppression_curve import SuppressionPoint, suppression_curve, suppression_point
from tests.core.statistics.literal_suppression import CAP, array_errors, random_occupancy

EPSILONS = [Decimal(text) for text in ("0.000001", "0.5", "1", "2", "1000")]


def test_each_point_is_a_run_of_its_own() -> None:
    occupancy = random_occupancy(np.random.default_rng(2), hats=12, users=30, share=0.5, most=9)
    heard: list[float] = []

    def note(done: float, text: str = "") -> None:
        assert text
        heard.append(done)

    curve = suppression_curve(occupancy, 1000, EPSILONS, array_errors, CAP, note)
    single = [suppress(occupancy, 1000, np.full(12, float(e)), array_errors, CAP) for e in EPSILONS]
    assert curve.epsilon.tolist() == [1e-6, 0.5, 1.0, 2.0, 1000.0]
    assert curve.before.tolist() == [float(run.before * e) for run, e in zip(single, EPSILONS, strict=True)]
    assert curve.after.tolist() == [float(run.after * e) for run, e in zip(single, EPSILONS, strict=True)]
    assert (curve.after < curve.before).any()
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_a_point_says_what_is_saved() -> None:
    occupancy = random_occupancy(np.random.default_rng(2), hats=12, users=30, share=0.5, most=9)
    run = suppress(occupancy, 1000, np.full(12, 0.5), array_errors, CAP)
    point = suppression_point(occupancy, 1000, Decimal("0.5"), array_errors, CAP)
    assert (point.hats_before, point.hats_after, point.stop) == (run.before, run.after, run.stop)
    point = SuppressionPoint(epsilon=Decimal("0.1"), hats_before=158, hats_after=90, stop=Stop.WORST)
    assert (point.before, point.after) == (Decimal("15.8"), Decimal("9.0"))
    assert point.saved == pytest.approx(68 / 158)


def test_no_epsilon_is_refused() -> None:
    occupancy = random_occupancy(np.random.default_rng(2), hats=2, users=2, share=1.0, most=3)
    with pytest.raises(InputError, match="at least one epsilon"):
        suppression_curve(occupancy, 1000, [], array_errors, CAP)
