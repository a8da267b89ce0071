"""Warnings about loaded records: no id, like ids, leaps, far positions, changed clocks. Confidential."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.assist.clock_changes import gap_and_overlap, moved_and_repeated
from core.assist.column_names import names_utc
from core.assist.hemispheres import hemisphere_column
from core.assist.leaping_ids import leaping_ids
from core.assist.time_cells import time_cells
from core.clean.ingest_report import MANY_UNUSED
from core.clean.mapping import ReadingRules
from core.clean.times import parse_times
from core.counted import count_of
from core.read.file_format import MISSING_WORDS
from core.read.first_file import first_file
from core.read.path_columns import preview_with_path
from core.read.preview_rows import Preview
from core.records.id_folds import PART, ids_marked
from core.records.records import DEGREE, Records
from core.records.zone_names import main_zone
from core.store.load_records import Loaded
from core.texts import Name, text_of

_YEAR_FIRST = re.compile(r"\s*\d{4}-\d\d-(\d\d)", re.ASCII)
_MONTHS = 12
_FAR_DEGREES = 4.5
"""Degrees of latitude, 500 km: positions farther away than a city's vehicles go are doubted."""
_WORDS = frozenset(
    (
        *(word.casefold() for word in MISSING_WORDS),
        *("<null>", "<na>", "nat", "nil", "#na", "n.a.", "?", "--", "undefined", "missing"),
        *("unknown", "unbekannt", "inconnu", "desconocido", "desconhecido", "ukjent", "अज्ञात"),
    )
)
"""Ids that are none, as far as they are no words for missing already: in small letters, as ids are."""
_LOOKED_AT = 100_000
"""Records whose middle stands for that of all, when far positions are looked for."""


def doubts_of_load(files: Sequence[Path], rules: ReadingRules, loaded: Loaded) -> list[str]:
    """The same, of files that have been read by the rules. Raises InputError where one has changed."""
    return doubts_of_records(loaded, rules, preview_with_path(first_file(files), rules.format))


def doubts_of_records(loaded: Loaded, rules: ReadingRules, preview: Preview, likely: str = "") -> list[str]:
    """What the records tell: hours that clocks showed twice or never, ids and positions that may be none.

    preview: rows of the files; likely: the zone nearby, while none is named.
    """
    report, ids = loaded.report, loaded.records.vehicles
    doubts = _of_clocks(loaded, rules, preview, likely) + _of_dates(rules, preview)
    marked = 0 if rules.mapping.vehicle_fold else ids_marked(ids)
    if marked:
        doubts.append(
            text_of(
                "{ids} what a program or a person added, such as marks of thousands, quotes, a .0 or a "
                "number sign (4,101 or #4101): vehicle_fold = true under [data.mapping] takes such ids "
                "without",
                ids=count_of(marked, "id holds", "ids hold"),
            )
        )
    if words := sum(not _WORDS.isdisjoint(one.split(PART)) for one in ids):
        doubts.append(
            text_of(
                "{ids} like a word for a missing one, such as null or unknown: name it in missing under "
                "[data.format]",
                ids=count_of(words, "id reads", "ids read"),
            )
        )
    if leaping := leaping_ids(loaded.records):
        doubts.append(
            text_of(
                "{ids} faster than 300 km/h in a tenth of the moves or more: several vehicles may share one "
                "id, such as those of two agencies, or all that send 0 or UNKNOWN; name such a word in "
                "missing under [data.format], or take rows with such a number out of the files",
                ids=count_of(leaping, "id moves", "ids move"),
            )
        )
    north, east = rules.mapping.latitude, rules.mapping.longitude
    axes = {north, east} <= set(preview.columns)
    if axes and (sides := hemisphere_column(preview, north, east)):
        doubts.append(
            text_of(
                "the letters of {sides} are not read, and the coordinates have no sign: what lies south or "
                "west counts as north or east; write a minus before such numbers, or the letter behind each",
                sides=Name(sides),
            )
        )
    if far := _far_away(loaded.records):
        doubts.append(
            text_of(
                "{records} more than 500 km from the middle of all: perhaps a number such as 0 or -1 stands "
                "for no position; box under [data.mapping] leaves out what lies elsewhere",
                records=count_of(far, "record lies", "records lie"),
            )
        )
    if report.dropped.get("no_id", 0) >= max(MANY_UNUSED * report.rows_read, 1):
        doubts.append(
            "many rows have no id: their cell is empty, a word for missing, or in scientific notation "
            "(3.58E+14), as a spreadsheet leaves of a long number; write such ids as text"
        )
    return doubts


def _of_clocks(loaded: Loaded, rules: ReadingRules, preview: Preview, likely: str) -> list[str]:
    zone, columns = likely or rules.zone, rules.mapping.time_columns
    if not zone or not set(columns) <= set(preview.columns):
        return []
    cells = pa.array(time_cells(preview, rules.mapping.time, rules.mapping.date), pa.string())
    if not parse_times(cells, rules.format).naive.any():
        return []
    instants = loaded.records.instants()
    never, twice = (
        gap_and_overlap(instants, np.ones(instants.size, bool), zone)
        if likely
        else moved_and_repeated(instants, zone)
    )
    doubts = []
    named = next(filter(names_utc, columns), "")
    if named and not likely and main_zone(zone) not in ("UTC", "GMT"):
        doubts.append(
            text_of(
                "the times of {column} have no offset and count as those of {zone}, but the column is named "
                "UTC: name the zone UTC, or write Z behind each time",
                column=Name(named),
                zone=zone,
            )
        )
    if twice:
        doubts.append(
            text_of(
                "{records} in the hour that the clocks of {zone} showed twice: the times have no "
                "offset, so the first is used and some may count as repeats",
                records=count_of(twice, "record lies", "records lie"),
                zone=zone,
            )
        )
    if never and (likely or loaded.report.repeats):
        doubts.append(
            text_of(
                "{records} in the hour that the clocks of {zone} skipped or in the next one; they may "
                "count as repeats. If their clock stays in winter time, name it, such as zone = "
                '"Etc/GMT-1"',
                records=count_of(never, "record lies", "records lie"),
                zone=zone,
            )
        )
    return doubts


def _of_dates(rules: ReadingRules, preview: Preview) -> list[str]:
    """Of times in two forms, of which those with the year in front have no day that could be no month."""
    columns = rules.mapping.time_columns
    if not rules.format.date_order or not set(columns) <= set(preview.columns):
        return []
    days = [
        int(found[1])
        for cell in time_cells(preview, rules.mapping.time, rules.mapping.date)
        if (found := _YEAR_FIRST.match(cell))
    ]
    if not days or max(days) > _MONTHS:
        return []
    return [
        "an order of day and month is named, but times begin with the year, and none has a day beyond 12: a "
        "spreadsheet program of the other order may have exchanged day and month of these; compare some with "
        "the file from before"
    ]


def _far_away(records: Records) -> int:
    """How many records lie elsewhere than half of all do."""
    if not len(records):
        return 0
    every = slice(None, None, 1 + len(records) // _LOOKED_AT)
    north, east = (float(np.median(axis[every])) for axis in (records.latitude, records.longitude))
    reach = _FAR_DEGREES * DEGREE
    widened = reach / max(np.cos(np.radians(north / DEGREE)), 0.05)
    apart = np.abs(records.longitude.astype(np.int64) - east)
    apart = np.minimum(apart, 360 * DEGREE - apart)
    away = (np.abs(records.latitude.astype(np.int64) - north) > reach) | (apart > widened)
    return int(np.count_nonzero(away))
