"""core.assist.proposed_format: what a file leaves to be named."""

from __future__ import annotations

from pathlib import Path

from core.assist.proposed_format import proposed_format
from core.read.file_format import AS_FOUND


def test_a_file_in_utf_8_leaves_nothing_open(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("plate,Größe\nA,1\n", encoding="utf-8")
    assert proposed_format(path).file_format == AS_FOUND


def test_an_older_encoding_is_proposed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Matrícula;Velocidad\nA;1\n", encoding="cp1252")
    proposed = proposed_format(path)
    assert proposed.encodings[0] == proposed.file_format.encoding == "cp1252"
    assert proposed.sheets == ()
