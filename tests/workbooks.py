"""Small .xlsx files, built by hand: no library that writes them is needed."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Cell = str | float | bool | dt.datetime | None
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="1">'
    '<numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts>'
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>'
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
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
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
    if isinstance(cell, str):
        return f'<c {place} t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    return f"<c {place}><v>{cell!r}</v></c>"
