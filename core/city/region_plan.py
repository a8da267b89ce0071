"""The plan of a release by regions, and spec keys to leave out with them (city-release 10)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.city.city_bias import city_bias
from core.city.city_pairs import CityPairs, city_pairs, grouped_pairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, CityPlan, noise_kinds
from core.city.noise_kind import NoiseKind
from core.city.region_choice import choose_regions, no_part_in_regions, no_region_keeps
from core.city.region_search import Promise
from core.city.regions import Regions
from core.city.row_check import require_rows_within
from core.contributions import Contributions, UserTable
from core.fixed_point import THOUSAND
from core.hats.window import Window
from core.mechanisms.public_model import LEAN, scaled
from core.mechanisms.tokens import BOUNDED, EQUAL_IMPORTANCE, TOKENS, TokensParams
from core.mechanisms.value_grid import value_grid
from core.progress import Progress, silent

_HOUR = 60
"""Minutes, to turn the middle of a region's slots into its hour of the day."""


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
    kinds = noise_kinds(params, budget)
    promises = [
        _promise(noise, budget, users.upper_bound, params.promised_error, minimum_vehicles) for noise in kinds
    ]
    found = choose_regions(
        city_pairs(users, chosen),
        contributions.cell[chosen],
        contributions.slot[chosen],
        contributions.window,
        promises,
        progress,
    )
    if found is None:
        raise no_region_keeps(params.promised_error, budget.epsilon)
    of_hat = np.full(contributions.hats, -1)
    of_hat[chosen] = found.of_hat
    inside = int(contributions.records[of_hat >= 0].sum())
    regions = Regions(
        listed=found.listed,
        of_hat=of_hat,
        promised_error=params.promised_error,
        record_share=inside / int(contributions.records.sum()),
        spreads=found.spreads * scaled(1.0, users.upper_bound / THOUSAND),
    )
    pairs, places = grouped_pairs(users, of_hat), _places(regions, contributions.window)
    return _with_tokens(regions, pairs, found.promise, budget, users.upper_bound, places)


def _require_fit(params: TokensParams) -> None:
    """Raise InputError for what regions leave no room for."""
    for asked, key, mend in (
        (params.zoom, "zoom", "leave zoom out: every region has the promised noise already"),
        (params.importance != EQUAL_IMPORTANCE, "importance", "leave it out: all regions promise the same"),
        (params.mode == BOUNDED, "mode", "leave it out: regions weigh records alike"),
    ):
        if asked:
            raise no_part_in_regions(key, mend)


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
        correction=np.ones(pairs.hats),
        lean=LEAN,
        bias=city_bias(pairs, weights, upper_bound / THOUSAND),
        gap=None,
        places=places,
        regions=regions,
    )


def _places(regions: Regions, window: Window) -> CityPlaces:
    """Each region by its first cell and the middle of its hours."""
    middles = [
        window.grid.start(one.slots.start) + window.grid.end(one.slots.stop - 1) for one in regions.listed
    ]
    return CityPlaces(
        cells=np.array([one.cells[0] for one in regions.listed], np.int64),
        hours=np.array(middles) / (2.0 * _HOUR),
        ids=tuple(one.id for one in regions.listed),
    )
