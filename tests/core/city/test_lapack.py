"""The same bits as scipy's own wrappers, and Python goes on meanwhile."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
import scipy

from core.arrays import Floats
from core.city.lapack import cholesky, inverse_of_product, inverse_of_triangle
from core.errors import InternalError


def positive(rows: int, seed: int = 0) -> Floats:
    given = np.random.default_rng(seed).normal(size=(rows, rows))
    made: Floats = given @ given.T + rows * np.eye(rows)
    return made


@pytest.mark.parametrize("rows", [1, 2, 7, 64, 200])
def test_the_bits_are_scipys(rows: int) -> None:
    matrix = positive(rows, seed=rows)
    factor = cholesky(matrix.copy())
    wanted, failed = scipy.linalg.lapack.dpotrf(matrix.T, lower=1, clean=1)
    assert not failed
    np.testing.assert_array_equal(factor, wanted)
    for own, scipys in (
        (inverse_of_product, scipy.linalg.lapack.dpotri),
        (inverse_of_triangle, scipy.linalg.lapack.dtrtri),
    ):
        np.testing.assert_array_equal(own(factor.copy(order="F")), scipys(wanted, lower=1)[0])


def test_they_are_what_they_say() -> None:
    matrix = positive(40)
    factor = cholesky(matrix.copy())
    np.testing.assert_allclose(factor @ factor.T, matrix, rtol=1e-12)
    half = inverse_of_product(factor.copy(order="F"))
    np.testing.assert_allclose((half + np.tril(half, -1).T) @ matrix, np.eye(40), atol=1e-12)
    np.testing.assert_allclose(inverse_of_triangle(factor.copy(order="F")) @ factor, np.eye(40), atol=1e-12)


def test_a_matrix_that_is_not_positive_is_refused() -> None:
    with pytest.raises(np.linalg.LinAlgError, match=r"not positive definite \(row 2\)"):
        cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_rows_in_place_of_columns_are_refused() -> None:
    with pytest.raises(InternalError, match="in columns"):
        inverse_of_triangle(np.ascontiguousarray(cholesky(positive(3))))


@pytest.mark.parametrize("work", [cholesky, inverse_of_product, inverse_of_triangle])
def test_other_threads_go_on_meanwhile(work: Callable[[Floats], Floats]) -> None:
    """A thread that may only run where the lock is let go of does run."""
    given = cholesky(positive(300)) if work is not cholesky else positive(300)
    steps = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal steps
        while not ended.is_set():
            steps += 1
            time.sleep(0)

    work(given.copy(order="F"))  # once before, so that nothing is looked up
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1_000.0)
    counter = threading.Thread(target=count)
    try:
        counter.start()
        before, until = steps, time.monotonic() + 20
        while steps == before and time.monotonic() < until:  # a busy machine lets a thread wait
            work(given.copy(order="F"))
        after = steps
    finally:
        sys.setswitchinterval(interval)
        ended.set()
        counter.join()
    assert after > before
