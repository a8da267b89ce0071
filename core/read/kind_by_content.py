"""What kind of file it is by its first bytes: a web page, an XML spreadsheet, an old Office file."""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path

from core.errors import InputError
from core.read.archives import open_zip, opened_container
from core.read.encodings import opened_text
from core.read.file_format import AS_FOUND
from core.read.input_files import base_name, empty_file, opened
from core.read.map_database import MAGIC

_HEAD = 4096
_JSON = re.compile(
    rb"\s*(?:\[\s*\{|\[\s*\]\s*$|\{\s*[\"}]|[^\[\]\"{}\n]{1,400}[\s\x1e]\{\s*\"[^\n]*\}\s*(?:\n|$))"
)
"""An array or an object; or one on a line behind what a broker or a log puts before each."""
FEED_HEADER = re.compile(rb"\n.\n\x03[12]\.\d", re.DOTALL)
"""A feed of GTFS-realtime begins with its header, and that with its version."""
_XML = rb"(?:\xef\xbb\xbf)?\s*(?:(?><\?(?!mso)[^>]*>|<!--.*?-->)\s*)*"
"""What may precede the first element; a comment ends once, or many of them would end in too many ways."""
_SIRI = re.compile(
    _XML + rb"(?:<(?:\w+:)?Siri[\s/>]|<(?:\w+:)?Envelope[\s>].{0,4000}?VehicleMonitoring)", re.DOTALL
)
"""As a file, or as a service answers by SOAP."""
_NO_DATA = (
    (
        re.compile(_XML + rb"<(?:!doctype\s+html|html|table)[\s>]", re.DOTALL | re.IGNORECASE),
        "The file is a web page, whatever its name says.",
        "download the data again; open a table that the page shows in a spreadsheet program, and save it as "
        ".xlsx",
    ),
    (
        re.compile(_XML + rb"<(?:\?mso-application\s+progid=\"Excel|(?:ss:)?Workbook[\s>])", re.DOTALL),
        "The file is an XML spreadsheet (Excel 2003), which is not read.",
        "open it in a spreadsheet program and save it as .xlsx",
    ),
)
"""What is known by its first bytes and holds no records that are read: pattern, what it is, what to do."""
_DELIMITED = re.compile(rb"[^\0\r\n]*[\t;,][^\0\r\n]*[\r\n]")
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The container of old Office files."""
_WORKBOOKS = ("xl/workbook.xml", "xl/workbook.bin")
_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"


def kind_by_content(path: Path) -> str:
    """The key of the reader for which the first bytes speak; empty where they tell nothing.

    Raises InputError for a file that cannot be opened, or is of a kind that is known to hold no records;
    NoRecord for one without bytes, whatever its kind.
    """
    with opened(path) as stream:
        head = stream.read(_HEAD)
    if not head:
        raise empty_file(path)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(_COMPOUND):
        return "workbook"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "workbook" if _is_workbook(path) else "zip"
    if head[257:262] == b"ustar":
        return "tar"
    if FEED_HEADER.match(head):
        return "gtfs"
    if _SIRI.match(head):
        return "siri"
    if head.startswith(MAGIC):
        return "geopackage"
    if b"\0" in head[:64] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    text = _text_of(path)
    for pattern, what, mend in _NO_DATA:
        if pattern.match(text):
            raise InputError(what, where=str(path), mend=mend)
    return "json" if _JSON.match(text) else ""


def is_delimited(path: Path) -> bool:
    """Whether the first line of a text has cells. Raises InputError for a file that cannot be opened."""
    return _DELIMITED.match(_text_of(path)) is not None


def _text_of(path: Path) -> bytes:
    with opened_text(path, AS_FOUND) as text:
        return text.read(_HEAD)


def _is_workbook(path: Path) -> bool:
    try:
        with opened_container(path) as raw:
            if not raw.read(4).startswith(b"PK"):
                return not base_name(path.name).endswith(".zip")  # compressed once more: read into memory
            with open_zip(raw) as archive:
                names = set(archive.namelist())
                if "mimetype" not in names or not names.isdisjoint(_WORKBOOKS):
                    return not names.isdisjoint(_WORKBOOKS)
                with archive.open("mimetype") as mimetype:
                    return mimetype.read(len(_SPREADSHEET)) == _SPREADSHEET
    except (zipfile.BadZipFile, OSError, RuntimeError, EOFError, UnicodeDecodeError, zlib.error):
        return False  # the reader of archives says what is wrong
