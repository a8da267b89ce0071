"""How records are read and placed for a draft: what its places, groups and filter need (method 2.7, 3.1)."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.clean.mapping import ReadingRules
from core.draft.draft import DataSource, Draft
from core.geodata.zones_source import PublicZones, ZonesSource
from core.hats.groups import Group
from core.hats.places import HEXAGON, LABELLED, ZONED, PlaceChoice
from core.hats.window import Window
from core.privacy import Relation
from core.progress import Progress, silent
from core.selection.base import SelectionRequest
from core.selection.place_ids import listed_places
from core.selection.registry import require_rule
from core.spec.column_kinds import require_public_columns
from core.spec.group_choices import chosen_window, reading_labels, reading_places
from core.spec.spec import TABLE_MAPPING


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftReading:
    """What decides how records are read: where another one is wanted they are read anew."""

    rules: ReadingRules
    """Without labels."""
    place: PlaceChoice
    zones_source: ZonesSource | None
    groups: tuple[str, ...]
    """Public names of columns, sorted."""

    def labelled(self, progress: Progress = silent) -> ReadingRules:
        """The rules with the labels that are asked for; the layer of zones is read for it.

        Raises InputError for a column that cannot be a place, group or filter, and for zones that cannot be
        used, and what `progress` raises.
        """
        mapping, zones = self.rules.mapping, None
        if mapping == TABLE_MAPPING:
            return self.rules
        meanings = {
            "vehicle": mapping.vehicle_columns,
            "time": mapping.time_columns,
            "position": mapping.position_columns,
            "value": mapping.value,
        }
        require_public_columns(self.rules.filters, dict(mapping.public_columns), meanings)
        if self.zones_source is not None:
            # shapely takes a while, and few drafts need it
            read: Callable[..., PublicZones] = importlib.import_module("core.geodata.zone_layer").read_zones
            zones = read(self.zones_source, Path(), progress)
        rules = reading_places(self.rules, self.place, zones)
        return reading_labels(rules, tuple(map(Group, self.groups)))


def reading_for(draft: Draft, source: DataSource) -> DraftReading:
    """How a draft has the records of a source read."""
    rules = source.reading_in(draft.relation)
    if draft.filters is not None:
        rules = dataclasses.replace(rules, filters=draft.filters)
    return DraftReading(
        rules=dataclasses.replace(rules, labels=(), zones=None),
        place=place_choice_of(draft),
        zones_source=draft.zones_source if draft.place_kind == ZONED else None,
        groups=tuple(sorted(group.name for group in draft.groups if not group.by_day)),
    )


def place_choice_of(draft: Draft, zones: PublicZones | None = None) -> PlaceChoice:
    """What a number is about; zones: as they were read."""
    return PlaceChoice(
        place_kind=draft.place_kind,
        place_column=draft.place_column if draft.place_kind == LABELLED else "",
        zones_sha256=zones.digest if zones is not None and draft.place_kind == ZONED else "",
        mixed=draft.mixed if draft.place_kind == HEXAGON else (),
    )


def window_for(draft: Draft) -> Window:
    """The window with what the relation makes of its groups. Raises InputError for one that cannot be."""
    return chosen_window(draft.window, draft.relation or Relation.VALUES, draft.minimum_vehicles)


def selected_by(draft: Draft, folder: Path, zones: PublicZones | None = None) -> SelectionRequest | None:
    """What the draft's rule takes; folder: what a path starts from. None: its file is not named yet.

    zones: those of the layer, of which a list may name others than there are.

    Raises InputError for a file that cannot be used.
    """
    file, place = require_rule(draft.rule).cell_file, place_choice_of(draft)
    if file is None:
        return SelectionRequest(rule=draft.rule, threshold=draft.threshold)
    if not draft.cells_file:
        return None
    path = folder / draft.cells_file
    if place.hexagons:
        return file.request(draft.rule, path, *place.resolutions(draft.resolution))
    known = zones.ids if zones is not None and place.place_kind == ZONED else None
    return listed_places(path, draft.rule, place, known, window_for(draft) if draft.date_ranges else None)


def columns_lacking(draft: Draft, rules: ReadingRules) -> bool:
    """Places or groups are of columns that such records do not have."""
    named = {name for name, _ in rules.mapping.public_columns}
    asked = {group.name for group in draft.groups if not group.by_day} | {place_choice_of(draft).place_column}
    return not asked - {""} <= named
