"""SIRI vehicle monitoring as XML: no vehicles, entities, and how deep and long it may be."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, NoReturn
from xml.parsers import expat

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import NoRecord, opened
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview
from core.read.readers.base import Batch, text_batch

_RECORD = "VehicleActivity"
_NOTHING = "The SIRI file contains no vehicle activity."
_OTHER = "choose vehicle monitoring (SIRI-VM) with vehicles"
_PIECE = 1 << 16
_ROWS = 50_000
_DEEPEST = 60
_MOST_FIELDS = 1_000
"""Fields of one SIRI record."""
_MOST_TEXT = 1 << 16
"""Characters of one field of a SIRI record."""
_MOST_RECORD = 1 << 20
"""Characters of one SIRI record, blanks and names of fields included."""
_BATCH_TEXT = 1 << 26
"""Characters of the cells of SIRI records that are handed on together, in about."""
_LONGEST_MARK = 1 << 20
"""Bytes of a tag or comment of XML: as long as it lasts, nothing of it is given away."""

Record = dict[str, str]


class SiriReader:
    """Speed in metres a second; fields are named with dots, below the activity, whatever their namespace.

    A document type is refused, and with it every entity and whatever lies outside of the file.
    """

    key: ClassVar[str] = "siri"
    title: ClassVar[str] = "SIRI"
    endings: ClassVar[tuple[str, ...]] = (".xml",)
    options: ClassVar[tuple[str, ...]] = ("decimal", "date_order")

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        records = [record for record, _ in itertools.islice(_records(path), PREVIEW_ROWS)]
        columns = tuple(dict.fromkeys(itertools.chain.from_iterable(records)))[:_MOST_FIELDS]
        preview = Preview(
            columns=columns, rows=tuple(tuple(record.get(name, "") for name in columns) for record in records)
        )
        if not records:
            raise NoRows(_NOTHING, preview, where=str(path), mend=_OTHER)
        return preview

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        file_format: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        rows: list[list[str | None]] = []
        size, done = 0, None
        for record, done in _records(path):
            rows.append([record.get(name) or None for name in columns])
            size += sum(len(cell) for cell in rows[-1] if cell)
            if len(rows) == _ROWS or size > _BATCH_TEXT:
                yield _batch(columns, rows, done)
                rows, size = [], 0
        if done is None:
            raise NoRecord(_NOTHING, where=str(path), mend=_OTHER)
        if rows:
            yield _batch(columns, rows, done)


READER = SiriReader()


def _batch(columns: Sequence[str], rows: Sequence[Sequence[str | None]], done: float) -> Batch:
    cells = zip(*rows, strict=True)
    return text_batch({name: list(column) for name, column in zip(columns, cells, strict=True)}, done)


def _records(path: Path) -> Iterator[tuple[Record, float]]:
    """Each record with the share of the file that was read. Raises InputError for what is no SIRI."""
    with opened(path) as stream:
        scan = _Scan(path)
        fed = 0
        while piece := stream.read(_PIECE):
            fed += len(piece)
            scan.feed(piece, fed)
            yield from ((record, stream.fraction) for record in scan.taken())
        scan.feed(b"", fed, last=True)
        yield from ((record, 1.0) for record in scan.taken())


class _Scan:
    """What is open of a document, as deep as it goes, and the records that are whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: list[str] = []
        self._record: Record | None = None
        self._depth = 0
        """How many names of `_names` lie above the record's fields."""
        self._text: list[str] = []
        self._size = self._length = 0
        """Characters of the field, and of the record, so far."""
        self._whole: list[Record] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse

    def feed(self, piece: bytes, fed: int, *, last: bool = False) -> None:
        """Read on; fed: bytes so far."""
        try:
            self._parser.Parse(piece, last)
        except InputError:
            raise
        except (expat.ExpatError, ValueError, LookupError):  # its message may quote a name
            raise InputError(
                "The XML is cut off or malformed.",
                where=str(self._path),
                mend="copy or export the file again",
            ) from None
        if fed - max(self._parser.CurrentByteIndex, 0) > _LONGEST_MARK and not last:
            self._too_much()

    def taken(self) -> list[Record]:
        """The records that are whole, each once."""
        whole, self._whole = self._whole, []
        return whole

    def _begin(self, tag: str, _: object) -> None:
        name = tag.rpartition(" ")[2]
        if not self._names and name not in ("Siri", "Envelope"):  # of SOAP, by which services answer
            raise InputError(
                "The XML is no SIRI.",
                where=str(self._path),
                mend="choose SIRI vehicle monitoring (SIRI-VM), or convert the records to CSV or JSON",
            )
        self._names.append(name)
        if len(self._names) > _DEEPEST:
            self._too_much()
        self._text, self._size = [], 0
        if name == _RECORD and self._record is None:
            self._record, self._depth, self._length = {}, len(self._names), 0

    def _end(self, _: str) -> None:
        if self._record is not None:
            text = "".join(self._text).strip()
            if text:
                name = ".".join(self._names[self._depth :])
                self._record.setdefault(name, text)
                self._length += len(name)
                if len(self._record) > _MOST_FIELDS or self._length > _MOST_RECORD:
                    self._too_much()
            if len(self._names) == self._depth:
                self._whole.append(self._record)
                self._record = None
        self._names.pop()
        self._text, self._size = [], 0

    def _characters(self, text: str) -> None:
        if self._record is None:
            return
        self._text.append(text)
        self._size += len(text)
        self._length += len(text)
        if self._size > _MOST_TEXT or self._length > _MOST_RECORD:
            self._too_much()

    def _refuse(self, *_: object) -> NoReturn:
        raise InputError(
            "The XML declares a document type or an entity, which SIRI files never do.",
            where=str(self._path),
            mend="download the file again from its publisher",
        )

    def _too_much(self) -> NoReturn:
        raise InputError(
            "The XML is deeper or longer in one place than SIRI files are.",
            where=str(self._path),
            mend="download the file again from its publisher",
        )
