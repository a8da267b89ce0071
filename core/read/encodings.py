"""Encodings of text files: marks, guesses by name; text that is not UTF-8, zero bytes, none of that name."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import charset_normalizer
import pyarrow as pa

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import OpenedFile, opened
from core.texts import text_of

CANDIDATES = (
    *("cp1252", "latin-1", "iso8859-15", "cp1250", "iso8859-2", "cp1251", "koi8-r", "cp1253", "cp1254"),
    *("cp1255", "cp1256", "shift_jis", "gb18030", "big5", "euc_kr", "cp850", "cp437", "mac-roman"),
)
"""What exports are written in, the likelier first: this order decides between equal guesses."""
_OLD = ("cp850", "cp437", "mac-roman")
"""Of systems long gone: nearly every text fits them, so they are guessed last."""
_EAST_ASIAN = ("shift_jis", "gb18030", "big5", "euc_kr")
"""Of scripts whose letters stand together: one alone among Latin letters is none of theirs."""
_PAIRS = re.compile(rb"(?:[\xa1-\xfe]{2})+")
_MOST_COMMON, _SOME = 0.9, 0.05
_LETTERS_TOGETHER = re.compile(r"[^\x00-\x7f]+")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNIT_SEPARATOR = "\x1f"
_CHUNK = 1 << 20
_SAMPLE = 1 << 15
_LOOK = 32 << 20
"""Bytes of a text file that are looked at for its encoding before it is read."""
_LONGEST = 120
_MOST_GUESSES = 3
_LINE_END = re.compile(r"\r\n|\n|\r")


class DecodedText(io.BufferedIOBase):
    """A text file as UTF-8 bytes, decoded piece by piece; the file's mark is left out.

    A mark tells the encoding whatever the format names. UTF-8 passes through as it is, unchecked: a
    reader checks the columns that are wanted. delimiter: what `ascii_delimiter` takes the place of.
    """

    def __init__(self, stream: OpenedFile, path: Path, file_format: FileFormat, delimiter: str = "") -> None:
        self._stream = stream
        self._path = path
        self._delimiter = delimiter
        start = stream.read(4)
        mark, encoding = next(((m, name) for m, name in _MARKS if start.startswith(m)), (b"", ""))
        self.marked = bool(mark)
        self.encoding = encoding or canonical_encoding(file_format.encoding or "utf-8")
        self._pending = start[len(mark) :]
        self._ended = False
        self._native: pa.NativeFile | None = None
        self._native_size: int | None = None
        self._decoder = None
        if self.encoding != "utf-8" or file_format.any_bytes or not delimiter.isascii():
            try:
                decoder_of = codecs.getincrementaldecoder(self.encoding)
                self._decoder = decoder_of("replace" if file_format.any_bytes else "strict")
                "a".encode(self.encoding)  # of the codecs that turn bytes into bytes, too, there are decoders
            except LookupError:
                raise InputError(
                    "{encoding} is not a text encoding.",
                    encoding=f"{file_format.encoding!r}",
                    where="data.format.encoding",
                    mend='write for instance "cp1252" or "utf-16"',
                ) from None
            self._pending = self._decode(self._pending, last=False)

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """`size` bytes, fewer at the end alone. Raises InputError for bytes that do not fit."""
        wanted = -1 if size is None or size < 0 else size
        if self._decoder is None and not self._pending and wanted > 0:
            return self._stream.read(wanted)
        pieces, taken = [self._pending], len(self._pending)
        # a short block would be taken for a line that is too long
        while wanted < 0 or taken < wanted:
            raw = self._stream.read(_CHUNK if wanted < 0 else wanted - taken)
            if not raw and self._ended:
                break
            self._ended = not raw
            pieces.append(raw if self._decoder is None else self._decode(raw, last=not raw))
            taken += len(pieces[-1])
        whole = b"".join(pieces)
        cut = len(whole) if wanted < 0 else wanted
        self._pending = whole[cut:]
        return whole[:cut]

    def source(self) -> DecodedText | pa.NativeFile:
        """The same bytes from where reading stands, for Arrow: without Python wherever the file allows it.

        Each read of a Python stream waits for Python's lock, which the parsing threads want as well.
        """
        if self._decoder is not None or self._native is not None:
            return self
        start = self._stream.plain_position
        if start is None:
            return self
        self._native = pa.OSFile(os.fsencode(self._path))
        self._native_size = self._native.size()
        self._native.seek(start - len(self._pending))
        return self._native

    def close(self) -> None:
        if self._native is not None:
            self._native.close()
        super().close()

    @property
    def fraction(self) -> float:
        """Share of the file on disk that has been read, 0..1."""
        return self._stream.fraction

    def fraction_after(self, taken: int) -> float:
        """The same where Arrow reads; taken: bytes that it has given so far.

        A source of Arrow's own is not asked where it stands: a thread of Arrow reads ahead in it, and on
        Windows to ask puts the file back to where it stood, so that records were read twice.
        """
        return self.fraction if self._native_size is None else min(taken / max(self._native_size, 1), 1.0)

    def _decode(self, raw: bytes, *, last: bool) -> bytes:
        assert self._decoder is not None
        try:
            text = self._decoder.decode(raw, last)
            if not self._delimiter.isascii():
                text = text.replace(self._delimiter, ascii_delimiter(self._delimiter))
            return text.encode()
        except UnicodeError:
            raise wrong_encoding(self._path, self.encoding) from None


@contextlib.contextmanager
def opened_text(path: Path, file_format: FileFormat = AS_FOUND, delimiter: str = "") -> Iterator[DecodedText]:
    """Open a text file as UTF-8. Raises InputError as `opened` does.

    delimiter: between its cells, whose place `ascii_delimiter` takes.
    """
    with opened(path) as stream, DecodedText(stream, path, file_format, delimiter) as text:
        yield text


def ascii_delimiter(delimiter: str) -> str:
    """What stands between cells for Arrow, which splits at one byte alone."""
    return delimiter if delimiter.isascii() else _UNIT_SEPARATOR


def canonical_encoding(encoding: str) -> str:
    """One name for each encoding."""
    name = codecs.lookup(encoding).name
    return "utf-8" if name in ("utf-8-sig", "ascii") else name


def wrong_encoding(path: Path, encoding: str = "utf-8") -> InputError:
    """What to say of a file whose text is not in that encoding: where, and what it looks like."""
    line, sample = _first_misfit(path, encoding)
    guesses = rank_encodings(sample)
    called = "UTF-8" if encoding == "utf-8" else encoding
    looks = text_of(" (looks like {guesses})", guesses=", ".join(guesses)) if guesses else ""
    proposed = guesses[0] if guesses else "cp1252"
    return InputError(
        "The text is not {called}.",
        called=called,
        where=text_of("{path}, line {number}", path=path, number=line) if line else str(path),
        mend=text_of(
            'write encoding = "{proposed}" under [data.format]{looks}, or save the file as UTF-8',
            proposed=proposed,
            looks=looks,
        ),
    )


def not_utf8(where: str) -> InputError:
    """What to say of text whose place is not looked for."""
    return InputError(
        "The text is not UTF-8.",
        where=where,
        mend="write its encoding under [data.format], or save the file as UTF-8",
    )


def no_text(path: Path, encoding: str, sample: bytes) -> InputError:
    """What to say of a file whose first bytes hold zeros: text of two bytes a character, or none at all."""
    if is_wide(sample):
        return wrong_encoding(path, encoding)
    return InputError(
        "The first line contains zero bytes: this is not text.",
        where=str(path),
        mend="give the file its original ending, or export it again as text",
    )


def rank_encodings(sample: bytes) -> tuple[str, ...]:
    """Names of encodings in which the sample may be written, the likeliest first; at most a few."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return (name,)
    if wide := is_wide(sample):
        return (wide,)
    if _fits(sample, "utf-8"):
        return ("utf-8",)
    fitting = [name for name in CANDIDATES if _fits(sample, name)]
    alone = [name for name in fitting if name in _EAST_ASIAN and _stand_alone(sample, name)]
    fitting = [name for name in fitting if name not in alone] or fitting
    order = {canonical_encoding(name): position for position, name in enumerate(CANDIDATES)}
    scored = {}
    for match in charset_normalizer.from_bytes(sample, cp_isolation=list(fitting)) if fitting else ():
        for name in match.could_be_from_charset:
            place = order.get(canonical_encoding(name), len(order))
            old = place < len(order) and CANDIDATES[place] in _OLD
            scored[place] = (old, match.chaos, -match.coherence, place)
    first = ["gb18030"] if _fits(sample, "gb18030") and _is_chinese(sample) else []
    ranked = [
        CANDIDATES[place] for place in sorted(scored, key=lambda key: scored[key]) if place < len(order)
    ]
    return tuple(dict.fromkeys([*first, *ranked, *fitting]))[:_MOST_GUESSES]


def _is_chinese(sample: bytes) -> bool:
    """Whether the pairs of a text are common signs of GB 2312, and not those of Cyrillic or Korean alone."""
    pairs = {pair for run in _PAIRS.findall(sample) for pair in zip(run[::2], run[1::2], strict=True)}
    common = sum(0xB0 <= lead <= 0xD7 for lead, _ in pairs)
    beyond = sum(lead > 0xC8 for lead, _ in pairs), sum(trail < 0xC0 for _, trail in pairs)
    return bool(pairs) and common >= _MOST_COMMON * len(pairs) and min(beyond) >= _SOME * len(pairs)


def guess_encodings(path: Path) -> tuple[str, ...]:
    """Names of encodings for a file that is not UTF-8, the likeliest first; empty where it may be.

    A file with a mark needs no guess. Raises InputError as `opened` does.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    with opened(path) as stream:
        raw = first = stream.read(_SAMPLE)
        if first.startswith(tuple(mark for mark, _ in _MARKS)):
            return ()
        looked, fits = 0, not is_wide(first)
        while fits and raw and looked < _LOOK:
            looked += len(raw)
            try:
                decoder.decode(raw)
            except UnicodeDecodeError:
                fits = False
            raw = stream.read(_CHUNK)
    return () if fits else rank_encodings(_first_misfit(path, "utf-8")[1])


def non_ascii_lines(path: Path, encoding: str, most: int = 5) -> tuple[str, ...]:
    """The first lines that hold more than ASCII, read in that encoding: what a person judges it by.

    What does not fit appears as U+FFFD; of a long line only a part is given. They show the file's
    contents: for the screen alone.
    """
    found: list[str] = []
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest, looked = "", 0
    with opened(path) as stream:
        while len(found) < most and looked < _LOOK:
            raw = stream.read(_CHUNK)
            looked += len(raw)
            text = decoder.decode(raw, not raw)
            if raw and text.isascii() and rest.isascii():
                rest = text[text.rfind("\n") + 1 :]  # no line of these needs to be looked at
                continue
            *lines, rest = _LINE_END.split(rest + text)
            found += [line for line in lines + ([] if raw else [rest]) if not line.isascii()]
            if not raw:
                break
            rest = rest[:_CHUNK]
    return tuple(_around(line.removeprefix("\ufeff")) for line in found[:most])


def _around(line: str) -> str:
    """The part of a long line that holds its first character beyond ASCII."""
    at = next((index for index, character in enumerate(line) if not character.isascii()), 0)
    start = max(0, at - _LONGEST // 2)
    return ("…" if start else "") + line[start : start + _LONGEST]


def is_wide(sample: bytes) -> str:
    """The kind of UTF-16 that a text without a mark is in, by the zeros at every other byte; else empty."""
    half = max(len(sample) // 2, 1)
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if max(even, odd) < 0.4 or min(even, odd) > 0.1:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _fits(sample: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(sample)  # the end may be cut
    except UnicodeError:
        return False
    return True


def _stand_alone(sample: bytes, encoding: str) -> bool:
    """Whether most letters beyond ASCII have no such neighbour, as that encoding reads them."""
    text = codecs.getincrementaldecoder(encoding)("ignore").decode(sample)
    runs = [len(run) for run in _LETTERS_TOGETHER.findall(text)]
    return sum(length for length in runs if length > 1) < sum(runs) / 2


def _first_misfit(path: Path, encoding: str) -> tuple[int, bytes]:
    """The line (from 1) with the first bytes that do not fit, and what stands around them; 0 if all fit."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    line, ended_in_return, before = 1, False, b""
    with opened(path) as stream:
        first = stream.read(_SAMPLE)
        raw = first
        while True:
            try:
                text = decoder.decode(raw, not raw)
            except UnicodeDecodeError as error:
                text = error.object[: error.start].decode(encoding, "ignore")
                start = max(len(before) + error.start - _SAMPLE // 2, 0)
                around = (before + raw)[start:][:_SAMPLE]
                # not in the middle of a character
                line_end = re.search(rb"[\r\n]", around[: _SAMPLE // 2]) if start else None
                around = around[line_end.end() :] if line_end else around
                line += len(_LINE_END.findall(text)) - (ended_in_return and text.startswith("\n"))
                return line, first if is_wide(first) else around
            except UnicodeError:
                return line, first  # UTF-16 that does not begin with the mark it needs
            if not raw:
                return 0, first
            line += len(_LINE_END.findall(text)) - (ended_in_return and text.startswith("\n"))
            ended_in_return = text.endswith("\r")
            before, raw = raw[-_SAMPLE // 2 :], stream.read(_CHUNK)
