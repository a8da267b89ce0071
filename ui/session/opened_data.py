"""What a load brings: records or a contribution table, what is shown of them, and a draft that fits them."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.advice.forecast import HatOverview, overview_of
from core.advice.sparse_days import SparseDay, sparse_days
from core.clean.mapping import ReadingRules
from core.contributions import Contributions
from core.draft.draft import DataSource, Draft
from core.geodata.map_layer import without_those_below
from core.hats.record_hours import hours_of_records, records_by_hour
from core.hats.window import DateRange
from core.privacy import Relation
from core.progress import Progress, part
from core.quantity import Quantity
from core.release.loaded_table import LoadedTable
from core.selection.fitted_threshold import fitted_threshold
from core.store.load_records import load_or_nothing, load_records
from core.store.record_cache import RecordCache
from core.system.paths import resources
from ui.session.loaded_data import (
    GeoBox,
    LoadedData,
    box_of_data,
    contributions_of_data,
    dates_of_data,
    hold_table,
)
from ui.session.table_passphrases import TablePassphrases

INDEXING = ("resolution", "slot_minutes", "groups", "date_ranges", "hours")
"""Changes of these fields of a draft index the records anew."""
_CHOSEN_BY_COUNTS = {"hours", "threshold"}
"""What a person may choose while data load, and then has chosen for them."""
_FROM_RECORDS = {*_CHOSEN_BY_COUNTS, "date_ranges"}
"""What of a draft is fitted to records, and in relation `user` never is."""
_ANY_DATE = (dt.date(1970, 1, 1),) * 2
"""Stands for dates that nobody has typed yet and no record has: layers without anything need some."""


def fields_of(draft: Draft, names: tuple[str, ...]) -> dict[str, Any]:
    """Some fields of a draft, to be compared with those of another."""
    return {name: getattr(draft, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """Contributions with the choices they were made for."""

    grid: Mapping[str, Any]
    relation: Relation | None
    """Of the draft: what is shown in relation `user` was typed."""
    contributions: Contributions
    overview: HatOverview
    sparse: tuple[SparseDay, ...]
    """Days that may be left out; none in relation `user`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenData:
    """What is open until something else is loaded."""

    source: DataSource
    rules: ReadingRules
    """By which the records were read."""
    loaded_data: LoadedData
    recorded: tuple[DateRange, ...]
    """The dates with records."""
    usual: GeoBox | None
    """Where nearly all records lie. Confidential."""

    def differs_in(self, relation: Relation | None) -> bool:
        """The records were read otherwise than a relation has it (method 12.1)."""
        return self.source.reading_in(relation) != self.rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a load brings, and what of a draft must change to fit it."""

    asked: LoadRequest
    data: OpenData
    fit: Mapping[str, Any]
    indexed: Indexed

    def fitted(self, now: Draft) -> Draft:
        """The draft that comes with the data, or the current one with what must fit them.

        Hours and threshold that were changed since the load began are stored.
        """
        if self.asked.draft is not None:
            return self.asked.draft
        begun = self.asked.begun
        edited = {name for name in _CHOSEN_BY_COUNTS if getattr(now, name) != getattr(begun, name)}
        fit = {name: value for name, value in self.fit.items() if name not in edited}
        if now.relation is Relation.USER:  # perhaps only since the load began
            fit = {name: fit[name] for name in fit.keys() - _FROM_RECORDS}
        else:
            fit |= {"date_ranges": self.data.recorded}
        fitted, loaded_data = dataclasses.replace(now, **fit), self.data.loaded_data
        return loaded_data.fitted(fitted) if isinstance(loaded_data, LoadedTable) else fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRequest:
    """What is loaded, and for which choices."""

    source: DataSource
    draft: Draft | None
    """Choices that come with the files; without them the current ones are fitted to these."""
    begun: Draft
    """The current ones when the load began."""
    fit: Mapping[str, Any]
    """What of these changes whatever the files hold."""

    def load(self, progress: Progress, cache: RecordCache, passphrases: TablePassphrases) -> Opened:
        """In a worker thread. Raises InputError, and what `progress` raises."""
        asked = self.draft or dataclasses.replace(self.begun, **self.fit)
        private = asked.relation is Relation.USER  # nothing may follow from the records
        rules = self.source.reading_in(asked.relation)
        reading, rest, fit = part(progress, 0.0, 0.7), part(progress, 0.7, 1.0), dict(self.fit)
        loaded_data: LoadedData
        if self.source.table:
            dates = () if self.draft is None else self.draft.date_ranges
            window = asked.window if dates else None
            loaded_data = hold_table(
                self.source, reading, passphrases, resolution=asked.resolution, window=window, private=private
            )
        else:
            loaded_data = (load_or_nothing if private else load_records)(
                self.source.files, rules, reading, cache
            )
        recorded = dates_of_data(loaded_data)
        if self.draft is None and (isinstance(loaded_data, LoadedTable) or not private):
            fit["date_ranges"] = recorded
            if not isinstance(loaded_data, LoadedTable):
                by_hour = records_by_hour(loaded_data.records).tolist()
                chosen = asked.hours != Draft().hours
                fit["hours"] = hours_of_records(asked.hours, by_hour, asked.slot_minutes, chosen=chosen)
            shown = dataclasses.replace(self.begun, **fit)
            indexed = index(
                loaded_data,
                loaded_data.fitted(shown) if isinstance(loaded_data, LoadedTable) else shown,
                rest,
            )
            if "threshold" in fit and not private:
                fit["threshold"] = fitted_threshold(indexed.contributions, asked.threshold)
        elif private:
            indexed = _index_typed(loaded_data, asked, recorded, rest)
        else:
            indexed = index(loaded_data, asked, rest)
        data = OpenData(
            source=self.source,
            rules=rules,
            loaded_data=loaded_data,
            recorded=recorded,
            usual=box_of_data(loaded_data),
        )
        return Opened(asked=self, data=data, fit=fit, indexed=indexed)


def fit_of(
    begun: Draft, measured: Quantity, source: DataSource, *, cleared: bool, same: bool
) -> dict[str, Any]:
    """What of a draft changes with the files, whatever they hold.

    measured: by the data of before. cleared: there were some; same: of the same vehicles.
    """
    fit = begun.cleared_for(same_vehicles=same) if cleared else {}
    fit = fit | {"confirmed": False, "queries": begun.asking_of(measured, source.rules.quantity)}
    sample = resources() / "sample"
    if not any(file.is_relative_to(sample) for file in source.files):
        fit["layers"] = without_those_below(begun.layers, sample)
    return fit


def index(loaded_data: LoadedData, draft: Draft, progress: Progress) -> Indexed:
    """Contributions and overview for a draft, in a worker thread."""
    window = draft.window
    private = draft.relation is Relation.USER  # so is whether anybody was there
    contributions = contributions_of_data(
        loaded_data, draft.resolution, window, progress, empty_allowed=private
    )
    return Indexed(
        grid=fields_of(draft, INDEXING),
        relation=draft.relation,
        contributions=contributions,
        overview=overview_of(contributions),
        sparse=() if private else sparse_days(contributions),
    )


def _index_typed(
    loaded_data: LoadedData, draft: Draft, recorded: tuple[DateRange, ...], progress: Progress
) -> Indexed:
    """The same where dates may still be open: confidential layers then show those with records, or any."""
    dates = draft.date_ranges or recorded or (_ANY_DATE,)
    indexed = index(loaded_data, dataclasses.replace(draft, date_ranges=dates), progress)
    return indexed if draft.date_ranges else dataclasses.replace(indexed, relation=None)
