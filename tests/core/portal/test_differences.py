"""core.portal.differences: sums of released rows, tested raw, said smoothed."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

from core.portal.differences import ALIKE_IN_A_PART, Difference, Ranged, differences
from core.portal.row_parts import fixed_pairs, part_named
from tests.compared_city import NOISE, compared_release, compared_rows


@cache
def compared(first: str, second: str, **options: object) -> Difference:
    rows = compared_rows(compared_release(**options))  # type: ignore[arg-type]
    (found,) = differences(rows, [(part_named(rows, first), part_named(rows, second))])
    return found


def test_the_raw_difference_is_the_weighted_one_with_its_noise() -> None:
    rows = compared_rows()
    first, second = part_named(rows, "middle"), part_named(rows, "edge")
    (found,) = differences(rows, [(first, second)])
    a = first.chosen * rows.weights / rows.weights[first.chosen].sum()
    a -= second.chosen * rows.weights / rows.weights[second.chosen].sum()
    assert found.raw.value == pytest.approx(a @ rows.values)
    deviation = np.sqrt((a**2).sum()) * NOISE / 1000
    assert found.raw.high - found.raw.value == pytest.approx(1.96 * deviation, rel=1e-4)
    assert found.strong
    assert found.clear
    assert found.alone is None
    # 15 and 19 km/h in the middle (and five of the second ring), 27 at the edge
    assert found.said.low < found.raw.value < found.said.high
    own, other = found.means
    assert other.value - own.value == pytest.approx(-found.said.value, abs=0.3)


def test_nothing_is_clear_where_nothing_differs_and_single_places_differ_by_chance_only() -> None:
    found = compared("evening-peak", "midday")
    assert not found.clear
    assert not found.strong
    assert found.alone is not None
    some, of = found.alone
    assert of == 37
    assert some <= 4


def test_places_that_differ_are_found_one_by_one() -> None:
    found = compared(
        "late", "midday", speed=lambda ring, hour: 20.0 + (20.0 if ring == 3 and hour > 18 else 0.0)
    )
    assert found.alone is not None
    assert 18 <= found.alone[0] <= 21


def test_hours_are_compared_where_both_have_the_same_places() -> None:
    release = compared_release(lambda ring, _: 50.0 if ring == 3 else 20.0)
    (query,) = release.queries
    edge = {row.cell for row in query.rows[-18 * 11 :]}
    rest = tuple(row for row in query.rows if row.cell not in edge or row.slot_start < "16:00")
    rows = compared_rows(dataclasses.replace(release, queries=(dataclasses.replace(query, rows=rest),)))
    (found,) = differences(rows, [(part_named(rows, "evening-peak"), part_named(rows, "midday"))])
    assert abs(found.raw.value) < 1.0
    assert found.alone == (0, 19)
    nobody = dataclasses.replace(part_named(rows, "late"), chosen=np.zeros(len(rows.rows), bool))
    assert differences(rows, [(nobody, part_named(rows, "midday"))]) == ()


def test_without_smoothing_the_raw_one_is_said() -> None:
    found = compared("middle", "edge", smoothed=False)
    assert found.smoothed is None
    assert found.said == found.raw


@pytest.mark.parametrize(
    ("raw", "smoothed", "clear"),
    [
        (Ranged(-3.0, -5.0, -1.0), Ranged(-2.0, -4.0, -0.5), True),
        (Ranged(-3.0, -7.0, 1.0), Ranged(-2.0, -4.0, -0.5), False),
        (Ranged(3.0, 1.0, 5.0), Ranged(1.0, -0.5, 2.0), False),
        (Ranged(3.0, 1.0, 5.0), None, True),
    ],
)
def test_clear_are_only_both_together(raw: Ranged, smoothed: Ranged | None, clear: bool) -> None:
    found = dataclasses.replace(compared("middle", "edge"), raw=raw, smoothed=smoothed)
    assert found.clear is clear


def test_intervals_of_differences_hold_as_often_as_they_say() -> None:
    """Over releases with fresh noise of one city; and no wrong sign is clear."""
    truth = (-9.0, 0.0, 0.0)
    held, wrong = [], 0
    for seed in range(40):
        rows = compared_rows(compared_release(rings=2, seed=seed, speed=lambda ring, _: 15.0 + 6.0 * ring))
        for true, found in zip(truth, differences(rows, list(fixed_pairs(rows))), strict=True):
            if true == 0.0:
                held.append(
                    (found.raw.low <= 0.0 <= found.raw.high, found.said.low <= 0.0 <= found.said.high)
                )
            wrong += found.clear and true != 0.0 and found.said.value > 0.0
    assert np.mean(held, axis=0) == pytest.approx(0.95, abs=0.07)
    assert wrong == 0


@pytest.mark.parametrize("smoothed", [False, True])
def test_differences_hold_where_biases_are_alike_in_a_part(smoothed: bool) -> None:
    """It does not average out over their rows, as pages of the third form took it."""
    rows = compared_rows(compared_release(rings=2, hours=(10, 16), smoothed=smoothed))
    pair = part_named(rows, "middle"), part_named(rows, "edge")
    random, noise, bias, size = np.random.default_rng(5), 4.0, 3.0, len(rows.rows)
    truth = 24.0 - 3.0 * pair[0].chosen
    stated = {"biases": np.full(size, bias), "deviations": np.full(size, np.hypot(noise, bias))}
    held: dict[float, list[bool]] = {0.0: [], ALIKE_IN_A_PART: []}
    for _ in range(200):
        in_part = sum(part.chosen * random.standard_normal() for part in pair)
        own = np.sqrt(1.0 - ALIKE_IN_A_PART**2) * random.standard_normal(size)
        values = truth + bias * (ALIKE_IN_A_PART * in_part + own) + noise * random.standard_normal(size)
        seen = dataclasses.replace(rows, values=values, **stated)
        for alike, into in held.items():
            (found,) = differences(seen, [pair], alike=alike)
            into.append(found.said.low <= -3.0 <= found.said.high)
    assert np.mean(held[0.0]) < 0.9
    assert np.mean(held[ALIKE_IN_A_PART]) >= 0.94
