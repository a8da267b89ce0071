"""Some rows of a file cleaned, with what all decide together: the one way in which every engine cleans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean.drop_and_clamp import CleanBatch, clean_batch, parse_batch
from core.clean.mapping import ReadingRules
from core.clean.times import ParsedTimes
from core.privacy import Confidential
from core.records.zones import DAY_MS, local_days_and_ms, localise, suggest_zone


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CleanRows(Confidential):
    """What is retained of some rows, and what they say about all."""

    batch: CleanBatch
    day: NDArray[np.int32]
    """Shape (retained,): local days."""
    offsets: frozenset[tuple[int, int]]
    """What suggests a zone, as of `ParsedTimes`."""
    next_ms: int | None
    """The earliest instant that lies in the future."""


def clean_rows(table: pa.Table, rules: ReadingRules, zone: str, now_ms: int) -> CleanRows:
    """Clean the mapped columns of some rows; which rows come together decides nothing.

    Raises InputError for types that cannot be what they mean, and for wall-clock times in no named zone.
    """
    parsed = parse_batch(table, rules)
    if rules.zone is None and parsed.times.naive.any():
        suggest_zone(())  # no offset tells where such a clock stood: refused
    batch = clean_batch(parsed, rules, zone, now_ms)
    return CleanRows(
        batch=batch,
        day=local_days_and_ms(batch.instant, zone)[0].astype(np.int32),
        offsets=parsed.times.offsets,
        next_ms=_next_future(parsed.times, zone, now_ms),
    )


def _next_future(times: ParsedTimes, zone: str, now_ms: int) -> int | None:
    """The earliest instant after `now_ms`."""
    if not times.instants.size or int(times.instants.max()) <= now_ms - DAY_MS:
        return None  # a zone moves a wall-clock time by less than a day
    instants = localise(times.instants, times.naive, zone)
    return min(instants[instants > now_ms].tolist(), default=None)
