"""A contribution table that a person looks at before a release; one without rows, or that is none."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from core.contributions import Contributions
from core.contributions.encryption import AskPassphrase
from core.contributions.file_look import TableOffer, look_at_table
from core.contributions.file_read import read_contributions
from core.draft.draft import DataSource, Draft
from core.errors import InputError
from core.hats.window import Window
from core.privacy import Confidential, Relation
from core.progress import Progress, part, silent
from core.read.file_stamps import require_unchanged
from core.release.contributions_source import as_stated, require_made_for

_LOOK = 0.1
"""Share of the progress that a look at the metadata of a contribution table takes."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoadedTable(Confidential):
    """What was read of a table, as the source says that its values are."""

    source: DataSource
    table: Contributions
    """Of the window that was asked for first."""
    offer: TableOffer
    passphrase: AskPassphrase | None = field(default=None, compare=False)
    """Asked where other dates are read of an encrypted table."""

    def fitted(self, draft: Draft) -> Draft:
        """The draft with what the table has decided: grid and hours; in relation `user` the zone.

        Resolution and dates stay where the table has them, and are those that were read where it has not.
        """
        resolution = draft.resolution if draft.resolution in self.offer.dates else self.table.resolution
        window = self.table.window
        fixed = dataclasses.replace(
            draft,
            resolution=resolution,
            mixed=self.table.choice.mixed,
            slot_minutes=window.slot_length,
            hours=window.hours,
            groups=window.groups,
            place_kind=self.table.choice.place_kind,
            place_column=self.table.choice.place_column,
        )
        if not self._covers(fixed):
            fixed = dataclasses.replace(fixed, date_ranges=self.offer.ranges(resolution))
        if draft.relation is Relation.USER:
            return dataclasses.replace(fixed, zone=self.table.zone)
        return fixed

    def _covers(self, draft: Draft) -> bool:
        """Whether the table was made for every date of a draft that names any."""
        if not draft.date_ranges:
            return False
        dates = draft.window.dates
        return self.offer.dates[draft.resolution].issuperset(dates)

    def of_window(
        self, resolution: int, window: Window, progress: Progress = silent, *, empty_allowed: bool = False
    ) -> Contributions:
        """What a release of that window would take, as the command line does; other dates are read anew.

        Raises InputError that names the choice for which the table was not made, for a table that is not on
        the disk as it was, and for one without rows where that is no secret; and what `progress` raises.
        """
        table = self.table
        if (resolution, window.dates) != (table.resolution, table.window.dates):
            require_unchanged(self.offer.stamps)
            table = _read(
                self.source, progress, resolution, window, empty_allowed=True, passphrase=self.passphrase
            )
        require_made_for(table, resolution, window, self.source.rules, self.table.choice)
        if not table.hats and not empty_allowed:
            raise InputError(
                "The contribution table has no rows.", where=str(self.source.files[0]), mend="write it again"
            )
        return table if window.groups else dataclasses.replace(table, window=window)


def load_table(
    source: DataSource,
    progress: Progress = silent,
    *,
    resolution: int,
    window: Window | None = None,
    empty_allowed: bool = False,
    passphrase: AskPassphrase | None = None,
) -> LoadedTable:
    """Read and check what is wanted of the table that a source names.

    window: None for every date that the table has at the resolution, or at its own where it has none such.
    Raises InputError for a table that does not fit, by its row, for one that another program changes
    meanwhile, and what `progress` and `passphrase` raise.
    """
    path = source.files[0]
    offer = look_at_table(path, passphrase, part(progress, 0.0, _LOOK))
    if offer is None:
        raise InputError(
            "This is not a contribution table.", where=str(path), mend="name the table, or open it as records"
        )
    if window is None and resolution not in offer.dates:
        resolution = offer.resolutions[0]
    table = _read(
        source,
        part(progress, _LOOK, 1.0),
        resolution,
        window,
        empty_allowed=empty_allowed,
        passphrase=passphrase,
    )
    require_unchanged(offer.stamps)
    return LoadedTable(source=source, table=table, offer=offer, passphrase=passphrase)


def _read(
    source: DataSource,
    progress: Progress,
    resolution: int,
    window: Window | None,
    *,
    empty_allowed: bool,
    passphrase: AskPassphrase | None,
) -> Contributions:
    table = read_contributions(
        source.files[0],
        progress,
        resolution=resolution,
        window=window,
        empty_allowed=empty_allowed,
        passphrase=passphrase,
        vehicle_fold=source.rules.mapping.vehicle_fold,
    )
    return as_stated(table, source)
