"""What a stolen key file costs to open."""

from __future__ import annotations

import base64
import secrets

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.keys.encryption import encrypted_pem
from core.system import passphrase_key

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SCRYPT = bytes.fromhex("06092b06010401da47040b")
"""Its object identifier, 1.3.6.1.4.1.11591.4.11, as RFC 7914 has it."""


@pytest.mark.parametrize("passphrase", [b"correct horse", "Schlüssel €".encode(), b"x" * 1023])
def test_the_passphrase_opens_it_and_no_other(passphrase: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    # of real salts one in 256 lets a wrong passphrase unpad by chance: it fails all the same, in other words
    monkeypatch.setattr(secrets, "token_bytes", lambda size: bytes(range(size)))
    content = encrypted_pem(PRIVATE, passphrase)
    opened = serialization.load_pem_private_key(content, passphrase)
    assert isinstance(opened, Ed25519PrivateKey)
    assert opened.private_bytes_raw() == PRIVATE.private_bytes_raw()
    with pytest.raises(ValueError, match="password"):
        serialization.load_pem_private_key(content, passphrase[:-1])


def test_scrypt_derives_and_salts_differ() -> None:
    one, other = (encrypted_pem(PRIVATE, b"correct horse") for _ in range(2))
    assert one != other
    body = base64.b64decode(b"".join(one.splitlines()[1:-1]))
    assert SCRYPT in body
    assert PRIVATE.private_bytes_raw() not in body


@pytest.mark.parametrize("cost", [2, 1 << 7, 1 << 8, 1 << 15])
def test_any_cost_is_written_as_it_is_read(cost: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrase_key, "COST", cost)
    assert serialization.load_pem_private_key(encrypted_pem(PRIVATE, b"words"), b"words")
