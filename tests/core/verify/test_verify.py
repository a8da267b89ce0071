"""The whole verification: every byte, every file, every key, and input from hostile hands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.bundle.datapackage import json_bytes
from core.bundle.formats import NEWEST_FORMAT
from core.errors import InputError
from core.portal.policy import policy_of_statement
from core.portal.policy_pages import policy_pages
from core.progress import Cancelled
from core.published.ckan_package import ckan_package
from core.release.bundle import bundle_files
from core.signed.bundle_names import DATAPACKAGE, MANIFEST, PRIVACY, PUBLIC_KEY, SIGNATURE
from core.verify import verify
from core.verify.folder import BundleFolder, read_folder
from core.verify.maps import folder_tables
from core.verify.verify import Verification, verify_bundle
from tests.builders import (
    NOW,
    forge,
    large_bundle,
    make_bundle,
    make_key,
    make_release,
    make_texts,
    resign,
    usual_bundle,
)

REQUIRED = NEWEST_FORMAT.files
every_file = pytest.mark.parametrize("name", REQUIRED)


def _failed(verification: Verification) -> set[str]:
    return {check.name for check in verification.checks if not check.passed}


def test_an_honest_bundle_holds(tmp_path: Path) -> None:
    verification = verify_bundle(usual_bundle(tmp_path), make_key().public_text)
    assert _failed(verification) == set()
    assert verification.ok
    assert verification.trusted
    assert verification.key_id == make_key().key_id
    assert all(check.detail for check in verification.checks)


SEALED = {"sizes", "files", "signature", "signer", "sums", "memory"}
"""What is looked at of a bundle before anything in it is understood."""


def _spoil_sum(bundle: Path) -> None:
    (bundle / "report.html").write_bytes(b"")


def _spoil_signature(bundle: Path) -> None:
    resign(bundle, make_key(2))


def _add_file(bundle: Path) -> None:
    (bundle / "more").write_bytes(b"")


@pytest.mark.parametrize("spoil", [_spoil_sum, _spoil_signature, _add_file])
def test_what_is_not_sealed_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None]
) -> None:
    bundle = usual_bundle(tmp_path)
    spoil(bundle)
    monkeypatch.setattr("core.verify.verify.read_folder", None)
    verification = verify_bundle(bundle)
    assert verification.stopped
    assert not verification.ok
    assert {check.name for check in verification.checks} == SEALED


def test_sizes_come_before_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = usual_bundle(tmp_path)
    for name, limit, told in (
        ("_LARGEST_SEAL", 100, "SHA256SUMS is too large"),
        ("_LARGEST_BUNDLE", 20_000, "too large for a bundle"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"core.verify.folder.{name}", limit)
            (check,) = verify_bundle(bundle).checks
            assert (check.name, check.passed) == ("sizes", False)
            assert told in check.detail


def test_without_a_key_size_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, signature and sums are checked; what is too large waits for the publisher's key."""
    bundle = usual_bundle(tmp_path)
    monkeypatch.setattr("core.verify.folder._LARGEST_UNKNOWN", 20_000)
    verification = verify_bundle(bundle)
    assert not verification.ok
    assert verification.only_unread
    assert {check.name for check in verification.checks if check.passed} == SEALED - {"memory"}
    (unread,) = (check for check in verification.checks if not check.passed)
    assert "of an unknown signer: give the publisher's key" in unread.detail
    assert verify_bundle(bundle, make_key().public_text).ok
    _spoil_sum(bundle)
    assert not verify_bundle(bundle).only_unread


def test_a_manifest_of_any_length_is_not_read(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    with (bundle / MANIFEST).open("r+b") as file:
        file.truncate(1 << 40)
    (check,) = verify_bundle(bundle, make_key().public_text).checks
    assert "SHA256SUMS is too large" in check.detail


def test_without_a_key_nobody_is_trusted(tmp_path: Path) -> None:
    verification = verify_bundle(usual_bundle(tmp_path))
    assert verification.ok
    assert not verification.trusted
    (signer,) = (check for check in verification.checks if check.name == "signer")
    assert "signer not checked" in signer.detail


def test_the_key_may_come_from_a_file(tmp_path: Path) -> None:
    key = tmp_path / "city.pub"
    key.write_bytes(make_key().public.file_bytes)
    assert verify_bundle(usual_bundle(tmp_path), str(key)).trusted


def test_another_key_fails(tmp_path: Path) -> None:
    verification = verify_bundle(usual_bundle(tmp_path), make_key(2).public_text)
    assert _failed(verification) == {"signer"}
    assert not verification.trusted


def test_a_bundle_signed_again_by_another_fails_only_against_the_right_key(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, key=make_key(2))
    assert verify_bundle(bundle).ok
    assert _failed(verify_bundle(bundle, make_key().public_text)) == {"signer"}


def test_a_signature_by_another_key_than_the_one_inside_fails(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    resign(bundle, make_key(2))
    assert {"signature", "signer"} <= _failed(verify_bundle(bundle, make_key().public_text))
    assert "signature" in _failed(verify_bundle(bundle))
    # Even the forger's own key does not help: the key inside is not his.
    assert "signer" in _failed(verify_bundle(bundle, make_key(2).public_text))


@every_file
def test_one_changed_byte_fails(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    content = bytearray((bundle / name).read_bytes())
    for position in {0, len(content) // 3, len(content) // 2, len(content) - 1}:
        changed = content.copy()
        changed[position] ^= 1
        (bundle / name).write_bytes(changed)
        assert not verify_bundle(bundle).ok, position
        assert not verify_bundle(bundle, make_key().public_text).ok, position


@pytest.mark.parametrize("name", [MANIFEST, SIGNATURE, PUBLIC_KEY])
def test_every_byte_of_the_signed_part_counts(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    content = (bundle / name).read_bytes()
    for position in range(0, len(content), 7):
        changed = bytearray(content)
        changed[position] ^= 0x20
        (bundle / name).write_bytes(changed)
        assert not verify_bundle(bundle).ok, position


@every_file
def test_an_appended_byte_fails(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / name).write_bytes((bundle / name).read_bytes() + b"\n")
    assert not verify_bundle(bundle).ok


@every_file
def test_a_missing_file_fails(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / name).unlink()
    verification = verify_bundle(bundle)
    assert "files" in _failed(verification)
    assert any(name in check.detail for check in verification.checks)


@every_file
def test_an_emptied_file_fails(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / name).write_bytes(b"")
    assert not verify_bundle(bundle).ok


@every_file
def test_an_added_file_beside_it_fails(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / f"{name}.bak").write_bytes((bundle / name).read_bytes())
    assert _failed(verify_bundle(bundle)) == {"files"}


@pytest.mark.parametrize("missing", [(MANIFEST, DATAPACKAGE), REQUIRED])
def test_without_both_names_it_is_no_bundle(tmp_path: Path, missing: tuple[str, ...]) -> None:
    bundle = usual_bundle(tmp_path)
    for name in missing:
        (bundle / name).unlink()
    with pytest.raises(InputError, match="not a release bundle") as caught:
        verify_bundle(bundle)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("path", ["nowhere", "file"])
def test_no_folder_is_no_bundle(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        verify_bundle(tmp_path / path)


def test_one_of_both_names_is_a_broken_bundle(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).mkdir()
    assert not verify_bundle(tmp_path).ok


def test_an_unusable_key_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        verify_bundle(usual_bundle(tmp_path), "RWS")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "comment",
    [
        "timestamp:1\tfile:SHA256SUMS\trelease:another-1.0.0",
        "timestamp:1\tfile:other\trelease:austin-bus-speed-1.0.0",
        "timestamp:x\tfile:SHA256SUMS\trelease:austin-bus-speed-1.0.0",
        "release:austin-bus-speed-1.0.0",
        "timestamp:1\tfile:SHA256SUMS\trelease:austin-bus-speed-1.0.0\tmore",
    ],
)
def test_a_signed_comment_about_something_else_fails(tmp_path: Path, comment: str) -> None:
    bundle = usual_bundle(tmp_path)
    resign(bundle, make_key(), comment=comment)
    failed = _failed(verify_bundle(bundle, make_key().public_text))
    assert failed == ({"privacy"} if "another" in comment else {"signature", "signer"})


def test_another_untrusted_comment_fails(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    content = (bundle / SIGNATURE).read_bytes()
    (bundle / SIGNATURE).write_bytes(content.replace(b"of the release manifest", b"from the city"))
    verification = verify_bundle(bundle, make_key().public_text)
    assert {"signature", "signer"} <= _failed(verification)
    assert verification.key_id == ""


def test_a_key_file_written_otherwise_fails_though_signed(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    content = make_key().public.file_bytes.replace(b"minisign public key", b"the only true key")
    forge(bundle, {PUBLIC_KEY: content})
    assert "signature" in _failed(verify_bundle(bundle))


@pytest.mark.parametrize("name", [name for name in REQUIRED if name.endswith((".json", ".csv", ".geojson"))])
@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"{}",
        b"[]",
        b"null",
        b"NaN",
        b'{"resources": [{"schema": {"fields": null}}], "charges": {"vehicle": 1e999}}',
        b'{"type": "FeatureCollection", "features": [null, 1, {"geometry": {"coordinates": [[[NaN]]]}}]}',
        b"9" * 6000,
        b'"' + b"a,\n" * 1000,
        b'{"name": "\\ud800", "version": "\\u0000", "format": "hexveil-privacy-1"}',
    ],
    ids=lambda content: repr(content[:12]),
)
def test_signed_rubbish_is_a_failed_check(tmp_path: Path, name: str, content: bytes) -> None:
    bundle = usual_bundle(tmp_path)
    forge(bundle, {name: content})
    verification = verify_bundle(bundle, make_key().public_text)
    assert not verification.ok
    assert all("cannot be checked" not in check.detail for check in verification.checks)


@cache
def _honest() -> dict[str, bytes]:
    return bundle_files(make_release(), make_texts(), key=make_key(), now=NOW)


def _write(bundle: Path, files: dict[str, bytes]) -> None:
    for folder in ("data", "map"):
        (bundle / folder).mkdir(parents=True)
    for name, content in files.items():
        (bundle / name).write_bytes(content)


@given(
    name=st.sampled_from(REQUIRED),
    start=st.floats(0, 1),
    removed=st.integers(0, 40),
    inserted=st.binary(max_size=40) | st.sampled_from([b"9" * 5000, b"NaN", b"-1e999", b'"', b"[[", b",\n"]),
    honest_sums=st.booleans(),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_no_mutation_raises_or_passes_unseen(
    name: str, start: float, removed: int, inserted: bytes, honest_sums: bool
) -> None:
    content = _honest()[name]
    at = int(start * len(content))
    mutated = content[:at] + inserted + content[at + removed :]
    with TemporaryDirectory() as folder:
        bundle = Path(folder) / make_texts().folder
        _write(bundle, {**_honest(), name: mutated})
        if honest_sums:
            resign(bundle, make_key())
        verification = verify_bundle(bundle, make_key().public_text)
    if mutated != content and not honest_sums:
        assert not verification.ok
    json.dumps([(check.name, check.detail) for check in verification.checks])


EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("policy"), texts=make_texts(policy=True, publisher=EVIL))


@pytest.fixture
def bundle(_made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_made, tmp_path / _made.name))


def failed(bundle: Path) -> dict[str, str]:
    """Check -> why it failed."""
    return {one.name: one.detail for one in verify_bundle(bundle).checks if not one.passed}


def test_a_bundle_with_its_policy_holds(bundle: Path) -> None:
    found = verify_bundle(bundle)
    assert found.ok
    assert [one.detail for one in found.checks if one.name == "policy"] == [
        "policy.html and policy.md say what privacy.json states"
    ]
    privacy = json.loads((bundle / PRIVACY).read_bytes())
    tables = folder_tables(read_folder(bundle))
    for name, content in policy_pages(policy_of_statement(privacy, tables)).items():
        assert (bundle / name).read_bytes() == content
        assert EVIL.encode() not in content


def test_it_is_listed_for_people_machines_and_portals(bundle: Path) -> None:
    assert "`policy.html`, `policy.md`" in (bundle / "README.md").read_text(encoding="utf-8")
    listed = {one["path"]: one for one in json.loads((bundle / DATAPACKAGE).read_bytes())["resources"]}
    assert listed["policy.html"]["mediatype"] == "text/html"
    assert listed["policy.md"]["bytes"] == (bundle / "policy.md").stat().st_size
    assert {"policy.html", "policy.md"} <= {one["url"] for one in ckan_package(bundle)["resources"]}
    assert "policy.html" in (bundle / "dcat.jsonld").read_text(encoding="utf-8")


def test_without_the_key_there_is_none(tmp_path: Path) -> None:
    usual = usual_bundle(tmp_path)
    assert not list(usual.glob("policy.*"))
    found = verify_bundle(usual)
    assert found.ok
    assert "policy" not in {one.name for one in found.checks}
    assert "policy" not in (usual / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["policy.html", "policy.md"])
def test_other_figures_than_the_statement_s_fail(bundle: Path, name: str) -> None:
    content = (bundle / name).read_bytes()
    changed = content.replace(b"10", b"99", 1)
    assert changed != content
    forge(bundle, {name: changed})
    assert failed(bundle) == {"policy": f"{name} does not match privacy.json"}


def test_another_statement_fails_too(bundle: Path) -> None:
    privacy = json.loads((bundle / PRIVACY).read_bytes())
    privacy["limits"]["vehicle"] = "11"
    forge(bundle, {PRIVACY: json_bytes(privacy)})
    assert "policy.html does not match privacy.json" in failed(bundle)["policy"]


def test_half_a_policy_fails(bundle: Path) -> None:
    (bundle / "policy.md").unlink()
    forge(bundle, {})
    assert failed(bundle)["policy"] == "policy.md is missing"


@pytest.fixture(scope="module")
def _large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_bundle(tmp_path_factory.mktemp("large"), 1_500)


@pytest.fixture
def large(_large: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle for which limit, piece and step are so small that its features and its table take several."""
    for name, size in (("_LARGEST_UNKNOWN", 500_000), ("_PIECE", 1 << 16), ("_STEP", 400)):
        monkeypatch.setattr(f"core.verify.folder.{name}", size)
    return _large


def test_features_of_any_size_hold_without_a_key(large: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in large.rglob("*.*")}
    assert [name for name, size in sizes.items() if size > 500_000] == ["speed_by_hat.geojson"]
    found = verify_bundle(large)
    assert found.ok
    assert not found.trusted


def test_progress_rises_and_a_check_is_stopped_within_it(large: Path) -> None:
    seen: list[tuple[float, str]] = []
    verify_bundle(large, progress=lambda done, text="": seen.append((done, text)))
    shares = [done for done, _ in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    for name in ("data", "geojson"):
        inside = [done for done, text in seen if text == f"Checking {name}"]
        assert len(set(inside)) > 2

        def stop(done: float, _: str = "", *, after: float = inside[1]) -> None:
            if done >= after:
                raise Cancelled

        with pytest.raises(Cancelled):
            verify_bundle(large, progress=stop)


def test_features_that_change_while_they_are_read_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read from the disk once more, after their sum was compared."""
    bundle = usual_bundle(tmp_path)
    path = bundle / "map" / "speed_by_hat.geojson"
    compared = verify.check_sums

    def changed_since(folder: BundleFolder) -> str:
        said = compared(folder)
        path.write_bytes(path.read_bytes().rstrip() + b" \n")
        return said

    monkeypatch.setattr(verify, "check_sums", changed_since)
    failed = {check.name: check.detail for check in verify_bundle(bundle).checks if not check.passed}
    assert failed.keys() >= {"datapackage", "geojson"}
    assert "was changed" in failed["geojson"]
