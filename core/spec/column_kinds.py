"""Public names of columns in a spec, and filters by them: unknown ones, ids of vehicles, long texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.clean.mapping import ColumnMapping
from core.clean.record_filter import (
    MOST_TEXT,
    RecordFilter,
    filters_of,
    is_public_name,
    is_public_text,
    stated_filters,
)
from core.errors import InputError
from core.hats.groups import require_group_labels
from core.spec.toml_section import Section
from core.texts import text_of


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Columns with a public name; in memory pairs of both, by name."""

    def phrase(self) -> str:
        return "table of texts"

    def read(self, section: Section, name: str, _: Any) -> tuple[tuple[str, str], ...]:
        table = section.section(name)
        columns = {key: table.text(key) for key in table.left}
        for key in columns:
            if not is_public_name(key):
                raise InputError(
                    "A public name is lower-case letters, digits and underscores, and not id, time, position "
                    "or value.",
                    where=table.where(key),
                    mend=text_of('write for instance {name} = {{ route = "route_id" }}', name=name),
                )
        return tuple(sorted(columns.items()))

    def write(self, value: Sequence[tuple[str, str]]) -> dict[str, str]:
        return dict(value)

    def identity(self, value: Sequence[tuple[str, str]]) -> dict[str, str]:
        return dict(value)


@dataclass(frozen=True, slots=True)
class Filters:
    """Texts by public name of a column, `not_` in front of those that are left out."""

    def phrase(self) -> str:
        return "table of lists of texts"

    def read(self, section: Section, name: str, _: Any) -> tuple[RecordFilter, ...]:
        table = section.section(name)
        stated = {key: table.texts(key) for key in table.left}
        for key, texts in stated.items():
            if not all(map(is_public_text, texts)):
                raise InputError(
                    "A value of the filter is empty, too long, or has invisible characters.",
                    where=table.where(key),
                    mend=text_of("write the text of the cells, at most {most} characters", most=MOST_TEXT),
                )
        return filters_of(stated)

    def write(self, value: Sequence[RecordFilter]) -> dict[str, list[str]]:
        return stated_filters(value)

    def identity(self, value: Sequence[RecordFilter]) -> dict[str, list[str]]:
        return stated_filters(value)


@dataclass(frozen=True, slots=True)
class GroupLabels:
    """Lists of texts by public name of a column; in memory pairs of both, by name."""

    def phrase(self) -> str:
        return "table of lists of texts"

    def read(self, section: Section, name: str, _: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
        table = section.section(name)
        return tuple(
            (key, require_group_labels(table.texts(key), where=table.where(key)))
            for key in sorted(table.left)
        )

    def write(self, value: Sequence[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
        return {name: list(labels) for name, labels in value}

    def identity(self, value: Sequence[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
        return self.write(value)


def require_public_columns(
    filters: Sequence[RecordFilter], named: Mapping[str, str], mapped: Mapping[str, str | Sequence[str]]
) -> None:
    """Raise InputError for a filter of a column without a public name, or of one that has another meaning.

    named: public name -> column; mapped: key of the mapping -> its column, or columns. Texts of a filter are
    published, so that no vehicle may be named by one; it may only leave out what is no vehicle's.
    """
    meaning = {
        column: key
        for key, columns in mapped.items()
        for column in ([columns] if isinstance(columns, str) else columns)
    }
    for item in filters:
        where = f"data.filter.{item.key}"
        if item.name not in named:
            raise InputError(
                "No column has the public name {name}.",
                name=item.name,
                where=where,
                mend=text_of('name it in [data.mapping]: columns = {{ {name} = "..." }}', name=item.name),
            )
        key = meaning.get(named[item.name], "")
        if key == "vehicle" and not item.excluded:
            raise InputError(
                "A filter would publish ids of vehicles.",
                where=where,
                mend=text_of(
                    "leave out what is not a vehicle with not_{name}; otherwise give files of the vehicles "
                    "meant",
                    name=item.name,
                ),
            )
        if key not in ("", "vehicle"):
            raise InputError(
                "The column of the {key} cannot filter records: what is left would reveal what is protected.",
                key=key,
                where=where,
                mend="filter by a column that is known without value, time and position",
            )


def require_label_columns(mapping: ColumnMapping, named: Mapping[str, str]) -> None:
    """Raise InputError for a label of no column, or of one that has another meaning.

    named: key of the spec -> public name of a column. Labels are published.
    """
    columns = dict(mapping.public_columns)
    meaning = {
        **dict.fromkeys(mapping.time_columns, "time"),
        **dict.fromkeys(mapping.position_columns, "position"),
        **dict.fromkeys(mapping.vehicle_columns, "vehicle"),
        mapping.value: "value",
    }
    for where, name in named.items():
        if name not in columns:
            raise InputError(
                "No column has the public name {name}.",
                name=name,
                where=where,
                mend=text_of('name it in [data.mapping]: columns = {{ {name} = "..." }}', name=name),
            )
        if columns[name] in meaning:
            raise InputError(
                "The column of the {key} cannot be a place or a group: its texts would be published.",
                key=meaning[columns[name]],
                where=where,
                mend="choose a column that is known without vehicle, value, time and position",
            )
