"""Reading what strangers wrote."""

from __future__ import annotations

import pytest

from core.signed.findings import Finding, decoded, json_object, require, same_json, shown, text_at


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"\xef\xbb\xbf{}",
        b"[]",
        b"1",
        b"null",
        b"{",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 1}}',
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_plain_object_is_a_finding(content: bytes) -> None:
    with pytest.raises(Finding):
        json_object("file", content)


def test_an_object_is_read() -> None:
    assert json_object("file", b'{"a": [1, "x"]}') == {"a": [1, "x"]}
    assert decoded("file", "ह".encode()) == "ह"


def test_types_count_in_comparison() -> None:
    assert same_json({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not same_json(1, True)
    assert not same_json(1, 1.0)


def test_text_from_a_stranger_cannot_reach_the_terminal() -> None:
    assert shown("\x1b[31mred\u202e") == r"'\x1b[31mred\u202e'"
    assert len(shown("x" * 1000)) < 90


def test_require_names_the_finding() -> None:
    require(True, "no")
    with pytest.raises(Finding, match="why"):
        require(False, "why")


def test_a_text_is_found_by_its_names() -> None:
    assert text_at({"a": {"b": "c"}}, "a", "b") == "c"
    with pytest.raises(Finding, match=r"a\.b"):
        text_at({"a": {}}, "a", "b")
