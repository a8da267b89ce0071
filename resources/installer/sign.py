"""Checksums and a minisign signature beside each installer.

    PYTHONPATH=. python resources/installer/sign.py FILE...

The key is the one that HEXVEIL_SIGNING_KEY names (its passphrase: HEXVEIL_PASSPHRASE). Without it a
throw-away key signs, good for trying the procedure: a public release needs the project's own key.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path

from core.keys.signing_key import SigningKey, generate_key, load_key

KEY = "HEXVEIL_SIGNING_KEY"
PASSPHRASE = "HEXVEIL_PASSPHRASE"
PUBLIC_NAME = "hexveil-installers.pub"


def digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def signing_key() -> SigningKey:
    """The key that is named, or a new one that is forgotten at the end."""
    if named := os.environ.get(KEY):
        return load_key(Path(named), os.environ.get(PASSPHRASE, ""))
    print(f"{KEY} names no key: signing with a throw-away key, not fit for a public release", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        return generate_key(Path(folder) / "throw-away", secrets.token_hex(16))


def sign(files: list[Path], key: SigningKey) -> list[Path]:
    """Write FILE.sha256 and FILE.minisig beside each file, and the public key beside the first."""
    written = []
    for path in files:
        checksum = path.with_name(path.name + ".sha256")
        checksum.write_text(f"{digest(path)}  {path.name}\n", encoding="ascii", newline="\n")
        signature = path.with_name(path.name + ".minisig")
        comment = f"timestamp:{int(time.time())}\tfile:{path.name}"
        signature.write_bytes(key.sign(path.read_bytes(), comment))
        written += [checksum, signature]
    public = files[0].with_name(PUBLIC_NAME)
    public.write_bytes(key.public.file_bytes)
    return [*written, public]


if __name__ == "__main__":
    if not sys.argv[1:]:
        raise SystemExit(__doc__)
    for made in sign([Path(name) for name in sys.argv[1:]], signing_key()):
        print(made)
