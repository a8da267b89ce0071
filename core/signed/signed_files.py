"""A signed folder from a stranger: nothing of it is believed before sums and signature hold (method 14)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from core.signed.bundle_names import MANIFEST, PUBLIC_KEY, SIGNATURE
from core.signed.findings import Finding, decoded, require
from core.signed.manifest import parse_manifest, release_of
from core.signed.minisign import PublicKey, parse_public_key, parse_signature, signed_by
from core.system.regular_files import open_regular, read_regular
from core.texts import text_of

LARGEST_READ_WHOLE = 1 << 28
"""Bytes of a signed file, which is read whole, as it has to be understood."""


class SignedFiles:
    """The files of a folder whose manifest is signed, each as it was when that was written."""

    def __init__(self, folder: Path, given: PublicKey | None = None) -> None:
        """given: the publisher's key; without it the folder's own, which proves nothing about the signer.

        Raises Finding where a file is missing or was changed, or where the key did not sign.
        """
        self._folder = folder
        manifest, sealed_by = self._content(MANIFEST), self._content(SIGNATURE)
        signature = parse_signature(sealed_by)
        key = given or parse_public_key(decoded(PUBLIC_KEY, self._content(PUBLIC_KEY)))
        require(
            signature is not None and key is not None and signed_by(key, manifest, signature),
            "{signature} is not a signature of {manifest} by {value}",
            value=PUBLIC_KEY if given is None else text_of("the given key {key_id}", key_id=given.key_id),
        )
        assert signature is not None
        self._signature = signature
        self._seal = {MANIFEST: manifest, SIGNATURE: sealed_by}
        self._sums = parse_manifest(manifest)
        for name, expected in self._sums.items():
            require(self._sum(name) == expected, "{name} was changed", name=name)

    @property
    def release(self) -> str:
        """`<name>-<version>`, as the signature names it. Raises Finding where it names none."""
        return release_of(self._signature)

    @property
    def seal(self) -> Mapping[str, bytes]:
        """Manifest and signature, which no manifest lists."""
        return self._seal

    @property
    def names(self) -> tuple[str, ...]:
        """What the manifest lists, sorted; with `/`."""
        return tuple(self._sums)

    def read(self, name: str) -> bytes:
        """The content of a listed file. Raises Finding when it is not listed, or was changed since."""
        require(name in self._sums, "{name} is missing", name=name)
        content = self._content(name)
        require(hashlib.sha256(content).hexdigest() == self._sums[name], "{name} was changed", name=name)
        return content

    def _content(self, name: str) -> bytes:
        try:
            content = read_regular(self._folder / name, most=LARGEST_READ_WHOLE + 1)
        except OSError:
            raise Finding("{name} is missing or cannot be read", name=name) from None
        require(len(content) <= LARGEST_READ_WHOLE, "{name} is too large", name=name)
        return content

    def _sum(self, name: str) -> str:
        try:
            with open_regular(self._folder / name) as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            raise Finding("{name} is missing or cannot be read", name=name) from None
