"""The search for regions, against one by hand that looks at every move at every step."""

from __future__ import annotations

import itertools
import math
import time

import h3
import numpy as np
import pytest

from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.region_boxes import box_grid, boxes_of
from core.city.region_search import Promise, RegionBox, search_regions
from core.city.region_spread import REGION_SPREADS, unevenness
from core.city.smoothing_model import HatPlaces, covariance
from core.mechanisms.tokens import TOKENS
from core.progress import Cancelled
from tests.region_fleets import large_fleet
from tests.tiny_cities import TinyCity, tiny_city, tiny_window

Hats = frozenset[tuple[int, int]]
"""(cell, slot) of each HAT of a region."""
NOISES = list(NoiseKind)
BUDGETS = (0.4, 0.8, 2.0)
"""Tokens a box needs, in those of one vehicle."""


def promise(noise: NoiseKind, share: float, minimum_vehicles: int = 2) -> Promise:
    return Promise(noise=noise, tokens_of_box=share * TOKENS, minimum_vehicles=minimum_vehicles)


def found_in(city: TinyCity, asked: Promise) -> tuple[RegionBox, ...]:
    return search_regions(city.boxes, unevenness(city.boxes), asked)


def hats_of(city: TinyCity, box: RegionBox) -> Hats:
    grid = city.boxes.grid
    place, block = divmod(box.number, grid.blocks(box.time))
    cells = set(grid.cells[grid.cells_of(box.space, place)].tolist())
    slots = grid.slots_of(box.time, block)
    return frozenset((cell, slot) for cell, slot in city.records if cell in cells and slot in slots)


class ByHand:
    """The same greedy choice from the records themselves, with nothing kept between steps."""

    def __init__(self, city: TinyCity, asked: Promise) -> None:
        self.city, self.asked = city, asked
        self.hats = list(city.records)
        hours = city.boxes.grid.hours[np.array([slot for _, slot in self.hats])]
        places = HatPlaces.of(np.array([cell for cell, _ in self.hats]), hours)
        self.shared = covariance(places, REGION_SPREADS)

    def counts(self, hats: Hats) -> dict[int, int]:
        held: dict[int, int] = {}
        for hat in hats:
            for vehicle, records in self.city.records[hat].items():
                held[vehicle] = held.get(vehicle, 0) + records
        return held

    def load(self, hats: Hats) -> dict[int, int]:
        held = self.counts(hats)
        total = sum(held.values())
        tokens = {v: math.ceil(self.asked.tokens_of_box * (m / total)) for v, m in held.items()}
        return {v: y * y if self.asked.noise.squared else y for v, y in tokens.items()}

    def uneven(self, hats: Hats) -> float:
        m = np.array([float(sum(self.city.records[h].values())) if h in hats else 0.0 for h in self.hats])
        return float(m @ np.diag(self.shared) - m @ self.shared @ m / m.sum())

    def loads(self, regions: list[tuple[int, int, Hats]]) -> dict[int, int]:
        summed: dict[int, int] = {}
        for _, _, hats in regions:
            for vehicle, load in self.load(hats).items():
                summed[vehicle] = summed.get(vehicle, 0) + load
        return summed

    def children(self, region: tuple[int, int, Hats]) -> list[list[tuple[int, int, Hats]]]:
        space, length, hats = region
        grid = self.city.boxes.grid
        finest = h3.get_resolution(h3.int_to_str(next(iter(hats))[0]))
        moves = []
        for finer in range(space + 1, finest + 1):
            by_parent: dict[str, set[tuple[int, int]]] = {}
            for cell, slot in hats:
                parent = h3.cell_to_parent(h3.int_to_str(cell), finer)
                by_parent.setdefault(parent, set()).add((cell, slot))
            if len(by_parent) > 1:
                moves.append([(finer, length, frozenset(some)) for some in by_parent.values()])
                break
        for shorter in [int(first[1]) for first in grid.first_slot if first[1] < length]:
            by_block: dict[int, set[tuple[int, int]]] = {}
            for cell, slot in hats:
                by_block.setdefault(slot // shorter, set()).add((cell, slot))
            if len(by_block) > 1:
                moves.append([(space, shorter, frozenset(some)) for some in by_block.values()])
                break
        return moves

    def search(self) -> set[Hats]:
        limit, least = self.asked.limit, self.asked.minimum_vehicles
        roots: dict[str, set[tuple[int, int]]] = {}
        for cell, slot in self.hats:
            roots.setdefault(h3.cell_to_parent(h3.int_to_str(cell), 6), set()).add((cell, slot))
        whole = len(self.city.window.slots)
        regions: list[tuple[int, int, Hats]] = []
        for hats in sorted(roots.values(), key=lambda some: -sum(self.counts(frozenset(some)).values())):
            tried = [*regions, (6, whole, frozenset(hats))]
            if len(self.counts(frozenset(hats))) >= least and max(self.loads(tried).values()) <= limit:
                regions = tried
        while True:
            before, best = self.loads(regions), None
            for region, move in ((r, m) for r in regions for m in self.children(r)):
                retained = [
                    child
                    for child in move
                    if len(self.counts(child[2])) >= least and 2 * max(self.load(child[2]).values()) <= limit
                ]
                lost = sum(self.counts(region[2]).values())
                lost -= sum(sum(self.counts(child[2]).values()) for child in retained)
                gain = self.uneven(region[2]) - sum(self.uneven(child[2]) for child in retained) - 49.0 * lost
                tried = [*(other for other in regions if other is not region), *retained]
                after = self.loads(tried)
                if not retained or gain <= 1e-6 or max(after.values()) > limit:
                    continue
                cost = sum(
                    (after.get(v, 0) - load) / limit * ((load / limit) ** 3 + 0.02)
                    for v, load in before.items()
                )
                ratio = gain / max(cost, 1e-12)
                if best is None or ratio > best[0]:
                    best = ratio, tried
            if best is None:
                return {hats for _, _, hats in regions}
            regions = best[1]


@pytest.mark.parametrize(
    ("noise", "share", "seed"), list(itertools.product(NOISES, BUDGETS, range(6))), ids=str
)
def test_it_finds_what_a_search_by_hand_finds(noise: NoiseKind, share: float, seed: int) -> None:
    city, asked = tiny_city(seed), promise(noise, share)
    assert {hats_of(city, box) for box in found_in(city, asked)} == ByHand(city, asked).search()


@pytest.mark.parametrize("minutes", [15, 240])
@pytest.mark.parametrize("resolution", [6, 7, 10])
def test_it_does_so_on_other_grids(minutes: int, resolution: int) -> None:
    city = tiny_city(11, resolution=resolution, rings=4, window=tiny_window(("06:00", "22:00"), minutes))
    asked = promise(NoiseKind.LAPLACE, 2.0)
    assert {hats_of(city, box) for box in found_in(city, asked)} == ByHand(city, asked).search()


@pytest.mark.parametrize(
    ("noise", "share", "seed"),
    [(NoiseKind.GAUSS, 0.6, 115), (NoiseKind.LAPLACE, 0.25, 223), (NoiseKind.LAPLACE, 0.6, 371)],
)
def test_moves_are_looked_at_again_where_a_lost_box_relieves_vehicles(
    noise: NoiseKind, share: float, seed: int
) -> None:
    """Cities where it matters are rare; these were searched for."""
    city, asked = tiny_city(seed, hats=60, vehicles=5, rings=16), promise(noise, share)
    assert {hats_of(city, box) for box in found_in(city, asked)} == ByHand(city, asked).search()


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("seed", range(20))
def test_loads_stay_within_the_limit_and_no_record_is_in_two_regions(seed: int, noise: NoiseKind) -> None:
    city = tiny_city(seed, hats=60, vehicles=9)
    for share in BUDGETS:
        asked = promise(noise, share, minimum_vehicles=1 + seed % 3)
        regions = [hats_of(city, box) for box in found_in(city, asked)]
        assert sum(len(region) for region in regions) == len(frozenset[tuple[int, int]]().union(*regions))
        hand = ByHand(city, asked)
        loads = hand.loads([(0, 0, region) for region in regions])
        assert max(loads.values(), default=0) <= asked.limit
        assert all(len(hand.counts(region)) >= asked.minimum_vehicles for region in regions)


def test_a_promise_that_nobody_can_pay_leaves_nothing() -> None:
    assert found_in(tiny_city(1), promise(NoiseKind.LAPLACE, 1e9)) == ()


def test_a_promise_that_costs_nothing_leaves_every_hat_alone() -> None:
    city = tiny_city(2, hats=8)
    found = found_in(city, promise(NoiseKind.LAPLACE, 1e-3, minimum_vehicles=1))
    assert {hats_of(city, box) for box in found} == {frozenset([hat]) for hat in city.records}


@pytest.mark.parametrize("noise", NOISES)
def test_it_does_not_matter_which_vehicle_is_which(noise: NoiseKind) -> None:
    city = tiny_city(3, hats=60)
    pairs = city.pairs
    renamed = pairs.vehicles - 1 - pairs.vehicle
    order = np.lexsort((renamed, pairs.hat))
    other = CityPairs(
        hat=pairs.hat[order], vehicle=renamed[order], code=renamed[order], records=pairs.records[order]
    )
    cells = np.array(city.cells, np.uint64)
    boxes = boxes_of(box_grid(cells, city.window), other, cells, np.array(city.slots))
    asked = promise(noise, 2.0)
    assert search_regions(boxes, unevenness(boxes), asked) == found_in(city, asked)


def test_a_large_fleet_takes_seconds_tells_progress_and_can_be_stopped() -> None:
    """The limit leaves room for other workers of the machine."""
    city = large_fleet(1_200)
    assert city.pairs.hat.size > 40_000
    begun = time.perf_counter()
    boxes = boxes_of(box_grid(city.cells, city.window), city.pairs, city.cells, city.slots)
    told: list[float] = []
    asked = promise(NoiseKind.LAPLACE, 3.25)
    found = search_regions(boxes, unevenness(boxes), asked, lambda done, _="": told.append(done))
    assert time.perf_counter() - begun < 30.0
    assert len(found) > 50
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(Cancelled):
        search_regions(boxes, unevenness(boxes), asked, stopped)
    with pytest.raises(Cancelled):
        boxes_of(box_grid(city.cells, city.window), city.pairs, city.cells, city.slots, stopped)


def stopped(_done: float, _text: str = "") -> None:
    raise Cancelled
