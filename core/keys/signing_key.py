"""The publisher's signing key: an empty or long passphrase, a name there already, no Ed25519, not unlocked.

Source: method 18.2 (PKCS8 PEM, passphrase by scrypt, mode 0600).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.errors import InputError
from core.keys.encryption import encrypted_pem
from core.signed.bundle_names import MANIFEST
from core.signed.minisign import PublicKey, Signature, prehash, public_key_of
from core.system.files import sync_folder, write_synced
from core.system.files_in_use import when_released
from core.system.passphrase_strength import require_length
from core.system.paths import program_name
from core.system.regular_files import read_regular
from core.texts import text_of

PRIVATE_SUFFIX = ".pem"
PUBLIC_SUFFIX = ".pub"
_ENCRYPTED = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"
_LONGEST_FILE = 65_536
_LONGEST_PASSPHRASE = 1023
"""Bytes of a signing key's passphrase; the library takes no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """An unlocked private key. Its text shows the public part only."""

    private: Ed25519PrivateKey = field(repr=False)
    public: PublicKey

    @property
    def public_text(self) -> str:
        """The 56 characters to announce on the publisher's own site."""
        return self.public.text

    @property
    def key_id(self) -> str:
        """16 upper-case hex digits, as minisign prints them."""
        return self.public.key_id

    @property
    def fingerprint(self) -> str:
        """Groups of four hex digits, for people to compare."""
        return self.public.fingerprint

    def sign(self, data: bytes, trusted_comment: str) -> bytes:
        """The `.minisig` file of `data`; the trusted comment is ASCII."""
        signature = self.private.sign(prehash(data))
        return Signature(
            identity=self.public.identity,
            signature=signature,
            trusted_comment=trusted_comment,
            comment_signature=self.private.sign(signature + trusted_comment.encode("ascii")),
        ).file_bytes


def trusted_comment(release: str, signed_at: dt.datetime, *, file: str = MANIFEST) -> str:
    """What the signature vouches for besides the file: when, and which `<name>-<version>`."""
    return f"timestamp:{int(signed_at.timestamp())}\tfile:{file}\trelease:{release}"


def generate_key(stem: Path, passphrase: str) -> SigningKey:
    """Make a new key and write it as `write_key` does. Raises InputError as that does."""
    return write_key(stem, Ed25519PrivateKey.generate(), passphrase)


def write_key(stem: Path, private: Ed25519PrivateKey, passphrase: str) -> SigningKey:
    """Write a key: `<stem>.pem` (encrypted, mode 0600) and, beside it, `<stem>.pub`.

    Raises InputError for a passphrase that is empty or shorter than `LEAST_LENGTH`, when either file exists
    already, or when the folder cannot be written; then neither file is left behind.
    """
    secret = _checked_passphrase(passphrase)
    require_length(passphrase, where="passphrase")
    key = _wrapped(private)
    encrypted = encrypted_pem(key.private, secret)
    base = str(stem).removesuffix(PRIVATE_SUFFIX)
    _write_new(
        {
            Path(base + PRIVATE_SUFFIX): (encrypted, 0o600),
            Path(base + PUBLIC_SUFFIX): (key.public.file_bytes, 0o644),
        }
    )
    return key


def load_key(path: Path, passphrase: str) -> SigningKey:
    """Unlock a key file. Raises InputError for a wrong passphrase, no file, or no Ed25519 key."""
    secret = _checked_passphrase(passphrase)
    content = _read(path)
    if _ENCRYPTED not in content:
        raise InputError(
            "This file contains no private key protected by a passphrase.",
            where=str(path),
            mend=text_of("name the .pem file that `{value} keygen` wrote", value=program_name()),
        )
    try:
        private = serialization.load_pem_private_key(content, secret)
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError):  # the last for some damage
        raise InputError(
            "The signing key cannot be unlocked.",
            where=str(path),
            mend="check the passphrase; if it is right, the file is damaged: restore a copy",
        ) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise InputError(
            "This is not an Ed25519 key.",
            where=str(path),
            mend=text_of("make one with `{value} keygen`", value=program_name()),
        )
    return _wrapped(private)


def _wrapped(private: Ed25519PrivateKey) -> SigningKey:
    return SigningKey(private=private, public=public_key_of(private.public_key().public_bytes_raw()))


def _checked_passphrase(passphrase: str) -> bytes:
    try:
        secret = passphrase.encode("utf-8")
    except UnicodeEncodeError:
        secret = b""
    if not 0 < len(secret) <= _LONGEST_PASSPHRASE:
        raise InputError(
            "A signing key needs a passphrase.",
            where="passphrase",
            mend=text_of(
                "choose one of 1 to {longest_passphrase} bytes, best several words",
                longest_passphrase=_LONGEST_PASSPHRASE,
            ),
        )
    return secret


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, most=_LONGEST_FILE)
    except OSError as error:
        raise InputError(
            "The signing key cannot be read: {strerror}.",
            strerror=error.strerror,
            where=str(path),
            mend=text_of(
                "name an existing key with --key, or make one with `{value} keygen`", value=program_name()
            ),
        ) from None


def _write_new(files: Mapping[Path, tuple[bytes, int]]) -> None:
    """Write all files or none, each whole, never over an existing one. path -> (content, mode)."""
    placed: list[Path] = []
    partial: list[Path] = []
    try:
        for path, (content, mode) in files.items():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial.append(path.with_name(f".{path.name}.{secrets.token_hex(6)}.partial"))
            write_synced(partial[-1], content, mode=mode)
        for temporary, path in zip(partial, files, strict=True):
            _place(temporary, path)
            placed.append(path)
        sync_folder(placed[-1].parent)
    except OSError as error:
        _remove(placed)
        raise _not_written(error, path) from None
    finally:
        _remove(partial)


def _remove(paths: list[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):  # a read-only disk refuses even for what is not there
            path.unlink()


def _place(temporary: Path, path: Path) -> None:
    """Give a whole file its name; raises FileExistsError rather than replace another."""
    if os.name == "nt":
        when_released(lambda: temporary.rename(path))
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links, such as a memory stick's: still never over a file.
        write_synced(path, read_regular(temporary), mode=temporary.stat().st_mode & 0o777)


def _not_written(error: OSError, path: Path) -> InputError:
    if os.path.lexists(path):
        return InputError(
            "There is a key of that name already; it stays as it is.",
            where=str(path),
            mend="choose another name with --out",
        )
    return InputError(
        "The key cannot be written: {strerror}.",
        strerror=error.strerror,
        where=str(path),
        mend="choose a folder that you can write to",
    )
