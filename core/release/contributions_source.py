"""Whether a contribution table fits a spec: its physical limits, the origin of its speeds (method 15)."""

from __future__ import annotations

import dataclasses

from core.clean.ingest_report import IngestReport
from core.clean.mapping import ReadingRules
from core.contributions import Contributions, contributions_of
from core.contributions.common_labels import with_common_labels
from core.contributions.encryption import AskPassphrase
from core.contributions.file_facts import PhysicalLimits
from core.contributions.file_read import read_contributions
from core.contributions.index import require_few_in_groups
from core.draft.draft import DataSource
from core.errors import InputError
from core.geodata.zones_source import PublicZones
from core.hats.groups import Groups
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window
from core.privacy import Relation
from core.progress import Progress, part, silent, wordless
from core.selection.finer_hats import counted_where_chosen
from core.spec import ReleaseSpec
from core.spec.spec import DataSpec
from core.store.load_records import load_or_nothing, load_records
from core.store.record_cache import RecordCache


def contributions_for(
    spec: ReleaseSpec,
    progress: Progress = silent,
    cache: RecordCache | None = None,
    passphrase: AskPassphrase | None = None,
) -> tuple[Contributions, IngestReport | None]:
    """The contributions that a spec names, and how its records were read.

    The second is None where a table was read, or nothing is left in relation `user`: it is private there
    whether anybody sent anything, so that files without a usable record are data like any others, and
    progress tells no counts. passphrase: asked where a table is encrypted. Raises InputError for unusable
    input, and for a table that was made for other choices.
    """
    presence = spec.relation is Relation.USER
    if presence:
        progress = wordless(progress, "Reading records")
    if spec.data.contributions:
        table = read_contributions(
            spec.data.table_path,
            progress,
            resolution=spec.resolution,
            window=spec.window,
            empty_allowed=presence,
            passphrase=passphrase,
            vehicle_fold=spec.data.rules.mapping.vehicle_fold,
            listed=spec.selection.ids,
        )
        require_made_for(table, spec.resolution, spec.window, spec.data.rules, spec.place)
        if not presence:
            require_few_in_groups(table.hats, table.window, table.choice)
        table = with_common_labels(table, spec.window.groups)
        table = counted_where_chosen(with_middles(as_stated(table, spec.data), spec.zones), spec.selection)
        return table, None
    load = load_or_nothing if presence else load_records
    loaded = load(spec.data.paths(), spec.data.rules, part(progress, 0.0, 0.8), cache)
    table = contributions_of(
        loaded.records,
        spec.resolution,
        spec.window,
        part(progress, 0.8, 1.0),
        empty_allowed=presence,
        choice=spec.place,
        listed=spec.selection.ids,
    )
    table = counted_where_chosen(with_middles(table, spec.zones), spec.selection)
    return table, loaded.report if len(loaded.records) else None


def with_middles(table: Contributions, zones: PublicZones | None) -> Contributions:
    """The table with where the zones lie, by which smoothing knows which are near."""
    if zones is None:
        return table
    middles = {
        name: (latitude, longitude)
        for name, (longitude, latitude) in zip(zones.ids, zones.middles.tolist(), strict=True)
    }
    return dataclasses.replace(table, places=table.places.lying_at(middles))


def as_stated(table: Contributions, said: DataSpec | DataSource) -> Contributions:
    """A table with what the spec says of its values: where speeds come from, what was dropped as impossible,
    whether visits depend on them.

    Raises InputError where nobody says where speeds come from, or spec and table disagree.
    """
    return dataclasses.replace(
        table,
        derived=_derived(said.derived_in_table, table),
        limits_known=_limits_known(said.physical_in_table, table),
        visits=table.visits if said.rules.tell_dwell else None,
    )


def _limits_known(said: PhysicalLimits | None, table: Contributions) -> bool:
    """Whether it is known what was dropped by value. Raises InputError for limits that cannot be."""
    if said is None:
        return table.limits_known
    where, lower = "data.physical_limits_in_table", table.measured.lower
    if table.limits_known:
        raise InputError(
            "The contribution table has its own physical limits.",
            where=where,
            mend="leave this key out: the table has them in its metadata",
        )
    if said[0] > lower or said[1] < lower + table.upper_bound:
        raise InputError(
            "The physical limit lies inside the protected range, so counts of records would reveal values.",
            where=where,
            mend="make the table again with physical limits that enclose [lower, upper_bound]",
        )
    return True


def _derived(said: bool | None, table: Contributions) -> bool:
    """Whether the speeds of a table follow from positions. Raises InputError where nobody says so."""
    if table.derived is None and said is None:
        raise InputError(
            "The contribution table does not say whether its speeds were derived from positions.",
            where="data.contributions",
            mend="where they were measured write derived_speed_in_table = false, or make the table again",
        )
    if None not in (said, table.derived) and said != table.derived:
        raise InputError(
            "The contribution table says something else about the origin of its speeds.",
            where="data.derived_speed_in_table",
            mend="leave this key out: the table has it in its metadata",
        )
    return bool(table.derived or said)


def same_groups(asked: Groups, made: Groups) -> bool:
    """Whether a table's groups are those asked for; where no labels are asked for, its own count."""
    return [group.name for group in asked] == [group.name for group in made] and all(
        one.is_open or (one.labels, one.kinds) == (other.labels, other.kinds)
        for one, other in zip(asked, made, strict=True)
    )


def require_made_for(
    table: Contributions,
    resolution: int,
    window: Window,
    rules: ReadingRules,
    place: PlaceChoice = HEXAGON_CHOICE,
) -> None:
    """Raise InputError that names the choice for which the table was not made."""
    made = table.window
    for key, same in (
        ("hats.place", place.place_kind == table.choice.place_kind),
        ("hats.place_column", place.place_column == table.choice.place_column),
        ("hats.zones", place.zones_sha256 == table.choice.zones_sha256),
        ("hats.resolution", resolution == table.resolution or not place.hexagons),
        ("hats.resolution", place.mixed == table.choice.mixed),
        ("hats.slot_minutes", window.slot_minutes == made.slot_minutes),
        ("hats.periods", window.periods == made.periods),
        ("hats.group", same_groups(window.groups, made.groups)),
        ("hats.hours", window.hours == made.hours),
        ("data.zone", rules.zone == table.zone),
        ("data.value", rules.quantity.measured == table.measured),
        ("data.filter", sorted(rules.filters) == sorted(table.filters)),
        (
            "data.value.upper" if rules.value else "data.upper_bound_kmh",
            rules.upper_bound == table.upper_bound,
        ),
    ):
        if not same:
            raise InputError(
                "The contribution table was made for another choice.",
                where=key,
                mend="write what the table's metadata says, or make the table again",
            )
