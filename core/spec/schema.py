"""How the keys of a spec file are declared: one row a key, in tables like those of the file.

The rows stand in `core.spec.keys`. Reading, writing, the identity of a request, the fields of the window
and the page of the documents follow from them: what is said here once is said nowhere else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from core.privacy import Relation
from core.spec.toml_section import Retired, Section
from core.spec.value_kinds import Text

FIRST_IDENTITY, THIRD_IDENTITY, FOURTH_IDENTITY, NEWEST_IDENTITY = 1, 3, 4, 5
"""Of the canonical form. The second leaves out where in its file a value stands: the table tells the rest.
The third has newer versions of mechanisms. The fourth leaves out what the protected are
called, and distinguishes events in relation `values`. The fifth is the same in whatever order queries stand,
and whichever way dates and units are written."""

_ANY_TEXT = Text()
"""What stands behind a key that says nothing else."""

Answers = dict[str, Any]
"""What a table of the file says: name of a key -> its value, checked and converted; None: not there."""


class Kind(Protocol):
    """What may stand behind a key, in the file and in memory."""

    def phrase(self) -> str:
        """What may be written, for the documents."""
        ...

    def read(self, section: Section, name: str, default: Any) -> Any:
        """The value of a key, converted. Raises InputError when it is missing or of another kind."""
        ...

    def write(self, value: Any) -> Any:
        """The inverse of `read`; None for what is not written at all."""
        ...

    def identity(self, value: Any) -> Any:
        """The value as the canonical form of a request holds it: JSON, for ever the same bytes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """What the other keys of the table must say for a key to count."""

    says: str
    """For the documents."""
    holds: Callable[[Answers], bool]
    refused: bool = True
    """Elsewhere the key is unknown; otherwise it is read but means nothing, and is not written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of a table: what it is called, what it may be, what it means, and who carries it."""

    name: str
    kind: Kind | Sub | Tables = _ANY_TEXT
    help: str
    """What it means, in one sentence."""
    label: str = ""
    """The name of its field in the window, `&` before the letter that leads there; empty: no field."""
    word: str = ""
    """What sentences of the window call it, where they do."""
    required: bool = False
    default: Any = None
    """What counts where an optional key is absent, as a value in memory."""
    without: str = ""
    """What happens where an optional key is absent, if the default alone does not say it."""
    example: str = ""
    """As it may stand in a file, where the kind alone does not show it."""
    check: Callable[[Any], Any] | None = None
    """Takes a value of the right kind; gives it back, or raises InputError for one that cannot be."""
    only: When | None = None
    field: str | None = None
    """Of the dataclass that carries the value; None: the key's own name. Empty: no plain field."""
    relation: Relation | None = None
    """The only relation whose releases take it, for the documents; None: both do."""
    part: str = ""
    """The field of the carrier that holds this field; empty: the carrier itself."""
    always: bool = False
    """Written even where it has its default: a person looks for it."""
    constant: str = ""
    """Its place in the canonical form, with dots, where it is there even absent or with its default. Keys of
    later versions must not be: with their default they leave that form, and so the meaning of older requests,
    as it was."""
    identity: str = ""
    """The place of any other; both empty: two requests may differ in it and be the same."""
    identity_of: str = ""
    """What stands there, as a path from the carrier, where it is not the field."""
    identity_until: int = NEWEST_IDENTITY
    """The last canonical form that has it."""

    @property
    def place(self) -> str:
        """In the canonical form; empty where it has none."""
        return self.constant or self.identity

    @property
    def carried(self) -> str:
        """The field that carries the value; empty where there is no plain one."""
        return self.name if self.field is None else self.field

    @property
    def inner(self) -> Table | None:
        """The table behind this key, if there is one."""
        return self.kind.table if isinstance(self.kind, Sub | Tables) else None

    def applies(self, answers: Answers) -> bool:
        """Whether the key may stand there."""
        return self.only is None or not self.only.refused or self.only.holds(answers)

    def means_something(self, answers: Answers) -> bool:
        """Whether the key says anything there."""
        return self.only is None or self.only.holds(answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What several keys must fulfil together, looked at in its turn between the keys."""

    says: str
    """For the documents."""
    check: Callable[[Section, Answers], None]
    """Gets what is still unread and what was read before; raises InputError."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """The keys of one table of the file, in the order in which they are read.

    Without slots: what follows from the entries is asked for thousands of times, and stored.
    """

    help: str
    """What it is for."""
    entries: tuple[Key | Rule, ...]
    retired: tuple[Retired, ...] = ()
    """Keys that existed once, each with what took its place."""
    carrier: Callable[..., Any] | None = None
    """Makes what carries the values; None where the reader of the spec does so by hand."""

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Key))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Rule))

    @cached_property
    def _by_name(self) -> dict[str, Key]:
        return {key.name: key for key in self.keys}

    def key(self, path: str) -> Key:
        """The key at a path with dots: `data.mapping.vehicle`. Raises KeyError where there is none."""
        first, _, rest = path.partition(".")
        found = self._by_name.get(first)
        if found is None:
            raise KeyError(path)
        if not rest:
            return found
        if found.inner is None:
            raise KeyError(path)
        return found.inner.key(rest)

    def table(self, path: str) -> Table:
        """The table at a path with dots. Raises KeyError where there is none."""
        inner = self.key(path).inner
        if inner is None:
            raise KeyError(path)
        return inner

    def walk(self, above: str = "") -> Iterator[tuple[str, Key]]:
        """Every key with its path, those of inner tables behind the key that leads to them."""
        for key in self.keys:
            path = f"{above}.{key.name}" if above else key.name
            yield path, key
            if key.inner is not None:
                yield from key.inner.walk(path)

    def with_key(self, name: str, **changes: Any) -> Table:
        """A copy in which one key is declared otherwise."""
        entries = tuple(
            dataclasses.replace(entry, **changes) if isinstance(entry, Key) and entry.name == name else entry
            for entry in self.entries
        )
        return dataclasses.replace(self, entries=entries)

    def with_table(self, path: str, **changes: Any) -> Table:
        """A copy in which the table at a path is another: other `entries`, another `carrier`, ..."""
        if not path:
            return dataclasses.replace(self, **changes)
        first, _, rest = path.partition(".")
        kind = self.key(first).kind
        if not isinstance(kind, Sub | Tables):
            raise KeyError(path)
        return self.with_key(
            first, kind=dataclasses.replace(kind, table=kind.table.with_table(rest, **changes))
        )


@dataclass(frozen=True, slots=True)
class Sub:
    """A table inside the table: `[data.mapping]`."""

    table: Table


@dataclass(frozen=True, slots=True)
class Tables:
    """A list of tables, at least one: `[[query]]`."""

    table: Table
    otherwise: tuple[str, str]
    """What the error says of anything else, and how it is mended."""
    stated_elsewhere: Callable[[Any], bool] = lambda _: False
    """Whether another key tells such a list: it is then no list in the file."""
