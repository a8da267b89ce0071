"""All that is missing or wrong in a spec, so that a person mends it in one go."""

from __future__ import annotations

from typing import Any

from core.errors import InputError
from core.privacy import Relation
from core.spec.declared_tables import list_of_tables, read_key
from core.spec.schema import Answers, Key, Rule, Table, Tables
from core.spec.toml_section import Section


def all_problems(document: dict[str, Any], schema: Table) -> list[InputError]:
    """What is wrong with each key of a file, where reading it stops at the first."""
    privacy = document.get("privacy")
    named = privacy.get("relation") if isinstance(privacy, dict) else None
    if named in list(Relation):
        return _gathered(schema, Section("", document), {"relation": Relation(named)})[1]
    return _gathered(schema, Section("", document), {}, doubtful=True)[1]


def _gathered(
    table: Table, section: Section, known: Answers, *, doubtful: bool = False
) -> tuple[Answers, list[InputError]]:
    """Answers of the right keys, and what is wrong with the others.

    What may only follow from another fault is not reported: where something is wrong, or `doubtful` from the
    start, keys that others decide about and rules over several keys are passed over.
    """
    answers, problems = dict(known), list[InputError]()
    for entry in table.entries:
        unsure = doubtful or bool(problems)
        try:
            if isinstance(entry, Rule):
                if not unsure:
                    entry.check(section, answers)
            elif unsure and entry.only is not None:
                section.take(entry.name)
            elif not entry.applies(answers):
                continue
            elif entry.inner is not None and entry.name in section:
                answers[entry.name], found = _gathered_inside(entry, section, known, doubtful=doubtful)
                problems += found
            else:
                answers[entry.name] = read_key(entry, section)
        except InputError as error:
            problems.append(error)
    return answers, [*problems, *section.unknown(table.retired)]


def _gathered_inside(
    key: Key, section: Section, known: Answers, *, doubtful: bool
) -> tuple[Any, list[InputError]]:
    """The same of the table, or of each table of a list, that stands behind a key."""
    assert key.inner is not None
    several = isinstance(key.kind, Tables)
    sections = list_of_tables(key, section) if several else [section.section(key.name)]
    parts = [_gathered(key.inner, inner, known, doubtful=doubtful) for inner in sections]
    answers = [part for part, _ in parts]
    return answers if several else answers[0], [problem for _, found in parts for problem in found]
