"""`keywords` and `keygen --words`: the same key again, from paper."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from core.cli import main


@pytest.mark.parametrize("source", ["file", "-"])
def test_a_key_comes_back_from_its_words(
    source: str,
    tmp_path: Path,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    capsys.readouterr()
    assert main(["keywords"]) == 0
    told, *words, again = capsys.readouterr().out.splitlines()
    assert told.startswith("SECRET")
    assert "keygen --words" in again
    (tmp_path / "words").write_text("\n".join(words))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(words) + "\n\n"))
    paper = str(tmp_path / "words") if source == "file" else "-"
    assert main(["keygen", "--words", paper, "--out", str(tmp_path / "again")]) == 0
    first, second = home / "keys" / "release-key.pub", tmp_path / "again.pub"
    assert first.read_bytes() == second.read_bytes()


def test_words_that_are_none_are_refused(tmp_path: Path, home: Path) -> None:
    assert home.is_dir()
    (tmp_path / "words").write_text("babab " * 18)
    assert main(["keygen", "--words", str(tmp_path / "words"), "--out", str(tmp_path / "key")]) == 2
    assert not (tmp_path / "key.pem").exists()


def test_the_page_is_its_owners_alone_and_never_over_another_file(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    capsys.readouterr()
    assert main(["keywords", "--paper", str(page)]) == 0
    told = capsys.readouterr().out
    assert "Print" in told
    words = re.findall(r"<li>(\w+)</li>", page.read_text())
    assert len(words) == 18
    assert not any(word in told for word in words), "they stand on the page alone"
    if os.name != "nt":
        assert page.stat().st_mode & 0o777 == 0o600
    before = page.read_bytes()
    assert main(["keywords", "--paper", str(page)]) == 2
    assert "there already" in capsys.readouterr().err
    assert page.read_bytes() == before
    assert main(["keywords", "--paper", str(tmp_path / "none" / "page.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert home.is_dir()


def test_the_code_stands_below_the_words(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert home.is_dir()
    capsys.readouterr()
    assert main(["keywords", "--qr"]) == 0
    assert capsys.readouterr().out.count("█") > 200
