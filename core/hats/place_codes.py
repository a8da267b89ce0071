"""The place of every record as a code, whatever places are (method 3.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.hats.cell_codes import CellCodes, cell_codes
from core.hats.places import HEXAGONS, WHOLE, PlaceChoice, PlaceIds
from core.progress import Progress
from core.records.records import Records


def place_codes(
    records: Records, resolution: int, choice: PlaceChoice, listed: tuple[str, ...], progress: Progress
) -> tuple[CellCodes, PlaceIds]:
    """The places and each record's; resolution: of hexagons; listed: ids that a file names.

    Raises what `cell_codes` does.
    """
    if choice.hexagons:
        return cell_codes(records, resolution, progress), HEXAGONS
    code: NDArray[np.signedinteger[Any]]
    if choice.place_kind == WHOLE:
        places, code = choice.listed(), np.broadcast_to(np.int16(0), len(records))
    else:
        column = records.labels[choice.label]
        places = choice.listed(listed).with_more(column.texts)
        code = column.code
        if listed:
            code = np.array([places.numbers[text] for text in column.texts], np.int32)[code]
    return CellCodes(cells=np.arange(len(places.ids), dtype=np.uint64), code=code), places
