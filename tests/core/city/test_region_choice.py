"""The promise that leaves least unsaid decides; where none is kept, that is told."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.city.noise_kind import NoiseKind
from core.city.region_choice import RegionChoice, choose_regions, no_part_in_regions, no_region_keeps
from core.city.region_search import Promise
from core.mechanisms.tokens import TOKENS
from tests.records import assert_tells
from tests.tiny_cities import tiny_city, tiny_window


def promise(part: float) -> Promise:
    return Promise(noise=NoiseKind.LAPLACE, tokens_of_box=part * TOKENS, minimum_vehicles=1)


def chosen(*promises: Promise) -> RegionChoice | None:
    window = tiny_window(("06:00", "22:00"))
    city = tiny_city(2, window=window)
    slots = np.array(city.slots, np.int16) + np.int16(window.slots.start)
    return choose_regions(city.pairs, np.array(city.cells, np.uint64), slots, window, promises)


def test_of_several_promises_the_cheaper_leaves_less_unsaid() -> None:
    dear, cheap = promise(0.6), promise(0.1)
    found = chosen(dear, cheap)
    assert found is not None
    assert found.promise is cheap
    assert found.of_hat.max() == len(found.listed) - 1
    assert found.spreads.shape == (len(found.listed),)
    assert (found.spreads >= 0).all()


def test_there_is_no_choice_where_nothing_can_be_kept() -> None:
    assert chosen(promise(1e9)) is None


@pytest.mark.parametrize(
    "problem", [no_region_keeps(2.0, Decimal(4)), no_part_in_regions("zoom", "leave it")]
)
def test_what_is_refused_says_where_and_how_to_mend(problem: Exception) -> None:
    assert_tells(problem)  # type: ignore[arg-type]
