"""The minisign format: public keys and Ed25519 signatures, or what is neither.

Source: method 18. `minisign -Vm FILE -P KEY` accepts what is written here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from core.errors import InputError
from core.system.regular_files import read_regular

UNTRUSTED_COMMENT = "signature of the release manifest"
_KEY_ALGORITHM = b"Ed"
_PREHASHED = b"ED"
_KEY_TEXT = re.compile(r"[A-Za-z0-9+/]{56}")
_SIGNATURE_FILE = re.compile(
    rf"untrusted comment: {UNTRUSTED_COMMENT}\n([A-Za-z0-9+/]{{99}}=)\n"
    r"trusted comment: ([\x20-\x7e\t]{1,500})\n([A-Za-z0-9+/]{86}==)\n"
)
_LONGEST_FILE = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicKey:
    """A minisign public key."""

    raw: bytes
    """The 32 bytes of the Ed25519 key."""
    identity: bytes
    """Eight bytes that name the key; they prove nothing."""

    @property
    def text(self) -> str:
        """The 56 characters that a publisher announces and `minisign -P` takes."""
        return base64.b64encode(_KEY_ALGORITHM + self.identity + self.raw).decode()

    @property
    def key_id(self) -> str:
        """The identity as minisign prints it: 16 upper-case hex digits."""
        return f"{int.from_bytes(self.identity, 'little'):016X}"

    @property
    def fingerprint(self) -> str:
        """The first 128 bits of the key's SHA-256, in groups of four hex digits, for people to compare."""
        digest = hashlib.sha256(self.raw).hexdigest()[:32]
        return " ".join(digest[start : start + 4] for start in range(0, 32, 4))

    @property
    def file_bytes(self) -> bytes:
        """The content of the `.pub` file."""
        return f"untrusted comment: minisign public key {self.key_id}\n{self.text}\n".encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A decoded `.minisig` file."""

    identity: bytes
    signature: bytes
    """Of the file's BLAKE2b-512."""
    trusted_comment: str
    comment_signature: bytes

    @property
    def key_id(self) -> str:
        return f"{int.from_bytes(self.identity, 'little'):016X}"

    @property
    def file_bytes(self) -> bytes:
        """The `.minisig` file, rebuilt from its parts with our fixed untrusted comment."""
        first = base64.b64encode(_PREHASHED + self.identity + self.signature).decode()
        second = base64.b64encode(self.comment_signature).decode()
        return (
            f"untrusted comment: {UNTRUSTED_COMMENT}\n{first}\n"
            f"trusted comment: {self.trusted_comment}\n{second}\n"
        ).encode("ascii")


def public_key_of(raw: bytes) -> PublicKey:
    """Our minisign key for an Ed25519 public key: its identity is the key's own hash."""
    return PublicKey(raw=raw, identity=hashlib.blake2b(raw, digest_size=8).digest())


def prehash(data: bytes) -> bytes:
    """What minisign signs in place of a file: its BLAKE2b-512."""
    return hashlib.blake2b(data, digest_size=64).digest()


def parse_public_key(text: str) -> PublicKey | None:
    """The key of a 56-character text or of a `.pub` file's content; None when it is neither."""
    lines = text.strip().splitlines()
    if len(lines) == 2 and lines[0].startswith("untrusted comment:"):
        lines = lines[1:]
    if len(lines) != 1 or not _KEY_TEXT.fullmatch(lines[0].strip()):
        return None
    decoded = base64.b64decode(lines[0].strip())
    if decoded[:2] != _KEY_ALGORITHM:
        return None
    return PublicKey(identity=decoded[2:10], raw=decoded[10:])


def read_public_key(given: str) -> PublicKey:
    """The key that a person named: its 56-character text, or the path of a `.pub` file.

    Raises InputError when it is neither.
    """
    if key := parse_public_key(given):
        return key
    try:
        content = read_regular(Path(given).expanduser(), most=_LONGEST_FILE).decode("utf-8")
    except (OSError, ValueError, RuntimeError):
        content = ""
    if key := parse_public_key(content):
        return key
    raise InputError(
        "This is neither a minisign public key nor a file that holds one.",
        where="public key",
        mend="give the 56 characters that the publisher announces, or a .pub file",
    )


def parse_signature(content: bytes) -> Signature | None:
    """A `.minisig` file's parts; None unless it is, byte for byte, what we would write (method 14)."""
    try:
        found = _SIGNATURE_FILE.fullmatch(content.decode("ascii"))
    except UnicodeDecodeError:
        return None
    if not found:
        return None
    try:
        first = base64.b64decode(found[1], validate=True)
        second = base64.b64decode(found[3], validate=True)
    except binascii.Error:
        return None
    signature = Signature(
        identity=first[2:10], signature=first[10:], trusted_comment=found[2], comment_signature=second
    )
    return signature if signature.file_bytes == content else None


def signed_by(key: PublicKey, data: bytes, signature: Signature) -> bool:
    """Whether `key` signed both the data and the trusted comment."""
    if signature.identity != key.identity:
        return False
    try:
        public = Ed25519PublicKey.from_public_bytes(key.raw)
        public.verify(signature.signature, prehash(data))
        public.verify(signature.comment_signature, signature.signature + signature.trusted_comment.encode())
    except (InvalidSignature, ValueError):
        return False
    return True
