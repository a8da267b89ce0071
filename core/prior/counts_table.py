"""Public counts as a CSV file, to be looked at, changed by hand, and read for a plan (method 12.9)."""

from __future__ import annotations

import csv
import io

import numpy as np

from core.bounding.candidates import CandidateHats
from core.bounding.counts_file import columns_of_counts
from core.bounding.public_counts import PublicCounts
from core.errors import InternalError
from core.hats.cells import cell_text


def counts_csv(candidates: CandidateHats, public: PublicCounts) -> bytes:
    """A line for each candidate where somebody is expected: its vehicles, and the records of one of them.

    public: of the candidates, in their order.
    """
    if public.units.size != len(candidates):
        raise InternalError("public counts of other hexagon slots than the candidates")
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns_of_counts(candidates.window))
    grid = candidates.window.grid
    for column in np.flatnonzero(public.units).tolist():
        writer.writerow(
            (
                cell_text(int(candidates.cell[column])),
                grid.period(int(candidates.slot[column])) or grid.text(int(candidates.slot[column])),
                *grid.labels(int(candidates.slot[column])),
                int(public.units[column]),
                int(public.records[column]),
            )
        )
    return text.getvalue().encode()
