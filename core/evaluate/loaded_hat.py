"""One HAT of loaded records, for evaluation: what names one, and none with a record (method 4, 10)."""

from __future__ import annotations

import re

import numpy as np

from core.contributions import EVALUATION_TIE_KEY, HatData, contributions_of, users_of
from core.errors import InputError
from core.hats.cells import parse_cell
from core.hats.record_dates import all_hours
from core.hats.window import Window
from core.privacy import Unit
from core.progress import Progress, silent
from core.records.records import Records

_HAT = re.compile(r"(.+?)[ \x1f]+([0-9a-fA-F]{15})((?:[ \x1f].+)?)")
_RESOLUTION_DIGIT = 1
"""Place of the resolution in the text of the cell that names a HAT to evaluate."""


def loaded_hat(
    records: Records, hat: str, *, window: Window | None = None, progress: Progress = silent
) -> HatData:
    """The HAT of that id text, for instance `20 8742d9d69ffffff`.

    window: without one, all dates and hours with slots of an hour. Raises InputError for a text that
    is no HAT, and for a HAT without records.
    """
    found = _HAT.fullmatch(hat.strip())
    if not found:
        raise InputError(
            "This is not a hexagon slot.", where="--hat", mend='write for instance "20 8742d9d69ffffff"'
        )
    label, name = found[1], found[2].lower()
    resolution = int(name[_RESOLUTION_DIGIT], 16)
    cell = parse_cell(name, resolution, where="--hat")
    table = contributions_of(records, resolution, window or all_hours(records), progress)
    grid = table.window.grid  # with the labels that the records have
    for index in np.flatnonzero(table.cell == np.uint64(cell)).tolist():
        labels = " ".join(grid.labels(int(table.slot[index])))
        if (grid.label(int(table.slot[index])), labels) == (label, found[3][1:].replace("\x1f", " ")):
            return users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY).hat_data(index)
    raise InputError(
        "There is no record in this hexagon slot.",
        where="--hat",
        mend="name one that `hats` lists for these data (a spec names window and slots: give both the same)",
    )
