"""Small .xlsx, .xlsb, .ods and .xls files, built by hand: no library that writes them is needed."""

from __future__ import annotations

import datetime as dt
import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Cell = str | float | bool | dt.datetime | dt.time | dt.timedelta | None
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="2">'
    '<numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss"/>'
    '<numFmt numFmtId="165" formatCode="hh:mm:ss"/></numFmts>'
    '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/>'
    '<xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="46" applyNumberFormat="1"/>'
    "</cellXfs></styleSheet>"
)


def xlsx(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """A workbook of these sheets; None is no cell."""
    names = list(sheets)
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, 1)
    )
    related = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(names) + 1)
    )
    files = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{related}'
        f'<Relationship Id="rId0" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": _STYLES,
    }
    for n, name in enumerate(names, 1):
        rows = "".join(
            f'<row r="{place}">'
            + "".join(_cell(cell, place, column) for column, cell in enumerate(row))
            + "</row>"
            for place, row in enumerate(sheets[name], 1)
        )
        files[f"xl/worksheets/sheet{n}.xml"] = (
            f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        )
    return _archive(files)


def xlsb(rows: Sequence[Sequence[float | str | None]], places: Sequence[tuple[int, int]] = ()) -> bytes:
    """A binary workbook of one sheet of numbers and texts; cells of value 1 stand at `places` besides."""
    cells = [
        (row, column, cell)
        for row, line in enumerate(rows)
        for column, cell in enumerate(line)
        if cell is not None
    ] + [(row, column, 1.0) for row, column in places]
    sheet = xlsb_record(0x81) + xlsb_record(0x94, bytes(16)) + xlsb_record(0x91)
    for row, column, cell in cells:
        sheet += xlsb_record(0, struct.pack("<I", row) + bytes(21))
        place = struct.pack("<II", column, 0)
        if isinstance(cell, str):
            sheet += xlsb_record(6, place + _wide(cell))
        else:
            sheet += xlsb_record(5, place + struct.pack("<d", cell))
    sheet += xlsb_record(0x92) + xlsb_record(0x82)
    listed = xlsb_record(0x9C, struct.pack("<II", 0, 1) + _wide("rId1") + _wide("a"))
    book = xlsb_record(0x83) + xlsb_record(0x8F) + listed + xlsb_record(0x90)
    return _archive(
        {
            "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="bin" '
            'ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>',
            "xl/_rels/workbook.bin.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
            f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.bin"/>'
            "</Relationships>",
            "xl/workbook.bin": book + xlsb_record(0x9D, bytes(26)) + xlsb_record(0x84),
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def xlsb_record(kind: int, data: bytes = b"") -> bytes:
    """A record of a binary workbook: kind and length take seven bits of each byte."""
    head = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length = len(data)
    while length >= 0x80:
        head, length = head + bytes([length & 0x7F | 0x80]), length >> 7
    return head + bytes([length]) + data


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def ods(rows: str) -> bytes:
    """An OpenDocument workbook of one sheet with these rows (`ods_row`)."""
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    return _archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f"{_HEAD}<manifest:manifest "
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            "content.xml": f"{_HEAD}<office:document-content{names}><office:body><office:spreadsheet>"
            f'<table:table table:name="a">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        }
    )


def ods_row(cells: str, repeated: int = 1) -> str:
    """A row of cells (`ods_cell`)."""
    often = f' table:number-rows-repeated="{repeated}"' if repeated > 1 else ""
    return f"<table:table-row{often}>{cells or ods_cell(None)}</table:table-row>"


def ods_cell(cell: float | str | None, repeated: int = 1) -> str:
    """A cell, as often as it is repeated; None is an empty one."""
    often = f' table:number-columns-repeated="{repeated}"' if repeated > 1 else ""
    if cell is None:
        return f"<table:table-cell{often}/>"
    if isinstance(cell, str):
        return (
            f'<table:table-cell{often} office:value-type="string"><text:p>{escape(cell)}</text:p>'
            "</table:table-cell>"
        )
    return f'<table:table-cell{often} office:value-type="float" office:value="{cell!r}"/>'


def xls(sheets: Mapping[str, bytes], shared: bytes = b"") -> bytes:
    """The stream of an .xls: its sheets, each of records (`xls_record`), and texts that their cells share."""
    bodies = [_xls_begin(0x10) + cells + xls_record(0x0A) for cells in sheets.values()]
    place = len(_xls_begin(5)) + len(shared) + sum(12 + len(name) for name in sheets) + 4
    listed = b""
    for name, body in zip(sheets, bodies, strict=True):
        listed += xls_record(0x85, struct.pack("<IHBB", place, 0, len(name), 0) + name.encode())
        place += len(body)
    return _xls_begin(5) + shared + listed + xls_record(0x0A) + b"".join(bodies)


def xls_record(kind: int, data: bytes = b"") -> bytes:
    """A record of an .xls."""
    return struct.pack("<HH", kind, len(data)) + data


def xls_cell(row: int, column: int, cell: float | str) -> bytes:
    """A number, or a text that is the cell's own."""
    place = struct.pack("<HHH", row, column, 0)
    if isinstance(cell, str):
        text = struct.pack("<HB", len(cell), 1) + cell.encode("utf-16-le")
        return xls_record(0x204, place + text)
    return xls_record(0x203, place + struct.pack("<d", cell))


def _xls_begin(kind: int) -> bytes:
    return xls_record(0x809, struct.pack("<4H2I", 0x600, kind, 0, 0, 0, 0))


def part_of(book: bytes, name: str) -> bytes:
    """One part of a workbook."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return archive.read(name)


def _archive(parts: Mapping[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in parts.items():
            archive.writestr(path, content)
    return data.getvalue()


def _cell(cell: Cell, row: int, column: int) -> str:
    place = f'r="{chr(65 + column)}{row}"'
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return f'<c {place} t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, dt.datetime):
        days = (cell - dt.datetime(1899, 12, 30)) / dt.timedelta(days=1)  # noqa: DTZ001 - a sheet knows no zone
        return f'<c {place} s="1"><v>{days!r}</v></c>'
    if isinstance(cell, dt.time):
        seconds = (cell.hour * 60 + cell.minute) * 60 + cell.second
        return f'<c {place} s="2"><v>{seconds / 86_400!r}</v></c>'
    if isinstance(cell, dt.timedelta):
        return f'<c {place} s="3"><v>{cell / dt.timedelta(days=1)!r}</v></c>'
    if isinstance(cell, str):
        return f'<c {place} t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    return f"<c {place}><v>{cell!r}</v></c>"
