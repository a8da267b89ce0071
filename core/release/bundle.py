"""A bundle on disk, whole or absent: a folder not writable, a release that exists already (method 14).

Order of a release (method 13): `Staging.create` before the budget is reserved, `publish` after the draws.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import psutil

from core.bundle.data_files import data_files
from core.bundle.release_result import Release
from core.errors import InputError
from core.keys.signing_key import SigningKey, trusted_comment
from core.portal.description_files import describe_files
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import MANIFEST, PUBLIC_KEY, SIGNATURE
from core.system.files import sync_folder, write_synced
from core.system.files_in_use import when_released

_PARTIAL = ".partial-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A published bundle."""

    path: Path
    manifest_sha256: str
    """SHA-256 of SHA256SUMS, which names every other file: hexadecimal."""


def bundle_files(
    release: Release, texts: ReleaseTexts, *, key: SigningKey, now: dt.datetime
) -> dict[str, bytes]:
    """Relative path -> content of every file of a bundle; `now` is the time of signing, with its zone.

    The files below `data/` depend on the release only. Raises InputError unless the release has
    exactly one mean query.
    """
    data = data_files(release)
    files = data | describe_files(release, texts, key.public, now.date(), data)
    files[PUBLIC_KEY] = key.public.file_bytes
    manifest = manifest_bytes(files)
    return files | {
        MANIFEST: manifest,
        SIGNATURE: key.sign(manifest, trusted_comment(texts.folder, now)),
    }


def manifest_bytes(files: Mapping[str, bytes]) -> bytes:
    """SHA256SUMS of the files, sorted by path, as `sha256sum` writes it."""
    lines = (f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files))
    return "".join(lines).encode("utf-8")


class Staging:
    """A temporary folder beside the target that becomes the bundle, or disappears."""

    def __init__(self, target: Path, temporary: Path, made: tuple[Path, ...]) -> None:
        self._target = target
        self._temporary = temporary
        self._made = made
        """Folders that did not exist before, outermost first."""
        self._published = False

    @staticmethod
    def check_target(out: Path, folder: str) -> None:
        """Whether a bundle `folder` could be published in `out`; changes nothing.

        Raises InputError when it is there already, or when `out` cannot be written.
        """
        target = out / folder
        if os.path.lexists(target):
            raise InputError(
                "This release exists already; a published release is never replaced.",
                where=str(target),
                mend="give it another name or the next version, or choose another folder",
            )
        nearest = next(path for path in (out.absolute(), *out.absolute().parents) if os.path.lexists(path))
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise _unwritable(out, "no permission" if nearest.is_dir() else "not a folder")

    @classmethod
    def create(cls, out: Path, folder: str, *, least: int = 0) -> Staging:
        """Make and sync the temporary folder. Raises InputError, and then nothing is left behind.

        least: bytes without which there is no use to begin.
        """
        cls.check_target(out, folder)
        absolute = out.absolute()
        made = tuple(path for path in reversed((absolute, *absolute.parents)) if not os.path.lexists(path))
        temporary = absolute / f".{folder}{_PARTIAL}{os.getpid()}"
        try:
            absolute.mkdir(parents=True, exist_ok=True)
            _remove_stale(absolute, folder)
            temporary.mkdir()
            if shutil.disk_usage(temporary).free < least:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            for path in (temporary, absolute, *(path.parent for path in made)):
                sync_folder(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.rmdir()
            _remove_empty(made)
            raise _unwritable(out, error.strerror or type(error).__name__) from None
        return cls(absolute / folder, temporary, made)

    def publish(self, release: Release, texts: ReleaseTexts, *, key: SigningKey, now: dt.datetime) -> Bundle:
        """Write, sign and sync every file, then give the folder its name.

        Raises InputError when the target appeared meanwhile, OSError when the disk refuses; then
        `discard` is due.
        """
        files = bundle_files(release, texts, key=key, now=now)
        self._write(files)
        if os.path.lexists(self._target):
            raise InputError(
                "Another run has published this release there meanwhile.",
                where=str(self._target),
                mend="verify that bundle and use it; another folder takes this one at no cost",
            )
        when_released(lambda: self._temporary.rename(self._target))
        self._published = True
        with contextlib.suppress(OSError):
            # The bundle is whole and visible; that its name was not synced must not undo it.
            sync_folder(self._target.parent)
        return Bundle(path=self._target, manifest_sha256=hashlib.sha256(files[MANIFEST]).hexdigest())

    def discard(self) -> None:
        """Remove the temporary folder and any folder made for it; nothing once published."""
        if self._published:
            return
        shutil.rmtree(self._temporary, ignore_errors=True)
        _remove_empty(self._made)

    def _write(self, files: Mapping[str, bytes]) -> None:
        folders = {self._temporary / parent for path in files for parent in PurePosixPath(path).parents}
        for folder in sorted(folders):
            folder.mkdir(exist_ok=True)
        for path, content in files.items():
            write_synced(self._temporary / path, content)
        for folder in sorted(folders, reverse=True):
            sync_folder(folder)


def _remove_stale(out: Path, folder: str) -> None:
    """Remove temporary folders of this release that a dead process, or an earlier one of our pid, left."""
    pattern = re.compile(re.escape(f".{folder}{_PARTIAL}") + r"([0-9]{1,9})")
    for path in out.iterdir():
        found = pattern.fullmatch(path.name)
        if not found or path.is_symlink() or not path.is_dir():
            continue
        pid = int(found[1])
        if pid == os.getpid() or not psutil.pid_exists(pid):
            shutil.rmtree(path)


def _remove_empty(made: tuple[Path, ...]) -> None:
    for path in reversed(made):
        with contextlib.suppress(OSError):
            path.rmdir()


def _unwritable(out: Path, reason: str) -> InputError:
    return InputError(
        "The bundle cannot be written there: {reason}.",
        reason=reason,
        where=str(out),
        mend="choose a folder that you can write to, on a disk with room",
    )
