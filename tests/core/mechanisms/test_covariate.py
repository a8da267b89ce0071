"""The public sign of speeds: standardised over what a release publishes, whatever the order and the unit."""

from __future__ import annotations

import numpy as np
import pytest

from core.mechanisms.covariate import OF_OTHER_VALUES, OF_RECORDS, OF_SPEEDS, PublicSign, records_per_visit

AMOUNTS = np.random.default_rng(0).lognormal(1.0, 0.8, 500)


def test_it_is_standardised_cut_and_rounded_as_it_is_published() -> None:
    amounts = np.append(AMOUNTS, 1e9)
    found = PublicSign(amounts=amounts, slope=OF_RECORDS).standardised().standardised
    logs = np.log(amounts)
    np.testing.assert_allclose(found, np.clip((logs - logs.mean()) / logs.std(), -3, 3), atol=0.00051)
    assert found.max() == 3.0
    np.testing.assert_array_equal(found, np.round(found, 3))


def test_neither_order_nor_unit_matters() -> None:
    order = np.random.default_rng(1).permutation(AMOUNTS.size)
    sign = PublicSign(amounts=AMOUNTS, slope=OF_SPEEDS)
    here = sign.standardised().standardised
    np.testing.assert_array_equal(sign.take(order).standardised().standardised, here[order])
    metric = PublicSign(amounts=AMOUNTS * 1.609, slope=OF_SPEEDS).standardised().standardised
    np.testing.assert_allclose(metric, here, atol=0.0011)


def test_what_hardly_differs_tells_hardly_anything() -> None:
    few = PublicSign(amounts=np.array([10.0, 10.1]), slope=OF_RECORDS).standardised().standardised
    np.testing.assert_allclose(few, np.array([-0.05, 0.05]), atol=0.001)
    one, none = (PublicSign(amounts=AMOUNTS[:n], slope=OF_RECORDS).standardised() for n in (1, 0))
    assert (one.standardised.tolist(), none.standardised.tolist()) == ([0.0], [])


@pytest.mark.parametrize("slope", [OF_RECORDS, OF_SPEEDS])
def test_slow_hats_are_thought_to_vary_less(slope: object) -> None:
    assert slope in (OF_RECORDS, OF_SPEEDS)
    told = PublicSign(amounts=AMOUNTS, slope=OF_RECORDS if slope is OF_RECORDS else OF_SPEEDS).standardised()
    by_mean = np.argsort(told.means)
    assert (np.diff(told.factors[by_mean]) >= 0).all()
    assert 0.5 <= told.factors.min() < 1.0 < told.factors.max() <= 2.0
    slow_first = np.argsort(-AMOUNTS if slope is OF_RECORDS else AMOUNTS)
    assert (np.diff(told.means[slow_first]) >= 0).all()


def test_of_other_values_no_side_is_taken_before_they_are_seen() -> None:
    sign = records_per_visit(np.array([4, 9, 1]), np.array([2, 3, 1]), speeds=False)
    assert sign.amounts.tolist() == [2, 3, 1]
    assert sign.slope is OF_OTHER_VALUES
    assert sign.standardised().means.tolist() == [22.0] * 3
    assert sign.standardised().factors.tolist() == [1.0] * 3
