"""Loaded records cached on disk: how large, and why older ones are read anew (architecture 3).

The folder holds positions of vehicles: it is private to its owner (0700), has a size limit, and can
be emptied. An entry is a folder named by a hash of the files' paths, sizes and times and of all
rules of reading. It is made under another name and renamed when it is complete and durable.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import re
import secrets
import shutil
import time as clock
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.clean.ingest_report import IngestReport
from core.clean.mapping import ReadingRules
from core.read.file_format import MISSING_WORDS
from core.read.file_stamps import Stamp, is_current
from core.records.id_folds import id_folds
from core.records.records import Records
from core.store.folder_column_cache import FolderColumnCache
from core.store.lock_files import FolderLock, is_locked, remove_stale_locks
from core.store.record_store import is_current_store, is_store, open_store, version_for
from core.store.working_folders import BUILDING, WORKING_NAME, temporary_place, working_folder
from core.system.files import write_synced
from core.system.files_in_use import when_released
from core.system.nested_texts import json_value
from core.system.owner_rights import restrict_to_owner
from core.system.regular_files import read_regular

DEFAULT_LIMIT = 10 * 10**9
"""Bytes of loaded records cached on disk: some five hundred million records."""
_REMOVING = "removing-"
_OURS = re.compile(rf"[0-9a-f]{{64}}|{WORKING_NAME}|{_REMOVING}[0-9a-f]{{12}}")
_SOURCES = "sources.json"
_USED = "used"
_COLUMNS = "shelf"
_ABSENT_BEFORE = (
    ("mapping", "date", ""),
    ("mapping", "vehicle_fold", False),
    ("mapping", "public_columns", ()),
    ("format", "missing", MISSING_WORDS),
    ("format", "skip_lines", 0),
)
"""Rules that earlier versions did not have: part, name, and how these read."""
_MISSING_AS_IDS = {id_folds(word).id for word in MISSING_WORDS}


class RecordCache:
    """Entries of loaded records below `limit_bytes`; the least recently used ones go first.

    What a living process uses is never removed but by `clear`.
    """

    def __init__(self, folder: Path, limit_bytes: int = DEFAULT_LIMIT) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes

    def prepare(self) -> None:
        """Make the folder private and remove what nothing can use any more.

        Raises OSError where it cannot be made, or no file in it can be locked.
        """
        missing = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
        if os.name == "nt":
            restrict_to_owner(self.folder)
        elif self.folder.stat().st_mode & 0o077:
            self.folder.chmod(0o700)
        FolderLock.on(self.folder / BUILDING).release()
        for folder in self._folders():
            if self._is_useless(folder) and not is_locked(folder):
                self._remove(folder)
        remove_stale_locks(self.folder)

    def find(self, key: str) -> tuple[Records, IngestReport] | None:
        """The records of an entry, in use as long as they are; a damaged or old one is removed, not used."""
        entry = self.folder / key
        if not is_store(entry):
            return None
        try:
            lock = FolderLock.on(entry)
        except OSError:
            return None
        column_cache = FolderColumnCache(entry / _COLUMNS)
        weakref.finalize(column_cache, lock.release)
        try:
            records, facts = open_store(entry, column_cache)
            if facts.valid_until_ms is not None and clock.time() * 1000 >= facts.valid_until_ms:
                raise ValueError("records of the future have become records of the past")
            if any(id_folds(name).id != name for name in records.vehicles):
                raise ValueError("read by a version that folded these ids in another way")
            if facts.report.missing_words is None and _MISSING_AS_IDS.intersection(records.vehicles):
                raise ValueError("read by a version that took a word for missing for an id")
            (entry / _USED).touch(mode=0o600)
        except (OSError, ValueError, KeyError, TypeError):
            self._remove(entry)
            return None
        return records, facts.report

    def building(self) -> contextlib.AbstractContextManager[Path]:
        """A private folder for an entry in the making; removed at the end unless it was finished."""
        return working_folder(self.folder)

    def keep(self, folder: Path, key: str) -> None:
        """Make a complete folder the entry of this key; where another process was first, its entry stays."""
        (folder / _USED).touch(mode=0o600)
        with contextlib.suppress(OSError):
            when_released(lambda: folder.rename(self.folder / key))
        self.shrink(key)

    def size(self) -> int:
        """Bytes of all entries."""
        return _size(self.folder)

    def clear(self) -> int:
        """Remove all entries and tell the bytes that this frees; loaded records stay usable.

        What another process is making just now stays, and on Windows what is in use.
        """
        before = self.size()
        for folder in self._folders():
            if not (folder.name.startswith(BUILDING) and is_locked(folder)):
                self._remove(folder)
        remove_stale_locks(self.folder)
        return before - self.size()

    def _folders(self) -> list[Path]:
        """Every folder that this class made; whatever else lies here is not ours to remove."""
        try:
            found = list(self.folder.iterdir())
        except OSError:
            return []
        return [path for path in found if _OURS.fullmatch(path.name) and path.is_dir()]

    def _is_useless(self, folder: Path) -> bool:
        """Unfinished, half removed, of another version, or of files that are no longer as they were read."""
        if folder.name.startswith((BUILDING, _REMOVING)) or not is_current_store(folder):
            return True
        try:
            stamps = [Stamp(**item) for item in json_value(read_regular(folder / _SOURCES))]
        except (OSError, ValueError, TypeError):
            return True
        return not all(map(is_current, stamps))

    def shrink(self, newest: str = "") -> None:
        """Remove the least recently used entries, never `newest`, until the limit is met."""
        ages: list[tuple[float, Path]] = []
        for folder in self._folders():
            with contextlib.suppress(OSError):
                if folder.name != newest and is_store(folder):
                    ages.append(((folder / _USED).stat().st_mtime, folder))
        size = self.size()
        for _, folder in sorted(ages):
            if size <= self.limit_bytes:
                return
            if not is_locked(folder):
                self._remove(folder)
                size = self.size()

    def _remove(self, folder: Path) -> None:
        """Take a folder out of use in one step, then remove it; what resists is tried again next time."""
        gone = self.folder / f"{_REMOVING}{secrets.token_hex(6)}"
        with contextlib.suppress(OSError):
            when_released(lambda: folder.rename(gone))
            shutil.rmtree(gone, ignore_errors=True)


def working_place(cache: RecordCache | None) -> Path:
    """Where records may be set aside: the cache, or the temporary folder where that cannot be written.

    Raises InputError where neither can be used.
    """
    if cache is not None:
        with contextlib.suppress(OSError):
            cache.prepare()
            return cache.folder
    return temporary_place()


def cache_key(stamps: Sequence[Stamp], rules: ReadingRules, *, empty_allowed: bool = False) -> str:
    """What an entry is named by: a hash of everything that decides what is stored, and whether it is.

    Versions of the program with one version of the store open each other's entries: an upgrade keeps them.
    empty_allowed: files without records would have been passed over, not refused.
    """
    version = version_for(derived=rules.mapping.derived is not None)
    facts = [version, [dataclasses.astuple(stamp) for stamp in sorted(stamps)]]
    read_by = dataclasses.asdict(dataclasses.replace(rules, zones=None))
    read_by["zones"] = rules.zones and rules.zones.digest
    del read_by["pings"]  # says what records mean, and is put to them when they are opened
    if not rules.skip_damaged:
        del read_by["skip_damaged"]
    for name in ("filters", "labels", "zones"):
        if not read_by[name]:
            del read_by[name]
    for part, name, usual in _ABSENT_BEFORE:
        if read_by[part][name] == usual:
            del read_by[part][name]  # entries of versions that did not know it keep their names
    allowed = ["empty files allowed"] if empty_allowed else []
    text = json.dumps([*facts, read_by, *allowed], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def write_sources(folder: Path, stamps: Sequence[Stamp]) -> None:
    """Note in an entry which files it was read from. Raises OSError."""
    plain: list[dict[str, Any]] = [dataclasses.asdict(stamp) for stamp in sorted(stamps)]
    write_synced(folder / _SOURCES, json.dumps(plain).encode(), mode=0o600)


def _size(folder: Path) -> int:
    """Bytes of the files below a folder, whatever vanishes meanwhile."""
    size = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += (Path(root) / name).stat().st_size
    return size
