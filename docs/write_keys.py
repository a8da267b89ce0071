"""Write the keys of a spec and the forms of times into file-formats.md, from the program: `make docs`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from core.clean.time_formats import TIME_FORMATS
from core.errors import InputError
from core.mechanisms.base import AnyMechanism
from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import Parameter, declared
from core.privacy import Relation
from core.spec.keys import SPEC
from core.spec.schema import Key, Sub, Table, Tables
from core.spec.value_kinds import Parameters
from core.statistics.base import AnyStatistic
from core.statistics.registry import all_statistics

PAGE = Path(__file__).with_name("file-formats.md")
BEGIN = "<!-- Keys of the spec, from core/spec/keys.py: written by `make docs`. -->"
END = "<!-- End of the keys. -->"
FORMATS_HEAD = "| form | example | read as |\n| --- | --- | --- |\n"
_HEAD = ("key", "value", "without it", "relation", "meaning")
"""What may be written, with an example where the kind alone shows none; which relation's releases take it."""
_PARAMETERS_HEAD = ("of", "parameter", "value", "without it", "relation", "meaning")


def keys_text(schema: Table = SPEC) -> str:
    """Every table of a spec with its keys, as Markdown."""
    return "\n\n".join(chain.from_iterable(_table(key, key.name) for key in schema.keys))


def with_keys(page: str, schema: Table = SPEC) -> str:
    """A page with the keys between its two marks anew. Raises InputError where a mark is missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError("The page has no place for the keys.", mend=f"write {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{keys_text(schema)}\n\n{END}{after}"


def _table(key: Key, path: str) -> Iterator[str]:
    """A table of the file, and those inside it."""
    table = key.inner
    assert table is not None
    yield f"#### `{_bracketed(key, path)}`"
    yield " ".join((table.help, *(rule.says for rule in table.rules)))
    yield _markdown(_HEAD, [_row(inner, f"{path}.{inner.name}") for inner in table.keys])
    if table.retired:
        yield "\n".join(f"- `{gone.name}` is no longer used: {gone.instead}." for gone in table.retired)
    for inner in table.keys:
        if inner.inner is not None:
            yield from _table(inner, f"{path}.{inner.name}")
        elif isinstance(inner.kind, Parameters):
            yield from _parameters(f"{path}.{inner.name}")


def _bracketed(key: Key, path: str) -> str:
    return f"[[{path}]]" if isinstance(key.kind, Tables) else f"[{path}]"


def _row(key: Key, path: str) -> Sequence[str]:
    kind = key.kind
    if isinstance(kind, Sub | Tables):
        value = f"`{_bracketed(key, path)}` below"
    else:
        value = kind.phrase() + (f": `{key.example}`" if key.example else "")
    meaning = key.help if key.only is None else f"{key.help} Only {key.only.says}."
    return (
        f"`{key.name}`",
        value,
        _without(key),
        _relations([key.relation] if key.relation else Relation),
        meaning,
    )


def _relations(taken: Iterable[Relation]) -> str:
    """Which relations, in the order in which they are declared."""
    named = [f"`{relation}`" for relation in Relation if relation in taken]
    return "both" if len(named) == len(Relation) else ", ".join(named)


def _without(key: Key) -> str:
    if key.required:
        return "required"
    if key.without or isinstance(key.kind, Sub | Tables):
        return key.without
    return f"`{json.dumps(key.kind.write(key.default))}`"


def _parameters(path: str) -> Iterator[str]:
    """What the methods declare of themselves."""
    yield f"#### `[{path}]`"
    yield "Declared by the mechanism, or by a statistic that brings its own method; others have none."
    own = [one for one in all_statistics().values() if one.method]
    methods: list[AnyMechanism | AnyStatistic] = [*all_mechanisms().values(), *own]
    declaring = [(method.key, method.Params, _relations_of_params(method)) for method in methods]
    declaring += [(one.key, one.BoundedParams, {Relation.USER}) for one in own if one.BoundedParams]
    rows = [
        _parameter(key, parameter, relations)
        for key, params, relations in declaring
        for parameter in declared(params)
    ]
    yield _markdown(_PARAMETERS_HEAD, rows)


def _relations_of_params(method: AnyMechanism | AnyStatistic) -> Collection[Relation]:
    """The relations in which it takes its plain parameters: not `user` where it has others for that."""
    bounded = getattr(method, "BoundedParams", None) is not None
    return method.relations - {Relation.USER} if bounded else method.relations


def _parameter(key: str, parameter: Parameter, relations: Collection[Relation]) -> Sequence[str]:
    allowed = parameter.allowed() + (f", {parameter.unit}" if parameter.unit else "")
    default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
    without = f"`{json.dumps(default)}`"
    if parameter.proposed is not None:
        without += f"; a new query names {json.dumps(parameter.proposed)}"
    return f"`{key}`", f"`{parameter.name}`", allowed, without, _relations(relations), parameter.help


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def format_rows() -> str:
    """A row for each example of each format, as Markdown; an instant ends in UTC."""
    return "\n".join(
        f"| {one.name}{f', `{one.date_order}`' if one.date_order else ''} | `{cell}` "
        f"| {meaning.replace('Z', ' UTC')} |"
        for one in TIME_FORMATS
        for cell, meaning in one.examples
    )


def with_formats(page: str) -> str:
    """A page with the rows of its table of formats anew. Raises InputError where it has no such table."""
    before, head, rest = page.partition(FORMATS_HEAD)
    _, end, after = rest.partition("\n\n")
    if not head or not end:
        raise InputError("The page has no place for the forms of times.", mend="write the head of the table")
    return f"{before}{FORMATS_HEAD}{format_rows()}\n\n{after}"


if __name__ == "__main__":
    PAGE.write_text(with_formats(with_keys(PAGE.read_text(encoding="utf-8"))), encoding="utf-8")
