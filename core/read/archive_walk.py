"""Data files of an archive one after another: none readable, compressed twice, archives in archives."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.read.archives import (
    ArchiveMember,
    at_hand,
    fetched,
    inner_name,
    is_about_data,
    is_hidden,
    is_within_another,
    listed_once,
    opened_container,
    require_path,
    two_of_one_name,
)
from core.read.data_names import is_data_file
from core.read.file_batches import file_batches
from core.read.file_format import FileFormat
from core.read.input_files import NoRecord, opened
from core.read.kind_by_content import kind_by_content
from core.read.preview_rows import NoRows, Preview
from core.read.reader_registry import ARCHIVES, reader_by_name, reader_for
from core.read.readers.base import Batch
from core.read.set_aside import SetAside
from core.read.tar_entries import buffered, tar_entries
from core.read.unpacking import decompressed
from core.read.unreadable_files import unreadable_as_input_error


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """A data file inside an archive, which may be an archive itself."""

    path: Path
    done: Callable[[float], float]
    """From the share of the file that has been read to that of the archive."""


def data_files_of(archive: Path, kind: str) -> Iterator[DataFile]:
    """In order of names in a zip, as they stand in a tar, which streams; kind: one of `ARCHIVES`.

    Raises InputError for an archive that is damaged, without a data file, or within one within another.
    """
    if is_within_another(archive):
        raise InputError(
            "The archive is inside an archive inside an archive.",
            where=str(archive),
            mend="unpack the outer one",
        )
    return _of_tar(archive) if kind == "tar" else _of_zip(archive)


def all_data_files_of(archive: Path, kind: str) -> Iterator[Path]:
    """The same with those of archives inside in place of these."""
    for file in data_files_of(archive, kind):
        with contextlib.suppress(InputError):  # read as a file, which says what is wrong
            if (inner := reader_for(file.path).key) in ARCHIVES:
                yield from (inside.path for inside in data_files_of(file.path, inner))
                continue
        yield file.path


def archive_preview(archive: Path, kind: str, file_format: FileFormat) -> Preview:
    """The first rows of the first data file that has any."""
    for file in data_files_of(archive, kind):
        with contextlib.suppress(NoRecord, NoRows):
            return reader_for(file.path).preview(file.path, file_format)
    raise _nothing_inside(archive, NoRecord)


def archive_batches(
    archive: Path, kind: str, columns: Sequence[str], file_format: FileFormat
) -> Iterator[Batch]:
    """File after file, so that an archive of any size takes constant memory."""
    for file in data_files_of(archive, kind):
        member = file.path.relative_to(archive)
        for batch in file_batches(file.path, columns, file_format):
            yield dataclasses.replace(
                batch, member=(member / batch.member).as_posix(), fraction=file.done(batch.fraction)
            )


def _of_zip(archive: Path) -> Iterator[DataFile]:
    with contextlib.ExitStack() as listed:
        with unreadable_as_input_error(archive):
            with opened_container(archive) as raw:
                if decompressed(raw, listed) is not raw:
                    raise InputError(
                        "The zip archive is compressed a second time.",
                        where=str(archive),
                        mend="unpack it once, and name the zip archive",
                    )
            found = listed.enter_context(listed_once(archive))
        ours = [member for member in found if is_data_file(member.path)] or found[: len(found) == 1]
        if not ours:
            others = [member for member in found if not is_about_data(member.path.name)]
            raise _nothing_inside(archive, InputError if others else NoRecord)
        total = max(sum(member.packed for member in ours), 1)
        done = 0
        for member in ours:
            with _at_hand_if_archive(member):
                yield DataFile(path=member.path, done=_share(done / total, member.packed / total))
            done += member.packed


def _share(before: float, whole: float) -> Callable[[float], float]:
    return lambda fraction: min(before + whole * fraction, 1.0)


@contextlib.contextmanager
def _at_hand_if_archive(member: ArchiveMember) -> Iterator[None]:
    """An archive inside is opened often, and anywhere in it."""
    named = reader_by_name(member.path.name)
    with contextlib.ExitStack() as stack:
        if named is None or named.key in ARCHIVES:
            # else its reader says what is wrong
            with contextlib.suppress(InputError), unreadable_as_input_error(member.path):
                if kind_by_content(member.path) in ARCHIVES and (contents := fetched(member.path)):
                    stack.enter_context(contextlib.closing(contents))
                    stack.enter_context(at_hand(member.path, contents))
        yield


def _of_tar(archive: Path) -> Iterator[DataFile]:
    names: set[str] = set()
    seen = found = False
    with opened(archive) as stream:
        whole = buffered(stream)
        for entry in tar_entries(whole):
            require_path(entry.name, archive)
            inner = inner_name(entry.name)
            if is_hidden(inner) or is_about_data(inner):
                continue
            seen = True
            if not entry.known:
                raise InputError(
                    "Hexveil does not know how this archive is packed.",
                    where=str(archive / inner),
                    mend="unpack it, or pack it again as an ordinary tar",
                )
            if not entry.size and reader_by_name(inner) is None:
                continue
            if inner in names:
                raise two_of_one_name(archive)
            names.add(inner)
            path = archive / inner
            with contextlib.closing(SetAside(entry.contents, path)) as contents, at_hand(path, contents):
                contents.size()  # where it breaks off, the archive is damaged and not one more file
                if is_data_file(path):
                    found = True
                    yield DataFile(path=path, done=lambda _: stream.fraction)
        if not found:
            raise _nothing_inside(archive, InputError if seen else NoRecord)


def _nothing_inside(path: Path, kind: type[InputError]) -> InputError:
    return kind(
        "The archive contains no readable file.",
        where=str(path),
        mend="put CSV, JSON or Parquet files into it, with their usual endings",
    )
