"""Labels of places: too many, too rare, or of a column that names vehicles (method 3.1).

Of relation `values` alone, where it is public which vehicles have which label: tidiness, not protection.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from core.arrays import Ints
from core.contributions import Contributions
from core.errors import InputError
from core.hats.places import LABELLED
from core.selection.base import Selection
from core.selection.place_ids import MOST_PLACES


def label_vehicles(contributions: Contributions) -> Ints:
    """Distinct vehicles of each place over the window; shape (places,)."""
    pairs = np.unique(
        np.stack((contributions.cell[contributions.hat].astype(np.int64), contributions.vehicle)), axis=1
    )
    return np.bincount(pairs[0], minlength=len(contributions.places.ids))


def published_places(
    contributions: Contributions, selection: Selection, minimum_vehicles: int, *, listed: int = 0
) -> Selection:
    """The selection without places whose label fewer vehicles have; hexagons and whole areas stay.

    listed: so many places, the first ones, are named by a public file, and stay as well. Raises InputError
    where nothing is left.
    """
    if contributions.choice.place_kind != LABELLED:
        return selection
    vehicles = label_vehicles(contributions)
    place = selection.cell.astype(np.int64)
    retained = np.flatnonzero((vehicles[place] >= minimum_vehicles) | (place < listed))
    if not retained.size:
        raise InputError(
            "No label has enough vehicles.",
            where="selection.minimum_vehicles",
            mend="lower it, or choose a column whose labels more vehicles share",
        )
    parts = {name: getattr(selection, name)[retained] for name in ("cell", "slot", "index")}
    return dataclasses.replace(selection, **parts)


def require_shared_labels(contributions: Contributions) -> None:
    """Raise InputError for a column of places that names vehicles, or has too many labels.

    To be asked before anything is selected: a threshold leaves none of such labels, and says nothing of them.
    """
    if contributions.choice.place_kind == LABELLED:
        require_labels(label_vehicles(contributions))


def require_labels(vehicles: Ints) -> None:
    """Raise InputError for too many labels, or where most have one vehicle; vehicles: of each label."""
    present = vehicles[vehicles > 0]
    if present.size > MOST_PLACES:
        raise InputError(
            "The column has {count} labels; places may be at most {most}.",
            count=f"{present.size:,}",
            most=f"{MOST_PLACES:,}",
            where="hats.place_column",
            mend="choose a column with fewer labels, such as a route",
        )
    if 2 * int((present == 1).sum()) > present.size:
        raise InputError(
            "A column that names vehicles, drivers or trips cannot be a place or a group.",
            where="hats.place_column",
            mend="choose a column whose labels many vehicles share: more than half of these have one each",
        )
