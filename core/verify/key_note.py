"""Sign a note on a key: it names a successor, or the bundle is not valid or of another key (method 18.3)."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.keys.signing_key import SigningKey, trusted_comment
from core.signed.bundle_names import MANIFEST
from core.signed.key_notes import (
    KeyNote,
    KeyNoteKind,
    key_note_path,
    sound_note,
)
from core.signed.minisign import PublicKey
from core.signed.notices import LONGEST_REASON, is_reason, signature_of
from core.system.files import make_folder, write_atomic
from core.verify.folder import read_seal
from core.verify.verify import verify_bundle


def publish_key_note(
    folder: Path,
    *,
    key: SigningKey,
    reason: str,
    now: dt.datetime,
    successor: PublicKey | None = None,
    published: Sequence[Path] = (),
) -> KeyNote:
    """Write and sign the note into `folder`, where the bundles lie; without a successor the key is revoked.

    published: bundles of a revoked key that stay good. Raises InputError for a reason that is no line of
    text, a successor that is the key itself, a bundle that this key did not sign, a key that was revoked
    before, and where the folder cannot be written.
    """
    text = reason.strip()
    if not is_reason(text):
        raise InputError(
            "A note gives its reason in one line.",
            where="reason",
            mend=f"write 1 to {LONGEST_REASON} printable characters",
        )
    if successor == key.public:
        raise InputError(
            "A key cannot succeed itself.", where="--replaced-by", mend="name the new key's .pub file"
        )
    earlier = sound_note(folder, key.public)
    if earlier is not None and earlier.kind is KeyNoteKind.REVOKED:
        raise InputError(
            f"This key was revoked on {earlier.on} already, and that is final.",
            where=str(key_note_path(folder, key.public)),
            mend="nothing is left to do; announce a new key on your own site",
        )
    note = KeyNote(
        kind=KeyNoteKind.REVOKED if successor is None else KeyNoteKind.ROTATED,
        key=key.public,
        on=now.astimezone(dt.UTC).date(),
        reason=text,
        successor=successor,
        published=tuple(sorted(_manifest_of(bundle, key) for bundle in published)),
    )
    path = key_note_path(folder, key.public)
    signature = key.sign(note.file_bytes, trusted_comment(f"key-{key.key_id.lower()}", now, file=path.name))
    make_folder(folder)
    # the signature first: alone it says nothing, and an unsigned note would count for nothing either
    write_atomic(signature_of(path), signature)
    write_atomic(path, note.file_bytes)
    return note


def _manifest_of(bundle: Path, key: SigningKey) -> str:
    """SHA-256 of the manifest of a sound bundle that this key signed. Raises InputError for any other."""
    found = verify_bundle(bundle, key.public_text)
    if not found.ok:
        raise InputError(
            "This bundle is not valid, or another key signed it.",
            where=str(bundle),
            mend="choose bundles that `verify` accepts with this key",
        )
    return hashlib.sha256(read_seal(bundle).read(MANIFEST)).hexdigest()
