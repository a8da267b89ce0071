"""A number of every HAT as a histogram, and the way from its bars to the HATs and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.advice.forecast import Forecast, HatOverview
from core.advice.value_bins import ValueBins, value_bins
from core.planning.query_plan import hats_with_errors
from ui.language.counted_words import counted_hats
from ui.language.translation import grouped
from ui.plots.brushed_bars import CountBar
from ui.session.marked_hats import Hat


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatBins:
    """As confidential as the numbers are."""

    hats: tuple[Hat, ...]
    bins: ValueBins

    def hats_between(self, first: int, last: int) -> list[Hat]:
        """The HATs of these bars."""
        return [self.hats[place] for place in self.bins.between(first, last).tolist()]

    def marked_counts(self, marked: frozenset[Hat]) -> tuple[int, ...]:
        """How many HATs of each bar are marked."""
        counts = [0] * self.bins.counts.size
        if marked:
            for hat, bar in zip(self.hats, self.bins.bar.tolist(), strict=True):
                if bar >= 0 and hat in marked:
                    counts[bar] += 1
        return tuple(counts)

    def bars(self, unit: str) -> tuple[list[CountBar], str]:
        """What to draw, and the upper end of the last bar."""
        ends = _alike(self.bins.edges.tolist())
        bars = [
            CountBar(start=low, count=count, words=f"{low} – {high} {unit}: {counted_hats(count)}")
            for low, high, count in zip(ends, ends[1:], self.bins.counts.tolist(), strict=False)
        ]
        return bars, ends[-1]


def _alike(edges: Sequence[float]) -> list[str]:
    """Round numbers, all with the decimals that one of them needs: 1.39, 1.40, 1.41."""
    rounded = [Decimal(f"{edge:g}").normalize().as_tuple().exponent for edge in edges]
    decimals = max(0, *(-exponent for exponent in rounded if isinstance(exponent, int)))
    return [grouped(edge, decimals) for edge in edges]


def bins_of_errors(shown: Forecast) -> HatBins:
    """The typical error of every planned HAT."""
    found = hats_with_errors(shown.plan) if shown.plan is not None else ()
    errors = {(hat.cell_text, hat.slot): error for hat, error in found if error is not None}
    return _binned(list(errors), list(errors.values()), whole=False)


def bins_of_vehicles(overview: HatOverview) -> HatBins:
    """The distinct vehicles of every HAT with records."""
    hats = list(zip(overview.cells, overview.slots.tolist(), strict=True))
    return _binned(hats, overview.vehicles.tolist(), whole=True)


def _binned(hats: Sequence[Hat], values: Sequence[float], *, whole: bool) -> HatBins:
    return HatBins(hats=tuple(hats), bins=value_bins(np.array(values, np.float64), whole=whole))
