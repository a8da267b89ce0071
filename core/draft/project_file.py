"""A project: everything that was chosen in the window, complete or not, as a TOML file.

A spec names a release that can be made; a project also holds one of which parts are still open. It holds
choices and names of files, and nothing that was computed from records.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from pathlib import Path
from typing import Any

import tomli_w

from core.draft.draft import DataSource, Draft
from core.errors import InputError
from core.read.unreadable_files import unreadable_as_input_error
from core.system.files import write_atomic
from core.system.nested_texts import toml_document
from core.system.regular_files import read_regular

PROJECT_FORMAT = "hexveil-project-1"
PROJECT_SUFFIX = ".hexveil-project"
_DECIMAL = "decimal"
"""The key that tells a decimal from text where a value may be anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What a window works on."""

    draft: Draft
    source: DataSource | None = None
    """None: no records were opened yet."""
    page: str = ""
    """Key of the step that was open."""
    compared: tuple[Path, ...] = ()
    """Folders of the bundles that are compared."""
    saved_as: str = ""
    """Path of the file that the person saved it as; empty: none yet. For a recovery, which lies elsewhere."""


def save_project(project: Project, path: Path) -> None:
    """Write the file, for its owner alone: whole, or not at all. Raises InputError where it cannot be."""
    write_atomic(path, project_bytes(_with_layers(project, _seen_from(path))), mode=0o600)


def project_bytes(project: Project) -> bytes:
    """The content of the file."""
    return tomli_w.dumps({"format": PROJECT_FORMAT} | _written(project)).encode()


def read_project(path: Path) -> Project:
    """The project of a file. Raises InputError where it is none, or of a form that is not known."""
    with unreadable_as_input_error(path):
        content = read_regular(path)
    try:
        document = toml_document(content)
    except ValueError:
        raise _unusable(path) from None
    if document.get("format") != PROJECT_FORMAT:
        raise _unusable(path)
    try:
        project = _read(Project, document)
        _ = project.draft.protects
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise _unusable(path) from None
    assert isinstance(project, Project)
    return _with_layers(project, lambda file: path.absolute().parent / file)


def _seen_from(path: Path) -> Callable[[Path], Path]:
    """A file as a project at `path` names it: relative where it lies beside or below."""
    folder = path.absolute().parent

    def named(file: Path) -> Path:
        return file.relative_to(folder) if file.is_relative_to(folder) else file

    return named


def _with_layers(project: Project, named: Callable[[Path], Path]) -> Project:
    layers = tuple(dataclasses.replace(layer, file=named(layer.file)) for layer in project.draft.layers)
    return dataclasses.replace(project, draft=dataclasses.replace(project.draft, layers=layers))


def _unusable(path: Path) -> InputError:
    return InputError(
        "This version cannot read this project.",
        where=str(path),
        mend="open a project that Hexveil saved, or the newest version of Hexveil",
    )


def _written(value: Any) -> Any:
    """A value as TOML takes it; its container leaves None out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
        return {name: _written(entry) for name, entry in fields.items() if entry is not None}
    if isinstance(value, Mapping):
        return {str(key): _any_written(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return [_written(item) for item in value]
    if isinstance(value, Decimal | Path):
        return str(value)
    return value.value if isinstance(value, Enum) else value


def _any_written(value: Any) -> Any:
    """The same where nothing else will tell what it was."""
    if isinstance(value, Decimal):
        return {_DECIMAL: str(value)}
    if isinstance(value, list | tuple):
        return [_any_written(item) for item in value]
    return _written(value)


def _read(kind: Any, stored: Any) -> Any:
    """The inverse of `_written` for a declared type. Raises ValueError, TypeError or LookupError."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _read_one_of([part for part in parts if part is not type(None)], stored)
    if origin is typing.Literal:
        return _checked(stored in parts, stored)
    if origin is tuple:
        _checked(isinstance(stored, list), stored)
        if parts[-1] is Ellipsis:
            return tuple(_read(parts[0], item) for item in stored)
        return tuple(_read(part, item) for part, item in zip(parts, stored, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: _any_read(entry) for key, entry in _checked(isinstance(stored, dict), stored).items()}
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, stored)
    return _read_plain(kind, stored)


def _read_plain(kind: Any, stored: Any) -> Any:
    if kind is Decimal:
        try:
            return Decimal(_checked(isinstance(stored, str), stored))
        except InvalidOperation:
            raise ValueError from None
    if kind is Path:
        return Path(_checked(isinstance(stored, str), stored))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(stored)
    if kind is dt.date:
        return _checked(type(stored) is dt.date, stored)
    if kind is float:
        return _checked(type(stored) in (int, float), stored)
    return _checked(type(stored) is kind, stored)


def _read_one_of(kinds: list[Any], stored: Any) -> Any:
    for kind in kinds:
        try:
            return _read(kind, stored)
        except (LookupError, TypeError, ValueError):
            continue
    raise ValueError


def _read_dataclass(kind: Any, stored: Any) -> Any:
    """Fields that a file does not name have their default, and None where they have none."""
    _checked(isinstance(stored, dict), stored)
    types_of = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for item in dataclasses.fields(kind):
        if item.name in stored:
            values[item.name] = _read(types_of[item.name], stored[item.name])
        elif _may_be_none(types_of[item.name]):
            values[item.name] = None
    return kind(**values)


def _may_be_none(kind: Any) -> bool:
    return type(None) in typing.get_args(kind)


def _any_read(stored: Any) -> Any:
    if isinstance(stored, dict):
        return Decimal(stored[_DECIMAL])
    return tuple(map(_any_read, stored)) if isinstance(stored, list) else stored


def _checked(holds: bool, stored: Any) -> Any:
    if not holds:
        raise ValueError
    return stored
