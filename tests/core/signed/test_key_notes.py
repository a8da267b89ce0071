"""Notes on keys, read from whatever lies there."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from core.signed.findings import Finding
from core.signed.key_notes import (
    KeyNote,
    KeyNoteKind,
    key_note_path,
    read_key_note,
    sound_note,
    successors,
)
from core.signed.notices import signature_of
from tests.builders import make_key

KEYS = [make_key(seed) for seed in range(1, 6)]
DAY = dt.date(2026, 11, 22)


def rotated(old: int, new: int) -> KeyNote:
    return KeyNote(
        kind=KeyNoteKind.ROTATED, key=KEYS[old].public, on=DAY, reason="Age.", successor=KEYS[new].public
    )


def put(folder: Path, note: KeyNote, signer: int, content: bytes | None = None) -> None:
    written = note.file_bytes if content is None else content
    key_note_path(folder, note.key).write_bytes(written)
    signature_of(key_note_path(folder, note.key)).write_bytes(KEYS[signer].sign(written, "note"))


def test_a_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    revoked = KeyNote(
        kind=KeyNoteKind.REVOKED, key=KEYS[0].public, on=DAY, reason="Stolen.", published=("0" * 64,)
    )
    assert read_key_note(tmp_path, KEYS[0].public) is None
    for note in (rotated(0, 1), revoked):
        put(tmp_path, note, 0)
        assert read_key_note(tmp_path, KEYS[0].public) == note
    assert "REVOKED" in revoked.sentence
    assert KEYS[1].key_id in rotated(0, 1).sentence


def test_keys_follow_each_other_and_never_in_a_circle(tmp_path: Path) -> None:
    for old, new in ((0, 1), (1, 2), (2, 0)):
        put(tmp_path, rotated(old, new), old)
    assert successors(tmp_path, KEYS[0].public) == tuple(key.public for key in KEYS[:3])
    assert successors(tmp_path, KEYS[3].public) == (KEYS[3].public,)


def test_a_note_by_another_key_counts_for_nothing(tmp_path: Path) -> None:
    put(tmp_path, rotated(0, 1), 1)
    with pytest.raises(Finding, match="not signed"):
        read_key_note(tmp_path, KEYS[0].public)
    assert sound_note(tmp_path, KEYS[0].public) is None
    assert successors(tmp_path, KEYS[0].public) == (KEYS[0].public,)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "hexveil-key-note-9"},
        {"note": "lost"},
        {"note": "revoked"},
        {"key": KEYS[3].public_text},
        {"key": None},
        {"successor": None},
        {"successor": "RW"},
        {"on": "yesterday"},
        {"on": 5},
        {"reason": "two\nlines"},
        {"reason": None},
        {"published": None},
        {"published": ["x"]},
        {"published": [1]},
        {"more": 1},
    ],
    ids=str,
)
def test_a_malformed_note_is_a_finding_though_signed(tmp_path: Path, change: dict[str, Any]) -> None:
    document = json.loads(rotated(0, 1).file_bytes) | change
    put(tmp_path, rotated(0, 1), 0, json.dumps(document).encode())
    with pytest.raises(Finding):
        read_key_note(tmp_path, KEYS[0].public)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, b" " * (1 << 20) + b"{}"])
def test_rubbish_is_a_finding_or_nothing(tmp_path: Path, content: bytes) -> None:
    put(tmp_path, rotated(0, 1), 0, content)
    assert sound_note(tmp_path, KEYS[0].public) is None
