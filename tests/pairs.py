"""One HAT as Query 1 and 2 see it: public counts and records of a table, neighbours, whole transcripts."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import EVALUATION_TIE_KEY, Contributions, pairs_of, users_of
from core.grouping.plan_cache import PlanCache
from core.noise.selection_law import selection_law
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from core.statistics.base import HatCounts, HatRecords
from tests.audit import Integers, VectorNoise
from tests.fakes import only
from tests.strategies import CELLS, RESOLUTION, U, window


def table_of(
    rows: Sequence[Sequence[Sequence[int]]], *, days: int = 3, upper_bound: int = U
) -> Contributions:
    """One HAT: for each vehicle, for each of its days from the first on, its values in thousandths."""
    listed = [
        (number, day, found) for number, vehicle in enumerate(rows) for day, found in enumerate(vehicle)
    ]
    return Contributions(
        window=window(days=days),
        resolution=RESOLUTION,
        zone="Asia/Kolkata",
        upper_bound=upper_bound,
        vehicles=tuple(f"bus {number}" for number in range(len(rows))),
        cell=np.array(CELLS[:1], np.uint64),
        slot=np.array([9], np.int16),
        hat=np.zeros(len(listed), np.int32),
        vehicle=np.array([number for number, _, _ in listed], np.int32),
        day=np.array([day for _, day, _ in listed], np.int16),
        start=np.cumsum([0, *(len(found) for *_, found in listed)]),
        values=np.array([value for *_, found in listed for value in found], np.int32),
    )


def counts_of(table: Contributions, unit: Unit, hat: int = 0) -> HatCounts:
    """What is public about one HAT."""
    rows = table.hat == hat
    days = np.bincount(table.vehicle[rows])
    return HatCounts(
        users=users_of(table, unit, EVALUATION_TIE_KEY).hat_counts(hat),
        records=int(table.counts[rows].sum()),
        pairs=int(rows.sum()),
        largest_pairs=int(days.max()) if unit is Unit.VEHICLE else 1,
        days=table.window.days,
        upper_bound=table.upper_bound,
        unit=unit,
    )


def records_of(table: Contributions, unit: Unit, hat: int = 0) -> HatRecords:
    """The values of one HAT."""
    users = users_of(table, unit, EVALUATION_TIE_KEY).hat_data(hat)
    return HatRecords(users=users, pairs=pairs_of(table).hat(hat))


def neighbourhoods(table: Contributions, unit: Unit, levels: Sequence[int]) -> Iterator[list[Contributions]]:
    """For each user of the unit the tables that differ in its values alone: all assignments of `levels`."""
    columns = [table.vehicle]
    columns += [] if unit is Unit.VEHICLE else [table.day]
    columns += [table.hat] if unit is Unit.VEHICLE_HAT_DAY else []
    row = np.unique(np.stack(columns), axis=1, return_inverse=True)[1].reshape(-1)
    owner = np.repeat(row, table.counts)
    for user in np.unique(row):
        places = np.flatnonzero(owner == user)
        yield [
            _with_values(table, places, assigned)
            for assigned in itertools.product(levels, repeat=places.size)
        ]


def _with_values(table: Contributions, places: NDArray[np.int64], assigned: Sequence[int]) -> Contributions:
    flat = table.values.copy()
    flat[places] = assigned
    return dataclasses.replace(table, values=flat)


@dataclass(frozen=True)
class Answer:
    """One request of a transcript: the centre, shape (n,), and what was drawn, shape (trials, n)."""

    centres: NDArray[np.int64]
    noisy: NDArray[np.int64]
    scale: float
    spend: Decimal


class TranscriptNoise(VectorNoise):
    """Many trials of every request of a draw, kept in order; the draw itself sees the first trial."""

    def __init__(self, trials: int, *, stretch: float = 1.0, seed: int = 0) -> None:
        super().__init__(trials, stretch=stretch, seed=seed)
        self.answers: list[Answer] = []

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:
        return self.laplace_vector(np.atleast_1d(np.asarray(centre)), only(sensitivity), spend=spend)

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        repeated = np.tile(centres, self._trials)
        noisy = self._drawn(repeated, sensitivity, spend).reshape(self._trials, -1)
        self.answers.append(Answer(centres, noisy, sensitivity / float(spend), spend))
        return noisy[0]


def transcript_losses(here: TranscriptNoise, there: TranscriptNoise) -> NDArray[np.float64]:
    """Log-likelihood ratios of what `here` drew, against `there`, at the claimed scales.

    One row for each request, which together are the transcript; shape (requests, trials).
    """
    rows = []
    for own, other in zip(here.answers, there.answers, strict=True):
        apart = np.abs(own.noisy - other.centres) - np.abs(own.noisy - own.centres)
        rows.append(apart.sum(axis=1) / own.scale)
    return np.array(rows)


class OneTrial:
    """Simulated noise of the discrete law for every request, one trial: units may be whole vehicles."""

    def __init__(self, seed: int) -> None:
        self._noise = SimulatedNoise(seed, 1)
        self._rng = np.random.default_rng(seed)
        self._laws = PlanCache()

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:
        return self.laplace_vector(np.atleast_1d(np.asarray(centre)), only(sensitivity), spend=spend)

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        return self._noise.laplace_vector(centres, sensitivity, spend=spend)[0]

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        return self._noise.gaussian_vector(centres, sensitivity, spend=spend)[0]

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        """By the law, which one trial after the other asks for again."""
        law = self._laws.get(
            "law",
            scores,
            (sensitivity, spend),
            lambda: np.cumsum(selection_law(scores, sensitivity, float(spend))),
        )
        drawn = np.searchsorted(law, self._rng.random(1 if size is None else size), side="right")
        return np.minimum(drawn, scores.size - 1)

    def scope(self, name: str) -> OneTrial:  # noqa: ARG002 - one stream for all scopes
        return self
