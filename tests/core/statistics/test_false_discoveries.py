"""core.statistics.false_discoveries: chance is not told too small, and little of what is kept is false."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from core.noise.laplace_normal import LN_20, half_width_95
from core.statistics.false_discoveries import FALSE_DISCOVERIES, p_values, retained_discoveries

DRAWS = 200_000
Draw = Callable[[np.random.Generator, float], NDArray[np.float64]]


def _noise(kind: str, scale: float, rng: np.random.Generator, size: int) -> tuple[NDArray[np.float64], float]:
    """Draws and their 95 % half-width."""
    if kind == "normal":
        return rng.normal(0.0, scale, size), 1.959964 * scale
    if kind == "laplace":
        return rng.laplace(0.0, scale, size), LN_20 * scale
    return (
        rng.laplace(0.0, scale, size) + rng.normal(0.0, 1.5 * scale, size),
        half_width_95(scale, 1.5 * scale),
    )


@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.1])
@pytest.mark.parametrize("kinds", ["laplace laplace", "normal normal", "both both", "laplace both"])
def test_no_change_looks_stronger_than_chance_makes_it(kinds: str, ratio: float) -> None:
    rng = np.random.default_rng(len(kinds) + int(10 * ratio))
    first, second = kinds.split()
    (old, old_half), (new, new_half) = (
        _noise(kind, scale, rng, DRAWS) for kind, scale in ((first, 4.0), (second, 4.0 * ratio))
    )
    reach = np.full(DRAWS, math.hypot(old_half, new_half))
    p = p_values(new - old, reach, normal=kinds == "normal normal")
    for level in (0.05, 0.01, 0.001):
        spread = 3.0 * math.sqrt(level / DRAWS)
        assert (p <= level).mean() <= level + spread
    if kinds == "normal normal":  # and no weaker either
        assert (p <= 0.001).mean() == pytest.approx(0.001, abs=0.0003)


def test_of_two_like_laplace_noises_the_bound_is_three_times_the_chance() -> None:
    change = np.array([10.0])
    exact = math.exp(-10.0) * (1.0 + 10.0 / 2.0)
    told = p_values(change, np.array([math.sqrt(2.0) * LN_20]), normal=False)[0]
    assert exact == pytest.approx(0.00027, abs=1e-5)
    assert 3.0 < told / exact < 3.2


def test_what_is_within_the_noise_tells_nothing() -> None:
    change, reach = np.array([2.9, 3.0, -3.0, 0.0, 1.0]), np.array([3.0, 3.0, 3.0, 0.0, 0.0])
    assert p_values(change, reach, normal=False).tolist() == pytest.approx([1.0, 0.05, 0.05, 1.0, 0.0])


def test_the_textbook_example_of_fifteen() -> None:
    """The p-values of the article's own example: four are kept at 5 %."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.324, 0.4262, 0.5719, 0.6528, 0.759, 1.0]
    mixed = np.random.default_rng(1).permutation(p)
    assert sorted(mixed[retained_discoveries(mixed)]) == p[:4]
    assert retained_discoveries(np.array([])).tolist() == []


@pytest.mark.parametrize("kind", ["laplace", "normal"])
def test_few_of_the_kept_changes_are_none(kind: str) -> None:
    """Cities of 600 rows in which nothing, or a tenth, has changed."""
    rng, rows, cities = np.random.default_rng(7), 600, 200
    for truly_changed in (0, 60):
        true = np.zeros((cities, rows))
        true[:, :truly_changed] = 30.0
        (old, half), (new, _) = (_noise(kind, 3.0, rng, cities * rows) for _ in range(2))
        change = true + (new - old).reshape(cities, rows)
        reach = np.full((cities, rows), math.sqrt(2.0) * half)
        retained = np.array(
            [
                retained_discoveries(p_values(one, far, normal=kind == "normal"))
                for one, far in zip(change, reach, strict=True)
            ]
        )
        false = (retained & (true == 0.0)).sum(axis=1) / np.maximum(retained.sum(axis=1), 1)
        # three standard errors of a share of 5 % over these cities
        assert false.mean() <= FALSE_DISCOVERIES + 3.0 * math.sqrt(0.05 * 0.95 / cities)
        assert retained[:, :truly_changed].all(axis=1).mean() >= (0.0 if truly_changed else 1.0)
        if truly_changed:
            assert retained[:, :truly_changed].mean() > 0.8
