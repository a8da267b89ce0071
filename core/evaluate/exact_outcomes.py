"""Every outcome of a mechanism with its probability, from the mechanism's own code (method 10).

A mechanism asks its noise source for selections and for one final draw of noise. Here a selection returns
every candidate that matters instead of one drawn, as if each were a trial, weighted by the selection's
law; the final draw returns its centre and is remembered. What the release would draw is then a mixture
of Laplace laws, or one Gaussian law. A new mechanism needs nothing more for this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.evaluate.candidate_thinning import thin
from core.mechanisms.base import Draw
from core.noise.selection_law import selection_law
from core.noise.source import NoiseSource
from core.privacy import Confidential

_NEGLIGIBLE = 1e-10
Run = Callable[[NoiseSource], Draw]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Outcomes(Confidential):
    """A mixture: with probability `weight` the noise is added to `centre` with scale `scale`."""

    weight: NDArray[np.float64]
    """Shape (outcomes,)."""
    centre: NDArray[np.float64]
    """Shape (outcomes,): in the integers that noise is added to."""
    scale: NDArray[np.float64]
    """Shape (outcomes,): in the same integers; 0 where the noise is discarded. A deviation if `gaussian`."""
    estimate: NDArray[np.int64]
    """Shape (outcomes,): what the mechanism makes of the centre, thousandths of km/h."""
    gaussian: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Choice(Confidential):
    """One selection: the candidates that matter."""

    index: NDArray[np.int64]
    weight: NDArray[np.float64]
    depends: bool
    """Made for a part of the trials: an earlier selection decides its scores."""


class EnumeratedNoise:
    """Satisfies `core.noise.source.NoiseSource`; trials are outcomes.

    fixed: the first selections, decided. answers: for each further one what to return, one index an
    outcome; without answers there is one trial, and each selection returns its likeliest candidate
    and is stored in `choices`.
    """

    def __init__(self, fixed: Sequence[int], answers: Sequence[NDArray[np.int64]] | None = None) -> None:
        self._fixed = tuple(fixed)
        self._answers = answers
        self.trials = answers[0].size if answers else 1
        self.choices: list[_Choice] = []
        self.draws: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        self.gaussian = False
        self._asked = 0

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        """Indices of shape (size or trials,)."""
        number, self._asked = self._asked, self._asked + 1
        if number < len(self._fixed):
            return np.full(self.trials if size is None else size, self._fixed[number], np.int64)
        if self._answers is not None:
            return self._answers[number - len(self._fixed)]
        law = selection_law(scores, sensitivity, float(spend))
        index, weight = thin(scores, law, number)
        retained = np.abs(weight) > _NEGLIGIBLE
        self.choices.append(_Choice(index=index[retained], weight=weight[retained], depends=size is not None))
        return np.array([np.argmax(law)], np.int64)

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        """The centre of each outcome."""
        centres = np.broadcast_to(np.asarray(centre, np.int64), self.trials)
        scales = np.broadcast_to(np.asarray(sensitivity) / float(spend), self.trials)
        self.draws.append((centres.astype(np.float64), scales))
        return centres

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """The centres in each outcome, shape (outcomes, n); each number counts as a Laplace draw."""
        columns = [self.laplace(centre, sensitivity, spend=spend) for centre in centres.tolist()]
        return np.stack(columns, axis=-1)

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """The centres in each outcome, shape (outcomes, n); each number counts as a draw."""
        self.gaussian = True
        deviations = np.full(self.trials, sensitivity / math.sqrt(2.0 * float(spend)))
        self.draws += [(np.full(self.trials, float(centre)), deviations) for centre in centres.tolist()]
        return np.tile(centres, (self.trials, 1))


def outcomes_of(run: Run) -> Outcomes | None:
    """All outcomes of a run; None where the final noise is not one draw."""
    parts = _explore(run, (), 1.0)
    if any(part is None for part in parts):
        return None
    whole = [part for part in parts if part is not None]
    weight = np.concatenate([part.weight for part in whole])
    return Outcomes(
        weight=weight / weight.sum(),
        centre=np.concatenate([part.centre for part in whole]),
        scale=np.concatenate([part.scale for part in whole]),
        estimate=np.concatenate([part.estimate for part in whole]),
        gaussian=any(part.gaussian for part in whole),
    )


def _explore(run: Run, fixed: tuple[int, ...], chance: float) -> list[Outcomes | None]:
    """Outcomes that begin with the selections `fixed`, which have probability `chance`.

    Independent selections are tried in every combination together; where a later one depends on an
    earlier, the earlier one is fixed in turn.
    """
    scout = EnumeratedNoise(fixed)
    run(scout)
    choices = scout.choices
    if any(choice.depends for choice in choices[1:]):
        first = choices[0]
        return [
            part
            for index, weight in zip(first.index.tolist(), first.weight.tolist(), strict=True)
            for part in _explore(run, (*fixed, index), chance * weight)
        ]
    return [_all_together(run, fixed, choices, chance)]


def _all_together(
    run: Run, fixed: tuple[int, ...], choices: Sequence[_Choice], chance: float
) -> Outcomes | None:
    """Every combination of independent choices as one run."""
    sizes = [choice.index.size for choice in choices]
    places = np.indices(sizes).reshape(len(sizes), math.prod(sizes))
    answers = [choice.index[place] for choice, place in zip(choices, places, strict=True)]
    noise = EnumeratedNoise(fixed, answers)
    draw = run(noise)
    if len(noise.draws) != 1:
        return None
    weight = np.full(noise.trials, chance)
    for choice, place in zip(choices, places, strict=True):
        weight *= choice.weight[place]
    centre, scale = noise.draws[0]
    return Outcomes(
        weight=weight,
        centre=centre,
        scale=np.where(draw.noise_scale > 0.0, scale, 0.0),
        estimate=draw.estimates,
        gaussian=noise.gaussian,
    )
