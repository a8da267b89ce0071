"""A bundle that is published and that the ledger does not know: the run died, or could not note it.

Its data are compared with what the ledger's draws give, byte for byte: noise is nobody's to guess, so that
a bundle with the same numbers is the one that was made of them.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.accounting.ledger import Ledger, StoredDraws
from core.bundle.data_files import data_files
from core.bundle.release_result import Release
from core.codec import from_json
from core.signed.bundle_names import MANIFEST
from core.system.regular_files import read_regular
from core.verify.verify import verify_bundle


def note_bundle(bundle: Path, ledger: Ledger, population: str) -> int | None:
    """Let the ledger know of a bundle whose draws it holds; the entry's number, or None where it holds none.

    Raises LedgerError where the ledger cannot be written.
    """
    if not bundle.is_dir() or not (bundle / MANIFEST).is_file():
        return None
    found = verify_bundle(bundle)
    if not (found.ok or found.only_unread):  # however large: its data are compared with the draws
        return None
    entry = next((one for one in ledger.unpublished(population) if _made(bundle, one)), None)
    if entry is None:
        return None
    manifest = hashlib.sha256(read_regular(bundle / MANIFEST)).hexdigest()
    ledger.resume(entry.entry).mark_published(bundle.name, manifest)
    return entry.entry


def _made(bundle: Path, stored: StoredDraws) -> bool:
    """Whether the bundle's data are those of the draws."""
    files = data_files(from_json(Release, stored.draws))
    return all(
        (bundle / path).is_file() and read_regular(bundle / path) == content
        for path, content in files.items()
    )
