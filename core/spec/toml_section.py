"""One table of a TOML file, key by key: true or false, a list, no longer used, left over."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.texts import text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A key that existed once."""

    name: str
    instead: str
    """What to write today: it becomes the `mend` of the refusal."""


class Section:
    """A TOML table whose keys must all be read before `close`."""

    def __init__(self, name: str, table: object) -> None:
        """Raises InputError when `table` is no table."""
        if not isinstance(table, Mapping):
            raise InputError(
                "This must be a table.", where=name, mend=text_of("write it as [{name}]", name=name)
            )
        self.name = name
        self.examples: dict[str, str] = {}
        """What may stand in a key, of those that have an example."""
        self._left: dict[str, Any] = dict(table)
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def where(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key

    def peek(self, key: str) -> Any:
        """The raw value of a key that is not read yet; None where there is none."""
        return self._left.get(key)

    def take(self, key: str, default: Any = None) -> Any:
        """The raw value, or the default."""
        self._known.append(key)
        return self._left.pop(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """A text. Raises InputError when it is missing (and has no default) or no text."""
        value = self.take(key, default)
        if isinstance(value, str) and (value or default == ""):
            return value
        what = (
            text_of("{key} is missing.", key=key)
            if value in (None, "")
            else text_of("{key} must be text.", key=key)
        )
        raise InputError(what, where=self.where(key), mend=text_of('write {key} = "..."', key=key))

    def whole(self, key: str, default: int | None = None) -> int:
        """An integer. Raises InputError when it is missing (and has no default) or none."""
        value = self.take(key, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        what = (
            text_of("{key} is missing.", key=key)
            if value is None
            else text_of("{key} must be an integer.", key=key)
        )
        example = self.examples.get(key, 10) if default is None else default
        raise InputError(
            what, where=self.where(key), mend=text_of("write {key} = {example}", key=key, example=example)
        )

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number. Raises InputError when it is missing (and has no default) or none."""
        value = self.take(key, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12:
            return float(value)
        what = (
            text_of("{key} is missing.", key=key)
            if value is None
            else text_of("{key} must be a number.", key=key)
        )
        example = self.examples.get(key, 65.0) if default is None else default
        raise InputError(
            what, where=self.where(key), mend=text_of("write {key} = {example}", key=key, example=example)
        )

    def flag(self, key: str, default: bool) -> bool:
        """True or false. Raises InputError for anything else."""
        value = self.take(key, default)
        if isinstance(value, bool):
            return value
        raise InputError(
            "{key} must be true or false.",
            key=key,
            where=self.where(key),
            mend=text_of("write {key} = true", key=key),
        )

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts. Raises InputError when it is missing, empty or something else."""
        value = self.take(key)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise InputError(
            "{key} must be a list of texts.",
            key=key,
            where=self.where(key),
            mend=text_of('write {key} = ["...", "..."]', key=key),
        )

    def option(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """One of the options. Raises InputError otherwise."""
        value = self.take(key, default)
        if value in options:
            return str(value)
        what = (
            text_of("{key} is missing.", key=key)
            if value is None
            else text_of("This {key} is unknown.", key=key)
        )
        raise InputError(
            what, where=self.where(key), mend=text_of("write one of {options}", options=", ".join(options))
        )

    def section(self, key: str, *, required: bool = True) -> Section:
        """A table inside this one. Raises InputError when it is missing."""
        value = self.take(key)
        if value is None and required:
            raise InputError(
                "This part of the spec is missing.",
                where=self.where(key),
                mend=text_of("add [{key}]", key=self.where(key)),
            )
        return Section(self.where(key), {} if value is None else value)

    @property
    def left(self) -> tuple[str, ...]:
        """The keys that are not read yet."""
        return tuple(self._left)

    def rest(self) -> dict[str, Any]:
        """Everything not read yet, for a reader that checks the keys itself."""
        left, self._left = self._left, {}
        return left

    def close(self, retired: Sequence[Retired] = ()) -> None:
        """Raises InputError for a key that nobody asked for; a retired one says what took its place."""
        for error in self.unknown(retired):
            raise error

    def unknown(self, retired: Sequence[Retired] = ()) -> Iterator[InputError]:
        """What is wrong with each key that nobody asked for."""
        gone = {key.name: key for key in retired}
        for key in self._left:
            if key in gone:
                yield InputError(
                    "The key {key} is no longer used.",
                    key=f"{key!r}",
                    where=self.where(key),
                    mend=gone[key].instead,
                )
                continue
            near = difflib.get_close_matches(key, self._known, 1)
            known = ", ".join(dict.fromkeys(self._known))
            yield InputError(
                "The key {key} is unknown.",
                key=f"{key!r}",
                where=self.where(key),
                mend=text_of("did you mean {near}?", near=f"{near[0]!r}")
                if near
                else text_of("known keys: {known}", known=known),
            )
