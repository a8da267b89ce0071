"""The first file with rows, which show how all are read; objects without a position are passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from core.errors import InputError
from core.read.archive_walk import all_data_files_of
from core.read.file_batches import MOST_ALIKE
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import NoRecord
from core.read.json_records import BOTH, score
from core.read.preview_rows import NoRows
from core.read.reader_registry import ARCHIVES, reader_for

_MOST_ANSWERS = 2_000
"""Objects without a position or a time that are passed over: polls of nights, or of a server that refuses."""


def first_file(paths: Sequence[Path], file_format: FileFormat = AS_FOUND, *, typed: bool = False) -> Path:
    """The first file with rows, perhaps inside an archive; a single file is itself.

    Of JSON, where an answer without vehicles is an object too, it is the first with a position and a time, as
    far as one is looked for; without it, one with either.

    Where none has rows it is the first that cannot be read as it is, else the first. typed: relation user,
    where names of columns are enough.
    """
    inside = chain.from_iterable(map(_files_in, paths))
    first = next(inside)
    second = next(inside, None)
    return first if second is None else _with_rows(chain((first, second), inside), file_format, typed=typed)


def _files_in(path: Path) -> Iterator[Path]:
    try:
        kind = reader_for(path).key
        yield from all_data_files_of(path, kind) if kind in ARCHIVES else (path,)
    except InputError:
        yield path  # its reader says what is wrong


def _with_rows(paths: Iterable[Path], file_format: FileFormat, *, typed: bool) -> Path:
    empty: list[Path] = []
    puzzling: list[Path] = []
    answers: dict[Path, int] = {}
    for path in paths:
        try:
            reader = reader_for(path)
            names = reader.preview(path, file_format).columns
            if reader.key == "json" and (points := score(names)) < BOTH:
                answers[path] = points
                if len(answers) < _MOST_ANSWERS:
                    continue
                break
        except NoRecord:
            empty.append(path)
            continue
        except NoRows:
            if not typed:
                empty.append(path)
                continue
        except InputError:
            puzzling.append(path)
            if len(puzzling) < MOST_ALIKE:
                continue
            break
        return path
    if any(answers.values()):
        return max(answers, key=lambda path: answers[path])
    return [*puzzling, *answers, *empty][0]
