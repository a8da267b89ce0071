"""The minisign format, read strictly."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.signed.minisign import (
    PublicKey,
    parse_public_key,
    parse_signature,
    public_key_of,
    read_public_key,
    signed_by,
)
from tests.builders import make_key

KEY = make_key().public
SIGNED = make_key().sign(b"data", "timestamp:1\tfile:x")
needs_minisign = pytest.mark.skipif(not shutil.which("minisign"), reason="needs the minisign program")


@given(raw=st.binary(min_size=32, max_size=32), identity=st.binary(min_size=8, max_size=8))
def test_a_key_survives_its_text_and_its_file(raw: bytes, identity: bytes) -> None:
    key = PublicKey(raw=raw, identity=identity)
    assert len(key.text) == 56
    assert parse_public_key(key.text) == key
    assert parse_public_key(key.file_bytes.decode()) == key


@pytest.mark.parametrize(
    "text",
    ["", "RW", "A" * 56, KEY.text[:-1], KEY.text + "A", KEY.text.replace("/", "_") + "_", "x\n" + KEY.text],
)
def test_what_is_no_key_is_none(text: str) -> None:
    assert parse_public_key(text) is None


def test_a_key_may_be_given_as_text_or_file(tmp_path: Path) -> None:
    path = tmp_path / "city.pub"
    path.write_bytes(KEY.file_bytes)
    assert read_public_key(f" {KEY.text}\n") == KEY
    assert read_public_key(str(path)) == KEY


@pytest.mark.parametrize("given", ["", "nowhere.pub", ".", "x\0y", "~nobody-at-all/key.pub"])
def test_what_holds_no_key_is_refused(given: str) -> None:
    with pytest.raises(InputError) as caught:
        read_public_key(given)
    assert caught.value.exit_code == 2


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key.pub").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError):
        read_public_key(str(tmp_path / "key.pub"))


def test_a_fingerprint_is_for_people() -> None:
    assert len(KEY.fingerprint.split()) == 8
    assert KEY.fingerprint != make_key(2).public.fingerprint


def test_every_byte_of_a_signature_counts() -> None:
    unseen = []
    for position in range(len(SIGNED)):
        changed = bytearray(SIGNED)
        changed[position] ^= 1
        signature = parse_signature(bytes(changed))
        if signature is not None and signed_by(KEY, b"data", signature):
            unseen.append(position)
    assert unseen == []


@pytest.mark.parametrize(
    "content",
    [b"", SIGNED + b"\n", SIGNED[:-1], SIGNED.replace(b"\n", b"\r\n"), b"\xff" + SIGNED, SIGNED + SIGNED],
)
def test_only_our_own_bytes_are_a_signature(content: bytes) -> None:
    assert parse_signature(content) is None


def test_unused_bits_of_base64_are_no_hiding_place() -> None:
    lines = SIGNED.split(b"\n")
    last = lines[3][-3:-2]
    lines[3] = lines[3][:-3] + bytes([last[0] + 1]) + lines[3][-2:]
    assert parse_signature(b"\n".join(lines)) is None


def test_the_old_kind_of_signature_is_not_taken() -> None:
    signature = parse_signature(SIGNED)
    assert signature is not None
    assert parse_signature(SIGNED.replace(b"RU", b"RW", 1)) is None


def test_an_identity_must_match() -> None:
    signature = parse_signature(SIGNED)
    assert signature is not None
    assert signature.key_id == KEY.key_id
    renamed = dataclasses.replace(KEY, identity=bytes(8))
    assert not signed_by(renamed, b"data", signature)
    assert public_key_of(KEY.raw) == KEY


@needs_minisign
def test_the_minisign_program_agrees(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    (tmp_path / "file.minisig").write_bytes(SIGNED)
    command = ["minisign", "-Vm", str(tmp_path / "file"), "-P"]
    good = subprocess.run([*command, KEY.text], capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stderr
    assert "timestamp:1\tfile:x" in good.stdout
    bad = subprocess.run([*command, make_key(2).public_text], capture_output=True, check=False)
    assert bad.returncode != 0
