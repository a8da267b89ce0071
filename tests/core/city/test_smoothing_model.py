"""Covariances against plain loops, and fitted spreads against a slow search of the same likelihood."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import h3
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal, norm

from core.arrays import Floats, Ints
from core.city.smoothing_model import (
    FITTED_LEAST_NOISY,
    FITTED_OTHERS,
    SPREAD_CENTRES,
    HatPlaces,
    cholesky,
    covariance,
    fitted_hats,
    fitted_spreads,
    variance_of_each,
)
from core.hats.places import PlaceIds
from core.mechanisms.covariate import Covariate
from core.progress import Cancelled
from tests.smoothing_tables import hats_around, model_field, signs, slow_covariance


@pytest.mark.parametrize("resolution", [5, 8, 10])
@pytest.mark.parametrize("covariate", [None, signs(60)])
def test_covariances_are_those_of_plain_loops(resolution: int, covariate: Covariate | None) -> None:
    cells, hours = hats_around(60, resolution)
    spreads = np.array([4.5, 1.5, 2.5, 3.5])
    places = HatPlaces.of(cells, hours, covariate)
    slowly = slow_covariance(cells, hours, spreads, covariate)
    np.testing.assert_allclose(covariance(places, spreads), slowly, rtol=1e-7)
    np.testing.assert_allclose(variance_of_each(places, spreads), np.diag(slowly), rtol=1e-7)


def test_rows_and_parts_are_those_of_the_whole() -> None:
    cells, hours = hats_around(700)
    places = HatPlaces.of(cells, hours)
    whole = covariance(places, SPREAD_CENTRES)
    np.testing.assert_array_equal(whole, whole.T)
    some = np.array([699, 3, 256, 42])
    np.testing.assert_array_equal(covariance(places, SPREAD_CENTRES, rows=some), whole[some])
    np.testing.assert_array_equal(covariance(places.take(some), SPREAD_CENTRES), whole[np.ix_(some, some)])


def test_hours_go_round_and_the_far_side_of_the_earth_shares_the_mean_alone() -> None:
    here, there = (h3.str_to_int(h3.latlng_to_cell(*at, 8)) for at in ((30.0, -97.0), (-30.0, 83.0)))
    late_and_early = covariance(HatPlaces.of(np.array([here, here]), np.array([23.5, 0.5])), SPREAD_CENTRES)
    assert late_and_early[0, 1] == pytest.approx(144 + 16 + 4 * math.exp(-1 / 3) + 9 * math.exp(-1 / 2))
    apart = covariance(HatPlaces.of(np.array([here, there]), np.array([8.5, 8.5])), SPREAD_CENTRES)
    assert apart[0, 1] == pytest.approx(144 + 4)


def slowly_fitted(
    cells: Ints, hours: Floats, residuals: Floats, variances: Floats, covariate: Covariate | None
) -> Floats:
    """By a search without gradients, of densities that scipy writes out.

    Covariances are those of plain loops, as the first test shows.
    """
    places = HatPlaces.of(cells, hours, covariate)

    def missed(logs: Floats) -> float:
        law = covariance(places, np.exp(logs)) + np.diag(variances)
        prior = norm.logpdf(logs, np.log(centres), 0.7).sum()
        return -float(multivariate_normal.logpdf(residuals, np.zeros(cells.size), law) + prior)

    centres = [4.0, 2.0, 3.0, 3.0] if covariate is None else [4.0, 1.5, 2.0, 2.5]
    return np.exp(minimize(missed, np.log(centres), method="Nelder-Mead", options={"xatol": 1e-4}).x)


@pytest.mark.parametrize(("deviation", "covariate"), [(0.5, None), (5.0, signs(30))])
def test_fitted_spreads_are_those_of_a_slow_search(deviation: float, covariate: Covariate | None) -> None:
    cells, hours = hats_around(30, seed=3)
    rng = np.random.default_rng(3)
    residuals = model_field(cells, hours, 3, np.array([7.0, 1.0, 2.0, 5.0])) - 22.0
    residuals += rng.normal(0.0, deviation, cells.size)
    variances = np.full(cells.size, deviation**2)
    found = fitted_spreads(HatPlaces.of(cells, hours, covariate), residuals, variances)
    np.testing.assert_allclose(found, slowly_fitted(cells, hours, residuals, variances, covariate), rtol=5e-3)


def test_spreads_are_found_again_where_values_tell_them() -> None:
    cells, hours = hats_around(250, seed=1)
    true = np.array([8.0, 4.0, 2.0, 1.0])
    rng = np.random.default_rng(1)
    law = covariance(HatPlaces.of(cells, hours), true)
    residuals = rng.multivariate_normal(np.zeros(cells.size), law, method="cholesky")
    found = fitted_spreads(HatPlaces.of(cells, hours), residuals, np.full(cells.size, 0.01))
    np.testing.assert_allclose(found, true, rtol=0.35)


@pytest.mark.parametrize("variance", [1e-12, 1e20])
@pytest.mark.parametrize("values", ["equal", "wild"])
def test_nothing_told_by_values_leaves_finite_spreads(variance: float, values: str) -> None:
    cells, hours = hats_around(50)
    residuals = np.zeros(50) if values == "equal" else np.where(np.arange(50) % 2, 1e6, -1e6)
    found = fitted_spreads(HatPlaces.of(cells, hours), residuals, np.full(50, variance))
    assert np.all((found > 0.0) & np.isfinite(found))
    if variance > 1.0:
        np.testing.assert_allclose(found, SPREAD_CENTRES, rtol=1e-3)


def test_of_no_hats_the_spreads_are_the_centres() -> None:
    nothing = np.zeros(0)
    places = HatPlaces.of(np.zeros(0, np.int64), nothing)
    np.testing.assert_array_equal(fitted_spreads(places, nothing, nothing), SPREAD_CENTRES)


def test_a_fit_can_be_stopped() -> None:
    def stop(done: float, text: str = "") -> None:
        assert 0.0 <= done <= 1.0
        assert text
        raise Cancelled

    places = HatPlaces.of(*hats_around(20))
    with pytest.raises(Cancelled):
        fitted_spreads(places, np.zeros(20), np.ones(20), stop)


def test_the_least_noisy_and_the_lowest_hashes_tell_the_spreads() -> None:
    ids = [f"{number:04} cell" for number in range(2_000)]
    variances = np.random.default_rng(0).permutation(2_000) + 1.0
    by_hash = sorted(range(2_000), key=lambda at: hashlib.sha256(ids[at].encode()).digest())[:1_000]
    wanted = {*by_hash, *(at for at in range(2_000) if variances[at] <= 250)}
    found = fitted_hats(ids, variances)
    assert found.tolist() == sorted(wanted)
    assert FITTED_OTHERS < found.size <= FITTED_LEAST_NOISY + FITTED_OTHERS


def test_which_hats_tell_the_spreads_does_not_depend_on_their_order() -> None:
    ids = [f"{number:04}" for number in range(900)]
    variances = np.repeat([1.0, 4.0, 2.0], 300)
    order = np.random.default_rng(5).permutation(900)
    mixed = fitted_hats([ids[at] for at in order], variances[order])
    assert sorted(order[mixed].tolist()) == fitted_hats(ids, variances).tolist()


def test_few_hats_all_tell_the_spreads() -> None:
    assert fitted_hats(["a", "b", "c"], np.array([3.0, 1.0, 2.0])).tolist() == [0, 1, 2]


def test_a_factor_is_lower_and_gives_the_matrix_back() -> None:
    matrix = covariance(HatPlaces.of(*hats_around(40)), SPREAD_CENTRES)
    factor = cholesky(matrix.copy())
    assert not np.triu(factor, 1).any()
    np.testing.assert_allclose(factor @ factor.T, matrix)


def test_a_matrix_that_is_no_covariance_is_refused() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_zones_are_alike_where_their_middles_are_near() -> None:
    """The first two wards are a kilometre apart, the third is far away; labels lie nowhere."""
    ids = ("north", "middle", "south")
    lying = PlaceIds(kind="zones", ids=ids).lying_at(
        {"north": (21.20, 72.8), "middle": (21.191, 72.8), "south": (20.9, 72.8)}
    )
    numbers, hours = np.arange(3), np.full(3, 8.5)
    shared = covariance(HatPlaces.of(numbers, hours, None, lying), SPREAD_CENTRES)
    apart = covariance(HatPlaces.of(numbers, hours, None, PlaceIds(kind="zones", ids=ids)), SPREAD_CENTRES)
    near = 0.6 * 4.0**2 * np.exp(-1.0007 / 2) + 3.0**2 * np.exp(-1.0007 / 2)
    assert shared[0, 1] - apart[0, 1] == pytest.approx(near, rel=1e-3)
    assert shared[0, 2] == pytest.approx(apart[0, 2], abs=1e-4)


def test_before_a_release_spreads_move_by_half_of_what_the_last_found() -> None:
    options: dict[str, Any]
    cells, hours = hats_around(6)
    groups = np.arange(6) % 2
    former = np.array([1.0, 2.0, 0.5, 4.0])
    alone, after = (HatPlaces.of(cells, hours, former_spreads=one) for one in (None, former))
    moved = np.log(after.foretold_spreads / alone.foretold_spreads)
    np.testing.assert_allclose(2.0 * moved, np.log(former / alone.spread_centres), atol=1e-12)
    untold = HatPlaces.of(cells, hours, former_spreads=alone.spread_centres)
    np.testing.assert_array_equal(untold.foretold_spreads, alone.foretold_spreads)
    np.testing.assert_array_equal(after.spread_centres, alone.spread_centres)
    np.testing.assert_array_equal(after.take(np.arange(3)).foretold_spreads, after.foretold_spreads)

    for options in ({"group": groups}, {"of_shares": True}):
        usual, same = (HatPlaces.of(cells, hours, former_spreads=one, **options) for one in (None, former))
        np.testing.assert_array_equal(usual.foretold_spreads, same.foretold_spreads)
