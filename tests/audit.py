"""A black-box audit of a privacy claim: a lower bound on epsilon from draws on two neighbours.

On the first half of the draws the event is chosen that tells the neighbours apart best; on the
second half its probabilities are bounded by Clopper and Pearson. An audit never proves privacy;
it catches noise that is too small. Source: method 17.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import opendp.prelude as dp
from numpy.typing import NDArray
from scipy.special import betaincinv, rel_entr

from core.noise.secure import gaussian_scale, laplace_scale
from core.noise.selection_law import selection_law

dp.enable_features("contrib")

GRID = 60
"""Quantiles of the pooled draws that events start and end at."""
Sample = NDArray[np.float64] | NDArray[np.int64]
Integers = int | NDArray[np.int64]


@dataclass(frozen=True)
class Event:
    """The draws in [low, high)."""

    low: float
    high: float

    def count(self, sample: Sample) -> int:
        return int(((sample >= self.low) & (sample < self.high)).sum())


def clopper_pearson(
    hits: NDArray[np.int64], size: int, alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One-sided bounds on a probability, below and above, each wrong with probability `alpha` at most."""
    # quantiles of beta laws, without what `scipy.stats` checks around them
    low = np.where(hits == 0, 0.0, betaincinv(np.maximum(hits, 1), size - hits + 1, alpha))
    high = np.where(hits == size, 1.0, betaincinv(hits + 1, np.maximum(size - hits, 1), 1 - alpha))
    return low, high


Merit = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""How well events tell neighbours apart whose probabilities are at least the first, at most the second."""


def choose_event(more: Sample, less: Sample, alpha: float, merit: Merit = np.divide) -> Event:
    """The interval of the quantile grid, half-lines included, that bounds `more` against `less` best."""
    quantiles = np.quantile(np.concatenate([more, less]), np.linspace(0, 1, GRID))
    edges = np.concatenate(([-np.inf], np.unique(quantiles), [np.inf]))
    low, high = np.triu_indices(edges.size, 1)
    hits = []
    for sample in (more, less):
        below = np.searchsorted(np.sort(sample), edges)
        hits.append(below[high] - below[low])
    likeliest = _undominated(*hits)
    sure, _ = clopper_pearson(hits[0][likeliest], more.size, alpha)
    _, possible = clopper_pearson(hits[1][likeliest], less.size, alpha)
    best = likeliest[np.argmax(merit(sure, possible))]
    return Event(float(edges[low[best]]), float(edges[high[best]]))


def _undominated(more: NDArray[np.int64], less: NDArray[np.int64]) -> NDArray[np.int64]:
    """The events, by their hits, than which none has as many of `more` and fewer of `less`, or the reverse.

    Every merit rises with the first and falls with the second, so that the best is among these few.
    """
    order = np.lexsort((less, -more))
    fewest = np.minimum.accumulate(less[order])
    return np.sort(order[np.concatenate(([True], fewest[1:] < fewest[:-1]))])


def certify(event: Event, more: Sample, less: Sample, alpha: float) -> float:
    """ln (p / q) for the event's probabilities p and q, at least; -inf when nothing is certain."""
    sure, _ = clopper_pearson(np.array(event.count(more)), more.size, alpha)
    _, possible = clopper_pearson(np.array(event.count(less)), less.size, alpha)
    return float(np.log(sure / possible)) if sure > 0 else -np.inf


def epsilon_lower_bound(first: Sample, second: Sample, alpha: float) -> float:
    """An epsilon that the mechanism has at least, wrong with probability `alpha` at most.

    first, second: draws on two neighbours. Both directions are tried, so that each of the four
    bounds gets a quarter of alpha.
    """
    bounds = []
    for more, less in ((first, second), (second, first)):
        half, other = more.size // 2, less.size // 2
        event = choose_event(more[:half], less[:other], alpha / 4)
        bounds.append(certify(event, more[half:], less[other:], alpha / 4))
    return max(bounds)


def rho_lower_bound(first: Sample, second: Sample, alpha: float) -> float:
    """A rho (zCDP) that the mechanism has at least, wrong with probability `alpha` at most.

    What is done with an output cannot make neighbours differ more: an event of probabilities p and q has
    `p ln(p / q) + (1 - p) ln((1 - p) / (1 - q)) <= rho`, the divergence of order 1. It falls as p sinks or
    q rises towards each other, so that the bounds of `certify` may be put in. Source: method 17.
    """
    bounds = [0.0]
    for more, less in ((first, second), (second, first)):
        half, other = more.size // 2, less.size // 2
        event = choose_event(more[:half], less[:other], alpha / 4, _divergence)
        sure, _ = clopper_pearson(np.array([event.count(more[half:])]), more.size - half, alpha / 4)
        _, possible = clopper_pearson(np.array([event.count(less[other:])]), less.size - other, alpha / 4)
        bounds += _divergence(sure, possible).tolist()
    return max(bounds)


def _divergence(sure: NDArray[np.float64], possible: NDArray[np.float64]) -> NDArray[np.float64]:
    """That of two coins, of order 1; 0 where the first need not be the likelier."""
    apart: NDArray[np.float64] = rel_entr(sure, possible) + rel_entr(1 - sure, 1 - possible)
    return np.where(sure > possible, apart, 0.0)


def gaussian_draws(
    centres: NDArray[np.int64], sensitivity: int, rho: Decimal, trials: int, *, stretch: float = 1.0
) -> NDArray[np.int64]:
    """OpenDP's noise on `centres` at the product's scale, shape (trials, n); `stretch` spoils the scale."""
    measurement = dp.m.make_gaussian(
        dp.vector_domain(dp.atom_domain(T="i64")),
        dp.l2_distance(T="i64"),
        scale=gaussian_scale(sensitivity, rho) * stretch,
    )
    return np.array(measurement(np.tile(centres, trials)), np.int64).reshape(trials, -1)


def laplace_draws(
    centre: int, sensitivity: int, epsilon: Decimal, trials: int, *, stretch: float = 1.0
) -> NDArray[np.int64]:
    """The same of discrete Laplace noise on one number, shape (trials,)."""
    measurement = dp.m.make_laplace(
        dp.vector_domain(dp.atom_domain(T="i64")),
        dp.l1_distance(T="i64"),
        scale=laplace_scale(sensitivity, epsilon) * stretch,
    )
    return np.array(measurement(np.full(trials, centre)), np.int64)


def noise_by_law(rng: np.random.Generator, scale: float, trials: int, *, squared: bool) -> NDArray[np.int64]:
    """Noise of the law that the source is tested to follow, two hundred times as fast; shape (trials,).

    Discrete Laplace is the difference of two geometric variables, exactly. Of a deviation of a thousand and
    more, as all vectors of relation `user` have, a rounded normal is discrete Gaussian to one in a million.
    """
    if squared:
        assert scale > 1000
        return np.rint(rng.normal(0.0, scale, trials)).astype(np.int64)
    stop = -np.expm1(-1.0 / scale)
    return rng.geometric(stop, trials) - rng.geometric(stop, trials)


class VectorNoise:
    """Noise at the product's scale, `trials` draws in one call; `stretch` spoils scales and exponents.

    Both follow the laws of OpenDP's samplers, against which these are tested; `choices` fixes selections
    instead, one entry for each. What was drawn is kept.
    """

    def __init__(
        self, trials: int, *, stretch: float = 1.0, choices: Sequence[Integers] = (), seed: int = 20_240_708
    ) -> None:
        self._trials = trials
        self._stretch = stretch
        self._choices = choices
        self._rng = np.random.default_rng(seed)
        self.selected: list[NDArray[np.int64]] = []
        self.laws: list[NDArray[np.float64]] = []
        self.members: list[NDArray[np.int64]] = []
        """Of each selection the trials that it was made for."""
        self.centres = self.noisy = np.zeros(0, np.int64)
        self.scales = np.zeros(0)

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:
        centres = np.broadcast_to(np.asarray(centre), self._trials)
        sensitivities = np.broadcast_to(np.asarray(sensitivity), self._trials)
        noisy = np.empty(self._trials, np.int64)
        for one in np.unique(sensitivities).tolist():
            noisy[sensitivities == one] = self._drawn(centres[sensitivities == one], one, spend)
        self.centres, self.noisy = centres, noisy
        self.scales = sensitivities / float(spend) * self._stretch
        return noisy

    def _drawn(self, centres: NDArray[np.int64], sensitivity: int, spend: Decimal) -> NDArray[np.int64]:
        scale = laplace_scale(sensitivity, spend) * self._stretch
        return centres + noise_by_law(self._rng, scale, centres.size, squared=False)

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        self.members.append(self._members(size))
        self.laws.append(selection_law(scores, sensitivity, float(spend) / self._stretch))
        if self._choices:
            chosen = np.broadcast_to(np.asarray(self._choices[len(self.selected)]), self.members[-1].size)
        else:
            chosen = self._rng.choice(scores.size, self.members[-1].size, p=self.laws[-1])
        self.selected.append(chosen)
        return chosen

    def _members(self, size: int | None) -> NDArray[np.int64]:
        """All trials; or those that the first selection sent here, one of its outcomes after the other."""
        if size is None:
            return np.arange(self._trials)
        outcome = np.unique(self.selected[0])[len(self.selected) - 1]
        members = np.flatnonzero(self.selected[0] == outcome)
        assert members.size == size
        return members


_KEPT: defaultdict[tuple[int, float, int], dict[tuple[int, Decimal], NDArray[np.int64]]] = defaultdict(dict)
"""By trials, stretch and neighbour, then by sensitivity and budget: noise of shape (trials,)."""


class SharedNoise(VectorNoise):
    """Adds the same draws in every run: for several audits that differ in their centres alone.

    Each neighbour has noise of its own, since the two samples of one audit must be independent.
    """

    def __init__(
        self, trials: int, neighbour: int, *, stretch: float = 1.0, choices: Sequence[Integers] = ()
    ) -> None:
        """neighbour: which of the two it is for."""
        super().__init__(trials, stretch=stretch, choices=choices, seed=neighbour)
        self._kept = _KEPT[trials, stretch, neighbour]

    def _drawn(self, centres: NDArray[np.int64], sensitivity: int, spend: Decimal) -> NDArray[np.int64]:
        assert centres.size == self._trials
        if (sensitivity, spend) not in self._kept:
            self._kept[sensitivity, spend] = super()._drawn(np.zeros_like(centres), sensitivity, spend)
        return centres + self._kept[sensitivity, spend]


class ReplayNoise(VectorNoise):
    """Repeats the selections of another run and adds no noise: only laws, centres and scales are wanted."""

    def __init__(self, other: VectorNoise) -> None:
        super().__init__(other._trials, stretch=other._stretch, choices=other.selected)

    def _drawn(
        self,
        centres: NDArray[np.int64],
        sensitivity: int,  # noqa: ARG002 - as where noise is drawn
        spend: Decimal,  # noqa: ARG002
    ) -> NDArray[np.int64]:
        return centres


def transcript_losses(here: VectorNoise, there: VectorNoise) -> NDArray[np.float64]:
    """Log-likelihood ratio, `here` against `there`, of each transcript that `here` drew; shape (trials,).

    A transcript is everything that is private: the selections and the noisy sum. `there` must have run
    on the neighbour with the choices of `here`, so that its centres belong to the same intervals.
    """
    ratio = np.zeros(here.noisy.size)
    runs = zip(here.members, here.selected, here.laws, there.laws, strict=True)
    for trials, chosen, law, other in runs:
        ratio[trials] += np.log(law[chosen]) - np.log(other[chosen])
    apart = np.abs(here.noisy - there.centres) - np.abs(here.noisy - here.centres)
    return ratio + apart / here.scales
