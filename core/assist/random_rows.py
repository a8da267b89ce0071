"""Random rows of up to 20 files, from blocks of bytes, the same each time. Confidential.

From plain CSV blocks spread over the whole file are read, from Parquet some of its row groups. What
cannot be entered in the middle (compressed text, JSON, other formats) gives rows of its beginning, and
the sample says so.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from core.errors import InputError
from core.privacy import Confidential
from core.progress import Progress, silent
from core.read.csv_head import CsvHead, read_csv_head
from core.read.encodings import opened_text
from core.read.file_format import AS_FOUND, FileFormat
from core.read.file_stamps import stamp_of
from core.read.input_files import opened
from core.read.path_columns import FILE_NAME, columns_from_path, preview_with_path
from core.read.preview_rows import PREVIEW_ROWS, Preview, as_text
from core.read.reader_registry import reader_for
from core.read.readers.parquet_files import random_texts
from core.system.regular_files import open_regular

T = TypeVar("T")
BLOCKS = 64
_BLOCK = 1 << 15
_HEAD = 8 << 20
"""Bytes on disk, about, that random rows come from in a file that cannot be entered in the middle."""
MOST_FILES = 20
"""Files that random rows come from, where there are more."""
_SEED = 20_100
"""Of random rows: the same file shows the same ones each time."""
_WIDEST_UNIT = 4
"""Bytes of the widest character of a fixed width: a block begins at a multiple."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RandomRows(Confidential):
    """Rows drawn at random, in the order of the file, and from how much of it."""

    preview: Preview
    fraction: float
    """Share of the file that the rows were drawn from or spread over, 0..1; 1 is all of it."""
    files: int = 1
    """Files that they were drawn from."""


def random_rows(
    path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND, progress: Progress = silent
) -> RandomRows:
    """At most `PREVIEW_ROWS` random rows under the names that the preview of the file has.

    Raises InputError for an unusable file.
    """
    if by_path := columns_from_path(path, columns, file_format):
        own = tuple(name for name in columns if name not in by_path)
        drawn = random_rows(path, own, file_format, progress)
        more = tuple(value or "" for value in by_path.values())
        rows = tuple((*row, *more) for row in drawn.preview.rows)
        whole = dataclasses.replace(drawn, preview=Preview(columns=(*own, *by_path), rows=rows))
        return _in_order_of(columns, whole)
    draw = random.Random(_SEED)
    reader = reader_for(path)
    if reader.key == "csv":
        return _of_csv(path, tuple(columns), file_format, draw, progress)
    wanted = tuple(dict.fromkeys(columns))
    if reader.key == "parquet":
        texts, fraction = random_texts(path, wanted, PREVIEW_ROWS, draw, progress)
        return RandomRows(preview=Preview(columns=wanted, rows=tuple(texts)), fraction=fraction)
    reservoir = _Reservoir[tuple[str, ...]](draw)
    fraction, size = 0.0, max(stamp_of(path).size, 1)
    for batch in reader.batches(path, wanted, file_format):
        fraction = batch.fraction
        progress(min(fraction * size / _HEAD, 1.0), "Drawing rows")
        cells = [[as_text(cell) for cell in batch.table.column(name).to_pylist()] for name in wanted]
        reservoir.offer(zip(*cells, strict=True))
        if fraction * size >= _HEAD:
            break
    return RandomRows(preview=Preview(columns=wanted, rows=tuple(reservoir.in_order)), fraction=fraction)


def random_rows_of(
    paths: Sequence[Path],
    columns: Sequence[str],
    file_format: FileFormat = AS_FOUND,
    progress: Progress = silent,
) -> RandomRows:
    """Random rows of files that are read alike, about as many of each; of very many, of some in between.

    columns: those of the first file. A file that lacks one or is of no use is passed over here: a load
    reports it.
    """
    if len(paths) == 1:
        return random_rows(paths[0], columns, file_format, progress)
    step = max(len(paths) / MOST_FILES, 1.0)
    chosen = [paths[int(number * step)] for number in range(min(len(paths), MOST_FILES))]
    draw, drawn = random.Random(_SEED), list[RandomRows]()
    for number, path in enumerate(chosen):
        progress(number / len(chosen), "Drawing rows")
        with contextlib.suppress(InputError):
            names = preview_with_path(path, file_format, named=FILE_NAME in columns).columns
            if set(columns) <= set(names):
                drawn.append(_in_order_of(columns, random_rows(path, names, file_format)))
    each = -(-PREVIEW_ROWS // max(len(drawn), 1))
    rows: list[tuple[str, ...]] = []
    for one in drawn:
        here = one.preview.rows
        rows += [here[index] for index in sorted(draw.sample(range(len(here)), min(each, len(here))))]
    return RandomRows(
        preview=Preview(columns=tuple(columns), rows=tuple(rows[:PREVIEW_ROWS])),
        fraction=min((one.fraction for one in drawn), default=0.0),
        files=len(drawn),
    )


def _in_order_of(columns: Sequence[str], drawn: RandomRows) -> RandomRows:
    """The rows with these columns, whatever order they have in their file."""
    places = [drawn.preview.columns.index(name) for name in columns]
    rows = tuple(tuple(row[place] for place in places) for row in drawn.preview.rows)
    return RandomRows(preview=Preview(columns=tuple(columns), rows=rows), fraction=drawn.fraction)


class _Reservoir(Generic[T]):
    """A uniform sample without repeats of a stream of unknown length (Vitter's algorithm R)."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._seen = 0
        self._drawn: list[tuple[int, T]] = []

    def offer(self, items: Iterable[T]) -> None:
        for item in items:
            if len(self._drawn) < PREVIEW_ROWS:
                self._drawn.append((self._seen, item))
            else:
                place = self._draw.randrange(self._seen + 1)
                if place < PREVIEW_ROWS:
                    self._drawn[place] = (self._seen, item)
            self._seen += 1

    @property
    def in_order(self) -> Iterator[T]:
        return (item for _, item in sorted(self._drawn, key=lambda pair: pair[0]))


def _of_csv(
    path: Path, columns: tuple[str, ...], file_format: FileFormat, draw: random.Random, progress: Progress
) -> RandomRows:
    head = read_csv_head(path, file_format)
    blocks, fraction = _text_blocks(path, file_format, head.lines, draw, progress)
    lines = _Reservoir[str](draw)
    for block in blocks:
        lines.offer(line for line in block if line.strip())
        progress(0.9, "Drawing rows")
    rows = (_cells(line, head) for line in lines.in_order)
    whole = tuple(row[: len(columns)] for row in rows if len(row) == head.width)
    return RandomRows(preview=Preview(columns=columns, rows=whole), fraction=fraction)


def _text_blocks(
    path: Path, file_format: FileFormat, skipped: int, draw: random.Random, progress: Progress
) -> tuple[list[list[str]], float]:
    """Lines of blocks in the order of the file, and the share of the file that they stand for.

    Only whole lines, and none of the first `skipped` ones; a cell that runs over several lines is not
    recognised.
    """
    with opened_text(path, file_format) as text:
        head, reached, encoding = text.read(_HEAD), text.fraction, text.encoding
    with opened(path) as stream:
        packed = stream.zipped
    if packed or (size := stamp_of(path).size) <= BLOCKS * _BLOCK:
        lines = head.decode(errors="replace").splitlines()[skipped:]
        return [lines if len(head) < _HEAD else lines[:-1]], reached
    blocks = []
    with open_regular(path) as file:
        for number, place in enumerate(sorted(draw.sample(range(size // _BLOCK), BLOCKS))):
            progress(0.9 * number / BLOCKS, "Drawing rows")
            file.seek(place * _BLOCK // _WIDEST_UNIT * _WIDEST_UNIT)
            lines = file.read(_BLOCK).decode(encoding, errors="replace").splitlines()
            # the first line began before the block, the last one may go on after it
            blocks.append(lines[1 if place else skipped : -1])
    return blocks, 1.0


def _cells(line: str, head: CsvHead) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader([line], delimiter=head.delimiter, quotechar=head.quote), ()))
    except csv.Error:
        return ()
