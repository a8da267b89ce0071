"""A signed note on a key, read: its fields, its form, its successor, or that it is revoked (method 18.3).

A key has no other way to say that it was stolen, so that a note is believed where the key that it is about
has signed it. A revocation is final: a thief of the key may sign a successor as well.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.signed.findings import Finding, require
from core.signed.minisign import PublicKey, parse_public_key
from core.signed.notices import day_of, is_reason, signed_document
from core.system.paths import program_name
from core.texts import text_of

KEY_NOTE_FORMAT = "hexveil-key-note-1"
KEY_NOTE_SUFFIX = ".key.json"
_LARGEST = 1 << 20
_MOST_SUCCESSORS = 100
_SHA256 = re.compile(r"[0-9a-f]{64}")
_KEYS = {"format", "note", "key", "successor", "on", "reason", "published"}


class KeyNoteKind(StrEnum):
    """What the owner of a key says of it."""

    ROTATED = "rotated"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyNote:
    """What the file says."""

    kind: KeyNoteKind
    key: PublicKey
    on: dt.date
    """UTC."""
    reason: str
    successor: PublicKey | None = None
    """Of a rotation alone: the key that signs from now on. What the old one signed stays good."""
    published: tuple[str, ...] = ()
    """Of a revocation alone: SHA-256 of the manifests that the owner signed: nothing else stays good."""

    @property
    def sentence(self) -> str:
        """For people."""
        if self.successor is not None:
            event = text_of("named {key_id} its successor", key_id=self.successor.key_id)
        else:
            event = "was REVOKED by its owner"
        return text_of(
            "key {key_id} {event} on {on}: {reason}",
            key_id=self.key.key_id,
            event=event,
            on=self.on,
            reason=self.reason,
        )

    @property
    def file_bytes(self) -> bytes:
        """The content of the file."""
        document = {
            "format": KEY_NOTE_FORMAT,
            "note": self.kind.value,
            "key": self.key.text,
            "successor": self.successor.text if self.successor else None,
            "on": self.on.isoformat(),
            "reason": self.reason,
            "published": list(self.published),
        }
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def key_note_path(folder: Path, key: PublicKey) -> Path:
    """Where the note on a key lies: in the folder of the bundles, called by the key's identity."""
    return folder / f"{key.key_id}{KEY_NOTE_SUFFIX}"


def read_key_note(folder: Path, key: PublicKey) -> KeyNote | None:
    """The note of this key's owner on it; None where none lies there.

    Raises Finding for a file that the key did not sign, or that is malformed.
    """
    path = key_note_path(folder, key)
    document = signed_document(path, key, _LARGEST)
    if document is None:
        return None
    note = _note(path.name, document)
    require(note.key == key, "{name} is about another key", name=path.name)
    return note


def successors(folder: Path, key: PublicKey) -> tuple[PublicKey, ...]:
    """The key and those that follow it by notes in the folder, each signed by the key before.

    What is no sound note counts for nothing, and a revoked key has no successor.
    """
    chain = [key]
    while len(chain) < _MOST_SUCCESSORS:
        note = sound_note(folder, chain[-1])
        if note is None or note.successor is None or note.successor in chain:
            break
        chain.append(note.successor)
    return tuple(chain)


def sound_note(folder: Path, key: PublicKey) -> KeyNote | None:
    """The note on a key; None where there is none, or none that its owner signed."""
    try:
        return read_key_note(folder, key)
    except Finding:
        return None


def require_not_revoked(folder: Path, key: PublicKey) -> None:
    """Raise InputError where the key's owner has revoked it: nobody would believe what it signs now."""
    note = sound_note(folder, key)
    if note is not None and note.kind is KeyNoteKind.REVOKED:
        raise InputError(
            "This signing key was revoked on {on}: no bundle that it signs now is valid.",
            on=note.on,
            where=str(key_note_path(folder, key)),
            mend=text_of("make a new key with `{value} keygen` and sign with that", value=program_name()),
        )


def _note(name: str, document: dict[str, Any]) -> KeyNote:
    require(document.keys() == _KEYS, "{name} has other fields than a note on a key", name=name)
    require(
        document["format"] == KEY_NOTE_FORMAT,
        "{name} is in a form that this version does not know",
        name=name,
    )
    kind, reason, on = (document[key] for key in ("note", "reason", "on"))
    require(kind in list(KeyNoteKind), "{name} neither rotates nor revokes", name=name)
    require(isinstance(reason, str) and is_reason(reason), "{name} gives no reason in one line", name=name)
    key = _key(document["key"])
    require(key is not None, "{name} names no key", name=name)
    assert key is not None
    successor = _key(document["successor"])
    require(
        (kind == KeyNoteKind.ROTATED) is (successor is not None),
        "{name} has a successor only in rotation",
        name=name,
    )
    return KeyNote(
        kind=KeyNoteKind(kind),
        key=key,
        on=day_of(name, on),
        reason=reason,
        successor=successor,
        published=_sums(name, document["published"]),
    )


def _key(text: object) -> PublicKey | None:
    return parse_public_key(text) if isinstance(text, str) else None


def _sums(name: str, listed: object) -> tuple[str, ...]:
    sums: Sequence[object] = listed if isinstance(listed, list) else [None]
    require(
        all(isinstance(one, str) and _SHA256.fullmatch(one) for one in sums),
        "{name} lists something that is not a checksum",
        name=name,
    )
    return tuple(str(one) for one in sums)
