"""A column cache on disk: what follows from cached records is stored beside them (architecture 3)."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import threading
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from core.errors import InputError
from core.records.column_cache import Columns
from core.store.column_files import ColumnShape, column_path, open_column, write_column
from core.system.files import write_atomic
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular

_INDEX = ".group.json"


class FolderColumnCache:
    """Groups of columns as mapped files; keeps them in memory where the folder cannot be used.

    A group can be used immediately. It is entered in the folder, for later runs, when its files are
    durable: that is waited for in a thread, which the interpreter joins before it ends.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._groups: dict[str, Columns] = {}

    def get(self, name: str) -> Columns | None:
        if name not in self._groups and (found := self._read(name)) is not None:
            self._groups[name] = found
        return self._groups.get(name)

    def put(self, name: str, columns: Columns) -> Columns:
        self._groups[name] = columns
        token = secrets.token_hex(6)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            shapes = {
                column: write_column(column_path(self._folder, f"{_stem(name)}.{token}.{number}"), values)
                for number, (column, values) in enumerate(columns.items())
            }
            self._groups[name] = self._open(name, token, shapes)
        except (OSError, ValueError):  # no folder, no space: the columns stay in memory
            return columns
        threading.Thread(target=self._enter, args=(name, token, shapes), name="shelf").start()
        return self._groups[name]

    def _open(self, name: str, token: str, shapes: Mapping[str, ColumnShape]) -> Columns:
        return {
            column: open_column(column_path(self._folder, f"{_stem(name)}.{token}.{number}"), shape)
            for number, (column, shape) in enumerate(shapes.items())
        }

    def _enter(self, name: str, token: str, shapes: Mapping[str, ColumnShape]) -> None:
        """Sync the files of a group, then name them in its index, which replaces an earlier one."""
        stem = _stem(name)
        index = {"token": token, "columns": {key: [item.dtype, item.length] for key, item in shapes.items()}}
        with contextlib.suppress(OSError, InputError):  # the folder has gone, and the group with it
            for number in range(len(shapes)):
                _sync(column_path(self._folder, f"{stem}.{token}.{number}"))
            write_atomic(self._folder / f"{stem}{_INDEX}", json.dumps(index).encode(), mode=0o600)
            column = re.compile(rf"{re.escape(stem)}\.([0-9a-f]{{12}})\.[0-9]+\.column")
            for path in self._folder.glob(f"{stem}.*.column"):
                if (found := column.fullmatch(path.name)) and found[1] != token:
                    with contextlib.suppress(OSError):
                        path.unlink()

    def _read(self, name: str) -> Columns | None:
        try:
            index = json_value(read_regular(self._folder / f"{_stem(name)}{_INDEX}"))
            shapes = {
                key: ColumnShape(dtype=kind, length=length)
                for key, (kind, length) in index["columns"].items()
            }
            return self._open(name, index["token"], shapes)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # absent or damaged: made anew
            return None


def _stem(name: str) -> str:
    """A group's name as the beginning of file names, with dots only behind it."""
    return quote(name, safe="").replace(".", "%2E")


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
