"""What a load brings: records or a contribution table, what is shown of them, and a draft that fits them."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from core.advice.forecast import HatOverview, overview_of
from core.advice.sparse_days import SparseDay, sparse_days
from core.bundle.place_outlines import line_geometries
from core.contributions import Contributions
from core.draft.draft import DataSource, Draft
from core.draft.draft_reading import (
    DraftReading,
    columns_lacking,
    place_choice_of,
    reading_for,
    selected_by,
    window_for,
)
from core.errors import InputError
from core.geodata.map_layer import without_those_below
from core.geodata.route_lines import read_route_lines
from core.geodata.zones_source import PublicZones
from core.hats.places import LABELLED
from core.hats.record_hours import hours_of_records, records_by_hour
from core.hats.window import DateRange
from core.privacy import Relation
from core.progress import Progress, part
from core.quantity import Quantity
from core.read.file_stamps import Stamp, stamp_of
from core.release.loaded_table import LoadedTable
from core.selection.base import SelectionRequest
from core.selection.finer_hats import counted_where_chosen
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

PLACING = ("place_kind", "place_column", "zones_source", "filters", "groups", "day_kinds")
"""Changes of these fields of a draft may read the records anew."""
INDEXING = ("resolution", "mixed", "slot_minutes", "date_ranges", "hours", "shapes", *PLACING)
"""Changes of these fields of a draft index the records anew."""
_CHOSEN_BY_COUNTS = {"hours", "threshold"}
"""What a person may choose while data load, and then has chosen for them."""
_FROM_RECORDS = {*_CHOSEN_BY_COUNTS, "date_ranges"}
"""What of a draft is fitted to records, and in relation `user` never is."""
_Outlines = Mapping[str, Mapping[str, Any]]
_ANY_DATE = (dt.date(1970, 1, 1),) * 2
"""Stands for dates that nobody has typed yet and no record has: layers without anything need some."""


def fields_of(draft: Draft, names: tuple[str, ...]) -> dict[str, Any]:
    """Some fields of a draft, to be compared with those of another."""
    return {name: getattr(draft, name) for name in names}


def indexing_of(draft: Draft) -> dict[str, Any]:
    """What contributions follow from; of places that are no hexagons those that a file lists come first."""
    listed = {} if place_choice_of(draft).hexagons else fields_of(draft, ("cells_file",))
    if place_choice_of(draft).mixed:  # each record counts in the finest hexagon that is chosen
        listed = fields_of(draft, ("rule", "threshold", "cells_file"))
    fewest = fields_of(draft, ("minimum_vehicles",)) if any(one.is_open for one in draft.groups) else {}
    return fields_of(draft, INDEXING) | listed | fewest


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
    lines: _Outlines
    """Place -> its line as GeoJSON has it, of routes that a timetable draws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenData:
    """What is open until something else is loaded."""

    source: DataSource
    reading: DraftReading
    """What the records were read for."""
    loaded_data: LoadedData
    recorded: tuple[DateRange, ...]
    """The dates with records."""
    usual: GeoBox | None
    """Where nearly all records lie. Confidential."""

    zones: PublicZones | None
    """The layer that the places are of."""
    outlines: _Outlines
    """Place -> its geometry as GeoJSON has it; none of places that are drawn otherwise, or not at all."""

    def differs_for(self, draft: Draft) -> bool:
        """The records were read otherwise than a draft has it (method 12.1)."""
        return reading_for(draft, self.source) != self.reading

    def reads_otherwise(self, draft: Draft, before: Draft) -> bool:
        """Two drafts have the records read in two ways."""
        return reading_for(draft, self.source) != reading_for(before, self.source)

    def lacks_labels_of(self, draft: Draft) -> bool:
        """The records were read without what places, groups or filter of a draft need."""
        now = reading_for(draft, self.source)
        ours = dataclasses.replace(self.reading, rules=now.rules)
        return ours != now or self.reading.rules.filters != now.rules.filters


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
        wanted = reading_for(asked, self.source)
        rules = wanted.labelled(part(progress, 0.0, 0.1))
        reading, rest, fit = part(progress, 0.1, 0.7), part(progress, 0.7, 1.0), dict(self.fit)
        zones = cast("PublicZones | None", rules.zones)
        folder = self.source.files[0].parent
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
            if isinstance(loaded_data, LoadedTable):
                shown = loaded_data.fitted(shown)
            indexed = index(loaded_data, shown, folder, zones, rest)
            if "threshold" in fit and not private:
                fit["threshold"] = fitted_threshold(indexed.contributions, asked.threshold)
        else:
            try:
                indexed = _index_typed(loaded_data, asked, recorded, folder, zones, rest)
            except InputError:  # what came with them may be half chosen: the choice says so
                if self.draft is None or isinstance(loaded_data, LoadedTable):
                    raise
                usual = dataclasses.replace(asked, **fields_of(Draft(), INDEXING))
                indexed = _index_typed(loaded_data, usual, recorded, folder, zones, rest)
        data = OpenData(
            source=self.source,
            reading=wanted,
            loaded_data=loaded_data,
            recorded=recorded,
            usual=box_of_data(loaded_data),
            zones=zones,
            outlines=dict(zip(zones.ids, zones.outlines(), strict=True)) if zones is not None else {},
        )
        return Opened(asked=self, data=data, fit=fit, indexed=indexed)


def fit_of(
    begun: Draft, measured: Quantity, source: DataSource, *, cleared: bool, same: bool
) -> dict[str, Any]:
    """What of a draft changes with the files, whatever they hold.

    measured: by the data of before. cleared: there were some; same: of the same vehicles.
    """
    fit = begun.cleared_for(same_vehicles=same) if cleared else {}
    if columns_lacking(begun, source.rules):
        fit |= fields_of(Draft(), PLACING)
    fit = fit | {"confirmed": False, "queries": begun.asking_of(measured, source.rules.quantity)}
    sample = resources() / "sample"
    if not any(file.is_relative_to(sample) for file in source.files):
        fit["layers"] = without_those_below(begun.layers, sample)
    return fit


def index(
    loaded_data: LoadedData, draft: Draft, folder: Path, zones: PublicZones | None, progress: Progress
) -> Indexed:
    """Contributions and overview for a draft, in a worker thread; folder: of the files; zones: as read."""
    private = draft.relation is Relation.USER  # so is whether anybody was there
    hexagons = place_choice_of(draft).hexagons
    asked = None if hexagons else selected_by(draft, folder, zones)
    contributions = contributions_of_data(
        loaded_data,
        draft.resolution,
        window_for(draft),
        progress,
        empty_allowed=private,
        choice=place_choice_of(draft, zones),
        listed=asked.ids if asked is not None else (),
        zones=zones,
    )
    if place_choice_of(draft).mixed:
        contributions = counted_where_chosen(contributions, _finer_choice(draft, folder))
    return Indexed(
        grid=indexing_of(draft),
        relation=draft.relation,
        contributions=contributions,
        overview=overview_of(contributions),
        sparse=() if private else sparse_days(contributions),
        lines=_lines_of(folder / draft.shapes, contributions.places.ids)
        if draft.shapes and draft.place_kind == LABELLED
        else {},
    )


def _finer_choice(draft: Draft, folder: Path) -> SelectionRequest | None:
    """What is chosen, where that can be said; planning tells why not otherwise."""
    try:
        return selected_by(draft, folder)
    except InputError:
        return None


def _index_typed(
    loaded_data: LoadedData,
    draft: Draft,
    recorded: tuple[DateRange, ...],
    folder: Path,
    zones: PublicZones | None,
    progress: Progress,
) -> Indexed:
    """The same where dates may still be open: confidential layers then show those with records, or any."""
    dates = draft.date_ranges or recorded or (_ANY_DATE,)
    indexed = index(loaded_data, dataclasses.replace(draft, date_ranges=dates), folder, zones, progress)
    return indexed if draft.date_ranges else dataclasses.replace(indexed, relation=None)


def _lines_of(path: Path, labels: tuple[str, ...]) -> _Outlines:
    """The lines of a timetable. Raises InputError for one that cannot be read."""
    return _lines_once(path, stamp_of(path) if path.is_file() else None, labels)


@lru_cache(maxsize=1)
def _lines_once(path: Path, stamp: Stamp | None, labels: tuple[str, ...]) -> _Outlines:  # noqa: ARG001
    """Read once, for another timeslot asks for the same ones; stamp: of the file as it was then."""
    return line_geometries(read_route_lines(path, labels))
