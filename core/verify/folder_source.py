"""A bundle as it lies on disk, in its folder."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path

from core.system.regular_files import open_regular
from core.verify.source import MOST_ENTRIES, Listing


@dataclass(frozen=True, slots=True)
class FolderSource:
    """The folder `path`; symbolic links are never followed."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    def listing(self) -> Listing:
        files: dict[str, int] = {}
        folders: set[str] = set()
        strange: list[str] = []
        waiting = [""]
        while waiting and len(files) + len(folders) < MOST_ENTRIES:
            prefix = waiting.pop()
            for name, kind, size in _entries(self.path / prefix, prefix):
                if kind == "folder":
                    folders.add(name)
                    waiting.append(name + "/")
                elif kind == "file":
                    files[name] = size
                else:
                    strange.append(name)
        return Listing(files=files, folders=frozenset(folders), strange=tuple(sorted([*strange, *waiting])))

    def open(self, name: str) -> io.BufferedIOBase:
        return open_regular(self.path / name)


def _entries(folder: Path, prefix: str) -> list[tuple[str, str, int]]:
    """(relative path, `file`, `folder` or empty, bytes) of each entry."""
    try:
        with os.scandir(folder) as entries:
            return [(prefix + entry.name, *_kind_and_size(entry)) for entry in entries]
    except OSError:
        return [(prefix or ".", "", 0)]


def _kind_and_size(entry: os.DirEntry[str]) -> tuple[str, int]:
    if entry.is_dir(follow_symlinks=False):
        return "folder", 0
    if not entry.is_file(follow_symlinks=False):
        return "", 0
    return "file", entry.stat(follow_symlinks=False).st_size
