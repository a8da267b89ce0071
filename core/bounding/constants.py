"""Public constants of relation `user` and their refusals: candidates, C, days, unit, bounds (method 12.1).

None of them may be taken from the data: who chooses them knows the city, not the records.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import InputError
from core.hats.larger_rows import larger_rows
from core.hats.places import PlaceIds
from core.hats.window import Window
from core.privacy import Unit
from core.selection.base import MOST_HATS, ListedHats
from core.texts import joined, text_of

BOUNDED_UNITS = (Unit.VEHICLE, Unit.VEHICLE_DAY)
"""What relation `user` protects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundingConstants:
    """How much of one protected unit counts, and which HATs there are at all."""

    unit: Unit
    """Whose records come or go as a whole: a vehicle, or a vehicle on one day."""
    hats_per_vehicle: int
    """C: the most HATs of one unit that count."""
    days_per_vehicle: int
    """The most days of one vehicle that count, where a vehicle is the unit and its days count apart."""
    cells: tuple[int, ...]
    """H3 cells of the candidate HATs, in any order; numbers of other places."""
    places: PlaceIds
    """What `cells` number."""
    window: Window
    listed: ListedHats
    """The candidate HATs, where a list names them with their slots; empty: every slot of each cell."""
    upper_bound: int
    """U in thousandths of the value's unit."""
    derived: bool
    """Values follow from positions: what is sent in one HAT decides about values in all of them."""

    def __post_init__(self) -> None:
        """Raises InputError for constants that bound nothing, or leave nothing."""
        if self.unit not in BOUNDED_UNITS:
            raise InputError(
                "Relation user does not protect the unit {unit}.",
                unit=self.unit,
                where="privacy.unit",
                mend=text_of("choose {bounded_units}", bounded_units=joined(" or ", BOUNDED_UNITS)),
            )
        if not self.cells:
            raise no_candidate_cells()
        if self.candidates > MOST_HATS:
            raise InputError(
                "{candidates} candidate hexagon slots are more than {most_hats}.",
                candidates=f"{self.candidates:,}",
                most_hats=f"{MOST_HATS:,}",
                where="selection.file",
                mend=text_of(
                    "list fewer hexagons, or choose {larger}",
                    larger=larger_rows(self.places.kind, self.window),
                ),
            )
        if self.hats_per_vehicle < 1:
            raise InputError(
                "With at most {hats_per_vehicle} hexagon slots per vehicle no record counts.",
                hats_per_vehicle=self.hats_per_vehicle,
                where="privacy.hats_per_vehicle",
                mend="write a whole number from 1 on, roughly as many hexagon slots as a vehicle visits",
            )
        if not 1 <= self.days_per_vehicle <= self.window.days:
            raise InputError(
                "At most {days_per_vehicle} days of a vehicle cannot count in a window of {days}.",
                days_per_vehicle=self.days_per_vehicle,
                days=self.window.days,
                where="privacy.days_per_vehicle",
                mend=text_of("write a whole number from 1 to {days}", days=self.window.days),
            )
        if self.upper_bound < 1:
            raise InputError(
                "The upper bound is not above the lower one.",
                where="data.upper_bound_kmh",
                mend="write a public bound of the value, above 0",
            )

    @property
    def candidates(self) -> int:
        """How many candidate HATs there are: those listed, or cells times slots of the window."""
        return len(self.listed) or len(set(self.cells)) * len(self.window.slots)

    @property
    def hats(self) -> int:
        """The most candidate HATs of one unit that count."""
        return min(self.hats_per_vehicle, self.candidates)

    @property
    def drops_days(self) -> bool:
        """Some days of a vehicle may not count: what it sends on one decides about its others."""
        return self.unit is Unit.VEHICLE and self.days_per_vehicle < self.window.days

    @property
    def days(self) -> int:
        """The most days of one unit that count."""
        return 1 if self.unit is Unit.VEHICLE_DAY else self.days_per_vehicle


def no_candidate_cells() -> InputError:
    """What the error says where a list of cells is empty."""
    return InputError(
        "There are no candidate cells: no hexagon slot could be published.",
        where="selection.file",
        mend="list the H3 cells of the city, from a map and never from the records",
    )
