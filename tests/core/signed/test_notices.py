"""A notice says what its key's owner signed of this very bundle, and nothing else is believed."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path

import pytest

from core.keys.signing_key import trusted_comment
from core.signed.bundle_names import MANIFEST
from core.signed.findings import Finding
from core.signed.notices import (
    LONGEST_REASON,
    Notice,
    NoticeKind,
    is_reason,
    notice_path,
    read_notice,
    signature_of,
)
from tests.builders import NOW, make_key, usual_bundle

RELEASE = "city-1.0.0"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return usual_bundle(tmp_path)


def _sum(bundle: Path) -> str:
    return hashlib.sha256((bundle / MANIFEST).read_bytes()).hexdigest()


def _write(bundle: Path, content: bytes, *, signer: int = 1) -> None:
    path = notice_path(bundle, RELEASE)
    path.write_bytes(content)
    signature = make_key(signer).sign(content, trusted_comment(RELEASE, NOW, file=path.name))
    signature_of(notice_path(bundle, RELEASE)).write_bytes(signature)


def _notice(bundle: Path, kind: NoticeKind = NoticeKind.WITHDRAWN) -> Notice:
    return Notice(
        kind=kind,
        release=RELEASE,
        manifest_sha256=_sum(bundle),
        on=dt.date(2026, 11, 23),
        reason="The units were wrong.",
        replaced_by="city-1.0.1" if kind is NoticeKind.CORRECTED else "",
    )


def _read(bundle: Path) -> Notice | None:
    return read_notice(bundle, RELEASE, _sum(bundle), make_key().public)


@pytest.mark.parametrize("kind", NoticeKind)
def test_what_was_signed_is_read_back(bundle: Path, kind: NoticeKind) -> None:
    assert _read(bundle) is None
    notice = _notice(bundle, kind)
    _write(bundle, notice.file_bytes)
    assert _read(bundle) == notice
    assert kind.upper() in notice.sentence
    assert notice.replaced_by in notice.sentence


def test_another_signer_and_a_changed_byte_are_found(bundle: Path) -> None:
    content = _notice(bundle).file_bytes
    _write(bundle, content, signer=2)
    with pytest.raises(Finding, match="not signed by key"):
        _read(bundle)
    _write(bundle, content)
    notice_path(bundle, RELEASE).write_bytes(content.replace(b"wrong", b"right"))
    with pytest.raises(Finding, match="not signed by key"):
        _read(bundle)
    notice_path(bundle, RELEASE).write_bytes(content)
    signature_of(notice_path(bundle, RELEASE)).unlink()
    with pytest.raises(Finding, match="not signed by key"):
        _read(bundle)


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"release": "town-1.0.0"}, "another release"),
        ({"manifest_sha256": "0" * 64}, "another bundle of this name"),
        ({"manifest_sha256": "0"}, "names no bundle"),
        ({"format": "hexveil-notice-9"}, "does not know"),
        ({"notice": "praised"}, "neither withdraws nor corrects"),
        ({"on": "yesterday"}, "names no day"),
        ({"reason": ""}, "no reason"),
        ({"reason": "two\nlines"}, "no reason"),
        ({"reason": 7}, "not text"),
        ({"replaced_by": "city-2.0.0"}, "only where it corrects"),
        ({"notice": "corrected"}, "only where it corrects"),
        ({"notice": "corrected", "replaced_by": "../city"}, "takes its place"),
        ({"more": 1}, "other fields"),
    ],
)
def test_what_is_no_notice_on_this_bundle_is_found(
    bundle: Path, changes: dict[str, object], finding: str
) -> None:
    document = json.loads(_notice(bundle).file_bytes) | changes
    _write(bundle, json.dumps(document).encode())
    with pytest.raises(Finding, match=finding):
        _read(bundle)


def test_a_file_that_is_too_large_is_not_read(bundle: Path) -> None:
    notice_path(bundle, RELEASE).write_bytes(b" " * 100_000)
    with pytest.raises(Finding, match="too large"):
        _read(bundle)


def test_a_reason_is_one_line() -> None:
    assert is_reason("x" * LONGEST_REASON)
    assert not any(map(is_reason, ("", " x", "a\tb", "a\nb", "x" * (LONGEST_REASON + 1))))
