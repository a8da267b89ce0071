"""Where a release's contributions come from: records, or a table that another engine made (method 15, 16)."""

from __future__ import annotations

from core.clean.report import IngestReport
from core.contributions import Contributions, contributions_of
from core.contributions.file_read import read_contributions
from core.errors import InputError
from core.progress import Progress, part, silent
from core.spec import ReleaseSpec
from core.store.cache import RecordCache
from core.store.load import load_records


def contributions_for(
    spec: ReleaseSpec, progress: Progress = silent, cache: RecordCache | None = None
) -> tuple[Contributions, IngestReport | None]:
    """The contributions that a spec names, and how its records were read; None where a table was.

    Raises InputError for unusable input, and for a table that was made for other choices.
    """
    if spec.data.contributions:
        table = read_contributions(spec.data.table_path, progress)
        _require_same(spec, table)
        return table, None
    loaded = load_records(spec.data.paths(), spec.data.rules, part(progress, 0.0, 0.8), cache)
    table = contributions_of(loaded.records, spec.resolution, spec.window, part(progress, 0.8, 1.0))
    return table, loaded.report


def _require_same(spec: ReleaseSpec, table: Contributions) -> None:
    window, made = spec.window, table.window
    if spec.data.rules.value is not None:
        raise InputError(
            "A contribution table holds speeds.",
            where="data.value",
            mend="name the files of records in place of the table, or leave [data.value] out",
        )
    for key, same in (
        ("hats.resolution", spec.resolution == table.resolution),
        ("hats.slot_minutes", window.slot_minutes == made.slot_minutes),
        ("hats.dates", window.dates == made.dates),
        ("hats.hours", window.hours == made.hours),
        ("data.zone", spec.data.rules.zone == table.zone),
        ("data.upper_bound_kmh", spec.data.rules.upper_bound == table.upper_bound),
    ):
        if not same:
            raise InputError(
                "The contribution table was made for another choice.",
                where=key,
                mend="write what the table's metadata says, or make the table anew",
            )
