"""The plan of a release by regions that keep a promised error (city-release 10)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.city.city_bias import city_bias
from core.city.city_pairs import CityPairs, city_pairs, grouped_pairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, CityPlan, noise_kinds
from core.city.noise_kind import NoiseKind
from core.city.region_boxes import Boxes, box_grid, boxes_of
from core.city.region_search import Promise, RegionBox, hidden_by, search_regions
from core.city.region_spread import unevenness
from core.city.regions import Regions, regions_of
from core.city.row_check import require_rows_within
from core.contributions import Contributions, UserTable
from core.errors import InputError
from core.hats.window import Window
from core.mechanisms.public_model import scaled
from core.mechanisms.tokens import BOUNDED, EQUAL_IMPORTANCE, TOKENS, TokensParams
from core.mechanisms.value_grid import value_grid
from core.progress import Progress, part, silent
from core.values import THOUSAND, plain

_HOUR = 60
"""Minutes."""


def plan_regions(
    contributions: Contributions,
    users: UserTable,
    chosen: NDArray[np.bool_],
    budget: CityBudget,
    params: TokensParams,
    minimum_vehicles: int,
    progress: Progress = silent,
) -> CityPlan:
    """Regions of the chosen HATs, shape (G,), and everyone's tokens in them.

    Weights are those of the records, rounded up to tokens, so that no region misses the promise by rounding.
    With `auto` both kinds of noise are tried, and that taken which leaves less unsaid. Raises InputError for
    parameters that do not fit, and where no region keeps the promise.
    """
    _require_fit(params)
    window, first_slot = contributions.window, contributions.window.slots.start
    cell = contributions.cell[chosen]
    slot = contributions.slot[chosen].astype(np.int64) - first_slot
    grid = box_grid(cell, window)
    boxes = boxes_of(grid, city_pairs(users, chosen), cell, slot)
    uneven, kinds = unevenness(boxes), noise_kinds(params, budget)
    best: tuple[float, NoiseKind, tuple[RegionBox, ...]] | None = None
    for number, noise in enumerate(kinds):
        promise = _promise(noise, budget, users.upper_bound, params.promised_error, minimum_vehicles)
        searching = part(progress, number / len(kinds), (number + 1) / len(kinds))
        published = search_regions(boxes, uneven, promise, searching)
        hidden = hidden_by(boxes, uneven, published)
        if published and (best is None or hidden < best[0]):
            best = hidden, noise, published
    if best is None:
        raise InputError(
            f"With a total of {plain(budget.epsilon)} not even the largest regions keep an error of "
            f"{params.promised_error:g}.",
            where="query.parameters, promised_error",
            mend="promise a larger error, raise the total, or choose more dates",
        )
    _, noise, published = best
    listed, inside, of_chosen = regions_of(published, grid, cell.astype(np.int64), slot, first_slot)
    of_hat = np.full(contributions.hats, -1)
    of_hat[chosen] = of_chosen
    held = int(contributions.records[of_hat >= 0].sum())
    regions = Regions(
        listed=listed,
        of_hat=of_hat,
        promised_error=params.promised_error,
        record_share=held / int(contributions.records.sum()),
        spreads=_spreads(boxes, uneven, inside) * scaled(1.0, users.upper_bound / THOUSAND),
    )
    promise = _promise(noise, budget, users.upper_bound, params.promised_error, minimum_vehicles)
    return _with_tokens(
        regions, grouped_pairs(users, of_hat), promise, budget, users.upper_bound, _places(regions, window)
    )


def _spreads(boxes: Boxes, uneven: tuple[tuple[Floats, ...], ...], published: Sequence[RegionBox]) -> Floats:
    """Root of the variance inside each box, in the papers' units; shape (boxes,)."""
    hidden = [float(uneven[box.space][box.time][box.number]) for box in published]
    records = [int(boxes.levels[box.space][box.time].totals[box.number]) for box in published]
    spreads: Floats = np.sqrt(np.array(hidden) / np.array(records))
    return spreads


def _require_fit(params: TokensParams) -> None:
    """Raise InputError for what regions leave no room for."""
    for asked, key, mend in (
        (params.zoom, "zoom", "leave zoom out: every region has the promised noise already"),
        (params.importance != EQUAL_IMPORTANCE, "importance", "leave it out: all regions promise the same"),
        (params.mode == BOUNDED, "mode", "leave it out: regions weigh records alike"),
    ):
        if asked:
            raise InputError(
                f"Regions cannot be combined with this {key}.", where=f"query.parameters, {key}", mend=mend
            )


def _promise(
    noise: NoiseKind, budget: CityBudget, upper_bound: int, promised_error: float, minimum_vehicles: int
) -> Promise:
    """In tokens: noise of scale `Q Y step / cost / S` may miss as much as is promised, on average."""
    spend, grid = float(budget.spend(noise)), value_grid(upper_bound)
    cost = math.sqrt(2.0 * spend) if noise.squared else spend
    scale = promised_error / noise.mean_of_scale
    return Promise(
        noise=noise,
        tokens_of_box=grid.largest * TOKENS * grid.step_kmh / cost / scale,
        minimum_vehicles=minimum_vehicles,
    )


def _with_tokens(
    regions: Regions,
    pairs: CityPairs,
    promise: Promise,
    budget: CityBudget,
    upper_bound: int,
    places: CityPlaces,
) -> CityPlan:
    """The plan, its rows checked."""
    tokens = promise.tokens(pairs.shares)
    require_rows_within(pairs.vehicle.tolist(), tokens.tolist(), TOKENS, squared=promise.noise.squared)
    weights = tokens / pairs.by_hat(tokens)[pairs.hat]
    return CityPlan(
        pairs=pairs,
        hat_index=np.arange(len(regions.listed)),
        tokens=tokens,
        noise=promise.noise,
        spend=budget.spend(promise.noise),
        budget=budget,
        upper_bound=upper_bound,
        grid=value_grid(upper_bound),
        bias=city_bias(pairs, weights, upper_bound / THOUSAND),
        gap=None,
        places=places,
        regions=regions,
    )


def _places(regions: Regions, window: Window) -> CityPlaces:
    """Each region by its first cell and the middle of its hours."""
    middles = [
        window.grid.start(one.slots.start) + window.grid.start(one.slots.stop) for one in regions.listed
    ]
    return CityPlaces(
        cells=np.array([one.cells[0] for one in regions.listed], np.int64),
        hours=np.array(middles) / (2.0 * _HOUR),
        ids=tuple(one.id for one in regions.listed),
    )
