"""Zip archives: every data file inside is read by its own format, as if it lay in a folder."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from core.errors import InputError
from core.read.archives import ArchiveMember, is_about_data, listed_once, members
from core.read.file_batches import file_batches
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import NoRecord
from core.read.preview_rows import NoRows, Preview
from core.read.reader_registry import reader_by_name, reader_for
from core.read.readers.base import Batch
from core.read.unreadable_files import unreadable_as_input_error


class ZipReader:
    """Streams member after member, so that an archive of any size takes constant memory."""

    key: ClassVar[str] = "zip"
    title: ClassVar[str] = "zip archives of these"
    endings: ClassVar[tuple[str, ...]] = (".zip",)
    options: ClassVar[tuple[str, ...]] = ()

    def reads(self, path: Path) -> bool:
        return path.name.lower().endswith(self.endings)

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        for member in data_members(path):
            with contextlib.suppress(NoRecord, NoRows):
                return reader_for(member.path).preview(member.path, file_format)
        raise no_file_inside(path, NoRecord)

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        with contextlib.ExitStack() as listed:
            with unreadable_as_input_error(path):
                found = listed.enter_context(listed_once(path))
            inside = _ours(found, path)
            total = max(sum(member.packed for member in inside), 1)
            done = 0
            for member in inside:
                for batch in file_batches(member.path, columns, file_format):
                    yield dataclasses.replace(
                        batch,
                        member=member.path.relative_to(path).as_posix(),
                        fraction=min((done + batch.fraction * member.packed) / total, 1.0),
                    )
                done += member.packed


READER = ZipReader()


def data_members(path: Path) -> tuple[ArchiveMember, ...]:
    """Members whose names tell a format of ours; one of any name if it is the only one.

    Raises NoRecord for an archive without files, InputError where none can be read.
    """
    with unreadable_as_input_error(path):
        found = members(path)
    return _ours(found, path)


def _ours(found: Sequence[ArchiveMember], path: Path) -> tuple[ArchiveMember, ...]:
    ours = tuple(
        member
        for member in found
        if reader_by_name(member.path) is not None and not is_about_data(member.path.name)
    )
    if ours or len(found) == 1:
        return ours or tuple(found)
    raise no_file_inside(path, InputError if found else NoRecord)


def no_file_inside(path: Path, kind: type[InputError]) -> InputError:
    """What to say of an archive without a file of ours."""
    return kind(
        "The archive holds no file that can be read.",
        where=str(path),
        mend="put CSV, JSON or Parquet files into it, with their usual endings",
    )
