"""A spec file to begin with, as text: what is known, what is still blank, and what each key means.

The comments are the sentences of the declared keys, so that the file and docs/file-formats.md say the same.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from core.spec.keys import SPEC
from core.spec.schema import Key, Kind, Sub, Table, Tables
from core.spec.value_kinds import DateRanges, Flag, Texts, Whole

FILL_IN = "FILL IN"
"""Marks a line that is still blank."""
_WIDTH = 108
_HEAD = (
    "A release spec. Every line with the words %s is still blank and waits for you; the other lines may be",
    "changed as well. All keys: docs/file-formats.md.",
)


def first_spec(
    given: Mapping[str, Any],
    blanks: Mapping[str, str],
    schema: Table = SPEC,
    *,
    comments: Mapping[str, str] | None = None,
) -> str:
    """The text of a TOML file that a release accepts once its blanks are filled.

    given: path of a key (`data.mapping.vehicle`) -> its value as it stands in a file; blanks: path -> what
    may be written there, empty where the key's own words suffice. Keys in neither are left out. comments:
    path of a table -> a line that may be written at its end.
    """
    head = "".join(f"# {line}\n" for line in _HEAD) % FILL_IN
    return head + "".join(_table(schema, "", given, blanks, comments or {}))


def _table(
    table: Table,
    above: str,
    given: Mapping[str, Any],
    blanks: Mapping[str, str],
    comments: Mapping[str, str],
) -> Iterator[str]:
    """The lines of a table's own keys, then the tables inside."""
    paths = {key: f"{above}{key.name}" for key in table.keys}
    for key, path in paths.items():
        if key.inner is None and path in given.keys() | blanks.keys():
            yield textwrap.fill(key.help, _WIDTH, initial_indent="# ", subsequent_indent="# ") + "\n"
            if path in given:
                yield f"{key.name} = {_toml(given[path])}\n"
            else:
                yield f"{key.name} = {_toml(_blank(key))}  # {FILL_IN}{_hint(key, blanks[path])}\n"
    if line := comments.get(above.rstrip(".")):
        yield f"# {line}\n"
    for key, path in paths.items():
        if key.inner is not None and any(
            name.startswith(f"{path}.") for name in given.keys() | blanks.keys()
        ):
            yield f"\n[[{path}]]\n" if isinstance(key.kind, Tables) else f"\n[{path}]\n"
            yield from _table(key.inner, f"{path}.", given, blanks, comments)


def _toml(value: Any) -> str:
    """On one line: texts, numbers, truth values and lists of them are as in JSON, but for one sign."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _blank(key: Key) -> Any:
    """A value of the key's kind that is refused, or confirms nothing, until somebody writes another."""
    kind = key.kind
    if isinstance(kind, Flag):
        return False
    if isinstance(kind, Whole):
        return 0
    return [] if isinstance(kind, Texts | DateRanges) else ""


def _hint(key: Key, hint: str) -> str:
    assert not isinstance(key.kind, Sub | Tables)
    kind: Kind = key.kind
    choices = kind.phrase().replace("`", '"').replace('""', '"') if kind.phrase().startswith("one of") else ""
    example = hint or choices or (f"for instance {key.example}" if key.example else "")
    return f": {example}" if example else ""
