"""Stand-ins for randomness and for the ledger: what mechanisms ask for, and results by hand."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.errors import LedgerError
from core.noise.secure import ScopedNoise, SecureNoise
from core.privacy import Allowance

SCOPE = "query 09 8742d9d69ffffff"
Integers = int | NDArray[np.int64]


@dataclass(frozen=True)
class Recorded:
    """One request for noise."""

    centre: int
    sensitivity: int
    spend: Decimal
    scope: str = ""


@dataclass(frozen=True)
class RecordedVector:
    """One request for noise on a whole vector."""

    centres: tuple[int, ...]
    sensitivity: int
    spend: Decimal
    scope: str = ""


@dataclass(frozen=True)
class RecordedGaussian(RecordedVector):
    """One request for Gaussian noise on a whole vector; `spend` is rho."""


@dataclass(frozen=True)
class Selected:
    """One request for a selection, and what was chosen."""

    scores: tuple[int, ...]
    sensitivity: int
    spend: Decimal
    chosen: int
    scope: str = ""


def only(value: Integers) -> int:
    """The one number of a single trial."""
    (number,) = np.asarray(value).reshape(-1).tolist()
    return int(number)


@dataclass
class RecordingNoise:
    """Keeps every request and adds nothing. `scope` gives the noise of one scope, with the same list.

    `script` says what is selected: a fraction from 0 (first candidate) to 1 (last) for each request,
    over and over. `replay` repeats the choices of another run. Without either the highest score wins.
    `answers` gives the noisy numbers of another run again, whatever the centres are now.
    """

    requests: list[Recorded | RecordedVector | Selected] = field(default_factory=list)
    name: str = ""
    script: Sequence[float] = ()
    replay: Sequence[int] = ()
    answers: Sequence[tuple[int, ...]] = ()

    @property
    def draws(self) -> list[Recorded]:
        return [one for one in self.requests if isinstance(one, Recorded)]

    @property
    def vectors(self) -> list[RecordedVector]:
        return [one for one in self.requests if type(one) is RecordedVector]

    @property
    def gaussians(self) -> list[RecordedGaussian]:
        return [one for one in self.requests if isinstance(one, RecordedGaussian)]

    @property
    def selections(self) -> list[Selected]:
        return [one for one in self.requests if isinstance(one, Selected)]

    @property
    def choices(self) -> list[int]:
        """What was selected, for the `replay` of a neighbouring run."""
        return [one.chosen for one in self.selections]

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:
        self.requests.append(Recorded(only(centre), only(sensitivity), spend, self.name))
        return self._answer(np.array([only(centre)], np.int64))

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        self.requests.append(RecordedVector(tuple(centres.tolist()), sensitivity, spend, self.name))
        return self._answer(centres)

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        self.requests.append(RecordedGaussian(tuple(centres.tolist()), sensitivity, spend, self.name))
        return self._answer(centres)

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        assert size in (None, 1)
        chosen = self._choice(scores, len(self.selections))
        self.requests.append(Selected(tuple(scores.tolist()), sensitivity, spend, chosen, self.name))
        return np.array([chosen], np.int64)

    @property
    def centres(self) -> list[tuple[int, ...]]:
        """What noise was asked on: the noisy numbers of this run, for the `answers` of a neighbouring one."""
        numbers = [one for one in self.requests if not isinstance(one, Selected)]
        return [one.centres if isinstance(one, RecordedVector) else (one.centre,) for one in numbers]

    def _answer(self, centres: NDArray[np.int64]) -> NDArray[np.int64]:
        """To the last request."""
        return np.array(self.answers[len(self.centres) - 1], np.int64) if self.answers else centres.copy()

    def _choice(self, scores: NDArray[np.int64], number: int) -> int:
        if self.replay:
            return self.replay[number]
        if self.script:
            return round(self.script[number % len(self.script)] * (scores.size - 1))
        return int(np.argmax(scores))

    def scope(self, name: str) -> RecordingNoise:
        return RecordingNoise(self.requests, name, self.script, self.replay, self.answers)


class ScriptedNoise:
    """Adds the given offsets, one for each noisy number, in the integers that noise is added to.

    `choices` are the candidates selected, one for each selection; without them the highest score wins.
    """

    def __init__(self, *offsets: int, choices: Sequence[int] = ()) -> None:
        self._offsets: Iterator[int] = iter(offsets)
        self._choices: Iterator[int] | None = iter(choices) if choices else None

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:  # noqa: ARG002
        return np.array([only(centre) + next(self._offsets)], np.int64)

    def laplace_vector(
        self,
        centres: NDArray[np.int64],
        sensitivity: int,  # noqa: ARG002 - the protocol's shape
        *,
        spend: Decimal,  # noqa: ARG002
    ) -> NDArray[np.int64]:
        """One offset for each number of the vector."""
        return np.array([centre + next(self._offsets) for centre in centres.tolist()], np.int64)

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        return self.laplace_vector(centres, sensitivity, spend=spend)

    def select(
        self,
        scores: NDArray[np.int64],
        sensitivity: int,  # noqa: ARG002 - the protocol's shape
        *,
        spend: Decimal,  # noqa: ARG002
        size: int | None = None,
    ) -> NDArray[np.int64]:
        assert size in (None, 1)
        return np.array([np.argmax(scores) if self._choices is None else next(self._choices)], np.int64)

    def scope(self, name: str) -> ScriptedNoise:  # noqa: ARG002 - every scope reads the same script
        return self


@dataclass
class ScriptedResults:
    """Gives the same results in every run, whatever is asked: noisy numbers, and what is selected.

    The first run makes them up, near its centres, so that they can be: `away` says by how many noise
    scales, `script` which candidate is selected (0: the first, 1: the last), both by turns. From then on
    `again` gives the very same results to another run, whose centres and scores they have nothing to do
    with. A run that asks for other noise than the first fails. `requests` are those of one run.
    """

    away: Sequence[float]
    script: Sequence[float]
    name: str = ""
    results: dict[str, list[tuple[int | tuple[int, ...], Decimal, list[int]]]] = field(default_factory=dict)
    made: bool = False
    asked: dict[str, int] = field(default_factory=dict)
    requests: list[Recorded | RecordedVector | Selected] = field(default_factory=list)

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:
        self.requests.append(Recorded(only(centre), only(sensitivity), spend, self.name))
        return self._result([only(centre)], only(sensitivity), spend, only(sensitivity) / float(spend))

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        self.requests.append(RecordedVector(tuple(centres.tolist()), sensitivity, spend, self.name))
        return self._result(centres.tolist(), sensitivity, spend, sensitivity / float(spend))

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        self.requests.append(RecordedGaussian(tuple(centres.tolist()), sensitivity, spend, self.name))
        return self._result(centres.tolist(), sensitivity, spend, sensitivity / math.sqrt(2 * float(spend)))

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        assert size in (None, 1)
        place = self._turn(self.script)
        result = self._kept((sensitivity, scores.size), spend, [round(place * (scores.size - 1))])
        self.requests.append(Selected(tuple(scores.tolist()), sensitivity, spend, only(result), self.name))
        return result

    def scope(self, name: str) -> ScriptedResults:
        return dataclasses.replace(self, name=name)

    def again(self) -> ScriptedResults:
        """For the next run."""
        return dataclasses.replace(self, made=True, asked={}, requests=[])

    def _result(
        self, centres: list[int], sensitivity: int, spend: Decimal, scale: float
    ) -> NDArray[np.int64]:
        step = int(self._turn(self.away) * scale)
        moved = [centre + step * (-1) ** place for place, centre in enumerate(centres)]
        return self._kept((sensitivity, len(centres)), spend, moved)

    def _turn(self, values: Sequence[float]) -> float:
        return values[self.asked.get(self.name, 0) % len(values)]

    def _kept(self, asked: tuple[int, ...], spend: Decimal, result: list[int]) -> NDArray[np.int64]:
        """What was given at this place of the scope in the first run; in it, `result`."""
        number = self.asked.get(self.name, 0)
        self.asked[self.name] = number + 1
        given = self.results.setdefault(self.name, [])
        if not self.made:
            given.append((asked, spend, result))
        assert given[number][:2] == (asked, spend), "another run asked for other noise"
        return np.array(given[number][2], np.int64)


@dataclass
class FakeReservation:
    """A reservation that no ledger stands behind: only where the ledger is not the subject."""

    allowances: Sequence[Allowance]
    refusal: LedgerError | None = None
    confirmed: int = 0

    def confirm(self) -> None:
        self.confirmed += 1
        if self.refusal:
            raise self.refusal


def secure_noise(epsilon: Decimal, rho: Decimal = Decimal(0)) -> ScopedNoise:
    """Real noise of one scope that may spend `epsilon` and `rho`, bought with a fake reservation."""
    return SecureNoise(FakeReservation([Allowance(scope=SCOPE, epsilon=epsilon, rho=rho)])).scope(SCOPE)
