"""Withdrawing and correcting: who signed may, the bundle stays, the ledger and `verify` know of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.keys.notice import PublishedNotice, publish_notice
from core.signed.notices import LONGEST_REASON, NoticeKind, notice_path, signature_of
from core.verify.verify import verify_bundle
from tests.builders import NOW, make_bundle, make_key, make_texts, usual_bundle
from tests.commands import snapshot


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return usual_bundle(tmp_path)


def _notice(bundle: Path, *, by: Path | None = None, reason: str = "Wrong units.") -> PublishedNotice:
    return publish_notice(bundle, reason=reason, key=make_key(), now=NOW, replaced_by=by)


def _failed(bundle: Path) -> dict[str, str]:
    found = verify_bundle(bundle, make_key().public_text)
    return {check.name: check.detail for check in found.checks if not check.passed}


def test_a_withdrawn_bundle_stays_as_it_is_and_verify_says_so(bundle: Path) -> None:
    before = snapshot(bundle)
    assert _failed(bundle) == {}
    published = _notice(bundle)
    assert snapshot(bundle) == before
    assert published.notice.kind is NoticeKind.WITHDRAWN
    assert not published.noted
    assert _failed(bundle) == {"notice": published.notice.sentence}
    assert verify_bundle(bundle).only_noticed == published.notice
    assert set(dict.fromkeys(check.name for check in verify_bundle(bundle).checks)) >= {"notice", "sums"}


def test_a_correction_names_what_takes_its_place_and_may_be_corrected_again(
    bundle: Path, tmp_path: Path
) -> None:
    later = make_bundle(tmp_path, texts=make_texts(version="1.0.1"))
    latest = make_bundle(tmp_path, texts=make_texts(version="1.0.2"))
    for by in (later, latest):
        assert _notice(bundle, by=by).notice.replaced_by == by.name
        assert f"use {by.name} instead" in _failed(bundle)["notice"]
    assert _failed(latest) == {}
    _notice(bundle)
    assert "WITHDRAWN" in _failed(bundle)["notice"]
    with pytest.raises(InputError, match="was withdrawn on"):
        _notice(bundle, by=latest)


@pytest.mark.parametrize("corrected", [True, False])
def test_what_takes_its_place_was_neither_withdrawn_nor_corrected(
    bundle: Path, tmp_path: Path, *, corrected: bool
) -> None:
    """Two corrections of each other would send readers from one to the other for ever."""
    other = make_bundle(tmp_path, texts=make_texts(version="1.0.1"))
    _notice(other, by=bundle if corrected else None)
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match="corrected" if corrected else "withdrawn") as told:
        _notice(bundle, by=other)
    assert told.value.where == str(other)
    assert (bundle.name in told.value.mend) is corrected
    assert snapshot(tmp_path) == before
    _notice(bundle)


def test_a_notice_that_the_publisher_did_not_sign_counts_for_nothing(bundle: Path) -> None:
    path = _notice(bundle).path
    path.write_bytes(path.read_bytes().replace(b"units", b"speed"))
    found = {check.name: check for check in verify_bundle(bundle).checks}
    assert found["notice"].passed
    assert "it is ignored" in found["notice"].detail
    assert verify_bundle(bundle).notice is None
    _notice(bundle)  # a sound one takes its place
    assert "WITHDRAWN" in _failed(bundle)["notice"]


def test_only_who_signed_the_bundle_may_and_nothing_is_written_otherwise(
    bundle: Path, tmp_path: Path
) -> None:
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match="did not sign this bundle"):
        publish_notice(bundle, reason="Mine.", key=make_key(2), now=NOW)
    with pytest.raises(InputError, match="not a release bundle"):
        _notice(tmp_path / "nowhere")
    with pytest.raises(InputError, match="its own place"):
        _notice(bundle, by=bundle)
    for reason in ("", "two\nlines", "x" * (LONGEST_REASON + 1)):
        with pytest.raises(InputError, match="one line"):
            _notice(bundle, reason=reason)
    assert snapshot(tmp_path) == before


def test_the_two_files_lie_beside_the_bundle(bundle: Path) -> None:
    assert _notice(bundle).path == notice_path(bundle, bundle.name)
    assert signature_of(notice_path(bundle, bundle.name)).is_file()
