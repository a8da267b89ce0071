"""Zip archives: every data file inside is read by its own format, as if it lay in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from core.read.archive_walk import archive_batches, archive_preview
from core.read.file_format import AS_FOUND, FileFormat
from core.read.preview_rows import Preview
from core.read.readers.base import Batch


class ZipReader:
    """Streams member after member, so that an archive of any size takes constant memory."""

    key: ClassVar[str] = "zip"
    title: ClassVar[str] = "zip archives of these"
    endings: ClassVar[tuple[str, ...]] = (".zip",)
    options: ClassVar[tuple[str, ...]] = ()

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        return archive_preview(path, self.key, file_format)

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        return archive_batches(path, self.key, columns, file_format)


READER = ZipReader()
