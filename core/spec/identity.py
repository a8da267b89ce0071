"""What makes two specs ask for the same release: the canonical form (method 13.4).

It has no texts, no paths and no key. Its bytes are for ever: by them an older release is found again, and
published anew at no cost.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

from core.planning.query_plan import Query
from core.spec.keys import SPEC
from core.spec.schema import Key, Sub, Table, Tables
from core.spec.spec import ReleaseSpec
from core.spec.tables import answers_of, held


def identity(spec: ReleaseSpec, schema: Table = SPEC) -> dict[str, Any]:
    """The canonical form as plain JSON values, parameters with their defaults.

    The versions of statistic and mechanism are part of it: another could draw another result.
    """
    facts: dict[str, Any] = {}
    rules = spec.data.rules
    for name, holder in (("data", rules), ("hats", spec), ("selection", spec), ("privacy", spec)):
        _add(facts, schema.table(name), holder)
    if rules.mapping.derived:
        facts["data"]["mapping"].pop("unit", None)  # in km/h, whatever unit is named
    if rules.value:  # it has a unit and limits of its own
        facts["data"]["mapping"].pop("unit", None)
        facts["data"].pop("physical_max")
    queries = schema.key("query")
    table = schema.table("query")
    return facts | {queries.identity: [_query(table, query) for query in spec.queries]}


def _add(facts: dict[str, Any], table: Table, holder: object) -> None:
    """Put what a table tells into the facts, each at its place."""
    answers = answers_of(table, holder)
    for key in table.keys:
        if isinstance(key.kind, Sub) and not key.identity:
            _add(facts, key.kind.table, held(key, holder))
        elif key.identity and (key.only is None or key.only.refused or key.only.holds(answers)):
            value = _value(key, holder)
            told = _identity(key, value) if key.constant or value not in (None, key.default) else None
            if key.constant or told is not None:
                _put(facts, key.identity, told)


def _value(key: Key, holder: object) -> Any:
    return attrgetter(key.identity_of)(holder) if key.identity_of else held(key, holder)


def _identity(key: Key, value: Any) -> Any:
    kind = key.kind
    if isinstance(kind, Sub):
        return _facts(kind.table, value)
    if isinstance(kind, Tables):
        return None if kind.told_elsewhere(value) else [_facts(kind.table, item) for item in value]
    return kind.identity(value)


def _facts(table: Table, holder: object) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    _add(facts, table, holder)
    return facts


def _put(facts: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for name in above:
        facts = facts.setdefault(name, {})
    facts[last] = value


def _query(table: Table, query: Query) -> dict[str, Any]:
    question = query.question
    names = {field.name: getattr(query, field.name) for field in dataclasses.fields(query)} | {
        "statistic": question.statistic.key,
        "mechanism": question.key,  # of the statistic, where that has a method of its own
        "parameters": dataclasses.asdict(question.params),
    }
    versions = {"statistic_version": question.statistic.version, "mechanism_version": question.version}
    return _facts(table, SimpleNamespace(**names)) | versions
