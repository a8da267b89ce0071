"""All outcomes of a run with their weights, for independent and for dependent selections."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.evaluate.exact_outcomes import Outcomes, outcomes_of
from core.mechanisms.base import Draw
from core.noise.selection_law import selection_law
from core.noise.source import NoiseSource

HALF = Decimal("0.5")
FIRST, SECOND = np.array([0, -2, -1]), np.array([-3, 0])


def draw_of(noisy: np.ndarray, scale: object = 1.0) -> Draw:
    return Draw(
        unclamped=noisy, estimates=noisy, noise_scale=np.broadcast_to(np.asarray(scale, float), noisy.shape)
    )


def table(outcomes: Outcomes | None) -> dict[float, float]:
    """centre -> probability."""
    assert outcomes is not None
    found: dict[float, float] = {}
    for centre, weight in zip(outcomes.centre.tolist(), outcomes.weight.tolist(), strict=True):
        found[centre] = found.get(centre, 0.0) + weight
    return found


def test_without_a_selection_there_is_one_outcome() -> None:
    outcomes = outcomes_of(lambda noise: draw_of(noise.laplace(41, 6, spend=HALF)))
    assert outcomes is not None
    assert (outcomes.centre.tolist(), outcomes.scale.tolist(), outcomes.weight.tolist()) == ([41], [12], [1])


def test_independent_selections_multiply() -> None:
    def run(noise: NoiseSource) -> Draw:
        first = noise.select(FIRST, 1, spend=HALF)
        second = noise.select(SECOND, 1, spend=HALF)
        return draw_of(noise.laplace(10 * first + second, 1 + first, spend=HALF))

    found = table(outcomes_of(run))
    laws = selection_law(FIRST, 1, 0.5), selection_law(SECOND, 1, 0.5)
    wanted = {10 * i + j: laws[0][i] * laws[1][j] for i in range(3) for j in range(2)}
    assert found == pytest.approx(wanted)


def test_a_selection_that_depends_on_an_earlier_one_has_its_own_law() -> None:
    """As two-step clipping asks: trials that chose alike select together."""

    def run(noise: NoiseSource) -> Draw:
        first = noise.select(FIRST, 1, spend=HALF)
        second = np.empty_like(first)
        for index in np.unique(first):
            here = first == index
            second[here] = noise.select(index * SECOND, 1, spend=HALF, size=int(here.sum()))
        return draw_of(noise.laplace(10 * first + second, 1, spend=HALF))

    found = table(outcomes_of(run))
    law = selection_law(FIRST, 1, 0.5)
    wanted = {10 * i + j: law[i] * selection_law(i * SECOND, 1, 0.5)[j] for i in range(3) for j in range(2)}
    assert found == pytest.approx(wanted)


def test_discarded_noise_has_no_scale() -> None:
    def run(noise: NoiseSource) -> Draw:
        first = noise.select(FIRST, 1, spend=HALF)
        return draw_of(noise.laplace(first, np.maximum(first, 1), spend=HALF), first)

    outcomes = outcomes_of(run)
    assert outcomes is not None
    assert outcomes.scale.tolist() == [0, 2, 4]


@pytest.mark.parametrize("draws", [0, 2])
def test_anything_but_one_laplace_draw_has_no_mixture(draws: int) -> None:
    def run(noise: NoiseSource) -> Draw:
        noisy = [noise.laplace(1, 1, spend=HALF) for _ in range(draws)]
        return draw_of(sum(noisy, np.zeros(1, np.int64)))

    assert outcomes_of(run) is None


@pytest.mark.parametrize("size", [1, 2])
def test_a_vector_of_one_is_a_laplace_draw_and_a_longer_one_is_no_mixture(size: int) -> None:
    def run(noise: NoiseSource) -> Draw:
        first = noise.select(SECOND, 1, spend=HALF)
        noisy = noise.laplace_vector(np.arange(41, 41 + size), 6, spend=HALF)
        assert noisy.shape == (first.size, size)
        return draw_of(noisy.sum(axis=-1))

    outcomes = outcomes_of(run)
    assert (outcomes is None) == (size > 1)
    if outcomes is not None:
        assert (set(outcomes.centre.tolist()), set(outcomes.scale.tolist())) == ({41}, {12})


def test_outcomes_show_sizes_only() -> None:
    outcomes = outcomes_of(lambda noise: draw_of(noise.laplace(41_234, 6, spend=HALF)))
    assert "41234" not in repr(outcomes)
