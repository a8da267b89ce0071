"""Keys on disk and signatures that the minisign program accepts."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.errors import InputError
from core.keys.signing_key import generate_key, load_key, trusted_comment
from core.signed.minisign import parse_public_key, parse_signature, signed_by
from core.system import passphrase_key
from tests.builders import NOW, make_key

WORDS = "correct horse battery staple"


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_key_is_made_kept_and_loaded(tmp_path: Path) -> None:
    key = generate_key(tmp_path / "keys" / "city.2024", WORDS)
    loaded = load_key(tmp_path / "keys" / "city.2024.pem", WORDS)
    assert loaded.public == key.public
    published = (tmp_path / "keys" / "city.2024.pub").read_text()
    assert parse_public_key(published) == key.public
    assert key.public_text in published
    assert len(key.public_text) == 56
    assert len(key.key_id) == 16
    assert _names(tmp_path / "keys") == ["city.2024.pem", "city.2024.pub"]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_only_the_owner_reads_the_private_key(tmp_path: Path) -> None:
    generate_key(tmp_path / "key", WORDS)
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600


def test_a_stem_may_name_the_private_file(tmp_path: Path) -> None:
    generate_key(tmp_path / "key.pem", WORDS)
    assert _names(tmp_path) == ["key.pem", "key.pub"]


@pytest.mark.parametrize("name", ["key.pem", "key.pub"])
def test_no_existing_file_is_touched(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match="already"):
        generate_key(tmp_path / "key", WORDS)
    assert _names(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_a_folder_that_is_a_file_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        generate_key(tmp_path / "file" / "key", WORDS)


def test_a_disk_without_hard_links_still_keeps_the_first_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    monkeypatch.setattr(os, "link", refuse)
    key = generate_key(tmp_path / "key", WORDS)
    with pytest.raises(InputError, match="already"):
        generate_key(tmp_path / "key", WORDS)
    assert load_key(tmp_path / "key.pem", WORDS).public == key.public
    if os.name != "nt":  # there access lists keep others out (test_owner_rights)
        assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("passphrase", ["", "x" * 1024, "\ud800"])
def test_an_unusable_passphrase_is_refused(tmp_path: Path, passphrase: str) -> None:
    with pytest.raises(InputError, match="passphrase"):
        generate_key(tmp_path / "key", passphrase)
    assert _names(tmp_path) == []


def test_a_wrong_passphrase_unlocks_nothing(tmp_path: Path) -> None:
    generate_key(tmp_path / "key", WORDS)
    with pytest.raises(InputError, match="cannot be unlocked") as caught:
        load_key(tmp_path / "key.pem", "another")
    assert caught.value.exit_code == 2
    assert caught.value.mend


def test_a_wrong_passphrase_that_unpads_by_chance_unlocks_nothing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # one in 256 does; what it decrypts to is no key, and that is told in the same words
    monkeypatch.setattr(passphrase_key, "COST", 2)
    generate_key(tmp_path / "key", WORDS)
    content = (tmp_path / "key.pem").read_bytes()
    lucky = (words for words in map(str, range(20_000)) if _unpads(content, words.encode()))
    with pytest.raises(InputError, match="cannot be unlocked"):
        load_key(tmp_path / "key.pem", next(lucky))


def _unpads(content: bytes, secret: bytes) -> bool:
    try:
        serialization.load_pem_private_key(content, secret)
    except ValueError as error:
        return "password" not in str(error)
    return True


def _pem(private: object, secret: bytes | None = WORDS.encode()) -> bytes:
    assert hasattr(private, "private_bytes")
    lock = serialization.BestAvailableEncryption(secret) if secret else serialization.NoEncryption()
    encoded: bytes = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock
    )
    return encoded


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00 no key",
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        make_key().public.file_bytes,
        _pem(Ed25519PrivateKey.generate(), None),
        _pem(generate_private_key(SECP256R1())),
    ],
    ids=["empty", "garbage", "damaged", "public", "unprotected", "another-kind"],
)
def test_what_is_no_protected_ed25519_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_key(path, WORDS)
    assert caught.value.where == str(path)


@pytest.mark.parametrize("name", ["missing.pem", "."])
def test_a_key_that_cannot_be_read_is_said_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_key(tmp_path / name, WORDS)


def test_a_signature_holds_for_its_data_and_comment_only() -> None:
    key = make_key()
    signature = parse_signature(key.sign(b"data", trusted_comment("a-1.0.0", NOW)))
    assert signature is not None
    assert signature.trusted_comment == "timestamp:1714979289\tfile:SHA256SUMS\trelease:a-1.0.0"
    assert signed_by(key.public, b"data", signature)
    assert not signed_by(key.public, b"dat", signature)
    assert not signed_by(make_key(2).public, b"data", signature)


def test_a_key_shows_no_secret() -> None:
    assert "private" not in repr(make_key())


def test_a_disk_that_refuses_everything_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only disk refuses to remove even what is not there."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for name in ("mkdir", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    with pytest.raises(InputError, match="Read-only") as caught:
        generate_key(tmp_path / "keys" / "key", WORDS)
    assert caught.value.mend


def test_a_short_passphrase_is_refused_for_a_new_key_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too short: 11 of at least 12 characters") as caught:
        generate_key(tmp_path / "key", "x" * 11)
    assert caught.value.mend
    assert _names(tmp_path) == []


def test_a_key_of_an_older_version_opens_with_its_passphrase_of_any_length(tmp_path: Path) -> None:
    """PBKDF2 and seven characters: what was once made stays usable."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    encrypted = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"a story"),
    )
    (tmp_path / "key.pem").write_bytes(encrypted)
    assert load_key(tmp_path / "key.pem", "a story").private.private_bytes_raw() == bytes(32)
