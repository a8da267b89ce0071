"""The engine of one workstation: what the window and every other command use."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from core.contributions import contributions_of
from core.contributions.file_write import write_contributions, write_partitioned
from core.engines.base import Made, TableJob
from core.progress import Progress
from core.read.file_listing import expand
from core.store.load_records import load_records
from core.store.record_cache import RecordCache


class LocalEngine:
    """Records are loaded, or come from the cache, and are grouped in memory."""

    def __init__(self, cache: RecordCache | None = None) -> None:
        self._cache = cache

    def contributions(self, job: TableJob, progress: Progress) -> Made:
        """As `Engine` says."""
        rules = job.rules
        loaded = load_records(expand(job.data, Path.cwd()), rules, progress, self._cache)
        table = contributions_of(loaded.records, job.resolution, job.window, progress, choice=job.choice)
        table = dataclasses.replace(table, measured=rules.quantity.measured, filters=rules.filters)
        physical, passphrase = rules.physical_limits, job.passphrase
        if job.partitions:
            write_partitioned(
                table, job.out, job.partitions, progress, physical=physical, passphrase=passphrase
            )
        else:
            write_contributions(table, job.out, progress, physical=physical, passphrase=passphrase)
        return Made(
            rows=table.hat.size,
            hats=table.hats,
            values=len(table.values),
            derived=bool(table.derived),
            report=loaded.report,
        )
