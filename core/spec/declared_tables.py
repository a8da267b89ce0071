"""What the declared tables do: read a part of a file, make what carries it, and write it again."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from operator import attrgetter
from typing import Any

from core.errors import InputError
from core.spec.schema import Answers, Key, Rule, Sub, Table, Tables
from core.spec.toml_section import Section


def read_table(table: Table, section: Section, known: Answers | None = None) -> Answers:
    """Every key of the table that may stand there, checked, in order; an absent one has its default.

    A table inside gives separate answers, a list of tables a list of them. known: what other tables said
    that decides about these keys, once more. Raises InputError that names the key at fault, also for one
    that nobody knows.
    """
    answers: Answers = dict(known or {})
    for entry in table.entries:
        if isinstance(entry, Rule):
            entry.check(section, answers)
        elif entry.applies(answers):
            answers[entry.name] = read_key(entry, section)
    section.close(table.retired)
    return answers


def read_key(key: Key, section: Section) -> Any:
    """The value of a key, checked; its default where it is absent. Raises InputError that names it."""
    kind = key.kind
    if isinstance(kind, Sub):
        if key.name not in section and not key.required:
            section.take(key.name)
            return None
        return read_table(kind.table, section.section(key.name))
    if key.name not in section and not key.required:
        section.take(key.name)
        return key.default
    if isinstance(kind, Tables):
        return [read_table(kind.table, item) for item in list_of_tables(key, section)]
    if key.example:
        section.examples[key.name] = key.example
    value = kind.read(section, key.name, key.default)
    return value if key.check is None else key.check(value)


def list_of_tables(key: Key, section: Section) -> list[Section]:
    """The tables of a list, each to be read; the key must be one of `Tables`.

    Raises InputError unless they are a list of tables with at least one.
    """
    assert isinstance(key.kind, Tables)
    value = section.take(key.name)
    if isinstance(value, list) and value:
        return [Section(section.where(key.name), item) for item in value]
    what, mend = key.kind.otherwise
    raise InputError(what, where=section.where(key.name), mend=mend)


def fields(table: Table, answers: Answers, part: str = "", *, but: Collection[str] = ()) -> dict[str, Any]:
    """The answers as fields of what carries that part, `but` some; tables inside are made.

    A value that is not there is left out, so that the carrier's own default counts.
    """
    return {
        key.carried: value
        for key in table.keys
        if key.carried
        and key.carried not in but
        and key.part == part
        and (value := _made(key, answers.get(key.name))) is not None
    }


def make(table: Table, answers: Answers, *, part: str = "", **others: Any) -> Any:
    """What carries the table, made of its answers; `others` come from elsewhere and go before.

    A field without a default is None where its key is not there. Raises InputError for answers that do not
    fit together.
    """
    assert table.carrier is not None
    wanted: dict[str, Any] = {}
    if dataclasses.is_dataclass(table.carrier):
        wanted = {field.name: None for field in dataclasses.fields(table.carrier) if _is_needed(field)}
    return table.carrier(**(wanted | fields(table, answers, part, but=others) | others))


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _made(key: Key, value: Any) -> Any:
    if value is None or key.inner is None or key.inner.carrier is None:
        return value
    if isinstance(key.kind, Tables):
        return tuple(make(key.inner, item) for item in value)
    return make(key.inner, value)


def carried(key: Key, holder: object, *, flat: bool = False) -> Any:
    """What a carrier holds for a key; flat: its parts are not apart. Raises AttributeError where none is."""
    return attrgetter(f"{key.part}.{key.carried}" if key.part and not flat else key.carried)(holder)


def answers_of(table: Table, holder: object, *, flat: bool = False) -> Answers:
    """The inverse of `make`: what a carrier says, key by key; keys that it does not carry are left out."""
    return {key.name: _answer(key, carried(key, holder, flat=flat)) for key in table.keys if key.carried}


def _answer(key: Key, value: Any) -> Any:
    if key.inner is None:
        return value
    if value is None or value == key.default:
        return None
    if isinstance(key.kind, Tables):
        stated = value and not key.kind.stated_elsewhere(value)
        return [answers_of(key.inner, item) for item in value] if stated else None
    return answers_of(key.inner, value)


def write_table(table: Table, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The inverse of `read_table`: what stands in the file, without what goes without saying."""
    return {
        key.name: written
        for key in table.keys
        if (value := answers.get(key.name)) is not None
        and key.means_something(dict(answers))
        and (key.required or key.always or value != key.default)
        and (written := _written(key, value)) is not None
    }


def _written(key: Key, value: Any) -> Any:
    if isinstance(key.kind, Sub):
        return write_table(key.kind.table, value)
    if isinstance(key.kind, Tables):
        return [write_table(key.kind.table, item) for item in value]
    return key.kind.write(value)
