"""Typical error against C, the HATs of a vehicle that count: a curve for each noise (method 12.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.mechanisms.tokens import AUTO
from core.planning.constant_choice import (
    USUAL_HATS,
    ConstantChoice,
    PublicCity,
    choice_for_error,
    choice_of,
    constants_to_try,
    gaussian_pays_from,
    noises_of,
)
from core.progress import Progress, part, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantCurve:
    """One noise at one total."""

    noise: NoiseKind
    choices: tuple[ConstantChoice, ...]
    """By ascending C, of the median HAT; the chosen C among them."""

    @property
    def best(self) -> ConstantChoice:
        """The smallest error; of equal ones the smallest C."""
        return min(self.choices, key=lambda one: (one.error_kmh, one.hats_per_vehicle))

    def at(self, hats: int) -> ConstantChoice | None:
        """The choice of that C, or of all HATs where it is more; None where it was not tried."""
        most = self.choices[-1].hats_per_vehicle
        return next((one for one in self.choices if one.hats_per_vehicle == min(hats, most)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantOutlook:
    """What the constants of a release would bring, from public counts alone."""

    total: Decimal
    curves: tuple[ConstantCurve, ...]
    """Of each noise that may be had: Laplace first."""
    gaussian_from: int | None
    """C from which Gaussian noise is smaller; None where the population allows none, or the total buys none
    of it."""
    hats_of_one: float
    """HATs that a vehicle is thought to visit; 0 where nobody says how many vehicles there are."""

    @property
    def best(self) -> ConstantChoice:
        """Over all noises."""
        return min((curve.best for curve in self.curves), key=lambda one: one.error_kmh)

    def choice(self, hats: int, noise: str) -> ConstantChoice | None:
        """Of that C, with the noise that is asked for, the better one where that is open.

        None where it was not tried, or where that noise cannot be had.
        """
        return better_choice([curve for curve in self.curves if noise in (AUTO, curve.noise.value)], hats)

    def smaller_noise(self, hats: int) -> NoiseKind:
        """Which noise is the smaller one in the mean for that C."""
        pays = self.gaussian_from is not None and hats >= self.gaussian_from
        return NoiseKind.GAUSS if pays else NoiseKind.LAPLACE


def constant_outlook(
    city: PublicCity, total: Decimal, *, chosen: int | None = None, progress: Progress = silent
) -> ConstantOutlook:
    """Typical errors over C with either noise; chosen: a C that is tried besides the usual ones.

    Raises InputError where nobody is expected anywhere, and what `progress` raises.
    """
    tried = constants_to_try(city, (*USUAL_HATS, *([chosen] if chosen else [])))
    return ConstantOutlook(
        total=total,
        curves=constant_curves(city, noises_of(AUTO, city.delta), total, tried, progress),
        gaussian_from=gaussian_pays_from(total, city.delta) if city.delta else None,
        hats_of_one=city.public.hats_of_one,
    )


def constant_curves(
    city: PublicCity,
    noises: Sequence[NoiseKind],
    total: Decimal,
    tried: Sequence[int],
    progress: Progress = silent,
) -> tuple[ConstantCurve, ...]:
    """A curve for each of these noises that the total buys; tried: C, ascending.

    Raises InputError where it buys none of them or nobody is expected anywhere, and what `progress` raises.
    """
    curves: list[ConstantCurve] = []
    refusals: list[InputError] = []
    for number, noise in enumerate(noises):
        part_progress = part(progress, number / len(noises), (number + 1) / len(noises))
        try:
            curves.append(_curve(city, noise, total, tried, part_progress))
        except InputError as refused:
            refusals.append(refused)
    if not curves:
        raise refusals[0]
    return tuple(curves)


def better_choice(curves: Sequence[ConstantCurve], hats: int) -> ConstantChoice | None:
    """Of that C with the noise that misses less; None where it was not tried."""
    found = [one for curve in curves if (one := curve.at(hats)) is not None]
    return min(found, key=lambda one: one.error_kmh, default=None)


def _curve(
    city: PublicCity, noise: NoiseKind, total: Decimal, tried: Sequence[int], progress: Progress
) -> ConstantCurve:
    choices = []
    for number, hats in enumerate(tried):
        progress(number / len(tried), "Comparing constants")
        choices.append(choice_of(city, hats, noise, total))
    return ConstantCurve(noise=noise, choices=tuple(choices))


def cheapest_choice(
    city: PublicCity,
    noises: Sequence[NoiseKind],
    wanted_kmh: float,
    *,
    named: Sequence[int] = USUAL_HATS,
    progress: Progress = silent,
) -> ConstantChoice:
    """The smallest total, over these noises and all C, whose typical error is `wanted_kmh` at most.

    named: C that are tried beside the HATs that a unit is expected to visit. Raises InputError as
    `choice_for_error` where no noise has one.
    """
    found: list[ConstantChoice] = []
    refusals: list[InputError] = []
    tried = constants_to_try(city, named)
    for number, noise in enumerate(noises):
        part_progress = part(progress, number / len(noises), (number + 1) / len(noises))
        try:
            found.append(choice_for_error(city, noise, wanted_kmh, tried, part_progress))
        except InputError as error:
            refusals.append(error)
    if not found:
        raise refusals[0]
    return min(found, key=lambda one: (one.total, one.error_kmh))
