"""A key that only a passphrase gives: scrypt makes each guess of it cost memory as well as time.

Somebody who has stolen the file cannot try many guesses quickly. Source: RFC 7914 (scrypt).
"""

from __future__ import annotations

from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

COST = 1 << 17
"""scrypt's N: with blocks of 1024 bytes 128 MiB a guess, and some tenths of a second."""
BLOCK = 8
PARALLEL = 1
KEY_BYTES = 32
SALT_BYTES = 16


def derived_key(passphrase: bytes, salt: bytes, cost: int) -> bytes:
    """The key of a passphrase with a salt at a cost: `KEY_BYTES` bytes, the same for the same three."""
    return Scrypt(salt=salt, length=KEY_BYTES, n=cost, r=BLOCK, p=PARALLEL).derive(passphrase)
