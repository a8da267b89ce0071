"""Kinds of keys that give columns of the records a public name, and filter by them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.clean.record_filter import NOT, RecordFilter, filters_of, stated_filters
from core.errors import InputError
from core.spec.toml_section import Section
from core.texts import text_of

_PUBLIC = re.compile(r"[a-z][a-z0-9_]{0,39}")
_MOST_TEXT = 80
"""Characters of a label that is published."""


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Columns with a public name; in memory pairs of both, by name."""

    def phrase(self) -> str:
        return "table of texts"

    def read(self, section: Section, name: str, _: Any) -> tuple[tuple[str, str], ...]:
        table = section.section(name)
        columns = {key: table.text(key) for key in table.left}
        for key in columns:
            if not _PUBLIC.fullmatch(key) or key.startswith(NOT):
                raise InputError(
                    "The public name of a column is lower-case letters, digits and underscores.",
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
            if not all(text.strip() and text.isprintable() and len(text) <= _MOST_TEXT for text in texts):
                raise InputError(
                    "A value of the filter is empty, too long, or has characters that cannot be seen.",
                    where=table.where(key),
                    mend=text_of("write the text of the cells, at most {most} characters", most=_MOST_TEXT),
                )
        return filters_of(stated)

    def write(self, value: Sequence[RecordFilter]) -> dict[str, list[str]]:
        return stated_filters(value)

    def identity(self, value: Sequence[RecordFilter]) -> dict[str, list[str]]:
        return stated_filters(value)


def require_public_names(filters: Sequence[RecordFilter], named: Mapping[str, str], value: str) -> None:
    """Raise InputError for a filter of a column without a public name, or of the value's; named: name to
    column."""
    for item in filters:
        where = f"data.filter.{item.key}"
        if item.name not in named:
            raise InputError(
                "No column has the public name {name}.",
                name=item.name,
                where=where,
                mend=text_of('name it in [data.mapping]: columns = {{ {name} = "..." }}', name=item.name),
            )
        if named[item.name] == value:
            raise InputError(
                "The column of the value cannot filter records: what is left would tell values.",
                where=where,
                mend="filter by a column that is known without the value",
            )
