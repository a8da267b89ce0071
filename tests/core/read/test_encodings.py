"""Encodings: marks, decoding on the fly, guesses, and where a text does not fit."""

from __future__ import annotations

import codecs
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.read.encodings import (
    guess_encodings,
    non_ascii_lines,
    opened_text,
    rank_encodings,
    wrong_encoding,
)
from core.read.file_format import AS_FOUND, FileFormat
from tests.records import SECRET, assert_tells

SENTENCE = "Fünf Züge über die Brücke; naïve Gäste im Café, 30 € für Größe\n"


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("text", [b"", b"\xef", b"\xef\xbb", b"ab", b"\xef\xbbx", b"abcd", b"abcde"])
def test_only_a_whole_mark_is_passed_over(text: bytes, tmp_path: Path) -> None:
    for data, marked in ((text, False), (b"\xef\xbb\xbf" + text, True)):
        for packed in (data, gzip.compress(data)):
            with opened_text(_write(tmp_path / "a", packed)) as stream:
                assert stream.read() == text
                assert stream.marked is marked


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_mark_tells_the_encoding_even_against_the_format(encoding: str, tmp_path: Path) -> None:
    path = _write(tmp_path / "a", ("\ufeff" + SENTENCE).encode(encoding))
    for file_format in (AS_FOUND, FileFormat(encoding="cp1252")):
        with opened_text(path, file_format) as stream:
            assert stream.read().decode() == SENTENCE


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "shift_jis", "utf-8", "utf-8-sig", "ascii"])
@given(size=st.integers(1, 50), repeats=st.integers(1, 30))
def test_decoding_in_pieces_gives_the_whole_text(
    encoding: str, size: int, repeats: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = {"shift_jis": "バス停 東京\n", "ascii": "plain\n"}.get(encoding, SENTENCE) * repeats
    path = _write(tmp_path_factory.getbasetemp() / f"{encoding}.txt", text.encode(encoding))
    with opened_text(path, FileFormat(encoding=encoding)) as stream:
        pieces = list(iter(lambda: stream.read(size), b""))
    assert b"".join(pieces).decode() == text
    assert {len(piece) for piece in pieces[:-1]} <= {size}


def test_text_that_does_not_fit_the_named_encoding_names_the_line(tmp_path: Path) -> None:
    path = _write(tmp_path / "a", b"one\ntwo\nthr\x81ee " + SECRET.encode())
    with opened_text(path, FileFormat(encoding="cp1252")) as stream, pytest.raises(InputError) as caught:
        stream.read()
    assert_tells(caught.value)
    assert "not cp1252" in caught.value.what
    assert caught.value.where.endswith("line 3")


def test_utf16_without_the_mark_it_needs_is_told(tmp_path: Path) -> None:
    path = _write(tmp_path / "a", b"plate,speed\n" * 3)
    with (
        pytest.raises(InputError, match="not utf-16") as caught,
        opened_text(path, FileFormat(encoding="utf-16")),
    ):
        pass
    assert_tells(caught.value)
    assert 'encoding = "utf-8"' in caught.value.mend


def test_a_codec_that_is_no_encoding_of_text_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="not a text encoding") as caught,
        opened_text(_write(tmp_path / "a", b"6162"), FileFormat(encoding="hex")),
    ):
        pass
    assert_tells(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("lines", [0, 1, 70_000])
def test_the_first_line_that_does_not_fit_is_told_with_guesses(end: str, lines: int, tmp_path: Path) -> None:
    text = f"plain and long line{end}" * lines + f"Zürich {SECRET}{end}" * 3
    error = wrong_encoding(_write(tmp_path / "a", text.encode("cp1252")))
    assert_tells(error)
    assert error.what == "The text is not UTF-8."
    assert error.where.endswith(f"line {lines + 1}")
    assert 'encoding = "cp1252" under [data.format] (looks like cp1252, latin-1' in error.mend


def test_utf8_comes_first_where_it_fits() -> None:
    assert rank_encodings(SENTENCE.encode()) == ("utf-8",)
    assert rank_encodings(SENTENCE.encode()[:2]) == ("utf-8",), "the end of a sample may be cut"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_mark_decides(encoding: str) -> None:
    assert rank_encodings(("\ufeff" + SENTENCE).encode(encoding)) == (encoding,)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_recognised(encoding: str, tmp_path: Path) -> None:
    data = ("plate,speed\n" * 9 + SENTENCE).encode(encoding)
    assert rank_encodings(data) == (encoding,)
    assert f'encoding = "{encoding}"' in wrong_encoding(_write(tmp_path / "a", data)).mend


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SENTENCE, "cp1252"),
        ("Straße", "cp1252"),
        ("автобус следует по маршруту\n" * 9, "cp1251"),
        ("バス停 東京駅前 行き\n" * 9, "shift_jis"),
    ],
)
def test_the_likeliest_encoding_comes_first(text: str, encoding: str) -> None:
    ranked = rank_encodings(text.encode(encoding))
    assert ranked[0] == encoding
    assert 1 <= len(ranked) <= 3


@given(st.binary(max_size=300))
def test_every_guess_can_read_the_sample(sample: bytes) -> None:
    for name in rank_encodings(sample):
        decoded = codecs.getincrementaldecoder(name)("strict").decode(sample)
        assert len(decoded) <= len(sample), name


def test_lines_beyond_ascii_are_shown_as_read(tmp_path: Path) -> None:
    text = "".join(f"line {number}\nÖl {number}\n" for number in range(9)).encode("cp1252")
    path = _write(tmp_path / "a", text)
    assert non_ascii_lines(path, "cp1252") == tuple(f"Öl {number}" for number in range(5))
    assert non_ascii_lines(path, "utf-8", most=1) == ("\ufffdl 0",)
    assert non_ascii_lines(_write(path, b"plain\n"), "cp1252") == ()
    assert non_ascii_lines(_write(path, "the end: ü".encode()), "utf-8") == ("the end: ü",)


def test_of_a_long_line_only_the_part_that_matters_is_shown(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", ("x" * 500 + "é" + "y" * 500).encode())
    (line,) = non_ascii_lines(path, "utf-8")
    assert "é" in line
    assert len(line) < 130


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "utf-16-be"])
def test_a_file_in_another_encoding_is_guessed_from_where_it_is_none(
    tmp_path: Path, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    plain = "" if encoding.startswith("utf") else "plain text\n" * 20_000
    path = _write(tmp_path / "a.csv", pack((plain + SENTENCE).encode(encoding)))
    assert guess_encodings(path)[0] == encoding


@pytest.mark.parametrize(
    "data", [b"", b"plain", SENTENCE.encode(), ("\ufeff" + SENTENCE).encode("utf-16-le"), b"\xef\xbb\xbfx"]
)
def test_what_may_be_utf8_or_has_a_mark_is_not_guessed(tmp_path: Path, data: bytes) -> None:
    assert guess_encodings(_write(tmp_path / "a.csv", data)) == ()


@pytest.mark.parametrize("column", ["N° parc", "véhicule", "Größe", "Matrícula", "Año", "Nº", "Geschw. ø"])
def test_a_lone_letter_of_western_europe_is_no_east_asian_text(column: str) -> None:
    """Some two bytes of such a letter and its neighbour are a letter of another script too."""
    sample = f"{column};Ligne;Horodatage\n" + "403;C4;06/10/2026 05:00:00\n" * 500
    assert rank_encodings(sample.encode("cp1252"))[0] == "cp1252"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("shift_jis", "バス停,東京\n"), ("gb18030", "车辆,速度\n"), ("euc_kr", "차량,속도\n")],
)
def test_east_asian_names_are_still_seen_as_such(encoding: str, text: str) -> None:
    assert encoding in rank_encodings((text + "12,34\n" * 500).encode(encoding))


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX are bytes")
def test_the_name_of_a_file_need_not_be_text(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv"))
    path.write_bytes(b"some text")
    with opened_text(path) as text:
        source = text.source()
        assert source is not text
        assert source.read() == b"some text"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("车牌号,时间,经度,纬度,速度\n" + "粤B4101\n" * 200, "gb18030"),
        ("차량번호,시각,위도,경도,속도", "euc_kr"),
        ("Время,скорость,широта,номер", "cp1251"),
        ("Veículo,posição,ação", "cp1252"),
    ],
)
def test_chinese_is_proposed_as_chinese_and_nothing_else_is(text: str, encoding: str) -> None:
    assert rank_encodings((text + "\n7,1\n").encode(encoding))[0] == encoding
