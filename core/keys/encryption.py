"""A private key under a passphrase: PKCS #8 in PEM, encrypted by AES-256 under a key that scrypt derives.

Source: RFC 5958 (PKCS #8), RFC 8018 (PBES2), RFC 7914 (scrypt and its parameters in PBES2).
"""

from __future__ import annotations

import base64
import secrets

from cryptography.hazmat.primitives import padding, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from core.system import passphrase_key
from core.system.passphrase_key import BLOCK, PARALLEL, SALT_BYTES, derived_key

_PBES2 = (1, 2, 840, 113549, 1, 5, 13)
_SCRYPT = (1, 3, 6, 1, 4, 1, 11591, 4, 11)
_AES_256_CBC = (2, 16, 840, 1, 101, 3, 4, 1, 42)
_SEQUENCE, _INTEGER, _OCTETS, _OBJECT = 0x30, 0x02, 0x04, 0x06
_LINE = 64


def encrypted_pem(private: Ed25519PrivateKey, passphrase: bytes) -> bytes:
    """The key as a PEM file that only the passphrase opens."""
    salt, start = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(16)
    cost = passphrase_key.COST
    key = derived_key(passphrase, salt, cost)
    plain = private.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    padder, encryptor = (
        padding.PKCS7(128).padder(),
        Cipher(algorithms.AES256(key), modes.CBC(start)).encryptor(),
    )
    hidden = encryptor.update(padder.update(plain) + padder.finalize()) + encryptor.finalize()
    derived = _sequence(_octets(salt), _integer(cost), _integer(BLOCK), _integer(PARALLEL))
    scheme = _sequence(_sequence(_object(_SCRYPT), derived), _sequence(_object(_AES_256_CBC), _octets(start)))
    content = base64.b64encode(_sequence(_sequence(_object(_PBES2), scheme), _octets(hidden))).decode()
    lines = [content[place : place + _LINE] for place in range(0, len(content), _LINE)]
    kind = "ENCRYPTED PRIVATE KEY"
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----", ""]).encode("ascii")


def _sequence(*parts: bytes) -> bytes:
    return _tagged(_SEQUENCE, b"".join(parts))


def _octets(content: bytes) -> bytes:
    return _tagged(_OCTETS, content)


def _integer(number: int) -> bytes:
    # one bit more than it needs: the first one is the sign
    return _tagged(_INTEGER, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _object(numbers: tuple[int, ...]) -> bytes:
    """An object identifier: the first two numbers in one, each number in groups of seven bits."""
    content = b""
    for number in (numbers[0] * 40 + numbers[1], *numbers[2:]):
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.append(number & 0x7F | 0x80)
        content += bytes(reversed(groups))
    return _tagged(_OBJECT, content)


def _tagged(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 0x80 else bytes([0x80 | (size.bit_length() + 7) // 8])
    if size >= 0x80:
        length += size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag]) + length + content
