"""Which resolution, slot and noise a total is worth, by public counts alone (city-release 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from core.accounting.epsilon_rounding import plain
from core.advice.accuracy_first import city_outline
from core.city.city_bound import least_epsilon, most_hats
from core.city.noise_kind import NoiseKind
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, users_of
from core.counted import count_of
from core.errors import InputError
from core.hats.cells import RESOLUTIONS
from core.hats.slots import ALL, SlotLength
from core.hats.window import Window
from core.mechanisms.public_model import scaled
from core.mechanisms.smooth_field import SMOOTH
from core.planning.city_accuracy import CityOutline, ErrorGoal, total_for_error
from core.planning.city_query import require_shared_total
from core.planning.query_plan import Query
from core.planning.resolution_table import windows_of
from core.planning.values_query import distinct_vehicles
from core.privacy import Confidential, Unit
from core.progress import Progress, part, silent
from core.selection.base import SelectionRequest
from core.selection.registry import require_rule, select
from core.statistics.error_figures import significant
from core.texts import joined, text_of

MOST_OPTIONS = 8
"""Rows of the list, the best first."""
TARGET = 2.0
"""The error that the bound is stated for, in km/h at the papers' U."""
_COARSER = 2
"""Resolutions below the draft's that are looked at."""
_LONGER: tuple[SlotLength, ...] = (240, ALL)
"""Slots that are looked at besides the draft's."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GridOption(Confidential):
    """One resolution with one length of slots and one kind of noise, at the total."""

    resolution: int
    window: Window
    noise: NoiseKind
    hats: int
    """Published ones."""
    records: float
    """The share of the window's records that lie in them, 0..1."""
    raw_error: float
    """Typical error in the median HAT, in the value's unit."""
    smoothed_error: float | None
    """The same after smoothing; None where nothing is smoothed."""
    constant: float
    """What publishing one constant typically misses."""

    @property
    def error(self) -> float:
        """Of the better of both numbers: where noise is small, smoothing may only add to it."""
        return self.raw_error if self.smoothed_error is None else min(self.raw_error, self.smoothed_error)

    @property
    def gain(self) -> float:
        """How many times better than a constant."""
        return self.constant / self.error

    @property
    def worthwhile(self) -> bool:
        """Whether it tells more than a constant: otherwise it is not recommended."""
        return self.error < self.constant

    @property
    def slots(self) -> str:
        """Their length as people read it."""
        if len(self.window.slots) == 1:
            return "the whole window"
        return count_of(self.window.slot_minutes, "minute")

    @property
    def slots_in_a_sentence(self) -> str:
        """How many or how long they are."""
        return (
            "one slot of the whole window"
            if len(self.window.slots) == 1
            else text_of("slots of {slots}", slots=self.slots)
        )

    def to_json(self) -> dict[str, Any]:
        """The keys that `hexveil plan --help` explains."""
        return {
            "resolution": self.resolution,
            "slot_minutes": self.window.slot_minutes,
            "hours": list(self.window.hours),
            "noise": self.noise.value,
            "hats": self.hats,
            "records": self.records,
            "error_raw": self.raw_error,
            "error_smoothed": self.smoothed_error,
            "gain": self.gain,
            "recommended": self.worthwhile,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CityAdvice(Confidential):
    """The list, and what is said of the grid that was asked about."""

    total: Decimal
    options: tuple[GridOption, ...]
    """Those worth publishing first, the smallest error first: `MOST_OPTIONS` at most, `own` behind them."""
    own: GridOption | None
    """The better noise of the grid that was asked about; None where it has no HAT to publish."""
    needed: Decimal | None
    """The total from which that grid tells more than a constant, where this one does not; None: none does,
    or none is needed."""
    vehicles: int
    """In the published HATs of that grid."""
    upper: float
    """U, in the value's unit."""
    unit_of_value: str

    @property
    def bound(self) -> str:
        """What no joint release of that grid can beat, in one sentence; empty without it."""
        if self.own is None:
            return ""
        noise = scaled(TARGET, self.upper)
        least = least_epsilon(self.own.hats, self.vehicles, noise, self.upper)
        most = most_hats(float(self.total), self.vehicles, noise, self.upper)
        if most == 0:
            return text_of(
                "Laplace noise of {noise} {unit_of_value} in each of the {counted_published_hexagon_slots} "
                "takes a total of {least} at least, before other weights and smoothing; {total} is too "
                "little for a single one.",
                noise=significant(noise, 3),
                unit_of_value=self.unit_of_value,
                counted_published_hexagon_slots=count_of(self.own.hats, "published hexagon slot"),
                least=significant(least, 3),
                total=plain(self.total),
            )
        return text_of(
            "Laplace noise of {noise} {unit_of_value} in each of the {counted_published_hexagon_slots} takes "
            "a total of {least} at least, before other weights and smoothing; {total} buys it for "
            "{counted_hexagon_slots} at most.",
            noise=significant(noise, 3),
            unit_of_value=self.unit_of_value,
            counted_published_hexagon_slots=count_of(self.own.hats, "published hexagon slot"),
            least=significant(least, 3),
            total=plain(self.total),
            counted_hexagon_slots=count_of(most, "hexagon slot"),
        )

    @property
    def reason(self) -> str:
        """What is recommended, for the analyst."""
        good = [one for one in self.options if one.worthwhile]
        if self.own is not None and self.own.worthwhile:
            return text_of(
                "A total of {total} gives an estimated typical error of {error} in the median hexagon slot, "
                "{gain} times better than publishing one constant.",
                total=plain(self.total),
                error=self._error_text(self.own.error),
                gain=f"{self.own.gain:.1f}",
            )
        said = text_of("A total of {total} is not worth spending on this grid", total=plain(self.total))
        if self.own is not None:
            said += text_of(
                ": the median hexagon slot would typically be off by {error}, one constant for all of them "
                "{constant}",
                error=self._error_text(self.own.error),
                constant=self._error_text(self.own.constant),
            )
        ways = []
        if self.needed is not None:
            ways.append(text_of("a total of {needed}", needed=f"{self.needed:f}"))
        if good:
            best = good[0]
            noise = "Gaussian" if best.noise.squared else "Laplace"
            ways.append(
                text_of(
                    "resolution {resolution} with {slots_in_a_sentence} (typical error {error} with {noise} "
                    "noise)",
                    resolution=best.resolution,
                    slots_in_a_sentence=best.slots_in_a_sentence,
                    error=self._error_text(best.error),
                    noise=noise,
                )
            )
        return text_of(
            "{said}. What would do: {value}.",
            said=said,
            value=joined(", or ", ways) or "only a much larger total",
        )

    def _error_text(self, error: float) -> str:
        return joined(" ", (significant(error, 2), self.unit_of_value))

    def to_json(self) -> dict[str, Any]:
        """The keys that `hexveil plan --help` explains."""
        return {
            "confidential": True,
            "total": plain(self.total),
            "bound": self.bound,
            "reason": self.reason,
            "total_needed": None if self.needed is None else f"{self.needed:f}",
            "own": None if self.own is None else self.own.to_json(),
            "options": [one.to_json() for one in self.options],
        }


def advise_city(
    tables: Callable[[int, Window], Contributions],
    resolution: int,
    window: Window,
    request: SelectionRequest,
    query: Query,
    *,
    unit: Unit,
    minimum_vehicles: int,
    delta: Decimal,
    tie_key: bytes = EVALUATION_TIE_KEY,
    progress: Progress = silent,
) -> CityAdvice:
    """The grids around one, ranked by what a joint release of each would typically miss in the median HAT.

    tables: gives the contributions at a resolution over a window; a rule with a fixed list of cells keeps
    its resolution. tie_key: of the population, where it is known.
    Errors are of outlines, rather too large than too small. Raises InputError for a query that is not joint
    or has no total, and what `progress` raises.
    """
    if not query.question.joint or query.question.by_region:
        raise InputError(
            "Only a joint release by hexagon slot shares one total out over a grid.",
            where=text_of("query {id}", id=query.id),
            mend="choose tokens, without regions",
        )
    total = require_shared_total(query.budget, unit)
    grids = list(_grids(resolution, window, request))
    found: list[GridOption] = []
    own: tuple[list[GridOption], CityOutline] | None = None
    for number, (cells, over) in enumerate(grids):
        share = part(progress, number / len(grids), (number + 1) / len(grids))
        share(0.0, "Comparing grids")
        table = tables(cells, over)
        try:
            users = users_of(table, unit, tie_key)
            looked = _look(table, users, request, query, minimum_vehicles, delta, total, share)
        except InputError:
            if delta == 0 and query.question.params.noise == NoiseKind.GAUSS:
                raise
            continue  # nothing to publish there
        found.extend(looked[0])
        own = looked if number == 0 else own
    ranked = sorted(found, key=lambda one: (not one.worthwhile, one.error))
    best = min(own[0], key=lambda one: one.error) if own and own[0] else None
    return CityAdvice(
        total=total,
        options=_listed(ranked, best),
        own=best,
        needed=_needed(own[1], best, total) if own and best else None,
        vehicles=own[1].sketches[0].pairs.vehicles if own else 0,
        upper=own[1].sketches[0].upper_kmh if own else 0.0,
        unit_of_value=query.question.statistic.quantity.unit,
    )


def _listed(ranked: Sequence[GridOption], own: GridOption | None) -> tuple[GridOption, ...]:
    """The best, and behind them the one that the reason names, where it is none of them."""
    best = tuple(ranked[:MOST_OPTIONS])
    return best if own is None or own in best else (*best, own)


def _grids(resolution: int, window: Window, request: SelectionRequest) -> Iterator[tuple[int, Window]]:
    """The one that was asked about first."""
    fixed = require_rule(request.rule).cell_file is not None
    coarser = range(resolution, max(resolution - _COARSER, RESOLUTIONS.start) - 1, -1)
    lengths = [length for length in _LONGER if length == ALL or length > window.slot_minutes]
    windows = (window, *(one for one in windows_of(window, lengths) if one != window))
    for cells in (resolution,) if fixed else coarser:
        for over in windows:
            yield cells, over


def _look(
    table: Contributions,
    users: UserTable,
    request: SelectionRequest,
    query: Query,
    minimum_vehicles: int,
    delta: Decimal,
    total: Decimal,
    progress: Progress,
) -> tuple[list[GridOption], CityOutline]:
    """A row for each kind of noise. Raises InputError where there is nothing to publish."""
    selection = select(table, request)
    outline = city_outline(
        table,
        users,
        selection,
        query,
        minimum_vehicles=minimum_vehicles,
        delta=delta,
        progress=part(progress, 0.0, 0.4),
    )
    present = selection.index[selection.index >= 0]
    published = present[distinct_vehicles(table)[present] >= minimum_vehicles]
    measure = query.question.statistic.measures[0]
    constant = measure.constant_error(users.upper_bound) or np.inf
    options = []
    for sketch in outline.sketches:
        try:
            alone = outline.only(sketch.noise).as_planned(total, part(progress, 0.4, 0.9))
            raw, _ = alone.error(total, ErrorGoal.MEDIAN, smoothed=False)
        except InputError:  # this noise is not to be had for so little
            continue
        smoothed = None
        if getattr(query.question.params, SMOOTH):
            smoothed, _ = alone.error(total, ErrorGoal.MEDIAN, smoothed=True)
        options.append(
            GridOption(
                resolution=table.resolution,
                window=table.window,
                noise=sketch.noise,
                hats=sketch.pairs.hats,
                records=float(table.records[published].sum() / table.records.sum()),
                raw_error=raw,
                smoothed_error=smoothed,
                constant=constant,
            )
        )
    return options, outline


def _needed(outline: CityOutline, own: GridOption, total: Decimal) -> Decimal | None:
    """From where on that grid tells more than a constant."""
    if own.worthwhile:
        return None
    smoothed = own.smoothed_error is not None
    try:
        needed = total_for_error(outline, own.constant, ErrorGoal.MEDIAN, smoothed=smoothed)
    except InputError:
        return None
    return needed if needed > total else None
