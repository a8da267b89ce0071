"""What kind of file it is by its first bytes, whatever its name says."""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path

from core.read.archives import open_zip, opened_container
from core.read.encodings import opened_text
from core.read.file_format import AS_FOUND
from core.read.input_files import empty_file, opened
from core.read.map_database import MAGIC

_HEAD = 4096
_JSON = re.compile(
    rb"\s*(?:\[\s*\{|\[\s*\]\s*$|\{\s*[\"}]|[^\[\]\"{}\n]{1,400}[\s\x1e]\{\s*\"[^\n]*\}\s*(?:\n|$))"
)
"""An array or an object; or one on a line behind what a broker or a log puts before each."""
_FEED = re.compile(rb"\n.\n\x03[12]\.\d", re.DOTALL)
"""A feed of GTFS-realtime begins with its header, and that with its version."""
_SIRI = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:\w+:)?Siri[\s/>]", re.DOTALL
)
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The container of old Office files."""
_WORKBOOKS = ("xl/workbook.xml", "xl/workbook.bin")
_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"


def kind_by_content(path: Path) -> str:
    """The key of the reader for which the first bytes speak; empty where they tell nothing.

    Raises InputError for a file that cannot be opened, NoRecord for one without bytes, whatever its kind.
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
    if _FEED.match(head):
        return "gtfs"
    if _SIRI.match(head):
        return "siri"
    if head.startswith(MAGIC):
        return "geopackage"
    if b"\0" in head[:64] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    with opened_text(path, AS_FOUND) as text:
        return "json" if _JSON.match(text.read(_HEAD)) else ""


def _is_workbook(path: Path) -> bool:
    try:
        with opened_container(path) as raw:
            if not raw.read(4).startswith(b"PK"):
                return True  # inside another compression nothing else can be meant: it is read into memory
            with open_zip(raw) as archive:
                names = set(archive.namelist())
                return any(name in names for name in _WORKBOOKS) or (
                    "mimetype" in names and archive.read("mimetype").startswith(_SPREADSHEET)
                )
    except (zipfile.BadZipFile, OSError, RuntimeError, EOFError, UnicodeDecodeError, zlib.error):
        return False  # the reader of archives says what is wrong
