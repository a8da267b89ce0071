"""One zone has several names, as it was renamed (`Asia/Calcutta`): the main one stands for them all.

A country's own name stays its own, although it has the clock of another (`Europe/Oslo`, `Europe/Berlin`).
"""

from __future__ import annotations

import importlib.resources
from functools import cache

_WITHOUT_PLACE = {"Etc/UTC": "UTC", "Etc/GMT": "GMT"}
"""Those that people know are not the ones of the table."""
_ABBREVIATED = {"CET", "EET", "EST", "HST", "MET", "MST", "WET"}
"""For the table they are clocks of one city each, which nobody means by them."""


def lines_of_tzdata(name: str) -> list[str]:
    """The lines of one of the tables that come with the package; none without it."""
    try:
        return (importlib.resources.files("tzdata") / "zoneinfo" / name).read_text("utf-8").splitlines()
    except (ModuleNotFoundError, OSError):
        return []


def main_zone(name: str) -> str:
    """The main name of the zone that is called so; the name itself where nothing else is known."""
    return _main_names().get(name, name)


def names_of_zone(name: str) -> tuple[str, ...]:
    """Every name of that zone, the main one first."""
    main = main_zone(name)
    return (main, *sorted(other for other, found in _main_names().items() if found == main))


@cache
def _main_names() -> dict[str, str]:
    """Of names that are not main ones."""
    of_countries = {line.split("\t")[2] for line in lines_of_tzdata("zone.tab") if not line.startswith("#")}
    links = (line.split() for line in lines_of_tzdata("tzdata.zi") if line.startswith("L "))
    found = {
        other: _WITHOUT_PLACE.get(main, main)
        for _, main, other in links
        if other not in of_countries and other not in _ABBREVIATED
    }
    return {other: main for other, main in (found | _WITHOUT_PLACE).items() if other != main}
