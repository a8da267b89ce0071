"""Bounded mean of relation `user`: a limited number of HATs per vehicle counts (method 12.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.mechanisms.noise_field import noise_field
from core.mechanisms.smooth_field import smooth_field
from core.mechanisms.whole_release import WholeRelease


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMeanParams:
    """Which noise, and whether neighbours help."""

    noise: str = noise_field()
    smooth: bool = smooth_field(default=True)


class BoundedMean(WholeRelease[BoundedMeanParams]):
    """The mean over vehicles of their own means; `core.bounding.bounded_mean` plans and draws it."""

    key: ClassVar[str] = "bounded-mean"
    title: ClassVar[str] = "Bounded mean"
    reference: ClassVar[str] = "ours, method"
    summary: ClassVar[str] = (
        "Relation user: a limited number of hexagon slots per vehicle counts; a noisy sum is divided "
        "by a noisy number of vehicles."
    )
    Params = BoundedMeanParams


MECHANISM = BoundedMean()
