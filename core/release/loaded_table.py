"""A contribution table that a person looks at before a release: read once, then asked for its window."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from core.contributions import Contributions
from core.contributions.file_read import read_contributions
from core.draft import DataSource, Draft
from core.errors import InputError
from core.hats.window import Window
from core.privacy import Confidential, Relation
from core.progress import Progress, silent
from core.read.file_stamps import require_unchanged, stamps_of
from core.release.contributions_source import as_told, require_made_for


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoadedTable(Confidential):
    """The whole table, as the source says that its values are."""

    source: DataSource
    table: Contributions

    def fitted(self, draft: Draft) -> Draft:
        """The draft with what the table has decided: grid, dates and hours; in relation `user` the zone."""
        window = self.table.window
        fixed = dataclasses.replace(
            draft,
            resolution=self.table.resolution,
            slot_minutes=window.slot_length,
            date_ranges=window.date_ranges,
            hours=window.hours,
        )
        if draft.relation is Relation.USER:
            return dataclasses.replace(fixed, zone=self.table.zone)
        return fixed

    def of_window(self, resolution: int, window: Window, *, empty_allowed: bool = False) -> Contributions:
        """What a release of that window would take, as the command line does.

        Raises InputError that names the choice for which the table was not made, and for a table without
        rows where that is no secret.
        """
        require_made_for(self.table, resolution, window, self.source.rules)
        if not self.table.hats and not empty_allowed:
            raise InputError(
                "The contribution table has no rows.",
                where=str(self.source.files[0]),
                mend="write it again",
            )
        return dataclasses.replace(self.table, window=window)


def load_table(
    source: DataSource, progress: Progress = silent, *, empty_allowed: bool = False
) -> LoadedTable:
    """Read and check the table that a source names.

    Raises InputError for a table that does not fit, by its row, for one that another program changes
    meanwhile, and what `progress` raises.
    """
    stamps = stamps_of(source.files)
    table = read_contributions(source.files[0], progress, empty_allowed=empty_allowed)
    require_unchanged(stamps)
    return LoadedTable(source=source, table=as_told(table, source.rules, source.derived_in_table))
