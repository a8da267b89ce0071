"""Frozen records to plain JSON values and back, by their type hints.

A dataclass or named tuple is an object, a field a key of that name. A field that has a default is left out
where it has that value, so that what is added later leaves the bytes of what was stored before. Decimals and
dates are text, enumerations their value, tuples lists. Reading is strict: another type, a key too many or one
too few is a `ShapeError` that says where.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import types
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from core.texts import text_of

T = TypeVar("T")
_NOTHING = dataclasses.MISSING
_Where = str | tuple[Any, str | int | None]
"""The names that lead to a value: those of what it is in, and its key (None: it is a key) or place."""


class ShapeError(ValueError):
    """JSON values are not of the form that a type asks for; the text says where, and quotes no value."""


class Coded(NamedTuple):
    """Metadata of an `Annotated` type: how its values are written and read in place of the rule."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    """Raises ValueError, TypeError, KeyError or AttributeError for what `write` does not give."""


class _Key(NamedTuple):
    name: str | None = None
    absent: Any = _NOTHING
    written: bool = False
    stored: bool = True


def key(
    name: str | None = None, *, absent: Any = _NOTHING, written: bool = False, stored: bool = True
) -> dict[str, Any]:
    """Metadata of a dataclass field.

    name: its key, where that is another word; absent: what it is where the key is missing, in place of its
    default; written: also where it has its default; stored: False leaves it out always.
    """
    return {"codec": _Key(name, absent, written, stored)}


class _Codec(NamedTuple):
    write: Callable[[Any], Any]
    read: Callable[[Any, _Where], Any]
    """Takes the names that lead to the value, for the message."""


class _Field(NamedTuple):
    name: str
    key: str
    codec: _Codec
    default: Any
    """Left out where it has this; `_NOTHING` for a field that is always written."""
    absent: Any
    """Read where the key is missing; `_NOTHING` where it must be there."""


def to_json(record: Any) -> Any:
    """A record as plain JSON values."""
    kind: Any = type(record)
    return _codec_of(kind).write(record)


def from_json(kind: type[T], stored: Any, where: str = "") -> T:
    """The inverse of `to_json`; where: names that lead to the record. Raises ShapeError."""
    of_kind: Any = kind
    record: T = _codec_of(of_kind).read(stored, where)
    return record


@cache
def _codec_of(kind: type) -> _Codec:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return next(_coded(one) for one in parts[1:] if isinstance(one, Coded))
    if origin in (Union, types.UnionType):
        return _union(tuple(part for part in parts if part is not types.NoneType))
    if origin is tuple:
        return _list(parts[0]) if parts[1:] == (...,) else _row(parts)
    if origin is frozenset:
        return _set(parts[0])
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(*parts)
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        return _record(kind)
    if issubclass(kind, enum.Enum):
        return _coded(Coded(lambda value: value.value, {one.value: one for one in kind}.__getitem__))
    return _SIMPLE[kind]


def _coded(coded: Coded) -> _Codec:
    def read(stored: Any, where: _Where) -> Any:
        try:
            return coded.read(stored)
        except ShapeError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, InvalidOperation):
            raise ShapeError(f"{_said(where)} is not of the form that it has") from None

    return _Codec(coded.write, read)


def _plain(kind: type, named: str) -> _Codec:
    def read(stored: Any, where: _Where) -> Any:
        if type(stored) is not kind and (not isinstance(stored, kind) or isinstance(stored, bool)):
            raise ShapeError(f"{_said(where)} is no {named}")
        return stored

    return _Codec(lambda value: value, read)


def _text(write: Callable[[Any], str], read: Callable[[str], Any], named: str) -> _Codec:
    def of_text(stored: Any, where: _Where) -> Any:
        text = _SIMPLE[str].read(stored, where)
        try:
            return read(text)
        except (ValueError, InvalidOperation):
            raise ShapeError(f"{_said(where)} is no {named}") from None

    return _Codec(write, of_text)


def _date(text: str) -> dt.date:
    found = dt.date.fromisoformat(text)
    if found.isoformat() != text:  # a week's day has another form
        raise ValueError
    return found


_SIMPLE: dict[Any, _Codec] = {
    str: _plain(str, "text"),
    int: _plain(int, "integer"),
    bool: _plain(bool, "truth value"),
    float: _plain(float, "number"),
    Decimal: _text(str, Decimal, "decimal"),
    dt.date: _text(dt.date.isoformat, _date, "date"),
}


def _union(kinds: tuple[Any, ...]) -> _Codec:
    """One kind or nothing; several are values that JSON has itself, or lists of numbers or pairs of them."""
    if len(kinds) > 1:
        return _Codec(_plain_json, _plain_value)
    (write, read) = _codec_of(kinds[0])
    return _Codec(
        lambda value: None if value is None else write(value),
        lambda stored, where: None if stored is None else read(stored, where),
    )


def _plain_json(value: Any) -> Any:
    return [_plain_json(one) for one in value] if isinstance(value, tuple) else value


def _plain_value(stored: Any, where: _Where) -> Any:
    if isinstance(stored, list) and all(map(_is_number_or_pair, stored)):
        return tuple(tuple(one) if isinstance(one, list) else one for one in stored)
    if not isinstance(stored, str | int | float):
        raise ShapeError(
            f"{_said(where)} is no text, number, truth value or list of numbers or of pairs of them"
        )
    return stored


def _is_number_or_pair(stored: Any) -> bool:
    if isinstance(stored, list):
        return len(stored) == 2 and all(type(one) in (int, float) for one in stored)
    return type(stored) in (int, float)


def _listed(stored: Any, where: _Where, length: int | None = None) -> list[Any]:
    if not isinstance(stored, list) or (length is not None and len(stored) != length):
        raise ShapeError(f"{_said(where)} is no list" + ("" if length is None else f" of {length}"))
    return stored


def _list(kind: Any) -> _Codec:
    write, read = _codec_of(kind)

    def read_all(stored: Any, where: _Where) -> tuple[Any, ...]:
        found = _listed(stored, where)
        if kind is str and _are_texts(found):
            return tuple(found)
        return tuple(read(one, (where, number)) for number, one in enumerate(found))

    return _Codec(lambda value: [write(one) for one in value], read_all)


def _are_texts(values: Iterable[Any]) -> bool:
    """In one step, as most are."""
    return {*map(type, values)} <= {str}


def _set(kind: Any) -> _Codec:
    """In their order, for a set has none."""
    write, read = _list(kind)
    return _Codec(lambda value: write(sorted(value)), lambda stored, where: frozenset(read(stored, where)))


def _row(kinds: tuple[Any, ...]) -> _Codec:
    codecs = [_codec_of(kind) for kind in kinds]

    def read(stored: Any, where: _Where) -> tuple[Any, ...]:
        found = _listed(stored, where, len(kinds))
        return tuple(codec.read(found[at], (where, at)) for at, codec in enumerate(codecs))

    return _Codec(lambda value: [codec.write(one) for codec, one in zip(codecs, value, strict=True)], read)


def _mapping(keys: Any, values: Any) -> _Codec:
    """In its own order; by date in that of the dates."""
    key_codec, codec = _codec_of(keys), _codec_of(values)

    def write(value: Mapping[Any, Any]) -> dict[str, Any]:
        items = sorted(value.items()) if keys is dt.date else value.items()
        return {key_codec.write(name): codec.write(one) for name, one in items}

    def read(stored: Any, where: _Where) -> dict[Any, Any]:
        found = _object(stored, where)
        if keys is values is str and _are_texts(found.values()):
            return dict(found)
        return {
            key_codec.read(name, (where, None)): codec.read(one, (where, name)) for name, one in found.items()
        }

    return _Codec(write, read)


def _object(stored: Any, where: _Where) -> dict[str, Any]:
    if not isinstance(stored, dict):
        raise ShapeError(f"{_said(where) or 'the document'} is no object")
    return stored


def _said(where: _Where) -> str:
    """The names that lead to a value: made where they are said, for most values are of their form."""
    if isinstance(where, str):
        return where
    above, name = _said(where[0]), where[1]
    if name is None:
        return f"a key of {above}"
    if isinstance(name, int):
        return f"{above}[{name}]"
    return f"{above}.{name}" if above else name


def _record(kind: Any) -> _Codec:
    fields = _fields(kind)
    known = {one.key for one in fields}
    readers = [(one.name, one.key, one.codec.read, one.absent) for one in fields]

    def write(value: Any) -> dict[str, Any]:
        items = ((one, getattr(value, one.name)) for one in fields)
        return {
            one.key: one.codec.write(part)
            for one, part in items
            if one.default is _NOTHING or part != one.default
        }

    def read(stored: Any, where: _Where) -> Any:
        found = _object(stored, where)
        if not found.keys() <= known:
            unknown = sorted(found.keys() - known)
            raise ShapeError(f"{_said((where, ascii(unknown[0])[1:-1][:80]))} is unknown")
        values = {}
        for name, key_of, read_part, absent in readers:
            if key_of in found:
                values[name] = read_part(found[key_of], (where, key_of))
            elif absent is _NOTHING:
                raise ShapeError(text_of("{name} is missing", name=_said((where, key_of))))
            else:
                values[name] = absent
        return kind(**values)

    return _Codec(write, read)


def _fields(kind: Any) -> list[_Field]:
    """Those that are stored, in their order."""
    hints = get_type_hints(kind, include_extras=True)
    if not dataclasses.is_dataclass(kind):
        defaults = getattr(kind, "_field_defaults", {})
        return [
            _Field(name, name, _codec_of(hints[name]), *2 * (defaults.get(name, _NOTHING),))
            for name in kind._fields
        ]
    fields = []
    for one in dataclasses.fields(kind):
        rule = one.metadata.get("codec", _Key())
        if rule.stored:
            default = one.default if one.default_factory is _NOTHING else one.default_factory()
            fields.append(
                _Field(
                    name=one.name,
                    key=rule.name or one.name,
                    codec=_codec_of(hints[one.name]),
                    default=_NOTHING if rule.written else default,
                    absent=default if rule.absent is _NOTHING else rule.absent,
                )
            )
    return fields
