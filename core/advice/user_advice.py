"""Recommended constants and totals of relation `user`, or that no public counts are given (method 12.9).

One answer for the command line and the window. No record has a part in it: what is not in the arguments does
not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from core.accounting.epsilon_rounding import delta_text, plain
from core.accounting.zcdp import USUAL_DELTA
from core.advice.constant_curve import better_choice, cheapest_choice, constant_curves
from core.advice.enforced_choice import (
    EnforcedChoice,
    ListedCounts,
    enforced_choice,
    enforced_for_error,
)
from core.bounding.candidates import candidate_hats
from core.bounding.constants import BoundingConstants
from core.bounding.counts_file import CountedHat, CountedHats, counts_of_hats
from core.bounding.plan_and_enforce import USUAL_SHARE
from core.bounding.public_counts import PublicCounts, require_fleet
from core.city.noise_kind import NoiseKind
from core.counted import count_of
from core.errors import InputError
from core.planning.city_accuracy import ErrorGoal
from core.planning.constant_choice import (
    USUAL_HATS,
    ConstantChoice,
    PublicCity,
    constants_to_try,
    gaussian_pays_from,
    noises_of,
    spend_of,
)
from core.progress import Progress, silent
from core.statistics.error_figures import significant
from core.texts import joined

TIMES = (Decimal("0.25"), Decimal("0.5"), Decimal(1), Decimal(2), Decimal(4))
"""Totals that are shown beside the one that is asked about, as parts of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPicture:
    """What is publicly known of the city, in both forms that errors follow from."""

    everywhere: PublicCounts
    """Of all candidates, in their order; no unit where nobody is expected."""
    listed: ListedCounts
    """Of those where somebody is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAdvice:
    """Typical errors in the goal's HAT as a function of constants and totals."""

    constants: BoundingConstants
    """Those that were asked about; `hats_per_vehicle` is one of the rows."""
    goal: ErrorGoal
    delta: Decimal
    """What the population allows; 0: no Gaussian noise."""
    total: Decimal
    """Of one unit, as it was asked about."""
    totals: tuple[Decimal, ...]
    """Columns: that one, and parts and multiples of it that buy noise."""
    bounded: tuple[tuple[ConstantChoice, ...], ...]
    """Rows: for each C that is tried what each total brings, with the better noise."""
    best: tuple[ConstantChoice, ...]
    """Of each total the C and noise with the smallest error."""
    enforced: tuple[EnforcedChoice, ...]
    """Of each total what plan and enforce brings."""
    listed: int
    """HATs where somebody is expected."""
    hats_of_one: float
    """How many of them one unit visits."""
    gaussian_from: int | None
    """From so many HATs per unit on Gaussian noise is smaller at the total; None: it buys none."""

    @property
    def choice(self) -> ConstantChoice:
        """The best constant at that total."""
        return self.best[self.totals.index(self.total)]

    @property
    def joint(self) -> EnforcedChoice:
        """Plan and enforce at that total."""
        return self.enforced[self.totals.index(self.total)]

    @property
    def on_constant(self) -> str:
        """Which C, in one sentence."""
        return (
            f"Bounded mean: at most {count_of(self.choice.hats_per_vehicle, 'hexagon slot')} per "
            f"{self.constants.unit} with "
            f"{self.choice.noise.value} noise miss least, {significant(self.choice.error_kmh, 3)} in the "
            f"{self.goal} hexagon slot."
        )

    @property
    def on_mechanism(self) -> str:
        """Which of the two means, in one sentence."""
        joint, best = self.joint, self.choice
        if joint.error_kmh <= best.error_kmh:
            return (
                f"Recommended: plan and enforce with {joint.noise.value} noise, "
                f"{significant(joint.error_kmh, 3)} in the {self.goal} hexagon slot."
            )
        return (
            f"Recommended: the bounded mean with C = {best.hats_per_vehicle}; plan and enforce would miss "
            f"{significant(joint.error_kmh, 3)}."
        )

    @property
    def on_noise(self) -> str:
        """From where on Gaussian noise pays, in one sentence or two."""
        unit, answer = self.constants.unit, ""
        delta, fewest = self.delta, self.gaussian_from
        if not delta:
            delta = Decimal(USUAL_DELTA)
            fewest = gaussian_pays_from(self.total, delta)
            answer = f" Allow it with ledger set-limit --delta {USUAL_DELTA}."
        if fewest is None:
            return f"A total of {plain(self.total)} buys no Gaussian noise at delta {delta_text(delta)}."
        pays = (
            f"At a total of {plain(self.total)} and delta {delta_text(delta)} Gaussian noise is smaller from "
            f"{count_of(fewest, 'hexagon slot')} per {unit} on; about "
            f"{significant(self.hats_of_one, 3)} may be expected: "
        )
        if self.hats_of_one >= fewest:
            return f"{pays}take Gaussian noise.{answer}"
        return f"{pays}Laplace noise does."

    def to_json(self) -> dict[str, Any]:
        """The keys that `hexveil plan --help` explains."""
        return {
            "relation": "user",
            "unit": str(self.constants.unit),
            "total": plain(self.total),
            "delta": f"{self.delta:f}",
            "goal": self.goal.value,
            "candidates": self.constants.candidates,
            "listed": self.listed,
            "hats_per_vehicle": self.constants.hats_per_vehicle,
            "hats_expected": self.hats_of_one,
            "bounded": [_to_json(one) for row in self.bounded for one in row],
            "best": [_to_json(one) for one in self.best],
            "enforced": [_to_json(one) for one in self.enforced],
            "gaussian_from": self.gaussian_from,
            "reason": joined(" ", (self.on_constant, self.on_mechanism, self.on_noise)),
        }


def _to_json(choice: ConstantChoice | EnforcedChoice) -> dict[str, Any]:
    answer: dict[str, Any] = {"total": plain(choice.total)}
    if isinstance(choice, ConstantChoice):
        answer["hats_per_vehicle"] = choice.hats_per_vehicle
    return answer | {"noise": choice.noise.value, "error": choice.error_kmh}


def typed_hats(constants: BoundingConstants, *, vehicles: int, records: int) -> CountedHats:
    """The same typed numbers for every candidate. Raises InputError where they are not typed."""
    if vehicles < 1 or records < 1:
        raise InputError(
            "Typical errors follow from public counts, and none are given.",
            where="query.public_counts",
            mend="name a timetable, an older release or a CSV file, or type fleet, vehicles and records",
        )
    candidates, grid = candidate_hats(constants), constants.window.grid
    return tuple(
        CountedHat(
            cell=cell,
            minute=grid.start(slot),
            vehicles=vehicles,
            records=records,
            groups=grid.labels(slot),
        )
        for cell, slot in zip(candidates.cell.tolist(), candidates.slot.tolist(), strict=True)
    )


def public_picture(
    constants: BoundingConstants, counted: CountedHats, fleet: int, share: Decimal = USUAL_SHARE
) -> PublicPicture:
    """counted: of a source, or typed for every candidate; fleet: how many units there are in all, above 0.

    Raises InputError where the two do not fit the candidates, or each other.
    """
    candidates = candidate_hats(constants)
    require_fleet(fleet)
    public, columns = counts_of_hats(counted, candidates, fleet)
    units, records = np.zeros(len(candidates), np.int64), np.ones(len(candidates), np.int64)
    units[columns], records[columns] = public.units, public.records
    retained = np.zeros(len(candidates), bool)
    retained[columns] = True
    return PublicPicture(
        everywhere=PublicCounts(units=units, records=records, fleet=fleet),
        listed=ListedCounts(
            candidates=candidates.only(retained),
            public=public,
            upper_bound=constants.upper_bound,
            share=share,
        ),
    )


def advise_user(
    picture: PublicPicture,
    constants: BoundingConstants,
    total: Decimal,
    *,
    noise: str,
    delta: Decimal = Decimal(0),
    tried: Sequence[int] = USUAL_HATS,
    goal: ErrorGoal = ErrorGoal.MEDIAN,
    progress: Progress = silent,
) -> UserAdvice:
    """noise: which is asked for, or `auto`; constants: with the C that was typed, which is tried too.

    Raises InputError where the total buys no such noise, and what `progress` raises.
    """
    noises, everywhere = noises_of(noise, delta), picture.everywhere
    city = PublicCity(everywhere, constants, delta=delta, goal=goal)
    enforced_choice(picture.listed, noises, total, delta=delta)  # tells what the total does not buy
    totals = tuple(total * times for times in TIMES if times >= 1 or _buys(total * times, noises, delta))
    tried = constants_to_try(city, (*tried, constants.hats_per_vehicle))
    columns = []
    for number, amount in enumerate(totals):
        progress(0.5 * number / len(totals), "Trying constants")
        curves = constant_curves(city, noises, amount, tried)
        columns.append([better for hats in tried if (better := better_choice(curves, hats)) is not None])
    enforced = []
    for number, amount in enumerate(totals):
        progress(0.5 + 0.5 * number / len(totals), "Planning on public counts")
        enforced.append(enforced_choice(picture.listed, noises, amount, delta=delta, goal=goal))
    progress(1.0, "Planning on public counts")
    return UserAdvice(
        constants=constants,
        goal=goal,
        delta=delta,
        total=total,
        totals=totals,
        bounded=tuple(zip(*columns, strict=True)),
        best=tuple(min(column, key=lambda one: (one.error_kmh, one.hats_per_vehicle)) for column in columns),
        enforced=tuple(enforced),
        listed=len(picture.listed.candidates),
        hats_of_one=everywhere.hats_of_one,
        gaussian_from=gaussian_pays_from(total, delta) if delta else None,
    )


def _buys(total: Decimal, noises: Sequence[NoiseKind], delta: Decimal) -> bool:
    """Any of these kinds of noise."""
    for noise in noises:
        try:
            spend_of(total, noise, delta)
        except InputError:
            continue
        return True
    return False


def total_for_user_error(
    picture: PublicPicture,
    constants: BoundingConstants,
    wanted: float,
    *,
    enforced: bool,
    noise: str,
    delta: Decimal = Decimal(0),
    tried: Sequence[int] = USUAL_HATS,
    goal: ErrorGoal = ErrorGoal.MEDIAN,
    progress: Progress = silent,
) -> ConstantChoice | EnforcedChoice:
    """The smallest total whose typical error is `wanted` at most: of plan and enforce, or of the best C.

    Raises InputError where none is enough, and what `progress` raises.
    """
    noises = noises_of(noise, delta)
    if enforced:
        return enforced_for_error(picture.listed, noises, wanted, delta=delta, goal=goal, progress=progress)
    city = PublicCity(picture.everywhere, constants, delta=delta, goal=goal)
    return cheapest_choice(city, noises, wanted, named=tried, progress=progress)
