"""The place of every record as a code, whatever places are (method 3.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.hats.cell_codes import CellCodes, cell_codes
from core.hats.joined_cells import joined_text
from core.hats.places import HEXAGONS, WHOLE, PlaceChoice, PlaceIds
from core.progress import Progress, part
from core.records.records import Records


def place_codes(
    records: Records, resolution: int, choice: PlaceChoice, listed: tuple[str, ...], progress: Progress
) -> tuple[CellCodes, PlaceIds]:
    """The places and each record's; resolution: of hexagons that are alike; listed: ids that a file names.

    Raises what `cell_codes` does.
    """
    if choice.mixed:
        return _joined_codes(records, choice, progress)
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


def _joined_codes(records: Records, choice: PlaceChoice, progress: Progress) -> tuple[CellCodes, PlaceIds]:
    """The hexagons of every resolution that hold each record: cells do not nest, so all are looked up.

    Raises what `cell_codes` does; then nothing is stored.
    """
    name, levels = "-".join(map(str, ("cells", *choice.mixed))), len(choice.mixed)
    stored = records.column_cache.get(name)
    if stored is None:
        each = [
            cell_codes(records, resolution, part(progress, number / levels, (number + 1) / levels))
            for number, resolution in enumerate(choice.mixed)
        ]
        joined = np.zeros(len(records), np.int64)
        for found in each:
            joined *= found.cells.size
            joined += found.code
        # of a bare buffer, as in `cell_codes`: a sort of all records would take many times as long
        numbers = pa.Array.from_buffers(pa.int64(), joined.size, [None, pa.py_buffer(joined)])
        encoded = numbers.dictionary_encode()
        distinct, rank = np.unique(np.asarray(encoded.dictionary), return_inverse=True)
        cells = np.empty((distinct.size, levels), np.uint64)
        for level, found in reversed([*enumerate(each)]):
            distinct, own = np.divmod(distinct, max(found.cells.size, 1))
            cells[:, level] = found.cells[own]
        code = rank.astype(np.int32)[np.asarray(encoded.indices)]
        stored = records.column_cache.put(name, {"cells": cells.ravel(), "code": code})
    ids = tuple(map(joined_text, np.asarray(stored["cells"]).reshape(-1, levels).tolist()))
    return CellCodes(cells=np.arange(len(ids), dtype=np.uint64), code=stored["code"]), choice.joined(ids)
