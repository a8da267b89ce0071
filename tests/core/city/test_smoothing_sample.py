"""core.city.smoothing_sample: the model's own error of few HATs, and never less than it."""

from __future__ import annotations

import numpy as np
import pytest

from core.city.smoothing import predicted_error
from core.city.smoothing_sample import HELPERS, sampled_error
from core.progress import Cancelled
from tests.smoothing_tables import hats_around, released


@pytest.mark.parametrize("deviation", [0.5, 5.0, 50.0])
def test_few_hats_are_told_as_the_model_tells_them(deviation: float) -> None:
    cells, hours = hats_around(HELPERS // 2)
    facts = released(cells, hours, np.full(cells.size, 20.0), deviation=deviation, gaussian=True).given
    some = np.arange(0, cells.size, 7)
    np.testing.assert_allclose(sampled_error(facts, some), predicted_error(facts)[some], rtol=1e-6)


@pytest.mark.parametrize("deviation", [5.0, 50.0])
def test_of_many_hats_the_error_is_told_rather_too_large(deviation: float) -> None:
    cells, hours = hats_around(3 * HELPERS)
    facts = released(cells, hours, np.full(cells.size, 20.0), deviation=deviation, gaussian=False).given
    some = np.arange(0, cells.size, 29)
    ratio = sampled_error(facts, some) / predicted_error(facts)[some]
    assert ratio.min() >= 1.0 - 1e-9
    assert ratio.max() <= 1.35


def test_a_stop_is_taken() -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    cells, hours = hats_around(10)
    facts = released(cells, hours, np.full(cells.size, 20.0), deviation=1.0, gaussian=True).given
    with pytest.raises(Cancelled):
        sampled_error(facts, np.arange(3), stop)
