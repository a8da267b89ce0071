"""When vehicles travel: records, vehicles and HATs of each hour of the day (TR III.B, method 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions, contributions_of
from core.contributions.table import distinct
from core.hats.slots import DAY_MINUTES
from core.hats.window import DateRange, Window, build_window
from core.privacy import Confidential
from core.progress import Progress, silent
from core.records.records import Records

_HOUR = 60
HOURS_A_DAY = DAY_MINUTES // _HOUR
_WHOLE_DAY = ("00:00", "24:00")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HoursOfDay(Confidential):
    """Each hour of the local day over some dates, columns of shape (24,)."""

    resolution: int
    """Of the HATs, whose slots are these hours."""
    days: int
    """Dates, with or without records."""
    records: NDArray[np.int64]
    vehicle_days: NDArray[np.int64]
    """Distinct (vehicle, date) with a record in that hour."""
    hats: NDArray[np.int64]
    """Hexagons with a record in that hour, on any date."""

    @property
    def total(self) -> int:
        """Records of these dates."""
        return int(self.records.sum())

    @property
    def vehicles(self) -> NDArray[np.float64]:
        """Shape (24,): distinct vehicles of the hour, mean over the dates."""
        return self.vehicle_days / self.days

    def to_json(self) -> dict[str, Any]:
        """The columns by hour."""
        vehicles = self.vehicles.tolist()
        return {
            "resolution": self.resolution,
            "hours": [
                {
                    "hour": hour,
                    "records": int(self.records[hour]),
                    "vehicles": vehicles[hour],
                    "hats": int(self.hats[hour]),
                }
                for hour in range(HOURS_A_DAY)
            ],
        }


def hours_of_day(
    records: Records, resolution: int, date_ranges: tuple[DateRange, ...], progress: Progress = silent
) -> HoursOfDay:
    """Every hour of these dates, whatever the window's hours are.

    Raises InputError when they hold no record, and what `progress` raises.
    """
    whole = build_window(date_ranges, _WHOLE_DAY, _HOUR)
    return hours_of_table(contributions_of(records, resolution, whole, progress))


def tells_hours(window: Window) -> bool:
    """Whether contributions of a window know every hour of the day, each as a slot."""
    return window.hours == _WHOLE_DAY and window.slot_minutes == _HOUR and not window.groups


def hours_of_table(contributions: Contributions) -> HoursOfDay:
    """Of contributions over whole days with slots of an hour (`tells_hours`), whose numbers are the hours."""
    days = contributions.window.days
    hour = contributions.slot.astype(np.int64)
    records = np.zeros(HOURS_A_DAY, np.int64)
    np.add.at(records, hour, contributions.records)
    vehicle_day = contributions.vehicle.astype(np.int64) * days + contributions.day
    seen = distinct(vehicle_day * HOURS_A_DAY + hour[contributions.hat])
    return HoursOfDay(
        resolution=contributions.resolution,
        days=days,
        records=records,
        vehicle_days=np.bincount(seen % HOURS_A_DAY, minlength=HOURS_A_DAY),
        hats=np.bincount(hour, minlength=HOURS_A_DAY),
    )
