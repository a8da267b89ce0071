"""A key on paper: words that can be read aloud, and a sum that finds what was misread."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.keys import words as key_words
from core.keys.signing_key import SigningKey, load_key
from core.keys.words import restore_key, words_of
from core.signed.minisign import public_key_of
from tests.builders import make_key

PASSPHRASE = "another passphrase"


def test_the_key_of_its_words_is_the_same_key(tmp_path: Path) -> None:
    key = make_key()
    words = words_of(key)
    assert len(words.split()) == 18
    restored = restore_key(tmp_path / "key", words.upper(), PASSPHRASE)
    assert restored.public == key.public == load_key(tmp_path / "key.pem", PASSPHRASE).public
    assert (tmp_path / "key.pub").read_bytes() == key.public.file_bytes


@pytest.mark.parametrize(
    ("address", "words"), [("127.0.0.1", "lusab babad"), ("63.84.220.193", "gutih tugad")]
)
def test_words_are_proquints(address: str, words: str) -> None:
    """Examples of the scheme's author."""
    data = bytes(map(int, address.split(".")))
    made = [key_words._word(int.from_bytes(data[place : place + 2], "big")) for place in (0, 2)]
    assert " ".join(made) == words


@given(number=st.integers(0, 2**16 - 1))
def test_every_word_is_read_as_it_was_written(number: int) -> None:
    assert key_words._number(key_words._word(number)) == number


@given(seed=st.binary(min_size=32, max_size=32), place=st.integers(0, 16), letter=st.sampled_from("bdfgz"))
def test_a_misread_or_misplaced_word_is_found(seed: bytes, place: int, letter: str) -> None:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key = SigningKey(private=private, public=public_key_of(private.public_key().public_bytes_raw()))
    words = words_of(key).split()
    misread = [*words]
    misread[place] = letter + words[place][1:]
    swapped = [*words]
    swapped[place], swapped[place + 1] = words[place + 1], words[place]
    for wrong in (misread, swapped):
        if wrong != words:
            with pytest.raises(InputError, match="misread"):
                restore_key(Path("nowhere"), " ".join(wrong), PASSPHRASE)


@pytest.mark.parametrize("words", ["", "babab", "babab " * 19, "xxxxx " * 18, "babá " * 18])
def test_what_are_no_words_of_a_key_is_told(words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        restore_key(tmp_path / "key", words, PASSPHRASE)
    assert caught.value.mend
    assert list(tmp_path.iterdir()) == []
