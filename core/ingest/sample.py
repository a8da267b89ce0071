"""Random rows of a file for a preview, without reading all of it. Confidential.

From plain CSV blocks spread over the whole file are read. What cannot be entered in the middle
(compressed text, JSON, other formats) gives rows of its beginning, and the sample says so.
"""

from __future__ import annotations

import codecs
import csv
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from core.ingest.file_format import AS_FOUND, FileFormat
from core.ingest.files import opened
from core.ingest.format_options import DELIMITERS
from core.ingest.formats import reader_for
from core.ingest.readers.base import PREVIEW_ROWS, Preview, as_text
from core.ingest.sources import stamp_of
from core.privacy import Confidential
from core.progress import Progress, silent

T = TypeVar("T")
BLOCKS = 64
_BLOCK = 1 << 15
HEAD = 8 << 20
"""Bytes on disk, about, that are read of what cannot be entered in the middle."""
_SEED = 20_100
"""The same file shows the same rows each time."""
_WIDEST_UNIT = 4
"""Bytes of the widest character of a fixed width: a block begins at a multiple."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RandomRows(Confidential):
    """Rows drawn at random, in the order of the file, and from how much of it."""

    preview: Preview
    fraction: float
    """Share of the file that the rows were drawn from or spread over, 0..1; 1 is all of it."""


def random_rows(
    path: Path, columns: Sequence[str], form: FileFormat = AS_FOUND, progress: Progress = silent
) -> RandomRows:
    """At most `PREVIEW_ROWS` random rows under the names that the preview of the file has.

    Raises InputError for an unusable file.
    """
    draw = random.Random(_SEED)
    if reader_for(path).key == "csv":
        return _of_csv(path, tuple(columns), form, draw, progress)
    wanted = tuple(dict.fromkeys(columns))
    reservoir = _Reservoir[tuple[str, ...]](draw)
    fraction, size = 0.0, max(stamp_of(path).size, 1)
    for batch in reader_for(path).batches(path, wanted, form):
        fraction = batch.fraction
        progress(min(fraction * size / HEAD, 1.0), "Drawing rows")
        texts = [[as_text(cell) for cell in batch.table.column(name).to_pylist()] for name in wanted]
        reservoir.offer(zip(*texts, strict=True))
        if fraction * size >= HEAD:
            break
    rows = tuple(reservoir.in_order)
    return RandomRows(preview=Preview(columns=wanted, rows=rows), fraction=fraction)


class _Reservoir(Generic[T]):
    """A uniform sample without repeats of a stream of unknown length (Vitter's algorithm R)."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._seen = 0
        self._kept: list[tuple[int, T]] = []

    def offer(self, items: Iterable[T]) -> None:
        for item in items:
            if len(self._kept) < PREVIEW_ROWS:
                self._kept.append((self._seen, item))
            else:
                place = self._draw.randrange(self._seen + 1)
                if place < PREVIEW_ROWS:
                    self._kept[place] = (self._seen, item)
            self._seen += 1

    @property
    def in_order(self) -> Iterator[T]:
        return (item for _, item in sorted(self._kept, key=lambda pair: pair[0]))


def _of_csv(
    path: Path, columns: tuple[str, ...], form: FileFormat, draw: random.Random, progress: Progress
) -> RandomRows:
    texts, fraction = _text_blocks(path, form, draw, progress)
    lines = _Reservoir[str](draw)
    delimiter = form.delimiter
    for text in texts:
        delimiter = delimiter or _delimiter(text.header, columns)
        lines.offer(line for line in text.lines if line.strip())
        progress(0.9, "Drawing rows")
    rows = (_cells(line, delimiter or ",") for line in lines.in_order)
    whole = tuple(row for row in rows if len(row) == len(columns))
    return RandomRows(preview=Preview(columns=columns, rows=whole), fraction=fraction)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Text(Confidential):
    """Whole lines of one block; a cell that runs over several lines is not recognised."""

    header: str
    lines: tuple[str, ...]


def _text_blocks(
    path: Path, form: FileFormat, draw: random.Random, progress: Progress
) -> tuple[list[_Text], float]:
    """Blocks in the order of the file, and the share of the file that they stand for."""
    size = stamp_of(path).size
    with opened(path) as stream:
        head = stream.read(HEAD)
        reached = stream.fraction
    encoding = _fixed_order(form.encoding or _marked(head), head)
    head_lines = head.decode(encoding, errors="replace").lstrip("\ufeff").splitlines()
    header = head_lines[0] if head_lines else ""
    inner = head_lines[1:] if reached >= 1.0 else head_lines[1:-1]
    if size <= BLOCKS * _BLOCK or not _is_plain(path, head):
        return [_Text(header=header, lines=tuple(inner))], reached
    blocks = []
    with path.open("rb") as file:
        for number, place in enumerate(sorted(draw.sample(range(size // _BLOCK), BLOCKS))):
            progress(0.9 * number / BLOCKS, "Drawing rows")
            file.seek(place * _BLOCK // _WIDEST_UNIT * _WIDEST_UNIT)
            lines = file.read(_BLOCK).decode(encoding, errors="replace").splitlines()
            # the first line began before the block or names the columns, the last one may go on after it
            blocks.append(_Text(header=header, lines=tuple(lines[1:-1])))
    return blocks, 1.0


def _is_plain(path: Path, head: bytes) -> bool:
    """Whether the bytes on disk are those of the text, so that reading may begin in the middle."""
    if not path.is_file():  # a member of an archive
        return False
    with path.open("rb") as file:
        raw = file.read(len(codecs.BOM_UTF8) + 64)
    return raw.removeprefix(codecs.BOM_UTF8)[:64] == head[:64]


def _marked(head: bytes) -> str:
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def _fixed_order(encoding: str, head: bytes) -> str:
    """An encoding whose byte order needs no mark, as in the middle of a file there is none."""
    if codecs.lookup(encoding).name in ("utf-16", "utf-32"):
        return encoding + ("-be" if head.startswith((codecs.BOM_UTF16_BE, b"\0\0\xfe\xff")) else "-le")
    return encoding


def _delimiter(header: str, columns: tuple[str, ...]) -> str:
    """The delimiter that takes the first line apart into these names."""
    for mark in DELIMITERS:
        if len(_cells(header, mark)) == len(columns):
            return mark
    return ","


def _cells(line: str, delimiter: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader([line], delimiter=delimiter), ()))
    except csv.Error:
        return ()
