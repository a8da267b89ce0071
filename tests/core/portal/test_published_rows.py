"""core.portal.published_rows: numbers before they were cut, with their noise, and the stated prior."""

from __future__ import annotations

import numpy as np
import pytest

from core.portal.published_rows import stated_noises
from core.signed.findings import Finding
from tests.builders import make_release
from tests.compared_city import NOISE, compared_release, compared_rows, published_city


def test_rows_tell_their_noise_also_where_both_ends_were_cut() -> None:
    told = compared_rows(compared_release(lambda ring, _: -1.0 if ring == 1 else 20.0))
    assert told.deviations == pytest.approx(NOISE / 1000)
    assert (told.values < 0.0).any()
    assert set(told.weights.tolist()) == {10.0, 11.0, 12.0}


def test_of_older_bundles_the_longer_side_of_an_interval_tells_it() -> None:
    """Those whose interval was cut at both ends tell nothing, and are left out."""
    release = compared_release(deviation=None, rings=1)
    rows = published_city(release).rows("mean")
    assert rows is not None
    assert rows.deviations == pytest.approx(NOISE / 1000, abs=0.003)
    assert len(rows.rows) == 7 * 11


def test_spreads_and_values_are_what_smoothing_goes_by() -> None:
    given = compared_rows().smoothing
    assert given is not None
    facts, spreads = given
    assert spreads.tolist() == [4.0, 2.0, 3.0, 2.5]
    assert facts.noise_variance == pytest.approx((NOISE / 1000) ** 2)
    assert facts.gaussian
    assert np.unique(facts.hours).tolist() == [hour + 0.5 for hour in range(10, 21)]
    assert compared_rows(compared_release(smoothed=False)).smoothing is None


def test_rows_of_hats_that_were_drawn_one_by_one_are_not_compared() -> None:
    assert published_city(make_release()).rows("mean") is None


def test_a_prior_that_cannot_be_read_is_a_finding() -> None:
    with pytest.raises(Finding):
        stated_noises({"queries": [{"statistic": "mean", "noise": "x", "smoothing": {"says": 1}}]})
    assert stated_noises({}) == {}
