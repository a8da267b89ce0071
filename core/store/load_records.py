"""From files to clean records and the report of what was read."""

from __future__ import annotations

import dataclasses
import os
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.clean.ingest_report import IngestReport, empty_report
from core.clean.mapping import ReadingRules, require_open_range
from core.privacy import Confidential
from core.progress import Progress, rising, silent
from core.read.file_stamps import Stamp, require_unchanged, stamps_of
from core.read.input_files import no_file_named
from core.records.column_cache import MemoryColumnCache
from core.records.labels import LabelColumn
from core.records.records import Records
from core.records.zones import require_zone
from core.store.disk_space import disk_errors, require_space
from core.store.record_cache import RecordCache, cache_key, working_place, write_sources
from core.store.record_store import open_store, records_of
from core.store.store_build import NothingUsable, build_store
from core.store.working_folders import working_folder

MAPPED_FILES_GO = os.name != "nt"
"""Whether a mapped file can be removed. Where it cannot, positions of vehicles would stay on the disk for as
long as they are in use, and for good after a crash: there they stay in memory instead."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Loaded(Confidential):
    """Clean records and what happened on the way to them."""

    records: Records
    report: IngestReport


def load_records(
    files: Sequence[Path],
    rules: ReadingRules,
    progress: Progress = silent,
    cache: RecordCache | None = None,
    *,
    empty_allowed: bool = False,
) -> Loaded:
    """Read, clean and sort all files as one data set, or open what the cache keeps of an earlier load.

    The result does not depend on the order of rows or files, nor on the cache. Without a cache a
    large data set lies in a private temporary folder while it is read. Raises InputError when
    a file cannot be used or changes meanwhile, the zone is needed and not named, or the disk is full;
    NoRecord, which is one, for a file without any record, unless these are allowed and passed over; and
    NothingUsable, which is another, when no usable record is left.
    """
    if not files:
        raise no_file_named()
    require_open_range(rules)
    stamps = stamps_of(files)
    place = working_place(cache)
    if cache is not None and place == cache.folder:
        loaded = _load_cached(stamps, rules, rising(progress), cache, empty_allowed)
    else:
        loaded = _load_temporarily(stamps, rules, rising(progress), place, empty_allowed)
    records = dataclasses.replace(loaded.records, tell_dwell=rules.tell_dwell)
    return Loaded(records=records, report=loaded.report)


def load_or_nothing(
    files: Sequence[Path],
    rules: ReadingRules,
    progress: Progress = silent,
    cache: RecordCache | None = None,
) -> Loaded:
    """The same in relation `user`, where nobody may refuse files without a usable record (method 12.1).

    Raises InputError too where these name no zone.
    """
    try:
        return load_records(files, rules, progress, cache, empty_allowed=True)
    except NothingUsable as nothing:
        records = _no_records(rules)
        return Loaded(
            records=records, report=empty_report(nothing.rows, nothing.dropped, records.zone, rules)
        )


def _no_records(rules: ReadingRules) -> Records:
    nothing = np.zeros(0, np.int32)
    return Records(
        vehicles=(),
        vehicle=nothing,
        second=nothing,
        latitude=nothing,
        longitude=nothing,
        value=nothing,
        days=nothing,
        first=np.zeros(1, np.int64),
        zone=require_zone(rules.zone or ""),
        upper_bound=rules.upper_bound,
        derived=rules.mapping.derived is not None,
        tell_dwell=rules.tell_dwell,
        labels={name: LabelColumn(texts=(), code=nothing) for name in rules.labels},
    )


def _load_cached(
    stamps: Sequence[Stamp],
    rules: ReadingRules,
    progress: Progress,
    cache: RecordCache,
    empty_allowed: bool,
) -> Loaded:
    # an entry of the other relation is another reading: there what objects hold decides which are records
    key = cache_key(stamps, rules, empty_allowed=empty_allowed)
    if found := cache.find(key):
        progress(1.0, "Records loaded")
        return Loaded(records=found[0], report=found[1])
    require_space(cache.folder, stamps)
    with disk_errors(cache.folder), cache.building() as folder:
        build_store(folder, stamps, rules, _now_ms(), progress, in_memory=False, empty_allowed=empty_allowed)
        write_sources(folder, stamps)
        _finish(stamps, progress)
        for _ in range(2):  # the second time after a damaged entry of this key has been removed
            cache.keep(folder, key)
            if found := cache.find(key):
                return Loaded(records=found[0], report=found[1])
        # nothing can be renamed or locked here: the records outlive the folder
        records, facts = open_store(folder, MemoryColumnCache(), mapped=MAPPED_FILES_GO)
        return Loaded(records=records, report=facts.report)


def _load_temporarily(
    stamps: Sequence[Stamp], rules: ReadingRules, progress: Progress, place: Path, empty_allowed: bool
) -> Loaded:
    require_space(place, stamps)
    column_cache = MemoryColumnCache()
    with disk_errors(place), working_folder(place) as folder:
        built = build_store(
            folder, stamps, rules, _now_ms(), progress, in_memory=True, empty_allowed=empty_allowed
        )
        _finish(stamps, progress)
        if built is not None:
            return Loaded(records=records_of(built[0], built[1], column_cache), report=built[0].report)
        records, facts = open_store(folder, column_cache, mapped=MAPPED_FILES_GO)
        return Loaded(records=records, report=facts.report)


def _finish(stamps: Sequence[Stamp], progress: Progress) -> None:
    """The last moment at which the work can fail or be stopped."""
    require_unchanged(stamps)
    progress(1.0, "Records loaded")


def _now_ms() -> int:
    return int(clock.time() * 1000)
