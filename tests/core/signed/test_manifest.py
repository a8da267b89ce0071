"""A manifest is read in one form only."""

from __future__ import annotations

import pytest

from core.signed.bundle_names import MANIFEST
from core.signed.findings import Finding
from core.signed.manifest import parse_manifest

SUM = "0" * 64


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        f"{SUM}  a",
        f"{SUM} a\n",
        f"{SUM} *a\n",
        f"{SUM.replace('0', 'A')}  a\n",
        f"{SUM[1:]}  a\n",
        f"{SUM}  a\r\n",
        f"{SUM}  a\n\n",
        f"{SUM}  /a\n",
        f"{SUM}  ../a\n",
        f"{SUM}  a/../b\n",
        f"{SUM}  ./a\n",
        f"{SUM}  a//b\n",
        f"{SUM}  a\\b\n",
        f"{SUM}  C:/a\n",
        f"{SUM}  b\n{SUM}  a\n",
        f"{SUM}  a\n{SUM}  a\n",
        f"{SUM}  {MANIFEST}\n",
        f"{SUM}  {MANIFEST}.minisig\n",
        f"# comment\n{SUM}  a\n",
        f"\\{SUM}  a\n",
    ],
)
def test_a_manifest_in_any_other_form_is_refused(text: str) -> None:
    with pytest.raises(Finding):
        parse_manifest(text.encode())


def test_a_manifest_is_read() -> None:
    assert parse_manifest(f"{SUM}  a\n{SUM}  b/c.d\n".encode()) == {"a": SUM, "b/c.d": SUM}


def test_changed_line_ends_are_named_as_such() -> None:
    with pytest.raises(Finding, match="the line ends of SHA256SUMS were changed"):
        parse_manifest(b"0" * 64 + b"  data.csv\r\n")
