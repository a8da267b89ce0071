"""A signed folder is believed as far as its sums and its signature hold, and no further."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.signed.bundle_names import MANIFEST, PRIVACY, PUBLIC_KEY, README, SIGNATURE
from core.signed.findings import Finding
from core.signed.signed_files import SignedFiles
from tests.builders import make_key, usual_bundle


def test_what_the_manifest_lists_is_read(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    for given in (None, make_key().public):
        files = SignedFiles(bundle, given)
        assert files.read(PRIVACY) == (bundle / PRIVACY).read_bytes()
        assert list(files.names) == sorted(files.names)
        assert not {MANIFEST, SIGNATURE} & set(files.names)


def test_another_signer_than_the_given_one_is_found(tmp_path: Path) -> None:
    with pytest.raises(Finding, match="the given key"):
        SignedFiles(usual_bundle(tmp_path), make_key(2).public)


@pytest.mark.parametrize("name", [README, MANIFEST, SIGNATURE, PUBLIC_KEY])
def test_a_changed_or_missing_file_is_found(name: str, tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    content = (bundle / name).read_bytes()
    (bundle / name).write_bytes(content[:40] + b"x" + content[41:])
    with pytest.raises(Finding):
        SignedFiles(bundle)
    (bundle / name).unlink()
    with pytest.raises(Finding, match=name):
        SignedFiles(bundle)


def test_what_is_not_listed_or_changes_later_is_not_read(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    files = SignedFiles(bundle)
    (bundle / "extra.csv").touch()
    (bundle / README).write_text("another", encoding="utf-8")
    for name in ("extra.csv", README):
        with pytest.raises(Finding, match=name):
            files.read(name)
