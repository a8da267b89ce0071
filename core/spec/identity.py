"""What makes two specs ask for the same release: canonical form, versions of statistics (method 13.4).

It has no texts, no paths and no key. Its bytes are for ever: by them an older release is found again, and
published anew at no cost. So is every older form of it.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from itertools import groupby
from operator import attrgetter, itemgetter
from types import SimpleNamespace
from typing import Any

from core.bounding.counts_file import CountedHat
from core.clean.mapping import REGULAR
from core.clean.value_units import unit_factor
from core.parameter_fields import asked_for, first_parameters
from core.planning.query_plan import Query
from core.privacy import Relation
from core.selection.base import CellColumns
from core.spec.declared_tables import answers_of, carried
from core.spec.keys import SPEC
from core.spec.schema import (
    FIRST_IDENTITY,
    FOURTH_IDENTITY,
    NEWEST_IDENTITY,
    THIRD_IDENTITY,
    Key,
    Sub,
    Table,
    Tables,
)
from core.spec.spec import ReleaseSpec

_FIRST_VERSION = 1
"""Of every statistic and mechanism of a spec, as long as the first form was in use."""
_SECOND_VERSIONS = {"tokens": 1, "two-step-clipping": 2}
"""Of mechanisms that rose with the third form, as long as the second was in use."""


def identity(spec: ReleaseSpec, schema: Table = SPEC, *, version: int = NEWEST_IDENTITY) -> dict[str, Any]:
    """The canonical form as plain JSON values, parameters with their defaults.

    The versions of statistic and mechanism are part of it: another could draw another result. An older
    form, under which a request of its time is still found, has those of that time.
    """
    facts: dict[str, Any] = {} if version == FIRST_IDENTITY else {"identity": version}
    rules = spec.data.rules
    for name, holder in (("data", rules), ("hats", spec), ("selection", spec), ("privacy", spec)):
        _add(facts, schema.table(name), holder, version)
    if rules.mapping.derived:
        facts["data"]["mapping"].pop("unit", None)  # in km/h, whatever unit is named
    if rules.value:  # it has its own unit and limits
        facts["data"]["mapping"].pop("unit", None)
        facts["data"].pop("physical_max")
    if spec.data.physical_in_table is not None:
        facts["data"]["physical_limits_in_table"] = list(spec.data.physical_in_table)
    if version > THIRD_IDENTITY and spec.relation is Relation.VALUES and rules.pings != REGULAR:
        facts["data"]["pings"] = rules.pings
    queries = schema.key("query")
    table = schema.table("query")
    asked = [_query_facts(table, query, version, spec.selection.columns) for query in spec.queries]
    if version > FOURTH_IDENTITY:
        _write_one_way(facts, spec)
        asked.sort(key=itemgetter("id"))
    return facts | {queries.place: asked}


def _write_one_way(facts: dict[str, Any], spec: ReleaseSpec) -> None:
    """Dates that follow one another are one range, and a unit is its factor, whatever it is called."""
    days = sorted(day.toordinal() for day in spec.window.dates)
    runs = groupby(enumerate(days), lambda numbered: numbered[1] - numbered[0])
    dates = [[day for _, day in run] for _, run in runs]
    facts["hats"]["dates"] = [[dt.date.fromordinal(run[at]).isoformat() for at in (0, -1)] for run in dates]
    mapping = facts["data"].get("mapping", {})
    of_all = mapping.get("unit")
    for named in of_all if isinstance(of_all, list) else [mapping] if of_all else []:
        named["unit"] = str(unit_factor(named["unit"]))


def _add(facts: dict[str, Any], table: Table, holder: object, version: int) -> None:
    """Put what a table tells into the facts, each at its place."""
    answers = answers_of(table, holder)
    for key in table.keys:
        if isinstance(key.kind, Sub) and not key.place:
            if (inner := carried(key, holder)) is not None:
                _add(facts, key.kind.table, inner, version)
        elif (
            key.place
            and version <= key.identity_until
            and (key.only is None or key.only.refused or key.only.holds(answers))
        ):
            value = _value(key, holder)
            stated = (
                _identity(key, value, version) if key.constant or value not in (None, key.default) else None
            )
            if key.constant or stated is not None:
                _put(facts, key.place, stated)


def _value(key: Key, holder: object) -> Any:
    return attrgetter(key.identity_of)(holder) if key.identity_of else carried(key, holder)


def _identity(key: Key, value: Any, version: int) -> Any:
    kind = key.kind
    if isinstance(kind, Sub):
        return _facts(kind.table, value, version)
    if isinstance(kind, Tables):
        return None if kind.stated_elsewhere(value) else [_facts(kind.table, item, version) for item in value]
    return kind.identity(value)


def _facts(table: Table, holder: object, version: int) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    _add(facts, table, holder, version)
    return facts


def _put(facts: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for name in above:
        facts = facts.setdefault(name, {})
    facts[last] = value


def _counted(hat: CountedHat) -> list[Any]:
    """As it was before there were groups, where there are none."""
    *usual, groups = dataclasses.astuple(hat)
    return [*usual, *([list(groups)] if groups else [])]


def _query_facts(table: Table, query: Query, version: int, columns: CellColumns) -> dict[str, Any]:
    question = query.question
    stated = first_parameters if version == FIRST_IDENTITY else asked_for
    names = {field.name: getattr(query, field.name) for field in dataclasses.fields(query)} | {
        "statistic": question.statistic.key,
        "mechanism": question.key,  # of the statistic, where that brings its method
        "parameters": stated(question.params),
    }
    versions = {"statistic_version": question.statistic.version, "mechanism_version": question.version}
    if version == FIRST_IDENTITY:
        versions = dict.fromkeys(versions, _FIRST_VERSION)
    elif version < THIRD_IDENTITY:
        versions["mechanism_version"] = _SECOND_VERSIONS.get(question.key, question.version)
    weights = {
        name: sorted(columns[value].items())
        for name, value in names["parameters"].items()
        if isinstance(value, str) and value in columns
    }
    facts_of_file: dict[str, Any] = {"columns": weights} if weights else {}
    if query.public_counts:
        facts_of_file["public_counts"] = [_counted(one) for one in query.public_counts]
    if query.public_fleet:
        facts_of_file["public_fleet"] = query.public_fleet
    return _facts(table, SimpleNamespace(**names), version) | versions | facts_of_file
