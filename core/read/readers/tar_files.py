"""Tar archives, plain or compressed: the same, in the order in which the files stand."""

from __future__ import annotations

from typing import ClassVar

from core.read.readers.zip_files import ZipReader


class TarReader(ZipReader):
    """Read once from the beginning to the end, one file of it in memory or set aside at a time."""

    key: ClassVar[str] = "tar"
    title: ClassVar[str] = "tar archives"
    endings: ClassVar[tuple[str, ...]] = (".tar", ".tgz", ".tbz2", ".txz", ".tzst")


READER = TarReader()
